"""What must hold for every score matrix, whatever its size."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cubes import study_matrix
from rankgauge.analysis.stability.variance import mean_squares

# Three decimals, as score files have: differences are real or none at all.
cells = st.integers(0, 1000).map(lambda number: number / 1000)
sizes = st.integers(2, 7)
matrices = st.tuples(sizes, sizes).flatmap(lambda shape: arrays(np.float64, shape, elements=cells))
targets = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99])
coefficients = st.sampled_from(["dependability", "generalizability"])


def study(values, **options):
    assume(np.ptp(values) > 0)
    return study_matrix(values, **options)


@given(st.lists(cells, min_size=2, max_size=7), st.lists(cells, min_size=2, max_size=7))
def test_an_additive_matrix_has_no_residual_and_exact_components(systems, queries):
    components = mean_squares(np.add.outer(systems, queries)).components()
    assert components.residual == 0
    assert components.system == pytest.approx(np.var(systems, ddof=1), rel=1e-9, abs=1e-20)
    assert components.query == pytest.approx(np.var(queries, ddof=1), rel=1e-9, abs=1e-20)


@given(matrices, st.integers(1, 1000))
def test_dependability_never_exceeds_generalizability(values, queries):
    found = study(values)
    assert found.dependability(queries).value <= found.generalizability(queries).value


@given(matrices, coefficients)
def test_coefficients_lie_between_0_and_1_and_do_not_fall_with_more_queries(values, coefficient):
    curve = study(values).curve([1, 2, 3, 10, 50, 1000, 10**6], coefficient)
    for points in (curve.value, curve.low, curve.high):
        assert list(points) == sorted(points)
        assert all(0 <= point <= 1 for point in points)


@given(matrices, targets, coefficients)
@example(np.array([[0.0, 1.0], [0.0, 1.0]]), 0.9, "dependability")
@example(np.array([[0.002, 0.022], [0.002, 0.006]]), 0.5, "dependability")  # mean squares equal but for rounding
def test_the_queries_needed_reach_the_target_and_one_fewer_does_not(values, target, coefficient):
    found = study(values)
    needed = found.queries_needed(target, coefficient).value
    at = found.dependability if coefficient == "dependability" else found.generalizability
    if math.isinf(needed):
        assert at(10**9).value < target
        return
    assert at(needed).value >= target * (1 - 1e-9)
    if needed > 1:
        assert at(needed - 1).value < target


@given(matrices, st.sampled_from(["arteaga", "jackknife"]), coefficients, targets)
def test_intervals_are_in_order_and_those_of_queries_mirror_them(values, interval, coefficient, target):
    assume(interval == "arteaga" or min(values.shape) > 2)
    found = study(values, interval=interval)
    at = found.dependability() if coefficient == "dependability" else found.generalizability()
    needed = found.queries_needed(target, coefficient)
    if math.isnan(at.low):
        assert math.isnan(at.high)
        assert math.isnan(needed.low)
        return
    assert at.low <= at.high
    assert needed.low <= needed.high


@given(matrices, st.sampled_from([0.5, 0.8, 0.9]))
def test_more_confidence_means_a_wider_interval(values, confidence):
    narrow, wide = study(values, confidence=confidence), study(values, confidence=0.95)
    assert wide.dependability().low <= narrow.dependability().low * (1 + 1e-9)
    assert wide.dependability().high >= narrow.dependability().high * (1 - 1e-9)


@given(matrices, st.integers(-1000, 1000).map(lambda number: number / 8))
def test_a_constant_added_to_all_scores_changes_nothing(values, shift):
    expected = study(values).variance.to_dict()
    found = study_matrix(values + shift).variance.to_dict()
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-12)


@given(matrices, st.sampled_from([-3.0, 0.01, 2.0, 1000.0]))
def test_components_scale_with_the_square_of_the_scores(values, factor):
    expected = study(values)
    found = study_matrix(factor * values)
    scaled = {part: factor**2 * value for part, value in expected.variance.to_dict().items()}
    assert found.variance.to_dict() == pytest.approx(scaled, rel=1e-6, abs=1e-12 * factor**2)
    assert found.dependability().value == pytest.approx(expected.dependability().value, rel=1e-6, abs=1e-9)


@given(matrices, st.randoms(use_true_random=False))
def test_the_order_of_systems_and_queries_does_not_matter(values, random):
    expected = study(values)
    systems, queries = list(range(len(values))), list(range(len(values[0])))
    random.shuffle(systems)
    random.shuffle(queries)
    found = study_matrix(values[np.ix_(systems, queries)])
    assert found.variance.to_dict() == pytest.approx(expected.variance.to_dict(), rel=1e-9, abs=1e-15)
    assert found.generalizability().value == pytest.approx(expected.generalizability().value, rel=1e-6, abs=1e-9)
