"""rankgauge sample"""

from __future__ import annotations

from typing import Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import present


@command(
    "rankgauge sample llm.qrels --queries 10 --seed 7",
    "rankgauge sample llm.qrels --queries 10 --format csv -o queries.csv",
)
@click.argument("judgments")
@option(
    "Input",
    "--queries",
    type=click.IntRange(min=1),
    required=True,
    help="Number of queries to draw for people to judge.",
)
@options.duplicates
@options.columns
@options.seed
@options.output(decimals=False)
def sample(judgments: str, **chosen: Any) -> None:
    """Draw queries at random for people to judge.

    JUDGMENTS are mostly a machine's. --format csv is a list that --only reads. Whole queries are drawn, not single documents: `holes --next` lists documents.
    """
    import rankgauge

    judged = inputs.judgments_from(judgments, chosen["duplicates"], chosen["columns"])
    present(rankgauge.sample(judged, queries=chosen["queries"], seed=chosen["seed"]), chosen)
