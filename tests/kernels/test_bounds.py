"""Bounds under unjudged documents equal the extremes over all judgments of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernels.tied import pool_for, settled_hits
from rankgauge.errors import MeasureError
from rankgauge.kernels import bounds
from rankgauge.kernels.counting import precision
from rankgauge.kernels.hits import Hits, Pool
from rankgauge.measures import AP, P, nDCG, parse

lists = st.lists(st.sampled_from([None, None, -1, 0, 1, 2, 3]), max_size=5)
others = st.lists(st.sampled_from([0, 1, 3]), max_size=2)
cutoffs = st.one_of(st.none(), st.integers(1, 6))


def curves_of(measure):
    return {name: value for name, value in measure.settings.items() if name != "ideal"} | {"cutoff": measure.cutoff}


def extremes(measure, grades, rest):
    """Least and largest defined value over every judgment of the unjudged documents."""
    top = max([0, *(g for g in grades if g is not None), *rest])
    free = [at for at, grade in enumerate(grades) if grade is None]
    values = []
    for chosen in product(range(top + 1), repeat=len(free)):
        full = list(grades)
        for at, grade in zip(free, chosen, strict=True):
            full[at] = grade
        hits = settled_hits(full)
        values.append(measure.compute(hits, pool_for(hits, *rest))[0])
    defined = [value for value in values if not np.isnan(value)]
    return (min(defined), max(defined)) if defined else (np.nan, np.nan)


@given(lists, others, cutoffs, st.sampled_from(["linear", "exp"]), st.sampled_from(["log2", "zipf", "none"]))
def test_bounds_of_ndcg(grades, rest, cutoff, gain, discount):
    measure = nDCG(gain=gain, discount=discount) if cutoff is None else nDCG(gain=gain, discount=discount) @ cutoff
    hits = settled_hits(grades)
    low, high = bounds.ndcg(hits, pool_for(hits, *rest), **curves_of(measure))
    assert (low[0], high[0]) == pytest.approx(extremes(measure, grades, rest), abs=1e-12, nan_ok=True)


@given(lists, others, cutoffs, st.sampled_from([None, 2, 9]))
def test_bounds_of_average_precision(grades, rest, cutoff, rel):
    measure = AP if rel is None else AP(rel=rel)
    measure = measure if cutoff is None else measure @ cutoff
    hits = settled_hits(grades)
    low, high = bounds.average_precision(hits, pool_for(hits, *rest), cutoff=cutoff, rel=rel)
    assert (low[0], high[0]) == pytest.approx(extremes(measure, grades, rest), abs=1e-12, nan_ok=True)


@given(lists, others)
def test_bounds_of_a_monotone_measure(grades, rest):
    hits = settled_hits(grades)
    low, high = bounds.monotone(hits, pool_for(hits, *rest), kernel=precision, cutoff=3, rel=None)
    assert (low[0], high[0]) == extremes(P @ 3, grades, rest)


def test_no_queries_have_no_bounds():
    nothing = np.empty(0, np.int64)
    hits = Hits(nothing, nothing, np.empty(0), nothing, nothing, nothing)
    assert len(bounds.filled(hits, 1.0).rank) == 0
    assert len(bounds.average_precision(hits, Pool(np.empty(0), np.zeros(1, np.int64)), cutoff=None, rel=None)[0]) == 0


def test_a_query_whose_value_cannot_be_defined_has_no_bounds():
    one, two = np.array([0, 1]), np.array([1, 1])
    hits = Hits(one, two, np.array([0.0, 1.0]), two, two, two)
    pool = Pool(np.array([0.0, 1.0]), np.array([0, 1, 2]))
    low, high = bounds.ndcg(hits, pool, **curves_of(nDCG))
    assert np.isnan(low[0])
    assert np.isnan(high[0])
    assert (low[1], high[1]) == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "nDCG(gain=levels(2, 1))",
        "nDCG(discount=weights(0.5, 1))",
        "nDCG(discount=weights(1, 0.2, 0.5))",
        "nDCG(relevance=tiers(1))",
    ],
)
def test_curves_that_the_argument_does_not_cover_are_refused(text):
    hits = settled_hits([2, None, 1, 2])
    with pytest.raises(MeasureError, match="bounds of nDCG need"):
        bounds.ndcg(hits, pool_for(hits), **curves_of(parse(text)))


def test_where_only_an_unjudged_document_can_be_relevant_the_value_is_that_of_its_being_so():
    # Without it the query has nothing relevant, and no value.
    hits = Hits(np.array([1]), np.array([1]), np.array([1.0]), np.array([1]), np.array([1]), np.array([2, 1]))
    pool = Pool(np.array([0.0, 1.0]), np.array([0, 1, 2]))
    low, high = bounds.average_precision(hits, pool, cutoff=None, rel=None)
    assert (low[0], high[0]) == (0.5, 1)
    low, high = bounds.ndcg(hits, pool, **curves_of(nDCG))
    assert (low[0], high[0]) == pytest.approx((1 / np.log2(3), 1))


def test_the_least_ndcg_has_the_deepest_unjudged_document_relevant():
    hits = settled_hits([1, None, None])
    low, high = bounds.ndcg(hits, pool_for(hits), **curves_of(nDCG))
    assert low[0] == pytest.approx((1 + 1 / 2) / (1 + 1 / np.log2(3)))
    assert high[0] == pytest.approx(1)


def test_the_largest_ndcg_may_have_no_unjudged_document_relevant():
    hits = settled_hits([1, 0, None])
    assert bounds.ndcg(hits, pool_for(hits), **curves_of(nDCG))[1][0] == pytest.approx(1)


def test_bounds_need_one_highest_grade():
    hits = settled_hits([1, None])
    with pytest.raises(MeasureError, match="one highest grade for all queries"):
        bounds.monotone(hits, pool_for(hits), kernel=precision, cutoff=1, rel=None, max="query")


def test_every_unjudged_document_gets_the_value():
    hits = settled_hits([None, 2, None, 0])
    full = bounds.filled(hits, 3.0)
    assert (full.rank.tolist(), full.value.tolist()) == ([1, 2, 3, 4], [3, 2, 3, 0])
    assert full.first.tolist() == full.last.tolist() == full.rank.tolist()
