"""rankgauge optimize"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.output import deliver, progress, render

if TYPE_CHECKING:
    from rankgauge.analysis.optimal.result import Optimum
    from rankgauge.tables.table import Table


@click.command()
@options.collection
@options.policy
@click.option(
    "--over",
    type=click.Choice(["discount", "gain", "both"]),
    default="discount",
    show_default=True,
    help="What to search.",
)
@click.option("--unconstrained", is_flag=True, help="Let the discount rise and the gain fall.")
@click.option(
    "--folds",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="Folds of queries to hold out; 0 for none.",
)
@click.option(
    "--repeats", type=click.IntRange(min=1), default=4, show_default=True, help="How often the queries are folded anew."
)
@options.seed
@options.output()
def optimize(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Find the gain and discount that need the fewest queries, and try them on queries they never saw."""
    from rankgauge.analysis.optimal.collection import optimize as search
    from rankgauge.errors import UsageError

    if len(measures) > 1:
        raise UsageError("optimize starts from one measure; name one with -m, as in nDCG@20")
    policy = options.policy_from(chosen)
    shown = not (chosen["quiet"] or chosen["no_progress"])
    with progress("searching", shown=shown) as report:
        found = search(
            options.judgments_from(judgments),
            options.runs_from(runs),
            measures[0] if measures else "nDCG@20",
            over=chosen["over"],
            constrained=not chosen["unconstrained"],
            folds=chosen["folds"],
            repeats=chosen["repeats"],
            seed=chosen["seed"],
            policy=policy,
            progress=None if report is None else lambda _, done, total: report(done, total),
        )
    deliver(render(_table(found), found.to_dict, chosen["form"], chosen["decimals"]), chosen["output"])


def _table(found: Optimum) -> Table:
    from rankgauge.tables.table import Column, Table, number

    data = found.to_dict()
    unseen = {one.name: one.dependability for one in found.held_out.candidates} if found.held_out else {}
    columns = (Column("candidate"), number("Φ, these queries"), number("queries for 0.95"), number("Φ, unseen queries"))
    phi, needed = data["dependability_per_query"], data["queries_needed"]
    pair = [(name, phi[name], needed[name].get("0.95"), unseen.get(name)) for name in ("start", "optimum")]
    rows = [*pair, *((name, None, None, value) for name, value in unseen.items() if name not in phi)]
    notes = [
        f"start: {data['start']}",
        f"optimum: {data['optimum']}",
        f"recommendation: {data['recommendation']}" + (" (keep what you have)" if found.keeps_start else ""),
        f"Φ is for one query; gap {data['gap']:.1g}, spread of {data['starts']['count']} starts {data['starts']['spread']:.1g}, seed {found.seed}",
        *(str(note) for note in found.notes),
    ]
    return Table(
        columns,
        tuple(rows),
        f"{' and '.join(found.over)} of {found.systems} systems on {found.queries} queries",
        tuple(notes),
    )
