"""Everything the tables and figures need, computed once per collection."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sorted_ideal import SortedIdeal, with_sorted_ideal

from rankgauge.analysis.discriminate import Discrimination, discriminate
from rankgauge.analysis.optimize.holdout import HeldOut, hold_out
from rankgauge.analysis.optimize.optimize import optimize_grades
from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.result import Optimum
from rankgauge.analysis.optimize.search.form import dependability, queries_needed, scores_of
from rankgauge.analysis.optimize.search.steps import shares_of
from rankgauge.analysis.optimize.search.weighting import named_discount, named_gain, named_weighting
from rankgauge.kernels.rank_correlation import kendall_tau

Floats = NDArray[np.float64]

CUTOFFS = (10, 20, 100)
DEEP = 100
DISCOUNTS = ("zipf", "linear", "log2")
GAINS = ("exp", "linear")
TARGETS = (0.9, 0.95)
SEED = 7
POWER_AT, TOP, SAMPLES = 20, 30, 1000  # of Figure 9: cutoff, best systems, bootstrap samples


@dataclass(frozen=True)
class Row:
    """One gain and discount on one collection at one cutoff."""

    name: str
    discount: Floats
    gain: Floats
    dependability: float
    means: Floats  # of every system
    unseen: float | None  # dependability on queries that played no part

    def queries(self, target: float) -> float:
        return queries_needed(self.dependability, target)


@dataclass(frozen=True)
class Study:
    """A collection under all named and optimal discounts and gains, by cutoff."""

    name: str
    grades: RankedGrades
    discounts: dict[int, dict[str, Row]]
    gains: dict[int, dict[str, Row]]
    joint: dict[int, Optimum]
    free: dict[int, Optimum]
    found: dict[int, Optimum]
    held_out: dict[int, HeldOut]
    sorted_ideal: dict[int, SortedIdeal]
    power: Discrimination

    def tau(self, one: str, other: str, cutoff: int = DEEP) -> float:
        rows = self.discounts[cutoff]
        return kendall_tau(rows[one].means, rows[other].means)

    def steps(self, cutoff: int) -> list[int]:
        """Last ranks of the steps of the optimal discount."""
        shares = shares_of(self.discounts[cutoff]["optimal"].discount)
        return [int(rank) for rank in np.flatnonzero(shares > 1e-9) + 1]

    def ratio(self, cutoff: int) -> float:
        """What a highly relevant document is worth under the optimal gain, in relevant ones."""
        gain = self.gains[cutoff]["optimal"].gain
        return float(gain[1] / gain[0])


def study(name: str, grades: RankedGrades, fresh: RankedGrades | None = None) -> Study:
    discounts, gains, joint, free, found, by_rank = {}, {}, {}, {}, {}, {}
    for cutoff in CUTOFFS:
        cut, new = grades.cut(cutoff), fresh.cut(cutoff) if fresh else None
        linear, log2 = named_gain("linear", grades.grades), named_discount("log2", cutoff)
        best = optimize_grades(cut, over="discount", folds=0, seed=SEED)
        best_gain = optimize_grades(cut, over="gain", folds=0, seed=SEED)
        curves = {label: named_discount(label, cutoff) for label in DISCOUNTS} | {"optimal": np.array(best.discount)}
        worths = {label: named_gain(label, grades.grades) for label in GAINS}
        worths["optimal"] = np.array([value for _, value in best_gain.gain])
        discounts[cutoff] = {label: _row(label, cut, new, curve, linear) for label, curve in curves.items()}
        gains[cutoff] = {label: _row(label, cut, new, log2, worth) for label, worth in worths.items()}
        joint[cutoff] = optimize_grades(cut, over="both", folds=0, seed=SEED)
        free[cutoff] = optimize_grades(cut, over="discount", constrained=False, folds=0, seed=SEED)
        found[cutoff] = best
        by_rank[cutoff] = with_sorted_ideal(cut, linear)
        print(f"  {name}: cutoff {cutoff} done", flush=True)
    power = _power(grades.cut(POWER_AT), joint[POWER_AT])
    return Study(name, grades, discounts, gains, joint, free, found, _held_out(grades), by_rank, power)


def _power(grades: RankedGrades, joint: Optimum) -> Discrimination:
    """Which pairs of the best systems each of the paper's four measures tells apart."""
    linear, exp = named_gain("linear", grades.grades), named_gain("exp", grades.grades)
    weightings = {
        "optimal": (np.array(joint.discount), np.array([value for _, value in joint.gain])),
        "linear gain, log2": (named_discount("log2", grades.ranks), linear),
        "exp gain, log2": (named_discount("log2", grades.ranks), exp),
        "linear gain, linear": (named_discount("linear", grades.ranks), linear),
    }
    cube = np.stack([scores_of(grades, *weighting) for weighting in weightings.values()], axis=2)
    systems = [str(number) for number in range(1, grades.systems + 1)]
    return discriminate(cube, systems, list(weightings), top=TOP, samples=SAMPLES, seed=SEED)


def _held_out(grades: RankedGrades) -> dict[int, HeldOut]:
    return {
        cutoff: hold_out(
            grades.cut(cutoff), named_weighting(grades.cut(cutoff)), ("discount",), folds=2, repeats=10, seed=SEED
        )
        for cutoff in CUTOFFS
    }


def _row(name: str, grades: RankedGrades, fresh: RankedGrades | None, discount: Floats, gain: Floats) -> Row:
    scores = scores_of(grades, discount, gain)
    unseen = dependability(scores_of(fresh, discount, gain)) if fresh else None
    return Row(name, discount, gain, dependability(scores), scores.mean(axis=1), unseen)
