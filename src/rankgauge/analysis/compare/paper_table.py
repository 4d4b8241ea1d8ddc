"""The table of a paper: systems × measures, the best of each column in bold, marks against the baseline."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.analysis.compare.wording import by_rank, legend_of, with_mark
from rankgauge.errors import plural
from rankgauge.tables.table import BOLD, Cell, Column, Table, number


def paper_table(
    measures: Sequence[MeasureComparison],
    baseline: str,
    method: str,
    notes: Sequence[str],
    *,
    caption: str | None = None,
    label: str | None = None,
) -> Table:
    """The baseline leads, then by rank on the first measure; notes are for the author."""
    pairs = [{pair.system: pair for pair in found.pairs if pair.baseline == baseline} for found in measures]
    means = [{system.name: system.mean for system in found.systems} for found in measures]
    order = [baseline, *(pair.system for pair in by_rank(measures[0], baseline))]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            *(
                with_mark(mean[name], pair[name]) if name in pair else mean[name]
                for mean, pair in zip(means, pairs, strict=True)
            ),
        )
        for name in order
    )
    best = frozenset(
        (at, column)
        for column, mean in enumerate(means, start=1)
        for at, name in enumerate(order)
        if mean[name] == max(mean[name] for name in order)
    )
    queries = max(system.query_count for system in measures[0].systems)
    usual = f"Means over {plural(queries, 'query')}; marks against {baseline}"
    return Table(
        (Column("system"), *(number(found.measure) for found in measures)),
        rows,
        usual if caption is None else caption,
        tuple(notes),
        bold=best,
        label=label or "",
        folded=True,
        legend=(BOLD, *legend_of(measures, baseline), method),
    )
