"""rankgauge optimize"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import Report, check_plot, present, progress
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.analysis.optimize.gains_by_cutoff import GainsByCutoff
    from rankgauge.analysis.optimize.ranked_grades import Stages
    from rankgauge.analysis.optimize.result import Optimum

CHARTS = ("discount", "gain", "queries", "relevant")
STAGES = {"runs": "reading", "starts": "searching", "folds": "trying on unseen queries", "cutoffs": "gains by cutoff"}


@click.command()
@options.collection
@click.option(
    "--over",
    type=click.Choice(["discount", "gain", "both"]),
    default="discount",
    show_default=True,
    help="What to search.",
)
@click.option("--unconstrained", is_flag=True, help="Let the discount rise and the gain fall.")
@options.reach
@click.option(
    "--folds",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="Folds of queries to hold out; 0 for none.",
)
@click.option(
    "--repeats", type=click.IntRange(min=1), default=4, show_default=True, help="How often the queries are folded anew."
)
@options.seed
@options.plot
@click.option(
    "--chart",
    type=click.Choice(CHARTS),
    help="What to draw: weights by rank, gains by cutoff, Φ by the number of queries, or the share of relevant documents "
    "by rank. [default: what is searched]",
)
@options.policy
@options.data
@options.output()
def optimize(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Find the gain and discount that need the fewest queries, and try them on queries they never saw.

    The answer holds a recommendation, often to keep the measure. With -o measure.json it is written as JSON, and any
    command reads the optimum back by -m @measure.json, the recommendation by -m @measure.json:recommendation.
    """
    from rankgauge.analysis.optimize.optimize import optimize as search

    if chosen["chart"] and not chosen["plot"]:
        raise UsageError("--chart says what to draw; name the file with --plot")
    check_plot(chosen)
    options.form_by_ending(chosen)
    policy, selection = options.policy_from(chosen), options.selection_from(chosen)
    if selection.weights is not None:
        raise UsageError("the search counts every query alike\nLeave out --weights.")
    judged = options.judgments_from(judgments, chosen["duplicates"])
    listed = options.runs_from(runs, chosen["duplicates"])
    with progress("reading", shown=not (chosen["quiet"] or chosen["no_progress"])) as report:
        told = _told(report)
        found = search(
            judged,
            listed,
            " ".join(measures) or "nDCG@10",
            policy=policy,
            like=chosen["like"],
            only=selection.only,
            over=chosen["over"],
            constrained=not chosen["unconstrained"],
            folds=chosen["folds"],
            repeats=chosen["repeats"],
            reach=chosen["reach"],
            seed=chosen["seed"],
            progress=told,
        )
        which = chosen["chart"] or ("gain" if found.over == ("gain",) else "discount")
        gains = None
        if chosen["plot"] and which == "gain":
            gains = found.gains_by_cutoff(progress=told)
    table = found.wide_table() if chosen["form"] == "csv" else found.table()
    present(table, found.to_dict, chosen, lambda: _chart(which, found, gains))


def _told(report: Report | None) -> Stages | None:
    if report is None:
        return None
    return lambda stage, done, total: report(done, total, STAGES[stage])


def _chart(which: str, found: Optimum, gains: GainsByCutoff | None) -> Any:
    from rankgauge.presentation.charts import optimum

    if gains is not None:
        return optimum.gain_chart(gains)
    draw = {"discount": optimum.discount_chart, "queries": optimum.queries_chart, "relevant": optimum.relevant_chart}
    return draw[which](found)
