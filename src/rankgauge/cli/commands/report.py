"""rankgauge report"""

from __future__ import annotations

import shlex
import sys
from typing import Any

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import progress, say
from rankgauge.errors import plural


@command(
    "rankgauge report judgments.qrels runs/*.trec --queries queries.csv",
)
@options.collection
@options.measures
@options.columns
@options.duplicates
@options.only
@options.queries
@option(
    "Input",
    "--judge",
    metavar="FILE",
    help="A machine's judgments of many queries, beside people's of some, drawn at random.",
)
@options.policy
@options.baseline
@options.confidence
@options.seed
@option("Output", "--title", default="", help="Heading of the page.")
@option("Output", "--explorer", metavar="FILE", help="Page written by `explore`, to link to with the pair compared.")
@options.output_file("File to write.", default="report.html", show_default=True)
@options.no_progress
def report(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Write one HTML page: verdict, leaderboard and data health.

    The page is self-contained and needs no network access.
    """
    import rankgauge

    inputs.read_once(judgments, *runs, chosen["only"], chosen["queries"], chosen["judge"])
    listed = inputs.runs_from(runs, chosen["duplicates"], chosen["columns"])
    with progress("evaluating", chosen) as told:
        page = rankgauge.report(
            chosen["output"],
            inputs.judgments_from(judgments, chosen["duplicates"], chosen["columns"]),
            listed,
            measures or None,
            policy=options.policy_from(chosen),
            only=inputs.only_from(chosen),
            judge=chosen["judge"] and inputs.judgments_from(chosen["judge"], chosen["duplicates"], chosen["columns"]),
            progress=told,
            command=shlex.join(["rankgauge", *sys.argv[1:]]) if sys.argv[1:2] == ["report"] else "",
            **{
                name: chosen[name]
                for name in ("queries", "baseline", "confidence", "seed", "title", "like", "explorer")
            },
        )
    say(f"{page}: {page.stat().st_size / 1e6:.1f} MB, {plural(len(listed), 'system')}")
