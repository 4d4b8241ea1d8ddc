"""rankgauge relevance"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import check_plot, present
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.analysis.relevance import RelevanceFunction


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
@options.plot
@options.output()
def relevance(scores: str, **chosen: Any) -> None:
    """Turn scores into relevance, query by query (nDCG-phi).

    SCORES is read like judgments. --plot draws the relevance function of the first query.
    """
    from rankgauge.analysis.relevance import RelevanceFunction
    from rankgauge.tables.table import Column, Table, number

    check_plot(chosen)
    frame = inputs.judgments_from(scores).to_polars()
    shared = _shared(chosen, RelevanceFunction)
    functions: dict[str, RelevanceFunction] = {}
    rows: list[tuple[str, str, float, float]] = []
    for part in frame.partition_by("query", maintain_order=True):
        query, values = part["query"][0], part["value"].to_numpy()
        function = shared or RelevanceFunction.fit(values, preset=chosen["preset"] or "paper")
        functions[query] = function
        rows += zip(
            [query] * len(part), part["document"].to_list(), values.tolist(), function(values).tolist(), strict=True
        )
    table = Table(
        (Column("query"), Column("item"), number("score"), number("relevance")),
        tuple(rows),
        f"relevance of {len(rows):,} items",
    )

    def data() -> dict[str, Any]:
        found = {
            query: {"knots": [list(knot) for knot in function.knots], "items": {}}
            for query, function in functions.items()
        }
        for query, item, _, value in rows:
            found[query]["items"][item] = value  # type: ignore[index]
        return {"preset": "knots" if shared else chosen["preset"] or "paper", "queries": found}

    def chart() -> Any:
        from rankgauge.presentation.charts.style import relevance_chart

        first = next(iter(functions))
        return relevance_chart(functions[first], frame.filter(frame["query"] == first)["value"].to_numpy())

    present(table, data, chosen, chart)


def _shared(chosen: dict[str, Any], kind: type[RelevanceFunction]) -> RelevanceFunction | None:
    """One function for all queries, if the user gave one or something to fit it on."""
    if chosen["knots"]:
        if chosen["reference"] or chosen["preset"]:
            other = "reference" if chosen["reference"] else "preset"
            raise UsageError(f"--knots gives the function, so --{other} has no effect; leave one of them out")
        return kind.load(chosen["knots"])
    if chosen["reference"]:
        return kind.fit(
            inputs.judgments_from(chosen["reference"]).to_polars()["value"].to_numpy(),
            preset=chosen["preset"] or "paper",
        )
    return None
