"""A judge's scores beside those of people: the same systems and measures, on more queries."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.analysis.compare.evidence import JudgeScores
from rankgauge.analysis.score_table import names_of, position
from rankgauge.arrays import Floats
from rankgauge.errors import AnalysisError, UsageError, plural
from rankgauge.evaluation.scores import Scores
from rankgauge.tables.notes import Note


def refuse_with_judge(test: str | None, interval: str, by: Any) -> None:
    """What has no form for human and machine judgments together."""
    if test not in {None, "t"}:
        raise UsageError(f"the {test} test cannot take a judge; only the t test can\nLeave test out, or judge.")
    if interval != "t":
        raise UsageError(
            f"{interval} intervals cannot take a judge; only t intervals can\nLeave interval out, or judge."
        )
    if by is not None:
        raise UsageError("slices cannot take a judge\nLeave by out, or judge.")


def beside(human: Scores, judge: Scores) -> tuple[Scores, list[JudgeScores]]:
    """The human scores on the queries that the judge has, too, and for every measure the judge's."""
    places = {query: at for at, query in enumerate(judge.queries)}
    common = [query for query in human.queries if query in places]
    if not common:
        raise AnalysisError("the judge has none of the human queries; are their ids written the same way?")
    if len(common) == len(judge.queries):
        raise AnalysisError("every query has human judgments: leave the judge out")
    systems = [position(system, judge.systems, "system of the judge") for system in human.systems]
    part = human if len(common) == len(human.queries) else _cut(human, common)
    on_human = [places[query] for query in common]
    found = []
    for measure in names_of(human):
        values: Floats = np.ascontiguousarray(judge.matrix(measure)[systems])
        found.append(JudgeScores(values[:, on_human], values, len(human.queries) - len(common)))
    return _pointing_to_holes(part), found


def _cut(human: Scores, queries: list[str]) -> Scores:
    from dataclasses import replace

    return replace(human.only(queries), notes=human.notes)


def _pointing_to_holes(human: Scores) -> Scores:
    """People must have judged the first documents of the compared runs; where they have not, `holes` says how far it matters."""
    from dataclasses import replace

    counts = [note.count for note in human.notes if note.kind == "unjudged-documents"]
    if not counts:
        return human
    text = (
        f"people left documents unjudged in {plural(len(counts), 'run')} (up to {max(counts):,} each), which count as not "
        "relevant; `rankgauge holes` shows what they could change"
    )
    return replace(human, notes=(Note("human-holes", text, max(counts)), *human.notes))
