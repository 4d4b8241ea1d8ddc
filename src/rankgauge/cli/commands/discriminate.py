"""rankgauge discriminate"""

from __future__ import annotations

from typing import Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import check_plot, present, progress


@command(
    'rankgauge discriminate judgments.qrels runs/*.trec -m "nDCG@10 AP"',
    "rankgauge discriminate judgments.qrels runs/*.trec --plot power.svg",
)
@inputs.source
@options.policy
@option(
    "Statistics", "--top", type=click.IntRange(min=2), metavar="N", help="Use only the best N systems by mean rank."
)
@options.samples(default=1000, show_default=True)
@option(
    "Statistics",
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Significance level.",
)
@options.seed
@options.plot
@options.output()
def discriminate(judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Count the pairs of systems that each measure separates.

    Sakai's paired bootstrap. --format csv lists the achieved significance level of every pair; --plot draws these
    levels as curves.
    """
    import rankgauge

    check_plot(chosen)
    with progress("resampling", chosen) as report:
        found = rankgauge.discriminate(
            **inputs.scores_or_collection(judgments, runs, measures, chosen),
            **{name: chosen[name] for name in ("top", "samples", "alpha", "seed")},
            progress=report,
        )
    table = found.pair_table() if chosen["form"] == "csv" else None
    present(found, chosen, table=table, chart=lambda: rankgauge.plot.discrimination(found))
