"""report(): one self-contained page, from the verdict to how the numbers were computed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import rankgauge
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.discriminate import Discrimination
from rankgauge.analysis.stability.result import Stability
from rankgauge.data.policy import Policy
from rankgauge.data.queries import Queries
from rankgauge.data.write import write_whole
from rankgauge.errors import UsageError
from rankgauge.evaluation.evaluate import Progress
from rankgauge.measures.measure import Measure
from rankgauge.presentation.charts.changes import query_texts
from rankgauge.presentation.charts.style import expect
from rankgauge.presentation.report.changes import changes_sections
from rankgauge.presentation.report.explorer import explorer_address, with_explorer
from rankgauge.presentation.report.health import health_section
from rankgauge.presentation.report.holes import judged_comparison, trust_sections
from rankgauge.presentation.report.leaderboard import leaderboard_section
from rankgauge.presentation.report.lone import lone_sections, summary_of
from rankgauge.presentation.report.making import making_section
from rankgauge.presentation.report.material import Material, PageSettings, collect, gather
from rankgauge.presentation.report.measure_choice import measure_choice_sections
from rankgauge.presentation.report.page import Section, page_bytes
from rankgauge.presentation.report.stability import discrimination_sections, stability_sections
from rankgauge.presentation.report.verdict import WORTH_FINDING, brief, challenger_of, lone_lines, verdict_lines


def report(
    path: str | os.PathLike[str],
    scores: Any,
    runs: Any = None,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    comparison: Comparison | None = None,
    stability: Stability | None = None,
    discrimination: Discrimination | None = None,
    judgments: Any = None,
    judge: Any = None,
    queries: Queries | Mapping[str, str] | str | os.PathLike[str] | None = None,
    baseline: str | None = None,
    confidence: float = 0.95,
    seed: int = 7,
    title: str = "",
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
    command: str = "",
    explorer: str | os.PathLike[str] | None = None,
) -> Path:
    """Write one self-contained HTML page and return its path; the file is written whole or not at all.

    The data are judgments, runs and measures as `evaluate` takes them, or scores as `compare` takes them. Scores may
    come with `judgments=` and `runs=`, which add the rankings side by side and the effect of other gains and discounts.
    `queries` adds query texts: Queries, a file, or a mapping of query to text. Analyses that are not given are
    computed. `judge`, where people judged few of many queries, is as in `compare`. `command` is shown on the page as the
    command that wrote it. `explorer` is a page written by `explore`, to which the leaderboard links.
    """
    expect(comparison, Comparison, "rankgauge.compare", optional=True)
    expect(stability, Stability, "rankgauge.stability", optional=True)
    expect(discrimination, Discrimination, "rankgauge.discriminate", optional=True)
    if not isinstance(path, (str, os.PathLike)):
        raise UsageError(f"the page needs a path to write to, not {type(path).__name__}")
    data = collect(scores, runs, measures, judgments=judgments, policy=policy, like=like, only=only, progress=progress)
    linked = explorer_address(explorer, Path(path))
    settings = PageSettings(baseline, confidence, seed, title, query_texts(queries), command, linked)
    if judge is not None:
        if comparison is not None:
            raise UsageError("the comparison is given already; compare with judge=… instead")
        comparison = judged_comparison(data, settings, judge)
    write_whole(Path(path), report_bytes(gather(data, settings, comparison, stability, discrimination)))
    return Path(path)


def report_bytes(material: Material) -> bytes:
    """Render the page; the same material gives the same bytes."""
    title, verdict, sections = (
        _alone(material) if material.comparison is None else _compared(material, material.comparison)
    )
    sections += [
        *measure_choice_sections(material),
        *stability_sections(material),
        *discrimination_sections(material),
        health_section(material),
        making_section(material),
    ]
    footer = f"rankgauge {rankgauge.__version__}. Self-contained; no network access."
    return page_bytes(material.settings.title or title, verdict, sections, footer)


def _compared(material: Material, comparison: Comparison) -> tuple[str, list[str], list[Section]]:
    found = comparison.parts[0]
    baseline = comparison.baseline or found.systems[0].name
    challenger = challenger_of(found, baseline)
    count = len(found.systems)
    title = f"{count} systems on {found.measure}" if count > 2 else f"{brief(challenger)} versus {brief(baseline)}"
    lead = material.scores.measures[0]
    has_scale = lead.definition.range == (0.0, 1.0)
    lines = verdict_lines(comparison, baseline, challenger, WORTH_FINDING if has_scale else None)
    sections = [
        with_explorer(
            leaderboard_section(comparison, found, baseline), material.settings.explorer, challenger, baseline
        ),
        *trust_sections(material, found, baseline, challenger),
        *changes_sections(material, found, baseline, challenger),
    ]
    return title, lines, sections


def _alone(material: Material) -> tuple[str, list[str], list[Section]]:
    system = summary_of(material)
    measure = str(material.scores.measures[0])
    lines = lone_lines(system, measure, material.settings.confidence)
    return f"{brief(system.name)} on {measure}", lines, lone_sections(material)
