"""Shares of sign patterns by convolution against walking through all of them."""

import numpy as np
import pytest

from rankgauge.kernels.resampling import (
    BEYOND,
    COARSE,
    FINE,
    FINEST,
    SPREAD,
    _common_step,
    _shares_up_to,
    exact_flip_share,
    flip_share_bounds,
    lattice_cost,
)


@pytest.mark.parametrize("shift", [0.0, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("queries", [25, 28, 31])
def test_bounds_hold_the_exact_share_and_close_in_on_it(queries, shift):
    differences = np.random.default_rng(queries).standard_t(3, queries) + shift
    exact = exact_flip_share(differences)
    widths = []
    for fineness in (COARSE, FINE, FINEST):
        value, low, high = flip_share_bounds(differences, fineness)
        assert low <= exact <= high
        assert low <= value <= high
        widths.append(high / low - 1)
    assert widths[0] < 0.5
    assert widths[1] < 0.02
    assert widths[2] <= widths[1] <= widths[0]


def test_what_rounding_errors_leave_out_has_the_chance_of_hoeffdings_inequality():
    assert pytest.approx(2 * np.exp(-(SPREAD**2) / 2), rel=1e-12, abs=0) == BEYOND


def test_multiples_of_one_number_are_exact():
    draw = np.random.default_rng(1)
    differences = draw.integers(1, 5, 29) * np.where(draw.random(29) < 0.7, 1, -1) / 10
    for unit in (1.0, 2.0**-30, 2.0**30):
        assert flip_share_bounds(unit * differences)[1:] == pytest.approx(
            [exact_flip_share(differences)] * 2, rel=1e-12
        )


def test_many_queries_are_near_the_sampled_share():
    differences = np.random.default_rng(5).normal(0.08, 1, 700)
    value, low, high = flip_share_bounds(differences)
    signs = 1 - 2 * np.random.default_rng(6).integers(0, 2, size=(40_000, 700))
    sampled = np.mean(np.abs(signs @ differences) >= abs(differences.sum()))
    assert low - 0.004 < sampled < high + 0.004
    assert high / low < 1.3
    assert low < value < high


def test_tiny_shares_keep_their_digits():
    # Forty equal differences: only the observed signs and their mirror image reach the sum.
    assert flip_share_bounds(np.full(40, 0.3)) == pytest.approx((2.0**-39,) * 3, rel=1e-12)


def test_nothing_to_flip_is_certain():
    assert flip_share_bounds(np.zeros(50)) == (1.0, 1.0, 1.0)
    balanced = np.concatenate([np.arange(1, 31), -np.arange(1, 31)]) / 7
    assert flip_share_bounds(balanced) == (1.0, 1.0, 1.0)


def share_of_whole_numbers(numbers):
    """2 · the share of sign patterns whose sum reaches the observed one, by counting subsets with whole numbers."""
    sizes, total = [abs(number) for number in numbers], sum(map(abs, numbers))
    ways = [1] + [0] * total
    for size in sizes:
        ways = [count + (ways[at - size] if at >= size else 0) for at, count in enumerate(ways)]
    most = (total - abs(sum(numbers))) // 2  # what the flipped sizes may add up to
    return 2 * sum(ways[: most + 1]) / 2 ** len(numbers) if sum(numbers) else 1.0


@pytest.mark.parametrize("unit", [1.0, 0.1, 0.05, 1 / 3, 1e-3, 20.0])
@pytest.mark.parametrize("numbers", [(60, 4), (40, 9), (31, 2), (512, 1), (600, 1)], ids=str)
def test_many_multiples_of_one_number_have_the_share_that_whole_numbers_count(numbers, unit):
    queries, largest = numbers
    draw = np.random.default_rng(queries)
    whole = draw.integers(1, largest + 1, queries) * np.where(draw.random(queries) < 0.62, 1, -1)
    exact = share_of_whole_numbers(whole.tolist())
    value, low, high = flip_share_bounds(whole * unit)
    assert low == value == high == pytest.approx(exact, rel=1e-9)
    with_zeros = np.concatenate((whole * unit, np.zeros(7)))
    assert flip_share_bounds(with_zeros) == pytest.approx((exact,) * 3, rel=1e-9)


def test_sizes_without_a_common_step_have_a_share_between_two_bounds():
    differences = np.random.default_rng(2).normal(0.2, 1, 60)
    value, low, high = flip_share_bounds(differences)
    assert low < value < high <= 1
    nearly = np.full(60, 1.0) + np.random.default_rng(3).uniform(-1e-3, 1e-3, 60)  # near a step, but not on it
    nearly[:20] *= -1
    value, low, high = flip_share_bounds(nearly)
    assert low < high


def test_bounds_never_leave_what_a_share_can_be():
    draw = np.random.default_rng(4)
    for queries in (26, 60, 300):
        for center in (0.0, 0.01, 3.0):
            differences = draw.normal(center, 1, queries)
            value, low, high = flip_share_bounds(differences)
            assert 2.0 ** (1 - queries) <= low <= value <= high <= 1


def test_every_pattern_is_counted_where_few_queries_differ():
    differences = np.array([1.0, 1.0, -0.5, 0.0, 0.25, 1.0, 0.0])
    signs = np.array(np.meshgrid(*[[-1, 1]] * 7)).reshape(7, -1).T
    share = np.mean(np.abs(signs @ differences) >= abs(differences.sum()) - 1e-12)
    assert exact_flip_share(differences) == share
    assert flip_share_bounds(differences) == (share, share, share)
    assert exact_flip_share(np.zeros(3)) == 1


def test_differences_of_no_step_double_the_subsets_that_add_up_to_nothing():
    assert _shares_up_to(np.array([0, 0, 5]), 0.0).tolist() == [0.5]
    assert _shares_up_to(np.array([0, 1, 2]), 3.0).tolist() == [0.25, 0.5, 0.75, 1.0]


@pytest.mark.parametrize(("large", "small"), [(20, 10), (24, 6)])
def test_bounds_hold_where_differences_too_small_for_the_lattice_count_too(large, small):
    differences = np.concatenate((np.ones(large), np.full(small // 2, 1e-9), np.full(small // 2, -1e-9)))
    _, low, high = flip_share_bounds(differences)
    assert low <= exact_flip_share(differences) <= high


def test_sizes_that_are_only_nearly_multiples_of_one_number_get_bounds_as_any_others():
    """Steps of the number that they nearly share would be exact for other sizes, not for these."""
    draw = np.random.default_rng(4)
    sizes = draw.integers(1, 9, 28) / 10 + draw.uniform(-4e-8, 4e-8, 28)
    differences = sizes * np.where(draw.random(28) < 0.7, 1, -1)
    assert _common_step(np.sort(sizes)) == 0.0
    value, low, high = flip_share_bounds(differences)
    assert low <= exact_flip_share(differences) <= high
    assert low < value < high < 1.5 * low


def test_few_differences_are_walked_through_and_more_if_finer_bounds_are_wanted():
    draw = np.random.default_rng(8)
    for queries, fineness, is_exact in ((3, COARSE, True), (24, COARSE, True), (25, COARSE, False)):
        differences = draw.normal(0.3, 1, queries)
        value, low, high = flip_share_bounds(differences, fineness)
        assert (low == value == high == exact_flip_share(differences)) == is_exact
    for queries, is_exact in ((30, True), (31, False)):
        _, low, high = flip_share_bounds(draw.normal(0.3, 1, queries), FINE)
        assert (low == high) == is_exact


def test_multiples_but_for_the_digits_of_a_file_are_exact():
    draw = np.random.default_rng(9)
    whole = draw.integers(1, 9, 40) * np.where(draw.random(40) < 0.7, 1, -1)
    value, low, high = flip_share_bounds(whole / 10 + draw.uniform(-1e-10, 1e-10, 40))
    assert low == value == high == pytest.approx(flip_share_bounds(whole / 10)[0], rel=1e-12)


def test_many_multiples_have_a_common_step_however_many_they_are():
    draw = np.random.default_rng(10)
    assert _common_step(0.15 * np.sort(draw.integers(2, 4, 2500))) == pytest.approx(0.15)


def test_a_common_step_is_of_use_up_to_8192_of_them():
    sizes = np.sort(np.append(np.arange(100.0, 120.0), 1.0))
    assert _common_step(np.append(sizes, 8192 - sizes.sum())) == 1.0
    assert _common_step(np.append(sizes, 8193 - sizes.sum())) == 0.0


def test_what_rounding_may_add_up_to_is_left_out_only_where_it_is_certain():
    """Of 200 rounded sizes the errors add up to less than is possible but for a chance, which the bounds must hold."""
    draw = np.random.default_rng(11)
    few, many = (flip_share_bounds(draw.uniform(0.5, 1.5, queries)) for queries in (60, 200))
    assert few[2] < 1e-15
    assert many[2] >= 2 * np.exp(-32)
    assert many[1] == 2.0**-199


def test_a_share_is_between_the_smallest_number_and_1():
    assert flip_share_bounds(np.ones(1001)) == (2.0**-999,) * 3
    differences = np.random.default_rng(12).normal(size=60)
    differences -= differences.mean() - 1e-6
    assert flip_share_bounds(differences)[2] == 1.0


def test_the_cost_is_half_of_the_steps_for_every_difference():
    assert lattice_cost(10) == 0.5 * 10 * 2048
    assert lattice_cost(100) == 0.5 * 100 * 6400
