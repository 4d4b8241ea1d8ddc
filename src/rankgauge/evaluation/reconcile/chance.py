"""How easily a number is matched by chance: how much of its neighborhood the numbers of candidates cover."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.evaluation.reconcile.candidates import Candidate
from rankgauge.evaluation.reconcile.given import SINGLE, Given

REACH = 0.7
"""How far the neighborhood of a number extends, in standard errors of the mean: other numbers of a run, such as the mean
of a part of its queries, are about as far from each other."""
CLUSTERED = 1.35
"""Numbers that are made by evaluating, rightly or wrongly, lie nearer to those of candidates than numbers at random do.
Measured, as REACH was, by papers/reconcile/recompute.py on nine collections and seven measures."""
ON_GRID = 0.15
"""The share of other numbers that lie on the same grid as those of the measure, such as multiples of 1/400."""
LEAST = 5
"""A neighborhood has at least so many units of the last digit on each side."""


def chance_of(given: Given, pool: Sequence[Candidate], tier: int, error: float, grain: float) -> float:
    """The chance that a number near this one, made in a way that is not among the candidates, fits one of them.

    `error` is the standard error of the measure's mean. `grain` is the step between numbers that it can have at all,
    such as 1/400 for P@10 of 40 queries; 0 if there is none.
    """
    means = np.array([one.mean for one in pool if one.tier <= tier])
    if not len(means):
        return 0.0
    if round(given.value, given.digits) in {0.0, 1.0} and any(given.fits(mean) for mean in means.tolist()):
        return 1.0  # where everything or nothing is found, settings do not differ
    unit = 10.0**-given.digits
    reach = max(REACH * error, LEAST * unit)
    covered = CLUSTERED * _covered(means, given.value, given.tolerance, unit, reach)
    if grain > unit:
        covered = (1 - ON_GRID) * covered + ON_GRID * _covered(means, given.value, grain / 2, grain, reach)
    return min(covered, 1.0)


def _covered(means: Floats, value: float, tolerance: float, step: float, reach: float) -> float:
    """The share of printed numbers around a value that some mean rounds to, the nearer ones counted more."""
    near = means[np.abs(means - value) <= 4 * reach]
    edges = np.concatenate((near - tolerance, near + tolerance - SINGLE)) / step
    hit = np.unique(np.concatenate((np.ceil(edges[: len(near)]), np.floor(edges[len(near) :]))))
    weight = np.exp(-0.5 * ((hit * step - value) / reach) ** 2)
    return float(weight.sum()) * step / (reach * math.sqrt(2 * math.pi))
