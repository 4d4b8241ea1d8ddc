"""rankgauge agreement"""

from __future__ import annotations

from typing import Any

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command
from rankgauge.cli.output import check_plot, present, progress


@command('rankgauge agreement judgments.qrels runs/*.trec -m "nDCG@10 nDCG(discount=zipf)@10"')
@inputs.source
@options.policy
@options.plot
@options.output()
def agreement(judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Show whether measures rank the systems in the same order."""
    import rankgauge

    check_plot(chosen)
    with progress("evaluating", chosen) as report:
        found = rankgauge.agreement(**inputs.scores_or_collection(judgments, runs, measures, chosen), progress=report)
    present(found, chosen, chart=lambda: rankgauge.plot.agreement(found))
