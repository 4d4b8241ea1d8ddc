"""rankgauge score"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import deliver, render
from rankgauge.errors import UsageError


@command(
    "rankgauge score rankDCG truth.csv predicted.csv --chance",
    "rankgauge score nDCG@10 --file clicks.csv --truth clicks --predicted model --group user",
)
@options.measure
@click.argument("columns", nargs=-1, metavar="[TRUTH PREDICTED]")
@option("Input", "--file", "table", metavar="FILE", help="Table with both columns, instead of two files.")
@option("Input", "--truth", metavar="COLUMN", help="Column of true values.")
@option("Input", "--predicted", metavar="COLUMN", help="Column of predictions.")
@option("Input", "--group", metavar="COLUMN", help="Column with the query or user of each row.")
@options.ties
@options.undefined
@options.rel
@options.like
@option("Statistics", "--chance", is_flag=True, help="Add what a random order would score (rankDCG).")
@options.seed
@options.output()
def score(measure: str, columns: tuple[str, ...], **chosen: Any) -> None:
    """Score how well predictions order items with known values.

    TRUTH and PREDICTED are files with one number per line; --file reads two columns of one table instead.
    """
    from rankgauge.evaluation.score import score_groups

    if not chosen["chance"]:
        options.refuse(["seed"], "only --chance draws random numbers")
    if chosen["table"] is None:
        options.refuse(("truth", "predicted", "group"), "it names a column of the table given with --file")
    truth, predicted, groups = _columns(columns, chosen)
    policy = options.policy_from(chosen)
    scores = score_groups(measure, truth, predicted, groups, policy=policy, like=chosen["like"])
    name = str(scores.measures[0])
    value = scores.mean()["predicted"][name]
    data: dict[str, Any] = {"measure": name, "value": value, "items": len(truth), "ties": scores.ties_of()[name]}
    if scores.notes:
        data["notes"] = [note.to_dict() for note in scores.notes]
    if groups is not None:
        data["mean"] = value
        data["per_group"] = {group: found.get(name) for group, found in scores.per_query()["predicted"].items()}
    if chosen["chance"]:
        data["chance"] = _chance(name, truth, predicted, groups, scores.ties_of()[name], chosen["seed"])
    table = _table(data)
    if chosen["quiet"]:
        table = replace(table, notes=())
    deliver(render(table, lambda: data, chosen["form"], chosen["decimals"]), chosen["output"])


def _columns(columns: tuple[str, ...], chosen: dict[str, Any]) -> tuple[list[float], list[float], list[str] | None]:
    from rankgauge.data.number_columns import number_column, only_column, read_table, text_column

    if chosen["table"] is None:
        if len(columns) != 2:
            raise UsageError("give two files, TRUTH and PREDICTED, or a table with --file, --truth and --predicted")
        return only_column(columns[0]), only_column(columns[1]), None
    if columns or not (chosen["truth"] and chosen["predicted"]):
        raise UsageError("--file needs --truth COLUMN and --predicted COLUMN, and no other files")
    frame = read_table(chosen["table"])
    truth, predicted = (number_column(frame, chosen[name], chosen["table"]) for name in ("truth", "predicted"))
    groups = text_column(frame, chosen["group"], chosen["table"]).to_list() if chosen["group"] else None
    return truth, predicted, groups


def _chance(
    name: str, truth: list[float], predicted: list[float], groups: list[str] | None, ties: str, seed: int
) -> dict[str, Any]:
    from rankgauge.analysis.chance import chance
    from rankgauge.measures import parse

    measure = parse(name)
    if measure.definition.name != "rankDCG" or groups is not None:
        raise UsageError("--chance is for rankDCG of one list")
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    return chance(truth, predicted, cutoff=cutoff, ties=ties, seed=seed).to_dict()  # type: ignore[arg-type]


def _table(data: dict[str, Any]) -> Any:
    from rankgauge.errors import plural
    from rankgauge.tables.table import Column, Table, number

    notes = [f"{plural(data['items'], 'item')}; ties={data['ties']}"]
    notes += [note["text"] for note in data.get("notes", ())]
    if "chance" in data:
        notes.append(_against_chance(data["chance"]))
    if "per_group" in data:
        rows = tuple((group, value) for group, value in data["per_group"].items())
        return Table((Column("group"), number(data["measure"])), rows, f"mean {data['value']:.4f}", tuple(notes))
    return Table((Column("measure"), number("value")), ((data["measure"], data["value"]),), "", tuple(notes))


def _against_chance(found: dict[str, Any]) -> str:
    if found["p"] is None:
        return "chance: nothing to order, so nothing to compare with"
    kind = (
        f"exact, {found['deals']:,} outcomes"
        if found["method"] == "exact"
        else f"{found['deals']:,} deals, seed {found['seed']}"
    )
    adjusted = "" if found["adjusted"] is None else f"; adjusted for chance {found['adjusted']:.4f}"
    return (
        f"chance: these predictions dealt at random expect {found['expected']:.4f} "
        f"(standard deviation {found['standard_deviation']:.4f}){adjusted}; p = {found['p']:.4f} ({kind})"
    )
