"""A measure of many queries at once is what it is of each alone, whatever stands beside it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kernels.tied import open_hits, pool_for, stacked
from rankgauge.errors import MeasureError
from rankgauge.kernels.hits import pool_of
from rankgauge.measures import parse

# Per query: groups of tied documents by rank (None: unjudged), and judged documents that were not returned.
SETTLED = (
    ([[0], [1], [None], [2], [1]], (1,)),
    ([[2]], ()),
    ([], (1, 0)),
    ([[None], [0], [-1], [1], [0], [1], [3]], (2, 2, 0)),
    ([[0], [0], [None]], (0,)),
    ([[None], [1]], (1, 1, 1)),
    ([[3], [1], [0], [None]], (2,)),
)
TIED = (
    ([[0, 1], [None, 2, 1]], (1,)),
    ([[2, 0]], ()),
    ([], (1, 0)),
    ([[None, 0, 1, 0], [-1, 1], [3]], (2, 2, 0)),
    ([[0, 0], [None]], (0,)),
    ([[None, 1, None]], (1, 1, 1)),
    ([[3], [1, 0, 0, 2], [None]], (2,)),
)
MEASURES = [
    "P@3",
    "P(over=returned)@3",
    "P(over=reachable)@3",
    "P(rel=2)",
    "R@3",
    "R(over=reachable)@3",
    "F@3",
    "Rprec",
    "Rprec(times=1.5)",
    "AP",
    "AP@3",
    "AP(rel=2)",
    "AP(over=found)@3",
    "AP(over=k)@3",
    "AP(over=returned)@3",
    "AP(over=reachable)@3",
    "Q",
    "Q@3",
    "RR",
    "RR@2",
    "RR(first=highest)",
    "Success@2",
    "Judged@3",
    "Unjudged@3",
    "SetAP",
    "SetP",
    "SetR",
    "SetF",
    "NumQ",
    "NumRet",
    "NumRel",
    "NumRelRet",
    "Bpref",
    "infAP",
    "DCG",
    "DCG@3",
    "nDCG",
    "nDCG@3",
    "nDCG(gain=exp)",
    "nDCG(ideal=answered)@3",
    "nDCG(ideal=ones)@3",
    "nDCG(ideal=ones)",
    "nDCG(ideal=returned)@3",
    "nDCG(ideal=uncut)@3",
    "nDCG(ideal=top)@3",
    "nDCG(discount=zipf)",
    "ERR(max=3)",
    "ERR(max=3)@2",
    "nERR(max=3)",
    "RBP(max=3)",
    "RBP(max=3)@3",
    "RBP(rel=1)",
    "rankDCG",
    "rankDCG@3",
    "IPrec@0",
    "IPrec@0.5",
    "IPrec@1",
    "IAP",
]


def beside_each_other(lists):
    """All lists as queries of one run, and the pool of all of them."""
    single = [open_hits(groups) for groups, _ in lists]
    judged = [
        np.concatenate((one.value, np.array(rest, np.float64))) for one, (_, rest) in zip(single, lists, strict=True)
    ]
    whose = np.repeat(np.arange(len(lists)), [len(one) for one in judged])
    return stacked(single), pool_of(whose, np.concatenate(judged), len(lists))


@pytest.mark.parametrize("text", MEASURES)
@pytest.mark.parametrize("lists", [SETTLED, TIED], ids=["settled", "tied"])
def test_a_query_has_the_same_value_alone_and_beside_others(text, lists):
    measure = parse(text)
    hits, pool = beside_each_other(lists)
    if lists is TIED and text.startswith("I"):
        with pytest.raises(MeasureError, match="no closed form"):
            measure.compute(hits, pool)
        return
    together = measure.compute(hits, pool)
    alone = [open_hits(groups) for groups, _ in lists]
    expected = [measure.compute(one, pool_for(one, *rest))[0] for one, (_, rest) in zip(alone, lists, strict=True)]
    np.testing.assert_array_equal(together, expected)
    assert len({value for value in expected if not np.isnan(value)}) > 1 or text == "NumQ"


@pytest.mark.parametrize("text", MEASURES)
def test_the_order_of_the_queries_does_not_matter(text):
    measure = parse(text)
    forward, backward = (measure.compute(*beside_each_other(lists)) for lists in (SETTLED, SETTLED[::-1]))
    np.testing.assert_array_equal(forward, backward[::-1])


def test_settled_hits_are_not_tied():
    hits, _ = beside_each_other(SETTLED)
    assert not hits.is_tied
    assert replace(hits, last=hits.last + 1).is_tied
