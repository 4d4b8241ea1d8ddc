"""rankgauge evaluate"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import deliver, progress, render
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.evaluation.means import Means
    from rankgauge.evaluation.scores import Scores
    from rankgauge.tables.table import Estimate, Table


@click.command()
@options.collection
@options.policy
@options.data
@click.option("--per-query", is_flag=True, help="One row per system and query instead of means.")
@click.option(
    "--save", type=click.Path(dir_okay=False), help="Keep the scores (.parquet or .csv) to come back to them."
)
@click.option(
    "--interval",
    type=click.Choice(["t", "bootstrap"]),
    help="Show the interval of each mean. [json has it always, by t]",
)
@click.option(
    "--confidence", type=click.FloatRange(0.5, 0.999), default=0.95, show_default=True, help="Level of intervals."
)
@options.seed
@click.option(
    "--means-only", is_flag=True, help="Bring back means alone, for more queries than this machine should hold."
)
@click.option(
    "--engine",
    type=click.Choice(["local", "spark"]),
    default="local",
    show_default=True,
    help="Work in this process, or by Spark on Parquet tables (paths as Spark knows them).",
)
@click.option("--buckets", type=click.IntRange(min=1), help="Spark: parts to cut the queries into.")
@options.output("trec")
def evaluate(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Score runs against judgments: the mean of each measure, or one value per query."""
    from rankgauge.cli import trec_format
    from rankgauge.evaluation.means import Means

    _check(chosen)
    asked = trec_format.request(measures, chosen["like"]) if chosen["form"] == "trec" else None
    options.read_once(judgments, *runs, chosen["only"], chosen["queries"])
    judged, listed = _tables(judgments, runs, chosen)
    scores = _evaluated(judged, listed, asked.measures if asked else measures or "nDCG@10", chosen)
    if isinstance(scores, Means):
        return _deliver(scores.table(), scores.to_dict, chosen)
    if chosen["save"]:
        scores.save(chosen["save"])
    if asked:
        tags = scores.systems if chosen["engine"] == "spark" else [trec_format.tag_of(run) for run in listed]
        places = 4 if chosen["decimals"] is None else chosen["decimals"]
        text = trec_format.render(scores, asked, tags, per_query=chosen["per_query"], decimals=places)
        return deliver(text, chosen["output"])
    table = scores.query_table() if chosen["per_query"] else scores.table()
    if chosen["interval"] and not chosen["per_query"]:
        table = _with_intervals(table, scores, chosen)
    return _deliver(table, lambda: _data(scores, chosen), chosen)


def _evaluated(judged: Any, listed: Any, measures: Any, chosen: dict[str, Any]) -> Scores | Means:
    from rankgauge.evaluation.evaluate import evaluate as evaluate_runs

    policy = options.policy_from(chosen)
    selection = options.selection_from(chosen)
    shown = not (chosen["quiet"] or chosen["no_progress"]) and chosen["engine"] == "local"
    with progress("evaluating", shown=shown and len(listed) > 1) as report:
        scores: Scores | Means = evaluate_runs(  # type: ignore[call-overload]
            judged,
            listed,
            measures,
            policy=policy,
            like=chosen["like"],
            only=selection.only,
            weights=selection.weights,
            memory=chosen["memory"],
            progress=report,
            buckets=chosen["buckets"],
            per_query=not chosen["means_only"],
        )
    return scores


def _intervals(scores: Scores, chosen: dict[str, Any]) -> dict[str, dict[str, Estimate]]:
    method = chosen["interval"] or "t"
    return scores.intervals(confidence=chosen["confidence"], method=method, seed=chosen["seed"])


def _with_intervals(table: Table, scores: Scores, chosen: dict[str, Any]) -> Table:
    """Every mean becomes a mean with its interval."""
    found = _intervals(scores, chosen)
    names = [column.name for column in table.columns]
    rows = tuple(
        tuple(found[str(row[0])].get(name, cell) for name, cell in zip(names, row, strict=True)) for row in table.rows
    )
    note = f"in brackets: {chosen['confidence']:.0%} intervals of the mean over queries ({chosen['interval']})"
    return replace(table, rows=rows, notes=(note, *table.notes))


def _data(scores: Scores, chosen: dict[str, Any]) -> dict[str, Any]:
    data = scores.to_dict(per_query=chosen["per_query"])
    found = _intervals(scores, chosen)
    sides = {
        side: {system: {name: getattr(one, side) for name, one in row.items()} for system, row in found.items()}
        for side in ("low", "high")
    }
    return {**data, **sides, "confidence": chosen["confidence"], "interval": chosen["interval"] or "t"}


def _check(chosen: dict[str, Any]) -> None:
    """Options that do not go together."""
    if chosen["means_only"]:
        for name in ("per_query", "save", "interval"):
            if chosen[name]:
                raise UsageError(f"--means-only keeps no value per query, which --{name.replace('_', '-')} needs")
        if chosen["form"] == "trec":
            raise UsageError("--means-only has no --format trec; choose another format")
    if chosen["engine"] == "spark":
        if chosen["duplicates"] != "error":
            raise UsageError("--duplicates is for files; keep one row per document when you write the Parquet table")
        if chosen["memory"] is not None:
            raise UsageError("--memory is for files; Spark's memory is set with spark.executor.memory")
    elif chosen["buckets"]:
        raise UsageError("--buckets is for --engine spark")


def _tables(judgments: str, runs: tuple[str, ...], chosen: dict[str, Any]) -> tuple[Any, Any]:
    if chosen["engine"] == "spark":
        from rankgauge.evaluation.spark.engine import read_parquet

        return read_parquet(judgments, [options.split_name(run) for run in runs])
    return options.judgments_from(judgments, chosen["duplicates"]), options.runs_from(runs, chosen["duplicates"])


def _deliver(table: Table, data: Callable[[], Any], chosen: dict[str, Any]) -> None:
    if chosen["quiet"]:
        table = replace(table, notes=())
    deliver(render(table, data, chosen["form"], chosen["decimals"]), chosen["output"])
