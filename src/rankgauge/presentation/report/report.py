"""report(): one self-contained page, from the verdict to how the numbers were computed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import rankgauge
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.wording import Focus, brief
from rankgauge.analysis.discriminate import Discrimination
from rankgauge.analysis.stability.result import Stability
from rankgauge.data.about import Queries, document_titles
from rankgauge.data.policy import Policy
from rankgauge.data.write import write_whole
from rankgauge.errors import UsageError
from rankgauge.evaluation.evaluate import Progress
from rankgauge.measures.measure import Measure
from rankgauge.presentation.charts.queries import query_column, query_texts
from rankgauge.presentation.report.changes import changes_sections, page_data, query_sections
from rankgauge.presentation.report.collect import collect
from rankgauge.presentation.report.leaderboard import (
    explorer_address,
    leaderboard_section,
    means_section,
    summary_of,
    with_explorer,
)
from rankgauge.presentation.report.making import making_section
from rankgauge.presentation.report.material import Material, PageSettings, gather, judged_comparison
from rankgauge.presentation.report.measure_choice import discrimination_sections, measure_choice_sections
from rankgauge.presentation.report.page import Section, page_bytes
from rankgauge.presentation.report.trust import health_section, judgment_sections, stability_sections
from rankgauge.presentation.report.verdict import VerdictBox, lone_box, verdict_box


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
    documents: Mapping[str, str] | str | os.PathLike[str] | None = None,
    by: str | None = None,
    equivalence: float | None = None,
) -> Path:
    """Write one self-contained HTML page and return its path; the file is written whole or not at all."""
    data = collect(scores, runs, measures, judgments=judgments, policy=policy, like=like, only=only, progress=progress)
    settings = PageSettings(
        baseline=baseline,
        confidence=confidence,
        seed=seed,
        title=title,
        texts=query_texts(queries),
        command=command,
        explorer=explorer_address(explorer, Path(path)),
        documents=document_titles(documents) or {},
        equivalence=equivalence,
        slices=None if by is None else (by, query_column(queries, by)),
        folder=Path(path).absolute().parent,
    )
    if comparison is not None and not comparison.parts[0].pairs:
        comparison = None  # one system, of which the page has a form of its own
    if judge is not None:
        if comparison is not None:
            raise UsageError("the comparison is given already; compare with judge=… instead")
        comparison = judged_comparison(data, settings, judge)
    write_whole(Path(path), report_bytes(gather(data, settings, comparison, stability, discrimination)))
    return Path(path)


def report_bytes(material: Material) -> bytes:
    """Render the page; the same material gives the same bytes."""
    focus = None if material.comparison is None else Focus.of(material.comparison, about_top=material.about_top)
    title, verdict, sections = _alone(material) if focus is None else _compared(material, focus)
    # What changed, can I trust it, are the queries enough, does the choice of measure matter, how was it made.
    sections += [
        *([] if focus is None else judgment_sections(material, focus)),
        health_section(material),
        *stability_sections(material),
        *measure_choice_sections(material, focus),
        *discrimination_sections(material),
        making_section(material),
    ]
    footer = f"rankgauge {rankgauge.__version__}. Self-contained; no network access."
    data = page_data(material, focus)
    return page_bytes(material.settings.title or title, verdict, sections, data, footer)


def _compared(material: Material, focus: Focus) -> tuple[str, VerdictBox, list[Section]]:
    count, measure = len(focus.found.systems), focus.found.measure
    title = f"{count} systems on {measure}" if count > 2 else f"{brief(focus.first)} versus {brief(focus.second)}"
    board = leaderboard_section(focus, material.scores.notes, material.judged)
    sections = [
        with_explorer(board, material.settings.explorer, focus.first, focus.second),
        *changes_sections(material, focus),
    ]
    return title, verdict_box(focus), sections


def _alone(material: Material) -> tuple[str, VerdictBox, list[Section]]:
    system = summary_of(material)
    measure = str(material.scores.measures[0])
    box = lone_box(system, measure, material.settings.confidence, material.scores.notes, material.scores.about.noun)
    return f"{brief(system.name)} on {measure}", box, [means_section(material), *query_sections(material)]
