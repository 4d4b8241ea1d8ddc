"""Evaluate rankings, and find out whether the differences are real."""
# ruff: noqa: I001 - a name that is imported as itself is one that type checkers pass on

from __future__ import annotations

import gc
import importlib
from typing import TYPE_CHECKING, Any

# For type checkers; a test holds these lines against the table below.
if TYPE_CHECKING:
    from rankgauge import errors as errors
    from rankgauge import examples as examples
    from rankgauge import integrations as integrations
    from rankgauge import measures as measures
    from rankgauge import results as results
    from rankgauge.analysis.agreement import agreement as agreement
    from rankgauge.analysis.compare.compare import compare as compare
    from rankgauge.analysis.discriminate import discriminate as discriminate
    from rankgauge.analysis.exposure import exposure as exposure
    from rankgauge.analysis.judging.holes import holes as holes
    from rankgauge.analysis.judging.judges import judges as judges
    from rankgauge.analysis.judging.sample import sample as sample
    from rankgauge.analysis.optimize.optimize import optimize as optimize
    from rankgauge.analysis.predictions import score as score
    from rankgauge.analysis.relevance import relevance as relevance
    from rankgauge.analysis.relevance_function import RelevanceFunction as RelevanceFunction
    from rankgauge.analysis.robust.robust import robust as robust
    from rankgauge.analysis.simulate import simulate as simulate
    from rankgauge.analysis.stability.study import stability as stability
    from rankgauge.data.check import check as check
    from rankgauge.data.judgments import Judgments as Judgments, read_judgments as read_judgments
    from rankgauge.data.policy import Policy as Policy
    from rankgauge.data.queries import Queries as Queries, read_queries as read_queries
    from rankgauge.data.run import Run as Run
    from rankgauge.data.runs import read_run as read_run, read_runs as read_runs
    from rankgauge.evaluation.evaluate import evaluate as evaluate
    from rankgauge.evaluation.explain.explain import explain as explain
    from rankgauge.evaluation.reconcile.reconcile import reconcile as reconcile
    from rankgauge.evaluation.scores import Scores as Scores
    from rankgauge.evaluation.storage import read_scores as read_scores
    from rankgauge.measures.measure import Measure as Measure
    from rankgauge.presentation import plot as plot
    from rankgauge.presentation.explore.explore import explore as explore
    from rankgauge.presentation.report.report import report as report

__version__ = "0.2.0"

# Where each public name lives; a module is loaded when one of its names is first used (PEP 562).
_NAMES = {
    "errors": "errors",
    "examples": "examples",
    "integrations": "integrations",
    "measures": "measures",
    "results": "results",
    "analysis.agreement": "agreement",
    "analysis.compare.compare": "compare",
    "analysis.discriminate": "discriminate",
    "analysis.exposure": "exposure",
    "analysis.judging.holes": "holes",
    "analysis.judging.judges": "judges",
    "analysis.judging.sample": "sample",
    "analysis.optimize.optimize": "optimize",
    "analysis.predictions": "score",
    "analysis.relevance": "relevance",
    "analysis.relevance_function": "RelevanceFunction",
    "analysis.robust.robust": "robust",
    "analysis.simulate": "simulate",
    "analysis.stability.study": "stability",
    "data.check": "check",
    "data.judgments": "Judgments read_judgments",
    "data.policy": "Policy",
    "data.queries": "Queries read_queries",
    "data.run": "Run",
    "data.runs": "read_run read_runs",
    "evaluation.evaluate": "evaluate",
    "evaluation.explain.explain": "explain",
    "evaluation.reconcile.reconcile": "reconcile",
    "evaluation.scores": "Scores",
    "evaluation.storage": "read_scores",
    "measures.measure": "Measure",
    "presentation.plot": "plot",
    "presentation.explore.explore": "explore",
    "presentation.report.report": "report",
}
_HOMES = {name: f"rankgauge.{module}" for module, names in _NAMES.items() for name in names.split()}
if not TYPE_CHECKING:
    __all__ = sorted(_HOMES)  # noqa: PLE0605 - the names are known when it runs


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _imported(home)
    # A module that does not hold the name is what the name means: errors, integrations, measures, plot.
    value = getattr(module, name, module)
    globals()[name] = value
    return value


def _imported(home: str) -> Any:
    """What an import makes stays, so looking for garbage among it is lost time: a fortieth of a small job."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(home)
    finally:
        if not gc.get_freeze_count():  # all that is alive counts as old; what a caller has frozen stays frozen
            gc.freeze()
            gc.unfreeze()
        if collects:
            gc.enable()


def __dir__() -> list[str]:
    return sorted(_HOMES)
