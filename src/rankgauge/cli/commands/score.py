"""rankgauge score"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import deliver, render
from rankgauge.errors import UsageError


@click.command()
@options.measure
@click.argument("columns", nargs=-1, metavar="[TRUTH PREDICTED]")
@click.option("--file", "table", help="A CSV, TSV or Parquet table that holds both columns.")
@click.option("--truth", help="Column of true values.")
@click.option("--predicted", help="Column of predictions.")
@click.option("--group", help="Column that names the query or user of each row.")
@click.option("--chance", is_flag=True, help="Also what a random order would score (rankDCG).")
@options.seed
@options.policy
@options.output()
def score(measure: str, columns: tuple[str, ...], **chosen: Any) -> None:
    """How well predictions order items with known values: two files of one number a line, or two columns of a table."""
    from rankgauge.evaluation.score import score as score_lists

    options.refuse(chosen, ("depth", "missing", "unjudged"), "two columns hold every item, judged and returned")
    truth, predicted = _columns(columns, chosen)
    scored = score_lists(
        measure,
        truth,
        predicted,
        chosen["group"],
        file=chosen["table"],
        policy=options.policy_from(chosen),
        like=chosen["like"],
        details=True,
        chance=chosen["chance"],
        seed=chosen["seed"],
    )
    table = scored.table()
    if chosen["quiet"]:
        table = replace(table, notes=())
    deliver(render(table, scored.to_dict, chosen["form"], chosen["decimals"]), chosen["output"])


def _columns(columns: tuple[str, ...], chosen: dict[str, Any]) -> tuple[str, ...]:
    """Two files, or the names of two columns."""
    if chosen["table"] is None:
        options.refuse(chosen, ("truth", "predicted", "group"), "columns have names in a table only (--file)")
        if len(columns) != 2:
            raise UsageError("name two files, TRUTH and PREDICTED, or a table with --file, --truth and --predicted")
        return columns
    if columns or not (chosen["truth"] and chosen["predicted"]):
        raise UsageError("--file goes with --truth COLUMN and --predicted COLUMN, and no other files")
    return chosen["truth"], chosen["predicted"]
