"""Branch and bound for one pair: boxes are halved until each is certified, a counterexample turns up, or the budget ends.

Where a difference is 0, rounding cannot tell on which side of 0 a bound is: there it is examined in fractions.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import count, product
from typing import Literal, NamedTuple

import numpy as np

from rankgauge.analysis.robust.bound import MARGIN, lower_bounds, multipliers_at_zero, values
from rankgauge.analysis.robust.classes import Box, Classes, Factors, Point, chain, fraction, whole_family
from rankgauge.arrays import Floats, Ints

_TOGETHER = 4
"""Boxes halved at a time: NumPy's calls cost more than the arithmetic of one."""
_MOST_ZEROS = 200


class SearchResult(NamedTuple):
    """What a search came to; `point` is where a difference is below 0."""

    verdict: Literal["robust", "depends", "open"]
    point: Point | None = None


def search(difference: Floats, classes: Classes, scale: Factors, budget: int) -> SearchResult:
    """Is the first system never behind? `difference` is [classes, cutoffs, thresholds], in counts."""
    boxes, used = [whole_family(difference, classes, scale)], 0
    queue = _Queue(difference, classes, scale)
    while True:
        for box in boxes:
            found = _negative(box, scale)
            if found is not None:
                return SearchResult("depends", found)
        queue.examine(boxes)
        if not queue.waiting or used >= budget:
            return SearchResult("open" if queue.waiting else "robust")
        boxes = queue.halves()
        used += len(boxes)


class _Queue:
    """Boxes that are not certified yet, the lowest bound first, with the corners that hold it down."""

    def __init__(self, difference: Floats, classes: Classes, scale: Factors) -> None:
        self.difference, self.classes, self.scale = difference, classes, scale
        self.waiting: list[tuple[float, int, Box, Floats]] = []
        self.ticket = count()

    def examine(self, boxes: Sequence[Box]) -> None:
        above = []
        for box in boxes:
            # With a difference of 0 at a corner no bound is above 0: there the corner itself is looked at.
            at_zero = examine_zeros(box, self.difference, self.classes, self.scale)
            if at_zero is False:
                above.append(box)
            elif at_zero is not True:
                self._push(0.0, box, at_zero)
        if above:
            flat = [box.flat for box in above]
            bounds = lower_bounds(np.stack([p for p, _ in flat]), np.stack([q for _, q in flat]))
            for bound, share, box in zip(bounds.low.tolist(), bounds.share, above, strict=True):
                if bound <= MARGIN:
                    self._push(bound, box, share)

    def _push(self, bound: float, box: Box, share: Floats) -> None:
        heapq.heappush(self.waiting, (bound, next(self.ticket), box, share))

    def halves(self) -> list[Box]:
        taken = [heapq.heappop(self.waiting) for _ in range(min(_TOGETHER, len(self.waiting)))]
        return [half for *_, box, share in taken for half in box.split(share)]


def _negative(box: Box, scale: Factors) -> Point | None:
    p, q = box.flat
    differences = values(p, q)
    least = int(differences.argmin())
    if differences[least] >= -MARGIN:
        return None
    alpha, shares = box.point(least)
    return Point(alpha * scale.cutoff, shares, scale.grade)


def examine_zeros(box: Box, difference: Floats, classes: Classes, scale: Factors) -> bool | Floats:
    """True where the bound proves that a box with a difference of 0 at some corners has none below 0.

    Otherwise the shares of the corners that stand in the way, or False where no corner has a difference of 0. Amounts that
    are not whole numbers were rounded before; for them, 0 means nearer to 0 than MARGIN.
    """
    p, q = box.flat
    zeros = np.abs(values(p, q)) <= MARGIN
    if not 0 < np.count_nonzero(zeros) <= _MOST_ZEROS:
        return False
    found = multipliers_at_zero(p, q, zeros)
    if found.c is None:
        return found.share
    exactly = not classes.is_whole or _Exactly(box, difference, classes.best, scale).holds(
        found.c[:, 0], np.flatnonzero(zeros)
    )
    return True if exactly else zeros / np.count_nonzero(zeros)


class _Exactly:
    """One box in fractions; `difference` and `best` are whole numbers, everything else are doubles."""

    def __init__(self, box: Box, difference: Floats, best: Floats, scale: Factors) -> None:
        self.box, self.difference, self.best = box, difference, best
        self.cutoff, self.grade = ([fraction(factor) for factor in part.tolist()] for part in scale)
        self.points = list(product(*zip(box.lower, box.upper, strict=True)))
        self.amounts = cache(self._amounts)
        self.extremes = cache(self._extremes)

    def holds(self, c: Floats, zeros: Ints) -> bool:
        """Whether at every corner with a difference of 0 it is not below 0, and no class loses anything."""
        corners = zeros.tolist()
        differences = (sum(self._ratio(one, corner) for one in range(len(self.best))) for corner in corners)
        if any(found < 0 for found in differences):
            return False
        return all(self._loses_nothing(one, float(c[one]), corners) for one in range(len(self.best)))

    def _loses_nothing(self, one: int, c: float, corners: list[int]) -> bool:
        denominators = [self.amounts(one, corner)[1] for corner in corners]
        # Where c was meant to be 1/q of such a corner, it is that exactly.
        meant = next((1 / q for q in denominators if abs(c * float(q) - 1) <= MARGIN), Fraction(c))
        for corner, q in zip(corners, denominators, strict=True):
            y = 1 - meant * q
            if y and self._ratio(one, corner) != self.extremes(one)[0 if y > 0 else 1]:
                return False
        return True

    def _ratio(self, one: int, corner: int) -> Fraction:
        p, q = self.amounts(one, corner)
        return p / q

    def _extremes(self, one: int) -> tuple[Fraction, Fraction]:
        p, q = self.box.flat
        ratio = p[one] / q[one]
        lowest, highest = (
            [self._ratio(one, corner) for corner in np.flatnonzero(near).tolist()]
            for near in (ratio <= ratio.min() + MARGIN, ratio >= ratio.max() - MARGIN)
        )
        return min(lowest), max(highest)

    def _amounts(self, one: int, corner: int) -> tuple[Fraction, Fraction]:
        row, point = divmod(corner, len(self.points))
        beta = chain([Fraction(step) for step in self.points[point]], int(self.box.tops[one]))
        p = q = Fraction(0)
        for cutoff in np.flatnonzero(self.box.alpha[row]).tolist():
            weight = Fraction(float(self.box.alpha[row, cutoff])) * self.cutoff[cutoff]
            for grade, step in enumerate(beta):
                factor = weight * step * self.grade[grade]
                p += factor * int(self.difference[one, cutoff, grade])
                q += factor * int(self.best[one, cutoff, grade])
        return p, q
