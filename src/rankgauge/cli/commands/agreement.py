"""rankgauge agreement"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.output import check_plot, present

if TYPE_CHECKING:
    from rankgauge.analysis.agreement import Agreement


@click.command()
@inputs.source
@options.plot
@options.policy
@options.output()
def agreement(judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Do two or more measures order the systems alike?"""
    from rankgauge.analysis.agreement import agreement as compare_orders

    check_plot(chosen)
    found = compare_orders(inputs.scores_from(judgments, runs, measures, chosen))
    table = found.wide_table() if chosen["form"] == "csv" else found.table()
    present(table, found.to_dict, chosen, lambda: _chart(found))


def _chart(found: Agreement) -> Any:
    from rankgauge.presentation.charts.agreement import agreement_chart

    return agreement_chart(found)
