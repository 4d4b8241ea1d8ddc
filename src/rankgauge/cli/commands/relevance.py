"""rankgauge relevance"""

from __future__ import annotations

from typing import Any

import click

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, input_option, of, statistics_option
from rankgauge.cli.output import present
from rankgauge.tables.notes import shortened


@command(
    "rankgauge relevance popularity.csv",
    "rankgauge relevance popularity.csv --preset authors --plot relevance.svg",
)
@click.argument("scores")
@input_option("--knots FILE", "Relevance function saved as JSON, to use for every query.")
@input_option("--reference FILE", "Scores to fit one function on, to use for every query.")
@statistics_option(
    "--preset",
    "Definition of phi: the paper's text, or its authors' program. [default: paper]",
    of(verbs.relevance, "preset"),
)
@statistics_option(
    "--quartiles", "How the quartiles of the box plot are computed. [default: linear]", of(verbs.relevance, "quartiles")
)
@statistics_option(
    "--whisker",
    "Where the upper whisker ends: at the fence, or at the last score inside it. [default: fence]",
    of(verbs.relevance, "whisker"),
)
@statistics_option("--whisker-reach", "Box lengths from the upper quartile to the fence. [default: 1.5]", float)
@options.plot
@options.output()
def relevance(scores: str, **chosen: Any) -> None:
    """Turn scores into relevance, query by query (nDCG-phi).

    SCORES is read like judgments. --plot draws the relevance function of the first query.
    """
    inputs.read_once(scores, chosen["reference"])
    reference = chosen["reference"] and inputs.judgments_from(chosen["reference"], chosen)
    found = rankgauge.relevance(
        inputs.judgments_from(scores, chosen),
        reference=reference,
        reach=chosen["whisker_reach"],
        **options.picked(chosen, "preset", "knots", "quartiles", "whisker"),
    )
    first = found.queries[0]
    drawn = found.functions[first], list(found.scores[first].values())
    title = f"Relevance of a score, query {shortened(first, 60)}"
    present(found, chosen, chart=lambda: rankgauge.plot.relevance(*drawn, title=title))
