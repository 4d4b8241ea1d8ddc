from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge import Judgments, Policy, Run, evaluate
from rankgauge.data.match import frames, lookup
from rankgauge.data.match.lookup import Lookup
from rankgauge.data.match.segments import QueryRows, _grouping, places_of
from rankgauge.data.match.side_by_side import ShortLists
from rankgauge.errors import DataError

names = st.sampled_from(["a", "b", "c", "d", "e"])
TEXTS, NUMBERS = ("q1", "q2", "", "é"), (-(2**63), -1, 0, 7, 2**63 - 1)
pairs = st.lists(st.tuples(st.integers(0, 2), names), unique=True, max_size=10)


@given(pairs, pairs, st.sampled_from([0, 1, 2**64 - 1, None]))
def test_judged_rows_are_found_whatever_the_hashes_do(judged, run, constant):
    def hashes(rows):
        series = pl.Series([name for _, name in rows], dtype=pl.String)
        return series.hash().to_numpy() if constant is None else np.full(len(rows), constant, np.uint64)

    def columns(rows):
        return np.array([query for query, _ in rows], np.int64), pl.Series([name for _, name in rows], dtype=pl.String)

    code, documents = columns(judged)
    lookup = Lookup(code, hashes(judged), documents, np.arange(len(judged), dtype=np.float64), 3)
    wanted, texts = columns([*run, (3, "a")])
    rows, value = lookup.find(wanted, hashes([*run, (3, "a")]), texts.__getitem__)
    assert rows.tolist() == [at for at, pair in enumerate(run) if pair in judged]
    assert value.tolist() == [float(judged.index(pair)) for pair in run if pair in judged]


some_queries = st.one_of(st.lists(st.sampled_from(ids), min_size=1, max_size=12) for ids in (TEXTS, NUMBERS))


@given(some_queries, st.integers(1, 15))
def test_segments_bring_the_rows_of_a_query_together_in_their_order(queries, at_once):
    segments = QueryRows(pl.Series(queries, dtype=pl.Int64 if isinstance(queries[0], int) else pl.String))
    queries = [str(query) for query in queries]
    assert list(segments.names) == list(dict.fromkeys(queries))
    assert segments.size.tolist() == [queries.count(name) for name in segments.names]
    numbers = np.arange(len(queries))
    rows = segments.whole().take(numbers)
    assert [queries[row] for row in rows] == sorted(queries, key=segments.names.index)
    stretches = segments.stretches(at_once)
    assert np.concatenate([stretch.take(numbers) for stretch in stretches]).tolist() == rows.tolist()
    for stretch in stretches:
        mine = np.arange(stretch.start[-1])
        assert stretch.source(mine).tolist() == stretch.take(numbers).tolist()
        names = np.repeat(np.array(segments.names, object)[stretch.segments], np.diff(stretch.start)).tolist()
        assert names == [queries[row] for row in stretch.take(numbers)]
        assert all(np.all(np.diff(part) > 0) for part in np.split(stretch.take(numbers), stretch.start[1:-1]))


@given(
    st.lists(st.sampled_from([*range(-3, 9), -(2**63), 2**63 - 1, 10**12])),
    st.sets(st.sampled_from([*range(5), -(2**63), 10**12])),
)
def test_places_of_whole_numbers_near_and_far(numbers, among):
    known = list(among)
    want = [known.index(number) if number in among else len(known) for number in numbers]
    assert places_of(np.array(numbers, np.int64), np.array(known, np.int64)).tolist() == want


def test_more_queries_than_16_bits_count_are_grouped_as_well():
    code = np.random.default_rng(1).integers(0, 200_000, 300_000).astype(np.uint32)
    assert np.array_equal(_grouping(code, 200_000), np.argsort(code, kind="stable"))


@pytest.mark.parametrize("sizes", [(3, 3), (3, 1), (40, *[1] * 60)])
@pytest.mark.parametrize("equal", [False, True])
def test_equal_hashes_are_duplicates_only_if_the_texts_are_equal(sizes, equal, monkeypatch):
    rows = [(f"q{q}", f"d{d}", float(d)) for q, size in enumerate(sizes) for d in range(size)]
    monkeypatch.setattr(frames, "hashes_of", lambda rows: np.full(len(rows), 2**64 - 1, np.uint64))
    if equal:
        rows.append(("q0", "d1", 9.0))
    run = pl.DataFrame(rows, ["query", "document", "score"], orient="row")
    judged = pl.DataFrame([("q0", "d1", 1.0)], ["query", "document", "value"], orient="row")
    if equal:
        with pytest.raises(DataError, match="query q0, document d1"):
            evaluate(Judgments(judged), Run(run), "nDCG")
    else:
        assert evaluate(Judgments(judged), Run(run), "P@100").values[0, 0, 0] == pytest.approx(0.01)


def test_queries_of_very_many_rows_are_searched_by_all_bits(monkeypatch):
    monkeypatch.setattr(lookup, "_NARROW", 2)
    rows = [("q", f"d{d}", float(d)) for d in range(5)]
    run = pl.DataFrame(rows, ["query", "document", "score"], orient="row")
    assert evaluate({"q": {"d4": 1}}, Run(run), "RR").values[0, 0, 0] == 1.0


@st.composite
def short_lists(draw):
    """A few judged documents and a short list for each of some users, who need not be the same."""
    items = st.integers(0, 12)
    judged = draw(
        st.dictionaries(
            st.integers(0, 9), st.dictionaries(items, st.integers(0, 2), min_size=1, max_size=8), min_size=1
        )
    )
    run = draw(st.dictionaries(st.integers(0, 9), st.lists(items, unique=True, min_size=1, max_size=9), min_size=1))
    return judged, run, draw(st.sampled_from(["in order", "by score", "with ties"])), draw(st.integers(1, 12))


@given(short_lists())
def test_short_lists_of_whole_numbers_give_what_texts_give(drawn):
    judged, run, how, cutoff = drawn
    score = {"in order": lambda at: -at, "by score": lambda at: at * 7 % 11, "with ties": lambda at: at // 2}[how]
    rows = [(user, item, score(at)) for user, items in run.items() for at, item in enumerate(items)]
    listed = pl.DataFrame(rows, ["user_id", "item_id", "score"], orient="row")
    known = [(user, item, value) for user, items in judged.items() for item, value in items.items()]
    values = pl.DataFrame(known, ["user_id", "item_id", "rating"], orient="row")
    measures = f"nDCG@{cutoff} RR AP P@{cutoff} Success@{cutoff} Judged@{cutoff}"
    allow = Policy(unjudged="zero")
    if judged.keys().isdisjoint(run):
        with pytest.raises(DataError):
            evaluate(values, listed, measures, policy=allow)
        return
    ids = pl.col("user_id", "item_id").cast(pl.String)
    ours = evaluate(values, listed, measures, policy=allow)
    texts = evaluate(values.with_columns(ids), listed.with_columns(ids), measures, policy=allow)
    assert ours.queries == texts.queries
    assert np.array_equal(ours.values, texts.values, equal_nan=True)


@given(st.lists(st.lists(st.integers(0, 40), min_size=1, max_size=9), min_size=1, max_size=6))
def test_short_lists_may_repeat_exactly_where_they_do(lists):
    start = np.concatenate(([0], np.cumsum([len(items) for items in lists])))
    found = ShortLists(start, np.concatenate(lists).astype(np.uint64)).may_repeat()
    assert found == any(len(set(items)) < len(items) for items in lists)


@pytest.mark.parametrize("at", [0, 5, 19])
def test_a_repeated_item_in_one_of_many_short_lists_is_named(at):
    users, items = np.repeat(np.arange(3_000), 20), np.tile(np.arange(20), 3_000)
    items[20 * 1_234 + at] = (at + 7) % 20
    run = pl.DataFrame({"user_id": users, "item_id": items, "rank": items + 1})
    judged = pl.DataFrame({"user_id": np.arange(3_000), "item_id": 3, "rating": 1})
    with pytest.raises(DataError, match=f"query 1234, document {(at + 7) % 20} "):
        evaluate(judged, run, "nDCG@10")


def test_names_are_made_when_somebody_asks():
    names = QueryRows(pl.Series([7, 7, 3])).names
    assert len(names) == 2
    assert "_made" not in vars(names)
    assert names[0] == "7"
    assert names[:1] == ["7"]
    assert list(names) == ["7", "3"]
    with pytest.raises(IndexError):
        names[2]
