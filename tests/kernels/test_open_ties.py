"""While ties are open, a measure that is linear in the ranks is the mean over all orders, by brute force."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from kernels import tied
from kernels.examples import ranked
from rankgauge.kernels.hits import Hits, pool_of
from rankgauge.measures import DCG, RBP, F, Judged, NumRelRet, P, R, RBPResidual, RelP, Rprec, Unjudged, nDCG, parse

GROUPS = ((2, None), (0, 1, None, 3), (1,))
"""Judged values, tied inside each group."""
UNSEEN = (2, 0)


def open_hits() -> Hits:
    hits, _ = ranked(*(grade for group in GROUPS for grade in group), unretrieved=UNSEEN)
    ends = np.cumsum([len(group) for group in GROUPS])
    group = np.searchsorted(ends, hits.rank)
    return Hits(hits.query, hits.rank, hits.value, np.concatenate(([0], ends))[group] + 1, ends[group], hits.retrieved)


def orders():
    first, second, third = (list(permutations(group)) for group in GROUPS)
    return [(*a, *b, *c) for a in first for b in second for c in third]


@pytest.mark.parametrize(
    "measure",
    [
        *(base @ k for base in (P, R, F, RelP, Judged, Unjudged, NumRelRet, DCG, nDCG, RBP) for k in (1, 2, 4, 6, 9)),
        P(rel=2) @ 3,
        F(beta=2) @ 3,
        Rprec,
        Rprec(times=0.4),
        Rprec(times=1.6),
        RBP,
        RBP(rel=2, p=0.5),
        RBPResidual,
        RBPResidual(p=0.3) @ 4,
    ],
    ids=str,
)
def test_the_value_is_the_mean_over_all_orders(measure):
    each = [measure.compute(*ranked(*order, unretrieved=UNSEEN))[0] for order in orders()]
    _, pool = ranked(*orders()[0], unretrieved=UNSEEN)
    assert measure.compute(open_hits(), pool)[0] == pytest.approx(np.mean(each), rel=1e-13)


LISTS = (
    [[2, None], [0, 1, None, 3], [1]],
    [[1, 1, 0], [2, -1]],
    [[0, 3, 1, None], [None], [2, 0]],
)


@pytest.mark.parametrize("cutoff", ["", "@2", "@4"])
@pytest.mark.parametrize("name", ["AP", "RR", "Q", "ERR", "nERR", "RBP", "nDCG", "P"])
def test_a_query_has_the_same_value_alone_and_among_others(name, cutoff):
    measure = parse(name + cutoff)
    each = [tied.open_hits(groups) for groups in LISTS]
    together = tied.stacked(each)
    pool = pool_of(together.query, together.value, len(each))
    if name in {"ERR", "nERR", "RBP"}:  # one scale of grades for all
        measure = parse(f"{name}(max=3){cutoff}")
    for number, hits in enumerate(each):
        judged = pool.value[pool.start[number] : pool.start[number + 1]]
        alone = pool_of(np.zeros(len(judged), np.int64), judged, 1)
        assert measure.compute(together, pool)[number] == measure.compute(hits, alone)[0]


def test_a_scale_below_1_divides_by_its_highest_relevance():
    hits, pool = ranked(0.25, 0.5)
    assert RBP(p=0.5).compute(hits, pool)[0] == 0.5 * (0.5 * 1 + 1.0 * 0.5)
