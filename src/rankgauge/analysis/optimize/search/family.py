"""Smooth curves with few parameters: they fit a collection less closely than the optimum, and so carry over better."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.form import LinearFractional, discount_form, gain_form
from rankgauge.analysis.optimize.search.objective import PHI, Objective
from rankgauge.analysis.optimize.search.simplex import slsqp
from rankgauge.analysis.optimize.search.weighting import Question, Weighting, as_levels
from rankgauge.arrays import Floats

SHIFTS = (0.0, 1.0, 3.0, 10.0, 50.0)  # the family is bounded: without bounds it runs to a shift without end
POWERS = (0.0, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0)
ALTERNATIONS = 2
PLACES = 4  # of the parameters as a measure prints them; more would change Φ by less than 1e-6


class Hyperbola(NamedTuple):
    """The discount (rank + shift) ** -power that serves the objective best."""

    shift: float
    power: float
    value: float

    def discount(self, ranks: int) -> Floats:
        return _curve(np.arange(1.0, ranks + 1), self.shift, self.power)


def fit_discount(grades: RankedGrades, gain: Floats, objective: Objective = PHI) -> Hyperbola:
    """The best (r + c)^-p with 0 <= c <= 50, 0 <= p <= 3."""
    form = discount_form(grades, gain, objective=objective)
    ranks = np.arange(1.0, grades.ranks + 1)
    trials = [(form.value(_curve(ranks, shift, power)), shift, power) for shift in SHIFTS for power in POWERS]
    best = max(trials)
    by_shift = [max(trial for trial in trials if trial[1] == shift) for shift in SHIFTS]
    for _, first_shift, first_power in sorted(by_shift, reverse=True)[:3]:
        found = slsqp(
            _loss,
            (np.log1p(first_shift), first_power),
            args=(form, ranks),
            jac=True,
            bounds=((0.0, np.log1p(SHIFTS[-1])), (POWERS[0], POWERS[-1])),
            options={"ftol": 1e-13},
        )
        # Printed digits only, so that the measure says what was fitted.
        shift, power = (round(float(value), PLACES) for value in (np.expm1(found.x[0]), found.x[1]))
        best = max(best, (form.value(_curve(ranks, shift, power)), shift, power))
    return Hyperbola(best[1], best[2], best[0])


def fit_gain(grades: RankedGrades, discount: Floats, objective: Objective = PHI) -> float:
    """The best b of the gain grade ** b, 0 <= b <= 3."""
    from scipy.optimize import minimize_scalar

    form = gain_form(grades, discount, objective=objective)
    values = np.array(grades.grades[::-1])
    on_grid = max(np.linspace(0, 3, 31), key=lambda power: form.value(values**power))
    found = minimize_scalar(
        lambda power: -form.value(values**power),
        bounds=(max(0.0, on_grid - 0.1), min(3.0, on_grid + 0.1)),
        method="bounded",
        options={"xatol": 1e-8},
    )
    better = found.x if -found.fun > form.value(values**on_grid) else on_grid
    return round(float(better), PLACES)


def fit_family(grades: RankedGrades, asked: Question) -> Weighting:
    """The start with its discount, its gain or both replaced by the best smooth curve."""
    fitted = asked.start
    for _ in range(ALTERNATIONS if len(asked.over) > 1 else 1):
        if "discount" in asked.over:
            fitted = _with_hyperbola(fitted, fit_discount(grades, fitted.gain, asked.objective))
        if "gain" in asked.over:
            power = fit_gain(grades, fitted.discount, asked.objective)
            gain = np.array(grades.grades) ** power
            # The measure's own power(b) is for b above 0.
            words = (gain, f"power({power:g})") if power > 0 else as_levels(gain, grades.grades)
            fitted = fitted.with_gain(*words)
    return fitted


def _with_hyperbola(weighting: Weighting, fit: Hyperbola) -> Weighting:
    discount = fit.discount(len(weighting.discount))
    if fit.power == 0:
        return weighting.with_discount(discount, "none")
    parameters = [f"{value:g}" for value in ((fit.power, fit.shift) if fit.shift else (fit.power,))]
    return weighting.with_discount(discount, f"zipf({', '.join(parameters)})")


def _curve(ranks: Floats, shift: float, power: float) -> Floats:
    # Relative to rank 1, so that a large power does not underflow.
    curve: Floats = ((ranks + shift) / (1 + shift)) ** -power
    return curve


def _loss(parameters: Floats, form: LinearFractional, ranks: Floats) -> tuple[float, Floats]:
    shift, power = float(np.expm1(parameters[0])), float(parameters[1])
    curve = _curve(ranks, shift, power)
    slope = form.slope(curve)
    gradient = slope.gained - slope.lost
    # A factor common to all ranks does not matter (Euler), so the division by rank 1 needs no extra term.
    by_shift = gradient @ (-power * curve / (ranks + shift)) * (1 + shift)
    by_power = gradient @ (-np.log(ranks + shift) * curve)
    return -slope.value, -np.array([by_shift, by_power])
