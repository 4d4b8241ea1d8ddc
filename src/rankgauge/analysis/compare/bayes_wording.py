"""Probabilities of every pair in a table."""

from __future__ import annotations

from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.analysis.compare.wording import by_rank
from rankgauge.tables.table import Cell, Column, Table, number


def bayes_table(found: MeasureComparison, baseline: str | None) -> Table:
    """A row per pair: better, the same within the margin, worse; then the difference once shrunk."""
    margin = next((pair.bayes.margin for pair in found.pairs if pair.bayes is not None), 0.0)
    names = (
        ("better", "worse") if not margin else (f"better by {margin:g}", f"within {margin:g}", f"worse by {margin:g}")
    )
    columns = (
        *(Column("system"), *([] if baseline is not None else [Column("against")]), *(number(name) for name in names)),
        *(number("shrunk", signed=True), number("low", signed=True), number("high", signed=True)),
    )
    rows: list[tuple[Cell, ...]] = []
    for pair in by_rank(found, baseline):
        if pair.bayes is None:
            continue
        own = pair.bayes
        chances = (own.better, own.worse) if not margin else (own.better, 1.0 - own.better - own.worse, own.worse)
        rows.append(
            (
                *(pair.system, *([] if baseline is not None else [pair.baseline]), *map(chance_text, chances)),
                *(own.difference, own.low, own.high),
            )
        )
    return Table(columns, tuple(rows), f"{found.measure}, how likely", gap=1)


def chance_text(chance: float) -> str:
    """'97%'; never 0 % or 100 % of what is not certain."""
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    return "<1%" if chance < 0.01 else ">99%" if chance > 0.99 else f"{chance:.0%}"
