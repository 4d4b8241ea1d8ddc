"""Lists as rows of matrices: every list once, padded with what is asked for."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from rankgauge.kernels import matrices
from rankgauge.kernels.matrices import all_places, as_doubles, can_fill, first_places, for_each, row_blocks

SIZES = ([3, 3, 3], [1, 5, 2, 5, 40, 41, 0, 7], [0, 0, 2], [0], [], [1000, 1, 990, 2])


@pytest.mark.parametrize("sizes", SIZES, ids=str)
@pytest.mark.parametrize("at_once", [1, 60, 1 << 20])
@pytest.mark.parametrize("depth", [1, 1 << 20], ids=["the first rank", "all ranks"])
def test_blocks_hold_every_list_once_and_pad_the_rest(sizes, at_once, depth, monkeypatch):
    monkeypatch.setattr(matrices, "BLOCK_ITEMS", at_once)
    offsets = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
    column = np.arange(offsets[-1]) + 1.0
    seen = {}
    for block in row_blocks(offsets, depth):
        lists = np.arange(len(sizes))[block.lists]
        matrix = block.matrix(column, -7.0) if offsets[-1] else np.empty((len(lists), 0))
        assert len(matrix) == len(lists) == len(block.sizes)
        # Where few ranks matter, less of a block is looked at again, and larger ones are faster.
        assert matrix.size <= max(at_once * (5 if depth == 1 else 1), matrix.shape[1])
        for number, size, row in zip(lists.tolist(), block.sizes.tolist(), matrix, strict=True):
            assert number not in seen
            seen[number] = row[:size].tolist()
            assert set(row[size:].tolist()) <= {-7.0}
            assert len(row) <= max(1.2 * size, 1)  # little is padding
    assert [seen[number] for number in range(len(sizes))] == [
        column[offsets[n] : offsets[n + 1]].tolist() for n in range(len(sizes))
    ]


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_every_block_is_filled_once_whatever_the_number_of_threads(threads):
    blocks, used, done = [object() for _ in range(6)], set(), []

    def fill(block):
        used.add(threading.get_ident())
        done.append(id(block))

    for_each(blocks, fill, threads)
    assert sorted(done) == sorted(map(id, blocks))
    assert len(used) <= threads
    used.clear()
    for_each(blocks[:1], fill, threads)
    assert used == {threading.get_ident()}


def test_what_goes_wrong_in_a_thread_is_raised():
    def fail(block):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        for_each([object()] * 3, fail, 2)


def test_scores_leave_room_below_them_unless_there_is_none():
    assert can_fill(np.array([5.0]))
    assert can_fill(np.array([-1e300, 3.0]))
    assert not can_fill(np.array([-np.inf, 3.0]))
    assert not can_fill(np.array([-np.finfo(np.float64).max]))
    assert not can_fill(np.empty(0))


def test_whole_numbers_beyond_doubles_keep_their_order():
    large = np.array([2**53 + 1, 2**53, 2**53 + 2])
    assert as_doubles(large).tolist() == [1, 0, 2]
    assert as_doubles(-large).tolist() == [1, 2, 0]
    for fits in (np.array([2**53, -(2**53)]), np.array([1, 2], np.int32), np.array([1.5]), np.array([1.5], np.float32)):
        assert as_doubles(fits) is fits
    assert as_doubles(np.array([[3, 2**60], [2**60 + 1, 3]])).tolist() == [[0, 1], [2, 0]]


@pytest.mark.parametrize("columns", [1, 2, 3, 8, 9, 40])
@pytest.mark.parametrize("decimals", [0, 1, 15])
def test_places_fall_by_score_and_then_by_column(columns, decimals):
    scores = np.random.default_rng(columns).normal(size=(5, columns)).round(decimals)
    scores[0, 0] = -0.0
    order = np.argsort(-scores, axis=1, kind="stable") + np.arange(5)[:, None] * columns
    sorted_scores = scores.ravel()[order]
    places, alike = all_places(scores)
    np.testing.assert_array_equal(places, order)
    np.testing.assert_array_equal(alike[:, 1:], sorted_scores[:, 1:] == sorted_scores[:, :-1])
    assert not alike[:, 0].any()


def test_neighbors_that_differ_in_their_last_bits_alone_are_told_apart():
    close = np.array([[1.0, np.nextafter(1.0, 2), np.nextafter(1.0, 0), 1.0], [4.0, 3.0, 2.0, 1.0]])
    places, alike = all_places(close)
    assert places.tolist() == [[1, 0, 3, 2], [4, 5, 6, 7]]
    assert alike.tolist() == [[False, False, True, False], [False, False, False, False]]


def test_scores_that_lose_their_last_bits_to_a_higher_row_are_put_in_order_in_their_own_row():
    close = np.array([[4.0, 0.0], [1.0, np.nextafter(1.0, 2)], [2.0, 2.0]])
    places, alike = all_places(close)
    assert places.tolist() == [[0, 1], [3, 2], [4, 5]]
    assert alike.tolist() == [[False, False], [False, False], [False, True]]


def test_two_threads_work_at_the_same_time_and_what_goes_wrong_in_the_other_is_raised():
    both, here = threading.Barrier(2, timeout=5), threading.get_ident()

    def fill(block):
        both.wait()
        if threading.get_ident() != here:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        for_each([object()] * 2, fill, 2)


def test_scores_beyond_single_precision_are_ordered_in_double():
    scores = np.array([[1e300, 5.0, 2e300, -1e300, 7.0]])
    places, alike = first_places(scores, 5, single=True)
    assert places[0, :2].tolist() == [2, 0]
    assert alike.tolist() == [[False, False, False, True, False]]  # beside 1e300, 5 and 7 are


@pytest.mark.parametrize("single", [False, True])
def test_scores_far_below_1_are_told_apart_by_their_own_bits(single):
    places, alike = first_places(np.array([[1e-20, 3e-20, 2e-20]]), 3, single=single)
    assert places.tolist() == [[1, 2, 0]]
    assert not alike.any()


def test_the_lowest_score_that_can_be_told_from_filling():
    assert can_fill(np.array([-1e308 * (1 - 1e-15), 1.0]))
    assert not can_fill(np.array([-1e308, 1.0]))


def test_only_the_bits_of_the_column_are_left_out_of_a_score():
    """Three columns take two bits: the third bit tells two scores apart, and the second one does not."""
    assert not first_places(np.array([[1.0, 0.5, 0.5 - 2.0**-51]]), 3)[1].any()
    assert first_places(np.array([[1.0, 0.5, 0.5 - 2.0**-52]]), 3)[1].tolist() == [[False, False, True]]


def test_the_highest_scores_of_wide_rows_are_all_there():
    scores = np.random.default_rng(6).random((60, 300))
    places, _ = first_places(scores, 5)
    expected = np.argsort(-scores, axis=1)[:, : places.shape[1]] + 300 * np.arange(60)[:, None]
    assert places.tolist() == expected.tolist()


def test_filling_is_like_nothing():
    least = matrices.LEAST
    scores = np.array([[3.0, 2.0, least, least], [3.0, 3.0, 3.0, 1.0]])
    inside = scores > least
    places, alike = first_places(scores, 4, inside)
    assert places.tolist() == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert alike.tolist() == [[False] * 4, [False, True, True, False]]


def test_the_first_places_of_wide_rows_are_all_there_however_many_they_are():
    scores = np.random.default_rng(7).random((100, 2000))
    places, _ = first_places(scores, 700)
    expected = np.argsort(-scores, axis=1)[:, : places.shape[1]] + 2000 * np.arange(100)[:, None]
    assert np.array_equal(places, expected)


@pytest.mark.parametrize("columns", [2, 8, 33, 70])
@pytest.mark.parametrize("single", [False, True])
def test_zeros_of_both_signs_are_alike_where_they_are_the_highest(columns, single):
    scores = np.full((2, columns), -0.0)
    scores[:, 1::2] = 0.0
    places, alike = first_places(scores, columns, single=single)
    assert places.tolist() == np.arange(2 * columns).reshape(2, columns).tolist()
    assert alike[:, 1:].all()
