"""rankgauge stability"""

from __future__ import annotations

from typing import Any

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, of, statistics_option
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
    of(verbs.stability, "drop"),
    default=0.0,
)
@statistics_option(
    "--interval",
    "Method for confidence intervals; arteaga assumes normal effects, which is rarely true.",
    of(verbs.stability, "interval"),
    default="jackknife",
)
@statistics_option(
    "--systems",
    "Intervals for these systems on other queries, or for other systems too. [default: these]",
    of(verbs.stability, "systems"),
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
