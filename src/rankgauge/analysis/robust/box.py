"""A part of the family: a simplex of discounts × intervals of gain steps, with the amounts at its corners."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rankgauge.analysis.robust.bound import MARGIN
from rankgauge.analysis.robust.classes import Classes, Scale, gain_corners
from rankgauge.arrays import Floats, Ints

_SMALL = 0.125
_REST = 1e-3
"""Corners without a share count a little: cutting elsewhere may give them one."""


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


def whole_family(difference: Floats, classes: Classes, scale: Scale) -> Box:
    """The box of every discount and every gain; `difference` is [classes, cutoffs, thresholds]."""
    best = classes.best
    lower, upper = (0.0,) * (classes.grades - 1), (1.0,) * (classes.grades - 1)
    beta = gain_corners(lower, upper, classes.tops)
    shape = (*best.shape[:2], *(2,) * (classes.grades - 1))
    p, q = (np.matmul(amounts * scale.both, beta).reshape(shape) for amounts in (difference / classes.unit, best))
    return Box(np.eye(best.shape[1]), lower, upper, classes.tops, p, q)
