from __future__ import annotations

import numpy as np
import pytest

from rankgauge import Policy, evaluate, measures, read_scores
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.storage import scores_bytes

JUDGED = {"007": {"a": 1, "b": -2}, "q2": {"a": 0}}
RUNS = {"one": {"007": {"a": 2.0, "b": 1.0}}, "two": {"007": {"b": 2.0}, "q2": {"a": 1.0}}}


@pytest.fixture
def scores():
    return evaluate(JUDGED, RUNS, "nDCG(discount=zipf(1.2))@10 AP", policy=Policy(undefined="drop"))


def test_parquet_keeps_numbers_policy_and_notes(scores, tmp_path):
    (tmp_path / "s.parquet").write_bytes(scores_bytes(scores, ".parquet"))
    back = read_scores(tmp_path / "s.parquet")
    assert np.array_equal(back.values, scores.values, equal_nan=True)
    assert (back.systems, back.queries, back.measures) == (scores.systems, scores.queries, scores.measures)
    assert back.policy == scores.policy
    assert back.notes == scores.notes


def test_csv_keeps_the_numbers_and_ids_as_text(scores, tmp_path):
    (tmp_path / "s.csv").write_bytes(scores_bytes(scores, ".csv"))
    back = read_scores(tmp_path / "s.csv")
    assert np.array_equal(back.values, scores.values, equal_nan=True)
    assert back.queries == ("007", "q2")


def test_what_no_file_can_keep_is_refused(scores):
    own = measures.define("Own", lambda ranked, judged: 1.0)
    with pytest.raises(UsageError, match="<Own> holds a Python function"):
        scores_bytes(evaluate(JUDGED, RUNS, own), ".csv")
    with pytest.raises(UsageError, match=r"not as \.txt"):
        scores_bytes(scores, ".txt")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b,c\n1,2,3\n", "columns system, query"),
        ("system,query,nDCG@10\na,q,high\n", "not a measure with numbers"),
        ("system,query,nDCGG@10\na,q,1\n", "unknown measure"),
        ("", "cannot be read as scores"),
    ],
)
def test_files_that_hold_no_scores_are_refused(tmp_path, content, message):
    (tmp_path / "s.csv").write_text(content)
    with pytest.raises(DataError, match=message):
        read_scores(tmp_path / "s.csv")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        read_scores(tmp_path / "s.parquet")


def test_a_csv_does_not_claim_a_policy_nor_lose_weights(scores, tmp_path):
    path = tmp_path / "kept.csv"
    path.write_bytes(scores_bytes(scores, ".csv"))
    assert read_scores(path).remarks()[0] == f"policy: not recorded in {path}"
    with pytest.raises(UsageError, match="no place for the weights"):
        scores_bytes(scores.weighted(np.arange(1.0, 1 + len(scores.queries))), ".csv")


def test_two_rows_of_one_query_are_refused(tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("system,query,AP\na,q1,0.1\nb,q1,0.2\na,q1,0.9\n")
    with pytest.raises(DataError, match="two rows for a query") as caught:
        read_scores(path)
    assert "row 1: a, q1" in str(caught.value)
    assert "row 3: a, q1" in str(caught.value)
