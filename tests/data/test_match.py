"""What matching does that only large, odd or hostile tables show: hashes that are equal, ids of all kinds, memory."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge import Judgments, Policy, Run, evaluate
from rankgauge.data import match
from rankgauge.data.match import bytes_of
from rankgauge.data.table import Column, by_query, places_of
from rankgauge.errors import DataError, UsageError

MB = 1 << 20
TEXTS, NUMBERS = ("q1", "q2", "", "é"), (-(2**63), -1, 0, 7, 2**63 - 1)


@given(st.one_of(st.lists(st.sampled_from(ids), min_size=1, max_size=12) for ids in (TEXTS, NUMBERS)))
def test_the_rows_of_a_query_come_together_in_their_order(queries):
    names, start, order = by_query(pl.Series(queries, dtype=pl.Int64 if isinstance(queries[0], int) else pl.String))
    queries = [str(query) for query in queries]
    rows = np.arange(len(queries)) if order is None else order
    assert list(names) == list(dict.fromkeys(queries))
    assert np.diff(start).tolist() == [queries.count(name) for name in names]
    assert [queries[row] for row in rows] == sorted(queries, key=list(names).index)
    assert all(np.all(np.diff(part) > 0) for part in np.split(rows, start[1:-1]))


def test_many_scattered_queries_are_brought_together():
    code = np.random.default_rng(1).integers(0, 200_000, 300_000)
    for column in (pl.Series(code), pl.Series(code).cast(pl.String)):
        names, start, order = by_query(column)
        assert names[0] == str(code[0])
        assert order is not None
        assert np.array_equal(np.repeat(list(names), np.diff(start)), code[order].astype(str))


@given(
    st.lists(st.sampled_from([*range(-3, 9), -(2**63), 2**63 - 1, 10**12])),
    st.sets(st.sampled_from([*range(5), -(2**63), 10**12])),
)
def test_places_of_whole_numbers_near_and_far(numbers, among):
    known = list(among)
    want = [known.index(number) if number in among else len(known) for number in numbers]
    assert places_of(np.array(numbers, np.int64), np.array(known, np.int64)).tolist() == want


@pytest.mark.parametrize("sizes", [(3, 3), (3, 1), (40, *[1] * 60), (40, 40)])
@pytest.mark.parametrize("equal", [False, True])
def test_equal_hashes_are_the_same_document_only_if_the_texts_are(sizes, equal, monkeypatch):
    monkeypatch.setattr(Column, "hashes", property(lambda self: np.full(len(self.ids), 2**64 - 1, np.uint64)))
    rows = [(f"q{q}", f"d{d}", float(d)) for q, size in enumerate(sizes) for d in range(size)]
    if equal:
        rows.append(("q0", "d1", 9.0))
    run = pl.DataFrame(rows, ["query", "document", "score"], orient="row")
    judged = pl.DataFrame([("q0", f"d{d}", 1.0) for d in (1, 7)], ["query", "document", "value"], orient="row")
    if equal:
        with pytest.raises(DataError, match="query q0, document d1"):
            evaluate(Judgments(judged), Run(run), "nDCG")
    else:
        found = 2 if sizes[0] > 7 else 1
        assert evaluate(Judgments(judged), Run(run), "P@100").values[0, 0, 0] == pytest.approx(found / 100)


@st.composite
def short_lists(draw):
    """A few judged documents and a short list for each of some users, who need not be the same."""
    items, users = st.integers(0, 12), st.integers(0, 9)
    values = st.dictionaries(items, st.integers(0, 2), min_size=1, max_size=8)
    judged = draw(st.dictionaries(users, values, min_size=1))
    run = draw(st.dictionaries(users, st.lists(items, unique=True, min_size=1, max_size=9), min_size=1))
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
    allow, ids = Policy(unjudged="zero"), pl.col("user_id", "item_id").cast(pl.String)
    if judged.keys().isdisjoint(run):
        with pytest.raises(DataError):
            evaluate(values, listed, measures, policy=allow)
        return
    ours = evaluate(values, listed, measures, policy=allow)
    texts = evaluate(values.with_columns(ids), listed.with_columns(ids), measures, policy=allow)
    mixed = evaluate(values.with_columns(ids), listed, measures, policy=allow)
    assert ours.queries == texts.queries == mixed.queries
    assert np.array_equal(ours.values, texts.values, equal_nan=True)
    assert np.array_equal(ours.values, mixed.values, equal_nan=True)


@pytest.mark.parametrize("at", [0, 5, 19])
@pytest.mark.parametrize("width", [20, 60])
def test_a_repeated_item_in_one_of_many_lists_is_named(at, width):
    users, items = np.repeat(np.arange(3_000), width), np.tile(np.arange(width), 3_000)
    items[width * 1_234 + at] = (at + 7) % width
    run = pl.DataFrame({"user_id": users, "item_id": items, "rank": items + 1})
    judged = pl.DataFrame({"user_id": np.arange(3_000), "item_id": 3, "rating": 1})
    with pytest.raises(DataError, match=f"query 1234, document {(at + 7) % width} "):
        evaluate(judged, run, "nDCG@10")


def test_ids_that_are_not_text_amid_texts_are_found():
    """Seen red: 7 inside a list of texts matched nothing, and P@3 was 0.67."""
    judged, run = {"q": {"a": 1, 7: 1, "b": 1}}, {"q": {"a": 1.0, "7": 0.9, "b": 0.5}}
    assert evaluate(judged, run, "P@3").mean()["run"]["P@3"] == 1
    assert Judgments(judged).to_polars()["document"].to_list() == ["a", "7", "b"]
    judged, run = {"q": {"a": 1, "7": 1, "b": 1}}, {"q": {"a": 1.0, 7: 0.9, "b": 0.5}}
    assert evaluate(judged, run, "P@3").mean()["run"]["P@3"] == 1
    long = {"q": {"x": 0.1, **run["q"], "y": 0.0, "z": 0.0, "é": -1.0}}  # only the best are looked at
    assert evaluate(judged, long, "P@3").mean()["run"]["P@3"] == 1
    assert Run(long).to_polars()["document"].to_list() == ["x", "a", "7", "b", "y", "z", "é"]
    with pytest.raises(DataError, match=r"1\.5 is not a document id"):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, 1.5: 0.9, "b": 0.5}}, "P@3")


@pytest.mark.parametrize("road", ["dict", "lists", "frame"])
def test_a_judged_query_without_documents_is_left_out_everywhere(road):
    """Seen red: it counted in dicts and not in files, and a dict beside a frame ended in a raw ValueError."""
    judged = {"q": {"a": 1}, "p": {}} if road != "lists" else {"q": ["a"], "p": []}
    run = {"q": {"a": 1.0}}
    found = evaluate(
        judged, pl.DataFrame({"query": "q", "document": "a", "score": 1.0}) if road == "frame" else run, "P@1"
    )
    assert found.mean()["run"]["P@1"] == 1
    (note,) = (note for note in found.notes if note.kind == "queries-without-judgments")
    assert note.text == "judgments: 1 query without a judgment, left out (p)"


def test_a_document_below_the_depth_moves_up_where_negative_ones_are_dropped():
    """Seen red: RR was 0 with depth=2."""
    judged, run = {"q": {"a": -1, "b": -1, "c": 1}}, {"q": {"a": 4.0, "b": 3.0, "c": 2.0}}
    for ties in ("document", "document-asc"):
        policy = Policy(negative="drop", depth=2, ties=ties)
        assert evaluate(judged, run, "RR", policy=policy).mean()["run"]["RR"] == 1


def test_two_spellings_of_one_measure_are_one():
    """Seen red: ValueError when printed."""
    found = evaluate({"q": {"a": 2}}, {"q": {"a": 1.0}}, "AP AP(rel=2)", policy=Policy(rel=2))
    assert list(map(str, found.measures)) == ["AP(rel=2)"]
    assert "AP(rel=2)" in str(found)


def test_bare_predictions_count_ties_with_their_mean():
    """Seen red: ties were broken by the number of the row, and P@1 was 0."""
    judged = Judgments([1, 0], group_sizes=[2])
    assert evaluate(judged, np.array([0.5, 0.5]), "P@1").mean()["run"]["P@1"] == 0.5
    assert evaluate(judged, np.array([0.5, 0.5]), "P@1", policy=Policy(ties="order")).mean()["run"]["P@1"] == 1
    with pytest.raises(UsageError, match="Say how"):
        evaluate(judged, {"a": np.array([0.5, 0.5]), "b": {"1": {"1": 1.0}}}, "P@1")


def test_progress_is_reported_where_a_preset_splits_measures():
    """Seen red: it was never called."""
    seen = []
    found = evaluate(
        {"q": {"a": 1}},
        {"a": {"q": {"a": 1.0}}, "b": {"q": {"a": 1.0}}},
        "nDCG@3 RR AP P@1",
        like="lenskit",
        progress=lambda *step: seen.append(step),
    )
    whole = seen[-1][1]
    assert seen == [(at, whole) for at in range(whole + 1)]
    assert whole in {2, 4, 6, 8}
    assert found.systems == ("a", "b")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        *[("300MB", 300_000_000), ("300 mb", 300_000_000), ("1.5GiB", 3 << 29), ("2g", 2_000_000_000)],
        *[("64KiB", 65_536), ("1000", 1000), (4096, 4096), (" 7B ", 7)],
    ],
)
def test_amounts_of_memory_are_read(said, meant):
    assert bytes_of(said) == meant


@pytest.mark.parametrize("said", ["much", "", "-3MB", "3 PB", "3MBB", "nothing", "1,5GB"])
def test_other_words_are_refused(said):
    with pytest.raises(UsageError, match="write it as 300MB"):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, memory=said)


def test_a_budget_makes_parts_smaller_before_it_makes_workers_fewer(monkeypatch):
    assert match._shares(None, 4) == (5, 8 * MB)
    monkeypatch.setattr("pathlib.Path.read_text", lambda *_, **__: f"0 {100 * MB // 4096} 0")
    assert match._shares(1000 * MB, 2) == (2, 8 * MB)
    assert match._shares(172 * MB, 2) == (2, 4 * MB)
    assert match._shares(117 * MB, 2)[0] == 1
    assert match._shares(10 * MB, 8) == (1, MB // 2)
    monkeypatch.setattr("pathlib.Path.read_text", lambda *_, **__: "no numbers")
    assert match._shares(172 * MB, 2) == (2, 82 * MB // 18)
