"""The command, and that its page shows the numbers of the other commands on the same files."""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from presentation.page_tables import Tables, leaderboard
from rankgauge.analysis.compare.tables import p_text
from rankgauge.cli.main import cli, main
from rankgauge.presentation.drawing.canvas import typeset

SYSTEMS = 5


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Judgments with a query that has nothing relevant, and runs of which one lacks a query."""
    folder = tmp_path_factory.mktemp("collection")
    arguments = ["simulate", "--systems", str(SYSTEMS), "--queries", "30", "--documents", "60", "-o", str(folder)]
    assert CliRunner().invoke(cli, arguments).exit_code == 0
    judgments = folder / "judgments.qrels"
    rows = [line.split() for line in judgments.read_text().splitlines()]
    judgments.write_text("".join(f"{q} 0 {d} {0 if q == 'q03' else v}\n" for q, _, d, v in rows))
    runs = sorted((folder / "runs").iterdir())
    runs[3].write_text("".join(line for line in runs[3].read_text().splitlines(True) if not line.startswith("q05 ")))
    return [str(judgments), *map(str, runs)]


@pytest.fixture(scope="module")
def page(files, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    return written(files, path, "-m", "nDCG@10 AP", "--baseline", "system-02", "--seed", "11", "--confidence", "0.9")


def written(files, path, *options):
    arguments = ["report", *files, *options, "-o", str(path), "--no-progress"]
    with pytest.MonkeyPatch.context() as patch:
        # As in a terminal: the page tells the command that made it.
        patch.setattr(sys, "argv", ["rankgauge", *arguments])
        answer = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert answer.exit_code == 0, answer.output
    return path.read_text()


def told_by(page, files, command):
    """What the command prints that the page names for its numbers."""
    lines = [html.unescape(line) for line in re.findall(r"<li><code>(.*?)</code></li>", page)]
    (line,) = [line for line in lines if line.startswith(f"rankgauge {command} ")]
    # The page names files as seen from its folder; a shell would expand the pattern of the runs.
    words = shlex.split(line)
    assert words[2].endswith("judgments.qrels")
    assert words[3].endswith("runs/*.trec")
    assert not any(os.path.isabs(word) for word in words)  # noqa: PTH117
    arguments = [words[1], *files, *words[4:]]
    answer = CliRunner().invoke(cli, [*arguments, "--format", "json", "--no-progress"], catch_exceptions=False)
    assert answer.exit_code == 0
    return json.loads(answer.stdout)


def test_the_leaderboard_has_the_numbers_of_the_command_compare(page, files):
    told = told_by(page, files, "compare")
    assert (told["baseline"], told["seed"], told["confidence"]) == ("system-02", 11, 0.9)
    found = told["measures"]["nDCG@10"]
    check_board(leaderboard(page), found, "nDCG@10")
    check_board(leaderboard(page, 1), told["measures"]["AP"], "AP")
    shares = json.loads(
        CliRunner()
        .invoke(cli, ["evaluate", *files, "-m", "Judged@10", "--format", "json"], catch_exceptions=False)
        .stdout
    )
    for system, cells in leaderboard(page).items():
        assert cells["Judged@10"][1] == repr(shares["mean"][system]["Judged@10"])


def check_board(rows, found, measure):
    assert len(rows) == len(found["systems"]) == SYSTEMS
    for system in found["systems"]:
        cells = rows[system["name"]]
        places = f" ({system['rank_low']}–{system['rank_high']})" if system["rank_low"] != system["rank_high"] else ""
        assert cells["rank"] == (f"{system['rank']}{places}", str(system["rank"]))
        shown = f"{system['mean']:.4f}[{system['low']:.3f}, {system['high']:.3f}]"
        assert cells[measure] == (typeset(shown), repr(system["mean"]))
    for pair in found["pairs"]:
        cells = rows[pair["system"]]
        shown = f"{pair['difference']:+.4f}[{pair['low']:+.3f}, {pair['high']:+.3f}]"
        assert cells["Δ"] == (typeset(shown), repr(pair["difference"]))
        (drawn,) = [cell for head, cell in cells.items() if "interval" in head]
        assert drawn[0] == typeset(f"{pair['difference']:+.4f} [{pair['low']:+.4f}, {pair['high']:+.4f}]")
        assert cells["p (max-t)"] == (p_text(pair["p_adjusted"]), repr(pair["p_adjusted"]))
        assert cells["win/tie/loss"][0].endswith(f" {pair['wins']}/{pair['ties']}/{pair['losses']}")
        assert cells["verdict"][0] == pair["verdict"]


def test_the_verdict_has_the_numbers_of_the_command_compare(page, files):
    found = told_by(page, files, "compare")["measures"]["nDCG@10"]
    means = {system["name"]: system["mean"] for system in found["systems"]}
    best = max((name for name in means if name != "system-02"), key=means.__getitem__)
    (pair,) = [pair for pair in found["pairs"] if pair["system"] == best]
    box = html.unescape(re.search(r'<section class="verdict .*?</section>', page, re.DOTALL)[0])
    for value in (means[best], means["system-02"]):
        assert f"{value:.4f}" in box
    assert f"can detect a difference of {found['detectable_difference']:.2g} " in box
    for value in (pair["difference"], pair["low"], pair["high"]):
        assert typeset(f"{value:+.4f}") in box
    assert f"{pair['wins']} win" in box
    assert f"{pair['losses']} loss" in box
    needed = pair["queries_needed"]
    if pair["verdict"] == "undecided" and needed is not None:
        assert f"about {needed:,} queries in all would settle" in box


def test_the_top_has_the_numbers_of_all_pairs(files, tmp_path):
    text = written(files, tmp_path / "top.html")
    told = told_by(text, files, "compare")
    assert told["baseline"] is None
    rows = leaderboard(text)
    first, second = list(rows)[:2]
    for pair in told["measures"]["nDCG@10"]["pairs"]:
        names = (pair["system"], pair["baseline"])
        if first in names:
            other, sign = (names[1], -1) if names[0] == first else (names[0], 1)
            assert rows[other]["Δ"][1] == repr(sign * pair["difference"])
            assert rows[other]["p (max-t)"][1] == repr(pair["p_adjusted"])
        if set(names) == {first, second}:
            box = re.search(r'<section class="verdict .*?</section>', text, re.DOTALL)[0]
            assert f"+{abs(pair['difference']):.4f}" in box


def test_files_are_named_with_their_hashes(page, files):
    shown = dict(re.findall(r'<th scope="row" align="left">([^<]*)</th><td><code>([0-9a-f]{64})</code>', page))
    assert len(shown) == len(files)
    for path in files:
        (digest,) = [digest for name, digest in shown.items() if name.endswith(Path(path).name)]
        assert digest == hashlib.sha256(Path(path).read_bytes()).hexdigest()


def test_stability_has_the_numbers_of_the_command_stability(page, files):
    told = told_by(page, files, "stability")["measures"]
    # The query without a relevant document is left out, as the command does, though compare counts it as 0.
    assert {found["queries"] for found in told.values()} == {29}
    rows = Tables(page).found["stability"][0]
    assert [cell for cell, _ in rows[0]][2:] == ["on 29 queries", "for 0.9", "for 0.95"]
    shown = {(cells[0][0], cells[1][0]): [cell for cell, _ in cells[2:]] for cells in rows[1:]}
    for measure, found in told.items():
        for sign, name in (("Φ", "dependability"), ("Eρ²", "generalizability")):
            value, needed = found[name], found["queries_needed"][name]
            expected = f"{value['value']:.4f} [{value['low']:.4f}, {value['high']:.4f}]"
            assert shown[measure, sign][0] == expected
            assert [cell.split()[0] for cell in shown[measure, sign][1:]] == [
                str(needed[target]["value"]) for target in ("0.9", "0.95")
            ]


def test_discrimination_has_the_numbers_of_the_command_discriminate(page, files):
    told = told_by(page, files, "discriminate")
    assert told["pairs"] == SYSTEMS * (SYSTEMS - 1) / 2
    rows = {cells[0][0]: [cell for cell, _ in cells[1:]] for cells in Tables(page).found["discrimination"][0][1:]}
    expected = {
        measure: [f"{found['power']:.3f}", f"{found['required_difference']:.4f}"]
        for measure, found in told["measures"].items()
    }
    assert rows == expected


def test_the_grid_has_the_numbers_of_the_command_agreement(page, files):
    told = told_by(page, files, "agreement")
    rows = Tables(page).found["variants"][0]
    shown = [re.search(r"τ (\S+?\d{3})", cell)[1] for cells in rows[1:] for cell, _ in cells[1:]]
    assert len(shown) == 10
    assert sorted(shown) == sorted(f"{tau:.3f}" for tau in told["tau"][0])


def test_the_page_tells_its_own_command(page, files):
    (told,) = re.findall(r'<p class="command"><code>(.*?)</code></p>', page)
    arguments = shlex.split(html.unescape(told))
    assert arguments[:2] == ["rankgauge", "report"]
    assert arguments[2].endswith("judgments.qrels")
    assert arguments[3].endswith("runs/*.trec")
    assert "report.html" in arguments
    assert "--confidence" in arguments


def test_a_tool_to_be_like_reaches_the_numbers(files, tmp_path):
    text = written(files, tmp_path / "like.html", "--like", "gdeval")
    assert "missing=drop, undefined=drop" in text
    answer = CliRunner().invoke(cli, ["evaluate", *files, "--like", "gdeval", "--format", "json"])
    means = {system: f"{next(iter(found.values())):.4f}" for system, found in json.loads(answer.stdout)["mean"].items()}
    assert {
        system: next(cell[0][:6] for head, cell in cells.items() if head.startswith("nDCG"))
        for system, cells in leaderboard(text).items()
    } == means


def test_data_health_counts_what_was_odd(page):
    rows = {cells[0][0]: [cell for cell, _ in cells[1:]] for cells in Tables(page).found["health"][0][1:]}
    assert rows["queries missing from runs"][0] == "1 in 1 system"
    assert "q05" in rows["queries missing from runs"][1]
    assert rows["queries without a relevant document (measures are undefined)"][0] == "1"
    assert rows["unjudged documents"][0] == rows["ties that affect a score"][0] == "none"


def test_one_run_makes_a_page_of_its_own(files, tmp_path):
    text = written(files[:2], tmp_path / "one.html")
    answer = CliRunner().invoke(cli, ["evaluate", *files[:2], "--format", "json"])
    found = json.loads(answer.stdout)
    mean, low, high = (found[part]["system-01"]["nDCG@10"] for part in ("mean", "low", "high"))
    assert f"system-01: nDCG@10 {mean:.4f} on 30 queries" in text
    assert f"95% interval {low:.4f} to {high:.4f}" in text
    tables = Tables(text).found
    assert tables["leaderboard"][0][1][1][0] == f"{mean:.4f} [{low:.4f}, {high:.4f}]"
    worst = [float(cells[0][0]) for cells in tables["changes"][0][1:]]
    assert len(worst) == 10
    assert worst == sorted(worst)
    assert "The worst queries" in text
    assert len(tables["variants"][0]) == 6
    assert not {"stability", "discrimination"} & tables.keys()


def test_one_query_is_a_page_of_one_run_and_no_comparison(tmp_path, capsys):
    (tmp_path / "j.qrels").write_text("q 0 a 1\nq 0 b 0\n")
    (tmp_path / "x.trec").write_text("q Q0 a 1 2 x\nq Q0 b 2 1 x\n")
    (tmp_path / "y.trec").write_text("q Q0 b 1 2 y\nq Q0 a 2 1 y\n")
    paths = [str(tmp_path / name) for name in ("j.qrels", "x.trec", "y.trec")]
    with pytest.raises(SystemExit) as stopped:
        main(["report", *paths, "-o", str(tmp_path / "two.html"), "--no-progress"])
    assert stopped.value.code == 2
    assert "at least two queries" in capsys.readouterr().err
    assert not (tmp_path / "two.html").exists()
    assert "One query says nothing about others" in written(paths[:2], tmp_path / "one.html")


def test_runs_that_differ_in_nothing_are_a_page_too(files, tmp_path):
    same = [files[0], f"a={files[1]}", f"b={files[1]}"]
    text = written(same, tmp_path / "same.html")
    assert "b and a are the same on all" in text
    assert "the same on every query" in text
    assert "side by side" not in text


def test_an_analysis_that_these_scores_do_not_allow_is_named(tmp_path):
    (tmp_path / "j.qrels").write_text("".join(f"{q} 0 a 1\n" for q in "pqrs"))
    (tmp_path / "x.trec").write_text("".join(f"{q} Q0 a 1 2 x\n" for q in "pqrs"))
    paths = [str(tmp_path / "j.qrels"), f"a={tmp_path / 'x.trec'}", f"b={tmp_path / 'x.trec'}"]
    paths.append(f"c={tmp_path / 'x.trec'}")
    text = html.unescape(written(paths, tmp_path / "page.html"))
    assert "stability is left out: nDCG@10: all 12 scores are 1" in text


def test_judged_values_too_large_for_a_gain_do_without_it(tmp_path):
    (tmp_path / "j.qrels").write_text("".join(f"{q} 0 {d} {9000 * at}\n" for q in "pqrs" for at, d in enumerate("abc")))
    for system, order in (("x", "abc"), ("y", "cba")):
        rows = (f"{q} Q0 {d} {at} {9 - at} {system}\n" for q in "pqrs" for at, d in enumerate(order, 1))
        (tmp_path / f"{system}.trec").write_text("".join(rows))
    paths = [str(tmp_path / name) for name in ("j.qrels", "x.trec", "y.trec")]
    grid = Tables(written(paths, tmp_path / "page.html")).found["variants"][0]
    assert [cell.split()[0] for cell, _ in grid[0]] == ["discount", "linear"]


def test_only_some_queries_and_one_row_of_a_document_count_where_that_is_wished(files, tmp_path):
    twice = tmp_path / "twice.trec"
    lines = (tmp_path / files[1]).read_text().splitlines(keepends=True)
    twice.write_text("".join([*lines, lines[0]]))
    options = ["--only", "q01,q02,q04,q06,q07", "--duplicates", "best"]
    text = written([files[0], str(twice), files[2]], tmp_path / "part.html", *options)
    assert "on 5 queries" in text
