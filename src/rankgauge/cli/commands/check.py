"""rankgauge check"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

import rankgauge
from rankgauge.cli import options
from rankgauge.cli.help import command
from rankgauge.cli.output import present


@command("rankgauge check judgments.qrels runs/*.trec")
@options.optional_runs
@options.output(decimals=False)
def check(judgments: str, runs: tuple[str, ...], **chosen: Any) -> None:
    """Report every error and oddity in these files.

    Exits with 2 if there are errors.
    """
    found = rankgauge.check(_judgments(judgments), *map(_run, runs))
    if chosen["quiet"]:
        found = replace(found, notes=())
    present(found, chosen, text=lambda: str(found))
    if found.errors:
        raise click.exceptions.Exit(2)


def _judgments(argument: str) -> Any:
    """A path, to be read leniently; or one column of a file."""
    path, column = options.split_part(argument)
    return path if column is None else rankgauge.read_judgments(path, column=column)


def _run(argument: str) -> Any:
    """A path, {NAME: path}, or one run of a file that holds several."""
    name, whole = options.split_name(argument)
    path, part = options.split_part(whole)
    if part is not None:
        return rankgauge.read_run(path, name=name, part=part)
    return path if name is None else {name: path}
