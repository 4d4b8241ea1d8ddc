from __future__ import annotations

import copy
import json
import math
import pickle
import re
import sys
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from rankgauge import Policy, Scores, compare, evaluate, measures, read_scores
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.scores import About, weighted

JUDGED = {"q1": {"a": 1, "b": 2}, "q2": {"a": 1}, "q3": {"a": 0}}
RUNS = {"one": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}, "two": {"q1": {"b": 2.0, "a": 1.0}, "q2": {"x": 1.0}}}


@pytest.fixture
def scores():
    return evaluate(JUDGED, RUNS, "nDCG@10 AP")


def test_the_cube_is_systems_by_queries_by_measures(scores):
    assert scores.values.shape == (2, 3, 2)
    assert scores.matrix("AP").shape == (2, 3)
    assert np.array_equal(scores.matrix(measures.AP), scores.values[:, :, 1])


def test_scores_cannot_be_changed(scores):
    with pytest.raises(ValueError, match="read-only"):
        scores.values[0, 0, 0] = 1


def test_the_mean_is_rounded_once_and_so_free_of_order():
    values = np.array([0.1, 1e16, -1e16, 0.2]).reshape(1, 4, 1)
    cube = Scores(("s",), ("a", "b", "c", "d"), (measures.AP,), values)
    assert cube.mean()["s"]["AP"] == math.fsum([0.1, 0.2]) / 4


def test_the_median_leaves_out_what_the_policy_leaves_out():
    scores = evaluate(JUDGED, RUNS, "AP", policy=Policy(undefined="drop"))
    assert scores.median()["one"]["AP"] == 1.0
    assert scores.means().counts.tolist() == [[2], [2]]


def test_the_dictionary_is_json_and_says_the_policy(scores):
    data = json.loads(json.dumps(scores.to_dict(per_query=True), allow_nan=False))
    assert data["measures"] == ["nDCG@10", "AP"]
    assert data["policy"]["ties"] == {"nDCG@10": "document", "AP": "document"}
    assert data["policy"]["missing"] == "zero"
    assert data["per_query"]["one"]["q2"] == {"nDCG@10": 1.0, "AP": 1.0}
    assert data["queries"] == 3
    assert "per_query" not in scores.to_dict()


def test_frames_have_one_row_per_system_and_query(scores):
    frame = scores.to_polars()
    assert frame.columns == ["system", "query", "nDCG@10", "AP"]
    assert frame.rows()[0][:2] == ("one", "q1")
    assert scores.to_pandas()["AP"].tolist() == frame["AP"].to_list()
    dropped = evaluate(JUDGED, RUNS, "AP", policy=Policy(undefined="drop")).to_polars()
    assert dropped["AP"].null_count() == 2


def test_the_table_is_sorted_by_the_first_measure_and_says_so(scores):
    lines = str(scores).splitlines()
    assert lines[0] == "mean over 3 queries, best nDCG@10 first"
    assert lines[2].split()[0] == "one"
    assert any(line.startswith("policy: ties=document") for line in lines)


def test_a_table_counts_queries_where_systems_differ():
    table = evaluate(
        JUDGED, {"one": RUNS["one"], "short": {"q1": {"a": 1.0}}}, "P@1", policy=Policy(missing="drop")
    ).table()
    assert [column.name for column in table.columns] == ["system", "P@1", "queries"]
    assert {row[0]: row[-1] for row in table.rows} == {"one": 2, "short": 1}


def test_naming_a_measure_that_was_not_evaluated_is_an_error(scores):
    with pytest.raises(UsageError, match="did you mean 'AP'"):
        scores.matrix("AP@5")
    with pytest.raises(UsageError, match="name one of the measures"):
        scores.matrix()


def test_shapes_must_agree_with_names():
    with pytest.raises(UsageError, match="shape"):
        Scores(("s",), ("a",), (measures.AP,), np.zeros((2, 1, 1)))


def test_it_has_a_short_representation_and_an_html_one(scores):
    assert repr(scores) == "Scores(2 systems × 3 queries × 2 measures)"
    assert "1 measure)" in repr(evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, "RR"))
    assert re.search(r'<td align="left"[^>]*><bdi>one</bdi></td>', scores._repr_html_())
    assert scores.to_markdown().startswith("**mean over 3 queries")
    assert r"\toprule" in scores.to_latex()


def test_notes_that_many_systems_share_become_one_line():
    runs = {f"s{n}": {"q1": {"a": 1.0}} for n in range(5)}
    lines = evaluate(JUDGED, runs, "P@1").table().notes
    assert sum("missing" in line for line in lines[1:]) == 1


def test_measures_are_selected_and_queries_kept_by_name(scores):
    assert scores.select(["AP"]).measures == (measures.AP,)
    assert scores.select("AP nDCG@10").measures == (measures.AP, measures.nDCG @ 10)
    part = scores.only(iter(["q3", "q1"]))
    assert part.queries == ("q1", "q3")
    assert np.array_equal(part.values, scores.values[:, [0, 2]])
    assert scores.only("q2").queries == ("q2",)
    with pytest.raises(UsageError, match=r"no scores for query 'q4' and 1 more\n"):
        scores.only(["q1", "q4", "q5"])
    with pytest.raises(UsageError, match="name at least one"):
        scores.only([])


def test_a_matrix_becomes_scores():
    values = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]
    scores = Scores.from_matrix(values, rows="systems")
    assert scores.systems == ("system1", "system2")
    assert scores.queries == ("query1", "query2", "query3")
    assert [str(measure) for measure in scores.measures] == ["score"]
    assert scores.matrix("score").tolist() == values
    assert scores.table().notes[0] == "policy: not recorded"
    cube = np.stack([values, values], axis=2)
    named = Scores.from_matrix(cube, ["a", "b"], ["1", "2", "3"], ["nDCG@10", "clicks per day"], rows="systems")
    assert named.measures[0] == measures.nDCG @ 10
    assert named.mean()["a"] == pytest.approx({"nDCG@10": 0.2, "clicks per day": 0.2})
    assert named.select(["clicks per day"]).systems == ("a", "b")


def test_rows_are_what_is_said_or_what_only_fits():
    """Seen red: a matrix of 100 queries was read as 100 systems."""
    values = np.arange(6.0).reshape(2, 3)
    ways = [{"rows": "queries"}, {"systems": "abc"}, {"queries": "pq"}, {"systems": "abc", "queries": "pq"}]
    for way in ways:
        assert np.array_equal(Scores.from_matrix(values, **way).matrix(), values.T)
    assert Scores.from_matrix(values[:, :, np.newaxis], systems="ab").mean() == {"a": {"score": 1}, "b": {"score": 4}}


@pytest.mark.parametrize(
    ("values", "names", "message"),
    [
        ([0.1, 0.2], {}, "queries × systems"),
        ("high", {}, "queries × systems"),
        ([["a", "b"]], {}, "not numeric"),
        ([[0.1], [0.2, 0.3]], {}, "not numeric"),
        ([[0.1, 0.2]], {"systems": ["a", "b"]}, "2 systems for a matrix with 1"),
        ([[0.1, 0.2]], {"rows": None}, r'an array of 1 × 2 does not say .*\nSay rows="queries" or rows="systems"'),
        ([[0.1, 0.2]] * 2, {"rows": None, "systems": "ab", "queries": "pq"}, "an array of 2 × 2 does not say"),
        ([[0.1, 0.2]], {"rows": None, "systems": "abc"}, "3 systems for a matrix with 1 × 2 numbers"),
        ([[0.1, 0.2]], {"rows": "columns"}, "unknown rows 'columns'"),
        ([[0.1, 0.2]], {"queries": ["a", "a"]}, "duplicate query 'a'"),
        ([[0.1, float("inf")]], {}, "infinite"),
        ([[0.1, 1e308]], {}, "a score of 1e[+]308 is too large"),
        (np.array([["2020-01-01", "2020-01-02"]], "datetime64[D]"), {}, "not numeric"),
        (np.array([[1, 2]], "datetime64[ns]"), {}, "not numeric"),
        (np.array([[1, 2]], "timedelta64[ns]"), {}, "not numeric"),
        (np.array([[1 + 2j, 3]]), {}, "not numeric"),
        ([[0.1, 0.2]], {"queries": "ab", "measures": ["nDCG@10", "ndcg_cut_10"]}, "2 measures for a matrix with 1"),
        ([[[0.1, 0.2]]], {"measures": ["nDCG@10", "ndcg_cut_10"]}, "duplicate measure 'nDCG@10'"),
        ([[0.1, 0.2]], {"measures": ["AP", "P@5"]}, "2 measures for a matrix with 1"),
    ],
)
def test_what_is_not_a_matrix_of_scores_is_refused(values, names, message):
    with pytest.raises((UsageError, DataError), match=message):
        Scores.from_matrix(values, **{"rows": "systems", **names})


def test_a_masked_score_is_a_missing_one():
    """Seen red: a mean of 1.5, with the number under the mask."""
    masked = np.ma.masked_array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]])
    assert Scores.from_matrix(masked, rows="systems").mean() == {"system1": {"score": 1.0}, "system2": {"score": 3.5}}


def test_queries_that_are_numbers_leave_as_numbers_beside_others():
    """Seen red: ValueError of int() on 'x'."""
    run = {1: {"a": 1.0}, "x": {"a": 1.0}}
    scores = evaluate({1: {"a": 1}}, run, "P@1", policy=Policy(extra="zero"))
    assert list(scores.per_query()["run"]) == [1, "x"]
    assert scores.to_polars()["query"].to_list() == ["1", "x"]
    whole = evaluate({1: {"a": 1}, -5: {"a": 1}}, run, "P@1")
    assert (list(whole.per_query()["run"]), whole.to_polars()["query"].to_list()) == ([1, -5], [1, -5])


def test_means_have_intervals(scores):
    found = scores.intervals(confidence=0.9)
    assert found["one"]["AP"].value == scores.mean()["one"]["AP"]
    assert found["one"]["AP"].low < found["one"]["AP"].value < found["one"]["AP"].high
    assert scores.intervals(method="bootstrap", seed=3) == scores.intervals(method="bootstrap", seed=3)


def test_pandas_needs_no_pyarrow(scores, monkeypatch):
    pytest.importorskip("pandas")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    dropped = evaluate(JUDGED, RUNS, "AP", policy=Policy(undefined="drop"))
    assert dropped.to_pandas()["AP"].isna().sum() == 2
    assert list(dropped.to_pandas()["system"])[:3] == ["one"] * 3


@pytest.mark.parametrize("measures", ["nDCG@10", "nDCG@10 P@5 RR"])
def test_the_names_of_queries_are_made_when_somebody_asks_for_them(measures):
    judged = pl.DataFrame({"user_id": [7, 7, 3], "item_id": [1, 2, 2], "rating": 1})
    run = pl.DataFrame({"user_id": [7, 7, 3], "item_id": [1, 5, 2], "rank": [1, 2, 1]})
    scores = evaluate(judged, {"old": run, "new": run}, measures)
    found = compare(scores)
    assert "queries" not in vars(scores)
    copies = pickle.loads(pickle.dumps(scores)), copy.deepcopy(scores), replace(scores, notes=())  # noqa: S301 - our own
    for one in (scores, *copies, found.scores):
        assert one.queries == ("7", "3")
        assert one.queries is one.queries
        assert repr(one) == repr(scores)
    with pytest.raises(AttributeError, match="no attribute 'users'"):
        _ = scores.users
    assert not hasattr(Scores.__new__(Scores), "queries")


def test_scores_are_equal_if_all_their_numbers_are():
    """Seen red: ValueError, for arrays have no truth as a whole."""
    values = [[0.5, float("nan"), 0.25], [0.1, 0.2, 0.3]]
    first, second = Scores.from_matrix(values, rows="systems"), Scores.from_matrix(values, rows="systems")
    assert first == second
    assert first != Scores.from_matrix([values[0], [0.1, 0.2, 0.4]], rows="systems")
    assert first != Scores.from_matrix([row[:2] for row in values], rows="systems")
    assert first != Scores.from_matrix(values, measures="AP", rows="systems")
    heavy = weighted(first, np.array([1.0, 2.0, 3.0]))
    assert heavy == weighted(second, np.array([1.0, 2.0, 3.0]))
    assert heavy != weighted(second, np.array([1.0, 2.0, 4.0]))
    assert heavy != first


def known(scores):
    """The same scores with a column about each axis."""
    columns = [
        {"judge": tuple(f"{name}!" for name in map(str, names))}
        for names in (scores.systems, scores.queries, scores.measures)
    ]
    return replace(scores, about=About(*columns, noun="user"))


@pytest.mark.parametrize("ending", ["select", "only", "beside", "by", "file"])
def test_what_is_known_of_the_axes_goes_where_the_scores_go(tmp_path, ending):
    """Weights, bounds and every other column: seen red for bounds in files and for weights of the second set."""
    scores = evaluate(JUDGED, RUNS, "nDCG@10 AP", policy=Policy(unjudged="bounds"), weights={"q1": 3, "q2": 0, "q3": 5})
    scores = replace(known(scores), notes=(*scores.notes, replace(scores.notes[0], severity=0.5, hint="so", line=3)))
    scores = replace(scores, about=replace(scores.about, queries={**scores.about.queries, "weight": (3.0, 0.0, 5.0)}))
    if ending == "file":
        scores.save(tmp_path / "s.parquet")
        assert read_scores(tmp_path / "s.parquet") == scores
        with pytest.raises(UsageError, match="cannot hold"):
            scores.save(tmp_path / "s.csv")
        return
    part = {
        "select": lambda: scores.select("AP"),
        "only": lambda: scores.only(["q3", "q1"]),
        "beside": lambda: scores.beside(replace(scores, systems=("x", "y"))),
        "by": lambda: scores.by({"q1": "l", "q3": "l"}).parts["l"],
    }[ending]()
    assert part.about.noun == "user"
    for axis in ("systems", "queries", "measures"):
        names = list(map(str, getattr(part, axis)))
        expected = ["one!", "two!"] * 2 if (axis, ending) == ("systems", "beside") else [f"{name}!" for name in names]
        assert list(getattr(part.about, axis)["judge"]) == expected
    queries = [scores.queries.index(query) for query in part.queries]
    measures = [scores.measures.index(measure) for measure in part.measures]
    assert part.weights.tolist() == scores.weights[queries].tolist()
    for now, before in zip((part.values, *part.bounds), (scores.values, *scores.bounds), strict=True):
        assert np.array_equal(now[:2], before[:, queries][:, :, measures])
    assert "lowest" in str(part) or ending == "by"
    assert part.notes[0].kind == "weights"


def test_sets_of_scores_side_by_side_weigh_each_query_once():
    """Seen red: the weights of the second were dropped, and its mean moved from 0.676 to 0.801."""
    plain, other = (evaluate(JUDGED, {name: RUNS[name]}, "nDCG@10") for name in RUNS)
    heavy, odd = (weighted(other, np.array([*part, 3.0])) for part in ([1.0, 2.0], [1.0, 4.0]))
    for together in (plain.beside(heavy), heavy.beside(plain)):
        assert together.mean()["two"] == heavy.mean()["two"]
        assert together.mean()["one"] == weighted(plain, heavy.weights).mean()["one"]
        assert "weights-of-one" in {note.kind for note in together.notes}
    with pytest.raises(UsageError, match=r"disagree on the weight of 1 query \(q2: 2.0 and 4.0\)"):
        replace(heavy, systems=("new",)).beside(odd)
    bare = replace(plain, bounds=(plain.values, plain.values)).beside(other)
    assert str(bare).count("–") == 2  # the bounds of what has none
    assert any(
        "missing=drop" in note for note in plain.beside(replace(other, policy=Policy(missing="drop"))).table().notes
    )


def test_a_column_has_a_cell_for_each():
    with pytest.raises(UsageError, match="column 'text' has 1 cell for 3 queries"):
        replace(evaluate(JUDGED, RUNS), about=About(queries={"text": ("a",)}))
