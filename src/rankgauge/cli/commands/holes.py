"""rankgauge holes"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.help import at_least, command, input_option, of, output_option, statistics_option
from rankgauge.cli.output import present, progress, say
from rankgauge.data.write import write_whole
from rankgauge.errors import plural
from rankgauge.tables.table import Column, Table, number

if TYPE_CHECKING:
    from rankgauge.results import Holes

_COLUMNS = (Column("query"), Column("document"), number("score"))


@command(
    "rankgauge holes judgments.qrels old.trec new.trec -m nDCG@10",
    "rankgauge holes judgments.qrels runs/*.trec --baseline system-02 --next 50 -o to-judge.csv",
)
@options.collection
@options.one_measure
@options.only
@options.duplicates
@options.columns
@input_option("--judge FILE", "Another judge's labels; they improve the order of --next.")
@input_option(
    "--max-grade GRADE", "Highest grade that an unjudged document may get. [default: the largest judged one]", float
)
@options.policy
@options.baseline()
@statistics_option("--all-pairs", "Look at every pair of systems.", bool)
@options.confidence
@statistics_option(
    "--ideal",
    "Relevant documents that nDCG knows of: judged or returned ones, or (open) any number of others, too.",
    of(verbs.holes, "ideal"),
    default="pool",
)
@output_option(
    "--next", "List the documents to judge next; with --output, in that file as CSV.", at_least(1), into="count"
)
@options.output()
def holes(measure: str, **chosen: Any) -> None:
    """Find what unjudged documents could change.

    The bounds of each difference hold for every grade that the unjudged documents could get. --next lists which of them to judge.
    """
    if chosen["count"] is None:
        options.refuse(["judge"], "it is for --next")
    judged, runs = inputs.tables_from(chosen)
    with progress("bounding", chosen) as report:
        found = rankgauge.holes(
            judged,
            runs,
            measure,
            judge=inputs.judge_from(chosen),
            progress=report,
            **inputs.decisions_from(chosen),
            **options.picked(chosen, "baseline", "all_pairs", "confidence", "ideal", "max_grade"),
        )
    if chosen["count"] is None:
        present(found, chosen)
    else:
        _with_next(found, chosen)


def _with_next(found: Holes, chosen: dict[str, Any]) -> None:
    """The result, then the documents to judge; a file gets these alone."""
    listed = found.next(chosen["count"])
    caption = f"{plural(len(listed), 'document')} to judge next, the most useful first"
    table = Table(_COLUMNS, tuple((one.query, one.document, one.score) for one in listed), caption)
    if chosen["output"] is not None and chosen["form"] != "json":
        from rankgauge.tables.table import to_csv

        # The ending of the file is that of the list, not of what is printed.
        form = chosen["form"] if options.is_given("form") else "table"
        write_whole(Path(chosen["output"]), to_csv(table).encode())
        present(found, chosen | {"output": None, "form": form})
        say(f"{chosen['output']}: {plural(len(listed), 'document')} to judge, the most useful first")
        return
    if chosen["form"] not in {"json", "csv"}:
        present(found, chosen)
    data = {**found.to_dict(), "next": [one.to_dict() for one in listed]}
    present(found, chosen, table=table, data=lambda: data)
