"""rankgauge relevance"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import check_plot, present

if TYPE_CHECKING:
    from rankgauge import RelevanceFunction
    from rankgauge.results import RelevanceByQuery


@command(
    "rankgauge relevance popularity.csv",
    "rankgauge relevance popularity.csv --preset authors --plot relevance.svg",
)
@click.argument("scores")
@option("Input", "--knots", metavar="FILE", help="Relevance function saved as JSON, to use for every query.")
@option("Input", "--reference", metavar="FILE", help="Scores to fit one function on, to use for every query.")
@option(
    "Statistics",
    "--preset",
    type=click.Choice(["paper", "authors"]),
    help="Definition of phi: the paper's text, or its authors' program. [default: paper]",
)
@option(
    "Statistics",
    "--quartiles",
    type=click.Choice(["linear", "hinges"]),
    help="How the quartiles of the box plot are computed. [default: linear]",
)
@option(
    "Statistics",
    "--whisker",
    type=click.Choice(["fence", "observed"]),
    help="Where the upper whisker ends: at the fence, or at the last score inside it. [default: fence]",
)
@option(
    "Statistics",
    "--whisker-reach",
    "whisker_reach",  # not --reach, which is a target of reliability wherever there is one
    type=float,
    help="Box lengths from the upper quartile to the fence. [default: 1.5]",
)
@options.plot
@options.output()
def relevance(scores: str, **chosen: Any) -> None:
    """Turn scores into relevance, query by query (nDCG-phi).

    SCORES is read like judgments. --plot draws the relevance function of the first query.
    """
    import rankgauge

    check_plot(chosen)
    inputs.read_once(scores, chosen["reference"])
    reference = chosen["reference"] and inputs.judgments_from(chosen["reference"])
    found = rankgauge.relevance(
        inputs.judgments_from(scores),
        reference=reference,
        **{name: chosen[name] for name in ("preset", "knots", "quartiles", "whisker")},
        reach=chosen["whisker_reach"],
    )
    present(found, chosen, chart=lambda: rankgauge.plot.relevance(*_first(found)))


def _first(found: RelevanceByQuery) -> tuple[RelevanceFunction, list[float]]:
    query = found.queries[0]
    return found.functions[query], list(found.scores[query].values())
