"""rankgauge measures"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rankgauge
from rankgauge.cli import options
from rankgauge.cli.help import command
from rankgauge.cli.output import present
from rankgauge.tables.table import Column, Table

if TYPE_CHECKING:
    from rankgauge.measures.other_names import Description


@command("rankgauge measures", "rankgauge measures --format csv --output measures.csv")
@options.output(decimals=False)
def measures(**chosen: Any) -> None:
    """List all measures and what they are.

    `rankgauge explain MEASURE` explains one of them.
    """
    listed = [rankgauge.measures.describe(rankgauge.Measure(one)) for one in rankgauge.measures.catalogue()]
    names: tuple[str, ...] = ("measure", "what it is", "range", "source", "also read")
    rows = [(one.form, one.title, one.range, one.source, spellings(one)) for one in listed]
    shown = 2 if chosen["form"] == "table" else len(names)
    table = Table(tuple(map(Column, names[:shown])), tuple(row[:shown] for row in rows), f"{len(listed)} measures")
    present(listed, chosen, table=table, data=lambda: {"measures": listed})


def spellings(one: Description) -> str:
    return ", ".join(f"{name} as {canonical}" for name, canonical in one.spellings)
