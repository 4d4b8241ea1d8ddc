from __future__ import annotations

import json
import math
import re

import numpy as np
import pytest

from rankgauge import Policy, Scores, evaluate, measures
from rankgauge.errors import UsageError

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
    assert scores.counted().tolist() == [[2], [2]]


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
    assert re.search(r'<td align="left"[^>]*><bdi>one</bdi></td>', scores._repr_html_())
    assert scores.to_markdown().startswith("**mean over 3 queries")
    assert r"\toprule" in scores.to_latex()


def test_notes_that_many_systems_share_become_one_line():
    runs = {f"s{n}": {"q1": {"a": 1.0}} for n in range(5)}
    lines = evaluate(JUDGED, runs, "P@1").remarks()
    assert sum("missing" in line for line in lines[1:]) == 1
