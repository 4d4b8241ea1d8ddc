"""rankgauge explain"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from rankgauge.cli import inputs, options
from rankgauge.cli.commands.measures import spellings
from rankgauge.cli.help import command, option
from rankgauge.cli.output import check_plot, deliver, present, render
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.measures.description import Description
    from rankgauge.tables.table import Table


_WIDEST = 100


@command(
    'rankgauge explain "nDCG(gain=exp)@20"',
    "rankgauge explain nDCG@3 --judgments judgments.qrels --run runs/system-01.trec --query q02",
    "rankgauge explain nDCG@10 --judgments judgments.qrels --run runs/system-01.trec --versus RR@10",
)
@options.measure
@option(
    "Input", "--judgments", metavar="FILE", help="Judgments; with --run and --query, explain one value rank by rank."
)
@option("Input", "--run", metavar="FILE", help="Run, as a path or NAME=PATH.")
@option("Input", "--query", metavar="ID", help="Id of the query; without it, --versus is summed up over all queries.")
@option(
    "Input",
    "--versus",
    metavar="OTHER",
    help="Contrast with another measure, a policy (ties=mean), a tool (sklearn) or another run.",
)
@options.policy
@options.plot
@options.output()
def explain(measure: str, **chosen: Any) -> None:
    """Explain a measure, or one of its values rank by rank.

    With --versus but without --query: where and why the two part, over all queries of the run.
    """
    from rankgauge import measures

    if any(chosen[name] for name in ("judgments", "run", "query", "versus", "plot")):
        return explain_query(measure, chosen)
    unused = (*options.POLICY, "further", "like", "decimals")
    options.refuse(unused, "there is nothing to evaluate without --judgments, --run and --query")
    one = measures.describe(measure)
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
    import rankgauge

    needed = ("judgments", "run") if chosen["versus"] else ("judgments", "run", "query")
    missing = [name for name in needed if not chosen[name]]
    if missing:
        raise UsageError(f"--{missing[0]} is missing: to explain a value, give --judgments, --run and --query")
    if not chosen["query"]:
        options.refuse(["plot"], "it draws one query; name it with --query")
    check_plot(chosen)
    inputs.read_once(chosen["judgments"], chosen["run"])
    found = rankgauge.explain(
        measure,
        inputs.judgments_from(chosen["judgments"]),
        inputs.runs_from((chosen["run"],)),
        chosen["query"],
        versus=chosen["versus"],
        policy=options.policy_from(chosen),
        like=chosen["like"],
    )
    present(found, chosen, chart=lambda: rankgauge.plot.explanation(found))
