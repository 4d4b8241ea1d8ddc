"""rankgauge optimize"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import Report, check_plot, present, progress

if TYPE_CHECKING:
    from rankgauge.analysis.optimize.gains_by_cutoff import GainsByCutoff
    from rankgauge.analysis.optimize.result import Optimum
    from rankgauge.analysis.optimize.search.search import Progress

CHARTS = ("discount", "gain", "queries", "relevant")
STAGES = {"runs": "reading", "starts": "searching", "folds": "trying on unseen queries", "cutoffs": "gains by cutoff"}


@command(
    "rankgauge optimize judgments.qrels runs/*.trec -m nDCG@20 -o measure.json",
    "rankgauge optimize judgments.qrels runs/*.trec --over gain --plot gain.svg",
)
@options.collection
@options.one_measure
@options.duplicates
@options.only
@options.graded_policy
@option(
    "Statistics",
    "--over",
    type=click.Choice(["discount", "gain", "both"]),
    default="discount",
    show_default=True,
    help="What to optimize.",
)
@option("Statistics", "--unconstrained", is_flag=True, help="Allow the discount to rise and the gain to fall.")
@options.reach
@option(
    "Statistics",
    "--folds",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="Folds of cross-validation over queries; 0 for none.",
)
@option(
    "Statistics",
    "--repeats",
    type=click.IntRange(min=1),
    default=4,
    show_default=True,
    help="Repetitions of the cross-validation.",
)
@options.seed
@options.plot
@option(
    "Output",
    "--chart",
    type=click.Choice(CHARTS),
    help="What --plot draws: weights by rank, gains by cutoff, Φ by the number of queries, or the share of relevant "
    "documents by rank. [default: what is optimized]",
)
@options.output()
def optimize(judgments: str, runs: tuple[str, ...], measure: str, **chosen: Any) -> None:
    """Find the gain and discount that need the fewest queries.

    Cross-validation tries them on unseen queries. The result holds a recommendation, often to keep the measure. With -o
    measure.json it is saved as JSON; then -m @measure.json in any command is the optimum, and -m
    @measure.json:recommendation the recommendation.
    """
    from rankgauge.analysis.optimize.collection import question

    if chosen["plot"] is None:
        options.refuse(["chart"], "nothing is drawn; name a file with --plot")
    if chosen["folds"] == 0:
        options.refuse(["repeats"], "--folds 0 turns cross-validation off")
    check_plot(chosen)
    options.form_by_ending(chosen)
    policy = options.policy_from(chosen)
    inputs.read_once(judgments, *runs, chosen["only"])
    only = inputs.only_from(chosen)
    judged = inputs.judgments_from(judgments, chosen["duplicates"])
    listed = inputs.runs_from(runs, chosen["duplicates"])
    with progress("reading", chosen) as report:
        told = _told(report)
        asked = question(
            judged,
            listed,
            measure,
            policy=policy,
            like=chosen["like"],
            only=only,
            progress=told,
        )
        constrained = not chosen["unconstrained"]
        found = asked.optimum(
            over=chosen["over"],
            constrained=constrained,
            folds=chosen["folds"],
            repeats=chosen["repeats"],
            targets=chosen["reach"],
            seed=chosen["seed"],
            progress=told,
        )
        which = chosen["chart"] or ("gain" if found.over == ("gain",) else "discount")
        gains = None
        if chosen["plot"] and which == "gain":
            gains = asked.gains_by_cutoff(constrained=constrained, seed=chosen["seed"], progress=told)
    present(found, chosen, chart=lambda: _chart(which, found, gains))


def _told(report: Report | None) -> Progress | None:
    if report is None:
        return None
    return lambda stage, done, total: report(done, total, STAGES[stage])


def _chart(which: str, found: Optimum, gains: GainsByCutoff | None) -> Any:
    from rankgauge.presentation.charts import optimum

    if gains is not None:
        return optimum.gain_chart(gains)
    draw = {"discount": optimum.discount_chart, "queries": optimum.queries_chart, "relevant": optimum.relevant_chart}
    return draw[which](found)
