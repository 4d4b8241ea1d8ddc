import tomllib
from pathlib import Path

import numpy as np
import pytest

from rankgauge.analysis.stability.variance import (
    VarianceComponents,
    mean_squares,
    mean_squares_without_each_query,
    mean_squares_without_each_system,
)

BRENNAN = tomllib.loads(Path(__file__).parents[2].joinpath("golden", "brennan-2001-synthetic-4.toml").read_text())
VALUES = np.array(BRENNAN["scores"], dtype=float).T


def test_mean_squares_follow_their_formulas_on_two_systems_and_two_queries():
    # Means: systems 2 and 6, queries 3 and 5, all 4; residuals are all 0 or ±1.
    squares = mean_squares(np.array([[0.0, 4.0], [6.0, 6.0]]))
    assert squares.system == 2 * ((2 - 4) ** 2 + (6 - 4) ** 2) / 1
    assert squares.query == 2 * ((3 - 4) ** 2 + (5 - 4) ** 2) / 1
    assert squares.residual == ((0 - 1) ** 2 + (4 - 3) ** 2 + (6 - 5) ** 2 + (6 - 7) ** 2) / 1


def test_brennans_mean_squares_and_components_are_found():
    squares = mean_squares(VALUES)
    assert squares.to_dict() == pytest.approx(BRENNAN["mean_squares"], abs=5e-7)
    assert squares.components().to_dict() == pytest.approx(BRENNAN["variance"], abs=5e-7)


def test_negative_estimates_are_kept_and_truncated_only_for_use():
    raw = VarianceComponents(system=0.3, query=-0.1, residual=0.1)
    assert raw.truncated() == VarianceComponents(0.3, 0.0, 0.1)
    assert raw.shares() == VarianceComponents(0.3 / 0.4, 0.0, 0.1 / 0.4)
    assert raw.to_dict() == {"system": 0.3, "query": -0.1, "residual": 0.1}


def test_rounding_in_an_additive_matrix_is_not_taken_for_a_residual():
    values = np.array([0.1, 0.7, 0.3])[:, None] + np.array([0.2, 0.05, 0.11, 0.6])
    assert mean_squares(values).residual == 0


def test_identical_systems_do_not_differ_by_rounding():
    values = np.tile([0.1, 0.7, 0.3, 0.2, 0.6], (7, 1))
    squares = mean_squares(values)
    assert squares.system == 0
    assert squares.residual == 0
    assert squares.query > 0


def test_leaving_out_each_query_equals_refitting_without_it():
    for t, squares in enumerate(mean_squares_without_each_query(VALUES)):
        again = mean_squares(np.delete(VALUES, t, axis=1))
        assert (squares.systems, squares.queries) == (10, 11)
        assert squares.to_dict() == pytest.approx(again.to_dict(), rel=1e-12)


def test_leaving_out_each_system_equals_refitting_without_it():
    for s, squares in enumerate(mean_squares_without_each_system(VALUES)):
        again = mean_squares(np.delete(VALUES, s, axis=0))
        assert (squares.systems, squares.queries) == (9, 12)
        assert squares.to_dict() == pytest.approx(again.to_dict(), rel=1e-12)


def test_a_residual_that_lives_in_one_query_vanishes_with_it():
    # Found as a difference of sums, it would leave rounding errors of either sign behind.
    random = np.random.default_rng(0)
    for _ in range(20):
        values = random.random(4)[:, None] + random.random(6)
        values[:, 2] = 1000 * random.random(4)
        without = mean_squares_without_each_query(values)
        assert without[2].residual == 0
        assert without[0].residual > 0
