"""rankgauge exposure"""

from __future__ import annotations

from typing import Any

import click

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, input_option, of
from rankgauge.cli.output import present


@command(
    "rankgauge exposure runs/*.trec --history judgments.qrels",
    "rankgauge exposure runs/*.trec --items items.csv --features topics",
)
@click.argument("runs", nargs=-1, required=True, metavar="RUN...")
@input_option("--history FILE", "Items that each user already knew, in any form of judgments; needed for novelty.")
@input_option("--items FILE", "The catalog: a file with a column of item ids.")
@input_option(
    "--features COLUMN",
    "Column of --items with categories, as in Drama|Comedy, or vectors; needed for the similarity within lists.",
)
@input_option("--cutoff", "Number of items that users see.", of(verbs.exposure, "cutoff"), default=10)
@options.columns
@options.duplicates
@options.names
@options.confidence
@options.output()
def exposure(runs: tuple[str, ...], **chosen: Any) -> None:
    """Measure what recommendations show: coverage, bias and novelty.

    Coverage of the catalog and the Gini index (popularity bias) belong to a whole run; novelty and the similarity within
    a list are means over users, with intervals.
    """
    inputs.read_once(*runs, chosen["history"], chosen["items"])
    history = None if chosen["history"] is None else inputs.judgments_from(chosen["history"], chosen)
    given = options.picked(chosen, "items", "features", "cutoff", "confidence")
    present(rankgauge.exposure(inputs.runs_from(runs, chosen), history=history, **given), chosen)
