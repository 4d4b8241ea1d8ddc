"""rankgauge example"""

from __future__ import annotations

import rankgauge
from rankgauge.cli import options
from rankgauge.cli.help import command
from rankgauge.cli.output import say


@command("rankgauge example --output example")
@options.folder
def example(folder: str) -> None:
    """Write the example collection: real systems to try things on.

    Ten learning-to-rank systems on 251 judged queries of LightGBM's example, cross-validated: judgments, runs, a table of
    queries, all scores in one table, and the license of the data.
    """
    collection = rankgauge.examples.load()
    collection.save(folder)
    say(
        f"{folder}: judgments.qrels, queries.csv, table.csv, NOTICE.md and {len(collection.systems)} runs of "
        f"{collection.queries.height} queries"
    )
