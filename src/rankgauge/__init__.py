"""How good rankings are, and how far that number can be trusted."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge import errors as errors
    from rankgauge import measures as measures
    from rankgauge.analysis.agreement import agreement
    from rankgauge.analysis.chance import chance
    from rankgauge.analysis.comparison.churn import churn
    from rankgauge.analysis.comparison.gate import gate
    from rankgauge.analysis.comparison.planning import queries_to_detect
    from rankgauge.analysis.comparison.result import Comparison
    from rankgauge.analysis.comparison.scores import compare, compare_by
    from rankgauge.analysis.comparison.scores_discriminate import discriminate
    from rankgauge.analysis.optimal.collection import compromise, gains_by_cutoff, optimize
    from rankgauge.analysis.optimal.result import Optimum
    from rankgauge.analysis.relevance import RelevanceFunction, relevance
    from rankgauge.analysis.simulate import simulate
    from rankgauge.analysis.stability.results import Stability
    from rankgauge.analysis.stability.study import stability
    from rankgauge.data.checkup import check
    from rankgauge.data.judgments import Judgments, read_judgments
    from rankgauge.data.letor import read_letor
    from rankgauge.data.policy import Policy
    from rankgauge.data.queries import Queries, read_queries
    from rankgauge.data.run import Run, read_run, read_runs
    from rankgauge.evaluation.evaluate import evaluate
    from rankgauge.evaluation.explain import explain
    from rankgauge.evaluation.score import score, score_groups
    from rankgauge.evaluation.scores import Scores
    from rankgauge.evaluation.storage import read_scores
    from rankgauge.measures.measure import Measure
    from rankgauge.presentation import plot as plot
    from rankgauge.presentation.report import report

__version__ = "0.1.0"

# Where each public name lives; a module is loaded when one of its names is first used (PEP 562).
_HOMES = {
    "Optimum": "rankgauge.analysis.optimal.result",
    "optimize": "rankgauge.analysis.optimal.collection",
    "compromise": "rankgauge.analysis.optimal.collection",
    "gains_by_cutoff": "rankgauge.analysis.optimal.collection",
    "read_letor": "rankgauge.data.letor",
    "read_runs": "rankgauge.data.run",
    "read_queries": "rankgauge.data.queries",
    "Queries": "rankgauge.data.queries",
    "check": "rankgauge.data.checkup",
    "Comparison": "rankgauge.analysis.comparison.result",
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
    "score_groups": "rankgauge.evaluation.score",
    "measures": "rankgauge.measures",
    "plot": "rankgauge.presentation.plot",
    "read_judgments": "rankgauge.data.judgments",
    "read_run": "rankgauge.data.run",
    "relevance": "rankgauge.analysis.relevance",
    "report": "rankgauge.presentation.report",
    "read_scores": "rankgauge.evaluation.storage",
    "simulate": "rankgauge.analysis.simulate",
    "stability": "rankgauge.analysis.stability.study",
    "agreement": "rankgauge.analysis.agreement",
    "chance": "rankgauge.analysis.chance",
    "churn": "rankgauge.analysis.comparison.churn",
    "compare_by": "rankgauge.analysis.comparison.scores",
    "gate": "rankgauge.analysis.comparison.gate",
    "compare": "rankgauge.analysis.comparison.scores",
    "discriminate": "rankgauge.analysis.comparison.scores_discriminate",
    "queries_to_detect": "rankgauge.analysis.comparison.planning",
    "Stability": "rankgauge.analysis.stability.results",
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
    "chance",
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
    "read_letor",
    "read_queries",
    "read_run",
    "read_runs",
    "read_scores",
    "relevance",
    "report",
    "score",
    "score_groups",
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
