"""rankgauge measures"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgauge.cli import options
from rankgauge.cli.help import command
from rankgauge.cli.output import deliver, render

if TYPE_CHECKING:
    from rankgauge.measures.description import Description
    from rankgauge.tables.table import Table


@command("rankgauge measures", "rankgauge measures --format csv --output measures.csv")
@options.output(decimals=False)
def measures(**chosen: Any) -> None:
    """List all measures and what they are.

    `rankgauge explain MEASURE` explains one of them.
    """
    import rankgauge

    listed = [rankgauge.measures.describe(rankgauge.Measure(one)) for one in rankgauge.measures.catalogue()]
    table = _list(listed, brief=chosen["form"] == "table")
    data = {"measures": [one.to_dict() for one in listed]}
    deliver(render(table, lambda: data, chosen["form"], None), chosen["output"])


def _list(listed: list[Description], *, brief: bool) -> Table:
    from rankgauge.tables.table import Column, Table

    caption = f"{len(listed)} measures"
    if brief:
        titles = tuple((one.form, one.title) for one in listed)
        return Table((Column("measure"), Column("what it is")), titles, caption)
    names = ("measure", "what it is", "range", "source", "also read")
    rows = tuple((one.form, one.title, one.range, one.source, spellings(one)) for one in listed)
    return Table(tuple(map(Column, names)), rows, caption)


def spellings(one: Description) -> str:
    return ", ".join(f"{name} as {canonical}" for name, canonical in one.spellings)
