"""Evaluate rankings, and find out whether the differences are real."""
# ruff: noqa: I001 - a name that is imported as itself is one that type checkers pass on

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

# For type checkers; a test holds these lines against the table below.
if TYPE_CHECKING:
    from rankgauge import errors as errors
    from rankgauge import examples as examples
    from rankgauge import integrations as integrations
    from rankgauge import measures as measures
    from rankgauge import results as results
    from rankgauge.analysis.relevance_function import RelevanceFunction as RelevanceFunction
    from rankgauge.data.judgments import Judgments as Judgments
    from rankgauge.data.policy import Policy as Policy
    from rankgauge.data.about import Queries as Queries
    from rankgauge.data.judgments import Run as Run
    from rankgauge.evaluation.scores import Scores as Scores
    from rankgauge.measures.measure import Measure as Measure
    from rankgauge.presentation import plot as plot
    from rankgauge.verbs import (
        agreement as agreement,
        check as check,
        compare as compare,
        discriminate as discriminate,
        evaluate as evaluate,
        explain as explain,
        explore as explore,
        exposure as exposure,
        holes as holes,
        judges as judges,
        optimize as optimize,
        read_judgments as read_judgments,
        read_queries as read_queries,
        read_run as read_run,
        read_runs as read_runs,
        read_scores as read_scores,
        reconcile as reconcile,
        relevance as relevance,
        report as report,
        robust as robust,
        sample as sample,
        score as score,
        simulate as simulate,
        stability as stability,
    )

__version__ = "0.2.0"

_NAMES = {
    "errors": "errors",
    "examples": "examples",
    "integrations": "integrations",
    "measures": "measures",
    "results": "results",
    "presentation.plot": "plot",
    "analysis.relevance_function": "RelevanceFunction",
    "data.judgments": "Judgments Run",
    "data.policy": "Policy",
    "data.about": "Queries",
    "evaluation.scores": "Scores",
    "measures.measure": "Measure",
    "verbs": "agreement check compare discriminate evaluate explain explore exposure holes judges optimize "
    "read_judgments read_queries read_run read_runs read_scores reconcile relevance report robust sample score "
    "simulate stability",
}
"""Where each public name lives; a module is loaded when one of its names is first used (PEP 562)."""
_HOMES = {name: f"rankgauge.{module}" for module, names in _NAMES.items() for name in names.split()}
if not TYPE_CHECKING:
    __all__ = sorted(_HOMES)  # noqa: PLE0605 - the names are known when it runs


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(_HOMES[name])
    # A module that does not hold the name is what the name means: errors, integrations, measures, plot.
    value = globals()[name] = getattr(module, name, module)
    return value


def __dir__() -> list[str]:
    return sorted(_HOMES)
