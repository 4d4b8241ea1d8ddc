from __future__ import annotations

import csv
import io
import math

import pytest

from rankgauge.tables import plain
from rankgauge.tables.table import (
    Column,
    Estimate,
    Marked,
    P,
    Table,
    number,
    to_csv,
    to_html,
    to_latex,
    to_markdown,
    to_text,
)

HOSTILE = '<script>alert(1)</script>|a&b\\{x}_$%#"^~\n\x1b[31m=1+1'
TABLE = Table(
    (Column("system"), number("nDCG@10"), number("Δ", signed=True), number("queries")),
    ((HOSTILE, 0.123456, 0.5, 1000), ("=cmd()", None, -0.25, 3)),
    "caption",
    ("a note | with bars",),
    frozenset({1}),
)


def test_hostile_text_is_text_in_html():
    text = to_html(TABLE)
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert "\x1b" not in text


def test_hostile_text_keeps_one_row_in_markdown():
    text = to_markdown(TABLE)
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == 3
    unescaped = rows[1].replace(r"\|", "")
    assert unescaped.count("|") == 5
    assert r"\<script\>" in rows[1]


def test_hostile_text_is_text_in_latex():
    lines = to_latex(TABLE).splitlines()
    row = lines[lines.index(r"\midrule") + 1]
    assert r"\textless{}script\textgreater{}" in row
    assert r"a\&b\textbackslash{}\{x\}\_\$\%\#" in row
    assert row.count(" & ") == 3


@pytest.mark.parametrize(
    ("name", "written"),
    [("[2mm]x", "{}[2mm]x"), ("*x", "{}*x"), ("a--b", "a-{}-b"), ("a[1]", "a[1]"), ("---", "-{}-{}-")],
)
def test_latex_takes_no_name_for_an_option_or_a_dash(name, written):
    """After a line break a bracket would be its argument, and two hyphens would be set as one dash."""
    text = to_latex(Table((Column("system"),), ((name,),)))
    assert f"{written} \\\\" in text


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＠", "\t=", "\r=", "\n="])
def test_no_cell_begins_as_a_formula(sign):
    ((cell,),) = list(csv.reader(io.StringIO(to_csv(Table((Column("q"),), ((f"{sign}SUM(A1)",),))))))[1:]
    assert cell == f"'{sign}SUM(A1)".replace("\r", "\n")


def test_marks_are_told_beside_numbers_and_in_a_column_of_their_own_in_csv():
    table = Table((Column("system"), number("mean"), number("p")), (("a", Marked(0.5, "↑"), 0.1), ("b", 0.25, 0.2)))
    assert "0.5000↑" in to_html(table)
    assert "| 0.5000↑ |" in to_markdown(table)
    assert r"0.5000\textsuperscript{$\uparrow$}" in to_latex(table)
    assert to_csv(table) == "system,mean,mean mark,p\na,0.5,↑,0.1\nb,0.25,,0.2\n"


def test_markdown_escapes_no_more_than_it_must():
    table = Table((Column("system"),), (("a (b) +1",), ("[x](y)",)), "differs by +0.1 (95% interval)", ("+ one",))
    assert to_markdown(table).splitlines() == [
        "**differs by +0.1 (95% interval)**",
        *("", "| system |", "|---|", "| a (b) +1 |", r"| \[x\](y) |", "", r"- \+ one"),
    ]


def test_verdicts_are_coloured_in_notebooks_and_only_there():
    table = Table((Column("system"), Column("verdict", is_verdict=True)), (("better", "better"), ("b", "undecided")))
    assert to_html(table).count("<font color") == 1


def test_a_formula_does_not_run_in_a_spreadsheet():
    rows = list(csv.reader(io.StringIO(to_csv(TABLE))))
    assert rows[1][0] == HOSTILE
    assert rows[2] == ["'=cmd()", "", "-0.25", "3"]


def test_numbers_written_as_text_stay_numbers_in_csv():
    assert to_csv(Table((Column("query"),), (("-1",), ("+x",)))) == "query\n-1\n'+x\n"


def test_text_fits_the_width_and_shortens_names_not_numbers():
    table = Table((Column("system"), number("nDCG@10")), (("x" * 200, 0.5),))
    lines = to_text(table, width=40).splitlines()
    assert all(len(line) <= 40 for line in lines)
    assert lines[1].endswith("0.5000")
    assert "…" in lines[1]


def test_control_characters_never_reach_the_terminal_and_colour_only_on_demand():
    assert "\x1b" not in to_text(TABLE, width=300)
    assert "\x1b" in to_text(TABLE, color=True)


def test_undefined_numbers_are_dashes_and_null():
    assert "–" in to_text(TABLE)
    assert plain({"a": [float("nan"), 1.0, (float("inf"),)]}) == {"a": [None, 1.0, [None]]}


def test_decimals_are_the_readers_choice():
    assert "0.12 " in to_text(TABLE, 2, width=200)
    assert to_csv(TABLE, 2).splitlines()[2].endswith("0.12,0.50,1000")


ESTIMATES = Table(
    (Column("measure"), number("Φ"), number("queries")),
    (("nDCG@10", Estimate(0.82345, 0.6, 0.9), Estimate(205, 65, math.inf)), ("RR", None, "")),
    decimals=2,
)


def test_an_estimate_is_one_cell_with_its_interval():
    assert to_text(ESTIMATES).splitlines()[1] == "nDCG@10  0.82 [0.60, 0.90]  205 [65, ∞]"
    assert to_markdown(ESTIMATES).splitlines()[2] == r"| nDCG@10 | 0.82 \[0.60, 0.90\] | 205 \[65, ∞\] |"
    assert r"205 [65, $\infty$]" in to_latex(ESTIMATES)
    assert ">0.82 [0.60, 0.90]<" in to_html(ESTIMATES)


def test_an_estimate_says_where_its_interval_is_undefined_and_has_no_commas_but_one():
    assert Estimate(0.5, math.nan, math.nan).spell(2) == "0.50 [undefined]"
    assert Estimate(0.5, math.nan, math.nan).to_dict() == {"value": 0.5, "low": None, "high": None}
    assert str(Estimate(1205, 1005, 2000)) == "1205 [1005, 2000]"


def test_an_estimate_is_three_columns_of_csv():
    rows = list(csv.reader(io.StringIO(to_csv(ESTIMATES))))
    assert rows[0] == ["measure", "Φ", "Φ low", "Φ high", "queries", "queries low", "queries high"]
    assert rows[1] == ["nDCG@10", "0.82345", "0.6", "0.9", "205", "65", "inf"]
    assert rows[2] == ["RR", "", "", "", "", "", ""]


def test_a_table_has_decimals_of_its_own_unless_the_reader_asks_for_others():
    table = Table((number("x"),), ((0.123456,),), decimals=3)
    assert to_text(table).splitlines()[-1] == "0.123"
    assert to_text(table, 5).splitlines()[-1] == "0.12346"


def test_a_shortened_name_keeps_its_end():
    table = Table((Column("measure"), number("n")), (("nDCG(gain=exp, discount=zipf)@100", 1),))
    assert to_text(table, width=24).splitlines()[1] == "nDCG(gain=exp…pf)@100  1"


@pytest.mark.parametrize("render", [to_text, to_latex])
def test_marks_are_looked_up_once_per_table(render, monkeypatch):
    """Once per cell made 1,953 pairs of systems take 45 s."""
    calls, marks = [], Table.marks
    monkeypatch.setattr(Table, "marks", property(lambda table: calls.append(1) or marks.fget(table)))
    render(Table((Column("system"), number("mean")), tuple((str(at), Marked(0.5, "↑")) for at in range(20))))
    assert len(calls) == 1


def test_a_p_value_is_never_shown_as_0_and_keeps_its_digits_in_csv():
    table = Table((P,), ((3e-7,), (0.0001,), (0.04994,)))
    assert to_text(table).split() == ["p", "<0.0001", "0.0001", "0.0499"]
    assert to_text(table, decimals=2).split()[1:] == ["<0.01", "<0.01", "0.05"]
    assert to_csv(table).split() == ["p", "3e-07", "0.0001", "0.04994"]


@pytest.mark.parametrize("render", [to_text, to_html, to_latex, to_markdown, to_csv])
def test_a_table_without_rows_shows_its_head_and_notes(render):
    text = render(Table((Column("system"), number("value")), (), "", ("nothing was found",)))
    assert "system" in text
    assert render is to_csv or "nothing was found" in text


def test_the_head_of_a_column_is_not_cut_to_win_a_letter() -> None:
    numbers = [number(f"measure-{at}") for at in range(9)]
    table = Table((Column("country"), *numbers), (("a name of many letters", *[0.5] * 9),))
    head, row = to_text(table, width=80).splitlines()
    assert head.startswith("country ")
    assert row.startswith("a na…rs ")
