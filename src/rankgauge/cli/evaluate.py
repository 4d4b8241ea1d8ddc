"""rankgauge evaluate"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import deliver, progress, render, write_whole


@click.command()
@options.collection
@options.policy
@options.data
@click.option("--per-query", is_flag=True, help="One row per system and query instead of means.")
@click.option(
    "--save", type=click.Path(dir_okay=False), help="Keep the scores (.parquet or .csv) to come back to them."
)
@options.output("trec")
def evaluate(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Score runs against judgments: the mean of each measure, or one value per query."""
    from rankgauge.cli import trec
    from rankgauge.evaluation.evaluate import evaluate as evaluate_runs

    asked = trec.request(measures, chosen["like"]) if chosen["form"] == "trec" else None
    policy = options.policy_from(chosen)
    selection = options.selection_from(chosen)
    judged = options.judgments_from(judgments, chosen["duplicates"])
    listed = options.runs_from(runs, chosen["duplicates"])
    shown = not (chosen["quiet"] or chosen["no_progress"])
    with progress("evaluating", shown=shown and len(listed) > 1) as report:
        scores = evaluate_runs(
            judged,
            listed,
            asked.measures if asked else measures or "nDCG@10",
            policy=policy,
            like=chosen["like"],
            only=selection.only,
            weights=selection.weights,
            progress=report,
        )
    if chosen["save"]:
        from rankgauge.evaluation.storage import scores_bytes

        write_whole(Path(chosen["save"]), scores_bytes(scores, Path(chosen["save"]).suffix))
    if asked:
        tags = [trec.tag_of(run) for run in listed]
        places = 4 if chosen["decimals"] is None else chosen["decimals"]
        text = trec.render(scores, asked, tags, per_query=chosen["per_query"], decimals=places)
        return deliver(text, chosen["output"])
    table = scores.query_table() if chosen["per_query"] else scores.table()
    if chosen["quiet"]:
        table = replace(table, notes=())
    text = render(table, lambda: scores.to_dict(per_query=chosen["per_query"]), chosen["form"], chosen["decimals"])
    return deliver(text, chosen["output"])
