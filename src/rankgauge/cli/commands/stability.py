"""rankgauge stability"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.output import check_plot, present

if TYPE_CHECKING:
    from rankgauge.analysis.stability.result import Stability


@click.command()
@inputs.source
@options.reach
@click.option(
    "--queries-at",
    multiple=True,
    metavar="LIST",
    callback=options.number_list(int),
    help="Other numbers of queries to look at, as in 100,200.",
)
@click.option(
    "--drop",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.0,
    help="Leave out this share of the systems first, the worst by mean; 0.25 is a quarter.",
)
@click.option(
    "--interval",
    type=click.Choice(["arteaga", "jackknife"]),
    default="arteaga",
    show_default=True,
    help="Arteaga supposes normal effects, the jackknife does not.",
)
@options.confidence
@options.plot
@options.policy
@options.output()
def stability(judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """How stable measures are, and how many queries are enough.

    Queries on which a measure is undefined are left out for all systems, unless --undefined says otherwise.
    """
    from rankgauge.analysis.stability.study import stability as study_scores

    check_plot(chosen)
    study = study_scores(
        inputs.scores_from(judgments, runs, measures, chosen, undefined="drop"),
        reach=chosen["reach"],
        queries_at=chosen["queries_at"],
        confidence=chosen["confidence"],
        drop=chosen["drop"],
        interval=chosen["interval"],
    )
    table = study.wide_table() if chosen["form"] == "csv" else study.table()
    present(table, study.to_dict, chosen, lambda: _chart(study))


def _chart(study: Stability) -> Any:
    from rankgauge.presentation.charts.stability import stability_chart

    return stability_chart(study)
