"""rankgauge stability"""

from __future__ import annotations

from typing import Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import check_plot, present, progress


@command(
    "rankgauge stability judgments.qrels runs/*.trec --reach 0.95",
    'rankgauge stability judgments.qrels runs/*.trec -m "nDCG@10 AP" --plot phi.svg',
)
@inputs.source
@options.policy
@options.reach
@option(
    "Statistics",
    "--queries-at",
    multiple=True,
    metavar="LIST",
    callback=options.number_list(int),
    help="Other numbers of queries to predict the reliability for, as in 100,200. Repeatable.",
)
@option(
    "Statistics",
    "--drop",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.0,
    help="Leave out this share of the systems, the worst by mean; 0.25 is a quarter.",
)
@option(
    "Statistics",
    "--interval",
    type=click.Choice(["jackknife", "arteaga"]),
    default="jackknife",
    show_default=True,
    help="Method for confidence intervals; arteaga assumes normal effects, which is rarely true.",
)
@option(
    "Statistics",
    "--systems",
    type=click.Choice(["these", "others"]),
    help="Intervals for these systems on other queries, or for other systems too. [default: these]",
)
@options.confidence
@options.plot
@options.output()
def stability(judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Find out how stable measures are and how many queries to use.

    Queries on which a measure is undefined are left out for all systems, unless you set --undefined or --like.
    """
    import rankgauge

    check_plot(chosen)
    with progress("evaluating", chosen) as report:
        found = rankgauge.stability(
            **inputs.scores_or_collection(judgments, runs, measures, chosen),
            **{name: chosen[name] for name in ("reach", "queries_at", "confidence", "drop", "interval", "systems")},
            progress=report,
        )
    present(found, chosen, chart=lambda: rankgauge.plot.stability(found))
