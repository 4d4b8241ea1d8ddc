"""rankgauge compromise"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import rankgauge
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, statistics_option
from rankgauge.cli.output import present, progress
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge import Judgments, Run


@command(
    "rankgauge compromise a=judgments.qrels,runs b=judgments.qrels,runs -m nDCG@20",
)
@click.argument("collections", nargs=-1, required=True, metavar="NAME=JUDGMENTS,RUNS...")
@options.one_measure
@options.duplicates
@options.graded_policy
@options.over
@statistics_option(
    "--cutoffs LIST",
    "Count each collection once at each of these cutoffs. [default: that of the measure]",
    multiple=True,
    callback=options.number_list(int),
)
@statistics_option("--absolute", "Maximize the lowest Φ itself instead of its share of each collection's best Φ.", bool)
@options.seed
@options.output()
def compromise(collections: tuple[str, ...], measure: str, **chosen: Any) -> None:
    """Find one measure that serves several collections.

    Each collection is NAME=JUDGMENTS,RUNS; RUNS is a file or a folder of runs. The search
    maximizes the result on the collection that does worst.
    """
    named = [_split(text) for text in collections]
    names = [name for name, _, _ in named]
    if len(set(names)) < len(names):
        raise UsageError(f"duplicate collection {next(name for name in names if names.count(name) > 1)!r}")
    with progress("searching", chosen) as report:
        found = rankgauge.optimize(
            {name: _read(judgments, runs, chosen) for name, judgments, runs in named},
            measure=measure,
            cutoffs=chosen["cutoffs"] or None,
            relative=not chosen["absolute"],
            policy=options.policy_from(chosen),
            **options.picked(chosen, "over", "seed", "like"),
            progress=None if report is None else lambda _stage, done, total: report(done, total),
        )
    present(found, chosen)


def _split(text: str) -> tuple[str, str, str]:
    name, equals, rest = text.partition("=")
    judgments, comma, runs = rest.partition(",")
    if not (name and equals and judgments and comma and runs):
        raise UsageError(
            f"{text!r} is not NAME=JUDGMENTS,RUNS\nWrite, for example, spring=spring/judgments.qrels,spring/runs"
        )
    return name, judgments, runs


def _read(judgments: str, runs: str, chosen: dict[str, Any]) -> tuple[Judgments, list[Run]]:
    folder = Path(runs)
    files = tuple(str(path) for path in sorted(folder.iterdir()) if path.is_file()) if folder.is_dir() else (runs,)
    if not files:
        raise UsageError(f"{runs}: no runs in this folder")
    return inputs.judgments_from(judgments, chosen), inputs.runs_from(files, chosen)
