"""rankgauge report"""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import progress
from rankgauge.data.write import write_whole

if TYPE_CHECKING:
    from rankgauge.data.judgments import Judgments
    from rankgauge.data.policy import Policy
    from rankgauge.data.run import Run
    from rankgauge.evaluation.scores import Scores


@click.command()
@options.collection
@options.policy
@click.option("--baseline", help="The system to compare with. [default: the first run]")
@click.option("--queries", "texts", metavar="FILE", help="Words of the queries.")
@options.only
@options.duplicates
@click.option("--title", default="", help="Heading of the page.")
@click.option(
    "--confidence",
    type=click.FloatRange(0.5, 0.999),
    default=0.95,
    show_default=True,
    help="Level of intervals and verdicts.",
)
@options.seed
@click.option(
    "-o",
    "--output",
    default="report.html",
    show_default=True,
    type=click.Path(dir_okay=False),
    help="Where to write the page.",
)
@click.option("--no-progress", is_flag=True, help="No progress bar.")
def report(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Write one self-contained page: verdict, leaderboard, wins and losses per query, stability, data health."""
    from rankgauge.data.queries import chosen_queries, read_queries
    from rankgauge.errors import plural
    from rankgauge.evaluation.evaluate import settle_call
    from rankgauge.presentation.report.material import gather
    from rankgauge.presentation.report.measure_grid import evaluate_variants
    from rankgauge.presentation.report.report import report_bytes

    policy = options.policy_from(chosen)
    about = read_queries(chosen["texts"]) if chosen["texts"] else None
    options.read_once(judgments, *runs, chosen["only"], chosen["texts"])
    judged = options.judgments_from(judgments, chosen["duplicates"])
    if chosen["only"] is not None:
        judged = judged.only(chosen_queries(chosen["only"]))
    listed = options.runs_from(runs, chosen["duplicates"])
    asked, rule = settle_call(measures or "nDCG@10", policy, chosen["like"])
    with progress("evaluating", shown=not chosen["no_progress"]) as told:
        scores, variants = evaluate_variants(judged, listed, asked, rule, progress=told)
    material = gather(
        scores,
        defined=_defined(scores, judged, listed, policy, chosen["like"]),
        variants=variants,
        judgments=judged,
        runs=listed,
        texts={query: about.text(query) or "" for query in scores.queries} if about else None,
        command=shlex.join(["rankgauge", *sys.argv[1:]]) if sys.argv[1:2] == ["report"] else "",
        **{name: chosen[name] for name in ("baseline", "confidence", "seed", "title")},
    )
    page = report_bytes(material)
    write_whole(Path(chosen["output"]), page)
    size, systems, queries = len(page) / 1e6, plural(len(listed), "system"), plural(len(scores.queries), "query")
    click.echo(f"{chosen['output']}: {size:.1f} MB, {systems}, {queries}", err=True)


def _defined(scores: Scores, judged: Judgments, runs: list[Run], policy: Policy, like: str | None) -> Scores | None:
    """What the command `stability` studies: scores without the queries on which a measure is undefined.

    None where every query is defined: then the scores at hand will do.
    """
    from rankgauge.evaluation.evaluate import evaluate

    barren = any(note.kind == "no-relevant-documents" for note in scores.notes)
    if not barren or like is not None or policy.undefined is not None:
        return None
    return evaluate(judged, runs, list(scores.measures), policy=replace(scores.policy, undefined="drop"))
