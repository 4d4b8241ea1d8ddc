"""rankgauge stability"""

from __future__ import annotations

from typing import Any

import click

import rankgauge
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, statistics_option
from rankgauge.cli.output import present, progress


@command(
    "rankgauge stability judgments.qrels runs/*.trec --reach 0.95",
    'rankgauge stability judgments.qrels runs/*.trec -m "nDCG@10 AP" --plot phi.svg',
)
@inputs.source
@options.policy
@options.reach
@statistics_option(
    "--queries-at LIST",
    "Other numbers of queries to predict the reliability for, as in 100,200. Repeatable.",
    multiple=True,
    callback=options.number_list(int),
)
@statistics_option(
    "--drop",
    "Leave out this share of the systems, the worst by mean; 0.25 is a quarter.",
    click.FloatRange(0, 1, max_open=True),
    default=0.0,
)
@statistics_option(
    "--interval",
    "Method for confidence intervals; arteaga assumes normal effects, which is rarely true.",
    ("jackknife", "arteaga"),
    default="jackknife",
)
@statistics_option(
    "--systems",
    "Intervals for these systems on other queries, or for other systems too. [default: these]",
    ("these", "others"),
)
@options.confidence
@options.plot
@options.output()
def stability(**chosen: Any) -> None:
    """Find out how stable measures are and how many queries to use.

    Queries on which a measure is undefined are left out for all systems, unless you set --undefined or --like.
    """
    with progress("evaluating", chosen) as report:
        found = rankgauge.stability(
            **inputs.scores_or_collection(chosen),
            **options.picked(chosen, "reach", "queries_at", "confidence", "drop", "interval", "systems"),
            progress=report,
        )
    present(found, chosen, chart=lambda: rankgauge.plot.stability(found))
