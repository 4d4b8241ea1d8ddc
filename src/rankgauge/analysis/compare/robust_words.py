"""The word of `robust` beside each verdict: significant is about other queries, robust about other measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.analysis.robust.robust import robust
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

NOT_COVERED = "not covered"


def with_robust_words(
    found: Comparison, judgments: Any, runs: Any, policy: Policy | None, like: str | None
) -> Comparison:
    """The same comparison; each pair says whether every gain and discount agrees, and a note counts both questions."""
    parts, notes = [], []
    for part, measure in zip(found.parts, found.scores.measures, strict=True):
        words = _words(judgments, runs, measure, policy, like, found.scores.queries)
        if isinstance(words, str):
            notes.append(Note("not-covered", f"{part.measure}: no robust verdict: {words}", measure=part.measure))
            words = {}
        pairs = tuple(
            replace(pair, robust=words.get(frozenset((pair.system, pair.baseline)), NOT_COVERED)) for pair in part.pairs
        )
        parts.append(replace(part, pairs=pairs))
        if words:
            notes.append(_counted(parts[-1]))
    return replace(found, parts=tuple(parts), notes=(*notes, *found.notes))


def _words(
    judgments: Any, runs: Any, measure: Measure, policy: Policy | None, like: str | None, only: Sequence[str]
) -> dict[frozenset[str], str] | str:
    try:
        found = robust(judgments, runs, measure, all_pairs=True, samples=0, policy=policy, like=like, only=only)
    except (AnalysisError, UsageError) as problem:
        return str(problem).splitlines()[0]
    return {frozenset((pair.system, pair.baseline)): pair.verdict for pair in found.pairs}


def _counted(part: MeasureComparison) -> Note:
    cells = [(pair.robust == "robust", pair.verdict in {"better", "worse"}) for pair in part.pairs]
    both, one, other, none = (
        cells.count(cell) for cell in ((True, True), (True, False), (False, True), (False, False))
    )
    text = f"robust and significant: {both:,}; only robust: {one:,}; only significant: {other:,}; neither: {none:,}"
    return Note("robust-and-significant", f"{part.measure}: {text}", len(cells), measure=part.measure)
