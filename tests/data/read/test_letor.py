from __future__ import annotations

import gzip

import pytest

from rankgauge import evaluate, read_judgments, read_run, read_runs
from rankgauge.data.check import check
from rankgauge.errors import DataError

TEXT = "# words\n2 qid:a 1:0.5 10:3 # d1 more\n0 qid:a 2:-1 #docid = d2 inc = 1\n\n1 qid:b 10:1e-3 # d1\n"


@pytest.fixture
def path(tmp_path):
    (tmp_path / "ltr.txt").write_text(TEXT)
    return tmp_path / "ltr.txt"


def test_grades_are_judgments_and_features_runs(path):
    judgments, runs = read_judgments(path), read_runs(path)
    assert judgments.to_polars().rows() == [("a", "d1", 2.0), ("a", "d2", 0.0), ("b", "d1", 1.0)]
    assert [run.name for run in runs] == ["feature-1", "feature-2", "feature-10"]
    assert runs[1].to_polars().rows() == [("a", "d1", 0.0), ("a", "d2", -1.0), ("b", "d1", 0.0)]
    assert evaluate(judgments, runs, "RR").systems == ("feature-1", "feature-2", "feature-10")


def test_the_same_through_the_readers_of_judgments_and_runs(path):
    expected = evaluate(read_judgments(path), read_runs(path), "nDCG")
    again = evaluate(path, path, "nDCG")
    assert again.values.tobytes() == expected.values.tobytes()
    one = evaluate(read_judgments(path), read_run(path, part="10"), "nDCG")
    assert one.values.tobytes() == expected.values[2:].tobytes()
    assert [run.name for run in read_runs(path, name="x")] == ["x:feature-1", "x:feature-2", "x:feature-10"]


def test_without_documents_they_are_numbered_and_without_queries_the_file_beside_counts(tmp_path):
    (tmp_path / "rank.test.gz").write_bytes(gzip.compress(b"2 1:0.5\n0 1:0.1\n1 1:3\n"))
    (tmp_path / "rank.test.query").write_text("2\n1\n")
    judgments, runs = read_judgments(tmp_path / "rank.test.gz"), read_runs(tmp_path / "rank.test.gz")
    assert judgments.to_polars().rows() == [("1", "1", 2.0), ("1", "2", 0.0), ("2", "1", 1.0)]
    assert read_run(tmp_path / "rank.test.gz").to_polars()["score"].to_list() == [0.5, 0.1, 3.0]
    (tmp_path / "rank.test.query").write_text("2\n2\n")
    with pytest.raises(DataError, match="add up to 4, but there are 3"):
        read_judgments(tmp_path / "rank.test.gz"), read_runs(tmp_path / "rank.test.gz")
    (tmp_path / "rank.test.query").write_text("two")
    with pytest.raises(DataError, match=r"rank\.test\.query: this is not a list of the number of rows"):
        read_judgments(tmp_path / "rank.test.gz"), read_runs(tmp_path / "rank.test.gz")
    assert len(runs) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 qid:a 1:1 1:2 # d\n", "duplicate feature"),
        ("2 qid:a f:1 # d\n", "'f:1' is not feature:value"),
        ("two qid:a 1:1 # d\n", "line 1: value 'two' of query a, document d"),
        ("2 qid: 1:1\n", "no qid:"),
        ("2 qid:a 1:1 # d\n1 qid:a 1:1 # d\n", "line 2: query a, document d"),
        ("# nothing\n", "contains no rows"),
    ],
)
def test_lines_that_do_not_fit_are_named(tmp_path, text, message):
    (tmp_path / "a.letor").write_text(text)
    with pytest.raises(DataError) as caught:
        evaluate(tmp_path / "a.letor", tmp_path / "a.letor")
    assert message in str(caught.value)


def test_a_file_of_several_features_is_no_single_run(path):
    with pytest.raises(DataError, match="3 features, each of which can act as a run"):
        read_run(path).to_polars()


def test_more_features_than_can_be_systems_are_refused_with_their_line(tmp_path):
    """Seen red: 200,000 features did not end in five minutes."""
    path = tmp_path / "wide.letor"
    features = [f"{number}:{number % 7}" for number in range(1, 10_002)]
    path.write_text(f"1 qid:a {' '.join(features[:-1])} # d1\n# words\n0 qid:a {' '.join(features)} # d2\n")
    for call in (lambda: read_runs(path), lambda: read_run(path).to_polars()):
        with pytest.raises(DataError, match=r"10,001 features, and at most 10,000(?s:.*)line 3: feature 10,001"):
            call()
    assert [(found.kind, found.line) for found in check(path, path).errors] == [("too-many-features", 3)]
    assert read_judgments(path).to_polars().rows() == [("a", "d1", 1.0), ("a", "d2", 0.0)]
    assert read_run(path, part="10001").to_polars()["score"].to_list() == [0.0, 10_001 % 7]
