"""Robust, depends, open or equal: corners and named measures for all pairs at once, then a search for those left.

Robust is about other measures on these queries, significant about other queries: `stays_robust` and `paired_t` are about both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from rankgauge.analysis.robust.bound import MARGIN, lower_bounds, values
from rankgauge.analysis.robust.classes import Classes, Factors, Point, merged
from rankgauge.analysis.robust.counts import Counts
from rankgauge.analysis.robust.family import NamedMeasure
from rankgauge.analysis.robust.search import SearchResult, search
from rankgauge.arrays import Floats, Ints
from rankgauge.kernels.resampling import Progress, count_blocks

Verdict = Literal["robust", "depends", "open", "equal"]
# Numbers in an array of all pairs of a block: small enough for the caches to help.
_CELLS = 400_000
BOXES = 200
"""Boxes for a pair unless the user says otherwise; fewer where they are large and pairs are many."""
_WORK = 20_000_000
# From here on a box costs more than its size says.
_DEEP = 50
_FEW = 40
"""Boxes that each scale is given before any has all of the budget."""


class PairVerdict(NamedTuple):
    """A pair: its verdict, the sign of the difference where it is robust, and points with either sign where it depends."""

    verdict: Verdict
    sign: int = 0
    above: Point | None = None
    below: Point | None = None


def named_means(classes: Classes, candidates: Sequence[NamedMeasure]) -> Floats:
    """The mean of every system under every candidate: [systems, candidates], over the unit of the classes."""
    systems, queries = len(classes.found), len(classes.best)
    weights = np.stack([np.outer(one.alpha, one.beta).ravel() for one in candidates], axis=1)
    above = classes.found.reshape(systems, queries, -1) @ weights
    below = classes.best.reshape(queries, -1) @ weights
    # A discount may be 0 beyond rank 1, a gain never: what can be found counts something.
    return np.asarray((above / below).sum(axis=1)) / classes.unit


def judge(
    classes: Classes, pairs: Ints, own: Floats, named: Floats, budget: int | None, progress: Progress | None
) -> list[PairVerdict]:
    """Every pair (system, baseline). `own` is the difference under the user's measure, `named` that of every candidate."""
    roots = [Root(classes, scale) for scale in classes.scales]
    found: list[PairVerdict] = []
    block = max(1, _CELLS // roots[0].q.size)
    for start in range(0, len(pairs), block):
        part = slice(start, start + block)
        found += _at_the_root(roots, pairs[part], own[part], named[part])
    left = [at for at, one in enumerate(found) if one.verdict == "open"]
    if budget is None:
        work = _WORK * min(1.0, _DEEP / classes.found.shape[2])
        budget = min(BOXES, int(work) // (roots[0].q.size * max(1, len(left))))
    for done, at in enumerate(left, 1):
        found[at] = _searched(classes, roots[0], pairs[at], found[at].sign, budget)
        if progress:
            progress(done, len(left))
    return found


class Root:
    """The corners of the whole family under one scale; corners that no class tells apart are one."""

    def __init__(self, classes: Classes, scale: Factors) -> None:
        steps = classes.grades - 1
        self.points = list(product((0.0, 1.0), repeat=steps))
        found, best = classes.corners(scale)
        if steps:
            _, kept = np.unique(_seen(self.points, classes.tops), axis=0, return_index=True)
            found, best, self.points = found[..., kept], best[..., kept], [self.points[at] for at in kept]
        self.cutoffs = best.shape[1]
        self.found = found.reshape(*found.shape[:2], -1)
        self.q = best.reshape(len(best), -1)

    def point(self, corner: int) -> Point:
        cutoff, at = divmod(corner, len(self.points))
        return Point(np.eye(self.cutoffs)[cutoff], self.points[at], np.ones(len(self.points[at]) + 1))


def _seen(points: Sequence[tuple[float, ...]], tops: Ints) -> Ints:
    """Which grade each class counts at each corner: the highest it has whose share is 1, else the first."""
    shares = np.column_stack([np.ones(len(points)), np.array(points)])
    return np.stack([top - 1 - shares[:, :top][:, ::-1].argmax(axis=1) for top in sorted(set(tops.tolist()))], axis=1)


def _at_the_root(roots: Sequence[Root], pairs: Ints, own: Floats, named: Floats) -> list[PairVerdict]:
    """What corners and named measures decide; `open` with the sign of the only system ahead anywhere is to be searched."""
    first = roots[0]
    p = first.found[pairs[:, 0]] - first.found[pairs[:, 1]]
    corners = values(p, first.q)
    least, most = corners.argmin(axis=1), corners.argmax(axis=1)
    low = np.minimum(corners.min(axis=1), np.minimum(own, named.min(axis=1, initial=0)))
    high = np.maximum(corners.max(axis=1), np.maximum(own, named.max(axis=1, initial=0)))
    # Added up by class, equal systems differ by nothing at all; by rounding, where amounts are not whole.
    equal = np.abs(p).max(axis=(1, 2)) <= MARGIN
    depends = (low < -MARGIN) & (high > MARGIN)
    sign = np.where(high > MARGIN, 1, -1)
    sure = np.zeros(len(pairs), np.bool_)
    for root in roots:
        rest = np.flatnonzero(~(equal | depends | sure))
        amounts = (root.found[pairs[rest, 0]] - root.found[pairs[rest, 1]]) * sign[rest, None, None]
        sure[rest] = lower_bounds(amounts, root.q).low > MARGIN
    found = []
    for at in range(len(pairs)):
        if equal[at]:
            found.append(PairVerdict("equal"))
        elif depends[at]:
            sides = (
                most[at] if corners[at].max() > MARGIN else None,
                least[at] if corners[at].min() < -MARGIN else None,
            )
            found.append(PairVerdict("depends", 0, *(None if one is None else first.point(int(one)) for one in sides)))
        else:
            found.append(PairVerdict("robust" if sure[at] else "open", int(sign[at])))
    return found


def _searched(classes: Classes, root: Root, pair: Ints, sign: int, budget: int) -> PairVerdict:
    corners = values((root.found[pair[0]] - root.found[pair[1]])[None], root.q)[0]
    difference = sign * (classes.found[pair[0]] - classes.found[pair[1]])
    scales: tuple[Factors, ...] = classes.scales[:1]
    if np.abs(corners).min() <= MARGIN:
        # Where a difference is 0 the factors of corners are not free. The class that varies most decides; a scale that
        # evens it out often settles a pair at once.
        ratio = (root.found[pair[0]] - root.found[pair[1]]) / root.q
        scales = (classes.scale_for(int(np.ptp(ratio, axis=1).argmax())), *reversed(classes.scales))
    outcome = SearchResult("open")
    for most in sorted({min(_FEW, budget), budget}):
        for scale in scales:
            outcome = search(difference, classes, scale, most) if outcome.verdict == "open" else outcome
    if outcome.verdict != "depends":
        return PairVerdict(outcome.verdict, sign)
    best = root.point(int((sign * corners).argmax()))
    return PairVerdict("depends", 0, *((best, outcome.point) if sign > 0 else (outcome.point, best)))


def stays_robust(
    counts: Counts, pairs: Ints, found: Sequence[PairVerdict], samples: int, seed: int, progress: Progress | None
) -> dict[int, float]:
    """For every robust pair, the share of bootstrap samples of the queries in which the same system is certainly never behind.

    By the bound over the whole family at once: a sample that only a search could settle counts as no.
    """
    places = [at for at, one in enumerate(found) if one.verdict == "robust"]
    if not samples or not places:
        return {}
    kept, done, pairs = np.zeros(len(places)), 0, pairs[places]
    sign = np.array([found[at].sign for at in places], np.float64)[:, None, None]
    for drawn in count_blocks(counts.found.shape[1], samples, seed):
        for times in drawn:
            there = times * counts.weight > 0
            if there.any():
                weight = (times * counts.weight)[there]
                part = replace(counts, found=counts.found[:, there], best=counts.best[there], weight=weight)
                classes = merged(part)
                kept += _certain([Root(classes, scale) for scale in classes.scales], pairs, sign)
            done += 1
            if progress:
                progress(done, samples)
    return dict(zip(places, (kept / samples).tolist(), strict=True))


def _certain(roots: Sequence[Root], pairs: Ints, sign: Floats) -> Floats:
    sure = np.zeros(len(pairs), np.bool_)
    for root in roots:
        p = (root.found[pairs[:, 0]] - root.found[pairs[:, 1]]) * sign
        possible = np.flatnonzero(~sure & (values(p, root.q).min(axis=1) >= -MARGIN) & (np.abs(p).max(axis=(1, 2)) > 0))
        if len(possible):
            sure[possible] = lower_bounds(p[possible], root.q, steps=10).low >= -MARGIN
    return sure.astype(np.float64)


def paired_t(scores: Floats, pairs: Ints) -> Floats:
    """Two-sided p-values of the paired t test, each pair alone; 1 where nothing differs, nan for a single query."""
    from scipy.special import stdtr

    differences = scores[pairs[:, 0]] - scores[pairs[:, 1]]
    there = ~np.isnan(differences)
    size = there.sum(axis=1)
    filled = np.where(there, differences, 0.0)
    mean = filled.sum(axis=1) / np.maximum(size, 1)
    squares = np.where(there, (filled - mean[:, None]) ** 2, 0.0).sum(axis=1)
    error = np.sqrt(squares / np.maximum(size - 1, 1) / np.maximum(size, 1))
    level = np.abs(mean) <= 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(np.maximum(size - 1, 1), -np.abs(mean / error))
    p = np.where(level, 1.0, np.where(error > 1e-12 * np.abs(mean), p, 0.0))
    return np.where(size > 1, p, np.nan)
