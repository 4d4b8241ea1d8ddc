"""One difference measured on several collections: its mean over collections like these, and how much they disagree.

The true difference of a collection scatters about the mean with variance τ² (Paule and Mandel's estimate), and what was
measured there scatters about it by its own error. The interval of the mean takes Student's t with one degree fewer than
there are collections and never less than the errors alone explain (Hartung and Knapp's interval as later modified), so
two collections that happen to agree prove little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.kernels.resampling import ROUNDING

STEPS = 60


@dataclass(frozen=True, slots=True)
class RandomEffects:
    """`between` is τ, `shares` the weights of the collections, `heterogeneity` I²: the share of the scatter that the
    errors of the collections do not explain.
    """

    mean: float
    error: float
    between: float
    heterogeneity: float
    p_heterogeneity: float
    shares: Floats

    @property
    def freedom(self) -> int:
        return len(self.shares) - 1

    @property
    def p(self) -> float:
        """Two-sided, of no difference on average; without any scatter, that of as many equal signs."""
        return self.p_beyond(0.0) if self.error else 1.0 if self.mean == 0.0 else 2.0**-self.freedom

    def p_beyond(self, place: float) -> float:
        """Two-sided, of a mean at this place."""
        from scipy.special import stdtr

        if not self.error:
            return float(self.mean == place)
        return 2.0 * float(stdtr(self.freedom, -abs(self.mean - place) / self.error))

    def p_within(self, margin: float) -> float:
        """Of a mean at least `margin` away from 0: small where the two are equivalent."""
        one_sided = self.p_beyond(math.copysign(margin, self.mean)) / 2.0
        return one_sided if abs(self.mean) < margin else 1.0 - one_sided

    def interval(self, tail: float) -> tuple[float, float]:
        """Of the mean, missed with chance `tail`."""
        return self._about(tail, self.error)

    def predicted(self, tail: float) -> tuple[float, float]:
        """Of the true difference on one more collection of this kind."""
        return self._about(tail, math.hypot(self.error, self.between))

    def _about(self, tail: float, spread: float) -> tuple[float, float]:
        from scipy.special import stdtrit

        arm = -float(stdtrit(self.freedom, tail / 2.0)) * spread
        return self.mean - arm, self.mean + arm


def random_effects(differences: Floats, errors: Floats) -> RandomEffects:
    """Of at least two collections. A collection on which nothing ever differed has no error of its own: it counts as if
    it were as exact as the most exact of the others, and no more.
    """
    from scipy.special import chdtrc

    squared = np.square(errors)
    known = squared[squared > 0.0]
    variances = np.where(squared > 0.0, squared, known.min() if len(known) else 0.0)
    freedom = len(differences) - 1
    between = _between(differences, variances)
    weights = _weights(variances, between)
    mean = float(weights @ differences)
    error = math.sqrt(1.0 / float(np.sum(1.0 / (variances + between)))) if (variances + between).all() else 0.0
    excess = _scatter(differences, variances, 0.0) if len(known) else math.inf if between else 0.0
    return RandomEffects(
        mean=mean,
        error=error,
        between=math.sqrt(between),
        heterogeneity=max(0.0, 1.0 - freedom / excess) if excess > 0.0 else 0.0,
        p_heterogeneity=float(chdtrc(freedom, excess)),
        shares=weights,
    )


def _weights(variances: Floats, between: float) -> Floats:
    total = variances + between
    weights = 1.0 / total if total.all() else np.ones(len(total))
    shares: Floats = weights / weights.sum()
    return shares


def _scatter(differences: Floats, variances: Floats, between: float) -> float:
    """Squared distances from the weighted mean, in units of what is expected."""
    middle = float(_weights(variances, between) @ differences)
    return float(np.sum(np.square(differences - middle) / (variances + between)))


def _between(differences: Floats, variances: Floats) -> float:
    """The τ² that makes the scatter what is expected of so many collections; 0 where the errors alone explain it."""
    freedom, high = len(differences) - 1, float(np.var(differences, ddof=1))
    if high <= np.square(ROUNDING * np.abs(differences).max()):
        return 0.0
    if not variances.all():
        return high
    if _scatter(differences, variances, 0.0) <= freedom:
        return 0.0
    low = 0.0  # and `high` is enough: with it the scatter is at most what is expected
    for _ in range(STEPS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if _scatter(differences, variances, middle) > freedom else (low, middle)
    return (low + high) / 2.0
