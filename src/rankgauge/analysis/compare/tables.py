"""Comparisons as tables of cells: one to read, one for other programs."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.analysis.compare.findings import MeasureComparison, Pair
from rankgauge.analysis.compare.wording import by_rank, p_text, rank_text, tally_text
from rankgauge.tables.table import Cell, Column, Marked, Table, number

WORDS = {"system", "baseline", "verdict"}
MARKS = {"better": "↑", "worse": "↓", "equivalent": "≈"}
MEANINGS = {
    "better": "↑ significantly better than the baseline",
    "worse": "↓ significantly worse",
    "equivalent": "≈ equivalent",
}


def pair_table(
    measures: Sequence[MeasureComparison], baseline: str | None, caption: str, notes: Sequence[str]
) -> Table:
    """Pairs with means and ranks; the baseline's own row, in bold, leads each measure."""
    rows: list[tuple[Cell, ...]] = []
    marked = set()
    for found in measures:
        systems = {system.name: system for system in found.systems}
        if baseline is not None:
            own = systems[baseline]
            marked.add(len(rows))
            rows.append((found.measure, own.name, own.mean, rank_text(own), *[""] * 5, "baseline"))
        for pair in by_rank(found, baseline):
            first, second = systems[pair.system], pair.baseline
            place = (_marked(first.mean, pair), rank_text(first)) if baseline is not None else (second,)
            rows.append((found.measure, pair.system, *place, *_numbers(pair)))
    place_columns = (number("mean"), number("rank")) if baseline is not None else (Column("against"),)
    differences = (number(name, signed=True) for name in ("difference", "low", "high"))
    columns = (
        *(Column("measure"), Column("system"), *place_columns, *differences),
        *(number("p"), number("wins/ties/losses"), Column("verdict", is_verdict=True)),
    )
    if len(measures) == 1:
        columns, rows = columns[1:], [row[1:] for row in rows]
    legend = _legend(measures) if baseline is not None else ()
    return Table(columns, tuple(rows), caption, (*legend, *notes), frozenset(marked))


def compact_table(measures: Sequence[MeasureComparison], baseline: str, caption: str, notes: Sequence[str]) -> Table:
    """Systems × measures with the marks of significance, as papers print it; the baseline leads, then by rank."""
    pairs = [{pair.system: pair for pair in found.pairs if pair.baseline == baseline} for found in measures]
    means = [{system.name: system.mean for system in found.systems} for found in measures]
    order = [baseline, *(pair.system for pair in by_rank(measures[0], baseline))]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            name,
            *(
                _marked(mean[name], pair[name]) if name in pair else mean[name]
                for mean, pair in zip(means, pairs, strict=True)
            ),
        )
        for name in order
    )
    columns = (Column("system"), *(number(found.measure) for found in measures))
    return Table(columns, rows, caption, (*_legend(measures), *notes), frozenset({0}))


def wide_table(measures: Sequence[MeasureComparison]) -> Table:
    """The columns are named as in the JSON."""
    rows = [{"measure": found.measure, **pair.to_dict()} for found in measures for pair in found.pairs]
    columns = tuple(Column(name) if name in {"measure", *WORDS} else number(name) for name in rows[0])
    return Table(columns, tuple(tuple(row.values()) for row in rows))  # type: ignore[arg-type]  # plain cells


def _marked(mean: float, pair: Pair) -> Cell:
    return Marked(mean, MARKS[pair.verdict]) if pair.verdict in MARKS else mean


def _legend(measures: Sequence[MeasureComparison]) -> tuple[str, ...]:
    """What the marks mean that occur."""
    seen = {pair.verdict for found in measures for pair in found.pairs}
    told = [words for verdict, words in MEANINGS.items() if verdict in seen]
    return (f"{'; '.join(told)}; no mark: undecided",) if told else ()


def _numbers(pair: Pair) -> tuple[Cell, ...]:
    return (pair.difference, pair.low, pair.high, p_text(pair.p_adjusted), tally_text(pair), pair.verdict)
