"""rankgauge robust"""

from __future__ import annotations

from typing import Any

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, of, statistics_option
from rankgauge.cli.output import present, progress


@command(
    "rankgauge robust judgments.qrels runs/*.trec --baseline system-02",
    "rankgauge robust judgments.qrels runs/*.trec --over discount --plot robust.svg",
)
@options.collection
@options.one_measure
@options.duplicates
@options.only
@options.queries
@options.weights
@options.graded_policy
@statistics_option(
    "--over",
    "What may vary: every discount that never rises, every gain that never falls, or both.",
    of(verbs.robust, "over"),
    default="both",
)
@options.baseline()
@options.all_pairs
@statistics_option(
    "--budget",
    "Search effort for each pair that is not decided at once, as a number of boxes. [default: up to 200]",
    of(verbs.robust, "budget"),
)
@options.samples("[default: 200 for up to 100 pairs]")
@options.seed
@options.plot
@options.output()
def robust(measure: str, **chosen: Any) -> None:
    """Find out which differences hold under every gain and discount.

    For nDCG and DCG. "robust" is proved; "depends" comes with a measure under which the other system wins. --plot draws
    all pairs, or cutoffs and grade thresholds of a single pair.
    """
    if not options.need_queries(chosen, "weights"):
        options.refuse(["queries"], "only --weights uses it")
    judged, runs = inputs.tables_from(chosen)
    with progress("judging", chosen) as report:
        found = rankgauge.robust(
            judged,
            runs,
            measure,
            weights=inputs.weights_from(chosen),
            progress=report,
            **inputs.decisions_from(chosen),
            **options.picked(chosen, "over", "baseline", "all_pairs", "budget", "samples", "seed"),
        )
    present(found, chosen, chart=lambda: rankgauge.plot.robustness(found))
