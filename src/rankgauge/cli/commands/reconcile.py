"""rankgauge reconcile"""

from __future__ import annotations

from typing import Any

import click

import rankgauge
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, input_option
from rankgauge.cli.output import present, progress
from rankgauge.errors import UsageError


@command(
    "rankgauge reconcile 0.7812 --judgments judgments.qrels --run runs/system-01.trec",
    "rankgauge reconcile 0.7812 --judgments judgments.qrels --run runs/system-01.trec -m nDCG@10 --second nDCG@5=0.7511",
)
@click.argument("value")
@input_option("--judgments FILE", "Judgments.")
@options.run
@options.one_measure
@input_option(
    "--second MEASURE=VALUE", "Another number of the same tool, as in nDCG@5=0.7511. Repeatable.", multiple=True
)
@input_option("--per-query FILE", "Values of single queries: lines of query and value.")
@options.output()
def reconcile(value: str, measure: str, **chosen: Any) -> None:
    """Find out which tool's conventions give a number.

    VALUE is the number as printed; the more digits, the fewer conventions fit.
    """
    for name in ("judgments", "run"):
        if not chosen[name]:
            raise UsageError(f"--{name} is missing: give the data that the number was computed from")
    second, per_query = list(chosen["second"]) or None, chosen["per_query"]
    with progress("trying conventions", chosen) as report:
        tables = inputs.tables_from(chosen)
        found = rankgauge.reconcile(value, *tables, measure, second=second, per_query=per_query, progress=report)
    present(found, chosen)
