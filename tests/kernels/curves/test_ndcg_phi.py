"""nDCG with phi, written out by its formula: Table 1 of Moniz, Torgo and Vinagre and the constants of its Figure 2."""

import numpy as np
import pytest

from rankgauge.kernels.curves import phi


def ndcg(gains, cutoff):
    """Gains in system order; the list is the whole pool."""
    gains = np.asarray(gains, dtype=float)
    weights = 1 / np.log2(np.arange(2, cutoff + 2))
    ideal = np.sort(gains)[::-1][:cutoff]
    return (gains[:cutoff] @ weights) / (ideal @ weights)


def phi_of(scores, settings=phi.PAPER):
    values = np.array(scores, dtype=float)
    return phi.evaluate(phi.fit(values, np.array([0, len(values)]), settings), np.zeros(len(values), dtype=int), values)


DAY_1, DAY_2 = [100, 80, 90, 15, 10], [100, 20, 90, 15, 10]  # popularity in the order of the system


@pytest.mark.parametrize(
    ("settings", "day_1", "day_2"), [(phi.PAPER, 0.969593, 0.935632), (phi.AUTHORS, 0.969360, 0.935004)]
)
def test_table_1_penalises_the_swap_of_unequal_items_more(settings, day_1, day_2):
    assert ndcg(2 ** phi_of(DAY_1, settings) - 1, 5) == pytest.approx(day_1, abs=5.1e-7)
    assert ndcg(2 ** phi_of(DAY_2, settings) - 1, 5) == pytest.approx(day_2, abs=5.1e-7)


def test_grades_by_rank_are_blind_to_the_gap():
    grades = np.array([4, 2, 3, 1, 0])  # the same on both days
    assert ndcg(2.0**grades - 1, 5) == pytest.approx(0.975467, abs=5.1e-7)
    assert ndcg(grades, 5) == pytest.approx(0.982122, abs=5.1e-7)


def test_raw_scores_as_linear_gains():
    assert ndcg(DAY_1, 5) == pytest.approx(0.993678, abs=5.1e-7)
    assert ndcg(DAY_2, 5) == pytest.approx(0.948253, abs=5.1e-7)


def test_the_lines_of_figure_2():
    grades = np.repeat([3, 2, 1, 0], [10, 15, 25, 50])  # the ad-hoc grades of ranks 1 to 100
    loses_the_tenth = np.r_[0:9, 10, 9, 11:100]
    reversed_ten = np.r_[9:-1:-1, 10:100]
    assert ndcg(2.0 ** grades[loses_the_tenth] - 1, 10) == pytest.approx(0.963645, abs=5.1e-7)
    assert ndcg(grades[loses_the_tenth], 10) == pytest.approx(0.978793, abs=5.1e-7)
    assert ndcg(2.0 ** grades[reversed_ten] - 1, 10) == 1


# Quartiles of 1,000 samples of 100 scores, default_rng(20170101) for each; a tenth of the box is three standard errors.
@pytest.mark.parametrize(
    ("ranges", "settings", "lost_tenth", "reversed_ten"),
    [
        ([(1, 1000, 100)], phi.PAPER, [0.996740, 0.998269, 0.999218], [0.883801, 0.906183, 0.926108]),
        ([(1, 100, 90), (100, 1000, 10)], phi.PAPER, [0.985411, 0.991513, 0.995981], [0.651019, 0.687946, 0.727306]),
        ([(1, 100, 90), (100, 1000, 10)], phi.AUTHORS, [0.986391, 0.991916, 0.995806], [0.666166, 0.709167, 0.759352]),
    ],
    ids=["balanced", "imbalanced", "imbalanced-authors"],
)
def test_the_boxes_of_figure_2(ranges, settings, lost_tenth, reversed_ten):
    rng = np.random.default_rng(20170101)
    values = []
    for _ in range(1000):
        scores = np.sort(np.concatenate([rng.integers(low, high, n, endpoint=True) for low, high, n in ranges]))[::-1]
        gains = 2 ** phi_of(scores, settings) - 1
        values.append([ndcg(gains[np.r_[0:9, 10, 9, 11:100]], 10), ndcg(gains[np.r_[9:-1:-1, 10:100]], 10)])
    for found, expected in zip(
        np.quantile(values, [0.25, 0.5, 0.75], axis=0).T, (lost_tenth, reversed_ten), strict=True
    ):
        assert found == pytest.approx(expected, abs=0.1 * (expected[2] - expected[0]))


def err(relevance):
    satisfied = (2 ** np.asarray(relevance) - 1) / 2
    return np.sum(satisfied * np.cumprod(np.r_[1, 1 - satisfied[:-1]]) / np.arange(1, len(satisfied) + 1))


def rbp(relevance, patience=0.8):
    return (1 - patience) * np.sum(np.asarray(relevance) * patience ** np.arange(len(relevance)))


@pytest.mark.parametrize(
    ("measure", "day_1", "day_2"), [(err, 0.978769, 0.949591), (rbp, 0.956522, 0.923380)], ids=["nERR", "nRBP"]
)
def test_other_measures_with_phi_penalise_day_2_more(measure, day_1, day_2):
    for scores, expected in ((DAY_1, day_1), (DAY_2, day_2)):
        relevance = phi_of(scores)
        assert measure(relevance) / measure(np.sort(relevance)[::-1]) == pytest.approx(expected, abs=5.1e-7)
