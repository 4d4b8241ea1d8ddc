"""Hostile names and texts are text in every form a result can take."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

import rankgauge
from presentation.hostile import HOSTILE, JUDGED, RIGHT_TO_LEFT, RUNS, hostile_page
from rankgauge.cli.main import cli
from rankgauge.tables.table import to_csv


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts, self.pictures, self.handlers, self.text = 0, 0, [], ""
        self.feed(text)

    def handle_data(self, data):
        self.text += data

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        self.pictures += tag == "img"
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    return hostile_page(tmp_path_factory.mktemp("hostile") / "page.html").read_text()


def test_hostile_text_is_text_on_the_page(page):
    text = page
    found = Elements(text)
    # The scores, and the page's own script.
    assert (found.scripts, found.pictures, found.handlers) == (2, 0, [])
    assert "x" * 700 not in text
    assert len(text) < 2_000_000


def results():
    """Everything that shows itself, made of hostile names."""
    scores = rankgauge.evaluate(JUDGED, RUNS, ["nDCG@10", "AP"])
    return {
        "scores": scores,
        "comparison": rankgauge.compare(scores),
        "stability": rankgauge.stability(scores),
        "discrimination": rankgauge.discriminate(scores),
        "agreement": rankgauge.agreement(scores),
    }


SHOWN = ("scores", "comparison", "stability", "discrimination", "agreement")


@pytest.fixture(scope="module")
def shown():
    return results()


@pytest.mark.parametrize("name", SHOWN)
def test_hostile_names_are_text_in_markdown(shown, name):
    text = shown[name].to_markdown()
    columns = len(shown[name].table().columns)
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 1 + len(shown[name].table().rows)
    bare = [re.sub(r"\\.", "", row) for row in rows]
    assert {row.count("|") for row in bare} == {columns + 1}
    assert not any(set("<`$&") & set(row) for row in bare)


@pytest.mark.parametrize("name", SHOWN)
def test_hostile_names_are_text_in_latex(shown, name):
    lines = shown[name].to_latex().splitlines()
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    table = shown[name].table()
    assert len(body) == len(table.rows)
    assert {len(re.findall(r"(?<!\\)&", line)) for line in body} == {len(table.columns) - 1}
    known = r"\\(textbackslash|textless|textgreater|textbar|textasciitilde|textasciicircum|textbf|textsuperscript|uparrow|downarrow|approx|rho|Phi|tau|Delta|infty|dots)(?![a-z])|\\[&%$#_{}\\]"
    assert not any("\\" in re.sub(known, "", line) for line in body)
    assert not any(line.startswith(("[", "*")) for line in body)
    assert not any(re.search(r"(?<!\\)[%#_^~]", line) for line in body)


@pytest.mark.parametrize("name", SHOWN)
def test_hostile_names_are_text_in_notebooks(shown, name):
    found = Elements(shown[name]._repr_html_())
    assert (found.scripts, found.pictures, found.handlers) == (0, 0, [])


@pytest.mark.parametrize("name", SHOWN)
def test_hostile_names_are_no_formulas_in_a_spreadsheet(shown, name):
    rows = list(csv.reader(io.StringIO(to_csv(shown[name].table()))))
    assert len(rows) == 1 + len(shown[name].table().rows)
    cells = [cell for row in rows for cell in row]
    assert not any(cell.startswith(("=", "@", "+H", "-H")) for cell in cells)
    if name == "scores":
        assert {row[0].removeprefix("'") for row in rows[1:]} == set(HOSTILE)


def test_names_of_five_thousand_characters_are_whole_where_tables_are_data(shown):
    for text in (shown["scores"].to_markdown(), shown["scores"].to_latex(), to_csv(shown["scores"].table())):
        assert "x" * 5000 in text


def test_right_to_left_names_do_not_turn_their_row(shown, page):
    assert f"<bdi>{RIGHT_TO_LEFT}</bdi>" in shown["scores"]._repr_html_()
    assert f"<bdi>{RIGHT_TO_LEFT}</bdi>" in page.replace(' class="short"', "")


def test_hostile_text_from_files_is_text_on_the_page(tmp_path):
    """The way of the command: texts and ids out of files, with the marks that files allow."""
    names = [name.replace(" ", "_") for name in HOSTILE[:6]]
    (tmp_path / "j.qrels").write_text("".join(f"{q} 0 {d} {at % 2}\n" for q in names for at, d in enumerate(names)))
    for turn, system in enumerate(("a", "b")):
        order = names if turn else names[::-1]
        rows = (f"{q} Q0 {d} {at} {9 - at} {system}\n" for q in names for at, d in enumerate(order, 1))
        (tmp_path / f"{system}.trec").write_text("".join(rows))
    with (tmp_path / "q.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("query", "text"), *zip(names, HOSTILE, strict=False)])
    paths = [str(tmp_path / name) for name in ("j.qrels", "a.trec", "b.trec")]
    options = ["--queries", str(tmp_path / "q.csv"), "--title", HOSTILE[1], "-o", str(tmp_path / "r.html")]
    answer = CliRunner().invoke(cli, ["report", *paths, *options, "--no-progress"], catch_exceptions=False)
    assert answer.exit_code == 0
    found = Elements((tmp_path / "r.html").read_text())
    assert (found.scripts, found.pictures, found.handlers) == (2, 0, [])
    assert all(text in found.text for text in HOSTILE[:6])
