"""The three differences side by side: of the human queries alone, of the judge alone, and of both together."""

from __future__ import annotations

from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.analysis.compare.wording import by_rank, signed
from rankgauge.tables.table import Cell, Column, Table, number


def judge_table(found: MeasureComparison, baseline: str | None) -> Table:
    """A row per pair; `worth` is how many human queries alone would give the combined interval."""
    columns = (
        *(Column("system"), *([] if baseline is not None else [Column("against")])),
        *(number("human only"), number("judge alone", signed=True), number("combined")),
        *(number("ρ", 2), number("worth", 0)),
    )
    rows: list[tuple[Cell, ...]] = []
    for pair in by_rank(found, baseline):
        if pair.judge is None:
            continue
        alone = pair.judge.human_only
        rows.append(
            (
                *(pair.system, *([] if baseline is not None else [pair.baseline])),
                *(_spelled(alone.difference, alone.low, alone.high), pair.judge.judge_only),
                *(_spelled(pair.difference, pair.low, pair.high), pair.judge.correlation, pair.judge.effective_queries),
            )
        )
    first = found.pairs[0].judge
    counts = "" if first is None else f" ({first.human_queries:,} human queries, {first.queries:,} of the judge)"
    return Table(columns, tuple(rows), f"{found.measure}, difference by source{counts}", gap=1)


def _spelled(value: float, low: float, high: float) -> str:
    return f"{signed(value, 3)} [{signed(low, 3)}, {signed(high, 3)}]"
