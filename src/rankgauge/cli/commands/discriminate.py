"""rankgauge discriminate"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import check_plot, present, progress

if TYPE_CHECKING:
    from rankgauge.analysis.discriminate import Discrimination


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
    from rankgauge.analysis.discriminate import discriminate as tell_apart

    check_plot(chosen)
    table = inputs.scores_from(judgments, runs, measures, chosen)
    with progress("resampling", chosen) as report:
        found = tell_apart(
            table,
            top=chosen["top"],
            samples=chosen["samples"],
            alpha=chosen["alpha"],
            seed=chosen["seed"],
            progress=report,
        )
    shown = found.pair_table() if chosen["form"] == "csv" else found.table()
    present(found, chosen, table=shown, chart=lambda: _chart(found))


def _chart(found: Discrimination) -> Any:
    from rankgauge.presentation.charts.discrimination import discrimination_chart

    return discrimination_chart(found)
