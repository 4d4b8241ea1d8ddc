import itertools
import math

import numpy as np
import pytest

from rankgauge.errors import UsageError
from rankgauge.kernels import matrices
from rankgauge.kernels.matrices import ndcg


def log2_weights(depth):
    return 1 / np.log2(np.arange(2, depth + 2))


def one(gains, scores, weights, **options):
    return float(ndcg(np.asarray([gains]), np.asarray([scores]), weights, **options)[0])


def of_all_orders(gains, scores, weights):
    """The nDCG of every order that falls with the score, straight from the definition."""
    ideal = sum(map(math.prod, zip(sorted(gains, reverse=True), weights, strict=False)))
    for order in itertools.permutations(range(len(gains))):
        if all(scores[a] >= scores[b] for a, b in itertools.pairwise(order)):
            yield sum(gains[item] * weight for item, weight in zip(order, weights, strict=False)) / ideal


@pytest.mark.parametrize(
    ("depth", "mean", "worst", "best"),
    [(6, 0.931863, 0.891302, 0.972425), (3, 0.785070, 0.665164, 0.904977), (2, 0.851959, 0.703918, 1.000000)],
)
def test_tied_scores_take_the_mean_the_worst_or_the_best(depth, mean, worst, best):
    # Worked by hand with the closed form of McSherry & Najork 2008.
    gains, scores, weights = [3, 2, 0, 1, 2, 0], [0.9, 0.5, 0.5, 0.5, 0.1, 0.1], log2_weights(depth)
    assert one(gains, scores, weights) == pytest.approx(mean, abs=5e-7)
    assert one(gains, scores, weights, ties="worst") == pytest.approx(worst, abs=5e-7)
    assert one(gains, scores, weights, ties="best") == pytest.approx(best, abs=5e-7)


@pytest.mark.parametrize("spare", [1, 3, 6])
@pytest.mark.parametrize("depth", range(1, 9))
@pytest.mark.parametrize(
    "scores",
    [
        (1, 2, 3, 4, 5, 6, 7),
        (0, 0, 0, 0, 0, 0, 0),
        (1, 1, 0, 0, 0, 2, 2),
        (0, 0.0, -0.0, 5e-324, -5e-324, -1, 0),
        (1, 1 + 2**-52, 1 + 2**-51, 1, 1 - 2**-53, 1, 2),
        (-3, -3, -(3 + 2**-51), -3, -3, -(3 - 2**-51), -9),
    ],
)
def test_tie_rules_are_the_ends_and_the_mean_of_all_orders(scores, depth, spare, monkeypatch):
    monkeypatch.setattr(matrices, "SPARE", spare)
    gains, weights = (3, 1, 0.1, 0, 7, 2, 1), log2_weights(depth)
    values = list(of_all_orders(gains, scores, weights))
    assert one(gains, scores, weights) == pytest.approx(np.mean(values), abs=1e-12)
    assert one(gains, scores, weights, ties="worst") == pytest.approx(min(values), abs=1e-12)
    assert one(gains, scores, weights, ties="best") == pytest.approx(max(values), abs=1e-12)


def test_equal_scores_can_keep_the_order_of_their_columns():
    scores = [0.5, 0.9, 0.5, 0.5, 0.1]
    assert one([0, 0, 1, 0, 0], scores, log2_weights(5), ties="order") == pytest.approx(1 / math.log2(1 + 3))
    assert one([0, 0, 0, 1, 0], scores, log2_weights(5), ties="order") == pytest.approx(1 / math.log2(1 + 4))


@pytest.mark.parametrize("columns", [1, 2, 7, 130, 600])
@pytest.mark.parametrize("depth", [1, 5, 129, 1000])
@pytest.mark.parametrize("levels", [2, 40, 10_000_000])
def test_matrices_agree_with_sorting_each_row(columns, depth, levels):
    draw = np.random.default_rng([columns, depth, levels])
    gains = draw.integers(0, 4, (90, columns)) * draw.choice([1, 0.1, 1e300], (90, 1))
    scores = draw.integers(-levels, levels, (90, columns)) / 7
    weights = log2_weights(depth)
    for row, value in enumerate(ndcg(gains, scores, weights)):
        expected = _by_tie_blocks(gains[row], scores[row], weights[:columns])
        assert value == pytest.approx(expected, rel=1e-12, nan_ok=True)


def _by_tie_blocks(gains, scores, weights):
    reached, rank = 0.0, 0
    for score in sorted(set(scores.tolist()), reverse=True):
        block = gains[scores == score]
        reached += block.mean() * weights[rank : rank + len(block)].sum()
        rank += len(block)
    ideal = (np.sort(gains)[::-1][: len(weights)] * weights).sum()
    return reached / ideal if ideal > 0 else math.nan


def test_scores_that_differ_only_where_the_column_stands_are_still_told_apart():
    # 128 columns take the last seven bits of a double: these scores differ in nothing else.
    scores = 1 + np.arange(128) * 2.0**-52
    gains = np.arange(128.0)
    draw = np.random.default_rng(3)
    for _ in range(20):
        mixed = draw.permutation(128)
        assert one(gains[mixed], scores[mixed], log2_weights(10)) == 1
        assert one(gains[mixed], -scores[mixed], log2_weights(10)) == pytest.approx(
            one(gains, -scores, log2_weights(10))
        )


def test_a_higher_score_beyond_the_spare_columns_is_not_lost():
    # All 200 scores share their leading bits; the one item that matters is the highest, wherever it stands.
    scores = np.ones(200)
    scores[[3, 150]] = 1 + 2.0**-52
    gains = np.zeros(200)
    gains[3] = 1
    weights = log2_weights(2)
    assert one(gains, scores, weights) == pytest.approx(weights.mean())
    assert one(np.roll(gains, 147), scores, weights) == pytest.approx(weights.mean())


def test_zeros_of_both_signs_are_one_score():
    assert one([1, 0], [-0.0, 0.0], [1.0]) == 0.5
    assert one([0, 1], [-0.0, 0.0], [1.0]) == 0.5


def test_a_row_without_gain_is_undefined():
    assert np.isnan(ndcg([[0, 0], [0, 1]], [[1, 2], [1, 2]], [1.0])).tolist() == [True, False]


def test_matrices_without_rows_columns_or_weights():
    assert ndcg(np.zeros((0, 3)), np.zeros((0, 3)), [1.0]).shape == (0,)
    assert np.isnan(ndcg(np.zeros((2, 0)), np.zeros((2, 0)), [1.0])).all()
    assert np.isnan(ndcg([[1.0]], [[1.0]], [])).all()


def test_a_cutoff_beyond_the_columns_changes_nothing():
    draw = np.random.default_rng(5)
    gains, scores = draw.random((50, 9)), draw.random((50, 9))
    assert np.array_equal(ndcg(gains, scores, log2_weights(9)), ndcg(gains, scores, log2_weights(500)))


def test_weights_that_rise_are_measured_against_the_largest_attainable_sum():
    # The best order of gains 3, 2, 1 on weights 1/4, 1, 1/2 puts the 3 second and the 2 third.
    assert one([2, 3, 1], [3, 2, 1], [0.25, 1, 0.5]) == pytest.approx((2 / 4 + 3 + 1 / 2) / (3 + 2 / 2 + 1 / 4))
    assert one([1, 3, 2], [3, 2, 1], [0.25, 1, 0.5]) == 1


@pytest.mark.parametrize("ties", ["worst", "best"])
def test_the_ends_need_falling_weights(ties):
    with pytest.raises(UsageError, match="never rise"):
        ndcg([[1, 2]], [[1, 2]], [1, 2], ties=ties)


def test_an_unknown_tie_rule_is_refused():
    with pytest.raises(UsageError, match="did you mean 'worst'"):
        ndcg([[1, 2]], [[1, 2]], [1, 2], ties="wurst")


@pytest.mark.parametrize(("gains", "scores"), [([1, 2], [1, 2]), ([[1, 2]], [[1, 2, 3]]), ([[1], [2]], [[1, 2]])])
def test_matrices_of_other_shapes_are_refused(gains, scores):
    with pytest.raises(UsageError, match="two matrices of one shape"):
        ndcg(gains, scores, [1.0])


@pytest.mark.parametrize(
    "dtype", [np.bool_, np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float32, np.float64, np.longdouble]
)
def test_numbers_of_any_kind_give_the_same_value(dtype):
    gains, scores = np.array([[1, 0, 1, 0]]), np.array([[0, 1, 1, 0]])
    expected = ndcg(gains, scores, log2_weights(3))
    assert np.array_equal(ndcg(gains.astype(dtype), scores.astype(dtype), log2_weights(3)), expected)


@pytest.mark.parametrize("offset", [2**53, 2**62, -(2**62)])
def test_neighbouring_large_integers_are_different_scores(offset):
    assert one([1, 2, 3], [offset + 1, offset + 2, offset + 3], log2_weights(3)) == 1
    assert one([0, 1], np.array([2**64 - 2, 2**64 - 1], np.uint64), log2_weights(1)) == 1


def test_rows_have_the_same_bits_in_every_company_and_with_any_number_of_threads(monkeypatch):
    draw = np.random.default_rng(8)
    gains, scores = draw.random((400, 50)).astype(np.float32) ** 2, draw.normal(size=(400, 50)).round(1)
    together = ndcg(gains, scores, log2_weights(10), threads=1)
    monkeypatch.setattr(matrices, "BLOCK_ITEMS", 300)
    assert np.array_equal(ndcg(gains, scores, log2_weights(10), threads=3), together)
    assert [one(gains[row], scores[row], log2_weights(10)) for row in range(400)] == together.tolist()


def test_arrays_in_any_layout_are_read_right():
    draw = np.random.default_rng(9)
    gains, scores = draw.random((40, 30)), draw.normal(size=(40, 30)).round(1)
    expected = ndcg(gains, scores, log2_weights(5))
    assert np.array_equal(ndcg(np.asfortranarray(gains), scores[::-1][::-1], log2_weights(5)), expected)
    wide = np.repeat(scores, 2, axis=1)
    assert np.array_equal(ndcg(gains, wide[:, ::2], log2_weights(5)), expected)
    assert wide.tolist() == np.repeat(scores, 2, axis=1).tolist()


def test_inputs_are_left_as_they_were():
    draw = np.random.default_rng(10)
    gains, scores = draw.random((20, 40)), draw.normal(size=(20, 40)).round(1)
    before = gains.copy(), scores.copy()
    ndcg(gains, scores, log2_weights(10))
    assert np.array_equal(gains, before[0])
    assert np.array_equal(scores, before[1])


@pytest.mark.parametrize("threads", [1, 2])
def test_what_fails_in_a_block_is_raised(monkeypatch, threads):
    def fail(*_):
        raise MemoryError

    monkeypatch.setattr(matrices, "BLOCK_ITEMS", 1)
    monkeypatch.setattr(matrices, "_largest", fail)
    with pytest.raises(MemoryError):
        ndcg([[1], [2], [3]], [[1], [2], [3]], [1.0], threads=threads)


@pytest.mark.parametrize("ties", ["worst", "best"])
def test_equal_weights_do_not_rise(ties):
    assert one([1, 0], [1, 1], [1, 1], ties=ties) == 1


def test_the_largest_gains_come_first_also_below_zero():
    gains = np.array([[-1.0, 2.0, -3.0], [0.0, -2.0, -1.0]])
    assert matrices._largest(gains, 3)[:, :3].tolist() == [[2, -1, -3], [0, -1, -2]]
    assert matrices._largest(gains, 1)[:, :1].tolist() == [[2], [0]]


@pytest.mark.parametrize(("step", "precisions"), [(1e-3, [True]), (1e-6, [True, False]), (1e-11, [True, False])])
def test_scores_that_single_precision_cannot_tell_apart_are_ordered_in_double(step, precisions, monkeypatch):
    draw = np.random.default_rng(3)
    # Each row has an offset of its own, so that what is far below the highest score of all lacks the last bits.
    scores = draw.integers(0, 40, (300, 30)) * step + draw.integers(0, 5, (300, 1))
    gains, tried = draw.integers(0, 4, scores.shape), []
    first_places = matrices.first_places

    def watched(*given, single):
        tried.append(single)
        return first_places(*given, single=single)

    monkeypatch.setattr(matrices, "first_places", watched)
    found = ndcg(gains, scores, log2_weights(10))
    expected = [_by_tie_blocks(*row, log2_weights(10)) for row in zip(gains, scores, strict=True)]
    assert found == pytest.approx(expected, abs=1e-12)
    assert tried[: len(precisions)] == precisions


@pytest.mark.parametrize("wide", [1e39, 1e300])
def test_scores_beyond_single_precision(wide):
    scores = np.array([[wide, -wide, 3.0, 2.0, -wide, 1.0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]])
    gains = np.array([[0, 3, 2, 1, 1, 3], [0, 1, 2, 3, 0, 1]])
    expected = [_by_tie_blocks(*row, log2_weights(4)) for row in zip(gains, scores, strict=True)]
    assert ndcg(gains, scores, log2_weights(4)) == pytest.approx(expected, abs=1e-12)


def test_the_mean_of_equal_gains_gives_no_more_than_1():
    """(0.1 + 0.1 + 0.1) / 3 is more than 0.1 in floating point."""
    assert ndcg([[0.1, 0.1, 0.1]], [[1.0, 1.0, 1.0]], [1.0]).tolist() == [1.0]
