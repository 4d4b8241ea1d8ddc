"""rankgauge evaluate"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import rankgauge
from rankgauge.cli import inputs, options
from rankgauge.cli.help import FILE, at_least, command, input_option, output_option, statistics_option
from rankgauge.cli.output import deliver, present, progress
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.evaluation.scores import Scores
    from rankgauge.tables.table import Estimate, Table


@command(
    'rankgauge evaluate judgments.qrels runs/*.trec -m "nDCG@10 AP"',
    "rankgauge evaluate judgments.qrels runs/*.trec --save scores.parquet",
)
@options.collection
@options.measures
@options.columns
@options.complete
@options.names
@options.group_sizes
@options.duplicates
@options.only
@options.queries
@input_option("--by COLUMN", "Print means for each value of this column of --queries.")
@options.weights
@input_option("--memory SIZE", "Memory to aim for, for judgments and large runs together, as in 300MB.")
@input_option(
    "--engine",
    "Evaluate in this process, or with Spark on Parquet tables (paths as Spark knows them).",
    ("local", "spark"),
    default="local",
)
@input_option("--buckets", "Number of parts that Spark cuts the queries into.", at_least(1))
@options.policy
@statistics_option("--interval", "Add confidence intervals. JSON always includes t intervals.", ("t", "bootstrap"))
@options.confidence
@options.seed
@output_option("--median", "Add the median over queries beside each mean. JSON always has it.", bool)
@output_option("--per-query", "Print one row per system and query instead of means.", bool)
@output_option("--means-only", "Keep means only, for more queries than this machine can hold.", bool)
@output_option("--save", "Save the scores (.parquet or .csv); load them later with --scores.", FILE)
@options.output("trec")
def evaluate(measures: tuple[str, ...], **chosen: Any) -> None:
    """Score runs against judgments: means, or one value per query."""
    from rankgauge.cli import trec_format

    _check(chosen)
    asked = trec_format.request(measures, chosen["like"]) if chosen["form"] == "trec" else None
    judged, listed = _read_by_spark(chosen) if chosen["engine"] == "spark" else inputs.tables_from(chosen)
    with progress("evaluating", chosen) as report:
        scores: Any = rankgauge.evaluate(
            judged,
            listed,
            asked.measures if asked else measures or "nDCG@10",
            weights=inputs.weights_from(chosen),
            progress=report if chosen["engine"] == "local" else None,
            **inputs.decisions_from(chosen),
            **options.picked(chosen, "memory", "buckets") | {"per_query": not chosen["means_only"]},
        )
    if chosen["means_only"]:
        return present(scores, chosen)
    if chosen["save"]:
        scores.save(chosen["save"])
    if chosen["by"] is not None:
        return present(scores.by(chosen["queries"], chosen["by"]), chosen)
    if asked:
        tags = scores.systems if chosen["engine"] == "spark" else [trec_format.tag_of(run) for run in listed]
        places = 4 if chosen["decimals"] is None else chosen["decimals"]
        text = trec_format.render(scores, asked, tags, per_query=chosen["per_query"], decimals=places)
        return deliver(text, chosen["output"])
    from rankgauge.evaluation.means import query_table

    table = query_table(scores) if chosen["per_query"] else scores.table(median=chosen["median"])
    if chosen["interval"] and not chosen["per_query"]:
        table = _with_intervals(table, scores, chosen)
    return present(scores, chosen, table=table, data=lambda: _data(scores, chosen))


def _intervals(scores: Scores, chosen: dict[str, Any]) -> dict[str, dict[str, Estimate]]:
    return scores.intervals(confidence=chosen["confidence"], method=chosen["interval"] or "t", seed=chosen["seed"])


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
        options.refuse(
            ["median", "per_query", "save", "interval", "confidence", "seed"], "--means-only keeps no value per query"
        )
        if chosen["form"] == "trec":
            raise UsageError("--format trec has no --means-only; choose another format")
    if chosen["engine"] == "spark":
        options.refuse(["duplicates"], "Spark reads tables; keep one row per document when you write them")
        options.refuse(
            ["complete", "names", "columns", "group_sizes"], "it is about judgments and runs that this process reads"
        )
        options.refuse(["memory"], "Spark has its own setting, spark.executor.memory")
    else:
        options.refuse(["buckets"], "it is for --engine spark")
    _check_columns(chosen)
    _check_intervals(chosen)


def _check_columns(chosen: dict[str, Any]) -> None:
    """What is said about queries in a file of their own."""
    if not options.need_queries(chosen, "weights", "by"):
        options.refuse(["queries"], "only --weights and --by use it")
    if chosen["by"] is not None:
        shown = ["per_query", "interval", "confidence", "seed", "means_only"]
        options.refuse(shown, "--by prints means with 95% t intervals")
        if chosen["form"] == "trec":
            raise UsageError("--format trec has no --by; choose another format")


def _check_intervals(chosen: dict[str, Any]) -> None:
    if chosen["interval"] != "bootstrap":
        options.refuse(["seed"], "only --interval bootstrap draws random numbers")
    if chosen["form"] == "trec":
        options.refuse(["interval", "confidence"], "--format trec has no intervals")
        options.refuse(["median"], "--format trec has no medians")
    elif chosen["form"] != "json":
        if chosen["per_query"]:
            options.refuse(["interval", "confidence"], "intervals are of means, and --per-query prints none")
            options.refuse(["median"], "--per-query prints the values themselves")
        if chosen["interval"] is None:
            options.refuse(["confidence"], "no intervals are printed; add --interval")


def _read_by_spark(chosen: dict[str, Any]) -> tuple[Any, Any]:
    from rankgauge.evaluation.spark.engine import read_parquet

    return read_parquet(chosen["judgments"], [options.split_name(run) for run in chosen["runs"]])
