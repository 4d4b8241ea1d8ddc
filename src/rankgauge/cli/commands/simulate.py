"""rankgauge simulate"""

from __future__ import annotations

import rankgauge
from rankgauge import verbs
from rankgauge.cli import options
from rankgauge.cli.help import at_least, command, input_option, of
from rankgauge.cli.output import say


@command("rankgauge simulate --systems 4 --queries 20 --output demo")
@input_option("--systems", "Number of runs.", of(verbs.simulate, "systems"), default=60)
@input_option("--queries", "Number of queries.", of(verbs.simulate, "queries"), default=50)
@input_option("--documents", "Documents per query.", of(verbs.simulate, "documents"), default=300)
@input_option("--depth", "Documents a run returns.", at_least(1), default=100)
@options.seed
@options.folder
def simulate(systems: int, queries: int, documents: int, depth: int, seed: int, folder: str) -> None:
    """Generate a synthetic collection with a known best system.

    Writes judgments, runs, query texts, and the true order of the systems.
    """
    rankgauge.simulate(systems, queries, documents=documents, seed=seed).save(folder, depth=depth)
    say(f"{folder}: judgments.qrels, queries.csv, truth.json and {systems} runs of {queries} queries (seed {seed})")
