"""rankgauge explore"""

from __future__ import annotations

from typing import Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import progress, say
from rankgauge.errors import UsageError, plural


@command(
    "rankgauge explore judgments.qrels runs/*.trec --queries queries.csv",
)
@options.collection
@options.one_measure
@options.duplicates
@options.only
@options.queries
@option("Input", "--documents", metavar="FILE", help="File of document ids and titles.")
@option("Input", "--weights", metavar="COLUMN", help="Weight queries by this column of --queries.")
@options.graded_policy
@options.baseline
@options.confidence
@option("Output", "--title", default="", help="Heading of the page.")
@option(
    "Output",
    "--lists",
    type=click.IntRange(0, 100),
    default=10,
    show_default=True,
    help="Number of documents to show of each ranking.",
)
@option(
    "Output",
    "--size",
    metavar="SIZE",
    default="3MB",
    show_default=True,
    help="Largest size of the file; rankings of the queries on which systems differ least are left out first.",
)
@options.output_file("File to write.", default="explorer.html", show_default=True)
@options.no_progress
def explore(judgments: str, runs: tuple[str, ...], measure: str, **chosen: Any) -> None:
    """Write one HTML page in which readers change the measure.

    The page is self-contained and needs no network access.
    """
    import rankgauge

    if chosen["weights"] is not None and chosen["queries"] is None:
        raise UsageError(f"--weights {chosen['weights']} needs --queries FILE, the file with this column")
    inputs.read_once(judgments, *runs, chosen["only"], chosen["queries"], chosen["documents"])
    listed = inputs.runs_from(runs, chosen["duplicates"])
    queries = None if chosen["queries"] is None else rankgauge.read_queries(chosen["queries"])
    with progress("evaluating", chosen) as told:
        page = rankgauge.explore(
            chosen["output"],
            inputs.judgments_from(judgments, chosen["duplicates"]),
            listed,
            measure,
            queries=queries,
            weights=queries.weights(chosen["weights"]) if queries and chosen["weights"] else None,
            policy=options.policy_from(chosen),
            only=inputs.only_from(chosen),
            progress=told,
            **{
                name: chosen[name] for name in ("documents", "lists", "size", "baseline", "confidence", "title", "like")
            },
        )
    say(f"{page}: {page.stat().st_size / 1e6:.2f} MB, {plural(len(listed), 'system')}")
