"""The five numbers of a box plot, for many queries at once.

The scores of all queries lie in one flat array, query after query; `offsets` has one entry more than there are queries,
and query i owns `values[offsets[i]:offsets[i + 1]]`.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from rankgauge.frozen import dataclass

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Quartiles = Literal["linear", "hinges"]

LARGEST = 1e300  # scores beyond it may lie further apart than a float can say
BLOCK = 1 << 15  # scores worked on at a time: the arrays between two steps then stay in the processor's cache
REACH = 1.5  # box lengths from the upper quartile to the fence (Tukey)


@dataclass(frozen=True)
class Boxes:
    """Per query; all numbers are 0 where `counts` is 0."""

    counts: Whole
    minimum: Floats
    lower: Floats
    median: Floats
    upper: Floats
    maximum: Floats

    def fence(self) -> Floats:
        """Scores above it are outliers."""
        return self.upper + REACH * (self.upper - self.lower)


def boxes(ordered: Floats, starts: Whole, counts: Whole, quartiles: Quartiles) -> Boxes:
    """Box plots of the `counts` scores from `starts` on, which fall within each query.

    Quartiles are `linear` (NumPy's default, type 7 of R) or Tukey's `hinges` (`fivenum` and `boxplot.stats` of R).
    """
    padded = np.append(ordered, 0.0)  # so that a last query without scores has a place to look at

    def at(place: Whole) -> Floats:
        return np.where(counts > 0, padded[starts + np.where(counts > 0, place, 0)], 0.0)

    def mean(place: Whole, other: Whole) -> Floats:
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


def observed_whisker(ordered: Floats, offsets: Whole, fence: Floats) -> Floats:
    """The largest score of every query that is no outlier: where a box plot draws its upper whisker."""
    outlying = np.concatenate(([0], np.cumsum(ordered > np.repeat(fence, np.diff(offsets)))))
    padded = np.append(ordered, 0.0)
    return padded[offsets[:-1] + outlying[offsets[1:]] - outlying[offsets[:-1]]]


def falling(values: Floats, offsets: Whole) -> Floats:
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
