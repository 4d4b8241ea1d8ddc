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
    root = whole_family(difference, classes, scale)
    found = _negative(root, scale)
    if found is not None:
        return Found("depends", 0, found)
    queue: list[tuple[float, int, Box, Floats]] = []
    ticket = count()

    def examine(boxes: Sequence[Box]) -> None:
        flat = [box.flat for box in boxes]
        bounds = lower_bounds(np.stack([p for p, _ in flat]), np.stack([q for _, q in flat]))
        for bound, share, box in zip(bounds.low.tolist(), bounds.share, boxes, strict=True):
            at_zero = bound > MARGIN or examine_zeros(box, difference, classes, scale)
            if at_zero is not True:
                heapq.heappush(queue, (bound, next(ticket), box, share if at_zero is False else at_zero))

    examine([root])
    used = 0
    while queue and used < budget:
        taken = [heapq.heappop(queue) for _ in range(min(_TOGETHER, len(queue)))]
        halves = [half for *_, box, share in taken for half in box.split(share)]
        used += len(halves)
        for half in halves:
            found = _negative(half, scale)
            if found is not None:
                return Found("depends", used, found)
        examine(halves)
    return Found("open" if queue else "robust", used)


def _negative(box: Box, scale: Scale) -> Point | None:
    p, q = box.flat
    differences = values(p, q)
    least = int(differences.argmin())
    if differences[least] >= -MARGIN:
        return None
    alpha, shares = box.point(least)
    return Point(alpha * scale.cutoff, shares, scale.grade)
