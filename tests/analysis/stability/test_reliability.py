import math

import numpy as np
import pytest
import scipy.stats

from rankgauge.analysis.stability.reliability import (
    Reliability,
    arteaga_bounds,
    dependability_ratio,
    exact_bounds,
    generalizability_ratio,
    jackknife_bounds,
)
from rankgauge.analysis.stability.variance import MeanSquares, VarianceComponents, mean_squares
from rankgauge.errors import UsageError
from rankgauge.tables.table import Estimate


def certain(ratio):
    return Reliability(Estimate(ratio, ratio, ratio))


def test_the_ratios_set_system_variance_against_noise():
    components = VarianceComponents(system=0.02, query=0.03, residual=0.05)
    assert dependability_ratio(components) == 0.02 / (0.03 + 0.05)
    assert generalizability_ratio(components) == 0.02 / 0.05


def test_a_negative_query_component_counts_as_none():
    components = VarianceComponents(system=0.02, query=-0.03, residual=0.05)
    assert dependability_ratio(components) == generalizability_ratio(components) == 0.02 / 0.05


def test_systems_that_do_not_differ_have_ratio_0_even_without_noise():
    assert dependability_ratio(VarianceComponents(-0.01, 0.1, 0.1)) == 0
    assert generalizability_ratio(VarianceComponents(0.0, 0.1, 0.0)) == 0


def test_without_residual_generalizability_is_certain():
    reliability = certain(generalizability_ratio(VarianceComponents(0.01, 0.1, 0.0)))
    assert reliability.at(1) == Estimate(1.0, 1.0, 1.0)
    assert reliability.queries_needed(0.99) == Estimate(1, 1, 1)


def test_a_coefficient_rises_with_the_number_of_queries():
    assert certain(0.1).at(30).value == pytest.approx(30 * 0.1 / (1 + 30 * 0.1))


def test_a_whole_number_of_queries_is_not_pushed_up_by_rounding():
    assert 0.9 / (1 - 0.9) > 9  # in floating point
    assert certain(1.0).queries_needed(0.9).value == 9
    assert certain(0.01).queries_needed(0.9).value == 900


def test_at_least_one_query_is_needed():
    assert certain(1e6).queries_needed(0.9).value == 1


def test_no_number_of_queries_is_enough_where_the_ratio_is_0():
    needed = Reliability(Estimate(0.1, 0.0, 0.2)).queries_needed(0.5)
    assert needed == Estimate(10, 5, math.inf)
    assert needed.to_dict() == {"value": 10, "low": 5, "high": None}
    assert str(needed) == "10 [5, ∞]"


def test_a_ratio_too_small_for_floating_point_is_as_good_as_none():
    assert certain(5e-324).queries_needed(0.95).value == math.inf


@pytest.mark.parametrize("target", [0, 1, -0.5, 1.5, math.nan])
def test_targets_outside_0_and_1_are_refused(target):
    with pytest.raises(UsageError, match="between 0 and 1"):
        certain(0.1).queries_needed(target)


@pytest.mark.parametrize("queries", [0, -3, math.nan])
def test_fewer_than_one_query_is_refused(queries):
    with pytest.raises(UsageError, match="at least 1"):
        certain(0.1).at(queries)


def test_a_curve_holds_value_and_band_at_every_count():
    curve = Reliability(Estimate(0.1, 0.05, 0.2)).curve([1, 10])
    assert curve.queries == (1, 10)
    assert curve.value == pytest.approx((0.1 / 1.1, 1 / 2))
    assert curve.low == pytest.approx((0.05 / 1.05, 0.5 / 1.5))
    assert curve.high == pytest.approx((0.2 / 1.2, 2 / 3))


def test_an_undefined_interval_prints_as_undefined():
    estimate = Reliability(Estimate(0.1, math.nan, math.nan)).at(10)
    assert str(estimate) == "0.500 [undefined]"
    assert estimate.to_dict() == {"value": 0.5, "low": None, "high": None}
    assert str(Reliability(Estimate(0.1, math.nan, math.nan)).queries_needed(0.5)) == "10 [undefined]"


def test_an_estimate_is_its_value_where_a_number_is_wanted():
    assert float(Estimate(0.25, 0.1, 0.4)) == 0.25


def test_the_arteaga_bound_is_the_printed_formula():
    # Arteaga, Jeyaratnam & Franklin (1982) with L as printed; the library divides above and below by MSs².
    from scipy.stats import chi2, f

    squares = mean_squares(np.random.default_rng(5).random((6, 9)) + np.linspace(0, 2, 6)[:, None])
    S, T, MSs, MSt, MSe = squares.systems, squares.queries, squares.system, squares.query, squares.residual
    for p, found in zip((0.975, 0.025), arteaga_bounds(squares, 0.95), strict=True):
        C, F = chi2.ppf(p, S - 1) / (S - 1), f.ppf(p, S - 1, (S - 1) * (T - 1))
        L = (MSs**2 - C * MSs * MSe + (C - F) * F * MSe**2) / (
            (S - 1) * C * MSs * MSe + f.ppf(p, S - 1, T - 1) * MSs * MSt
        )
        phi = S * L / (S * L + T)
        assert found / (1 + found) == pytest.approx(phi, rel=1e-10)


def test_systems_far_below_chance_do_not_get_an_upper_bound_out_of_the_second_root():
    # Past its second root, at MSe/MSs = 1/(C-F), the printed numerator is positive again.
    assert arteaga_bounds(MeanSquares(5, 5, system=0.001, query=1.0, residual=1.0), 0.95) == (0.0, 0.0)


def test_bounds_where_mean_squares_vanish():
    same_systems = MeanSquares(5, 5, system=0.0, query=1.0, residual=0.0)
    assert arteaga_bounds(same_systems, 0.95) == (0.0, 0.0)
    assert exact_bounds(same_systems, 0.95) == (0.0, 0.0)
    additive = MeanSquares(5, 5, system=1.0, query=1.0, residual=0.0)
    assert exact_bounds(additive, 0.95) == (math.inf, math.inf)
    assert all(0 < bound < math.inf for bound in arteaga_bounds(additive, 0.95))
    systems_only = MeanSquares(5, 5, system=1.0, query=0.0, residual=0.0)
    assert arteaga_bounds(systems_only, 0.95) == (math.inf, math.inf)


def test_the_jackknife_follows_its_formula():
    values = np.random.default_rng(3).random((6, 9)) + np.linspace(0, 2, 6)[:, None]
    systems, queries = values.shape

    def z(matrix, n=queries):
        ratio = dependability_ratio(mean_squares(matrix).components())
        phi = n * ratio / (1 + n * ratio)
        return math.log(phi / (1 - phi))

    without_query = [z(np.delete(values, t, axis=1)) for t in range(queries)]
    without_system = [z(np.delete(values, s, axis=0)) for s in range(systems)]
    error = math.sqrt(
        (queries - 1) / queries * sum((one - np.mean(without_query)) ** 2 for one in without_query)
        + (systems - 1) / systems * sum((one - np.mean(without_system)) ** 2 for one in without_system)
    )
    expected = [1 / (1 + math.exp(-(z(values) + sign * 2.5705818366147395 * error))) for sign in (-1, 1)]
    low, high = jackknife_bounds(values, dependability_ratio, 0.95, other_systems=True)
    at = Reliability(Estimate(1.0, low, high)).at(queries)
    assert [at.low, at.high] == pytest.approx(expected, rel=1e-10)
    # For these systems only the queries are left out, on the scale of √ρ: t with 8 degrees, not with 5 as for six systems.
    center, without_query = _root(values), [_root(np.delete(values, t, axis=1)) for t in range(queries)]
    error = math.sqrt((queries - 1) / queries * sum((one - np.mean(without_query)) ** 2 for one in without_query))
    expected = [(center + sign * 2.306004135204166 * error) ** 2 for sign in (-1, 1)]
    bounds = jackknife_bounds(values, dependability_ratio, 0.95, other_systems=False)
    assert bounds == pytest.approx(expected, rel=1e-10)


def _root(matrix):
    return math.sqrt(dependability_ratio(mean_squares(matrix).components()))


@pytest.mark.parametrize("other_systems", [False, True])
def test_one_query_that_decides_costs_the_jackknife_degrees_of_freedom(other_systems):
    values = np.random.default_rng(8).random((12, 30)) + np.linspace(0, 2, 12)[:, None]
    values[:, 0] += 1.5 * np.random.default_rng(9).random(12)
    scale = (lambda ratio: 2 * math.log(ratio)) if other_systems else float
    parts = [[scale(_root(np.delete(values, t, axis=1))) for t in range(30)]]
    if other_systems:
        parts.append([scale(_root(np.delete(values, s, axis=0))) for s in range(12)])
    counts = [len(part) for part in parts]
    error = math.sqrt(sum((n - 1) * np.var(part) for n, part in zip(counts, parts, strict=True)))
    excess = [max(0.0, float(scipy.stats.kurtosis(part))) for part in parts]
    degrees = [2 / (extra / n + 2 / (n - 1)) for extra, n in zip(excess, counts, strict=True)]
    assert degrees[0] < 15
    reach = scipy.stats.t.ppf(0.975, min(degrees)) * error
    ends = [scale(_root(values)) + sign * reach for sign in (-1, 1)]
    expected = [math.exp(end) for end in ends] if other_systems else [end**2 for end in ends]
    bounds = jackknife_bounds(values, dependability_ratio, 0.95, other_systems=other_systems)
    assert bounds == pytest.approx(expected, rel=1e-9)


def test_these_systems_have_an_interval_where_they_hardly_differ():
    values = np.random.default_rng(7).random((4, 12)) + np.linspace(0, 0.25, 4)[:, None]
    ratios = [dependability_ratio(mean_squares(np.delete(values, t, axis=1)).components()) for t in range(12)]
    assert min(ratios) == 0 < dependability_ratio(mean_squares(values).components())
    low, high = jackknife_bounds(values, dependability_ratio, 0.95, other_systems=False)
    assert low == 0
    assert 0 < high < math.inf


def test_the_jackknife_is_undefined_where_a_part_shows_no_differing_systems():
    values = np.random.default_rng(0).random((5, 6))
    values -= values.mean(axis=1, keepdims=True)
    values[0] += 1
    assert dependability_ratio(mean_squares(values).components()) > 0
    assert dependability_ratio(mean_squares(values[1:]).components()) == 0
    assert all(math.isnan(bound) for bound in jackknife_bounds(values, dependability_ratio, 0.95, other_systems=True))


def test_the_jackknife_of_an_additive_matrix_is_certain_of_generalizability():
    values = np.array([0.1, 0.7, 0.3])[:, None] + np.array([0.2, 0.05, 0.11, 0.6])
    assert jackknife_bounds(values, generalizability_ratio, 0.95, other_systems=True) == (math.inf, math.inf)


@pytest.mark.parametrize("shape", [(2, 5), (5, 2)])
def test_the_jackknife_needs_three_systems_and_three_queries(shape):
    values = np.random.default_rng(0).random(shape) + np.linspace(0, 5, shape[0])[:, None]
    assert math.isnan(jackknife_bounds(values, dependability_ratio, 0.95, other_systems=True)[0])
    these = jackknife_bounds(values, dependability_ratio, 0.95, other_systems=False)
    assert math.isnan(these[0]) == (shape[1] < 3)
