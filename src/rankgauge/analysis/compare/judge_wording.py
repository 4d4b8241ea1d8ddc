"""The three differences side by side: of the human queries alone, of the judge alone, and of both together."""

from __future__ import annotations

from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.analysis.compare.wording import by_rank, percent, signed
from rankgauge.tables.table import Cell, Column, Table, number


def judge_table(found: MeasureComparison, baseline: str | None, confidence: float) -> Table:
    """A row per pair; `worth` is how many human queries alone would give the combined interval.

    Both intervals are of the pair alone: those at the level that decides would be wider and hide what the judge adds.
    """
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
                *(_spelled(pair.difference, *pair.alone), pair.judge.correlation, pair.judge.effective_queries),
            )
        )
    first = found.pairs[0].judge
    counts = "" if first is None else f"{first.human_queries:,} human queries, {first.queries:,} of the judge; "
    caption = f"{found.measure}, difference by source ({counts}{percent(confidence)} intervals of each pair alone)"
    return Table(columns, tuple(rows), caption, gap=1)


def _spelled(value: float, low: float, high: float) -> str:
    return f"{signed(value, 3)} [{signed(low, 3)}, {signed(high, 3)}]"
