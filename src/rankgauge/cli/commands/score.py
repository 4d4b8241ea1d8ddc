"""rankgauge score"""

from __future__ import annotations

from typing import Any

import click

import rankgauge
from rankgauge.cli import options
from rankgauge.cli.help import command, input_option, statistics_option
from rankgauge.cli.output import present
from rankgauge.errors import UsageError


@command(
    "rankgauge score rankDCG truth.csv predicted.csv --chance",
    "rankgauge score nDCG@10 --file clicks.csv --truth clicks --predicted model --group user",
    "rankgauge score 'rankDCG tau_b' --file clicks.csv --truth clicks --predicted model --predicted other --group user",
)
@options.measure
@click.argument("columns", nargs=-1, metavar="[TRUTH PREDICTED]")
@input_option("--file FILE", "Table with both columns, instead of two files.", into="table")
@input_option("--truth COLUMN", "Column of true values.")
@input_option("--predicted COLUMN", "Column of predictions. Repeat for several.", multiple=True)
@input_option("--group COLUMN", "Column with the query or user of each row.")
@options.ties
@options.undefined
@options.rel
@options.like
@options.further
@statistics_option("--chance", "Add what a random order would score (rankDCG).", bool)
@options.seed
@options.output()
def score(measure: str, columns: tuple[str, ...], **chosen: Any) -> None:
    """Score how well predictions order items with known values.

    TRUTH and PREDICTED are files with one number per line; --file reads columns of one table instead. MEASURE may list
    several, also tau_b, rho and exact_AP, which only score knows. Several columns are tested against the first, paired
    over groups.
    """
    if not chosen["chance"] and len(chosen["predicted"]) < 2:
        options.refuse(["seed"], "only --chance draws random numbers, and tests between several columns")
    found = rankgauge.score(
        measure,
        *_columns(columns, chosen),
        chosen["group"],
        file=chosen["table"],
        policy=options.policy_from(chosen),
        details=True,
        **options.picked(chosen, "like", "chance", "seed"),
    )
    present(found, chosen)


def _columns(files: tuple[str, ...], chosen: dict[str, Any]) -> tuple[str, Any]:
    """Two files, or the names of columns."""
    if chosen["table"] is None:
        options.refuse(("truth", "predicted", "group"), "it names a column of the table given with --file")
        if len(files) != 2:
            raise UsageError("give two files, TRUTH and PREDICTED, or a table with --file, --truth and --predicted")
        return files[0], files[1]
    if files or not (chosen["truth"] and chosen["predicted"]):
        raise UsageError("--file needs --truth COLUMN and --predicted COLUMN, and no other files")
    predicted = chosen["predicted"]
    return chosen["truth"], predicted[0] if len(predicted) == 1 else list(predicted)
