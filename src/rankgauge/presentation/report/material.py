"""What a report may show, and how to compute what was not given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from rankgauge.analysis.agreement import Agreement, agreement
from rankgauge.analysis.compare.options import position
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.scores import compare
from rankgauge.analysis.discriminate import Discrimination, discriminate
from rankgauge.analysis.stability.result import Stability
from rankgauge.analysis.stability.study import stability
from rankgauge.data.judgments import Judgments
from rankgauge.data.run import Run
from rankgauge.errors import AnalysisError
from rankgauge.evaluation.scores import Scores

# Pairs grow with the square of the systems; 435 are enough for a curve.
MOST_SYSTEMS = 30
CURVES = 5
Result = TypeVar("Result")


@dataclass(frozen=True)
class Material:
    """Everything a report may show; what is None is left out."""

    scores: Scores
    comparison: Comparison | None = None
    """None where there is one system, with nothing to compare it with."""
    stability: Stability | None = None
    discrimination: Discrimination | None = None
    variants: Scores | None = None
    """The same runs under other gains and discounts."""
    agreement: Agreement | None = None
    """Between the variants."""
    orders: Agreement | None = None
    """Between the measures asked for."""
    judgments: Judgments | None = None
    runs: Mapping[str, Run] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    confidence: float = 0.95
    seed: int = 7
    left_out: tuple[str, ...] = ()
    """Analyses that these scores do not allow, with the reason."""
    command: str = ""
    title: str = ""


def gather(
    scores: Scores,
    comparison: Comparison | None = None,
    study: Stability | None = None,
    *,
    discrimination: Discrimination | None = None,
    variants: Scores | None = None,
    defined: Scores | None = None,
    judgments: Judgments | None = None,
    runs: Iterable[Run] = (),
    texts: Mapping[str, str] | None = None,
    baseline: str | None = None,
    confidence: float = 0.95,
    seed: int = 7,
    title: str = "",
    command: str = "",
) -> Material:
    """The material of a page; results that are None are computed from the scores, where there are enough of them.

    `defined` are the scores to study the stability of, where some of `scores` stand for undefined values.
    """
    if baseline is not None:
        position(baseline, scores.systems, "baseline")
    systems, several = len(scores.systems), len(scores.queries) > 2
    left_out: list[str] = []

    def tried(name: str, compute: Callable[[], Result]) -> Result | None:
        try:
            return compute()
        except AnalysisError as problem:
            left_out.append(f"{name} is left out: {problem}")
            return None

    if comparison is None and systems > 1:
        comparison = compare(scores, baseline=baseline, confidence=confidence, seed=seed)
    if study is None and several and systems > 1:
        study = tried("stability", lambda: stability(defined or scores, confidence=confidence))
    if discrimination is None and several and systems > 2:
        curves, top = _curves(scores, variants), min(MOST_SYSTEMS, systems)
        discrimination = tried("discriminative power", lambda: discriminate(curves, top=top, seed=seed))
    among_variants = tried("agreement", lambda: agreement(variants)) if variants is not None and systems > 1 else None
    among_asked = tried("agreement", lambda: agreement(scores)) if len(scores.measures) > 1 and systems > 1 else None
    return Material(
        scores,
        comparison,
        stability=study,
        discrimination=discrimination,
        variants=variants,
        agreement=among_variants,
        orders=among_asked,
        judgments=judgments,
        runs={run.name: run for run in runs},
        texts=texts or {},
        confidence=confidence if comparison is None else comparison.confidence,
        seed=seed if comparison is None else comparison.seed,
        left_out=tuple(left_out),
        command=command,
        title=title,
    )


def _curves(scores: Scores, variants: Scores | None) -> Scores:
    """A few measures worth a curve: those asked for, or the variants of a single one."""
    if len(scores.measures) > 1 or variants is None:
        return scores.select(scores.measures[:CURVES])
    return variants.select(variants.measures[:CURVES])
