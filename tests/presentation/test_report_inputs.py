"""report() takes everything that evaluate() takes, and the command writes the page that Python writes."""

from __future__ import annotations

import re
import sys

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge.cli.main import cli

JUDGED = {f"q{at:02}": {f"d{n}": (n + at) % 3 for n in range(6)} for at in range(8)}
# Nothing is relevant: measures are undefined, and stability leaves the query out.
JUDGED["q99"] = {"d0": 0, "d1": 0}
RUNS = {
    name: {
        query: {f"d{n}": float((n * (turn + 2) + len(query) + at) % 7) for n in range(6)}
        for at, query in enumerate(JUDGED)
    }
    for turn, name in enumerate(("a", "b", "c"))
}
TEXTS = {query: f"words of {query}" for query in JUDGED}


def rows(table, number):
    return [
        {"query": query, "document": document, number: value}
        for query, documents in table.items()
        for document, value in documents.items()
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("collection")
    lines = (f"{row['query']} 0 {row['document']} {row['value']}\n" for row in rows(JUDGED, "value"))
    (folder / "j.qrels").write_text("".join(lines))
    for name, run in RUNS.items():
        lines = (f"{row['query']} Q0 {row['document']} 1 {row['score']} {name}\n" for row in rows(run, "score"))
        (folder / f"{name}.trec").write_text("".join(lines))
    (folder / "q.csv").write_text("query,text\n" + "".join(f"{query},{text}\n" for query, text in TEXTS.items()))
    return folder


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    return page(tmp_path_factory.mktemp("page"), JUDGED, RUNS)


def page(folder, *data, **options):
    """Without the files that it was made from, which data in memory have not."""
    text = rankgauge.report(folder / "page.html", *data, **options).read_text()
    return re.sub(r'<details class="files">.*?</details>', "", text, flags=re.DOTALL).replace("\n\n", "\n")


def collection(kind, files):
    if kind == "dicts":
        return JUDGED, RUNS
    if kind == "paths":
        return files / "j.qrels", [str(files / f"{name}.trec") for name in RUNS]
    if kind == "frames":
        return pl.DataFrame(rows(JUDGED, "value")), {n: pl.DataFrame(rows(run, "score")) for n, run in RUNS.items()}
    return rankgauge.Judgments(JUDGED), [rankgauge.Run(run, name=name) for name, run in RUNS.items()]


KINDS = ("dicts", "paths", "frames", "objects")


@pytest.mark.parametrize("kind", KINDS)
def test_a_collection_of_any_kind_makes_the_same_page(kind, files, expected, tmp_path):
    assert page(tmp_path, *collection(kind, files)) == expected


@pytest.mark.parametrize("kind", KINDS)
def test_scores_with_a_collection_of_any_kind_make_the_same_page(kind, files, expected, tmp_path):
    judged, runs = collection(kind, files)
    assert page(tmp_path, rankgauge.evaluate(JUDGED, RUNS), judgments=judged, runs=runs) == expected


@pytest.mark.parametrize("options", [(), ("-m", "AP nDCG@5"), ("--undefined", "zero"), ("--like", "gdeval")])
def test_the_command_writes_the_page_that_python_writes(options, files, tmp_path, monkeypatch):
    paths = [str(files / name) for name in ("j.qrels", "a.trec", "b.trec", "c.trec")]
    arguments = ["report", *paths, "--queries", str(files / "q.csv"), *options, "-o", str(tmp_path / "command.html")]
    monkeypatch.setattr(sys, "argv", ["rankgauge", *arguments])
    answer = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert answer.exit_code == 0, answer.output
    text = (tmp_path / "command.html").read_text()
    assert "rankgauge report" in text
    parts = r'<div class="commands">.*?</div>|<details class="files">.*?</details>'
    without_commands = re.sub(parts, "", text, flags=re.DOTALL).replace("\n\n", "\n").replace("\n\n", "\n")
    named = dict(zip(options[::2], options[1::2], strict=True))
    policy = rankgauge.Policy(undefined=named["--undefined"]) if "--undefined" in named else None
    measures = named.get("-m", "nDCG@10").split()
    asked = {"policy": policy, "like": named.get("--like")}
    assert page(tmp_path, JUDGED, RUNS, measures, queries=TEXTS, **asked) == without_commands
    scores = rankgauge.evaluate(JUDGED, RUNS, measures, **asked)
    assert page(tmp_path, scores, judgments=JUDGED, runs=RUNS, queries=TEXTS) == without_commands


def test_texts_of_queries_come_from_a_file_a_mapping_or_queries(files, tmp_path):
    given = (files / "q.csv", TEXTS, rankgauge.read_queries(files / "q.csv"))
    pages = {page(tmp_path, JUDGED, RUNS, queries=queries) for queries in given}
    assert len(pages) == 1
    assert "words of q03" in pages.pop()


def test_queries_without_a_text_are_not_listed_with_their_id_twice(tmp_path):
    collection = rankgauge.simulate(systems=2, queries=5, seed=7)
    judged, runs = collection.judgments(), collection.runs()
    table = {"query": list(judged), "length": ["short"] * 5}
    text = rankgauge.report(tmp_path / "page.html", judged, runs, queries=table).read_text()
    assert text == rankgauge.report(tmp_path / "page.html", judged, runs).read_text()


def test_only_some_queries_count_where_that_is_asked_for(tmp_path):
    some = ["q01", "q02", "q03", "q04"]
    part = page(tmp_path, JUDGED, RUNS, only=some)
    assert "on 4 queries" in part
    assert page(tmp_path, rankgauge.evaluate(JUDGED, RUNS), only=some).count("on 4 queries") == part.count(
        "on 4 queries"
    )


def test_the_page_is_written_whole_or_not_at_all(tmp_path):
    target, other = tmp_path / "page.html", tmp_path / "other"
    target.write_text("old")
    other.hardlink_to(target)
    rankgauge.report(target, JUDGED, RUNS)
    # Whoever has the old page open keeps reading it.
    assert other.read_text() == "old"
    assert {path.name for path in tmp_path.iterdir()} == {"page.html", "other"}
    with pytest.raises(rankgauge.errors.UsageError, match="cannot be written"):
        rankgauge.report(tmp_path / "nowhere" / "page.html", JUDGED, RUNS)


@pytest.mark.parametrize(
    ("data", "options"),
    [
        ((42,), {}),
        ((None,), {}),
        (([1, "a"],), {}),
        ((JUDGED,), {}),
        ((JUDGED, 42), {}),
        ((JUDGED, RUNS, 42), {}),
        ((rankgauge.evaluate(JUDGED, RUNS), RUNS), {}),
        ((JUDGED, RUNS), {"judgments": 42}),
        ((rankgauge.evaluate(JUDGED, RUNS),), {"judgments": 42, "runs": RUNS}),
        ((rankgauge.evaluate(JUDGED, RUNS),), {"judgments": JUDGED, "runs": 42}),
        ((rankgauge.evaluate(JUDGED, RUNS),), {"judgments": JUDGED}),
        ((JUDGED, RUNS), {"queries": 42}),
        ((JUDGED, RUNS), {"comparison": 42}),
        ((JUDGED, RUNS), {"stability": "x"}),
        ((JUDGED, RUNS), {"discrimination": []}),
        ((JUDGED, RUNS), {"only": "q01"}),
        ((JUDGED, RUNS), {"baseline": "d"}),
        ((JUDGED, RUNS), {"confidence": 2}),
        ((JUDGED, RUNS), {"like": "nothing"}),
    ],
)
def test_what_cannot_be_used_is_an_error_of_ours(data, options, tmp_path):
    with pytest.raises(rankgauge.errors.RankgaugeError):
        page(tmp_path, *data, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_matrix_of_scores_makes_a_page(tmp_path):
    scores = rankgauge.Scores.from_matrix(np.random.default_rng(5).random((3, 12)), rows="systems")
    text = page(tmp_path, scores)
    assert "3 systems on" in text
