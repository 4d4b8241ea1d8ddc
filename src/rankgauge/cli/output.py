"""A result to text, and the text to stdout or to a file that is written whole or not at all."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import click

from rankgauge.data.write import write_whole
from rankgauge.tables import plain
from rankgauge.tables.notes import visible
from rankgauge.tables.table import Table

# JSON escapes ASCII controls itself. These would reach a terminal: C1 controls and what turns text round.
_INVISIBLE = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def render(table: Table, data: Callable[[], Any], form: str, decimals: int | None) -> str:
    """The table in one of the forms that every command has; `data` is asked for only by json."""
    from rankgauge.tables.table import to_csv, to_latex, to_markdown, to_text

    if form == "json":
        text = json.dumps(plain(data()), ensure_ascii=False, indent=1)
        return _INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"
    if form in {"csv", "md", "latex"}:
        return {"csv": to_csv, "md": to_markdown, "latex": to_latex}[form](table, decimals)
    color = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return to_text(table, decimals, color=color) + "\n"


def present(
    result: Any,
    chosen: dict[str, Any],
    *,
    table: Table | None = None,
    data: Callable[[], Any] | None = None,
    text: Callable[[], str] | None = None,
    chart: Callable[[], Any] | None = None,
) -> None:
    """Show a result as the options ask: --quiet, --format, --decimals, --plot, --output.

    `table` and `data` are for results that have several tables or forms of plain data, `text` for those that are more
    than a table where people read them.
    """
    form = chosen["form"]
    if text is not None and form == "table":
        shown = text() + "\n"
    else:
        if table is None:
            table = result.wide_table() if form == "csv" and hasattr(result, "wide_table") else result.table()
        if chosen["quiet"]:
            table = replace(table, notes=())
        shown = render(table, data or result.to_dict, form, chosen.get("decimals"))
    if chart is not None and chosen["plot"]:
        from rankgauge.presentation.charts.style import chart_bytes

        write_whole(Path(chosen["plot"]), chart_bytes(chart(), chosen["plot"]))
    deliver(shown, chosen["output"], form)


def deliver(text: str, output: str | None, form: str = "") -> None:
    if output is None:
        if form == "csv" and sys.stdout.isatty():  # exact in a pipe or file, but a name must not move the cursor
            text = "\n".join(map(visible, text.split("\n")))
        try:
            click.echo(text, nl=False, color=True)  # click would cut escapes out of the names in a CSV
        except BrokenPipeError:
            # The reader has gone, as `head` does: nothing is wrong, and click would end with the code of a failed gate.
            close_output()
    else:
        write_whole(Path(output), text.encode())


def close_output() -> None:
    """What is still to be written goes nowhere, so that the end of the program does not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def say(message: str) -> None:
    """Words for people, on stderr; names in them cannot move the cursor."""
    click.echo("\n".join(map(visible, message.split("\n"))), err=True, color=True)


class Report(Protocol):
    """Moves a bar on; work in several stages also says which one it is."""

    def __call__(self, done: int, total: int, stage: str = ..., /) -> None: ...


@contextlib.contextmanager
def progress(what: str, chosen: dict[str, Any]) -> Iterator[Report | None]:
    """A bar on stderr for long work; nothing unless stderr is a terminal."""
    if chosen.get("quiet") or chosen["no_progress"] or not sys.stderr.isatty():
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
