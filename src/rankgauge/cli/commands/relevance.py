"""rankgauge relevance"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import check_plot, present
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.analysis.relevance import RelevanceFunction


@click.command()
@click.argument("scores")
@click.option(
    "--preset",
    type=click.Choice(["paper", "authors"]),
    help="Which phi: the paper's text, or its authors' program. [default: paper]",
)
@click.option("--knots", help="A relevance function saved as JSON; it then serves every query.")
@click.option("--reference", help="Scores to fit one function on, so that all queries share one scale.")
@click.option(
    "--plot", type=click.Path(dir_okay=False), help="Draw the function (of the first query): .svg, .png or .json."
)
@options.output()
def relevance(scores: str, **chosen: Any) -> None:
    """Relevance of every item from its score (nDCG-phi), query by query. SCORES is read like judgments."""
    from rankgauge.analysis.relevance import RelevanceFunction
    from rankgauge.tables.table import Column, Table, number

    check_plot(chosen)
    frame = options.judgments_from(scores).to_polars()
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
        from rankgauge.presentation.charts.relevance import relevance_chart

        first = next(iter(functions))
        return relevance_chart(functions[first], frame.filter(frame["query"] == first)["value"].to_numpy())

    present(table, data, chosen, chart)


def _shared(chosen: dict[str, Any], kind: type[RelevanceFunction]) -> RelevanceFunction | None:
    """One function for all queries, if the user gave one or something to fit it on."""
    if chosen["knots"]:
        if chosen["reference"] or chosen["preset"]:
            other = "reference" if chosen["reference"] else "preset"
            raise UsageError(f"--knots is a whole function, and --{other} would make another\nLeave one of them out.")
        return kind.load(chosen["knots"])
    if chosen["reference"]:
        return kind.fit(
            options.judgments_from(chosen["reference"]).to_polars()["value"].to_numpy(),
            preset=chosen["preset"] or "paper",
        )
    return None
