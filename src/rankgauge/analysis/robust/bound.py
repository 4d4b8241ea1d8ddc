"""A lower bound of a mean of ratios over a whole family, for many pairs of systems at once.

Over a box (a simplex of discounts × intervals of gain steps) a query has x = p/q, where p and q are multilinear. For any
c > 0, with y = 1 - c q, x = c p + y x ≥ c p + min(low y, high y), where low and high are the extremes of x. The right side
is concave in each variable by itself, so that the sum over queries is least at a corner of the box. Every c gives a valid
bound; the best is the maximum of a concave function, and a few steps of gradient ascent come close to it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.arrays import Flags, Floats

MARGIN = 1e-12
"""Sums of at most a few thousand terms of size 1 are right to 1e-13; what is nearer to 0 than this may be 0."""
_STEPS = 30


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
        bound = corner_bounds(p, q, c, low, high)
        best, worst = np.maximum(best, bound.min(axis=-1)), bound.argmin(axis=-1)
    share = np.zeros((len(p), p.shape[-1]))
    live = np.flatnonzero(best <= MARGIN)
    if len(live):
        found, share[live] = _ascent(p[live], q[live], low[live], high[live], steps)
        best[live] = np.maximum(best[live], found)
    return Bounds(best, share)


def corner_bounds(p: Floats, q: Floats, c: Floats, low: Floats, high: Floats) -> Floats:
    """c p + min(low y, high y), summed over the classes, at every corner."""
    y = 1 - c * q
    return np.asarray((c * p + np.where(y >= 0, low, high) * y).sum(axis=-2))


def _ascent(p: Floats, q: Floats, low: Floats, high: Floats, steps: int) -> Bounds:
    """The best bound on the way of log c uphill."""
    least, most = -np.log(q.max(axis=-1, keepdims=True)), -np.log(q.min(axis=-1, keepdims=True))
    log_c = np.log(2.0) - np.log(q.min(axis=-1, keepdims=True) + q.max(axis=-1, keepdims=True))
    best, size, shares = np.full(len(p), -np.inf), np.zeros_like(log_c), np.zeros((len(p), p.shape[-1]))
    live = np.arange(len(p))
    for step in range(steps):
        least_bound, gradient, share = _slope(p, q, low, high, log_c, step)
        best[live] = np.maximum(best[live], least_bound)
        shares[live] += share * (step >= steps // 2)
        size = np.where(step, 0.9 * size + 0.1 * gradient**2, gradient**2)
        log_c = np.clip(log_c + _stride(step) * gradient / (np.sqrt(size) + MARGIN), least, most)
        going = best[live] <= MARGIN
        if not going.any():
            break
        if not going.all():
            live = live[going]
            p, q, low, high, least, most, log_c, size = (
                part[going] for part in (p, q, low, high, least, most, log_c, size)
            )
    return Bounds(best, shares / (steps - steps // 2))


def _stride(step: int) -> float:
    return 0.3 / (1 + step / 8)


def _slope(p: Floats, q: Floats, low: Floats, high: Floats, log_c: Floats, step: int) -> tuple[Floats, Floats, Floats]:
    """The least bound, its gradient, and the share of each corner in it: the least corner counts most, those near it a little, less and less."""
    c = np.exp(log_c)
    y = 1 - c * q
    side = np.where(y >= 0, low, high)
    bound = (c * p + side * y).sum(axis=-2)
    least = bound.min(axis=-1)
    heat = np.maximum(1e-6, 0.3 * np.maximum(-least, 0) + 1e-4)[..., None] / (1 + step / 10)
    share = np.exp(-(bound - least[..., None]) / heat)
    share /= share.sum(axis=-1, keepdims=True)
    return least, c * ((p - side * q) * share[..., None, :]).sum(axis=-1, keepdims=True), share


class AtZero(NamedTuple):
    """Multipliers c of every class, or None where none was found, and then the corners that stand in the way."""

    c: Floats | None
    share: Floats


def multipliers_at_zero(p: Floats, q: Floats, zeros: Flags, steps: int = _STEPS) -> AtZero:
    """c with which the bound of one box [classes, corners] is 0 where the difference is, and above MARGIN elsewhere.

    At a corner with a difference of 0 nothing may be lost: a class has y = 0 there, or y > 0 and its least ratio, or
    y < 0 and its largest. This leaves each class an interval for c, or none where two such corners disagree.
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
    log_c = np.clip(np.log(2.0 / (q.min(axis=-1, keepdims=True) + q.max(axis=-1, keepdims=True))), least, most)
    p, q = p[:, ~zeros], q[:, ~zeros]
    size: Floats | float = 0.0
    for step in range(steps if np.any(most - least > MARGIN) else 1):
        bound, gradient, away = _slope(p, q, low, high, log_c, step)
        if bound > MARGIN:
            return AtZero(np.exp(log_c), np.zeros(len(zeros)))
        size = 0.9 * size + 0.1 * gradient**2 if step else gradient**2
        log_c = np.clip(log_c + _stride(step) * gradient / (np.sqrt(size) + MARGIN), least, most)
    share = zeros / np.count_nonzero(zeros) / 2
    share[~zeros] = away / 2
    return AtZero(None, share)
