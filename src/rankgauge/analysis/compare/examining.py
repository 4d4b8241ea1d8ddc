"""The evidence of all tables that are judged together, of several at a time where each has many queries."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.analysis.compare.evidence import Evidence, JudgeScores, examine, shared
from rankgauge.analysis.compare.options import Design, Draws
from rankgauge.analysis.compare.simultaneous import Scored
from rankgauge.kernels.resampling import Progress

_MANY, _THREADS = 1 << 16, 2
"""From so many queries on, sums over them are worth a thread; each needs memory of its own."""


def examine_all(
    matrices: Sequence[Scored],
    design: Design,
    *,
    tables: int,
    draws: Draws | None,
    progress: Progress | None,
    judge: Sequence[JudgeScores] | None,
) -> list[Evidence]:
    """One for each matrix, in their order; NumPy leaves Python's lock alone while it adds up."""

    def one(at: int) -> Evidence:
        values, measure, weights = matrices[at]
        told = None if in_threads else shared(progress, at, len(matrices))
        of_judge = judge[at] if judge else None
        return examine(
            values, measure, design, tables=tables, draws=draws, weights=weights, progress=told, judge=of_judge
        )

    # What is sampled reports its own progress, and takes its own blocks of memory.
    sampled = draws is not None or design.interval == "bootstrap"
    in_threads = not sampled and len(matrices) > 1 and min(values.shape[1] for values, *_ in matrices) >= _MANY
    if not in_threads:
        return [one(at) for at in range(len(matrices))]
    from concurrent.futures import ThreadPoolExecutor

    found = []
    with ThreadPoolExecutor(_THREADS) as pool:
        for evidence in pool.map(one, range(len(matrices))):
            found.append(evidence)
            if progress is not None:
                progress(len(found), len(matrices))
    return found
