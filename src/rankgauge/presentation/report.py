"""report(): one page that settles the discussion, from verdict to how the numbers were made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import rankgauge
from rankgauge.analysis.comparison.discrimination import Discrimination
from rankgauge.analysis.comparison.result import Comparison
from rankgauge.analysis.stability.results import Stability
from rankgauge.data.judgments import Judgments
from rankgauge.data.run import Run
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation import sections
from rankgauge.presentation.material import Material, gather
from rankgauge.presentation.page import page_bytes
from rankgauge.presentation.verdict import brief, challenger_of, verdict_lines


def report(
    path: str | Path,
    scores: Scores,
    comparison: Comparison | None = None,
    stability: Stability | None = None,
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
) -> Path:
    """Write one self-contained page about the scores, and give back its path.

    What is not given is computed. `judgments` and `runs` add the lists side by side, `texts` (query → text) the words
    of the queries, `variants` (the same runs under other gains and discounts) whether the measure changes the order.
    """
    material = gather(
        scores,
        comparison,
        stability,
        discrimination=discrimination,
        variants=variants,
        judgments=judgments,
        runs=runs,
        texts=texts,
        baseline=baseline,
        confidence=confidence,
        seed=seed,
        title=title,
    )
    target = Path(path)
    target.write_bytes(report_bytes(material))
    return target


def report_bytes(material: Material) -> bytes:
    """The page as bytes: the same material gives the same bytes."""
    found = material.comparison.measures[0]
    baseline = material.comparison.baseline or found.systems[0].name
    challenger = challenger_of(found, baseline)
    parts = [
        sections.leaderboard(material, found, baseline),
        *sections.changes(material, found, baseline, challenger),
        *sections.variants(material),
        *sections.stability(material),
        *sections.discrimination(material),
        sections.health(material),
        sections.making(material),
    ]
    many = len(found.systems) > 2
    title = (
        f"{len(found.systems)} systems on {found.measure}" if many else f"{brief(challenger)} versus {brief(baseline)}"
    )
    footer = f"rankgauge {rankgauge.__version__}. One file, no network."
    return page_bytes(material.title or title, verdict_lines(material.comparison, baseline, challenger), parts, footer)
