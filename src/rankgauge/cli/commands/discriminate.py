"""rankgauge discriminate"""

from __future__ import annotations

from typing import Any

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, of, statistics_option
from rankgauge.cli.output import present, progress


@command(
    'rankgauge discriminate judgments.qrels runs/*.trec -m "nDCG@10 AP"',
    "rankgauge discriminate judgments.qrels runs/*.trec --plot power.svg",
)
@inputs.source
@options.policy
@statistics_option("--top", "Use only the best N systems by mean rank.", of(verbs.discriminate, "top"))
@options.samples(default=1000, show_default=True)
@statistics_option("--alpha", "Significance level.", of(verbs.discriminate, "alpha"), default=0.05)
@options.seed
@options.plot
@options.output()
def discriminate(**chosen: Any) -> None:
    """Count the pairs of systems that each measure separates.

    Sakai's paired bootstrap. --format csv lists the achieved significance level of every pair; --plot draws these
    levels as curves.
    """
    with progress("resampling", chosen) as report:
        found = rankgauge.discriminate(
            **inputs.scores_or_collection(chosen),
            **options.picked(chosen, "top", "samples", "alpha", "seed"),
            progress=report,
        )
    table = found.pair_table() if chosen["form"] == "csv" else None
    present(found, chosen, table=table, chart=lambda: rankgauge.plot.discrimination(found))
