"""Bounds of every pair's difference, query by query, over all grades that unjudged documents may get."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rankgauge.analysis.compare.statistics.corrections import t_quantile
from rankgauge.analysis.judging.tops import Top, Weighing
from rankgauge.arrays import Floats, Ints
from rankgauge.evaluation.intervals import mean_interval
from rankgauge.kernels.bounds import (
    CELLS,
    Ideal,
    highest_lower_limits,
    linear_bounds,
    lowest_limits,
    ndcg_bounds,
    ndcg_bounds_open,
)
from rankgauge.kernels.resampling import Progress

Sides = tuple[Floats, Floats]
"""Pairs × queries: the lowest and the highest difference."""


class Limits(NamedTuple):
    """Per pair: its t interval as it is, and the ends that it could have."""

    low: Floats
    high: Floats
    lowest: Floats
    highest: Floats
    can_be_better: Floats
    """The highest lower end; the pair cannot be found better if it is not above 0."""
    can_be_worse: Floats
    """The lowest upper end."""


def sharp_bounds(
    tops: Sequence[Top], weighing: Weighing, pairs: Ints, longest: int, *, is_open: bool, progress: Progress | None
) -> Sides:
    """Bounds that some labelling attains; `is_open` lets documents that no run returned be relevant, too."""
    low, high = np.zeros((len(pairs), len(tops))), np.zeros((len(pairs), len(tops)))
    for at, top in enumerate(tops):
        batch = max(1, CELLS // max(len(top.documents), 1))
        for start in range(0, len(pairs), batch):
            part = slice(start, start + batch)
            low[part, at], high[part, at] = _of_query(top, weighing, pairs[part], longest, is_open=is_open)
        if progress is not None:
            progress(at + 1, len(tops))
    return low, high


def _of_query(top: Top, weighing: Weighing, pairs: Ints, longest: int, *, is_open: bool) -> Sides:
    """`longest` is the last place of an ideal list that may be filled."""
    first, second = pairs.T
    shift = top.weight[first] - top.weight[second]
    is_hole = top.is_hole
    known = shift[:, ~is_hole] @ weighing.gain(top.value[~is_hole])
    if not weighing.has_ideal:
        return linear_bounds(known, shift[:, is_hole], weighing.top)
    bounds = ndcg_bounds_open if is_open else ndcg_bounds
    reach = np.concatenate(([0.0], np.cumsum(weighing.weights(longest))))
    return bounds(known, shift[:, is_hole], Ideal(weighing.steps, weighing.judged_at(top.judged), reach))


def limits_of(differences: Floats, sides: Sides, confidence: float) -> Limits:
    """What the t interval of each pair can become; nan columns are queries that a pair has not got."""
    now = mean_interval(differences, confidence=confidence)
    ends = np.full((4, len(differences)), np.nan)
    # Pairs that share their queries are worked on together; mostly all do.
    patterns, group = np.unique(np.isnan(differences), axis=0, return_inverse=True)
    for number, absent in enumerate(patterns):
        rows = np.flatnonzero(group.ravel() == number)
        count = int(np.count_nonzero(~absent))
        if count < 2:
            continue
        scale = float(t_quantile(np.array(count), 1.0 - confidence)) / np.sqrt(count)
        batch = max(1, CELLS // count)
        for start in range(0, len(rows), batch):
            some = rows[start : start + batch]
            low, high = (side[some][:, ~absent] for side in sides)
            ends[0, some], ends[1, some] = lowest_limits(low, high, scale), -lowest_limits(-high, -low, scale)
            ends[2, some] = highest_lower_limits(low, high, scale)
            ends[3, some] = -highest_lower_limits(-high, -low, scale)
    # The labels as they are belong to those that are possible; rounding must not say otherwise.
    lowest, highest = np.minimum(ends[0], now.low), np.maximum(ends[1], now.high)
    return Limits(now.low, now.high, lowest, highest, np.maximum(ends[2], now.low), np.minimum(ends[3], now.high))
