"""rankgauge agreement"""

from __future__ import annotations

from typing import Any

import rankgauge
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command
from rankgauge.cli.output import present, progress


@command('rankgauge agreement judgments.qrels runs/*.trec -m "nDCG@10 nDCG(discount=zipf)@10"')
@inputs.source
@options.policy
@options.plot
@options.output()
def agreement(**chosen: Any) -> None:
    """Show whether measures rank the systems in the same order."""
    with progress("evaluating", chosen) as report:
        found = rankgauge.agreement(**inputs.scores_or_collection(chosen), progress=report)
    present(found, chosen, chart=lambda: rankgauge.plot.agreement(found))
