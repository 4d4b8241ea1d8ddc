"""rankgauge optimize"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, of, output_option, statistics_option
from rankgauge.cli.output import Report, present, progress
from rankgauge.errors import UsageError

CHARTS = {
    "discount": "optimal_discount",
    "gain": "optimal_gains",
    "queries": "optimal_queries",
    "relevant": "relevant_by_rank",
}
STAGES = {"runs": "reading", "starts": "searching", "folds": "cross-validating", "cutoffs": "gains by cutoff"}


@command(
    "rankgauge optimize judgments.qrels runs/*.trec -m nDCG@20 -o measure.json",
    "rankgauge optimize judgments.qrels runs/*.trec --over gain --plot gain.svg",
)
@options.collection
@options.one_measure
@options.columns
@options.duplicates
@options.only
@options.graded_policy
@options.over
@statistics_option(
    "--objective",
    "What to maximize: dependability Φ, generalizability Eρ², or the share of pairs of systems that the measure separates.",
    of(verbs.optimize, "objective"),
    default="phi",
)
@statistics_option("--unconstrained", "Allow the discount to rise and the gain to fall.", bool)
@options.reach
@statistics_option(
    "--folds",
    "Folds of cross-validation over queries; 0 for none. [default: 5; 2 for power]",
    of(verbs.optimize, "folds"),
)
@statistics_option(
    "--repeats", "Repetitions of the cross-validation. [default: 4; 10 for power]", of(verbs.optimize, "repeats")
)
@options.seed
@options.plot
@output_option(
    "--chart",
    "What --plot draws: weights by rank, gains by cutoff, Φ by the number of queries, or the share of relevant "
    "documents by rank. [default: what is optimized]",
    tuple(CHARTS),
)
@options.output()
def optimize(measure: str, **chosen: Any) -> None:
    """Find the gain and discount that need the fewest queries.

    Or, with --objective, those that order systems most repeatably or separate the most pairs of them.

    Cross-validation tries them on unseen queries. The result holds a recommendation, often to keep the measure. With -o
    measure.json it is saved as JSON; then -m @measure.json in any command is the optimum, and -m
    @measure.json:recommendation the recommendation.
    """
    _check(chosen)
    judged, runs = inputs.tables_from(chosen)
    with progress("reading", chosen) as report:
        staged = _staged(report)
        found = rankgauge.optimize(
            judged,
            runs,
            measure,
            constrained=not chosen["unconstrained"],
            progress=staged,
            reach=None if chosen["objective"] == "power" else chosen["reach"],
            **inputs.decisions_from(chosen),
            **options.picked(chosen, "over", "objective", "folds", "repeats", "seed"),
        )
        which = chosen["chart"] or ("gain" if found.over == ("gain",) else "discount")
        drawn = found.gains_by_cutoff(progress=staged) if chosen["plot"] and which == "gain" else found
    present(found, chosen, chart=lambda: getattr(rankgauge.plot, CHARTS[which])(drawn))


def _check(chosen: dict[str, Any]) -> None:
    if chosen["plot"] is None:
        options.refuse(["chart"], "nothing is drawn; name a file with --plot")
    if chosen["objective"] == "power":
        options.refuse(["reach"], "the queries for a target do not follow from power")
        if chosen["chart"] == "queries":
            raise UsageError("--chart queries is for phi and erho: power has no curve by the number of queries")
    if chosen["folds"] == 0:
        options.refuse(["repeats"], "--folds 0 turns cross-validation off")


def _staged(report: Report | None) -> Callable[[str, int, int], None] | None:
    """Progress that names its stage."""
    return None if report is None else lambda stage, done, total: report(done, total, STAGES[stage])
