from __future__ import annotations

import pytest
from click.testing import CliRunner

from rankgauge import Run, read_run
from rankgauge.cli.main import cli
from rankgauge.cli.trec_format import tag_of

QRELS = "q10 0 a 1\nq10 0 b 0\nq9 0 a 2\nq9 0 c 1\nlost 0 a 1\n"
RUN = "q9 Q0 a 1 2.5 first\nq9 Q0 x 2 1.5 first\nq10 Q0 b 1 .5 first\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "a.qrels").write_text(QRELS)
    (tmp_path / "bm25.trec").write_text(RUN)
    (tmp_path / "ltr.trec").write_text(RUN.replace("first", "second"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments):
    result = CliRunner().invoke(cli, ["evaluate", "a.qrels", *arguments, "--format", "trec"], catch_exceptions=False)
    return result.stdout.splitlines()


def cells(lines):
    return [tuple(line.split()) for line in lines]


def test_lines_have_a_padded_name_a_query_and_a_value(folder):
    assert run("bm25.trec", "-m", "P_5 num_ret") == [
        "num_ret               \tall\t3",
        "P_5                   \tall\t0.0667",
    ]


def test_queries_come_in_the_order_of_their_bytes_and_the_whole_last(folder):
    lines = cells(run("bm25.trec", "-m", "recip_rank", "--per-query"))
    assert [query for _, query, _ in lines] == ["lost", "q10", "q9", "all"]


def test_official_is_what_is_printed_unless_something_is_asked_for(folder):
    lines = cells(run("bm25.trec"))
    assert lines[0] == ("runid", "all", "first")
    assert lines[1] == ("num_q", "all", "3")
    assert len(lines) == 30


def test_measures_come_in_trec_evals_order_whatever_the_order_of_asking(folder):
    lines = cells(run("bm25.trec", "-m", "ERR@20 success_1 P@10 P@5 AP set_F.0.5"))
    assert [name for name, _, _ in lines] == ["map", "P_5", "P_10", "success_1", "set_F_0.5", "ERR@20"]


def test_only_the_whole_has_a_number_of_queries_and_a_geometric_mean(folder):
    lines = cells(run("bm25.trec", "-m", "num_q gm_map map", "--per-query"))
    assert [name for name, query, _ in lines if query == "q9"] == ["map"]
    assert [name for name, query, _ in lines if query == "all"] == ["num_q", "map", "gm_map"]


def test_trec_eval_9_prints_no_lines_for_missing_queries_and_10_does(folder):
    for version, queries in (("9", {"q10", "q9", "all"}), ("10", {"lost", "q10", "q9", "all"})):
        lines = run("bm25.trec", "-m", "map", "--per-query", "--missing", "zero", "--like", f"trec_eval-{version}")
        assert {query for _, query, _ in cells(lines)} == queries
        assert cells(lines)[-1] == ("map", "all", "0.1667")


def test_queries_that_are_left_out_have_no_lines(folder):
    lines = cells(run("bm25.trec", "-m", "map", "--per-query", "--missing", "drop"))
    assert [query for _, query, _ in lines] == ["q10", "q9", "all"]


def test_every_run_is_printed_under_its_tag(folder):
    lines = cells(run("bm25.trec", "ltr.trec", "-m", "runid map"))
    assert [value for name, _, value in lines if name == "runid"] == ["first", "second"]


def test_a_threshold_changes_the_value_and_not_the_label(folder):
    assert cells(run("bm25.trec", "-m", "P_1", "--rel", "3")) == [("P_1", "all", "0.0000")]


def test_decimals_may_be_asked_for(folder):
    assert cells(run("bm25.trec", "-m", "map num_q", "--decimals", "6")) == [
        ("num_q", "all", "3"),
        ("map", "all", "0.166667"),
    ]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("q Q0 a 1 1.5 mine", "mine"),
        ("# made today\n\nq Q0 a 1 1.5 mine", "mine"),
        ("q a 1\nq b 2\n", "run"),
        ("", "run"),
    ],
)
def test_the_tag_is_the_sixth_field_of_the_first_line(tmp_path, text, tag):
    (tmp_path / "run.trec").write_text(text)
    assert tag_of(read_run(tmp_path / "run.trec")) == tag


def test_a_run_that_is_no_file_is_called_by_its_name():
    assert tag_of(Run({"q": {"a": 1.0}}, name="mine")) == "mine"
