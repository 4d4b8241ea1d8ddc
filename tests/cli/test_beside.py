"""A saved baseline beside a new run, and what a gate does when it is undecided."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import rankgauge as rg
from rankgauge.cli.main import cli
from rankgauge.errors import UsageError

JUDGED = {f"q{n}": {"a": 1, "b": 0} for n in range(20)}
MAIN = {f"q{n}": ["a", "b"] if n % 2 else ["b", "a"] for n in range(20)}
BRANCH = {f"q{n}": ["a", "b"] if n % 3 else ["b", "a"] for n in range(20)}


def run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(cli, ["compare", *words], catch_exceptions=False)
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, data in (("judged", JUDGED), ("main", MAIN), ("branch", BRANCH)):
        Path(f"{name}.json").write_text(json.dumps(data))
    rg.evaluate(JUDGED, {"main": MAIN}, "RR P@1").save("main.parquet")
    return tmp_path


def test_saved_scores_beside_a_run() -> None:
    _, found, _ = run("--scores", "main.parquet", "judged.json", "branch.json", "--format", "json")
    _, whole, _ = run("judged.json", "main.json", "branch.json", "-m", "RR P@1", "--format", "json")
    assert json.loads(found)["measures"] == json.loads(whole)["measures"]
    assert json.loads(found)["baseline"] == "main"


def test_what_cannot_stand_beside() -> None:
    saved = rg.read_scores("main.parquet")
    with pytest.raises(UsageError, match=r"both sets of scores have a system 'main'\nGive the new one .* new=PATH"):
        saved.beside(rg.evaluate(JUDGED, {"main": BRANCH}, "RR"))
    with pytest.raises(UsageError, match="no measure in common"):
        saved.beside(rg.evaluate(JUDGED, {"new": BRANCH}, "AP"))
    some = saved.beside(rg.evaluate({f"q{n}": {"a": 1} for n in range(5, 25)}, {"new": BRANCH}, "RR"))
    assert len(some.queries) == 15
    assert [note.count for note in some.notes if note.kind == "not-in-both"] == [10]


@pytest.mark.parametrize(("answer", "code"), [("exit", 3), ("pass", 0), ("warn", 0), ("fail", 1)])
def test_an_undecided_gate(answer: str, code: int) -> None:
    words = ("judged.json", "main.json", "branch.json", "-m", "RR", "--fail-if", "RR < baseline")
    found, _, said = run(*words, "--undecided", answer)
    assert found == code
    assert ("warning" in said) == (answer == "warn")
    assert ("fail: undecided" in said) == (answer == "fail")


@pytest.mark.parametrize("answer", ["exit", "pass", "warn", "fail"])
def test_the_files_of_an_undecided_gate_say_what_the_exit_code_says(answer: str) -> None:
    words = ("judged.json", "main.json", "branch.json", "-m", "RR", "--fail-if", "RR < baseline")
    more = ("--also", "junit=gate.xml", "--also", "comment=comment.md", "--format", "json")
    code, out, _ = run(*words, "--undecided", answer, *more)
    gate = json.loads(out)["gate"]
    assert (gate["outcome"], gate["exit_code"], gate["rules"][0]["exit_code"]) == ("undecided", code, code)
    cases = Path("gate.xml").read_text()
    failed = {"fail": 1}.get(answer, 0)
    assert f'failures="{failed}" errors="0" skipped="{1 - failed}"' in cases
    assert ("<failure" in cases) == ("❌ **fail** (undecided)" in Path("comment.md").read_text()) == (code == 1)
    assert ("<skipped" in cases) == ("⚠️ **undecided**" in Path("comment.md").read_text()) == (code != 1)


@pytest.mark.parametrize(
    ("rule", "code"),
    [("RR <= 1", 1), ("RR < 0.1", 0), ("RR >= 0.1", 1), ("RR > baseline - 90%", 1), ("RR < baseline - 90%", 0)],
)
def test_rules(rule: str, code: int) -> None:
    assert run("judged.json", "main.json", "branch.json", "-m", "RR", "--fail-if", rule)[0] == code


def test_a_page_as_the_only_output_is_refused_and_both_ways_to_get_one_are_named() -> None:
    words = ["compare", "judged.json", "main.json", "branch.json", "-o", "page.html"]
    with pytest.raises(UsageError, match=r"rankgauge report … -o page.html, or .* --also html=page.html"):
        CliRunner().invoke(cli, words, catch_exceptions=False, standalone_mode=False)
