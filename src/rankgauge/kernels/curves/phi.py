"""Relevance from the scores themselves: phi of Moniz, Torgo and Vinagre, for many queries at once.

A query's phi is 0 up to the median of its scores, 1 from their maximum, and a monotone cubic between them. Where the
maximum lies beyond the upper whisker of the box plot, a knot at the whisker, with value 1 - alpha, splits the cubic.

The scores of all queries lie in one flat array, query after query, as in a pool; `offsets` has one entry more than
there are queries, and query i owns `pool[offsets[i]:offsets[i + 1]]`. Scores are finite, at most 1e300 in size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from rankgauge.arrays import Floats, Ints

Whisker = Literal["fence", "observed"]


@dataclass(frozen=True)
class PhiSettings:
    """How the box plot is read; `positive` fits on scores above 0 only and puts the first knot at 0."""

    quartiles: Quartiles = "linear"
    whisker: Whisker = "fence"
    positive: bool = False
    reach: float = 1.5  # box lengths from the upper quartile to the fence (Tukey)


PAPER = PhiSettings()
AUTHORS = PhiSettings(quartiles="hinges", whisker="observed", positive=True)  # the authors' R program


@dataclass(frozen=True)
class Curves:
    """One phi per query. Without outliers `whisker` is the maximum and `level`, the value there, is 1.

    Where the median is the maximum, phi is a step: 1 there, 0 below. A query whose scores are all equal, or that has
    none to fit on, has an infinite median and maximum: its phi is 0 everywhere.
    """

    first: Floats
    median: Floats
    whisker: Floats
    level: Floats
    maximum: Floats
    # Slopes at the ends of the two cubics, each times the length of its cubic; the slope at the median is 0.
    lower_end: Floats
    upper_start: Floats
    upper_end: Floats


def fit(pool: Floats, offsets: Ints, settings: PhiSettings = PAPER) -> Curves:
    """Phi of every query; scores that fall within each query already are not sorted again."""
    ordered = falling(pool, offsets)
    counts = np.diff(offsets)
    if settings.positive:
        above = np.concatenate(([0], np.cumsum(ordered > 0)))
        counts = above[offsets[1:]] - above[offsets[:-1]]
    box = boxes(ordered, offsets[:-1], counts, settings.quartiles)
    whisker = box.fence(settings.reach)
    if settings.whisker == "observed":
        whisker = observed_whisker(ordered, offsets, whisker)
    first = np.zeros_like(box.minimum) if settings.positive else box.minimum
    span = box.maximum - box.minimum
    level = np.divide(whisker - box.minimum, span, out=np.ones_like(span), where=span > 0)  # 1 - alpha
    # A whisker at the median leaves no room for a cubic; at a level of 1, were it by rounding, there is no outlier.
    used = (whisker > box.median) & (level > 0) & (level < 1)
    flat = first == box.maximum
    median, maximum = np.where(flat, np.inf, box.median), np.where(flat, np.inf, box.maximum)
    return curves(first, median, np.where(used, whisker, maximum), np.where(used, level, 1.0), maximum)


def curves(first: Floats, median: Floats, whisker: Floats, level: Floats, maximum: Floats) -> Curves:
    """Curves through (first, 0), (median, 0), (whisker, level), (maximum, 1) with the slopes of monotone PCHIP.

    The slope at the median stays 0 in the limit where the first two knots are one.
    """
    # Without outliers phi = t²(1 + rho (1 - t)) with rho = (median - first)/(maximum - first); its slope at t = 1:
    rho = np.divide(median - first, maximum - first, out=np.ones_like(first), where=np.isfinite(maximum))
    lower_end, upper_start, upper_end = 2 - rho, np.zeros_like(first), np.zeros_like(first)
    split = np.flatnonzero(level < 1)
    v, height = level[split], maximum[split] - median[split]
    h1, h2 = (whisker[split] - median[split]) / height, (maximum[split] - whisker[split]) / height  # h1 + h2 = 1
    # Fritsch-Carlson: a weighted harmonic mean of the secants v/h1 and (1 - v)/h2.
    middle = 3 / ((1 + h2) * h1 / v + (1 + h1) * h2 / (1 - v))
    lower_end[split], upper_start[split] = middle * h1, middle * h2
    with np.errstate(over="ignore", divide="ignore"):  # a first secant of infinite slope bends the end to 0
        upper_end[split] = np.maximum((1 + h2) * (1 - v) - h2 * h2 * (v / h1), 0.0)
    return Curves(first, median, whisker, level, maximum, lower_end, upper_start, upper_end)


def evaluate(curves: Curves, queries: Ints, values: Floats) -> Floats:
    """Phi of query `queries[i]` at `values[i]`."""
    result = np.empty(len(values))
    for start in range(0, len(values), BLOCK):
        block = slice(start, start + BLOCK)
        result[block] = _evaluate_block(curves, queries[block], values[block])
    return result


def knots(curves: Curves, query: int) -> tuple[tuple[float, float], ...]:
    """Control points of one query: (first, 0), (median, 0), at most one whisker, (maximum, 1).

    The first two coincide where most scores are the minimum, the last two where most are the maximum. A phi that is 0
    everywhere has the first point alone.
    """
    first, median, maximum = float(curves.first[query]), float(curves.median[query]), float(curves.maximum[query])
    if maximum == np.inf:
        return ((first, 0.0),)
    whisker, level = float(curves.whisker[query]), float(curves.level[query])
    between = ((whisker, level),) if level < 1 else ()
    return ((first, 0.0), (median, 0.0), *between, (maximum, 1.0))


def _evaluate_block(curves: Curves, queries: Ints, values: Floats) -> Floats:
    reached = values >= curves.maximum[queries]
    result = reached.astype(np.float64)
    inside = np.flatnonzero((values > curves.median[queries]) & ~reached)
    query, value = queries[inside], values[inside]
    outlying = value > curves.whisker[query]
    result[inside[~outlying]] = _lower(curves, query[~outlying], value[~outlying])
    result[inside[outlying]] = _upper(curves, query[outlying], value[outlying])
    return result


def _lower(curves: Curves, query: Ints, value: Floats) -> Floats:
    # Cubic Hermite from (median, 0) with slope 0 to (whisker, level).
    start, level, end = curves.median[query], curves.level[query], curves.lower_end[query]
    t = (value - start) / (curves.whisker[query] - start)
    return np.minimum(t * t * (3 * level - end + (end - 2 * level) * t), level)


def _upper(curves: Curves, query: Ints, value: Floats) -> Floats:
    # Cubic Hermite from (whisker, level) to (maximum, 1).
    start, level = curves.whisker[query], curves.level[query]
    begin, end, rise = curves.upper_start[query], curves.upper_end[query], 1 - level
    t = (value - start) / (curves.maximum[query] - start)
    bend = 3 * rise - 2 * begin - end + (begin + end - 2 * rise) * t
    return np.clip(level + t * (begin + t * bend), level, 1.0)


Quartiles = Literal["linear", "hinges"]

LARGEST = 1e300  # scores beyond it may lie further apart than a float can say
BLOCK = 1 << 15  # scores worked on at a time: the arrays between two steps then stay in the processor's cache


@dataclass(frozen=True)
class Boxes:
    """Per query; all numbers are 0 where `counts` is 0."""

    counts: Ints
    minimum: Floats
    lower: Floats
    median: Floats
    upper: Floats
    maximum: Floats

    def fence(self, reach: float) -> Floats:
        """Scores above it are outliers."""
        return self.upper + reach * (self.upper - self.lower)


def boxes(ordered: Floats, starts: Ints, counts: Ints, quartiles: Quartiles) -> Boxes:
    """Box plots of the `counts` scores from `starts` on, which fall within each query.

    Quartiles are `linear` (NumPy's default, type 7 of R) or Tukey's `hinges` (`fivenum` and `boxplot.stats` of R).
    """
    padded = np.append(ordered, 0.0)  # so that a last query without scores has a place to look at

    def at(place: Ints) -> Floats:
        return np.where(counts > 0, padded[starts + np.where(counts > 0, place, 0)], 0.0)

    def mean(place: Ints, other: Ints) -> Floats:
        return 0.5 * (at(place) + at(other))

    last = counts - 1
    if quartiles == "hinges":
        near, far = (counts + 3) // 2 // 2 - 1, ((counts + 3) // 2 + 1) // 2 - 1  # places from either end
        lower, upper = mean(last - near, last - far), mean(near, far)
    else:
        low, high = last // 4, 3 * last // 4  # ranks from below, before the fraction
        lower = _between(at(last - low), at(last - np.minimum(low + 1, last)), last / 4 - low)
        upper = _between(at(last - high), at(last - np.minimum(high + 1, last)), 3 * last / 4 - high)
    return Boxes(counts, at(last), lower, mean(last // 2, counts // 2), upper, at(np.zeros_like(counts)))


def observed_whisker(ordered: Floats, offsets: Ints, fence: Floats) -> Floats:
    """The largest score of every query that is not an outlier: where a box plot draws its upper whisker."""
    outlying = np.concatenate(([0], np.cumsum(ordered > np.repeat(fence, np.diff(offsets)))))
    padded = np.append(ordered, 0.0)
    return padded[offsets[:-1] + outlying[offsets[1:]] - outlying[offsets[:-1]]]


def falling(values: Floats, offsets: Ints) -> Floats:
    """The scores of every query from the largest down; returned as they are when they lie so already."""
    rises = values[1:] > values[:-1]
    rises[offsets[(offsets > 0) & (offsets < len(values))] - 1] = False  # from one query to the next
    if not rises.any():
        return values
    result = np.empty_like(values)
    counts = np.diff(offsets)
    # Queries of one length are rows of a matrix, and NumPy sorts rows many times faster than it sorts by two keys.
    for count in np.unique(counts[counts > 0]):
        starts = offsets[:-1][counts == count]
        for some in np.array_split(starts, 1 + len(starts) * count // BLOCK):
            places = some[:, None] + np.arange(count)
            result[places] = np.sort(values[places], axis=1)[:, ::-1]
    return result


def _between(low: Floats, high: Floats, fraction: Floats) -> Floats:
    # From the nearer end, as numpy.quantile does: equal to it to the last bit.
    step = high - low
    return np.where(fraction < 0.5, low + step * fraction, high - step * (1 - fraction))
