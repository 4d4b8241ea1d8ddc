"""rankgauge agreement"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command
from rankgauge.cli.output import check_plot, present

if TYPE_CHECKING:
    from rankgauge.analysis.agreement import Agreement


@command('rankgauge agreement judgments.qrels runs/*.trec -m "nDCG@10 nDCG(discount=zipf)@10"')
@inputs.source
@options.policy
@options.plot
@options.output()
def agreement(judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Show whether measures rank the systems in the same order."""
    from rankgauge.analysis.agreement import agreement as compare_orders

    check_plot(chosen)
    found = compare_orders(inputs.scores_from(judgments, runs, measures, chosen))
    present(found, chosen, chart=lambda: _chart(found))


def _chart(found: Agreement) -> Any:
    from rankgauge.presentation.charts.agreement import agreement_chart

    return agreement_chart(found)
