"""A result to text, and the text to stdout or to a file that is written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import click

from rankgauge.data.write import write_whole
from rankgauge.tables.table import Table, plain


def render(table: Table, data: Callable[[], Any], form: str, decimals: int | None) -> str:
    """The table in one of the forms that every command has; `data` is asked for only by json."""
    from rankgauge.tables import markup
    from rankgauge.tables.text import to_text

    if form == "json":
        return json.dumps(plain(data()), ensure_ascii=False, indent=1) + "\n"
    if form == "csv":
        return markup.to_csv(table, decimals)
    if form == "md":
        return markup.to_markdown(table, decimals)
    if form == "latex":
        return markup.to_latex(table, decimals)
    colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return to_text(table, decimals, colour=colour) + "\n"


def check_plot(chosen: dict[str, Any]) -> None:
    """A chart that cannot be written is better refused before the work than after it."""
    if chosen["plot"]:
        from rankgauge.presentation.charts.style import check_ending

        check_ending(chosen["plot"])


def present(table: Table, data: Callable[[], Any], chosen: dict[str, Any], chart: Callable[[], Any]) -> None:
    """A result as its options ask for: --quiet, --format, --decimals, --plot, --output."""
    text = render(replace(table, notes=()) if chosen["quiet"] else table, data, chosen["form"], chosen["decimals"])
    if chosen["plot"]:
        from rankgauge.presentation.charts.style import chart_bytes

        write_whole(Path(chosen["plot"]), chart_bytes(chart(), chosen["plot"]))
    deliver(text, chosen["output"])


def deliver(text: str, output: str | None) -> None:
    if output is None:
        click.echo(text, nl=False)
    else:
        write_whole(Path(output), text.encode())


class Report(Protocol):
    """Moves a bar on; work in several stages also says which one it is."""

    def __call__(self, done: int, total: int, stage: str = ..., /) -> None: ...


@contextlib.contextmanager
def progress(what: str, *, shown: bool) -> Iterator[Report | None]:
    """A bar on stderr for long work; nothing unless stderr is a terminal."""
    if not shown or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)

        def report(done: int, total: int, stage: str = what, /) -> None:
            bar.update(task, completed=done, total=total, description=stage)

        yield report
