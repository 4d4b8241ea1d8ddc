"""How good rankings are, and how far that number can be trusted."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge import errors as errors
    from rankgauge import measures as measures
    from rankgauge.analysis.agreement import agreement
    from rankgauge.analysis.churn import churn
    from rankgauge.analysis.compare.planning import queries_to_detect
    from rankgauge.analysis.compare.result import Comparison
    from rankgauge.analysis.compare.scores import compare, compare_by
    from rankgauge.analysis.discriminate import discriminate
    from rankgauge.analysis.gate import gate
    from rankgauge.analysis.optimize.collection import compromise, gains_by_cutoff, optimize
    from rankgauge.analysis.optimize.result import Optimum
    from rankgauge.analysis.relevance import RelevanceFunction, relevance
    from rankgauge.analysis.simulate import simulate
    from rankgauge.analysis.stability.result import Stability
    from rankgauge.analysis.stability.study import stability
    from rankgauge.data.check import check
    from rankgauge.data.judgments import Judgments, read_judgments
    from rankgauge.data.policy import Policy
    from rankgauge.data.queries import Queries, read_queries
    from rankgauge.data.run import Run, read_run, read_runs
    from rankgauge.evaluation.evaluate import evaluate
    from rankgauge.evaluation.explain import explain
    from rankgauge.evaluation.score import score
    from rankgauge.evaluation.scores import Scores
    from rankgauge.evaluation.storage import read_scores
    from rankgauge.measures.measure import Measure
    from rankgauge.presentation import plot as plot
    from rankgauge.presentation.report.report import report

__version__ = "0.1.0"

# Where each public name lives; a module is loaded when one of its names is first used (PEP 562).
_HOMES = {
    "Optimum": "rankgauge.analysis.optimize.result",
    "optimize": "rankgauge.analysis.optimize.collection",
    "compromise": "rankgauge.analysis.optimize.collection",
    "gains_by_cutoff": "rankgauge.analysis.optimize.collection",
    "read_runs": "rankgauge.data.run",
    "read_queries": "rankgauge.data.queries",
    "Queries": "rankgauge.data.queries",
    "check": "rankgauge.data.check",
    "Comparison": "rankgauge.analysis.compare.result",
    "Judgments": "rankgauge.data.judgments",
    "Measure": "rankgauge.measures.measure",
    "Policy": "rankgauge.data.policy",
    "RelevanceFunction": "rankgauge.analysis.relevance",
    "Run": "rankgauge.data.run",
    "Scores": "rankgauge.evaluation.scores",
    "errors": "rankgauge.errors",
    "evaluate": "rankgauge.evaluation.evaluate",
    "explain": "rankgauge.evaluation.explain",
    "score": "rankgauge.evaluation.score",
    "measures": "rankgauge.measures",
    "plot": "rankgauge.presentation.plot",
    "read_judgments": "rankgauge.data.judgments",
    "read_run": "rankgauge.data.run",
    "relevance": "rankgauge.analysis.relevance",
    "report": "rankgauge.presentation.report.report",
    "read_scores": "rankgauge.evaluation.storage",
    "simulate": "rankgauge.analysis.simulate",
    "stability": "rankgauge.analysis.stability.study",
    "agreement": "rankgauge.analysis.agreement",
    "churn": "rankgauge.analysis.churn",
    "compare_by": "rankgauge.analysis.compare.scores",
    "gate": "rankgauge.analysis.gate",
    "compare": "rankgauge.analysis.compare.scores",
    "discriminate": "rankgauge.analysis.discriminate",
    "queries_to_detect": "rankgauge.analysis.compare.planning",
    "Stability": "rankgauge.analysis.stability.result",
}

__all__ = [
    "Comparison",
    "Judgments",
    "Measure",
    "Optimum",
    "Policy",
    "Queries",
    "RelevanceFunction",
    "Run",
    "Scores",
    "Stability",
    "agreement",
    "check",
    "churn",
    "compare",
    "compare_by",
    "compromise",
    "discriminate",
    "errors",
    "evaluate",
    "explain",
    "gains_by_cutoff",
    "gate",
    "measures",
    "optimize",
    "plot",
    "queries_to_detect",
    "read_judgments",
    "read_queries",
    "read_run",
    "read_runs",
    "read_scores",
    "relevance",
    "report",
    "score",
    "simulate",
    "stability",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(home)
    # A module that does not hold the name is what the name means: errors, measures, plot.
    value = getattr(module, name, module)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
