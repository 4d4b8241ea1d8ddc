"""rankgauge evaluate"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import deliver, progress, render


@click.command()
@options.collection
@options.policy
@options.data
@click.option("--per-query", is_flag=True, help="One row per system and query instead of means.")
@options.output()
def evaluate(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Score runs against judgments: the mean of each measure, or one value per query."""
    from rankgauge.evaluation.evaluate import evaluate as evaluate_runs

    policy = options.policy_from(chosen)
    selection = options.selection_from(chosen)
    judged = options.judgments_from(judgments, chosen["duplicates"])
    listed = options.runs_from(runs, chosen["duplicates"])
    shown = not (chosen["quiet"] or chosen["no_progress"])
    with progress("evaluating", shown=shown and len(listed) > 1) as report:
        scores = evaluate_runs(
            judged,
            listed,
            measures or "nDCG@10",
            policy=policy,
            like=chosen["like"],
            only=selection.only,
            weights=selection.weights,
            progress=report,
        )
    table = scores.query_table() if chosen["per_query"] else scores.table()
    if chosen["quiet"]:
        table = replace(table, notes=())
    text = render(table, lambda: scores.to_dict(per_query=chosen["per_query"]), chosen["form"], chosen["decimals"])
    deliver(text, chosen["output"])
