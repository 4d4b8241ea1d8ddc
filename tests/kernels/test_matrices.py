"""nDCG of many lists as rows of matrices, from the front door; `laws/test_list_blocks` compares it with the hits of runs."""

from __future__ import annotations

import itertools
import math
import threading

import numpy as np
import pytest

from rankgauge import Policy, score
from rankgauge.kernels import matrices, order
from rankgauge.kernels.matrices import for_each, ideal_dcg, ndcg
from rankgauge.kernels.order import Block, blocks

LOG2 = 1 / np.log2(np.arange(2, 1000))
SIZES = ([3, 3, 3], [1, 5, 2, 5, 40, 41, 7], [2], [1000, 1, 990, 2])


def many(gains, scores, measure="nDCG", **policy):
    """The values of lists, which are rows."""
    found = score(measure, gains, scores, policy=Policy(**policy) if policy else None, details=True)
    return np.array(list(found.per_group.values()))


def one(gains, scores, measure="nDCG", **policy):
    """The value of a list that is there three times."""
    first, *others = many([gains] * 3, [scores] * 3, measure, **policy)
    assert others == [first, first]
    return first


def of_all_orders(gains, scores, weights):
    """The nDCG of every order that falls with the score, straight from the definition."""
    ideal = sum(map(math.prod, zip(sorted(gains, reverse=True), weights, strict=False)))
    for items in itertools.permutations(range(len(gains))):
        if all(scores[a] >= scores[b] for a, b in itertools.pairwise(items)):
            yield sum(gains[item] * weight for item, weight in zip(items, weights, strict=False)) / ideal


@pytest.mark.parametrize(
    ("depth", "mean", "worst", "best"),
    [(6, 0.931863, 0.891302, 0.972425), (3, 0.785070, 0.665164, 0.904977), (2, 0.851959, 0.703918, 1.000000)],
)
def test_tied_scores_take_the_mean_the_worst_or_the_best(depth, mean, worst, best):
    # Worked by hand with the closed form of McSherry & Najork 2008.
    gains, scores = [3, 2, 0, 1, 2, 0], [0.9, 0.5, 0.5, 0.5, 0.1, 0.1]
    assert one(gains, scores, f"nDCG@{depth}") == pytest.approx(mean, abs=5e-7)
    assert one(gains, scores, f"nDCG@{depth}", ties="worst") == pytest.approx(worst, abs=5e-7)
    assert one(gains, scores, f"nDCG@{depth}", ties="best") == pytest.approx(best, abs=5e-7)


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
        (1e300, -1e300, 1e39, -1e39, 1e300, 3, 2),
    ],
)
def test_ties_count_with_the_mean_of_all_orders_or_keep_the_order_of_their_columns(scores, depth, spare, monkeypatch):
    monkeypatch.setattr(matrices, "SPARE", spare)
    gains = (3, 1, 0.1, 0, 7, 2, 1)
    mean = np.mean(list(of_all_orders(gains, scores, LOG2[:depth])))
    assert one(gains, scores, f"nDCG@{depth}") == pytest.approx(mean, abs=1e-12)
    (kept,) = of_all_orders(gains, [(value, -at) for at, value in enumerate(scores)], LOG2[:depth])
    assert one(gains, scores, f"nDCG@{depth}", ties="order") == pytest.approx(kept, abs=1e-12)


@pytest.mark.parametrize("columns", [1, 2, 7, 130, 600])
@pytest.mark.parametrize("depth", [1, 5, 129, 1000])
@pytest.mark.parametrize("levels", [2, 40, 10_000_000])
def test_matrices_agree_with_sorting_each_row(columns, depth, levels):
    draw = np.random.default_rng([columns, depth, levels])
    gains = draw.integers(0, 4, (90, columns)) * draw.choice([1, 0.1, 1e12], (90, 1))
    scores = draw.integers(-levels, levels, (90, columns)) / 7
    for row, value in enumerate(many(gains, scores, f"nDCG@{depth}", undefined="drop")):
        expected = by_tie_blocks(gains[row], scores[row], LOG2[: min(depth, columns)])
        assert value == pytest.approx(expected, rel=1e-12, nan_ok=True)


def by_tie_blocks(gains, scores, weights):
    reached, rank = 0.0, 0
    for value in sorted(set(scores.tolist()), reverse=True):
        block = gains[scores == value]
        reached += block.mean() * weights[rank : rank + len(block)].sum()
        rank += len(block)
    ideal = (np.sort(gains)[::-1][: len(weights)] * weights).sum()
    return reached / ideal if ideal > 0 else math.nan


def test_scores_that_differ_only_where_the_column_is_written_are_still_told_apart():
    # 128 columns take the last seven bits of a double: these scores differ in nothing else.
    scores, gains = 1 + np.arange(128) * 2.0**-52, np.arange(128.0)
    for seed in range(20):
        mixed = np.random.default_rng(seed).permutation(128)
        assert one(gains[mixed], scores[mixed], "nDCG@10") == 1
        assert one(gains[mixed], -scores[mixed], "nDCG@10") == one(gains, -scores, "nDCG@10")


def test_a_higher_score_beyond_the_spare_columns_is_not_lost():
    # All 200 scores share their leading bits; the one item that matters is the highest, wherever it is.
    scores, gains = np.ones(200), np.zeros(200)
    scores[[3, 150]] = 1 + 2.0**-52
    gains[3] = 1
    assert one(gains, scores, "nDCG@2") == pytest.approx(LOG2[:2].mean())
    assert one(np.roll(gains, 147), scores, "nDCG@2") == pytest.approx(LOG2[:2].mean())


def test_lists_without_items_or_gain():
    assert np.isnan(many([[0, 0], [0, 1]], [[1, 2], [1, 2]], undefined="drop")).tolist() == [True, False]
    assert many(np.zeros((2, 0)), np.zeros((2, 0))).tolist() == [0, 0]


def test_weights_that_rise_are_measured_against_the_largest_attainable_sum():
    # The best order of gains 3, 2, 1 on weights 1/4, 1, 1/2 puts the 3 second and the 2 third.
    measure = "nDCG(discount=weights(0.25, 1, 0.5))@3"
    assert one([2, 3, 1], [3, 2, 1], measure) == pytest.approx((2 / 4 + 3 + 1 / 2) / (3 + 2 / 2 + 1 / 4))
    assert one([1, 3, 2], [3, 2, 1], measure) == 1


@pytest.mark.parametrize(
    "dtype", [np.bool_, np.int8, np.uint8, np.int64, np.uint64, np.float16, np.float32, np.float64, np.longdouble]
)
def test_numbers_of_any_kind_give_the_same_value(dtype):
    gains, scores = np.array([[1, 0, 1, 0]] * 2), np.array([[0, 1, 1, 0]] * 2)
    assert many(gains.astype(dtype), scores.astype(dtype)).tolist() == many(gains, scores).tolist()


@pytest.mark.parametrize("offset", [2**53, 2**62, -(2**62)])
@pytest.mark.parametrize("policy", [{}, {"depth": 2}, {"floor": "zero"}])
def test_neighboring_large_integers_are_different_scores(offset, policy):
    value = one([1, 2, 3], [offset + 1, offset + 2, offset + 3], "nDCG@2", **policy)
    assert value == (0 if policy == {"floor": "zero"} and offset < 0 else 1)
    assert one([0, 1], np.array([2**64 - 2, 2**64 - 1], np.uint64), "nDCG@1", **policy) == 1


def test_rows_have_the_same_bits_in_every_company_and_in_any_layout(monkeypatch):
    draw = np.random.default_rng(8)
    gains, scores = draw.random((400, 50)).astype(np.float32) ** 2, draw.normal(size=(400, 50)).round(1)
    before, together = scores.copy(), many(gains, scores, "nDCG@10").tolist()
    for items in (300, 50):  # six rows at a time, and one
        monkeypatch.setattr(order, "ITEMS", items)
        assert many(gains, scores, "nDCG@10").tolist() == together
    assert [one(gains[row], scores[row], "nDCG@10") for row in range(400)] == together
    wide = np.repeat(scores, 2, axis=1)
    assert many(np.asfortranarray(gains), wide[:, ::2][::-1][::-1], "nDCG@10").tolist() == together
    assert np.array_equal(scores, before)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("at_once", [1, 60, 1 << 20])
def test_blocks_hold_every_list_once_and_pad_the_rest(sizes, at_once, monkeypatch):
    monkeypatch.setattr(order, "ITEMS", at_once)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    column, seen = np.arange(offsets[-1]), {}
    for block in blocks(offsets):
        matrix = block.matrix(column, -7.0)
        assert matrix.size <= max(at_once, matrix.shape[1])
        for number, row in zip(block.lists.tolist(), matrix, strict=True):
            assert number not in seen
            seen[number] = row[: sizes[number]].tolist()
            assert set(row[sizes[number] :].tolist()) <= {-7.0}
    assert [seen[number] for number in range(len(sizes))] == [part.tolist() for part in np.split(column, offsets[1:-1])]


def test_filling_is_worth_nothing_beside_the_least_score():
    least = np.finfo(float).min
    truth, predicted, groups = [0, 1, 1, 0, 2], [least, least, 3.0, 2.0, 1.0], [1, 1, 2, 2, 2]
    for policy in (Policy(), Policy(precision="single")):  # in which the least score is infinite
        found = score("nDCG@3", truth, predicted, groups, policy=policy, details=True).per_group
        assert found == {"1": score("nDCG@3", [0, 1], [0, 0]), "2": score("nDCG@3", [1, 0, 2], [3, 2, 1])}


def test_two_threads_work_at_the_same_time_and_what_goes_wrong_in_the_other_is_raised(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    both, here, done = threading.Barrier(2, timeout=5), threading.get_ident(), []

    def work(part):
        both.wait()
        if threading.get_ident() != here:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        for_each([object()] * 2, work)
    for_each([1, 2, 3], done.append)
    for_each([4], done.append)
    assert sorted(done) == [1, 2, 3, 4]


def test_the_largest_gains_come_first():
    gains = np.array([[0.0, 2.0, 1.0], [3.0, 0.0, 5.0]])
    assert ideal_dcg(gains, np.array([1.0, 0.5])).tolist() == [2.5, 6.5]
    assert ndcg(gains, gains, np.array([1.0]), np.array([2.0, 0.0]), ties="mean").tolist()[0] == 1
    assert Block(np.array([0]), np.array([0]), np.array([2])).matrix(np.array([4, 5]), 0).tolist() == [[4, 5]]
