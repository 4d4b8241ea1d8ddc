"""rankgauge explore"""

from __future__ import annotations

from typing import Any

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, of, output_option
from rankgauge.cli.output import progress, say
from rankgauge.errors import plural


@command(
    "rankgauge explore judgments.qrels runs/*.trec --queries queries.csv",
)
@options.collection
@options.one_measure
@options.duplicates
@options.only
@options.queries
@options.documents
@options.weights
@options.graded_policy
@options.baseline("the page opens with the two best systems")
@options.confidence
@options.title
@output_option("--lists", "Number of documents to show of each ranking.", of(verbs.explore, "lists"), default=10)
@output_option(
    "--size SIZE",
    "Largest size of the file; rankings of the queries on which systems differ least are left out first.",
    default="3MB",
)
@options.output_file("File to write.", default="explorer.html", show_default=True)
@options.no_progress
def explore(measure: str, **chosen: Any) -> None:
    """Write one HTML page in which readers change the measure.

    The page is self-contained and needs no network access.
    """
    options.need_queries(chosen, "weights")
    judged, runs = inputs.tables_from(chosen)
    queries = None if chosen["queries"] is None else rankgauge.read_queries(chosen["queries"])
    with progress("evaluating", chosen) as told:
        page = rankgauge.explore(
            chosen["output"],
            judged,
            runs,
            measure,
            queries=queries,
            weights=queries.weights(chosen["weights"]) if queries and chosen["weights"] else None,
            progress=told,
            **inputs.decisions_from(chosen),
            **options.picked(chosen, "documents", "lists", "size", "baseline", "confidence", "title"),
        )
    say(f"{page}: {page.stat().st_size / 1e6:.1f} MB, {plural(len(runs), 'system')}")
