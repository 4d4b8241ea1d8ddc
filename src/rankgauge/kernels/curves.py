"""Curves of measures: a judged value to relevance, relevance to gain, a rank to a weight.

A relevance curve takes judged values, the query of each, and the pool, as it may be fitted to everything that was judged for
the query. A gain takes relevance; a discount takes ranks (from 1) and the cutoff. Arguments of the curve come after these.
`measures.curves` gives them the names that users write.
"""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import numpy as np

from rankgauge.errors import MeasureError
from rankgauge.kernels.hits import Pool, count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from rankgauge.arrays import Flags, Floats, Ints

Quartiles = Literal["linear", "hinges"]
Whisker = Literal["fence", "observed"]

LARGEST = 1e300  # scores beyond it may lie further apart than a float can say
BLOCK = 1 << 15  # scores worked on at a time: the arrays between two steps then stay in the processor's cache


class Bound(NamedTuple):
    """A function of one value with its arguments bound, and the name by which kernels know it."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    reach: int | None = 0
    """From this rank on the curve keeps one direction; None when nobody knows (a user's function)."""

    def __call__(self, *context: Any) -> Any:
        return self.function(*context, *self.arguments)


def identity(value: Floats, query: Ints, pool: Pool) -> Floats:
    """The judged value; negative ones count as 0."""
    # Mostly there is nothing to clip, and then a copy of everything judged would be made for nothing.
    return np.maximum(value, 0) if value.min(initial=0) < 0 else value


def signed(value: Floats, query: Ints, pool: Pool) -> Floats:
    """The judged value, negative ones too; what an ideal of 0 or less then means depends on the name of the curve."""
    return value


def tiers(value: Floats, query: Ints, pool: Pool, *size: float) -> Floats:
    """With sizes 10, 25, 50: 3 for the ten best of a query, 2 for the next 15, 1 for the next 25, else 0.

    Documents tied at a boundary share the mean of the tiers they span: which of them belongs above it, nobody can say.
    """
    out = np.zeros(len(value))
    for within in size:
        threshold, share = pool.once(("tier", within), partial(_boundary, pool, int(within)))
        at = threshold[query]
        out += np.where(value == at, share[query], value > at)
    return out


def split_by_tiers(pool: Pool, *size: float) -> Flags:
    """For every query, whether documents of one value lie on both sides of a boundary."""
    split = np.zeros(pool.queries, np.bool_)
    for within in size:
        split |= _boundary(pool, int(within))[1] < 1
    return split


def _boundary(pool: Pool, within: int) -> tuple[Floats, Floats]:
    """For every query, the value of the last document within the tier, and the share of its equals that are within."""
    inside = np.minimum(within, np.maximum(pool.judged, 1))
    # An empty query has no value to look up.
    threshold = np.append(pool.value, np.inf)[np.minimum(pool.start[:-1] + inside - 1, len(pool.value))]
    at = threshold[pool.query]
    above, equal = (count(pool.query[chosen], pool.queries) for chosen in (pool.value > at, pool.value == at))
    return threshold, np.divide(inside - above, equal, out=np.ones(pool.queries), where=equal > 0)


def knots(value: Floats, query: Ints, pool: Pool, *point: tuple[float, float]) -> Floats:
    """A monotone curve through control points (value, relevance), one scale for all queries."""
    x, v = np.asarray(point, np.float64).T
    return interpolate(x, v, value)


def quantiles(value: Floats, query: Ints, pool: Pool, *point: tuple[float, float]) -> Floats:
    """A monotone curve through control points (quantile of the judged values, relevance), fitted query by query.

    Where two quantiles are the same value, the lower relevance counts, at the maximum the higher one; a query whose
    values are all equal has no relevance, as under phi.
    """
    places, given = np.asarray(point, np.float64).T
    out = np.zeros(len(value))
    order = np.argsort(query, kind="stable")
    edges = np.searchsorted(query[order], np.arange(pool.queries + 1))
    for one in np.flatnonzero((np.diff(edges) > 0) & (pool.judged > 0)):
        rows, judged = order[edges[one] : edges[one + 1]], pool.value[pool.start[one] : pool.start[one + 1]]
        x, first = np.unique(np.quantile(judged, places), return_index=True)
        v = given[first]
        v[-1] = given[-1]
        if len(x) > 1:
            out[rows] = interpolate(x, v, value[rows])
    return out


def phi(value: Floats, query: Ints, pool: Pool, *settings: str | tuple[str, Any]) -> Floats:
    """Relevance from the scores themselves (Moniz, Torgo & Vinagre), fitted on all judged values of the query."""
    fitted: Phi = pool.once(("phi", settings), lambda: Phi.fit(pool.value, pool.start, box_plot(*settings)))
    return fitted(query, value)


def linear(relevance: Floats) -> Floats:
    """The relevance itself: Järvelin & Kekäläinen 2002."""
    return relevance


def exp(relevance: Floats) -> Floats:
    """2 ** relevance - 1: Burges et al. 2005."""
    if np.any(relevance >= 1024):
        raise MeasureError(
            f"gain=exp of relevance {relevance.max():g} is beyond double precision.\n"
            "Use gain=linear, or relevance=phi for raw scores."
        )
    return np.exp2(relevance) - 1


def binary(relevance: Floats, threshold: float | None = None) -> Floats:
    """1 from the threshold on, or above 0."""
    return (relevance > 0 if threshold is None else relevance >= threshold).astype(np.float64)


def power(relevance: Floats, exponent: float) -> Floats:
    """relevance ** exponent."""
    return relevance**exponent


def levels(relevance: Floats, *given: float) -> Floats:
    """The gains of grades 1, 2, …; grade 0 gains nothing."""
    grade = relevance.astype(np.int64)
    if np.any(grade != relevance):
        odd = relevance[grade != relevance][0]
        raise MeasureError(f"gain=levels(…) needs whole grades, but a relevance of {odd:g} was judged.")
    if len(grade) and grade.max() > len(given):
        raise MeasureError(
            f"gain=levels(…) names {len(given)} gains, but grade {grade.max()} was judged.\n"
            f"Give the gains of grades 1 to {grade.max()}."
        )
    return np.concatenate(([0.0], given))[grade]


def table(relevance: Floats, *entry: tuple[float, float]) -> Floats:
    """(grade, gain) pairs; a grade that is not listed gains its own value, as in trec_eval."""
    gain = relevance.astype(np.float64, copy=True)
    for grade, value in entry:
        gain[relevance == grade] = value
    return gain


def log2(rank: Floats, cutoff: int | None) -> Floats:
    """1 / log2(rank + 1): nDCG as practiced."""
    return 1 / np.log2(rank + 1)


def jk(rank: Floats, cutoff: int | None, base: float) -> Floats:
    """1 / max(1, log_base rank): Järvelin & Kekäläinen 2002, no discount before rank `base`."""
    # log2(rank) / log2(base) is exact where rank is a power of a whole base; log(rank) / log(base) is not.
    return 1 / np.maximum(1, np.log2(rank) / np.log2(base))


def zipf(rank: Floats, cutoff: int | None, exponent: float = 1.0, shift: float = 0.0) -> Floats:
    """(rank + shift) ** -exponent: Zipf's law, or with a shift that of Zipf and Mandelbrot."""
    return (rank + shift) ** -exponent


def straight(rank: Floats, cutoff: int | None) -> Floats:
    """(k + 1 - rank) / k for cutoff k: what discount=linear names."""
    if cutoff is None:
        raise MeasureError("discount=linear needs a cutoff, as in nDCG(discount=linear)@10")
    return np.maximum(0, cutoff + 1 - rank) / cutoff


def rbp(rank: Floats, cutoff: int | None, patience: float) -> Floats:
    """patience ** (rank - 1)."""
    return patience ** (rank - 1)


def none(rank: Floats, cutoff: int | None) -> Floats:
    """Every rank counts the same."""
    return np.ones_like(rank)


def weights(rank: Floats, cutoff: int | None, *given: float) -> Floats:
    """The weights as given; 0 beyond the last."""
    known = np.append(np.asarray(given, np.float64), 0.0)
    return known[np.minimum(rank.astype(np.int64), len(known)) - 1]


def steps(rank: Floats, cutoff: int | None, *step: tuple[float, float]) -> Floats:
    """(from rank, weight) pairs; the last weight holds for ever."""
    begins, weight = np.asarray(step, np.float64).T
    return weight[np.searchsorted(begins, rank, "right") - 1]


def fault_of(points: Sequence[tuple[float, float]]) -> str | None:  # noqa: PLR0911 - one for each fault
    """What is wrong with (score, relevance) points as control points of a relevance function, or None."""
    if len(points) < 2:
        return f"{len(points)} control point{'' if len(points) == 1 else 's'}; a function needs two or more"
    for x, v in points:
        if not abs(x) <= LARGEST:
            return f"score {x} is not a finite number up to {LARGEST:g}"
        if not 0 <= v <= 1:
            return f"relevance {v} of score {x:g} is not between 0 and 1"
    for (x, v), (later, value) in pairwise(points):
        if later <= x:
            return f"score {later:g} follows {x:g}; scores must increase"
        if value < v:
            return f"relevance falls from {v:g} at score {x:g} to {value:g} at {later:g}"
        if (value - v) / (later - x) > LARGEST:
            return f"scores {x!r} and {later!r} are too close together"
    return None


def interpolate(x: Floats, v: Floats, values: Floats) -> Floats:
    """The monotone piecewise cubic through control points, x strictly increasing and v non-decreasing, at `values`.

    It has the first point's relevance before it, and the last one's after it.
    """
    slope = slopes(x, v)
    inside = np.clip(values, x[0], x[-1])
    piece = np.clip(np.searchsorted(x, inside, side="right") - 1, 0, len(x) - 2)
    h, low, high = np.diff(x)[piece], v[piece], v[piece + 1]
    t = (inside - x[piece]) / h
    begin, end, rise = slope[piece] * h, slope[piece + 1] * h, high - low
    bend = 3 * rise - 2 * begin - end + (begin + end - 2 * rise) * t
    return np.where(inside == x[-1], v[-1], np.clip(low + t * (begin + t * bend), low, high))


def slopes(x: Floats, v: Floats) -> Floats:
    """Slopes at the control points, after Fritsch & Carlson 1980.

    Inside, a weighted harmonic mean of the two secants, 0 where one of them is level; at the ends, Moler's three-point
    formula, never below 0. Two points give a straight line. Equal to SciPy's PchipInterpolator.
    """
    h = np.diff(x)
    secant = np.diff(v) / h
    if len(x) == 2:
        return np.repeat(secant, 2)
    left, right = 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    result = np.zeros(len(x))
    bent = np.flatnonzero((secant[:-1] > 0) & (secant[1:] > 0))
    total = left[bent] + right[bent]
    with np.errstate(over="ignore"):  # next to an all but level secant the slope is 0
        result[1 + bent] = total / (left[bent] / secant[bent] + right[bent] / secant[1 + bent])
    # Moler also caps the slope at three secants where the next one has another sign; upward secants stay below two.
    for end, near, far in ((0, 0, 1), (-1, -1, -2)):
        result[end] = max(secant[near] + h[near] / (h[near] + h[far]) * (secant[near] - secant[far]), 0.0)
    return result


class BoxPlot(NamedTuple):
    """How phi reads the box plot of a query's scores.

    Quartiles are `linear` (NumPy's default, type 7 of R) or Tukey's `hinges` (`fivenum` and `boxplot.stats` of R).
    The upper whisker ends at the fence, `reach` box lengths above the upper quartile (Tukey), or at the largest score
    `observed` up to there. `positive` fits on scores above 0 only and puts the first knot at 0.
    """

    quartiles: Quartiles = "linear"
    whisker: Whisker = "fence"
    positive: bool = False
    reach: float = 1.5


PAPER = BoxPlot()
AUTHORS = BoxPlot(quartiles="hinges", whisker="observed", positive=True)  # the authors' R program
PRESETS = {"paper": PAPER, "authors": AUTHORS}


def box_plot(*settings: str | tuple[str, Any]) -> BoxPlot:
    """The preset of this name, by default the paper's, with other settings: box_plot("authors", ("reach", 2.0))."""
    preset = next((PRESETS[one] for one in settings if isinstance(one, str)), PAPER)
    return preset._replace(**dict(one for one in settings if not isinstance(one, str)))


class Phi:
    """Phi of Moniz, Torgo and Vinagre, one for each of many queries, through its knots.

    A query's phi is 0 up to the median of its scores, 1 from their maximum, and a monotone cubic between them. Where the
    maximum lies beyond the upper whisker of the box plot, a knot at the whisker, with value `level` = 1 - alpha, splits the
    cubic; without outliers `whisker` is the maximum and `level` is 1.

    Where the median is the maximum, phi is a step: 1 there, 0 below. A query whose scores are all equal, or that has
    none to fit on, has an infinite median and maximum: its phi is 0 everywhere.
    """

    def __init__(self, first: Floats, median: Floats, whisker: Floats, level: Floats, maximum: Floats) -> None:
        """Through (first, 0), (median, 0), (whisker, level), (maximum, 1), with the slopes of monotone PCHIP.

        Slopes are those at the ends of the two cubics, each times the length of its cubic; the slope at the median is 0,
        and stays 0 in the limit where the first two knots are one.
        """
        self.first, self.median, self.whisker, self.level, self.maximum = first, median, whisker, level, maximum
        # Without outliers phi = t²(1 + rho (1 - t)) with rho = (median - first)/(maximum - first); its slope at t = 1:
        rho = np.divide(median - first, maximum - first, out=np.ones_like(first), where=np.isfinite(maximum))
        self.lower_end, self.upper_start, self.upper_end = 2 - rho, np.zeros_like(first), np.zeros_like(first)
        split = np.flatnonzero(level < 1)
        v, height = level[split], maximum[split] - median[split]
        # h1 + h2 = 1
        h1, h2 = (whisker[split] - median[split]) / height, (maximum[split] - whisker[split]) / height
        # Fritsch-Carlson: a weighted harmonic mean of the secants v/h1 and (1 - v)/h2.
        middle = 3 / ((1 + h2) * h1 / v + (1 + h1) * h2 / (1 - v))
        self.lower_end[split], self.upper_start[split] = middle * h1, middle * h2
        with np.errstate(over="ignore", divide="ignore"):  # a first secant of infinite slope bends the end to 0
            self.upper_end[split] = np.maximum((1 + h2) * (1 - v) - h2 * h2 * (v / h1), 0.0)

    @classmethod
    def fit(cls, scores: Floats, start: Ints, box_plot: BoxPlot = PAPER) -> Self:
        """From scores that fall within every query, as in a pool: `scores[start[q]:start[q + 1]]` is query q.

        Scores are finite, at most 1e300 in size.
        """
        counts = np.diff(start)
        if box_plot.positive:
            above = np.concatenate(([0], np.cumsum(scores > 0)))
            counts = above[start[1:]] - above[start[:-1]]
        minimum, lower, middle, upper, maximum = boxes(scores, start[:-1], counts, box_plot.quartiles)
        whisker = upper + box_plot.reach * (upper - lower)  # the fence: scores above it are outliers
        if box_plot.whisker == "observed":
            outlying = np.concatenate(([0], np.cumsum(scores > np.repeat(whisker, np.diff(start)))))
            whisker = np.append(scores, 0.0)[start[:-1] + outlying[start[1:]] - outlying[start[:-1]]]
        first = np.zeros_like(minimum) if box_plot.positive else minimum
        span = maximum - minimum
        level = np.divide(whisker - minimum, span, out=np.ones_like(span), where=span > 0)
        # A whisker at the median leaves no room for a cubic; at a level of 1, were it by rounding, there is no outlier.
        used = (whisker > middle) & (level > 0) & (level < 1)
        flat = first == maximum
        median, maximum = np.where(flat, np.inf, middle), np.where(flat, np.inf, maximum)
        return cls(first, median, np.where(used, whisker, maximum), np.where(used, level, 1.0), maximum)

    def __call__(self, query: Ints, value: Floats) -> Floats:
        """Phi of each query at its value: Hermite's cubics from (median, 0) to (whisker, level), and on to (maximum, 1)."""
        result = np.empty(len(value))
        for at in range(0, len(value), BLOCK):
            q, y, found = (column[at : at + BLOCK] for column in (query, value, result))
            reached = y >= self.maximum[q]
            found[:] = reached
            inside = np.flatnonzero((y > self.median[q]) & ~reached)
            is_outlying = y[inside] > self.whisker[q[inside]]
            rows = inside[~is_outlying]
            of, y_of = q[rows], y[rows]
            start, level, end = self.median[of], self.level[of], self.lower_end[of]
            t = (y_of - start) / (self.whisker[of] - start)
            found[rows] = np.minimum(t * t * (3 * level - end + (end - 2 * level) * t), level)
            rows = inside[is_outlying]
            of, y_of = q[rows], y[rows]
            start, level, begin, end = self.whisker[of], self.level[of], self.upper_start[of], self.upper_end[of]
            t, rise = (y_of - start) / (self.maximum[of] - start), 1 - level
            bend = 3 * rise - 2 * begin - end + (begin + end - 2 * rise) * t
            found[rows] = np.clip(level + t * (begin + t * bend), level, 1.0)
        return result

    def knots(self, query: int) -> tuple[tuple[float, float], ...]:
        """Control points of one query: (first, 0), (median, 0), at most one whisker, (maximum, 1).

        The first two coincide where most scores are the minimum, the last two where most are the maximum. A phi that is
        0 everywhere has the first point alone.
        """
        columns = (self.first, self.median, self.whisker, self.level, self.maximum)
        first, median, whisker, level, maximum = (float(column[query]) for column in columns)
        if maximum == np.inf:
            return ((first, 0.0),)
        between = ((whisker, level),) if level < 1 else ()
        return ((first, 0.0), (median, 0.0), *between, (maximum, 1.0))


def boxes(scores: Floats, starts: Ints, counts: Ints, quartiles: Quartiles) -> tuple[Floats, ...]:
    """Box plots of the `counts` scores from `starts` on, which fall within each query; 0 where there are none.

    Each is minimum, lower quartile, median, upper quartile, maximum.
    """
    padded, last = np.append(scores, 0.0), counts - 1  # a last query without scores has a place to look at

    def at(place: Ints) -> Floats:
        return np.where(counts > 0, padded[starts + np.where(counts > 0, place, 0)], 0.0)

    def mean(place: Ints, other: Ints) -> Floats:
        return 0.5 * (at(place) + at(other))

    def quartile(quarters: int) -> Floats:
        if quartiles == "hinges":
            near, far = (counts + 3) // 2 // 2 - 1, ((counts + 3) // 2 + 1) // 2 - 1  # places from either end
            return mean(last - near, last - far) if quarters == 1 else mean(near, far)
        whole = quarters * last // 4
        rest = quarters * last / 4 - whole
        low, high = at(last - whole), at(last - np.minimum(whole + 1, last))
        step = high - low
        # From the nearer end, as numpy.quantile does: equal to it to the last bit.
        return np.where(rest < 0.5, low + step * rest, high - step * (1 - rest))

    return at(last), quartile(1), mean(last // 2, counts // 2), quartile(3), at(np.zeros_like(counts))
