import itertools

import numpy as np
import pytest

from rankgauge.kernels.resampling import (
    bootstrap_means,
    centre,
    count_blocks,
    exact_flip_share,
    flip_blocks,
    flips_as_extreme,
    studentised,
)


def share_by_walking_through(differences):
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    return np.mean([value >= abs(sum(differences)) - 1e-9 for value in sums])


@pytest.mark.parametrize("blocks", [flip_blocks, count_blocks])
@pytest.mark.parametrize("queries", [1, 7, 64, 65, 200])
def test_draws_do_not_depend_on_the_size_of_the_blocks(blocks, queries):
    whole = np.concatenate(list(blocks(queries, 50, 3)))
    pieces = np.concatenate(list(blocks(queries, 50, 3, cells=3 * queries)))
    assert whole.shape == (50, queries)
    np.testing.assert_array_equal(whole, pieces)


def test_blocks_stay_within_their_cells():
    sizes = [block.size for block in flip_blocks(1000, 500, 1, beside=1000, cells=20_000)]
    assert max(sizes) <= 10_000
    assert sum(sizes) == 500_000


@pytest.mark.parametrize("blocks", [flip_blocks, count_blocks])
def test_another_seed_draws_something_else(blocks):
    assert not np.array_equal(next(blocks(100, 5, 1)), next(blocks(100, 5, 2)))


def test_every_query_is_flipped_in_half_of_the_draws():
    flips = np.concatenate(list(flip_blocks(70, 20_000, 1)))
    assert set(np.unique(flips)) == {0.0, 1.0}
    # Five standard errors of a share of 20,000 fair coins.
    assert np.abs(flips.mean(axis=0) - 0.5).max() < 5 * 0.5 / np.sqrt(20_000)
    neighbours = np.abs(np.corrcoef(flips.T) - np.eye(70)).max()
    assert neighbours < 5 / np.sqrt(20_000)


def test_bootstrap_samples_have_as_many_queries_as_the_data():
    counts = np.concatenate(list(count_blocks(30, 20_000, 1)))
    assert (counts.sum(axis=1) == 30).all()
    # Each count is binomial(30, 1/30): mean 1, variance 29/30.
    assert np.abs(counts.mean(axis=0) - 1.0).max() < 5 / np.sqrt(20_000)
    assert counts.var() == pytest.approx(29 / 30, rel=0.02)


@pytest.mark.parametrize(
    "differences",
    [
        [0.3, -0.1, 0.2],
        [0.1, 0.1, 0.1, 0.1],
        [0.3 - 0.2, 0.7 - 0.6, -0.1, 0.2],
        [0.5, 0.0, 0.0, -0.2, 0.4, 0.4, 0.1, -0.3, 0.0],
        [1e-9, 2e-9, -1e-9],
        [5.0, -5.0],
        [0.25],
        [],
    ],
)
def test_the_exact_share_equals_walking_through_all_patterns(differences):
    assert exact_flip_share(np.array(differences)) == pytest.approx(share_by_walking_through(differences), abs=1e-15)


def test_sampled_flips_approach_the_exact_share():
    differences = np.random.default_rng(5).normal(0.3, 1.0, size=(1, 20))
    share = exact_flip_share(differences[0])
    found = flips_as_extreme(differences, 40_000, 1)[0] / 40_000
    assert found == pytest.approx(share, abs=5 * np.sqrt(share * (1 - share) / 40_000))


def test_sums_that_only_rounding_tells_apart_are_equal():
    # 0.3 - 0.2 and 0.7 - 0.6 are 0.1 with other last bits: in exact arithmetic 12 of 32 sums are as far from 0 as 0.3.
    differences = np.array([[0.3 - 0.2, 0.7 - 0.6, 0.1, 0.9 - 0.8, 0.4 - 0.5]])
    found = flips_as_extreme(differences, 20_000, 1)[0] / 20_000
    assert found == pytest.approx(12 / 32, abs=0.02)


def test_a_row_of_zeros_is_always_as_extreme():
    assert flips_as_extreme(np.zeros((2, 30)), 100, 1).tolist() == [100, 100]


def test_a_missing_query_may_stand_as_zero():
    differences = np.random.default_rng(1).normal(0.2, 1.0, size=40)
    with_gaps = np.where(np.arange(40) % 3 == 0, 0.0, differences)
    without = differences[np.arange(40) % 3 != 0]
    a = flips_as_extreme(with_gaps[np.newaxis], 20_000, 1)[0]
    b = flips_as_extreme(without[np.newaxis], 20_000, 2)[0]
    assert a / 20_000 == pytest.approx(b / 20_000, abs=0.02)


def test_a_row_is_not_changed_by_its_neighbours():
    rows = np.random.default_rng(2).normal(size=(9, 50))
    together = flips_as_extreme(rows, 2_000, 4)
    assert [flips_as_extreme(rows[i : i + 1], 2_000, 4)[0] for i in range(9)] == together.tolist()


@pytest.mark.parametrize("draw", [flips_as_extreme, bootstrap_means])
def test_progress_ends_at_the_number_of_samples(draw):
    seen = []
    draw(np.ones((2, 60_000)), 30, 1, progress=lambda done, total: seen.append((done, total)))
    assert len(seen) > 1
    assert seen == sorted(seen)
    assert seen[-1] == (30, 30)


def test_bootstrap_means_are_means_of_the_drawn_queries():
    values = np.random.default_rng(3).normal(size=(4, 12))
    drawn = np.random.default_rng(8).integers(0, 12, size=(25, 12))
    np.testing.assert_allclose(bootstrap_means(values, 25, 8), values[:, drawn].mean(axis=2), rtol=1e-13)


def test_bootstrap_means_leave_missing_cells_out():
    values = np.random.default_rng(3).normal(size=(2, 12))
    values[1, 2:7] = np.nan
    drawn = np.random.default_rng(8).integers(0, 12, size=(25, 12))
    np.testing.assert_allclose(bootstrap_means(values, 25, 8), np.nanmean(values[:, drawn], axis=2), rtol=1e-13)


def test_a_sample_without_any_query_of_a_row_has_no_mean():
    values = np.array([[0.5, np.nan, np.nan, np.nan]])
    means = bootstrap_means(values, 50, 1)
    assert np.isnan(means).any()
    assert set(means[~np.isnan(means)]) == {0.5}


def test_studentised_means_are_t_statistics():
    centred = centre(np.random.default_rng(3).normal(size=(3, 15)))
    counts = next(count_blocks(15, 40, 6))
    means, squared = studentised(centred, np.ones((3, 15), dtype=bool), counts)
    for row in range(3):
        for b in range(40):
            sample = np.repeat(centred[row], counts[b].astype(int))
            t = sample.mean() / (sample.std(ddof=1) / np.sqrt(15))
            assert means[row, b] == pytest.approx(sample.mean(), abs=1e-14)
            assert squared[row, b] == pytest.approx(t * t, rel=1e-9)


def test_studentised_means_leave_missing_cells_out():
    values = np.random.default_rng(3).normal(size=(1, 15))
    values[0, :5] = np.nan
    counts = next(count_blocks(15, 40, 6))
    means, squared = studentised(centre(values), ~np.isnan(values), counts)
    for b in range(40):
        sample = np.repeat(centre(values)[0, 5:], counts[b, 5:].astype(int))
        t = sample.mean() / (sample.std(ddof=1) / np.sqrt(len(sample)))
        assert means[0, b] == pytest.approx(sample.mean(), abs=1e-14)
        assert squared[0, b] == pytest.approx(t * t, rel=1e-9)


def test_a_sample_without_variance_has_an_infinite_t_unless_its_mean_is_0():
    counts = np.array([[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [1.0, 1.0, 1.0]])
    centred = np.array([[0.1, 0.0, -0.1]])
    _, squared = studentised(centred, np.ones((1, 3), dtype=bool), counts)
    assert squared.tolist() == [[np.inf, 0.0, 0.0]]


def test_equal_differences_are_0_once_centred():
    centred = centre(np.array([[0.1 + 0.2, 0.3, 0.3], [0.5, np.nan, 0.1]]))
    assert centred[0].tolist() == [0.0, 0.0, 0.0]
    assert centred[1].tolist() == pytest.approx([0.2, 0.0, -0.2])


def test_a_sample_with_one_query_of_a_row_has_its_mean_and_no_variance():
    means, squared = studentised(np.array([[1.0, 0.0]]), np.array([[True, False]]), np.array([[1.0, 1.0], [0.0, 2.0]]))
    assert means.tolist() == [[1.0, 0.0]]
    assert squared.tolist() == [[np.inf, 0.0]]


def test_every_query_beyond_a_word_of_bits_is_flipped_half_of_the_time():
    flipped = np.concatenate(list(flip_blocks(65, 4000, 1)))
    assert flipped.shape == (4000, 65)
    assert np.abs(flipped.mean(axis=0) - 0.5).max() < 0.05


def test_what_rounding_leaves_of_equal_differences_is_0_beside_missing_ones():
    nan = np.nan
    rows = np.array([[0.1 + 0.2, 0.3, 0.3, nan], [0.4, nan, nan, nan], [nan, nan, nan, nan]])
    assert not centre(rows).any()
