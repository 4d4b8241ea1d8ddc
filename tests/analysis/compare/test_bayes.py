import numpy as np
import pytest

import rankgauge
from cubes import scores_of
from rankgauge.analysis.compare.statistics.families import two_way
from rankgauge.analysis.compare.statistics.shrinkage import SCALES, scale_weights
from rankgauge.errors import UsageError
from rankgauge.evaluation.intervals import linearized
from rankgauge.evaluation.scores import weighted


def field(seed=1, systems=20, queries=40, apart=0.05, noise=0.15):
    random = np.random.default_rng(seed)
    true = random.normal(0.5, apart, systems)
    return true, true[:, None] + random.normal(0, 0.1, queries) + random.normal(0, noise, (systems, queries))


def test_probabilities_are_true_as_often_as_they_say():
    said, true = [], []
    for seed in range(60):
        truth, values = field(seed)
        found = rankgauge.compare(scores_of(values), test="t", bayes=True).parts[0].pairs
        said += [pair.bayes.better for pair in found]
        true += list(truth[1:] > truth[0])
    said, true = np.array(said), np.array(true)
    for low, high in ((0.0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 1.0)):
        inside = (said >= low) & (said < high)
        assert np.mean(true[inside]) == pytest.approx(np.mean(said[inside]), abs=0.08)


def test_differences_shrink_the_more_the_more_alike_systems_are():
    shares = []
    for apart in (0.0, 0.02, 0.5):
        pairs = rankgauge.compare(scores_of(field(3, apart=apart)[1]), test="t", bayes=True).parts[0].pairs
        shares.append(np.median([pair.bayes.difference / pair.difference for pair in pairs]))
    assert 0 < shares[0] < shares[1] < shares[2]
    assert shares[2] == pytest.approx(1, abs=0.01)


def test_intervals_hold_the_true_difference_and_the_margin_splits_what_is_left():
    held = []
    for seed in range(60):
        truth, values = field(seed, systems=12)
        pairs = rankgauge.compare(scores_of(values), test="t", bayes=True, equivalence=0.03).parts[0].pairs
        held += [p.bayes.low <= t - truth[0] <= p.bayes.high for p, t in zip(pairs, truth[1:], strict=True)]
        assert all(p.bayes.margin == 0.03 and p.bayes.better + p.bayes.worse < 1 for p in pairs)
    assert 0.92 <= np.mean(held) <= 0.98


def test_the_scale_of_systems_is_learned_from_all_of_them():
    known = {}
    for systems in (3, 60):
        weights = scale_weights(two_way(field(5, systems=systems, apart=0.15, noise=0.15)[1]))
        middle = np.exp(weights @ np.log(SCALES))
        known[systems] = np.sqrt(weights @ np.square(np.log(SCALES / middle))), middle
    assert known[60][0] < known[3][0]
    assert known[60][1] == pytest.approx(1.0, rel=0.3)


def test_equal_and_noiseless_systems_end_in_numbers():
    same = (
        rankgauge.compare(scores_of([[0.1, 0.5, 0.9], [0.1, 0.5, 0.9], [0.2, 0.3, 0.4]]), bayes=True)
        .parts[0]
        .pairs[0]
        .bayes
    )
    assert same.better == pytest.approx(0.5)
    exact = rankgauge.compare(scores_of([[0.1, 0.5, 0.9], [0.2, 0.6, 1.0]]), bayes=True).parts[0].pairs[0].bayes
    assert (exact.better, exact.worse) == (1, 0)
    assert exact.difference == pytest.approx(0.1)


def test_queries_with_weight_and_with_gaps_count_as_in_the_comparison():
    values = field(7)[1]
    weights = np.linspace(1, 4, 40)
    scores = weighted(rankgauge.Scores.from_matrix(values, rows="systems"), weights)
    moved = rankgauge.compare(scores_of(linearized(values, weights)), test="t", bayes=True).parts[0].pairs[0].bayes
    assert rankgauge.compare(scores, test="t", bayes=True).parts[0].pairs[0].bayes == moved
    assert (
        moved.difference
        != rankgauge.compare(scores_of(values), test="t", bayes=True).parts[0].pairs[0].bayes.difference
    )
    values[1, 3] = np.nan
    assert 0 < rankgauge.compare(scores_of(values), test="t", bayes=True).parts[0].pairs[0].bayes.better < 1


def test_shown_in_text_and_tables_and_refused_where_it_has_no_meaning():
    found = rankgauge.compare(scores_of(field()[1]), test="t", bayes=True, equivalence=0.02)
    assert "how likely" in str(found)
    assert "within 0.02" in str(found)
    assert "bayes_better" in [column.name for column in found.wide_table().columns]
    assert "bayes" not in rankgauge.compare(scores_of(field()[1]), test="t").to_dict()["measures"]["score"]["pairs"][0]
    with pytest.raises(UsageError, match="bayes"):
        rankgauge.compare(scores_of(field()[1]), bayes=True, by={f"query{n}": "a" for n in range(1, 41)})
