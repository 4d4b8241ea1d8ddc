"""rankgauge simulate"""

from __future__ import annotations

import json
from pathlib import Path

import click

from rankgauge.cli import options
from rankgauge.data.write import write_whole
from rankgauge.errors import UsageError


@click.command()
@click.option("--systems", type=click.IntRange(min=1), default=60, show_default=True, help="Number of runs.")
@click.option("--queries", type=click.IntRange(min=1), default=50, show_default=True, help="Number of queries.")
@click.option("--documents", type=click.IntRange(min=2), default=300, show_default=True, help="Documents per query.")
@click.option("--depth", type=click.IntRange(min=1), default=100, show_default=True, help="Documents a run returns.")
@options.seed
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    type=click.Path(file_okay=False),
    help="Folder to write to; made if it is not there.",
)
def simulate(systems: int, queries: int, documents: int, depth: int, seed: int, folder: str) -> None:
    """Write a collection whose truth is known: judgments, runs, query texts, and the true order of the systems."""
    from rankgauge.analysis.simulate import simulate as draw
    from rankgauge.tables.markup import to_csv
    from rankgauge.tables.table import Column, Table

    collection = draw(systems, queries, documents=documents, seed=seed)
    target = Path(folder)
    try:
        (target / "runs").mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UsageError(f"{target}: cannot be made ({problem.strerror})") from None
    judged = collection.judgments()
    write_whole(
        target / "judgments.qrels",
        "".join(f"{q} 0 {d} {g}\n" for q, found in judged.items() for d, g in found.items()).encode(),
    )
    for system in collection.systems:
        lines = []
        for query, found in collection.run(system, depth).items():
            lines += [
                f"{query} Q0 {document} {rank} {score:.6f} {system}\n"
                for rank, (document, score) in enumerate(found.items(), 1)
            ]
        write_whole(target / "runs" / f"{system}.trec", "".join(lines).encode())
    columns = collection.query_table()
    table = Table(tuple(map(Column, columns)), tuple(zip(*columns.values(), strict=True)))
    write_whole(target / "queries.csv", to_csv(table).encode())
    truth = {
        "seed": seed,
        "best_first": collection.best_first(),
        "system_effects": dict(zip(collection.systems, collection.system_effects.tolist(), strict=True)),
        "query_effects": dict(zip(collection.queries, collection.query_effects.tolist(), strict=True)),
    }
    write_whole(target / "truth.json", (json.dumps(truth, indent=1) + "\n").encode())
    click.echo(
        f"{target}: judgments.qrels, queries.csv, truth.json and {systems} runs of {queries} queries (seed {seed})",
        err=True,
    )
