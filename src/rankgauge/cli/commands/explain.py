"""rankgauge explain"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.commands.measures import spellings
from rankgauge.cli.output import check_plot, deliver, present, render
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.data.run import Run
    from rankgauge.evaluation.explanation import Contrast, Explanation
    from rankgauge.measures.describe import Description
    from rankgauge.tables.table import Table


_WIDEST = 100


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
        return explain_query(measure, chosen)
    policy = ("ties", "unjudged", "missing", "undefined", "depth", "rel", "like")
    options.refuse(chosen, policy, "without --judgments, --run and --query there is nothing to evaluate")
    one = describe(parse(measure))
    if chosen["form"] == "table":
        return deliver(to_text(one), chosen["output"])
    return deliver(render(_fields(one), one.to_dict, chosen["form"], chosen["decimals"]), chosen["output"])


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
        ("also read", spellings(one)),
    ]
    return [row for row in rows if row[1]]


def _option(one: Description, at: int) -> str:
    option = one.options[at]
    default = "" if option.value == option.default else f" [default {option.default}]"
    choices = f" [{'; '.join(option.choices)}]" if option.choices else ""
    return f"{option.name}={option.value}{default}: {option.words}{choices}"


def to_text(one: Description) -> str:
    """A heading, a paragraph, and the facts below each other."""
    from rankgauge.tables.text import terminal_width

    width = min(_WIDEST, terminal_width())
    lines = [one.measure, one.title, "", *textwrap.wrap(one.words, width), ""]
    for name, text in _rows(one):
        lines += textwrap.wrap(text, width, initial_indent=f"{name:<10}", subsequent_indent=" " * 10)
    return "\n".join(lines) + "\n"


def explain_query(measure: str, chosen: dict[str, Any]) -> None:
    from rankgauge.evaluation.explain import explain

    missing = [name for name in ("judgments", "run", "query") if not chosen[name]]
    if missing:
        raise UsageError(f"--{missing[0]} is missing: an explanation of a query needs --judgments, --run and --query")
    check_plot(chosen)
    result = explain(
        measure,
        options.judgments_from(chosen["judgments"]),
        _one_run(chosen["run"]),
        chosen["query"],
        versus=chosen["versus"],
        policy=options.policy_from(chosen),
        like=chosen["like"],
    )
    present(result.table(), result.to_dict, chosen, lambda: _chart(result))


def _chart(result: Explanation | Contrast) -> Any:
    from rankgauge.presentation.charts.explanation import explanation_chart

    return explanation_chart(result)


def _one_run(argument: str) -> Run:
    found = options.runs_from((argument,))
    if len(found) > 1:
        names = ", ".join(run.name for run in found[:5]) + (", …" if len(found) > 5 else "")
        raise UsageError(f"{argument} holds {len(found):,} runs: {names}\nName one, as in {argument}:{found[0].name}.")
    return found[0]
