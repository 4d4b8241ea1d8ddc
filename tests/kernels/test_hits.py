"""What is done to lists as a whole: leaving documents out, cutting and condensing lists, sums along them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.tied import groups, open_hits, stacked
from rankgauge.kernels.hits import (
    Hits,
    count,
    no_hits,
    place,
    pool_of,
    pool_of_segments,
    ratio,
    running,
    starts_of,
)
from rankgauge.kernels.ties import at_mean_rank

COLUMNS = ("query", "rank", "value", "first", "last")


def whole(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int64)


def columns(hits: Hits) -> list[list[float]]:
    return [getattr(hits, name).tolist() for name in (*COLUMNS, "retrieved")]


def two_queries() -> Hits:
    """Query 0: ranks 1 to 3 tied with two of them judged, then a judged rank 4; query 1: rank 2 of 2."""
    return Hits(
        whole(0, 0, 0, 1),
        whole(1, 3, 4, 2),
        np.array([-1.0, 2, 1, 3]),
        whole(1, 1, 4, 2),
        whole(3, 3, 4, 2),
        whole(5, 2),
    )


def test_a_document_left_out_moves_up_what_is_below_it_in_its_query_alone():
    left = two_queries().without(np.array([True, False, False, False]))
    assert columns(left) == [[0, 0, 1], [2, 3, 2], [2, 1, 3], [1, 3, 2], [2, 3, 2], [4, 2]]


def test_a_document_left_out_shortens_its_tie_group_from_the_end():
    left = two_queries().without(np.array([False, True, False, False]))
    assert columns(left) == [[0, 0, 1], [1, 3, 2], [-1, 1, 3], [1, 3, 2], [2, 3, 2], [4, 2]]


def test_leaving_out_nothing_changes_nothing_and_leaving_out_everything_leaves_the_unjudged():
    hits = two_queries()
    assert hits.without(np.zeros(4, np.bool_)) is hits
    assert columns(hits.without(np.ones(4, np.bool_))) == [[], [], [], [], [], [2, 1]]


@given(st.lists(groups, min_size=1, max_size=3), st.data())
def test_lists_without_documents_are_the_lists_that_never_had_them(lists, data):
    hits = stacked([open_hits(tie_groups) for tie_groups in lists])
    dropped = np.array(data.draw(st.lists(st.booleans(), min_size=len(hits.rank), max_size=len(hits.rank))), np.bool_)
    marks = iter(dropped.tolist())
    kept = [[[g for g in group if g is None or not next(marks)] for group in tie_groups] for tie_groups in lists]
    assert columns(hits.without(dropped)) == columns(stacked([open_hits(tie_groups) for tie_groups in kept]))


def test_what_a_policy_graded_keeps_what_was_judged_beside_it():
    hits = two_queries()
    graded = Hits(*(getattr(hits, name) for name in COLUMNS), hits.retrieved, hits.value + 10)
    assert graded.keep(whole(1, 3)).judged.tolist() == [12, 13]
    assert hits.keep(whole(1, 3)).judged is None
    assert graded.pool().value.tolist() == [12, 11, 9, 0, 0, 13, 0]


def test_the_pool_of_a_list_has_its_unjudged_documents_as_0_even_below_more_hits_than_ranks():
    assert two_queries().pool().value.tolist() == [2, 1, 0, 0, -1, 3, 0]
    assert two_queries().pool().start.tolist() == [0, 5, 7]
    shared = Hits(whole(0, 0), whole(1, 1), np.array([1.0, 2]), whole(1, 1), whole(1, 1), whole(1))
    assert shared.pool().value.tolist() == [2, 1]


def test_open_ties_are_known_by_list():
    hits = two_queries()
    assert hits.is_tied
    assert not hits.settled().is_tied
    assert hits.settled().keep(whole(1)).first is not None
    same_numbers = Hits(whole(0), whole(1), np.ones(1), whole(1), whole(1), whole(1))
    assert not same_numbers.is_tied


def test_only_hits_that_can_be_within_a_rank_are_kept():
    hits = two_queries()
    assert hits.within(None) is hits
    assert hits.within(4) is hits
    assert hits.within(3).rank.tolist() == [1, 3, 2]
    assert hits.within(1).rank.tolist() == [1, 3]


def test_a_mean_rank_is_cut_to_a_whole_number():
    shared = at_mean_rank(Hits(whole(0, 0), whole(1, 5), np.ones(2), whole(1, 4), whole(3, 7), whole(9)))
    assert shared.rank.tolist() == shared.first.tolist() == shared.last.tolist() == [2, 5]


@pytest.mark.parametrize("combine", [np.add, np.multiply, np.maximum])
@pytest.mark.parametrize("sizes", [[7], [1, 1, 1], [3, 1, 2, 5], [4, 4, 4, 4, 4], [1], []], ids=str)
def test_what_runs_along_a_query_starts_anew_with_each(sizes, combine):
    query = np.repeat(np.arange(len(sizes)), sizes)
    amounts = np.random.default_rng(3).normal(size=len(query))
    expected = [combine.accumulate(amounts[query == one]).tolist() for one in range(len(sizes))]
    assert running(query, amounts, combine).tolist() == [value for values in expected for value in values]


def test_a_row_starts_something_where_any_column_differs_from_the_row_before():
    assert starts_of(whole(0, 0, 0, 1, 1), whole(5, 5, 6, 6, 6)).tolist() == [True, False, True, True, False]
    assert starts_of(whole(0, 0, 1), whole(1, 1, 1), whole(2, 3, 3)).tolist() == [True, True, True]
    assert starts_of(whole()).tolist() == []


def test_a_quotient_is_undefined_where_the_denominator_is_0():
    np.testing.assert_array_equal(ratio(np.array([1.0, 0, 3]), np.array([0, 0, -2])), [np.nan, np.nan, -1.5])
    assert count(whole(2, 2), 4).tolist() == [0, 0, 2, 0]


def test_a_pool_of_grades_below_0_and_of_queries_without_judgments_is_sorted():
    query, value = whole(3, 1, 1, 1, 3, 1, 1, 3), np.array([0.0, -2, 1, 1, -1, 0, 2, 0])
    pool = pool_of(query, value, 4)
    assert pool.value.tolist() == [2, 1, 1, 0, -2, 0, 0, -1]
    assert pool.start.tolist() == [0, 0, 5, 5, 8]
    assert pool_of(query, np.ones(8), 4).value.tolist() == [1] * 8


def test_what_is_needed_twice_is_computed_once():
    hits, made = two_queries(), []
    for _ in range(2):
        assert hits.once("sums", lambda: made.append("made") or 5) == 5
    assert hits.once("others", lambda: 6) == 6
    assert made == ["made"]


def test_settled_hits_and_hits_of_which_all_are_kept_are_the_same_object():
    settled = two_queries().settled()
    assert settled.first is settled.rank is settled.last
    assert settled.settled() is settled
    half = Hits(settled.query, settled.rank, settled.value, settled.rank, whole(1, 3, 4, 2), settled.retrieved)
    assert half.settled() is not half
    other = Hits(settled.query, settled.rank, settled.value, whole(1, 3, 4, 2), settled.rank, settled.retrieved)
    assert other.settled().first is other.rank
    assert settled.keep(np.ones(4, np.bool_)) is settled


def test_a_cut_keeps_the_rank_itself_and_the_part_of_a_tie_above_it():
    assert columns(two_queries().top(3)) == [[0, 0, 1], [1, 3, 2], [-1, 2, 3], [1, 1, 2], [3, 3, 2], [3, 2]]
    assert columns(two_queries().top(2)) == [[0, 1], [1, 2], [-1, 3], [1, 2], [2, 2], [2, 2]]


def test_condensed_lists_count_judged_documents_alone_and_keep_ties_together():
    assert columns(two_queries().condensed()) == [
        [0, 0, 0, 1],
        [1, 2, 3, 1],
        [-1, 2, 1, 3],
        [1, 1, 3, 1],
        [2, 2, 3, 1],
        [3, 1],
    ]
    part = two_queries().condensed(np.array([False, True, True, False]))
    assert columns(part) == [[0, 0], [1, 2], [2, 1], [1, 2], [1, 2], [2, 0]]
    assert columns(no_hits(2).condensed()) == [[], [], [], [], [], [0, 0]]


def test_a_run_without_documents_has_no_hits():
    assert columns(no_hits(2)) == [[], [], [], [], [], [0, 0]]


@pytest.mark.parametrize("of_segments", [False, True], ids=["any-order", "by-query"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([0.5, 1.25, 0, 0.5, 2.5], [1.25, 0.5, 0, 2.5, 0.5]),
        ([0, 0, 1, 0, 2], [1, 0, 0, 2, 0]),
        ([1, 2, 1, 1, 1], [2, 1, 1, 1, 1]),
    ],
    ids=str,
)
def test_a_pool_has_the_best_value_of_each_query_first(value, expected, of_segments):
    values = np.array(value, np.float64)
    pool = pool_of_segments(whole(0, 3, 5, 5), values) if of_segments else pool_of(whole(0, 0, 0, 1, 1), values, 3)
    assert pool.value.tolist() == expected
    assert pool.start.tolist() == [0, 3, 5, 5]


def test_places_within_a_query_begin_at_0():
    assert place(whole(4, 4, 7, 7, 7, 9)).tolist() == [0, 1, 0, 1, 2, 0]
    assert place(whole()).tolist() == []
