"""Smooth curves of few parameters."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from grade_tables import exchangeable, random_table
from rankgauge.analysis.optimize.search.family import POWERS, SHIFTS, _loss, fit_discount, fit_family, fit_gain
from rankgauge.analysis.optimize.search.form import discount_form, gain_form
from rankgauge.analysis.optimize.search.weighting import Question, named_weighting
from rankgauge.measures import parse

LINEAR = np.array([1.0, 2.0])
RANKS = np.arange(1.0, 13)


@pytest.mark.parametrize("seed", range(4))
def test_no_curve_on_a_fine_grid_beats_the_fitted_one(seed):
    table = random_table(seed, systems=8, queries=12, ranks=12)
    form, fit = discount_form(table, LINEAR), fit_discount(table, LINEAR)
    assert 0 <= fit.shift <= SHIFTS[-1]
    assert 0 <= fit.power <= POWERS[-1]
    grid = [(RANKS + shift) ** -power for shift in np.linspace(0, 50, 26) for power in np.linspace(0, 3, 31)]
    assert fit.value >= max(form.value(curve) for curve in grid) - 1e-6
    assert form.value(fit.discount(12)) == fit.value


def test_the_family_s_gradient_is_that_of_central_differences():
    form = discount_form(random_table(5, systems=8, queries=12, ranks=12), LINEAR)
    point, step = np.array([0.8, 0.9]), 1e-6
    _, gradient = _loss(point, form, RANKS)
    central = [
        (_loss(point + offset, form, RANKS)[0] - _loss(point - offset, form, RANKS)[0]) / (2 * step)
        for offset in np.eye(2) * step
    ]
    assert_allclose(gradient, central, rtol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_the_power_of_the_gain_is_the_best_there_is(seed):
    table = random_table(seed, systems=8, queries=12, levels=3)
    discount = 1 / np.arange(1, 9)
    form, power = gain_form(table, discount), fit_gain(table, discount)
    values = np.array(table.grades[::-1])
    assert form.value(values**power) >= max(form.value(values**b) for b in np.linspace(0, 3, 301)) - 1e-6


def test_equal_weights_have_a_plain_name():
    table = exchangeable(3, queries=200)
    fitted = fit_family(table, Question(named_weighting(table), ("discount",)))
    assert fitted.discount_text == "none" or np.ptp(fitted.discount) < 0.5
    flat = fit_discount(exchangeable(4, queries=400), np.ones(1))
    assert flat.discount(20)[-1] > 0.6


@pytest.mark.parametrize("over", [("discount",), ("gain",), ("discount", "gain")])
def test_the_family_can_be_printed_and_read(over):
    table = random_table(6, systems=8, queries=12)
    fitted = fit_family(table, Question(named_weighting(table), over))
    text = f"nDCG(gain={fitted.gain_text}, discount={fitted.discount_text})@8"
    assert parse(text)
    assert ("power(" in fitted.gain_text) == ("gain" in over)
