"""rankgauge report"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import progress, write_whole


@click.command()
@options.collection
@options.policy
@click.option("--baseline", help="The system to compare with. [default: the first run]")
@click.option("--queries", "texts", metavar="FILE", help="Words of the queries.")
@click.option("--title", default="", help="Heading of the page.")
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 0.999),
    default=0.95,
    show_default=True,
    help="Level of intervals and verdicts.",
)
@options.seed
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
    from rankgauge.data.queries import read_queries
    from rankgauge.evaluation.evaluate import evaluate, settle_call
    from rankgauge.presentation.material import gather, variants_of
    from rankgauge.presentation.report import report_bytes

    policy = options.policy_from(chosen)
    about = read_queries(chosen["texts"]) if chosen["texts"] else None
    judged, listed = read_judgments(judgments), options.runs_from(runs)
    asked, _ = settle_call(measures or "nDCG@10", policy, chosen["like"])
    grid = variants_of(asked[0])
    with progress("evaluating", shown=not chosen["no_progress"]) as told:
        every = evaluate(judged, listed, list(dict.fromkeys([*asked, *grid])), policy=policy, progress=told)
    material = gather(
        every.only(asked),
        variants=every.only(grid) if grid else None,
        judgments=judged,
        runs=listed,
        texts={query: about.text(query) or "" for query in every.queries} if about else None,
        command=shlex.join(["rankgauge", *sys.argv[1:]]) if sys.argv[1:2] == ["report"] else "",
        **{name: chosen[name] for name in ("baseline", "confidence", "seed", "title")},
    )
    page = report_bytes(material)
    write_whole(Path(chosen["output"]), page)
    click.echo(
        f"{chosen['output']}: {len(page) / 1e6:.1f} MB, {len(listed)} systems, {len(every.queries):,} queries", err=True
    )
