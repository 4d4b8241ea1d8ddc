from __future__ import annotations

import io
import json
import os
import time
from types import SimpleNamespace

import polars as pl
import pytest

from rankgauge import Judgments, Run, evaluate
from rankgauge.data.check import check
from rankgauge.errors import DataError

GRADES = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2, "c": 0}}
TEN = {f"d{n}": 20.0 - n for n in range(10)}


def kinds(found):
    return {note.kind: note for note in found.notes}


def test_all_faults_of_all_files_are_told_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.qrels").write_text("q1 0 a 1\nq1 0 a 1\nq1 0 b\nq1 0 c x\nq2 0 a inf\n")
    (tmp_path / "b.run").write_text("q1 Q0 a 1 nan t\nq1 Q0 b\nq1 Q0 c 1 1 t\nq1 Q0 c 1 1 t\n")
    (tmp_path / "c.run").write_text("Q1 Q0 a 1 1 t\n")
    found = check("a.qrels", "b.run", "c.run", "none.run", "b.run")
    assert not found.is_sound
    assert [(error.origin, error.kind, error.line) for error in found.errors] == [
        ("a.qrels", "wrong-fields", 3),
        ("a.qrels", "not-a-number", 4),
        ("a.qrels", "not-finite", 5),
        ("a.qrels", "duplicate-documents", 2),
        ("b.run", "wrong-fields", 2),
        ("b.run", "not-finite", 1),
        ("b.run", "duplicate-documents", 4),
        ("none.run", "unreadable", None),
        ("b.run", "wrong-fields", 2),
        ("b.run", "not-finite", 1),
        ("b.run", "duplicate-documents", 4),
        ("c.run", "no-query-in-common", None),
        ("b.run", "same-name", None),
    ]
    assert "nearest: 'Q1' in the run, 'q1' in the judgments" in str(found)


def test_oddities_of_judgments_are_noted_with_counts_and_examples():
    found = check({"q1": {"a": -1, "b": 0.5}, "q2": {"a": 0}, " q3": {"a": 1}})
    assert found.is_sound
    notes = kinds(found)
    assert (notes["negative-values"].count, notes["fractional-values"].count) == (1, 1)
    assert notes["negative-values"].places == ("value -1 of query q1, document a",)
    assert notes["no-relevant-documents"].examples == ("q2",)
    assert notes["padded-ids"].places == ("' q3'",)
    assert "only-relevant" in kinds(check({"q1": {"a": 1}}))
    assert kinds(check(GRADES)) == {}


def test_oddities_of_a_run_are_noted():
    notes = kinds(check(GRADES, {"q1": {"a": 1.0, "b": 1.0, "c": 0.5}, "q2": {"a": 1.0, "b": 1.0}}))
    assert notes["ties"].count == 4
    assert "4 of 5 rows (80.0%)" in notes["ties"].text
    assert notes["constant-scores"].examples == ("q2",)
    assert notes["short-lists"].count == 2
    close = {"q1": {**TEN, "x": 1.0, "y": 1.0 + 1e-12}, "q2": TEN}
    assert kinds(check(GRADES, close))["single-precision"].examples == ("q1",)
    assert "short-lists" not in kinds(check(GRADES, close))


def test_scores_that_rise_with_rank_are_noted(tmp_path):
    run = {"q1": dict(sorted(TEN.items(), key=lambda item: item[1])), "q2": TEN}
    assert "rising-scores" not in kinds(check(GRADES, run))  # one of two is no pattern
    run["q2"] = run["q1"]
    note = kinds(check(GRADES, run))["rising-scores"]
    assert (note.count, note.hint) == (2, "Are these distances? Then negate them.")
    lines = [f"{query} Q0 d{n} {n} {{}} t\n" for query in ("q1", "q2") for n in range(1, 11)]
    path = tmp_path / "a.run"
    path.write_text("".join(line.format(n) for n, line in enumerate(lines)))
    assert "rise with rank" in kinds(check(GRADES, path))["rising-scores"].text
    path.write_text("".join(line.format(50 - n if n else 0) for n, line in enumerate(lines)))
    assert kinds(check(GRADES, path))["ranks-disagree"].examples == ("q1",)
    path.write_text("".join(line.format(50 - n) for n, line in enumerate(lines)))
    assert {"ranks-disagree", "rising-scores"}.isdisjoint(kinds(check(GRADES, path)))
    frame = pl.DataFrame({"qid": ["q1", "q1"], "docid": ["a", "b"], "rank": [2, 1], "score": [2.0, 1.0]})
    frame.write_csv(tmp_path / "a.csv")
    assert "rising-scores" in kinds(check(GRADES, tmp_path / "a.csv"))


def test_what_only_one_of_the_two_has_is_noted():
    notes = kinds(check(GRADES, {"q1": {"a": 1.0, "z": 2.0}, "Q2": {"a": 1.0}}))
    assert notes["missing-queries"].examples == ("q2",)
    assert notes["unjudged-queries"].examples == ("Q2",)
    assert notes["missing-queries"].places == ("nearest: 'Q2' in the run, 'q2' in the judgments",)
    assert notes["unjudged-documents"].text == "50.0% of the documents in the top 10 are unjudged (1 of 2)"
    notes = kinds(check({"q1": {"D-1": 1}}, {"q1": {"D1": 1.0}}))
    assert notes["no-judged-documents"].places == ("nearest: 'D1' in the run, 'D-1' in the judgments",)


def test_a_run_without_a_judged_document_is_an_error_where_evaluate_has_one():
    judged, run = ({f"q{n}": {f"{name}{n}": 1} for n in range(4)} for name in ("doc-", "d"))
    found = check(judged, run)
    assert [error.kind for error in found.errors] == ["no-judged-documents"]
    assert {"no-judged-documents", "unjudged-documents"}.isdisjoint(kinds(found))
    with pytest.raises(DataError) as caught:
        evaluate(judged, run)
    assert found.errors[0].text in str(caught.value)
    assert all(line in str(found) for line in found.errors[0].hint.splitlines())


def test_everything_that_evaluate_takes_can_be_checked(tmp_path):
    frame = pl.DataFrame({"query": ["q1"], "document": ["a"], "score": [1.0]})
    several = pl.concat([frame.with_columns(system=pl.lit(name)) for name in ("s", "t")])
    several.write_csv(tmp_path / "several.csv")
    (tmp_path / "ltr.letor").write_text("1 qid:q1 1:2 2:3 # a\n0 qid:q1 2:5 # b\n")
    for runs in (
        [frame],
        [{"x": frame, "y": {"q1": {"a": 1}}}],
        [[Run(frame, name="x"), several]],
        [several.to_pandas()],
        [tmp_path / "several.csv"],
        [{"mine": tmp_path / "several.csv"}],
        [tmp_path / "ltr.letor"],
        [{"q1": ["a", "b"]}],
        [f"{tmp_path / 'several.csv'}:s"],
        [[("q1", "a", 1.0)]],
        [[{"query": "q1", "document": "a", "score": 1.0}]],
        [[{"query": "q1", "results": [{"id": "a", "score": 1.0}]}]],
        [frame.to_pandas().set_index(["query", "document"])],
    ):
        assert check(Judgments(GRADES), *runs).is_sound
    assert check(tmp_path / "ltr.letor").is_sound
    assert [error.kind for error in check(3, {"q1": ["a", "a"]}, frame.drop("score")).errors] == [
        "wrong-use",
        "duplicate-documents",
        "unknown-columns",
    ]
    assert [error.origin for error in check(GRADES, [tmp_path / "x", tmp_path / "y"]).errors] == [
        str(tmp_path / name) for name in "xy"
    ]
    bad = several.with_columns(score=pl.Series(["1", "x"]))
    assert [(error.kind, error.places) for error in check(GRADES, bad).errors] == [
        ("not-a-number", ("row 1: score 'x' of query q1, document a",))
    ]
    (tmp_path / "ltr.letor").write_text("1 qid:q1 1:2 2:3 # a\n0 q1 2:5 # b\n")
    assert [error.kind for error in check(GRADES, tmp_path / "ltr.letor").errors] == ["wrong-fields"]


def test_of_several_runs_in_one_thing_each_is_named_and_none_is_an_error_as_in_evaluate(tmp_path):
    """Seen red: all had the name of the file, and where no row was left, its faults were not told."""
    path = tmp_path / "several.csv"
    for rows, origins in (("s,q1,a,1\nt,q1,a,1\n", ["several.csv:s", "several.csv:t"]), ("s,q1,a,x\n", []), ("", [])):
        path.write_text("system,query,document,score\n" + rows)
        found = check({"q1": {"a": 1, "b": 0}}, path)
        assert [note.origin.rpartition("/")[2] for note in found.notes] == origins
        assert found.is_sound == bool(origins)
        if not origins:
            with pytest.raises(DataError, match=found.errors[0].text):
                evaluate({"q1": {"a": 1, "b": 0}}, path)
    (tmp_path / "empty.letor").write_text("# nothing\n")
    assert [error.text for error in check(GRADES, tmp_path / "empty.letor").errors] == ["contains no rows"]


def test_many_findings_of_one_kind_are_told_together_but_kept_in_json():
    found = check(GRADES, {f"s{n}": {"q1": {"a": 1.0}, "q2": {"a": 1.0}} for n in range(9)})
    assert str(found).count("fewer than 10 documents") == 3
    assert "note: short-lists in 6 more files" in str(found)
    data = json.loads(json.dumps(found.to_dict()))
    assert data["errors"] == []
    assert len(data["notes"]) == 9
    assert set(data["notes"][0]) >= {"kind", "file", "line", "message", "count", "examples"}


def test_a_checkup_shows_itself_as_a_table():
    found = check(GRADES, {"q1": {"a": 1.0}})
    assert found.to_markdown().startswith("**0 errors, 2 notes**")
    assert "<table" in found._repr_html_()


@pytest.mark.parametrize("given", [{}, pl.DataFrame({"query": [], "document": [], "value": []})])
def test_nothing_at_all_is_an_error(given):
    assert [error.kind for error in check(given).errors] == ["empty"]


def test_ten_thousand_queries_take_no_longer_each_than_one():
    """Seen red: 11 s for three runs, as a set was made of all queries for each of them."""
    judged = {f"q{n}": {"a": 1, "b": 0} for n in range(10_000)}
    begun = time.process_time()
    assert check(judged, *({f"r{n}": {query: {"a": 1.0} for query in judged}} for n in range(3))).is_sound
    assert time.process_time() - begun < 1.5


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("trec", b"q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n"),
        ("csv", b"query,document,score\nq1,a,2\nq1,b,1\n"),
        ("column", b"2\n1\n"),
    ],
)
def test_what_can_be_read_only_once_is_read_once(name, run, monkeypatch):
    """Seen red: a pipe was said to be empty."""
    pipes = []
    for text in (b"q1 0 a 1\nq1 0 b 0\n", run):
        end, into = os.pipe()
        os.write(into, text)
        os.close(into)
        pipes.append(f"/dev/fd/{end}")
    found = check(*pipes)
    assert found.is_sound, found
    assert [note.kind for note in found.notes] == ["short-lists"]
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(run)))
    assert evaluate({"q1": {"a": 1, "b": 0}}, "-", "P@1").mean()["stdin"] == {"P@1": 1.0}
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(run)))
    assert check({"q1": {"a": 1, "b": 0}}, "-").to_dict()["errors"] == []


def test_a_pair_that_comes_a_thousand_times_has_its_first_two_lines(tmp_path):
    """Seen red: the line of each was looked for, all over the file."""
    texts = {
        "a.trec": ("", "q1 Q0 a 1 2 t\n", ""),
        "b.trec": ("", "q1  Q0 a 1 2 t\n", ""),
        "c.csv": ("query,document,score\n", "q1,a,1\n", ""),
        "d.csv": ("query,document,score\n", '"q1",a,1\n', ""),
        "e.json": ('{"q1":\n[\n', '"a",\n', '"a"]}'),
        "f.jsonl": ("", '{"query": "q1", "document": "a", "score": 1}\n', ""),
    }
    begun = time.process_time()
    for name, (head, row, last) in texts.items():
        path, line = tmp_path / name, head.count("\n") + 2
        path.write_text(head + row * 20_000 + last)
        (error,) = check({"q1": {"a": 1}}, path).errors
        assert (error.kind, error.line) == ("duplicate-documents", line)
        assert error.places == (f"line {line}: query q1, document a (first on line {line - 1})",)
    assert time.process_time() - begun < 5
