"""rankgauge simulate"""

from __future__ import annotations

import click

from rankgauge.cli import options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import say


@command("rankgauge simulate --systems 4 --queries 20 --output demo")
@option("Input", "--systems", type=click.IntRange(min=1), default=60, show_default=True, help="Number of runs.")
@option("Input", "--queries", type=click.IntRange(min=1), default=50, show_default=True, help="Number of queries.")
@option("Input", "--documents", type=click.IntRange(min=2), default=300, show_default=True, help="Documents per query.")
@option("Input", "--depth", type=click.IntRange(min=1), default=100, show_default=True, help="Documents a run returns.")
@options.seed
@option(
    "Output",
    "-o",
    "--output",
    "folder",
    required=True,
    type=click.Path(file_okay=False),
    help="Folder to write to; created if needed.",
)
def simulate(systems: int, queries: int, documents: int, depth: int, seed: int, folder: str) -> None:
    """Generate a synthetic collection with a known best system.

    Writes judgments, runs, query texts, and the true order of the systems.
    """
    import rankgauge

    rankgauge.simulate(systems, queries, documents=documents, seed=seed).save(folder, depth=depth)
    say(f"{folder}: judgments.qrels, queries.csv, truth.json and {systems} runs of {queries} queries (seed {seed})")
