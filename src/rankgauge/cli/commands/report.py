"""rankgauge report"""

from __future__ import annotations

import shlex
import sys
from typing import Any

import rankgauge
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, input_option, output_option
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
@input_option("--judge FILE", "A machine's judgments of many queries; JUDGMENTS holds people's, of a random sample.")
@options.documents
@options.policy
@options.baseline("the first of two systems; with more, the page is about first place")
@options.by
@options.equivalence
@options.confidence
@options.seed
@options.title
@output_option("--explorer FILE", "Page written by `explore`, to link to with the pair compared.")
@options.output_file("File to write.", default="report.html", show_default=True)
@options.no_progress
def report(measures: tuple[str, ...], **chosen: Any) -> None:
    """Write one HTML page: verdict, leaderboard and data health.

    The page is self-contained and needs no network access.
    """
    options.need_queries(chosen, "by")
    judged, runs = inputs.tables_from(chosen)
    settings = ("queries", "documents", "by", "baseline", "equivalence", "confidence", "seed", "title", "explorer")
    with progress("evaluating", chosen) as told:
        page = rankgauge.report(
            chosen["output"],
            judged,
            runs,
            measures or None,
            judge=inputs.judge_from(chosen),
            progress=told,
            command=shlex.join(["rankgauge", *sys.argv[1:]]) if sys.argv[1:2] == ["report"] else "",
            **inputs.decisions_from(chosen),
            **options.picked(chosen, *settings),
        )
    say(f"{page}: {page.stat().st_size / 1e3:,.0f} kB, {plural(len(runs), 'system')}")
