"""How often a number that was made in another way would fit a candidate by chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.evaluation.reconcile.candidates import FAR, KNOWN, NEAR, Candidate
from rankgauge.evaluation.reconcile.given import SINGLE, Given
from rankgauge.measures.measure import Measure

KINDS: dict[str, Callable[[Candidate], bool]] = {
    "known tools": lambda one: one.tier == KNOWN,
    "one decision away": lambda one: len(one.changes) <= 1,
    "either": lambda one: one.tier <= NEAR,
    "two decisions away": lambda one: one.tier <= FAR,
}
"""Kinds of explanations. Tools may be one decision away too; "either" is what can be called likely."""
KIND_OF = {KNOWN: "known tools", NEAR: "one decision away", FAR: "two decisions away"}
"""The kind of which a candidate's chance is printed beside it."""
REACH = 1.5
"""How far the neighborhood of a number extends, in standard errors of the mean: other numbers of a run, such as the mean
of a part of its queries, are about as far from each other. Narrower neighborhoods say more about a place, but an
explanation is found where candidates are dense: the chance printed beside it is then farther from the rate over all."""
CLUSTERED = 1.65
"""Numbers that are made by evaluating, rightly or wrongly, lie nearer to those of candidates than numbers at random do.
Chosen, as REACH was, by papers/reconcile/recompute.py on nine collections and seven measures, and checked with --others
on others, whose figures were seen while the width was settled."""
ON_GRID = 0.15
"""The share of other numbers that lie on the same grid as those of the measure, such as multiples of 1/400."""
LEAST = 5
"""A neighborhood has at least so many units of the last digit on each side."""

UNIFORM = 1 / math.sqrt(12)
"""The standard deviation of a number between 0 and 1 of which nothing is known."""


def chance_of(
    given: Given, pool: Sequence[Candidate], kind: str, measure: Measure, queries: int, units: int = 0
) -> float:
    """The chance that a number near this one, made in a way that is not among the candidates, fits one of a kind.

    `units` of the last digit is how far from the number a candidate may be and still fits.
    """
    means = np.array([one.mean for one in pool if KINDS[kind](one)])
    if not len(means):
        return 0.0
    if round(given.value, given.digits) in {0.0, 1.0} and any(given.fits(mean) for mean in means.tolist()):
        return 1.0  # where everything or nothing is found, settings do not differ
    nearest = min(pool, key=lambda one: abs(one.mean - given.value))
    unit, step = 10.0**-given.digits, grain(measure, queries)
    reach = max(REACH * standard_error(nearest.values), LEAST * unit)
    covered = 1 - (1 - _covered(means, given.value, given.tolerance + units * unit, unit, reach)) ** CLUSTERED
    if step > unit:
        covered = (1 - ON_GRID) * covered + ON_GRID * _covered(means, given.value, step / 2, step, reach)
    return covered


def standard_error(values: Floats) -> float:
    """The standard error of a mean over queries; a single one may be anywhere between 0 and 1."""
    there = values[~np.isnan(values)]
    return float(there.std()) / math.sqrt(len(there)) if len(there) > 1 else UNIFORM


def grain(measure: Measure, queries: int) -> float:
    """The step between numbers that a measure can have at all, such as 1/400 for P@10 of 40 queries; 0 if none."""
    name, cutoff = measure.definition.name, measure.cutoff
    if name == "Success":
        return 1 / queries
    return 1 / (queries * cutoff) if name == "P" and cutoff else 0.0


def _covered(means: Floats, value: float, tolerance: float, step: float, reach: float) -> float:
    """The share of printed numbers around a value that some mean rounds to, the nearer ones counted more."""
    hit = numbers_hit(means[np.abs(means - value) <= 4 * reach], tolerance, step)
    weight = np.exp(-0.5 * ((hit * step - value) / reach) ** 2)
    return min(float(weight.sum()) * step / (reach * math.sqrt(2 * math.pi)), 1.0)


def numbers_hit(means: Floats, tolerance: float, step: float) -> Floats:
    """The multiples of a step that are within the tolerance of some mean, each once."""
    first, last = np.ceil((means - tolerance) / step), np.floor((means + tolerance - SINGLE) / step)
    width = int(np.max(last - first, initial=0.0))
    return np.unique(np.concatenate([np.minimum(first + more, last) for more in range(width + 1)]))
