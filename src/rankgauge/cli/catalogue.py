"""rankgauge measures, rankgauge explain"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import deliver, render

if TYPE_CHECKING:
    from rankgauge.measures.describe import Description
    from rankgauge.tables.table import Table

_WIDEST = 100


@click.command()
@options.output()
def measures(**chosen: Any) -> None:
    """List the measures; `rankgauge explain MEASURE` says more about one of them."""
    from rankgauge.measures.catalogue import DEFINITIONS
    from rankgauge.measures.describe import describe
    from rankgauge.measures.measure import Measure

    listed = [describe(Measure(definition)) for definition in DEFINITIONS]
    table = _list(listed, brief=chosen["form"] == "table")
    data = {"measures": [one.to_dict() for one in listed]}
    deliver(render(table, lambda: data, chosen["form"], chosen["decimals"]), chosen["output"])


@click.command()
@options.measure
@click.option("--judgments", help="With --run and --query: show how the value of one query comes about, rank by rank.")
@click.option("--run", help="A run, as a path or NAME=PATH.")
@click.option("--query", help="The id of a query.")
@click.option(
    "--versus", help="Contrast with another measure, a policy (ties=mean), a preset (sklearn) or another run."
)
@click.option("--plot", type=click.Path(dir_okay=False), help="Draw it: .svg, .png or .json.")
@options.policy
@options.output()
def explain(measure: str, **chosen: Any) -> None:
    """Say what a measure is; with data, show the sum behind one query rank by rank."""
    from rankgauge.measures.describe import describe
    from rankgauge.measures.grammar import parse

    if any(chosen[name] for name in ("judgments", "run", "query", "versus", "plot")):
        from rankgauge.cli.explain_query import explain_query

        return explain_query(measure, chosen)
    policy = ("ties", "unjudged", "missing", "undefined", "depth", "rel", "like")
    options.refuse(chosen, policy, "without --judgments, --run and --query there is nothing to evaluate")
    one = describe(parse(measure))
    if chosen["form"] == "table":
        return deliver(to_text(one), chosen["output"])
    return deliver(render(_fields(one), one.to_dict, chosen["form"], chosen["decimals"]), chosen["output"])


def _list(listed: list[Description], *, brief: bool) -> Table:
    from rankgauge.tables.table import Column, Table

    caption = f"{len(listed)} measures"
    if brief:
        titles = tuple((one.form, one.title) for one in listed)
        return Table((Column("measure"), Column("what it is")), titles, caption)
    names = ("measure", "what it is", "range", "source", "also read")
    rows = tuple((one.form, one.title, one.range, one.source, _spellings(one)) for one in listed)
    return Table(tuple(map(Column, names)), rows, caption)


def _fields(one: Description) -> Table:
    from rankgauge.tables.table import Column, Table

    return Table((Column("field"), Column("text")), tuple(_rows(one)), one.measure)


def _rows(one: Description) -> list[tuple[str, str]]:
    rows = [
        ("formula", one.formula),
        ("range", one.range),
        ("source", one.source),
        ("cutoff", one.cutoff),
        *(("option", _option(one, at)) for at in range(len(one.options))),
        ("policy", f"{one.policy} unless you say otherwise; {one.mean}"),
        ("also read", _spellings(one)),
    ]
    return [row for row in rows if row[1]]


def _option(one: Description, at: int) -> str:
    option = one.options[at]
    default = "" if option.value == option.default else f" [default {option.default}]"
    choices = f" [{'; '.join(option.choices)}]" if option.choices else ""
    return f"{option.name}={option.value}{default}: {option.words}{choices}"


def _spellings(one: Description) -> str:
    return ", ".join(f"{name} as {canonical}" for name, canonical in one.spellings)


def to_text(one: Description) -> str:
    """A heading, a paragraph, and the facts below each other."""
    from rankgauge.tables.plain import terminal_width

    width = min(_WIDEST, terminal_width())
    lines = [one.measure, one.title, "", *textwrap.wrap(one.words, width), ""]
    for name, text in _rows(one):
        lines += textwrap.wrap(text, width, initial_indent=f"{name:<10}", subsequent_indent=" " * 10)
    return "\n".join(lines) + "\n"
