"""rankgauge explain"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import rankgauge
from rankgauge.cli import inputs, options
from rankgauge.cli.commands.measures import spellings
from rankgauge.cli.help import command, input_option
from rankgauge.cli.output import present
from rankgauge.errors import UsageError
from rankgauge.tables.table import Column, Table

if TYPE_CHECKING:
    from rankgauge.measures.other_names import Description, OptionText

_WIDEST = 100


@command(
    'rankgauge explain "nDCG(gain=exp)@20"',
    "rankgauge explain nDCG@10 --like lightgbm",
    "rankgauge explain nDCG@3 --judgments judgments.qrels --run runs/system-01.trec --query q02",
    "rankgauge explain nDCG@10 --judgments judgments.qrels --run runs/system-01.trec --versus RR@10",
)
@options.measure
@input_option("--judgments FILE", "Judgments; with --run and --query, explain one value rank by rank.")
@options.run
@input_option("--query ID", "Id of the query; without it, --versus is summed up over all queries.")
@input_option("--versus OTHER", "Contrast with another measure, a policy (ties=mean), a tool (sklearn) or another run.")
@options.policy
@options.plot
@options.output()
def explain(measure: str, **chosen: Any) -> None:
    """Explain a measure, or one of its values rank by rank.

    With --like: what that tool does otherwise than rankgauge.
    With --versus but without --query: where and why the two differ, over all queries of the run.
    """
    if any(chosen[name] for name in ("judgments", "run", "query", "versus", "plot")):
        return _explain_query(measure, chosen)
    unused = (*options.POLICY, "further", "decimals")
    options.refuse(unused, "there is nothing to evaluate without --judgments, --run and --query")
    one = rankgauge.explain(measure, like=chosen["like"])
    table = Table((Column("field"), Column("text")), tuple(_rows(one)), one.measure)
    return present(one, chosen, table=table, text=lambda: _text(one))


def _rows(one: Description) -> list[tuple[str, str]]:
    rows = [
        ("tool", one.tool),
        *(("decision", f"{decision}: {words}") for decision, words in one.decisions),
        ("formula", one.formula),
        ("range", one.range),
        ("source", one.source),
        ("cutoff", one.cutoff),
        *(("option", _option(option)) for option in one.options),
        ("policy", f"{one.policy} unless you say otherwise; {one.mean}"),
        ("also read", spellings(one)),
    ]
    return [row for row in rows if row[1]]


def _option(option: OptionText) -> str:
    default = "" if option.value == option.default else f" [default {option.default}]"
    choices = f" [{'; '.join(option.choices)}]" if option.choices else ""
    return f"{option.name}={option.value}{default}: {option.words}{choices}"


def _text(one: Description) -> str:
    """A heading, a paragraph, and the facts below each other."""
    from rankgauge.tables.table import terminal_width

    width = min(_WIDEST, terminal_width())
    lines = [one.measure, one.title, "", *textwrap.wrap(one.words, width), ""]
    for name, text in _rows(one):
        lines += textwrap.wrap(text, width, initial_indent=f"{name:<10}", subsequent_indent=" " * 10)
    return "\n".join(lines)


def _explain_query(measure: str, chosen: dict[str, Any]) -> None:
    needed = ("judgments", "run") if chosen["versus"] else ("judgments", "run", "query")
    missing = [name for name in needed if not chosen[name]]
    if missing:
        raise UsageError(f"--{missing[0]} is missing: to explain a value, give --judgments, --run and --query")
    if not chosen["query"]:
        options.refuse(["plot"], "it draws one query; name it with --query")
    policy, (judged, run) = options.policy_from(chosen), inputs.tables_from(chosen)
    settings = options.picked(chosen, "versus", "like")
    found = rankgauge.explain(measure, judged, run, chosen["query"], policy=policy, **settings)
    present(found, chosen, chart=lambda: rankgauge.plot.explanation(found))
