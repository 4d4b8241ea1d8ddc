"""How often a number that was made in another way would fit a candidate by chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from rankgauge.analysis.reconcile.candidates import FAR, KNOWN, NEAR, Candidate
from rankgauge.analysis.reconcile.given import SINGLE, Given
from rankgauge.arrays import Floats
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
DRAWS, MOST_QUERIES = 200, 1000
"""How many other sets of queries are drawn; with more queries than these their means no longer coincide."""
SAME = 1e-9
"""Means that are nearer than this are one number, whatever the digits."""

UNIFORM = 1 / math.sqrt(12)
"""The standard deviation of a number between 0 and 1 of which nothing is known."""


def chance_of(given: Given, pool: Sequence[Candidate], others: Floats, kind: str, grid: float, units: int = 0) -> float:
    """The chance that a number near this one, made in a way that is not among the candidates, fits one of a kind.

    `others` are numbers made in another way, `grid` is the step between numbers that the measure can have, and `units`
    of the last digit is how far from the number a candidate may be and still fits.
    """
    means = np.array([one.mean for one in pool if KINDS[kind](one)])
    if not len(means):
        return 0.0
    if round(given.value, given.digits) in {0.0, 1.0} and any(given.fits(mean) for mean in means.tolist()):
        return 1.0  # where everything or nothing is found, settings do not differ
    nearest = min(pool, key=lambda one: abs(one.mean - given.value))
    unit = 10.0**-given.digits
    reach = max(REACH * standard_error(nearest.values), LEAST * unit)
    covered = 1 - (1 - _covered(means, given.value, given.tolerance + units * unit, unit, reach)) ** CLUSTERED
    if grid > unit:
        covered = (1 - ON_GRID) * covered + ON_GRID * _covered(means, given.value, grid / 2, grid, reach)
    return covered + (1 - covered) * _coincident(means, others, given.value, reach)


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


def others_of(pool: Sequence[Candidate]) -> Floats:
    """Means over other sets of queries, drawn by lot, under what is known to be done."""
    known = [one.values for one in pool if one.tier == KNOWN and _varies(one.values)]
    if not known or not LEAST <= len(known[0]) <= MOST_QUERIES:
        return np.empty(0)
    values, lot = np.array(known).T, np.random.default_rng(len(known[0]))
    count = len(values)
    kept = lot.integers(count // 2, count, (DRAWS, 1))
    chosen = (lot.random((DRAWS, count)).argsort(axis=1) < kept).astype(np.float64)
    there = chosen @ ~np.isnan(values)
    means = (chosen @ np.nan_to_num(values))[there > 0] / there[there > 0]
    return means[(means > SAME) & (means < 1 - SAME)]


def _varies(values: Floats) -> bool:
    """Not where every query has the same value: any set of queries has that mean, rightly."""
    there = values[~np.isnan(values)]
    return bool(np.any(np.abs(there - there[:1]) > SAME))


def _coincident(means: Floats, others: Floats, value: float, reach: float) -> float:
    """The share of other numbers around a value that are exactly one of the means: few queries leave few numbers."""
    others = others[np.abs(others - value) <= 4 * reach]
    weight = np.exp(-0.5 * ((others - value) / reach) ** 2)
    if weight.sum() < 1:
        return 0.0
    ordered = np.append(np.sort(means), np.inf)
    same = ordered[np.searchsorted(ordered, others - SAME)] <= others + SAME
    return float(weight[same].sum() / weight.sum())


def numbers_hit(means: Floats, tolerance: float, step: float) -> Floats:
    """The multiples of a step that are within the tolerance of some mean, each once."""
    first, last = np.ceil((means - tolerance) / step), np.floor((means + tolerance - SINGLE) / step)
    width = int(np.max(last - first, initial=0.0))
    return np.unique(np.concatenate([np.minimum(first + more, last) for more in range(width + 1)]))
