"""Expected values under open ties equal the mean over all orders."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.tied import groups, mean_over_orders, open_hits, orders, settled_hits
from rankgauge.kernels import preference, ties
from rankgauge.kernels.hits import Hits

cutoffs = st.one_of(st.none(), st.integers(1, 7))


def near(value):
    return pytest.approx(value, abs=1e-12)


def precision_sum(hits, cutoff):
    good = hits.rank[hits.value > 0]
    return sum((n / r for n, r in enumerate(good, 1) if cutoff is None or r <= cutoff), 0.0)


@given(groups, cutoffs)
def test_the_precision_sum_of_average_precision(tied, cutoff):
    hits = open_hits(tied)
    expect = mean_over_orders(tied, lambda one: precision_sum(one, cutoff))
    assert ties.precision_sum(hits, hits.value > 0, cutoff)[0] == near(expect)


@given(groups)
def test_a_blend_of_counts_and_gains(tied):
    def blend(hits):
        gain = np.maximum(hits.value, 0) * 0.3
        so_far = np.cumsum((hits.value > 0) + gain)
        return float(np.sum((so_far / (hits.rank + 2.0))[hits.value > 0]))

    hits = open_hits(tied)
    got = ties.precision_sum(hits, hits.value > 0, None, np.maximum(hits.value, 0) * 0.3, lambda _, rank: rank + 2.0)
    assert got[0] == near(mean_over_orders(tied, blend))


@given(groups)
def test_the_rank_of_the_first_relevant_document(tied):
    hits = open_hits(tied)
    query, rank, chance = ties.first_relevant(hits, hits.value > 0)
    assert not query.any()
    firsts = [settled_hits(order).rank[settled_hits(order).value > 0] for order in orders(tied)]
    for wanted in range(1, 7):
        share = sum(len(good) > 0 and good[0] == wanted for good in firsts) / len(firsts)
        assert chance[rank == wanted].sum() == near(share)
        assert (wanted in rank) == (share > 0)


@given(groups, cutoffs)
def test_the_cascade_that_stops_at_a_satisfying_document(tied, cutoff):
    def stop(value):
        return (2 ** np.maximum(value, 0) - 1) / 4

    def cascade(hits):
        total, arriving = 0.0, 1.0
        for rank, chance in zip(hits.rank, stop(hits.value), strict=True):
            total += arriving * chance / rank if cutoff is None or rank <= cutoff else 0
            arriving *= 1 - chance
        return total

    hits = open_hits(tied)
    assert ties.stopping(hits, stop(hits.value), cutoff)[0] == near(mean_over_orders(tied, cascade))


@given(groups, st.integers(0, 3))
def test_the_bad_documents_above_each_relevant_one(tied, cap):
    def above(hits):
        good = np.flatnonzero(hits.value > 0)
        return sum((min(np.sum(hits.value[:at] == 0), cap) for at in good), 0)

    hits = open_hits(tied)
    limits = np.full(len(hits.value), cap)
    got = ties.capped_above(hits, hits.value > 0, hits.value == 0, limits)
    assert got.sum() == near(mean_over_orders(tied, above))


@given(groups)
def test_the_inferred_precision_at_each_relevant_document(tied):
    def inferred_sum(hits):
        total = 0.0
        for at in np.flatnonzero(hits.value > 0):
            rank, good, bad = hits.rank[at], np.sum(hits.value[:at] > 0), np.sum(hits.value[:at] == 0)
            share = (good + preference.EPSILON) / (good + bad + 2 * preference.EPSILON)
            total += 1.0 if rank == 1 else 1 / rank + at / rank * share
        return total

    hits = open_hits(tied)
    got = preference.expected_inferred_sum(hits, hits.value > 0, hits.value == 0)[0]
    assert got == near(mean_over_orders(tied, inferred_sum))


@given(groups)
def test_the_worst_and_best_orders_are_by_relevance_with_unjudged_between(tied):
    hits = open_hits(tied)

    def key(grade):
        return (1, grade) if grade is not None and grade > 0 else (0, 0) if grade is None else (-1, grade)

    for is_best in (False, True):
        order = [grade for group in tied for grade in sorted(group, key=key, reverse=is_best)]
        wanted, got = settled_hits(order), ties.by_value(hits, best=is_best)
        assert got.rank.tolist() == wanted.rank.tolist()
        assert got.value.tolist() == wanted.value.tolist()
        assert not got.is_tied


@given(st.lists(st.lists(st.floats(0, 9), min_size=1, max_size=6), min_size=1, max_size=5))
def test_sums_before_a_tie_group_have_the_same_bits_alone_and_in_company(queries):
    def before(chosen):
        query = np.repeat(np.arange(len(chosen)), [len(amounts) for amounts in chosen])
        rank = np.concatenate([np.arange(1, len(amounts) + 1) for amounts in chosen])
        amount = np.concatenate(chosen)
        hits = Hits(query, rank, amount, rank, rank, np.full(len(chosen), 9))
        return ties.Groups(hits).before(amount)

    assert np.array_equal(before(queries), np.concatenate([before([amounts]) for amounts in queries]))
