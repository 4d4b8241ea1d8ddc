"""Order against the definition, written out: a rank is one more than the documents that come before."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from rankgauge.kernels.order import Order, by_falling_score, highest, leading, rising

SCORES = [0.0, -0.0, 1.0, 1 + 2**-52, 2.0, -3.0, np.inf, -np.inf, 1e-308, 0.1]


def drawn(seed):
    """Lists of several lengths with ties, nearly tied scores and infinite ones; some are ordered already."""
    rng = np.random.default_rng(seed)
    size = rng.integers(seed % 2, 9, rng.integers(1, 6))
    if seed % 5 == 0:
        size = np.append(size, 60)  # too long for one matrix
    start = np.concatenate(([0], np.cumsum(size)))
    score = rng.choice(SCORES, start[-1]) if seed % 3 else rng.normal(size=start[-1])
    if seed % 4 == 0:
        score = np.concatenate([np.sort(score[a:b])[::-1] for a, b in pairwise(start)])
    return start, score, rng.permutation(len(score)), np.flatnonzero(rng.random(len(score)) < 0.5)


def expected(start, score, key, rows):
    """Rank, first and last rank of some rows, by counting."""
    found = []
    for row in rows.tolist():
        at = np.searchsorted(start, row, "right") - 1
        mine = range(start[at], start[at + 1])
        above = sum(score[other] > score[row] for other in mine)
        tied = [other for other in mine if score[other] == score[row]]
        found.append((1 + above + sum(key[other] < key[row] for other in tied), above + 1, above + len(tied)))
    return found


@pytest.mark.parametrize("seed", range(120))
def test_ranks_are_those_of_the_definition(seed):
    start, score, key, rows = drawn(seed)
    order, given = Order(start, score), np.arange(len(score))
    assert list(zip(*order.ranks(rows, lambda wanted: key[wanted]), strict=True)) == expected(start, score, key, rows)
    assert list(zip(*order.ranks(rows), strict=True)) == expected(start, score, given, rows)
    row, *ranks = order.every()
    assert list(zip(*ranks, strict=True)) == expected(start, score, given, row)


@pytest.mark.parametrize("seed", range(120))
@pytest.mark.parametrize("depth", [1, 2])
def test_leading_rows_have_the_ranks_that_they_have_among_all(seed, depth):
    start, score, key, _ = drawn(seed)
    rows = leading(start, score, depth)
    if rows is None:
        return
    among_all = expected(start, score, key, np.arange(len(score)))
    assert {at for at, (_, first, _) in enumerate(among_all) if first <= depth} <= set(rows.tolist())
    alone = Order(np.searchsorted(rows, start), score[rows]).ranks(
        np.arange(len(rows)), lambda wanted: key[rows[wanted]]
    )
    for row, found in zip(rows.tolist(), zip(*alone, strict=True), strict=True):
        assert among_all[row] == found or among_all[row][1] > depth


@pytest.mark.parametrize(
    "size", [np.full(3000, 100), np.concatenate(([90] * 3000, [180, 100], [0] * 1500, [9] * 900, [1, 0]))]
)
def test_large_lists_are_sorted_in_blocks(size):
    rng = np.random.default_rng(7)
    start = np.concatenate(([0], np.cumsum(size)))
    score = rng.choice([0.5, 0.25, 0.125], start[-1])
    expected_rows = np.lexsort((-score, np.repeat(np.arange(len(size)), size)))
    assert np.array_equal(by_falling_score(start, score), expected_rows)
    for depth in (1, 20):  # more than some lists have
        last = [np.sort(score[a:b])[::-1][min(depth, b - a) - 1] for a, b in pairwise(start) if b > a]
        least = np.repeat(last, size[size > 0])
        assert np.array_equal(leading(start, score, depth), np.flatnonzero(score >= least))


def test_numbers_that_differ_in_their_last_bits_only_are_told_apart():
    matrix = np.array([[1 + 2**-52, 1.0, 1.0, 1 + 2**-51], [3.0, 2.0, 2.0, 1.0]])
    assert rising(matrix).tolist() == [[1, 2, 0, 3], [3, 1, 2, 0]]


@pytest.mark.parametrize("width", [8, 300])
@pytest.mark.parametrize("decimals", [0, 1, 15])
def test_the_highest_scores_are_right_down_to_the_depth_and_its_ties_or_their_row_is_named(width, decimals):
    scores = np.random.default_rng(width).normal(size=(400, width)).round(decimals)
    scores[:3] = np.array([1.0, 1 + 2**-52, 1e300])[:, None] * (1 + np.arange(width) % 2 * 2**-50)
    expected_columns = np.argsort(-scores, axis=1, kind="stable")
    for depth in (1, 2, 3):
        found, unsure = highest(scores, depth, depth + 2)
        assert found.shape == (400, depth + 2)
        assert decimals < 15 or len(unsure) < 100
        for row in np.setdiff1d(np.arange(400), unsure).tolist():
            ranked = scores[row][expected_columns[row]]
            tied = np.count_nonzero(ranked >= ranked[depth - 1])
            assert found[row, :tied].tolist() == expected_columns[row, :tied].tolist()
