from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.kernels.hits import Hits, pool_of
from rankgauge.kernels.ranking import (
    RankedRows,
    _counted,
    descending_order,
    falls_strictly,
    leading_rows,
    rank_all,
    rank_rows,
)


def brute_force(segments, ids):
    """(rank, first, last) of every row by Python's own sort."""
    expected = []
    at = 0
    for scores in segments:
        rows = range(at, at + len(scores))
        order = sorted(rows, key=lambda row: (-scores[row - at], ids[row]))
        for row in rows:
            ties = [order.index(other) + 1 for other in rows if scores[other - at] == scores[row - at]]
            expected.append((order.index(row) + 1, min(ties), max(ties)))
        at += len(scores)
    return expected


@given(st.data())
def test_ranks_and_spans_equal_those_of_a_plain_sort(data):
    tied = st.sampled_from([0.0, -0.0, 1.0, 2.5, -3.0])
    segments = data.draw(st.lists(st.lists(tied, max_size=6), min_size=1, max_size=5))
    rows = sum(map(len, segments))
    ids = data.draw(st.permutations(range(rows)))
    wanted = np.flatnonzero(data.draw(st.lists(st.booleans(), min_size=rows, max_size=rows)))
    start = np.concatenate(([0], np.cumsum([len(s) for s in segments]))).astype(np.int64)
    score = np.array([x for s in segments for x in s], np.float64)
    ranks = rank_rows(start, score, wanted, lambda chosen: np.array(ids, np.int64)[chosen])
    got = list(zip(ranks.rank.tolist(), ranks.first.tolist(), ranks.last.tolist(), strict=True))
    assert got == [brute_force(segments, ids)[row] for row in wanted]


@given(st.data())
def test_leading_rows_ranked_alone_have_the_ranks_they_have_among_all(data):
    tied = st.sampled_from([0.0, -0.0, 1.0, 2.5, -3.0])
    segments = data.draw(st.lists(st.lists(tied, max_size=6), min_size=1, max_size=5))
    depth = data.draw(st.integers(1, 6))
    start = np.concatenate(([0], np.cumsum([len(s) for s in segments]))).astype(np.int64)
    score = np.array([x for s in segments for x in s], np.float64)
    whole = rank_rows(start, score, np.arange(len(score)), lambda chosen: chosen)
    rows = leading_rows(start, score, depth)
    if rows is None:
        return
    assert rows.tolist() == np.flatnonzero(whole.first <= depth).tolist()
    part = rank_rows(np.searchsorted(rows, start), score[rows], np.arange(len(rows)), lambda chosen: chosen)
    for name in ("segment", "rank", "first", "last"):
        assert np.array_equal(getattr(part, name), getattr(whole, name)[rows])


def test_leading_rows_are_not_singled_out_where_that_would_not_pay():
    assert leading_rows(np.array([0, 3, 5]), np.arange(5.0), 3) is None  # nothing stands deeper
    sizes = np.array([100, *[1] * 300])
    assert leading_rows(np.concatenate(([0], np.cumsum(sizes))), np.arange(400.0), 3) is None  # mostly padding


@given(st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-1.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 0.1, 1.1]))))
def test_a_pool_is_sorted_by_query_and_then_best_first(rows):
    query, value = np.array([q for q, _ in rows], np.int64), np.array([v for _, v in rows])
    pool = pool_of(query, value, 4)
    assert pool.value.tolist() == [v for _, v in sorted(rows, key=lambda row: (row[0], -row[1]))]
    assert pool.judged.tolist() == [sum(q == wanted for q, _ in rows) for wanted in range(4)]


def test_a_few_long_segments_among_many_short_ones_are_sorted_without_padding():
    size = np.array([50, *[1] * 400])
    start = np.concatenate(([0], np.cumsum(size)))
    score = np.random.default_rng(1).random(start[-1])
    order = descending_order(start, score)
    assert np.all(np.diff(score[order[:50]]) <= 0)
    assert np.array_equal(order[50:], np.arange(50, len(score)))


def test_condensed_lists_keep_the_order_and_the_spans_of_the_judged():
    # ranks 2 and 5 of a tie group 2–5, rank 7 alone; the list has 8 documents
    one = np.zeros(3, np.int64)
    hits = Hits(
        one, np.array([2, 5, 7]), np.array([1.0, -1.0, 2.0]), np.array([2, 2, 7]), np.array([5, 5, 7]), np.array([8])
    )
    short = hits.condensed()
    assert short.rank.tolist() == [1, 2, 3]
    assert short.first.tolist() == [1, 1, 3]
    assert short.last.tolist() == [2, 2, 3]
    assert short.retrieved.tolist() == [3]
    assert hits.condensed(hits.value >= 0).rank.tolist() == [1, 2]


def test_a_list_cut_at_a_depth_keeps_only_the_part_of_a_tie_group_above_it():
    one = np.zeros(2, np.int64)
    hits = Hits(one, np.array([2, 5]), np.array([1.0, 1.0]), np.array([2, 2]), np.array([5, 5]), np.array([8]))
    cut = hits.top(3)
    assert (cut.rank.tolist(), cut.last.tolist(), cut.retrieved.tolist()) == ([2], [3], [3])


@pytest.mark.parametrize("sizes", [[5] * 40, [1, 9, 0, 4, 30, 2], [1] * 30 + [90], []], ids=str)
@pytest.mark.parametrize("decimals", [0, 1, 9])
def test_all_rows_are_ranked_as_wanted_rows_are(sizes, decimals):
    start = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    score = np.random.default_rng(5).normal(size=start[-1]).round(decimals)
    score[score == 0] *= -1  # 0.0 and -0.0 are equal
    order, ranks = rank_all(start, score)
    rows = np.arange(len(score))
    wanted = rank_rows(start, score, rows, lambda chosen: chosen)
    np.testing.assert_array_equal(order, np.lexsort((wanted.rank, wanted.segment)))
    for name in ("segment", "rank", "first", "last"):
        np.testing.assert_array_equal(getattr(ranks, name), getattr(wanted, name)[order])


@pytest.mark.parametrize("sizes", [[40] * 3, [40, 33, 50], [60, 0, 30, 41], [33, 33]], ids=str)
@pytest.mark.parametrize("order", ["any", "descending"])
@pytest.mark.parametrize("depth", [1, 7, 32])
def test_leading_rows_of_long_lists_are_those_whose_tie_begins_within_the_depth(sizes, order, depth):
    start = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    score = np.random.default_rng(8).normal(size=start[-1]).round(1)
    if order == "descending":
        score = score[descending_order(start, score)]
    whole = rank_rows(start, score, np.arange(len(score)), lambda chosen: chosen)
    rows = leading_rows(start, score, depth)
    assert rows is not None
    assert rows.tolist() == np.flatnonzero(whole.first <= depth).tolist()


def test_the_whole_list_is_not_singled_out():
    assert leading_rows(np.array([0, 40, 79]), np.arange(79.0), 40) is None
    assert leading_rows(np.array([0, 32]), np.arange(32.0), 31) is None  # short, and not in order
    assert leading_rows(np.array([0]), np.empty(0), 1) is None


@pytest.mark.parametrize("sizes", [[32, 32], [33, 31], [5, 1, 12, 0, 3], [2] * 20], ids=str)
@pytest.mark.parametrize("wanted", [1, 3, 9])
def test_a_few_wanted_rows_have_the_ranks_of_a_plain_sort(sizes, wanted):
    start = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    draw = np.random.default_rng(wanted)
    for decimals in (0, 9):
        score = draw.normal(size=start[-1]).round(decimals)
        rows = np.sort(draw.choice(len(score), wanted, replace=False))
        segments = [score[begin:end].tolist() for begin, end in pairwise(start)]
        expected = [brute_force(segments, range(len(score)))[row] for row in rows]
        ranks = rank_rows(start, score, rows, lambda chosen: chosen)
        assert list(zip(ranks.rank.tolist(), ranks.first.tolist(), ranks.last.tolist(), strict=True)) == expected
        assert ranks.segment.tolist() == [int(np.searchsorted(start, row, "right")) - 1 for row in rows]


def test_ranked_rows_become_hits_sorted_by_query_and_rank():
    ranks = RankedRows(np.array([0, 0, 1]), np.array([2, 1, 1]), np.array([1, 1, 1]), np.array([2, 2, 1]))
    hits = ranks.hits(np.array([1, 0]), np.array([5.0, 6.0, 7.0]), np.array([4, 3]))
    assert hits.query.tolist() == [0, 1, 1]
    assert hits.rank.tolist() == [1, 1, 2]
    assert hits.value.tolist() == [7, 6, 5]
    assert (hits.first.tolist(), hits.last.tolist()) == ([1, 1, 1], [1, 2, 2])
    assert hits.retrieved.tolist() == [4, 3]
    in_order = RankedRows(np.array([0, 0, 1]), np.array([1, 2, 1]), np.array([1, 2, 1]), np.array([1, 2, 1]))
    assert in_order.hits(np.array([0, 1]), np.array([5.0, 6.0, 7.0]), np.array([2, 1])).value.tolist() == [5, 6, 7]
    assert in_order.hits(np.array([1, 0]), np.array([5.0, 6.0, 7.0]), np.array([1, 2])).value.tolist() == [7, 5, 6]


@pytest.mark.parametrize(
    ("start", "score", "falls"),
    [
        ([0, 3], [3, 2, 1], True),
        ([0, 3], [3, 2, 2], False),
        ([0, 3], [3, 3, 2], False),
        ([0, 4], [5, 2, 4, 1], False),
        ([0, 2, 4], [2, 1, 4, 3], True),
        ([0, 2, 4], [4, 3, 2, 1], True),
        ([0, 2, 4], [4, 3, 3, 3], False),
        ([0, 1, 2, 3], [1, 1, 5], True),
        ([0, 2, 4, 6], [9, 8, 9, 8, 9, 8], True),
        ([0, 2, 4, 6], [9, 8, 9, 8, 8, 8], False),
        ([0, 1], [1], True),
    ],
    ids=str,
)
def test_scores_fall_strictly_within_each_segment(start, score, falls):
    assert falls_strictly(np.array(start), np.array(score, np.float64)) == falls


def test_hits_are_in_the_order_of_queries_and_ranks_however_rows_come():
    one = np.zeros(3, np.int64)
    ranked = RankedRows(one, np.array([1, 3, 2]), np.array([1, 3, 2]), np.array([1, 3, 2]))
    assert ranked.hits(np.array([0]), np.array([5.0, 6.0, 7.0]), np.array([3])).value.tolist() == [5, 7, 6]
    two = RankedRows(np.array([0, 1]), np.array([1, 2]), np.array([1, 2]), np.array([1, 2]))
    hits = two.hits(np.array([1, 0]), np.array([5.0, 6.0]), np.array([2, 1]))
    assert (hits.query.tolist(), hits.value.tolist()) == ([0, 1], [6, 5])


def test_rows_of_short_segments_are_ranked_by_counting_unless_one_is_tied():
    draw = np.random.default_rng(3)
    for _ in range(60):
        size = draw.integers(1, 6, 8)
        start = np.concatenate(([0], np.cumsum(size)))
        score = draw.permutation(start[-1]).astype(float)
        segment = np.flatnonzero(draw.random(8) < 0.4)
        rows = start[segment] + draw.integers(0, size[segment])
        parts = [score[start[one] : start[one + 1]] for one in segment]
        expected = [1 + np.count_nonzero(part > score[row]) for part, row in zip(parts, rows, strict=True)]
        found = _counted(start, score, rows, segment)
        assert found is not None
        assert found.rank.tolist() == found.first.tolist() == found.last.tolist() == expected
        longer = segment[size[segment] > 1]
        if longer.size:
            tied = score.copy()
            tied[start[longer[0]] : start[longer[0]] + 2] = 99.0
            assert _counted(start, tied, start[longer[:1]], longer[:1]) is None


def test_the_first_rows_of_short_falling_lists_are_singled_out():
    start, score = np.array([0, 4, 6]), np.array([4.0, 3, 3, 1, 9, 8])
    assert leading_rows(start, score, 2).tolist() == [0, 1, 2, 4, 5]
    assert leading_rows(start, score[::-1].copy(), 2) is None  # short and not in order: ranked whole
