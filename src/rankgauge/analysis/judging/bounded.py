"""Bounds of every pair's difference, query by query, over all grades that unjudged documents may get."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.judging.tops import Top, Weighing
from rankgauge.arrays import Floats, Ints
from rankgauge.evaluation.intervals import mean_interval
from rankgauge.kernels.pair_bounds import (
    CELLS,
    Ideal,
    highest_lower_limits,
    linear_bounds,
    lowest_limits,
    ndcg_bounds,
    ndcg_bounds_open,
)
from rankgauge.kernels.resampling import Progress


@dataclass(frozen=True)
class Bounded:
    """Pairs × queries: the lowest and the highest difference; per pair, how many holes its two runs have."""

    low: Floats
    high: Floats
    holes: Ints


@dataclass(frozen=True)
class Limits:
    """Per pair: its t interval as it is, and the ends that it could have."""

    low: Floats
    high: Floats
    lowest: Floats
    highest: Floats
    can_be_better: Floats
    """The highest lower end; the pair cannot be found better if it is not above 0."""
    can_be_worse: Floats
    """The lowest upper end."""


def ideal_of(top: Top, weighing: Weighing, longest: int) -> Ideal:
    """The ideal list of a query with its judged documents; `longest` is the last place that may be filled."""
    reach = np.concatenate(([0.0], np.cumsum(weighing.weights(longest))))
    return Ideal(weighing.steps, weighing.judged_at(top.judged), reach)


def sharp_bounds(
    tops: Sequence[Top],
    weighing: Weighing,
    pairs: Ints,
    longest: int,
    *,
    is_open: bool = False,
    progress: Progress | None = None,
) -> Bounded:
    """Bounds that some labelling attains; `is_open` lets documents that no run returned be relevant, too."""
    low, high = np.zeros((len(pairs), len(tops))), np.zeros((len(pairs), len(tops)))
    holes = np.zeros(len(pairs), np.int64)
    for at, top in enumerate(tops):
        batch = max(1, CELLS // max(len(top.documents), 1))
        for start in range(0, len(pairs), batch):
            part = slice(start, start + batch)
            low[part, at], high[part, at] = _of_query(top, weighing, pairs[part], longest, is_open=is_open)
            first, second = pairs[part].T
            holes[part] += np.count_nonzero((top.has[first] | top.has[second])[:, top.is_hole], axis=1)
        if progress is not None:
            progress(at + 1, len(tops))
    return Bounded(low, high, holes)


def _of_query(top: Top, weighing: Weighing, pairs: Ints, longest: int, *, is_open: bool) -> tuple[Floats, Floats]:
    first, second = pairs.T
    shift = top.weight[first] - top.weight[second]
    is_hole = top.is_hole
    known = shift[:, ~is_hole] @ weighing.gain(top.value[~is_hole])
    if not weighing.has_ideal:
        return linear_bounds(known, shift[:, is_hole], weighing.top)
    bounds = ndcg_bounds_open if is_open else ndcg_bounds
    return bounds(known, shift[:, is_hole], ideal_of(top, weighing, longest))


def limits_of(differences: Floats, bounded: Bounded, confidence: float) -> Limits:
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
        scale = _quantile(confidence, count) / np.sqrt(count)
        batch = max(1, CELLS // count)
        for start in range(0, len(rows), batch):
            some = rows[start : start + batch]
            low, high = bounded.low[some][:, ~absent], bounded.high[some][:, ~absent]
            ends[0, some], ends[1, some] = lowest_limits(low, high, scale), -lowest_limits(-high, -low, scale)
            ends[2, some] = highest_lower_limits(low, high, scale)
            ends[3, some] = -highest_lower_limits(-high, -low, scale)
    # The labels as they are belong to those that are possible; rounding must not say otherwise.
    lowest, highest = np.minimum(ends[0], now.low), np.maximum(ends[1], now.high)
    return Limits(now.low, now.high, lowest, highest, np.maximum(ends[2], now.low), np.minimum(ends[3], now.high))


def _quantile(confidence: float, count: int) -> float:
    from scipy.special import stdtrit

    return -float(stdtrit(count - 1, (1.0 - confidence) / 2.0))
