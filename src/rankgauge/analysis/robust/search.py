"""Branch and bound for one pair: boxes are halved until each is certified, a counterexample turns up, or the budget ends."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import count
from typing import Literal, NamedTuple

import numpy as np

from rankgauge.analysis.robust.bound import MARGIN, lower_bounds, values
from rankgauge.analysis.robust.box import Box, whole_family
from rankgauge.analysis.robust.classes import Classes, Point, Scale
from rankgauge.analysis.robust.exact import examine_zeros
from rankgauge.arrays import Floats

_TOGETHER = 4
"""Boxes halved at a time: NumPy's calls cost more than the arithmetic of one."""


class Found(NamedTuple):
    """What a search came to; `point` is where a difference is below 0."""

    verdict: Literal["robust", "depends", "open"]
    boxes: int
    point: Point | None = None


def search(difference: Floats, classes: Classes, scale: Scale, budget: int) -> Found:
    """Is the first system never behind? `difference` is [classes, cutoffs, thresholds], in counts."""
    boxes, used = [whole_family(difference, classes, scale)], 0
    queue = _Queue(difference, classes, scale)
    while True:
        for box in boxes:
            found = _negative(box, scale)
            if found is not None:
                return Found("depends", used, found)
        queue.examine(boxes)
        if not queue.waiting or used >= budget:
            return Found("open" if queue.waiting else "robust", used)
        boxes = queue.halves()
        used += len(boxes)


class _Queue:
    """Boxes that are not certified yet, the lowest bound first, with the corners that hold it down."""

    def __init__(self, difference: Floats, classes: Classes, scale: Scale) -> None:
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


def _negative(box: Box, scale: Scale) -> Point | None:
    p, q = box.flat
    differences = values(p, q)
    least = int(differences.argmin())
    if differences[least] >= -MARGIN:
        return None
    alpha, shares = box.point(least)
    return Point(alpha * scale.cutoff, shares, scale.grade)
