"""Several collections as a user gives them, for one measure that serves them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rankgauge.analysis.optimize.compromise import Compromise, compromise_of
from rankgauge.analysis.optimize.gains_by_cutoff import cutoffs_of
from rankgauge.analysis.optimize.ranked_grades import Collection, Stages, common_grades, read_collection
from rankgauge.analysis.optimize.search.weighting import Weighting, weighting_of
from rankgauge.errors import UsageError
from rankgauge.measures.measure import Measure


def compromise_from(
    collections: Any,
    measure: str | Measure,
    chosen: dict[str, Any],
    cutoffs: Sequence[int] | None,
    over: str,
    relative: bool,  # noqa: FBT001 - a private helper
    seed: int,
    progress: Stages | None,
) -> Compromise:
    if not isinstance(collections, Mapping) or not all(
        isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in collections.values()
    ):
        raise UsageError("give judgments and runs, or several collections as {name: (judgments, runs)}")
    read: dict[str, Collection] = {
        str(name): read_collection(pair[0], pair[1], measure, **chosen) for name, pair in collections.items()
    }
    if not read:
        raise UsageError("no collection is given; name at least one")
    first = next(iter(read.values())).measure
    wanted = cutoffs_of(first, cutoffs or [int(first.cutoff or 0)])
    shared = common_grades([one.grades for one in read.values()])
    tables = {
        name if cutoffs is None else f"{name}@{cutoff}": grades.cut(cutoff)
        for name, grades in zip(read, shared, strict=True)
        for cutoff in wanted
    }
    deepest = first @ wanted[-1]
    start, spell = weighting_of(deepest, shared[0]), spelling(deepest)
    return compromise_of(tables, start, over=over, relative=relative, seed=seed, spell=spell, progress=progress)


def spelling(measure: Measure) -> Callable[[Weighting], str]:
    return lambda found: str(measure(gain=found.gain_text, discount=found.discount_text))
