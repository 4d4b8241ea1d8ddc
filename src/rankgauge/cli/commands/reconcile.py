"""rankgauge reconcile"""

from __future__ import annotations

from typing import Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import present
from rankgauge.errors import UsageError


@command(
    "rankgauge reconcile 0.7812 --judgments judgments.qrels --run runs/system-01.trec",
    "rankgauge reconcile 0.7812 --judgments judgments.qrels --run runs/system-01.trec -m nDCG@10 --second nDCG@5=0.7511",
)
@click.argument("value")
@option("Input", "--judgments", metavar="FILE", help="Judgments.")
@option("Input", "--run", metavar="FILE", help="Run, as a path or NAME=PATH.")
@options.one_measure
@option(
    "Input",
    "--second",
    multiple=True,
    metavar="MEASURE=VALUE",
    help="Another number of the same tool, as in nDCG@5=0.7511. Repeatable.",
)
@option("Input", "--per-query", metavar="FILE", help="Values of single queries: lines of query and value.")
@options.output()
def reconcile(value: str, measure: str, **chosen: Any) -> None:
    """Find out which tool's conventions give a number.

    VALUE is the number as it was printed: more digits tell more conventions apart.
    """
    import rankgauge

    for name in ("judgments", "run"):
        if not chosen[name]:
            raise UsageError(f"--{name} is missing: give the data that the number was computed from")
    inputs.read_once(chosen["judgments"], chosen["run"])
    found = rankgauge.reconcile(
        value,
        inputs.judgments_from(chosen["judgments"]),
        inputs.runs_from((chosen["run"],)),
        measure,
        second=list(chosen["second"]) or None,
        per_query=chosen["per_query"],
    )
    present(found, chosen)
