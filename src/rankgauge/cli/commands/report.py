"""rankgauge report"""

from __future__ import annotations

import shlex
import sys
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import progress
from rankgauge.errors import plural


@click.command()
@options.collection
@options.policy
@click.option("--baseline", help="The system to compare with. [default: the first run]")
@click.option("--queries", metavar="FILE", help="Words of the queries.")
@options.only
@options.duplicates
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
    from rankgauge.data.queries import chosen_queries
    from rankgauge.presentation.report.report import report as write_report

    options.read_once(judgments, *runs, chosen["only"], chosen["queries"])
    policy = options.policy_from(chosen)
    judged = options.judgments_from(judgments, chosen["duplicates"])
    listed = options.runs_from(runs, chosen["duplicates"])
    with progress("evaluating", shown=not chosen["no_progress"]) as told:
        page = write_report(
            chosen["output"],
            judged,
            listed,
            measures or None,
            policy=policy,
            only=None if chosen["only"] is None else chosen_queries(chosen["only"]),
            progress=told,
            command=shlex.join(["rankgauge", *sys.argv[1:]]) if sys.argv[1:2] == ["report"] else "",
            **{name: chosen[name] for name in ("queries", "baseline", "confidence", "seed", "title", "like")},
        )
    click.echo(f"{page}: {page.stat().st_size / 1e6:.1f} MB, {plural(len(listed), 'system')}", err=True)
