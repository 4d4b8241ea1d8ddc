import numpy as np
import pytest

import rankgauge
from cubes import scores_of
from rankgauge.evaluation.scores import weighted


@pytest.fixture
def scores():
    random = np.random.default_rng(5)
    values = np.linspace(0.3, 0.6, 6)[:, None] + random.normal(0, 0.1, (1, 40)) + random.normal(0, 0.1, (6, 40))
    return rankgauge.Scores.from_matrix(values, rows="systems")


def test_equal_weights_change_nothing_and_only_their_ratios_count(scores):
    weights = np.linspace(0.5, 3.0, 40)
    plain, equal, once, twice = (
        rankgauge.stability(one).parts[0]
        for one in (scores, *(weighted(scores, w) for w in (np.full(40, 2.0), weights, 2 * weights)))
    )
    assert equal.dependability().to_dict() == pytest.approx(plain.dependability().to_dict())
    assert twice.dependability().to_dict() == pytest.approx(once.dependability().to_dict())
    assert once.dependability().value != pytest.approx(plain.dependability().value, abs=1e-3)
    assert [note.kind for note in rankgauge.stability(weighted(scores, weights)).notes].count("weights") == 1


def test_the_noise_of_weighted_means_is_what_the_study_says():
    random = np.random.default_rng(6)
    values, weights = random.normal(0, 0.2, (3, 200_000)), random.exponential(1, 200_000)
    # Heavier queries scatter more, so that forgetting either would show.
    values *= np.sqrt(weights)
    study = rankgauge.stability(weighted(rankgauge.Scores.from_matrix(values, rows="systems"), weights)).parts[0]
    sets = values.reshape(3, -1, 50), weights.reshape(-1, 50)
    means = (sets[0] * sets[1]).sum(axis=2) / sets[1].sum(axis=1)
    assert study.variance.residual / 50 == pytest.approx(means.var(axis=1).mean(), rel=0.1)


def test_dropped_systems_are_the_worst_by_weighted_mean(scores):
    values = scores.matrix().copy()
    values[5, 0], weights = -50.0, np.ones(40)
    weights[0] = 1e-6
    light = weighted(rankgauge.Scores.from_matrix(values, rows="systems"), weights)
    assert rankgauge.stability(light, drop=0.1).parts[0].systems_left_out == ("system1",)
    assert rankgauge.stability(scores_of(values), drop=0.1).parts[0].systems_left_out == ("system6",)
