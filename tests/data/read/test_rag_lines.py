"""One golden question a line: what was expected, and what was retrieved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import rankgauge as rg
from rankgauge.cli.main import cli
from rankgauge.errors import DataError

ROWS = [
    {"id": "g1", "question": "who?", "expected_ids": ["a"], "retrieved_ids": ["a", "b"], "answer": "me"},
    {"id": "g2", "question": "why?", "expected_ids": ["c", "d"], "retrieved_ids": ["b", "c"], "answer": "so"},
    {"id": "g3", "question": "when?", "expected_ids": ["e"], "retrieved_ids": None, "answer": ""},
]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "eval.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path / "eval.jsonl"


@pytest.mark.parametrize(
    "words", [["eval.jsonl:expected_ids", "eval.jsonl:retrieved_ids"], ["eval.jsonl", "eval.jsonl"]]
)
def test_fields_of_one_file(words: list[str], path: Path) -> None:
    assert path.exists()
    done = CliRunner().invoke(cli, ["evaluate", *words, "-m", "RR R@5", "--format", "json"], catch_exceptions=False)
    found = json.loads(done.stdout)
    assert list(found["mean"].values()) == [{"RR": 0.5, "R@5": 0.5}]
    assert [note["examples"] for note in found["notes"] if note["kind"] == "missing-queries"] == [["g3"]]
    assert "no-values" in [note["kind"] for note in found["notes"]]


def test_python_reads_the_same(path: Path) -> None:
    judged, run = rg.read_judgments(path, column="expected_ids"), rg.read_run(path, part="retrieved_ids")
    assert rg.evaluate(judged, run, "RR").mean() == {"retrieved_ids": {"RR": 0.5}}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["eval.jsonl:expected", "eval.jsonl"], "no field 'expected'"),
        (["odd.jsonl", "eval.jsonl"], "no field is known to list the relevant documents"),
        (["eval.jsonl", "odd.jsonl"], "no field is known to list the retrieved documents"),
    ],
)
def test_a_field_that_is_not_known(words: list[str], complaint: str, path: Path) -> None:
    text = path.read_text().replace("expected_ids", "wanted").replace("retrieved_ids", "mine")
    Path("odd.jsonl").write_text(text)
    with pytest.raises(DataError, match=complaint) as caught:
        CliRunner().invoke(cli, ["evaluate", *words, "-m", "RR"], catch_exceptions=False)
    only = "expected_ids" if words[0] == "eval.jsonl:expected" else ""
    assert (f"Name {only}, as in FILE:{only}" if only else "Name one of") in str(caught.value)


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_one_file_alone_shows_how_to_name_its_two_lists(command: str, path: Path) -> None:
    assert path.exists()
    done = CliRunner().invoke(cli, [command, "eval.jsonl"])
    assert done.exit_code != 0
    assert "eval.jsonl:expected_ids eval.jsonl:retrieved_ids" in f"{done.output}{done.exception}"
    Path("half.jsonl").write_text('{"id": "g1", "tags": ["a"]}\n')
    done = CliRunner().invoke(cli, [command, "half.jsonl"])
    assert done.exit_code != 0
    assert "half.jsonl:" not in f"{done.output}{done.exception}"
