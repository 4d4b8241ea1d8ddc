"""report(): one page that settles the discussion, from verdict to how the numbers were made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import rankgauge
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.discriminate import Discrimination
from rankgauge.analysis.stability.result import Stability
from rankgauge.data.judgments import Judgments
from rankgauge.data.run import Run
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation.report import foot, lone, sections, trust
from rankgauge.presentation.report.material import Material, gather
from rankgauge.presentation.report.measure_grid import evaluate_variants
from rankgauge.presentation.report.page import Section, page_bytes
from rankgauge.presentation.report.verdict import WORTH_FINDING, brief, challenger_of, lone_lines, verdict_lines


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

    What is not given is computed. `judgments` and `runs` add the lists side by side and, as `variants`, the same runs
    under other gains and discounts; `texts` (query → text) the words of the queries. One system makes a page of its own.
    """
    runs = tuple(runs)
    if variants is None and judgments is not None and {run.name for run in runs} >= set(scores.systems):
        variants = _variants(scores, judgments, runs)
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


def _variants(scores: Scores, judgments: Judgments, runs: tuple[Run, ...]) -> Scores | None:
    named = {run.name: run for run in runs}
    listed = [named[system] for system in scores.systems]
    return evaluate_variants(judgments, listed, scores.measures[:1], scores.policy, only=scores.queries)[1]


def report_bytes(material: Material) -> bytes:
    """The page as bytes: the same material gives the same bytes."""
    title, verdict, parts = (
        _alone(material) if material.comparison is None else _compared(material, material.comparison)
    )
    parts += [
        *trust.variants(material),
        *trust.stability(material),
        *trust.discrimination(material),
        foot.health(material),
        foot.making(material),
    ]
    footer = f"rankgauge {rankgauge.__version__}. One file, no network."
    return page_bytes(material.title or title, verdict, parts, footer)


def _compared(material: Material, comparison: Comparison) -> tuple[str, list[str], list[Section]]:
    found = comparison.parts[0]
    baseline = comparison.baseline or found.systems[0].name
    challenger = challenger_of(found, baseline)
    count = len(found.systems)
    title = f"{count} systems on {found.measure}" if count > 2 else f"{brief(challenger)} versus {brief(baseline)}"
    worth = WORTH_FINDING if material.scores.measures[0].definition.range == (0.0, 1.0) else None
    parts = [
        sections.leaderboard(comparison, found, baseline),
        *sections.changes(material, found, baseline, challenger),
    ]
    return title, verdict_lines(comparison, baseline, challenger, worth), parts


def _alone(material: Material) -> tuple[str, list[str], list[Section]]:
    system = lone.summary_of(material)
    measure = str(material.scores.measures[0])
    parts = [lone.means(material), *lone.queries(material)]
    return f"{brief(system.name)} on {measure}", lone_lines(system, measure, material.confidence), parts
