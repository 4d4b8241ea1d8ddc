"""rankgauge check"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import deliver, render


@click.command()
@click.argument("judgments")
@click.argument("runs", nargs=-1, metavar="[RUN]...")
@options.output()
def check(judgments: str, runs: tuple[str, ...], **chosen: Any) -> None:
    """Tell all that is wrong or odd in these files at once; ends with code 2 if something is wrong."""
    from rankgauge.data.check import check as check_files

    found = check_files(_judgments(judgments), *map(_run, runs))
    if chosen["quiet"]:
        found = replace(found, notes=())
    if chosen["form"] == "table":
        text = f"{found}\n"
    else:
        text = render(found.table(), found.to_dict, chosen["form"], chosen["decimals"])
    deliver(text, chosen["output"])
    if found.errors:
        raise click.exceptions.Exit(2)


def _judgments(argument: str) -> Any:
    """A path, to be read leniently; or one column of a file."""
    from rankgauge.data.judgments import read_judgments

    path, column = options.split_part(argument)
    return path if column is None else read_judgments(path, column=column)


def _run(argument: str) -> Any:
    """A path, {NAME: path}, or one run of a file that holds several."""
    from rankgauge.data.run import read_run

    name, whole = options.split_name(argument)
    path, part = options.split_part(whole)
    if part is not None:
        return read_run(path, name=name, part=part)
    return path if name is None else {name: path}
