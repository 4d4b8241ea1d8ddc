"""rankgauge report"""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import progress, write_whole

if TYPE_CHECKING:
    from rankgauge.evaluation.scores import Scores
    from rankgauge.measures.measure import Measure
    from rankgauge.presentation.report import Material

GAINS = ("linear", "exp")
DISCOUNTS = ("log2", "zipf", "linear", "none", "rbp(0.8)")
MOST_POWER = 30


@click.command()
@options.collection
@options.policy
@click.option("--baseline", help="The system to compare with. [default: the first run]")
@click.option("--queries", "texts", help="Query texts: a CSV with a query column and a text column.")
@click.option("--title", default="", help="Heading of the page.")
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 0.999),
    default=0.95,
    show_default=True,
    help="Level of intervals and verdicts.",
)
@click.option("--seed", type=int, default=7, show_default=True, help="The same seed gives the same bytes.")
@click.option(
    "-o",
    "--output",
    default="report.html",
    show_default=True,
    type=click.Path(dir_okay=False),
    help="Where to write the page.",
)
@click.option("--no-progress", is_flag=True, help="No progress bar.")
def report(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Write one self-contained page: verdict, leaderboard, wins and losses per query, stability, data health."""
    from rankgauge.data.judgments import read_judgments
    from rankgauge.evaluation.evaluate import evaluate, settle_call
    from rankgauge.presentation.report import report_bytes

    policy = options.policy_from(chosen)
    judged, listed = read_judgments(judgments), options.runs_from(runs)
    asked, _ = settle_call(measures or "nDCG@10", policy, chosen["like"])
    grid = variants_of(asked[0])
    with progress("evaluating", shown=not chosen["no_progress"]) as told:
        every = evaluate(judged, listed, list(dict.fromkeys([*asked, *grid])), policy=policy, progress=told)
    material = gather(every, asked, grid, chosen)
    command = shlex.join(["rankgauge", *sys.argv[1:]]) if sys.argv[1:2] == ["report"] else ""
    page = report_bytes(replace(material, judgments=judged, runs={run.name: run for run in listed}, command=command))
    write_whole(Path(chosen["output"]), page)
    click.echo(
        f"{chosen['output']}: {len(page) / 1e6:.1f} MB, {len(listed)} systems, {len(every.queries):,} queries", err=True
    )


def variants_of(measure: Measure) -> list[Measure]:
    """The same measure under every named gain and discount; empty where it has none."""
    if not {"gain", "discount"} <= set(measure.definition.options):
        return []
    grid = [
        measure(gain=gain, discount=discount)
        for gain in GAINS
        for discount in DISCOUNTS
        if discount != "linear" or measure.cutoff
    ]
    return list(dict.fromkeys([measure, *grid]))


def gather(every: Scores, asked: tuple[Measure, ...], grid: list[Measure], chosen: dict[str, Any]) -> Material:
    """All results that the page shows, from one evaluation."""
    from rankgauge.analysis.agreement import agreement
    from rankgauge.analysis.compare import compare
    from rankgauge.analysis.discrimination import discriminate
    from rankgauge.analysis.stability import stability
    from rankgauge.presentation.report import Material as Everything

    scores, variants = every.only(asked), every.only(tuple(grid)) if grid else None
    names = [str(measure) for measure in asked]
    verdict = compare(
        scores.values,
        scores.systems,
        names,
        baseline=chosen["baseline"],
        confidence=chosen["confidence"],
        seed=chosen["seed"],
    )
    several = len(scores.systems) > 1 and len(scores.queries) > 2
    shown = every.only(tuple(grid[:5])) if grid else scores
    return Everything(
        scores,
        verdict,
        stability=stability(shown) if several else None,
        discrimination=discriminate(
            shown.values, shown.systems, [str(m) for m in shown.measures], top=MOST_POWER, seed=chosen["seed"]
        )
        if several and len(scores.systems) > 2
        else None,
        variants=variants,
        agreement=agreement(variants) if variants is not None and several else None,
        texts=query_texts(chosen["texts"]) if chosen["texts"] else {},
        title=chosen["title"],
    )


def query_texts(path: str) -> dict[str, str]:
    """Texts by query id, from a CSV with a query and a text column."""
    from rankgauge.data.number_columns import read_table, text_column

    frame = read_table(path)
    ids = next((name for name in ("query", "query_id", "qid", "topic") if name in frame.columns), "query")
    return dict(
        zip(
            text_column(frame, ids, path).to_list(),
            text_column(frame, "text", path).fill_null("").to_list(),
            strict=True,
        )
    )
