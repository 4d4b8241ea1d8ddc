"""rankgauge robust"""

from __future__ import annotations

from typing import Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import check_plot, present, progress
from rankgauge.errors import UsageError


@command(
    "rankgauge robust judgments.qrels runs/*.trec --baseline system-02",
    "rankgauge robust judgments.qrels runs/*.trec --over discount --plot robust.svg",
)
@options.collection
@options.one_measure
@options.duplicates
@options.only
@options.queries
@option("Input", "--weights", metavar="COLUMN", help="Weight queries by this column of --queries.")
@options.graded_policy
@option(
    "Statistics",
    "--over",
    type=click.Choice(["discount", "gain", "both"]),
    default="both",
    show_default=True,
    help="What may vary: every discount that never rises, every gain that never falls, or both.",
)
@options.baseline
@option("Statistics", "--all-pairs", is_flag=True, help="Compare every pair of systems.")
@option(
    "Statistics",
    "--budget",
    type=click.IntRange(min=0),
    help="Effort for each pair that is not decided at once, in boxes. [default: up to 200]",
)
@options.samples("[default: 200 for up to 100 pairs]")
@options.seed
@options.plot
@options.output()
def robust(judgments: str, runs: tuple[str, ...], measure: Any, **chosen: Any) -> None:
    """Find out which differences hold under every gain and discount.

    For nDCG and DCG. "robust" is proved; "depends" comes with a measure under which the other system wins. --plot draws
    all pairs, or cutoffs and grade thresholds of a single pair.
    """
    import rankgauge

    check_plot(chosen)
    if chosen["weights"] is None:
        options.refuse(["queries"], "only --weights uses it")
    elif chosen["queries"] is None:
        raise UsageError(f"--weights {chosen['weights']} needs --queries FILE, the file with this column")
    inputs.read_once(judgments, *runs, chosen["only"], chosen["queries"])
    weights = (
        None if chosen["weights"] is None else rankgauge.read_queries(chosen["queries"]).weights(chosen["weights"])
    )
    with progress("judging", chosen) as report:
        found = rankgauge.robust(
            inputs.judgments_from(judgments, chosen["duplicates"]),
            inputs.runs_from(runs, chosen["duplicates"]),
            measure,
            policy=options.policy_from(chosen),
            only=inputs.only_from(chosen),
            weights=weights,
            progress=report,
            **{name: chosen[name] for name in ("over", "baseline", "all_pairs", "budget", "samples", "seed", "like")},
        )
    present(found, chosen, chart=lambda: rankgauge.plot.robustness(found))
