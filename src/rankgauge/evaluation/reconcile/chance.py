"""How easily a number is matched by chance: from how close together the numbers of candidates lie around it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rankgauge.evaluation.reconcile.candidates import Candidate
from rankgauge.evaluation.reconcile.given import Given

REACH = 0.03
"""How far around a number its neighborhood extends: numbers of one run that are made in similar ways are as close."""
CLUSTERED = 1.5
"""Numbers that are made by evaluating, rightly or wrongly, lie nearer to each other than numbers at random do."""


def chance_of(given: Given, pool: Sequence[Candidate], tier: int, grain: float) -> float:
    """The chance that a number near this one, made in a way that is not among the candidates, fits one of them.

    `grain` is the step between numbers that the measure can have at all, such as 1/400 for P@10 of 40 queries.
    """
    means = np.unique(np.round([one.mean for one in pool if one.tier <= tier], 6))
    if not len(means):
        return 0.0
    if round(given.value, given.digits) in {0.0, 1.0} and any(given.fits(mean) for mean in means.tolist()):
        return 1.0  # where everything or nothing is found, settings do not differ
    near = np.exp(-0.5 * ((means - given.value) / REACH) ** 2)
    density = float(near.sum()) / (REACH * math.sqrt(2 * math.pi))
    return 1 - math.exp(-CLUSTERED * density * max(2 * given.tolerance, grain))
