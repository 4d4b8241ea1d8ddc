"""rankgauge holes"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import present, progress, say
from rankgauge.data.write import write_whole
from rankgauge.errors import plural
from rankgauge.tables.table import Column, Table, number

# As in the analysis; a test holds them against it.
IDEALS = ("pool", "open")
_SETTINGS = ("like", "baseline", "all_pairs", "confidence", "ideal", "max_grade")


@command(
    "rankgauge holes judgments.qrels old.trec new.trec -m nDCG@10",
    "rankgauge holes judgments.qrels runs/*.trec --baseline system-02 --next 50 -o to-judge.csv",
)
@options.collection
@options.one_measure
@options.only
@options.duplicates
@options.columns
@option("Input", "--judge", metavar="FILE", help="Another judge's labels; they improve the order of --next.")
@option(
    "Input",
    "--max-grade",
    type=float,
    metavar="GRADE",
    help="Highest grade that an unjudged document may get. [default: the largest judged one]",
)
@options.policy
@options.baseline
@option("Statistics", "--all-pairs", is_flag=True, help="Look at every pair of systems.")
@options.confidence
@option(
    "Statistics",
    "--ideal",
    type=click.Choice(IDEALS),
    default="pool",
    show_default=True,
    help="Relevant documents that nDCG knows of: judged or returned ones, or (open) any number of others, too.",
)
@option(
    "Output",
    "--next",
    "count",
    type=click.IntRange(min=1),
    help="List the documents to judge next; with --output, in that file as CSV.",
)
@options.output()
def holes(judgments: str, runs: tuple[str, ...], measure: str, **chosen: Any) -> None:
    """Find what unjudged documents could change.

    The bounds of each difference hold for every grade that the unjudged documents could get. --next lists which of them to judge.
    """
    import rankgauge

    inputs.read_once(judgments, *runs, chosen["only"], chosen["judge"])
    if chosen["count"] is None:
        options.refuse(["judge"], "it is for --next")
    judge = chosen["judge"] and inputs.judgments_from(chosen["judge"], chosen["duplicates"], chosen["columns"])
    listed = inputs.runs_from(runs, chosen["duplicates"], chosen["columns"])
    with progress("bounding", chosen) as report:
        found = rankgauge.holes(
            inputs.judgments_from(judgments, chosen["duplicates"], chosen["columns"]),
            listed,
            measure,
            policy=options.policy_from(chosen),
            only=inputs.only_from(chosen),
            judge=judge,
            progress=report,
            **{name: chosen[name] for name in _SETTINGS},
        )
    if chosen["count"] is None:
        present(found, chosen)
        return
    listed_next = found.next(chosen["count"])
    rows = tuple((one.query, one.document, one.score) for one in listed_next)
    if chosen["output"] is not None and chosen["form"] != "json":
        from rankgauge.tables.markup import to_csv

        # The ending of the file is that of the list, not of what is printed.
        form = chosen["form"] if options.is_given("form") else "table"
        write_whole(Path(chosen["output"]), to_csv(Table(_COLUMNS, rows)).encode())
        present(found, chosen | {"output": None, "form": form})
        say(f"{chosen['output']}: {plural(len(rows), 'document')} to judge, the most useful first")
        return
    if chosen["form"] not in {"json", "csv"}:
        present(found, chosen)
    caption = f"{plural(len(rows), 'document')} to judge next, the most useful first"
    table = Table(_COLUMNS, rows, "" if chosen["form"] == "csv" else caption)
    data = {**found.to_dict(), "next": [one.to_dict() for one in listed_next]}
    present(found, chosen, table=table, data=lambda: data)


_COLUMNS = (Column("query"), Column("document"), number("score"))
