"""A lower bound of a mean of ratios over a whole family, for many pairs of systems at once.

Over a box (a simplex of discounts × intervals of gain steps) a query has x = p/q, where p and q are multilinear. For any
c > 0, with y = 1 - c q, x = c p + y x ≥ c p + min(low y, high y), where low and high are the extremes of x. The right side
is concave in each variable by itself, so that the sum over queries is least at a corner of the box.

A corner may be multiplied by any factor s > 0, for all queries alike: the family is the same, only its coordinates are
others, and products of coordinates are mixtures of corners. So what a query loses at a corner depends on r = c s q alone:
(x - low)(1 - r) where r is below 1, (high - x)(r - 1) where it is above. Every c (one a query) and s (one a corner) give a
valid bound, and a few steps of gradient ascent find good ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.arrays import Flags, Floats

MARGIN = 1e-12
"""Sums of at most a few thousand terms of size 1 are right to 1e-13; what is nearer to 0 than this may be 0."""
_CLEAR = 10 * MARGIN
"""Where c is replaced by a fraction within MARGIN of it, no bound moves by more than this."""
_STEPS, _PACE = 30, 0.2


def values(p: Floats, q: Floats) -> Floats:
    """The mean difference at every corner of the box: [pairs, corners] from [pairs, classes, corners]."""
    return np.asarray((p / q).sum(axis=-2))


class Bounds(NamedTuple):
    """For every pair a number that its difference is never below, and which corners hold it down: shares that add up to 1."""

    low: Floats
    share: Floats


def lower_bounds(p: Floats, q: Floats, steps: int = _STEPS) -> Bounds:
    """Bounds over a box: `p` is [pairs, classes, corners]; `q`, above 0, the same or [classes, corners].

    Pairs above MARGIN are not improved further.
    """
    q = np.broadcast_to(q, p.shape)
    ratio = p / q
    low, high = ratio.min(axis=-1, keepdims=True), ratio.max(axis=-1, keepdims=True)
    best, worst = np.full(len(p), -np.inf), np.zeros(len(p), np.intp)
    middle = 2 / (q.min(axis=-1, keepdims=True) + q.max(axis=-1, keepdims=True))
    for attempt in range(4):
        c = middle
        if attempt:
            c = 1 / np.take_along_axis(q, np.broadcast_to(worst[:, None, None], (*p.shape[:2], 1)), axis=-1)
        y = 1 - c * q
        bound = (c * p + np.where(y >= 0, low, high) * y).sum(axis=-2)
        best, worst = np.maximum(best, bound.min(axis=-1)), bound.argmin(axis=-1)
    share = np.zeros((len(p), p.shape[-1]))
    live = np.flatnonzero(best <= MARGIN)
    if len(live):
        found, share[live] = _ascent(p[live], q[live], low[live], high[live], steps)
        best[live] = np.maximum(best[live], found)
    return Bounds(best, share)


def _ascent(p: Floats, q: Floats, low: Floats, high: Floats, steps: int) -> Bounds:
    """The best bound on the way of log c and log s uphill."""
    hill, climb = _Hill.of(p, q, low, high), _Climb(q)
    best, shares = np.full(len(p), -np.inf), np.zeros((len(p), p.shape[-1]))
    live = np.arange(len(p))
    for step in range(steps):
        found = hill.at(climb.log_c, climb.log_s, step)
        best[live] = np.maximum(best[live], found.low)
        shares[live] += found.share * (step >= steps // 2)
        climb.move(found, step)
        going = best[live] <= MARGIN
        if not going.any():
            break
        if not going.all():
            live, hill = live[going], hill.only(going)
            climb.only(going)
    return Bounds(best, shares / (steps - steps // 2))


class _Slope(NamedTuple):
    """The least bound, the gradients of log c and log s, and the share of each corner in the least bound."""

    low: Floats
    by_class: Floats
    by_corner: Floats
    share: Floats


class _Hill(NamedTuple):
    """What bounds are made of: at every corner the difference, q, and how far a ratio is from its extremes."""

    difference: Floats
    q: Floats
    above_low: Floats
    below_high: Floats

    @classmethod
    def of(cls, p: Floats, q: Floats, low: Floats, high: Floats) -> _Hill:
        ratio = p / q
        return cls(ratio.sum(axis=-2), q, ratio - low, high - ratio)

    def only(self, chosen: Flags) -> _Hill:
        return _Hill(*(part[chosen] for part in self))

    def at(self, log_c: Floats, log_s: Floats, step: int) -> _Slope:
        """The least corner counts most in the gradient, those near it a little, less and less."""
        r = np.exp(log_c + log_s) * self.q
        slope = np.where(r < 1, self.above_low, -self.below_high)
        bound = self.difference - (slope * (1 - r)).sum(axis=-2)
        least = bound.min(axis=-1)
        heat = np.maximum(1e-6, 0.5 * np.maximum(-least, 0) + 1e-4)[..., None] / (1 + step / 10)
        share = np.exp(-(bound - least[..., None]) / heat)
        share /= share.sum(axis=-1, keepdims=True)
        slope *= r
        by_class = np.matmul(slope, share[..., None])
        return _Slope(least, by_class, slope.sum(axis=-2, keepdims=True), share)


class _Climb:
    """Where an ascent is, and its pace: gradients smoothed, and measured by their own size."""

    def __init__(self, q: Floats) -> None:
        self.log_c = np.log(2.0) - np.log(q.min(axis=-1, keepdims=True) + q.max(axis=-1, keepdims=True))
        self.log_s = np.zeros_like(q[..., :1, :])
        # Nobody has to go farther than denominators differ: a small box asks for small steps.
        off = np.log(q) + self.log_c
        self.reach = (
            np.minimum(1, np.ptp(off, axis=-1, keepdims=True)),
            np.minimum(1, np.ptp(off, axis=-2, keepdims=True)),
        )
        self.moments: list[tuple[Floats, Floats]] = []

    def move(self, found: _Slope, step: int) -> None:
        gradients = (found.by_class, found.by_corner)
        if not self.moments:
            self.moments = [(gradient, gradient**2) for gradient in gradients]
        self.moments = [
            (0.5 * mean + 0.5 * gradient, 0.9 * square + 0.1 * gradient**2)
            for (mean, square), gradient in zip(self.moments, gradients, strict=True)
        ]
        stride = _PACE / (1 + step / 8)
        by_class, by_corner = (
            stride * reach * mean / (np.sqrt(square) + MARGIN)
            for reach, (mean, square) in zip(self.reach, self.moments, strict=True)
        )
        self.log_c, self.log_s = self.log_c + by_class, self.log_s + by_corner

    def only(self, chosen: Flags) -> None:
        self.log_c, self.log_s = self.log_c[chosen], self.log_s[chosen]
        self.reach = self.reach[0][chosen], self.reach[1][chosen]
        self.moments = [(mean[chosen], square[chosen]) for mean, square in self.moments]


class AtZero(NamedTuple):
    """Multipliers c of every class, or None where none was found, and then the corners that stand in the way."""

    c: Floats | None
    share: Floats


def multipliers_at_zero(p: Floats, q: Floats, zeros: Flags, steps: int = _STEPS) -> AtZero:
    """c with which the bound of one box [classes, corners] is 0 where the difference is, and above MARGIN elsewhere.

    At a corner with a difference of 0 nothing may be lost: a class has y = 0 there, or y > 0 and its least ratio, or
    y < 0 and its largest. This leaves each class an interval for c, or none where two such corners disagree; the other
    corners may have any factor.
    """
    ratio = p / q
    low, high = ratio.min(axis=-1, keepdims=True), ratio.max(axis=-1, keepdims=True)
    at, inverse = ratio[:, zeros], -np.log(q[:, zeros])
    most = np.where(high - at <= MARGIN, np.inf, inverse)
    least = np.where(at - low <= MARGIN, -np.inf, inverse)
    gap = least.max(axis=-1) - most.min(axis=-1)
    if gap.max() > MARGIN:
        one, places = int(gap.argmax()), np.flatnonzero(zeros)
        share = np.zeros(len(zeros))
        share[[places[least[one].argmax()], places[most[one].argmin()]]] = 0.5
        return AtZero(None, share)
    most = np.minimum(most.min(axis=-1, keepdims=True), -np.log(q.min(axis=-1, keepdims=True)))
    least = np.minimum(np.maximum(least.max(axis=-1, keepdims=True), -np.log(q.max(axis=-1, keepdims=True))), most)
    if zeros.all():
        return AtZero(np.exp(most), np.zeros(len(zeros)))
    away = ~zeros
    hill, climb = _Hill.of(p[:, away], q[:, away], low, high), _Climb(q[:, away])
    for step in range(steps):
        climb.log_c = np.clip(climb.log_c, least, most)
        found = hill.at(climb.log_c, climb.log_s, step)
        if found.low > _CLEAR:
            return AtZero(np.exp(climb.log_c), np.zeros(len(zeros)))
        climb.move(found, step)
    share = zeros / np.count_nonzero(zeros) / 2
    share[away] = found.share / 2
    return AtZero(None, share)
