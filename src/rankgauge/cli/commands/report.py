"""rankgauge report"""

from __future__ import annotations

import shlex
import sys
from typing import Any

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import progress, say
from rankgauge.errors import UsageError, plural


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
@option("Input", "--documents", metavar="FILE", help="File of document ids and titles.")
@options.policy
@options.baseline
@option("Statistics", "--by", metavar="COLUMN", help="Compare also for each value of this column of --queries.")
@option(
    "Statistics",
    "--equivalence",
    type=float,
    metavar="MARGIN",
    help="Call systems equivalent if they differ by less than this.",
)
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

    if chosen["by"] is not None and chosen["queries"] is None:
        raise UsageError(f"--by {chosen['by']} needs --queries FILE, the file with this column")
    inputs.read_once(judgments, *runs, chosen["only"], chosen["queries"], chosen["judge"], chosen["documents"])
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
                for name in (
                    *("queries", "documents", "by", "baseline", "equivalence"),
                    *("confidence", "seed", "title", "like", "explorer"),
                )
            },
        )
    say(f"{page}: {page.stat().st_size / 1e3:,.0f} kB, {plural(len(listed), 'system')}")
