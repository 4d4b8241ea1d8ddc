"""What a report may show, and how to compute what was not given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rankgauge.analysis.agreement import Agreement, agreement
from rankgauge.analysis.comparison.discrimination import Discrimination
from rankgauge.analysis.comparison.result import Comparison
from rankgauge.analysis.comparison.scores import compare
from rankgauge.analysis.comparison.scores_discriminate import discriminate
from rankgauge.analysis.stability.results import Stability
from rankgauge.analysis.stability.study import stability
from rankgauge.data.judgments import Judgments
from rankgauge.data.run import Run
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.measure import Measure

GAINS = ("linear", "exp")
DISCOUNTS = ("log2", "zipf", "linear", "none", "rbp(0.8)")
# Pairs grow with the square of the systems; 435 are enough for a curve.
MOST_SYSTEMS = 30
CURVES = 5


@dataclass(frozen=True)
class Material:
    """Everything a report may show; what is None is left out, and the page says nothing of it."""

    scores: Scores
    comparison: Comparison
    stability: Stability | None = None
    discrimination: Discrimination | None = None
    variants: Scores | None = None
    """The same runs under other gains and discounts."""
    agreement: Agreement | None = None
    judgments: Judgments | None = None
    runs: Mapping[str, Run] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    title: str = ""


def variants_of(measure: Measure) -> list[Measure]:
    """The measure itself, then under every named gain and discount; empty where it has none."""
    if not {"gain", "discount"} <= set(measure.definition.options):
        return []
    grid = [
        measure(gain=gain, discount=discount)
        for gain in GAINS
        for discount in DISCOUNTS
        if discount != "linear" or measure.cutoff
    ]
    return list(dict.fromkeys([measure, *grid]))


def gather(
    scores: Scores,
    comparison: Comparison | None = None,
    study: Stability | None = None,
    *,
    discrimination: Discrimination | None = None,
    variants: Scores | None = None,
    judgments: Judgments | None = None,
    runs: Iterable[Run] = (),
    texts: Mapping[str, str] | None = None,
    baseline: str | None = None,
    confidence: float = 0.95,
    seed: int = 7,
    title: str = "",
    command: str = "",
) -> Material:
    """The material of a page; results that are None are computed from the scores, where there are enough of them."""
    if comparison is None:
        comparison = compare(scores, baseline=baseline, confidence=confidence, seed=seed)
    several = len(scores.queries) > 2
    if study is None and several:
        study = stability(scores, confidence=confidence)
    if discrimination is None and several and len(scores.systems) > 2:
        discrimination = discriminate(_curves(scores, variants), top=MOST_SYSTEMS, seed=seed)
    return Material(
        scores,
        comparison,
        stability=study,
        discrimination=discrimination,
        variants=variants,
        agreement=agreement(variants) if variants is not None and several else None,
        judgments=judgments,
        runs={run.name: run for run in runs},
        texts=texts or {},
        command=command,
        title=title,
    )


def _curves(scores: Scores, variants: Scores | None) -> Scores:
    """A few measures worth a curve: those asked for, or the variants of a single one."""
    if len(scores.measures) > 1 or variants is None:
        return scores.only(scores.measures[:CURVES])
    return variants.only(variants.measures[:CURVES])
