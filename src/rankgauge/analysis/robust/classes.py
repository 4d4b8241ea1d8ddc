"""Queries that can be added up, and boxes, which are parts of the family, with the amounts at their corners.

Two queries with the same attainable amounts have the same denominator under every gain and discount, so that the sum of
their numerators stands for both. Most collections have few such classes at a small cutoff: every query with ten or more
relevant documents is like every other @10. Fewer ratios make a sharper bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from rankgauge.analysis.robust.bound import MARGIN
from rankgauge.analysis.robust.counts import Counts
from rankgauge.arrays import Floats, Ints

_LARGEST = 100_000
_SMALL = 0.125
_REST = 1e-3
"""Corners without a share count a little: cutting elsewhere may give them one."""


class Factors(NamedTuple):
    """Factors of the cutoffs and of the grade thresholds."""

    cutoff: Floats
    grade: Floats

    @property
    def both(self) -> Floats:
        """[cutoffs, thresholds]"""
        return np.asarray(np.outer(self.cutoff, self.grade))


@dataclass(frozen=True, eq=False)
class Classes:
    """Amounts by class of queries: `found` [systems, classes, cutoffs, thresholds], `best` [classes, cutoffs, thresholds].

    `tops` is the number of grades that a class has. A difference of means is the sum over classes of found/best, over
    `unit`, which is the weight of all queries, and larger for sums that may exceed 1.
    """

    found: Floats
    best: Floats
    tops: Ints
    unit: float
    is_whole: bool
    _alone: dict[int, Factors] = field(default_factory=dict)

    @cached_property
    def scales(self) -> tuple[Factors, ...]:
        """Factors of the corners. No difference depends on them, but the bound does.

        The first evens out what can be found at each cutoff and threshold; the second at each cutoff alone, which
        keeps the thresholds of one cutoff alike where one document each can be found.
        """
        fitted = _fitted(self.best)
        flat = fitted._replace(grade=np.ones(self.grades))
        return (flat,) if 1 in self.best.shape[1:] else (fitted, flat)

    def scale_for(self, one: int) -> Factors:
        """Factors that make the denominator of one class as even as can be: of use where this class decides."""
        if one not in self._alone:
            self._alone[one] = _fitted(self.best[one : one + 1])
        return self._alone[one]

    def corners(self, scale: Factors) -> tuple[Floats, Floats]:
        """`found` and `best` at every cutoff and every corner of the gains: [..., classes, cutoffs, corners]."""
        found, best = (np.matmul(amounts * scale.both, self.gains) for amounts in (self.found, self.best))
        return np.asarray(found) / self.unit, np.asarray(best)

    @cached_property
    def gains(self) -> Floats:
        """The steps of the gain at every corner of the family, for every class: [classes, grades, corners]."""
        points, tops = list(product((0.0, 1.0), repeat=self.grades - 1)), self.tops.tolist()
        by_top = {top: np.array([chain(point, top) for point in points], np.float64).T for top in set(tops)}
        return np.stack([by_top[top] for top in tops])

    @property
    def grades(self) -> int:
        return int(self.best.shape[2])


def merged(counts: Counts) -> Classes:
    """Queries with the same attainable amounts as one."""
    weight = counts.weight
    rows = counts.best.reshape(len(counts.best), -1)
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    which = which.ravel()
    systems, queries, *shape = counts.found.shape
    members = np.zeros((len(first), queries))
    members[which, np.arange(queries)] = weight
    found = (members @ counts.found.reshape(systems, queries, -1)).reshape(systems, len(first), *shape)
    best = counts.best[first]
    tops = (best[:, 0, :] > 0).sum(axis=1)
    peak = float(np.max(found / np.where(best > 0, best, np.inf), initial=0.0)) / max(float(weight.sum()), 1e-300)
    return Classes(found, best, tops, float(weight.sum()) * max(1.0, peak), counts.is_whole)


class Point(NamedTuple):
    """A gain and a discount: steps of the discount, and shares and scale of the steps of the gain."""

    alpha: Floats
    shares: tuple[float, ...]
    grade: Floats

    def weights(self) -> Floats:
        """The discount, 1 at the first rank."""
        weights = np.cumsum(self.alpha[::-1])[::-1]
        return np.asarray(weights / weights[0])

    def gains(self, faint: float) -> Floats:
        """The gain, 1 for the highest grade; every step is above 0, if only by the share `faint`."""
        shares = [min(max(share, faint), 1 - faint) for share in self.shares]
        gains = np.cumsum(np.array(chain(shares, len(self.grade)), np.float64) * self.grade)
        return np.asarray(gains / gains[-1])


def chain(steps: Sequence[Any], top: int) -> list[Any]:
    """The steps of the gain as a class with `top` grades sees them: the highest takes its share first.

    `steps` are shares from 0 to 1 of the grades from the second on. A class without the highest grades never sees
    their shares, so that its ratio is defined at every corner; one simplex for all classes would give 0/0 there.
    """
    beta = [0 * rest for rest in steps] + [0]
    rest = 1
    for grade in range(top, 1, -1):
        beta[grade - 1] = rest * steps[grade - 2]
        rest = rest * (1 - steps[grade - 2])
    beta[0] = rest
    return beta


def _fitted(best: Floats) -> Factors:
    """One over the attainable amounts, as near as a factor for each cutoff and one for each threshold come."""
    there = best > 0
    logs = np.where(there, np.log(np.where(there, best, 1.0)), 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    known = there.any(axis=0)
    by_cutoff = logs.sum(axis=1) / np.maximum(known.sum(axis=1), 1)
    by_grade = (logs - np.where(known, by_cutoff[:, None], 0.0)).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return Factors(_neat(np.exp(-by_cutoff)), _neat(np.exp(-by_grade)))


def _neat(factors: Floats) -> Floats:
    """Factors such as 1/18 as the double nearest to them, so that `fraction` finds them again."""
    near = [float(Fraction(factor).limit_denominator(_LARGEST)) for factor in factors.tolist()]
    return np.where(np.isclose(factors, near, rtol=1e-12, atol=0), near, factors)


@lru_cache(1000)
def fraction(factor: float) -> Fraction:
    """The simple fraction behind a double, if there is one; else the double itself."""
    simple = Fraction(factor).limit_denominator(_LARGEST)
    return simple if float(simple) == factor else Fraction(factor)


@dataclass(frozen=True, eq=False)
class Box:
    """`alpha` has the corners of the simplex as rows; `p` and `q` are [classes, rows of alpha, 2, 2, …], an axis per step."""

    alpha: Floats
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    tops: Ints
    p: Floats
    q: Floats

    @property
    def flat(self) -> tuple[Floats, Floats]:
        """p and q as [classes, corners]."""
        return self.p.reshape(len(self.p), -1), self.q.reshape(len(self.q), -1)

    def point(self, corner: int) -> tuple[Floats, tuple[float, ...]]:
        """The discount and the gain steps at a corner."""
        row, *sides = np.unravel_index(corner, self.p.shape[1:])
        steps = tuple(self.upper[at] if side else self.lower[at] for at, side in enumerate(sides))
        return self.alpha[row], steps

    def split(self, share: Floats) -> tuple[Box, Box]:
        """Two halves, cut where denominators vary most among the corners that hold the bound down, by their `share`."""
        p, q = self.flat
        # A class whose ratio is the same everywhere is certain already, however its denominator varies.
        logs = np.log(self.q) * np.sqrt(np.ptp(p / q, axis=1)).reshape(-1, *[1] * (self.q.ndim - 1))
        along = [((logs.take(1, at) - logs.take(0, at)) ** 2).mean() for at in range(2, logs.ndim)]
        share = share.reshape(self.p.shape[1:])
        by_row = share.reshape(len(share), -1).sum(axis=1)
        rows = np.moveaxis(logs, 1, 0).reshape(len(share), -1)
        squares = (rows**2).sum(axis=1)
        between = (squares[:, None] + squares - 2 * rows @ rows.T) / rows.shape[1] * (_REST + np.outer(by_row, by_row))
        for at in range(1, share.ndim):
            along[at - 1] *= _REST + np.prod(np.moveaxis(share, at, 0).reshape(2, -1).sum(axis=1))
        widest = int(between.argmax())
        if along and max(along) > between.flat[widest]:
            return self._cut_gain(int(np.argmax(along)))
        return self._cut_discount(*divmod(widest, len(rows)))

    def _cut_discount(self, one: int, other: int) -> tuple[Box, Box]:
        # Next to a difference of 0 only a small part can be certain; the larger one has no such corner.
        zero, away = (self._touches_zero(row) for row in (one, other))
        part = 0.5 if zero == away else _SMALL if zero else 1 - _SMALL
        halves = []
        for moved in (one, other):
            alpha, p, q = self.alpha.copy(), self.p.copy(), self.q.copy()
            alpha[moved] = (1 - part) * self.alpha[one] + part * self.alpha[other]
            # The amounts are linear in the discount, and in each step of the gain.
            p[:, moved] = (1 - part) * self.p[:, one] + part * self.p[:, other]
            q[:, moved] = (1 - part) * self.q[:, one] + part * self.q[:, other]
            halves.append(replace(self, alpha=alpha, p=p, q=q))
        return halves[0], halves[1]

    def _touches_zero(self, row: int) -> bool:
        return bool(np.any(np.abs((self.p[:, row] / self.q[:, row]).sum(axis=0)) <= MARGIN))

    def _cut_gain(self, step: int) -> tuple[Box, Box]:
        axis = step + 2
        middle = (self.lower[step] + self.upper[step]) / 2
        halves = []
        for side in (1, 0):
            p, q = self.p.copy(), self.q.copy()
            face = tuple(side if at == axis else slice(None) for at in range(p.ndim))
            p[face], q[face] = self.p.mean(axis=axis), self.q.mean(axis=axis)
            ends = [list(self.lower), list(self.upper)]
            ends[side][step] = middle
            halves.append(replace(self, p=p, q=q, lower=tuple(ends[0]), upper=tuple(ends[1])))
        return halves[0], halves[1]


def whole_family(difference: Floats, classes: Classes, scale: Factors) -> Box:
    """The box of every discount and every gain; `difference` is [classes, cutoffs, thresholds]."""
    best, steps = classes.best, classes.grades - 1
    shape = (*best.shape[:2], *(2,) * steps)
    both = (difference / classes.unit, best)
    p, q = (np.matmul(amounts * scale.both, classes.gains).reshape(shape) for amounts in both)
    return Box(np.eye(best.shape[1]), (0.0,) * steps, (1.0,) * steps, classes.tops, p, q)
