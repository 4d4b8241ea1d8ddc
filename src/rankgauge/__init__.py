"""Evaluate rankings, and find out whether the differences are real."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge import errors as errors
    from rankgauge import examples as examples
    from rankgauge import integrations as integrations
    from rankgauge import measures as measures
    from rankgauge import results as results
    from rankgauge.analysis.agreement import agreement
    from rankgauge.analysis.compare.compare import compare
    from rankgauge.analysis.discriminate import discriminate
    from rankgauge.analysis.judging.holes import holes
    from rankgauge.analysis.judging.judges import judges
    from rankgauge.analysis.judging.sample import sample
    from rankgauge.analysis.optimize.optimize import optimize
    from rankgauge.analysis.predictions import score
    from rankgauge.analysis.relevance import relevance
    from rankgauge.analysis.relevance_function import RelevanceFunction
    from rankgauge.analysis.robust.robust import robust
    from rankgauge.analysis.simulate import simulate
    from rankgauge.analysis.stability.study import stability
    from rankgauge.data.check import check
    from rankgauge.data.judgments import Judgments, read_judgments
    from rankgauge.data.policy import Policy
    from rankgauge.data.queries import Queries, read_queries
    from rankgauge.data.run import Run, read_run, read_runs
    from rankgauge.evaluation.evaluate import evaluate
    from rankgauge.evaluation.explain.explain import explain
    from rankgauge.evaluation.reconcile.reconcile import reconcile
    from rankgauge.evaluation.scores import Scores
    from rankgauge.evaluation.storage import read_scores
    from rankgauge.measures.measure import Measure
    from rankgauge.presentation import plot as plot
    from rankgauge.presentation.explore.explore import explore
    from rankgauge.presentation.report.report import report

__version__ = "0.2.0"

# Where each public name lives; a module is loaded when one of its names is first used (PEP 562).
_HOMES = {
    "Judgments": "rankgauge.data.judgments",
    "Measure": "rankgauge.measures.measure",
    "Policy": "rankgauge.data.policy",
    "Queries": "rankgauge.data.queries",
    "RelevanceFunction": "rankgauge.analysis.relevance_function",
    "Run": "rankgauge.data.run",
    "Scores": "rankgauge.evaluation.scores",
    "agreement": "rankgauge.analysis.agreement",
    "check": "rankgauge.data.check",
    "compare": "rankgauge.analysis.compare.compare",
    "discriminate": "rankgauge.analysis.discriminate",
    "errors": "rankgauge.errors",
    "evaluate": "rankgauge.evaluation.evaluate",
    "examples": "rankgauge.examples",
    "explain": "rankgauge.evaluation.explain.explain",
    "explore": "rankgauge.presentation.explore.explore",
    "holes": "rankgauge.analysis.judging.holes",
    "judges": "rankgauge.analysis.judging.judges",
    "integrations": "rankgauge.integrations",
    "measures": "rankgauge.measures",
    "optimize": "rankgauge.analysis.optimize.optimize",
    "plot": "rankgauge.presentation.plot",
    "read_judgments": "rankgauge.data.judgments",
    "read_queries": "rankgauge.data.queries",
    "read_run": "rankgauge.data.run",
    "read_runs": "rankgauge.data.run",
    "read_scores": "rankgauge.evaluation.storage",
    "reconcile": "rankgauge.evaluation.reconcile.reconcile",
    "relevance": "rankgauge.analysis.relevance",
    "report": "rankgauge.presentation.report.report",
    "results": "rankgauge.results",
    "robust": "rankgauge.analysis.robust.robust",
    "sample": "rankgauge.analysis.judging.sample",
    "score": "rankgauge.analysis.predictions",
    "simulate": "rankgauge.analysis.simulate",
    "stability": "rankgauge.analysis.stability.study",
}

__all__ = [
    "Judgments",
    "Measure",
    "Policy",
    "Queries",
    "RelevanceFunction",
    "Run",
    "Scores",
    "agreement",
    "check",
    "compare",
    "discriminate",
    "errors",
    "evaluate",
    "examples",
    "explain",
    "explore",
    "holes",
    "integrations",
    "judges",
    "measures",
    "optimize",
    "plot",
    "read_judgments",
    "read_queries",
    "read_run",
    "read_runs",
    "read_scores",
    "reconcile",
    "relevance",
    "report",
    "results",
    "robust",
    "sample",
    "score",
    "simulate",
    "stability",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(home)
    # A module that does not hold the name is what the name means: errors, integrations, measures, plot.
    value = getattr(module, name, module)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
