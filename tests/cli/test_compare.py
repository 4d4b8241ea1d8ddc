from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge.cli.main import cli, main
from rankgauge.tables.table import to_text

RULE = "nDCG@10 < baseline - 0.01"
PAGE = Path(__file__).parents[2] / "docs" / "compare.md"


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    folder = tmp_path_factory.mktemp("collection")
    arguments = ["simulate", "--systems", "4", "--queries", "40", "--documents", "60", "-o", str(folder)]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    return folder


def run(*arguments, **options):
    return CliRunner().invoke(cli, ["compare", *map(str, arguments)], catch_exceptions=False, **options)


def files(collection, systems=4):
    return [collection / "judgments.qrels", *sorted((collection / "runs").glob("*"))[:systems]]


def fails(arguments, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["compare", *map(str, arguments)])
    out, err = capsys.readouterr()
    assert (stopped.value.code, out) == (2, "")
    return err


def scenario(folder, loss, noise):
    """Scores of two systems on 30 queries whose differences have this mean and standard deviation."""
    scatter = np.random.default_rng(3).normal(size=30)
    scatter = noise * (scatter - scatter.mean()) / scatter.std(ddof=1)
    rows = [f"old,q{at},0.5\nnew,q{at},{0.5 - loss + shift!r}\n" for at, shift in enumerate(scatter.tolist())]
    path = folder / "scores.csv"
    path.write_text("system,query,nDCG@10\n" + "".join(rows))
    return path


SCENARIOS = [(0.0, 0.01, 0, "pass"), (0.05, 0.01, 1, "fail"), (0.012, 0.05, 3, "undecided")]


@pytest.mark.parametrize(("loss", "noise", "code", "outcome"), SCENARIOS)
def test_the_gate_ends_with_0_1_or_3_and_says_why(tmp_path, capsys, loss, noise, code, outcome):
    path = scenario(tmp_path, loss, noise)
    with pytest.raises(SystemExit) as stopped:
        main(["compare", "--scores", str(path), "--baseline", "old", "--fail-if", RULE])
    assert stopped.value.code == code
    said = " ".join(capsys.readouterr().out.split())
    assert f"fail if {RULE}: {outcome}" in said
    assert re.search(r"95% interval -?0\.\d{4} to -?0\.\d{4}, 30 queries", said)
    assert (" queries would decide it" in said) == (outcome == "undecided")


@pytest.mark.parametrize(("loss", "noise", "code", "outcome"), SCENARIOS)
def test_junit_has_a_case_per_rule_and_system_and_keeps_the_exit_code(tmp_path, loss, noise, code, outcome):
    path = scenario(tmp_path, loss, noise)
    result = run("--scores", path, "--fail-if", RULE, "--fail-if", "nDCG@10 > 2", "--format", "junit")
    assert result.exit_code == code
    suite = ET.fromstring(result.stdout).find("testsuite")  # noqa: S314 - our own text
    assert [case.get("classname") for case in suite.iter("testcase")] == [RULE, "nDCG@10 > 2"]
    counts = {"fail": ("1", "0"), "undecided": ("0", "1"), "pass": ("0", "0")}[outcome]
    assert (suite.get("failures"), suite.get("skipped")) == counts
    assert outcome + ": new: nDCG@10 - baseline" in result.stderr


def test_the_worst_of_several_rules_counts(tmp_path):
    path = scenario(tmp_path, 0.012, 0.05)
    assert run("--scores", path, "--fail-if", RULE, "--fail-if", "nDCG@10 < 0.9").exit_code == 1


def test_queries_are_listed_from_the_worst_loss_to_the_best_win_with_their_words(collection):
    asked = ["--per-query", "--queries", collection / "queries.csv"]
    rows = list(csv.DictReader(io.StringIO(run(*files(collection, 2), *asked, "--format", "csv").stdout)))
    differences = [float(row["difference"]) for row in rows]
    assert len(rows) == 40
    assert differences == sorted(differences)
    assert all(row["text"] for row in rows)
    assert float(rows[0]["system-02"]) - float(rows[0]["system-01"]) == pytest.approx(differences[0])
    text = run(*files(collection, 2), *asked).stdout
    assert max(map(len, text.splitlines())) <= 80
    found = json.loads(run(*files(collection), *asked, "--format", "json").stdout)["per_query"]
    assert [pair["system"] for pair in found] == ["system-02", "system-03", "system-04"]
    assert set(found[0]["queries"][0]) == {"query", "system", "baseline", "difference", "text"}


def test_ties_of_a_run_stand_in_the_order_of_trec_eval(tmp_path):
    (tmp_path / "a.trec").write_text("q Q0 d1 1 5 a\nq Q0 d2 2 5 a\nq Q0 d0 3 9 a\n")
    (tmp_path / "b.trec").write_text("q Q0 d0 1 3 b\nq Q0 d2 2 2 b\nq Q0 d1 3 1 b\n")
    found = json.loads(run("--no-judgments", tmp_path / "a.trec", tmp_path / "b.trec", "--format", "json").stdout)
    assert found["changed"] == 0


def test_markdown_begins_with_the_gate_and_is_written_to_the_file(collection, tmp_path):
    path = tmp_path / "comparison.md"
    result = run(*files(collection), "--fail-if", "nDCG@10 < 0.99", "--format", "md", "-o", path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert path.read_text().startswith("**Gate: nDCG@10 \\< 0.99: fail**")
    assert "fail: system-02" in result.stderr


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["--by", "segment"], "--by segment needs --queries FILE"),
        (["--by", "segmnt", "--queries", "QUERIES"], "did you mean 'segment'?"),
        (["--by", "segment", "--queries", "QUERIES", "--per-query"], "cannot be shown together"),
        (["--format", "junit"], "reports the rules of --fail-if; add one"),
        (["--fail-if", "nDCG@10"], "neither '<' nor '>'"),
        (["--fail-if", "AP < 0.5"], "names AP, which is not compared"),
        (["--fail-if", "map < 0.5"], "add it to the measures (on the command line -m 'AP')"),
        (["--all-pairs", "--fail-if", RULE], "name one with --baseline"),
        (["--baseline", "system-2"], "did you mean 'system-02'?"),
        (["--cutoff", "5"], "--cutoff has no effect here because it is for --no-judgments"),
        (["--no-judgments"], "compares two runs, not 5"),
        (["--no-judgments", "-m", "AP"], "--measure has no effect here because it needs judgments"),
        (["--no-judgments", "--fail-if", RULE], "--fail-if has no effect here because it needs judgments"),
        (["--equivalence", "-1"], "must be a difference above 0"),
        (["--per-query", "--queries", "QUERIES.not"], "QUERIES.not"),
    ],
)
def test_wrong_use_is_refused_with_a_way_out(collection, capsys, asked, message):
    asked = [str(collection / "queries.csv") if word == "QUERIES" else word for word in asked]
    assert message in fails([*files(collection), *asked], capsys)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("words,segment\na,b\n", "no column for the query id"),
        ("query,segment\nq01,head\nq01,tail\n", "duplicate query id"),
        ("query,segment\nq01\n", "line 2"),
        ("query,segment\nx,head\n", "none of the 40 queries has a value of segment"),
        ("query,text\nq01,a\n", "it has only ids and texts"),
    ],
)
def test_faults_in_the_file_of_queries_are_named(collection, tmp_path, capsys, text, message):
    path = tmp_path / "queries.csv"
    path.write_text(text)
    assert message in fails([*files(collection), "--queries", path, "--by", "segment"], capsys)


def test_queries_in_no_slice_are_counted(collection, tmp_path):
    path = tmp_path / "queries.tsv"
    path.write_text("query\tkind\n" + "".join(f"q{at:02}\t{'ab'[at % 2]}\n" for at in range(1, 30)) + "q30\tc\n")
    text = run(*files(collection), "--queries", path, "--by", "kind").stdout
    assert "10 queries without kind, left out." in text
    assert "with a single query, not compared: c." in text


def test_the_workflow_of_the_page_warns_passes_or_fails(collection, tmp_path):
    """Its shell lines, on three changes: none, one that two queries feel, one that all feel."""
    step = re.search(r"- name: Compare\n +run: \|\n(.*?)```", PAGE.read_text(), re.DOTALL)[1]
    (tmp_path / "eval").mkdir()
    judgments, main_run, *_ = files(collection)
    (tmp_path / "eval" / "judgments.qrels").write_bytes(judgments.read_bytes())
    (tmp_path / "main.trec").write_bytes(main_run.read_bytes())
    (tmp_path / "rankgauge").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m rankgauge "$@"\n')
    (tmp_path / "rankgauge").chmod(0o755)
    lines = main_run.read_text().splitlines(keepends=True)
    changes = {
        "none": (lines, 0, "pass", False),
        "two queries reversed": (
            [_reversed(line) if line.startswith(("q01 ", "q02 ")) else line for line in lines],
            0,
            "undecided",
            True,
        ),
        "all reversed": ([_reversed(line) for line in lines], 1, "fail", False),
    }
    for name, (changed, code, outcome, warned) in changes.items():
        (tmp_path / "branch.trec").write_text("".join(changed))
        summary = tmp_path / "summary.md"
        summary.write_text("")
        environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", "GITHUB_STEP_SUMMARY": str(summary)}
        environment["PYTHONPATH"] = ":".join(sys.path)
        result = subprocess.run(
            ["/bin/bash", "-e", "-c", step], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert result.returncode == code, (name, result)
        assert f"0.01: {outcome}**" in summary.read_text(), name
        assert ("::warning::" in result.stdout) == warned, name


def _reversed(line):
    query, fixed, document, rank, score, tag = line.split()
    return f"{query} {fixed} {document} {rank} {-float(score)} {tag}\n"


def test_only_some_queries_count_however_the_scores_came(collection, tmp_path):
    kept, matrix = tmp_path / "kept.parquet", tmp_path / "matrix.csv"
    scores = rankgauge.evaluate(files(collection)[0], [str(path) for path in files(collection)[1:]], "nDCG@10")
    wanted = ",".join(scores.queries[5:25])
    (tmp_path / "wanted.txt").write_text(wanted.replace(",", "\n"))
    assert CliRunner().invoke(cli, ["evaluate", *map(str, files(collection)), "--save", str(kept)]).exit_code == 0
    rows = [",".join(map(repr, row)) for row in scores.matrix().T.tolist()]
    names = ",".join(["query", *scores.systems])
    matrix.write_text("\n".join([names, *(f"{q},{row}" for q, row in zip(scores.queries, rows, strict=True))]))
    ways = ([*files(collection)], ["--scores", kept], ["--scores", matrix])
    found = [json.loads(run(*way, "--only", wanted, "--format", "json").stdout) for way in ways]
    pairs = [next(iter(one["measures"].values()))["pairs"] for one in found]
    assert pairs[0] == pairs[1] == pairs[2]
    assert sum(pairs[0][0][outcome] for outcome in ("wins", "ties", "losses")) == 20
    from_file = json.loads(run(*ways[0], "--only", tmp_path / "wanted.txt", "--format", "json").stdout)
    assert from_file["measures"]["nDCG@10"]["pairs"] == pairs[0]


def test_only_names_queries_that_have_scores(collection, tmp_path, capsys):
    kept = tmp_path / "kept.csv"
    assert CliRunner().invoke(cli, ["evaluate", *map(str, files(collection)), "--save", str(kept)]).exit_code == 0
    first = kept.read_text().splitlines()[1].split(",")[1]
    assert f"no scores for query '{first}x'" in fails(["--scores", kept, "--only", f"{first}x"], capsys)
    assert "about judgments and runs" in fails(["--scores", kept, "--duplicates", "best"], capsys)


def test_what_changed_for_some_queries_only(collection):
    old, new = files(collection, 2)[1:]
    every = json.loads(run("--no-judgments", old, new, "--format", "json").stdout)
    query = every["per_query"][0]["query"]
    found = json.loads(run("--no-judgments", old, new, "--only", query, "--format", "json").stdout)
    assert [one["query"] for one in found["per_query"]] == [query]


@pytest.mark.parametrize(("rule", "code"), [("nDCG@10 <= 0.01", 0), ("nDCG@10 < 0.99", 1)])
@pytest.mark.parametrize("form", ["table", "json", "csv", "md", "latex", "junit", "comment"])
def test_a_rule_with_a_fixed_number_needs_one_run_only(collection, tmp_path, rule, code, form):
    page = tmp_path / "page.html"
    done = run(*files(collection, 1), "--fail-if", rule, "--format", form, "--also", f"html={page}")
    assert (done.exit_code, page.exists()) == (code, True)
    scores = rankgauge.evaluate(*map(str, files(collection, 1)))
    comparison = rankgauge.compare(scores)
    assert str(comparison.gate(rule)).startswith(f"fail if {rule}: {'fail' if code else 'pass'}\n")
    if form == "json":
        shown = json.loads(done.stdout)["measures"]["nDCG@10"]["systems"][0]
        assert shown["mean"] == pytest.approx(scores.mean()["system-01"]["nDCG@10"])


def test_one_run_has_no_baseline_and_no_differences(collection, capsys):
    assert "names a baseline, but" in fails([*files(collection, 1), "--fail-if", RULE], capsys)
    assert "there is one; add another run" in fails([*files(collection, 1), "--per-query"], capsys)


def test_the_best_of_a_column_is_bold_where_bold_can_be_seen(collection):
    plain, page = (run(*files(collection), "--compact", "--format", form).stdout for form in ("table", "md"))
    assert "bold" not in plain
    assert "bold: the best of each column" in page
    assert page.count("**0.") == 1
    assert "\N{ESC}[1m0." in to_text(
        rankgauge.compare(*map(str, files(collection)[:1]), list(map(str, files(collection)[1:]))).compact_table(),
        color=True,
    )
