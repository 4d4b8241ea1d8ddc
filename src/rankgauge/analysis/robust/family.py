"""The gains and discounts considered, and those among them that have a name, from the nearest to the farthest.

A discount never rises with the rank, its first weight is above 0, and it is 0 beyond the cutoff. A gain never falls with
the grade and is above 0 for every relevant document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.errors import MeasureError, UsageError
from rankgauge.kernels.cumulated import dcg, ndcg, weights_to
from rankgauge.measures.measure import Measure

PARTS = ("discount", "gain", "both")
# Gains below a threshold are this share of those above: small, but above 0, as every gain considered is.
FAINT = (0.01, 0.001, 1e-4, 1e-6)
_EXPONENTS = (*(at / 10 for at in range(1, 31)), 4.0, 5.0, 7.0, 10.0)
_PATIENCES = (*(at / 20 for at in range(1, 20)), 0.98, 0.99)
_POWERS = (*(at / 10 for at in range(1, 10)), *(1 + at / 4 for at in range(1, 9)), 4.0, 5.0, 7.0, 10.0)
_BASES = (1.5, 3.0, 4.0, 5.0, 10.0, 100.0)


class Free(NamedTuple):
    """What may vary."""

    discount: bool
    gain: bool


class NamedMeasure(NamedTuple):
    """A measure with a name: the steps of its discount and gain, and how far it is from the user's.

    Candidates of one `line` differ in one number, their `step`; those without a line stand alone.
    """

    measure: Measure
    alpha: Floats
    beta: Floats
    distance: float
    line: str = ""
    step: float = 0.0


def free_parts(measure: Measure, over: str) -> Free:
    """What varies, for a measure that has it."""
    if measure.definition.kernel not in {ndcg, dcg}:
        hint = "\nRBP is DCG(discount=rbp(0.8))@100 up to a constant." if measure.definition.name == "RBP" else ""
        raise UsageError(
            f"{measure} has no gain and discount to vary; robust verdicts are for nDCG and DCG, as in nDCG@10{hint}"
        )
    if measure.is_custom:
        raise UsageError(f"{measure} contains a Python function, so no other measure like it could be written down")
    free = Free(over != "gain", over != "discount")
    if free.discount and not isinstance(measure.cutoff, int):
        raise UsageError(f"{measure} has no cutoff; every discount can be considered up to one, as in {measure}@10")
    if free.discount:
        weights = weights_to(int(measure.cutoff or 0), int(measure.cutoff or 0), measure.settings["discount"])
        if weights[0] <= 0 or np.any(np.diff(weights) > 0):
            raise UsageError(
                f"the discount of {measure} rises with the rank or begins with 0, so it is none of the discounts "
                "considered\nFix it with over=gain (--over gain), or choose another."
            )
    return free


def with_gains(measure: Measure, grades: Sequence[float], gains: Sequence[float]) -> Measure:
    """The measure with these gains of these grades, written as levels(…) for small whole grades, else as table(…)."""
    whole = all(grade == int(grade) for grade in grades) and grades[-1] <= 20
    if not whole:
        return measure(gain=dict(zip(grades, gains, strict=True)))
    levels, at = [], 0
    for grade in range(1, int(grades[-1]) + 1):
        levels.append(gains[at])
        at += grade == grades[at] and at + 1 < len(grades)
    return measure(gain=levels)


Listed = Iterator[tuple[Measure, str, float]]
"""Measures, each with its line and step."""


class Neighbors(NamedTuple):
    """Measures with a name around the user's."""

    measure: Measure
    free: Free
    depth: int
    grades: Sequence[float]

    def found(self) -> list[NamedMeasure]:
        """Measures of named families, the nearest first; then corners: plain cutoffs with grade thresholds."""
        discounts, gains = self._discounts() if self.free.discount else (), self._gains() if self.free.gain else ()
        if not (self.free.gain and self.free.discount):
            return self._placed([*discounts, *gains])
        return [*self._placed([*discounts, *gains, *self._mixed()]), *self._placed(self._corners())]

    def _steps(self, measure: Measure) -> tuple[Floats, Floats]:
        """α and β of a measure; a fixed part is the single step 1, because counts already contain it."""
        alpha = beta = np.ones(1)
        if self.free.discount:
            weights = weights_to(self.depth, int(measure.cutoff or self.depth), measure.settings["discount"])
            alpha = weights - np.append(weights[1:], 0.0)
        if self.free.gain:
            gains = np.asarray(measure.settings["gain"](np.asarray(self.grades)), np.float64)
            beta = np.diff(gains, prepend=0.0)
        return alpha, beta

    def _placed(self, listed: Iterable[tuple[Measure, str, float]]) -> list[NamedMeasure]:
        """Those inside the family, by their distance from the user's measure."""
        start = _shape(*self._steps(self.measure))
        found: dict[Measure, NamedMeasure] = {}
        for measure, line, step in listed:
            try:
                alpha, beta = self._steps(measure)
            except MeasureError:  # 2^v of raw scores may be beyond double precision
                continue
            above = alpha.min() >= 0 and beta.min() >= 0 and beta[0] > 0 and alpha.sum() > 0
            if above and np.isfinite(beta).all() and measure != self.measure and measure not in found:
                distance = sum(np.abs(a - b).mean() for a, b in zip(_shape(alpha, beta), start, strict=True))
                found[measure] = NamedMeasure(measure, alpha, beta, float(distance), line, step)
        return sorted(found.values(), key=lambda one: one.distance)

    def _discounts(self) -> Listed:
        for exponent in _EXPONENTS:
            yield self.measure(discount=f"zipf({exponent:g})"), "zipf", exponent
        for patience in _PATIENCES:
            yield self.measure(discount=f"rbp({patience:g})"), "rbp", patience
        for base in range(2, min(self.depth, 20) + 1):
            yield self.measure(discount=f"jk({base})"), "jk", base
        for cutoff in range(1, self.depth + 1):
            yield self.measure @ cutoff, "cutoff", cutoff
            yield self.measure(discount="none") @ cutoff, "plain cutoff", cutoff
        yield self.measure(discount="linear"), "", 0.0

    def _gains(self) -> Listed:
        if len(self.grades) < 2:
            return
        for power in _POWERS:
            yield self.measure(gain=f"power({power:g})"), "power", power
        yield self.measure(gain="linear"), "", 0.0
        yield self.measure(gain="exp"), "", 0.0
        if self.grades[-1] <= 20:
            for base in _BASES:
                levels = [float(f"{base**grade - 1:.6g}") for grade in self.grades]
                yield with_gains(self.measure, self.grades, levels), "", 0.0
        for at in range(len(self.grades)):
            yield self._from_threshold(at, FAINT[1]), "", 0.0

    def _mixed(self) -> Listed:
        for gain in ("power(0.5)", "power(2)", "power(4)", "exp"):
            for discount in ("zipf(0.5)", "zipf", "zipf(2)", "zipf(3)", "rbp(0.5)", "rbp(0.8)", "rbp(0.9)", "none"):
                yield self.measure(gain=gain, discount=discount), "", 0.0

    def _corners(self) -> Listed:
        for faint, at in product(FAINT, range(len(self.grades))):
            flat = self._from_threshold(at, faint)(discount="none")
            for cutoff in range(1, self.depth + 1):
                yield flat @ cutoff, "", 0.0

    def _from_threshold(self, at: int, faint: float) -> Measure:
        """A gain of 1 from the grade at `at` on, next to nothing below."""
        return with_gains(self.measure, self.grades, [faint] * at + [1.0] * (len(self.grades) - at))


def _shape(alpha: Floats, beta: Floats) -> tuple[Floats, Floats]:
    """Weights as shares of the first, gains as shares of the highest."""
    weights, gains = np.cumsum(alpha[::-1])[::-1], np.cumsum(beta)
    return weights / weights[0], gains / gains[-1]
