"""Every fast path gives the bits of the plain one."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from laws import strategies as some
from laws.files import same_hits
from rankgauge import Judgments, Policy, Run
from rankgauge.data.matching import match_runs
from rankgauge.errors import PolicyError
from rankgauge.evaluation.counted.exposure import extreme_orders
from rankgauge.evaluation.counted.plan import Plan, deepest_rank
from rankgauge.evaluation.counted.run import evaluate_match
from rankgauge.evaluation.evaluate import settle_call
from rankgauge.kernels import ranking
from rankgauge.kernels.ranking import rank_rows

TIED = ({"q": {"b": 1, "d": 2}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}})


def match(judgments, run, policy, deepest=None):
    (matched,) = match_runs(judgments, [run], policy, deepest)
    return matched


def frame(rows, number):
    cells = [(query, document, float(value)) for query, found in rows.items() for document, value in found.items()]
    return pl.DataFrame(cells, {"query": pl.String, "document": pl.String, number: pl.Float64}, orient="row")


def refuses(plan):
    """Whether a depth parts equal scores, which leaves no one list for the mean over orders."""
    try:
        plan.under(plan.policy.ties or "document")
    except PolicyError:
        return True
    return False


@given(some.collections(), st.lists(some.any_measure(), min_size=1, max_size=3), some.policies, st.booleans())
@example(TIED, [some.bare("nDCG") @ 2], Policy(ties="worst"), False)
@example(TIED, [some.bare("P") @ 1], Policy(ties="mean"), True)
@example(({"q": {"b": 1, "d": 2}}, {"q": {"a": 3.0, "b": 2.0, "d": 1.0}}), [some.bare("rankDCG") @ 2], Policy(), False)
def test_what_stands_below_the_deepest_rank_changes_no_bit_and_no_note(collection, measures, policy, as_frames):
    judged, run = collection
    tables = (frame(judged, "value"), frame(run, "score")) if as_frames else (judged, run)
    judgments, system = Judgments(tables[0]), Run(tables[1])
    chosen, rule = settle_call(measures, policy, None)
    assume(rule.ties != "mean" or not any(one.definition.name in {"IPrec", "IAP"} for one in chosen))  # refused
    deepest = deepest_rank(chosen, rule)
    whole, part = match(judgments, system, rule), match(judgments, system, rule, deepest)
    assert same_hits(part.hits, whole.hits.within(deepest))
    plain, fast = Plan(whole, rule), Plan(part, rule)
    if refuses(plain):
        assert refuses(fast)
        return
    for measure in chosen:
        assert np.array_equal(plain.value(measure), fast.value(measure), equal_nan=True)
    facts = [evaluate_match(matched, chosen, rule).facts for matched in (whole, part)]
    for name in ("missing", "undefined", "unjudged"):
        assert getattr(facts[0], name) == getattr(facts[1], name)
    moved = [
        extreme_orders(plan, chosen, [plan.value(m) for m in chosen], lambda values, _: values)
        for plan in (plain, fast)
    ]
    for one, two in zip(*moved, strict=True):
        assert all(np.array_equal(*sides, equal_nan=True) for sides in zip(one, two, strict=True))


@given(some.collections(), st.integers(1, 4), st.booleans())
def test_dicts_out_of_order_are_looked_up_where_it_matters(collection, depth, reverse):
    judged, run = collection
    ordered = {q: dict(sorted(found.items(), key=lambda row: row[1], reverse=reverse)) for q, found in run.items()}
    rule = settle_call("nDCG", None, None)[1]
    want = match(Judgments(judged), Run(run), rule).hits.within(depth)
    assert same_hits(match(Judgments(judged), Run(ordered), rule, depth).hits, want)


ids = st.sampled_from([0, 1, 2, 3, 10, 11, -4, 10**12, -(2**63), 2**63 - 1])
numbered = st.lists(st.tuples(ids, ids, st.integers(0, 4)), min_size=1, max_size=40, unique_by=lambda row: row[:2])


@given(numbered, numbered, st.sampled_from([None, 1, 2, 3]), st.sampled_from(["both", "judged", "run"]))
def test_ids_that_are_whole_numbers_give_the_hits_of_their_texts(judged, run, depth, which):
    def table(rows, number, whole):
        frame = pl.DataFrame(rows, {"query": pl.Int64, "document": pl.Int64, number: pl.Float64}, orient="row")
        return frame if whole else frame.with_columns(pl.col("query", "document").cast(pl.String))

    rule = settle_call("nDCG", None, None)[1]
    run = [*run, (judged[0][0], 77, 1)]  # at least one query in common
    want = match(Judgments(table(judged, "value", False)), Run(table(run, "score", False)), rule, depth)
    kinds = table(judged, "value", which != "run"), table(run, "score", which != "judged")
    got = match(Judgments(kinds[0]), Run(kinds[1]), rule, depth)
    assert same_hits(got.hits, want.hits)
    assert (list(got.queries), got.foreign) == (list(want.queries), want.foreign)
    assert np.array_equal(got.pool.value, want.pool.value)


@given(st.lists(st.lists(st.integers(0, 9), max_size=9), min_size=1, max_size=5), st.data())
def test_ranks_by_counting_are_those_by_sorting(lists, data):
    start = np.concatenate(([0], np.cumsum([len(scores) for scores in lists])))
    score = np.array([one for scores in lists for one in scores], np.float64)
    rows = np.array(
        sorted(data.draw(st.sets(st.integers(0, len(score) - 1)) if len(score) else st.just(set()))), np.int64
    )
    counted = rank_rows(start, score, rows, lambda some: some)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ranking, "SHORT", 0)
        plain = rank_rows(start, score, rows, lambda some: some)
    for name in ("segment", "rank", "first", "last"):
        assert np.array_equal(getattr(counted, name), getattr(plain, name))


def test_the_deepest_rank_is_none_where_every_rank_can_matter():
    def deepest(measures, **policy):
        return deepest_rank(*settle_call(measures, Policy(**policy), None))

    assert deepest("nDCG@10 P@5") == 10
    assert deepest("nDCG@10 AP") is None
    assert deepest("nDCG@10 IPrec@0.1") is None
    assert deepest("rankDCG@10") is None  # its ranks count judged documents only
    assert deepest("nDCG@10", depth=3) == 3
    assert deepest("AP", depth=7) == 7
    assert deepest("nDCG@10", unjudged="drop") is None
    assert deepest("nDCG@10", unjudged="drop", depth=7) == 7
    assert deepest("nDCG@10", ties="error") is None
