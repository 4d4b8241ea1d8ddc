"""What a reader would take for an answer and is none: it is refused, or said."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import rankgauge as rg
from rankgauge.cli.main import cli
from rankgauge.errors import DataError, UsageError

GRADES = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1, "c": 0}}
RUN = {"q1": {"a": 3.0, "b": 2.0}, "q2": {"c": 2.0, "a": 1.0}}
STRANGERS = {query: {f"x{n}": 1.0 / n for n in range(1, 11)} for query in ("q1", "q2", "q3")}
JUDGED = {query: {"a": 1, "b": 0} for query in ("q1", "q2", "q3")}


def kinds(scores: rg.Scores) -> dict[str | None, tuple[int, tuple[str, ...]]]:
    return {note.measure: (note.count, note.examples) for note in scores.notes if note.kind == "no-relevant-documents"}


def invoke(*arguments: str) -> tuple[str, str]:
    done = CliRunner().invoke(cli, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout, done.stderr


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    invoke("simulate", "--systems", "3", "--queries", "12", "--output", str(tmp_path / "sim"))
    monkeypatch.chdir(tmp_path / "sim")
    return tmp_path / "sim"


def test_the_note_on_barren_queries_follows_the_threshold() -> None:
    found = rg.evaluate(GRADES, RUN, "AP(rel=3) R(rel=2)@20 P@5")
    assert kinds(found) == {"AP(rel=3)": (2, ("q1", "q2")), "R(rel=2)@20": (1, ("q2",))}
    assert any("AP(rel=3): 2 queries without a document judged 3 or higher" in line for line in found.table().notes)


def test_one_threshold_for_all_measures_is_said_once() -> None:
    found = rg.evaluate(GRADES, RUN, "AP P@5 R@5", policy=rg.Policy(rel=2))
    lines = [line for line in found.table().notes if "judged 2 or higher" in line]
    assert len(lines) == 1
    assert lines[0].startswith("AP(rel=2), P(rel=2)@5, R(rel=2)@5: 1 query ")


def test_a_run_without_a_single_judged_document_is_refused() -> None:
    with pytest.raises(DataError, match="none of its documents is judged") as caught:
        rg.evaluate(JUDGED, {"mine": STRANGERS}, "nDCG@10")
    assert 'unjudged="zero"' in str(caught.value)
    allowed = rg.evaluate(JUDGED, STRANGERS, "nDCG@10", policy=rg.Policy(unjudged="zero"))
    assert allowed.mean() == {"run": {"nDCG@10": 0.0}}
    assert rg.evaluate(JUDGED, STRANGERS, "nDCG@10", like="trec_eval-9").mean() == {"run": {"nDCG@10": 0.0}}


def test_few_queries_may_miss_everything() -> None:
    some = {"q1": STRANGERS["q1"]}
    assert rg.evaluate({"q1": JUDGED["q1"]}, some, "nDCG@10").mean() == {"run": {"nDCG@10": 0.0}}


def test_options_that_are_given_twice(folder: Path) -> None:
    assert folder.exists()
    with pytest.raises(UsageError, match=r"--scores is given more than once"):
        CliRunner().invoke(cli, ["compare", "--scores", "a", "--scores", "b"], catch_exceptions=False)


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_the_form_follows_the_ending_of_the_file(command: str, folder: Path) -> None:
    runs = [str(path) for path in sorted((folder / "runs").iterdir())]
    for ending in ("csv", "json", "md", "tex"):
        invoke(command, "judgments.qrels", *runs, "-o", f"out.{ending}")
    assert "measure" in next(csv.reader(io.StringIO(Path("out.csv").read_text()))) or command == "evaluate"
    assert "measures" in json.loads(Path("out.json").read_text())
    assert "|---" in Path("out.md").read_text()
    assert "\\toprule" in Path("out.tex").read_text()
    invoke(command, "judgments.qrels", *runs, "-o", "out.json", "--format", "csv")
    assert "," in Path("out.json").read_text().splitlines()[0]


def test_quiet_keeps_the_legend_and_the_test(folder: Path) -> None:
    runs = [str(path) for path in sorted((folder / "runs").iterdir())]
    for form in ("table", "md", "latex"):
        shown, _ = invoke("compare", "judgments.qrels", *runs, "--quiet", "--format", form)
        assert "sign-flip test" in shown
        assert "policy:" not in shown
    marked, _ = invoke("compare", "judgments.qrels", *runs, "--quiet", "--compact")
    assert "significantly" in marked
    assert "policy:" not in marked


def test_rows_of_json_lines_are_called_rows(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"query": "q1", "results": {"1": "x", "2": "y"}}\n')
    with pytest.raises(DataError) as caught:
        rg.evaluate({"q1": {"1": 1}}, path)
    assert " lines" not in str(caught.value)


def test_check_suggests_only_ids_that_are_alike() -> None:
    judged = {f"topic-{n}": {"a": 1} for n in range(5)} | {"301": {"a": 1}}
    run = {"301": {"a": 1.0}, "xylophone": {"a": 1.0}, "head-3": {"a": 1.0}}
    assert "nearest" not in str(rg.check(judged, run))
    del run["301"]
    strangers = str(rg.check(judged, run))
    assert "none of its 2 queries is judged" in strangers
    assert "nearest" not in strangers
    padded = str(rg.check({"q1": {"a": 1}, "q02": {"a": 1}}, {"q1": {"a": 1.0}, "q2": {"a": 1.0}}))
    assert "nearest: 'q2' in the run, 'q02' in the judgments" in padded
