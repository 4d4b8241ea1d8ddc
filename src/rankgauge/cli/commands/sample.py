"""rankgauge sample"""

from __future__ import annotations

from typing import Any

import click

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, input_option, of
from rankgauge.cli.output import present


@command(
    "rankgauge sample llm.qrels --queries 10 --seed 7",
    "rankgauge sample llm.qrels --queries 10 --format csv -o queries.csv",
)
@click.argument("judgments")
@input_option("--queries", "Number of queries to draw for people to judge.", of(verbs.sample, "queries"), required=True)
@options.duplicates
@options.columns
@options.seed
@options.output(decimals=False)
def sample(judgments: str, **chosen: Any) -> None:
    """Draw queries at random for people to judge.

    JUDGMENTS usually come from a machine, such as an LLM. --format csv writes a list that --only reads. Whole queries
    are drawn, not single documents: `holes --next` lists documents.
    """
    judged = inputs.judgments_from(judgments, chosen)
    present(rankgauge.sample(judged, **options.picked(chosen, "queries", "seed")), chosen)
