"""A comparison in tables: numbers as text, tables to read, the table of a paper, one for other programs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.analysis.compare.statistics.families import FAMILY_TESTS
from rankgauge.analysis.compare.statistics.judged import PairJudge
from rankgauge.analysis.compare.statistics.shrinkage import PairBayes
from rankgauge.analysis.compare.verdicts import MeasureComparison, Pair
from rankgauge.errors import plural
from rankgauge.tables.notes import NOUNS
from rankgauge.tables.table import BOLD, Cell, Column, Marked, P, Table, number, spell

WORDS = {"system", "baseline", "verdict", "robust"}
MARKS = {"better": "↑", "worse": "↓", "equivalent": "≈"}
MEANINGS = {"better": "↑ significantly better", "worse": "↓ significantly worse", "equivalent": "≈ equivalent"}
SHORT = {"difference": "diff.", "wins/ties/losses": "w/t/l"}


def interval_text(low: float, high: float, confidence: float) -> str:
    """Such as '95% interval +0.0100 to +0.0502'."""
    if math.isnan(low):
        return "no interval"
    return f"{percent(confidence)} interval {signed(low)} to {signed(high)}"


def signed(number: float, decimals: int = 4) -> str:
    return f"{number + 0.0:+.{decimals}f}" if math.isfinite(number) else "-"


def p_text(p: float) -> str:
    return "-" if math.isnan(p) else spell(p, P, 4)


def p_words(pair: Pair, floors: Sequence[float] = ()) -> str:
    """The adjusted p-value; where no sample was as extreme (`floors`: p is then 1/(1 + samples)), it is a bound."""
    at_floor = any(math.isclose(pair.p, floor, rel_tol=1e-9) for floor in floors)
    text = p_text(pair.p_adjusted)
    return f"≤{text}" if at_floor and text[0] not in "<-" else text


def percent(confidence: float) -> str:
    """'95%' or '99.98%': as many decimals as it takes to stay below 100."""
    decimals = 2
    while float(f"{100 * confidence:.{decimals}f}") >= 100 and decimals < 12:
        decimals += 1
    return f"{100 * confidence:.{decimals}f}".rstrip("0").rstrip(".") + "%"


def method_text(
    measures: Sequence[MeasureComparison],
    test: str,
    correction: str,
    confidence: float,
    interval: str,
    *,
    alone: bool,
    within: bool = False,
    shown: bool = True,
) -> str:
    """How p-values and, where they are `shown`, intervals were made; `within` each measure by itself."""
    counts = [sum(not math.isnan(pair.p) for pair in found.pairs) for found in measures]
    family = max(counts) if within else sum(counts)
    if not family:
        return f"{test} test; no pair has two queries in common, so none could be tested"
    apart = " of each measure" if within and len(measures) > 1 else ""
    adjusted = f"p adjusted ({correction}) for {plural(family, 'comparison')}{apart}"
    if test in FAMILY_TESTS:
        times = f", times {len(measures)} measures" if len(measures) > 1 and correction != "none" and not apart else ""
        adjusted = f"p holds for all pairs of a measure{times}"
    elif correction == "none":
        adjusted = "p not adjusted"
    how = _interval_method(test, correction, confidence, interval, family=1 if alone else family)
    adjusted = "" if family == 1 and correction == "none" else f", {adjusted}"
    how = f"; {how.replace('step: ', 'step: up to ') if apart else how}" if shown else ""
    return f"{test} test{adjusted}{how}"


def _interval_method(test: str, correction: str, confidence: float, interval: str, *, family: int) -> str:
    level = percent(confidence)
    if family > 1 and (test in FAMILY_TESTS or correction == "max-t"):
        return f"{level} {'bootstrap ' if interval == 'bootstrap' else ''}intervals that hold together"
    if correction == "none" or family == 1:
        return f"{level} {interval} intervals of each pair alone"
    step = {"holm": "Holm", "bh": "Benjamini-Hochberg"}[correction]
    return f"{interval} intervals at the level that decides ({step} step: {level})"


def by_rank(found: MeasureComparison, baseline: str | None) -> list[Pair]:
    """The pairs of the baseline, best system first; all pairs as compared where there is none."""
    if baseline is None:
        return list(found.pairs)
    ranks = {system.name: system.rank for system in found.systems}
    return sorted((pair for pair in found.pairs if pair.baseline == baseline), key=lambda pair: ranks[pair.system])


def rank_text(system: SystemSummary) -> str:
    """'3 (2-5)': the rank, and those it could have on other queries; '2' where no other is likely."""
    if system.rank_low == system.rank_high:
        return f"{system.rank}"
    return f"{system.rank} ({system.rank_low}-{system.rank_high})"


def tally_text(pair: Pair) -> str:
    return f"{pair.wins:,}/{pair.ties:,}/{pair.losses:,}"


def measure_table(
    found: MeasureComparison, baseline: str | None, caption: str = "", floors: Sequence[float] = ()
) -> Table:
    """The pairs of one measure in 80 columns, for a terminal: the verdict needs no marks there."""
    table = pair_table([found], baseline, caption or found.measure, (), marks={}, floors=floors)
    short = tuple(replace(column, name=SHORT.get(column.name, column.name)) for column in table.columns)
    return replace(table, columns=short, notes=(), gap=1)


def pair_table(
    measures: Sequence[MeasureComparison],
    baseline: str | None,
    caption: str,
    notes: Sequence[str],
    method: str = "",
    marks: Mapping[str, str] = MARKS,
    *,
    sources: bool = False,
    floors: Sequence[float] = (),
) -> Table:
    """Pairs with means and ranks; the baseline's own row, in bold, leads each measure.

    With `sources`, where a judge had a say, also the differences of the human queries and of the judge alone.
    """
    shown = [pair for found in measures for pair in found.pairs]
    sources = sources and any(pair.judge is not None for pair in shown)
    extra = ["robust"] if any(pair.robust is not None for pair in shown) else []
    rows: list[tuple[Cell, ...]] = []
    marked = set()
    for found in measures:
        systems = {system.name: system for system in found.systems}
        if baseline is not None:
            marked.add(len(rows))
            own, blank = systems[baseline], [""] * (7 if sources else 5)
            rows.append((found.measure, own.name, own.mean, rank_text(own), *blank, "baseline", *[""] * len(extra)))
        for pair in by_rank(found, baseline):
            own = systems[pair.system]
            place = (with_mark(own.mean, pair, marks), rank_text(own)) if baseline is not None else (pair.baseline,)
            numbers = (pair.difference, pair.low, pair.high, p_words(pair, floors), tally_text(pair))
            apart = _sources(pair) if sources else ()
            words = (pair.word, *(getattr(pair, name) for name in extra))
            rows.append((found.measure, pair.system, *place, *numbers, *apart, *words))
    place_columns = (number("mean"), number("rank")) if baseline is not None else (Column("against"),)
    differences = (number(name, signed=True) for name in ("difference", "low", "high"))
    apart_columns = (number(name, signed=True) for name in ("human only", "judge alone") if sources)
    columns = (
        *(Column("measure"), Column("system"), *place_columns, *differences),
        *(number("p"), number("wins/ties/losses"), *apart_columns, Column("verdict", is_verdict=True)),
        *map(Column, extra),
    )
    if len(measures) == 1:
        columns, rows = columns[1:], [row[1:] for row in rows]
    legend = (*(legend_of(measures) if baseline is not None else ()), *filter(None, [method]))
    return Table(columns, tuple(rows), caption, tuple(notes), frozenset(marked), legend=legend)


def wide_table(measures: Sequence[MeasureComparison]) -> Table:
    """The columns are named as in the JSON."""
    rows = flat_rows(measures)
    columns = tuple(Column(name) if name in {"measure", *WORDS} else number(name) for name in rows[0])
    return Table(columns, tuple(tuple(row.values()) for row in rows))


def flat_rows(measures: Sequence[MeasureComparison]) -> list[dict[str, Any]]:
    """One row per measure and pair."""
    return [{"measure": found.measure, **_flat(pair)} for found in measures for pair in found.pairs]


def _flat(pair: Pair) -> dict[str, Any]:
    """A pair without parts inside parts: judge_slope, judge_human_only_low, bayes_better, …"""
    found: dict[str, Any] = pair.to_dict()
    found |= {f"bayes_{name}": part for name, part in found.pop("bayes", {}).items()}
    judge = found.pop("judge", None) or {}
    human = judge.pop("human_only", {})
    found |= {f"judge_{name}": part for name, part in judge.items()}
    return found | {f"judge_human_only_{name}": part for name, part in human.items()}


def with_mark(mean: float, pair: Pair, marks: Mapping[str, str] = MARKS) -> Cell:
    return Marked(mean, marks[pair.verdict]) if pair.verdict in marks else mean


def legend_of(measures: Sequence[MeasureComparison], baseline: str = "the baseline") -> tuple[str, ...]:
    """What the marks mean that occur."""
    seen = {pair.verdict for found in measures for pair in found.pairs}
    words = [words for verdict, words in MEANINGS.items() if verdict in seen]
    if not words:
        return ()
    words[0] += f" {'to' if words[0] == MEANINGS['equivalent'] else 'than'} {baseline}"
    same = " or the same" if any(pair.is_same for found in measures for pair in found.pairs) else ""
    return ("; ".join([*words, f"no mark: undecided{same}"]),)


def _sources(pair: Pair) -> tuple[Cell, ...]:
    return (None, None) if pair.judge is None else (pair.judge.human_only.difference, pair.judge.judge_only)


def paper_table(
    measures: Sequence[MeasureComparison],
    baseline: str,
    method: str,
    notes: Sequence[str],
    *,
    caption: str | None = None,
    label: str | None = None,
    noun: str = NOUNS[0],
) -> Table:
    """The baseline leads, then by rank on the first measure; notes are for the author."""
    pairs = [{pair.system: pair for pair in found.pairs if pair.baseline == baseline} for found in measures]
    means = [{system.name: system.mean for system in found.systems} for found in measures]
    order = [baseline, *(pair.system for pair in by_rank(measures[0], baseline))]
    marked = [
        {name: with_mark(own, pair[name]) if name in pair else own for name, own in mean.items()}
        for mean, pair in zip(means, pairs, strict=True)
    ]
    rows = tuple((name, *(column[name] for column in marked)) for name in order)
    best = frozenset(
        (at, column)
        for column, mean in enumerate(means, start=1)
        for at, name in enumerate(order)
        if mean[name] == max(mean[name] for name in order)
    )
    queries = max(system.query_count for system in measures[0].systems)
    usual = f"Means over {plural(queries, noun)}; marks against {baseline}"
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


def judge_table(found: MeasureComparison, baseline: str | None, confidence: float) -> Table:
    """A row per pair; `worth` is how many human queries alone would give the combined interval.

    Both intervals are of the pair alone: those at the level that decides would be wider and hide what the judge adds.
    """
    columns = (
        *(number("human only"), number("judge alone", signed=True), number("combined")),
        *(number("ρ", 2), number("worth", 0)),
    )

    def cells(pair: Pair, judge: PairJudge) -> tuple[Cell, ...]:
        own = judge.human_only
        sources = (
            _spelled(own.difference, own.low, own.high),
            judge.judge_only,
            _spelled(pair.difference, *pair.alone),
        )
        return (*sources, judge.correlation, judge.effective_queries)

    rows = [(pair, cells(pair, pair.judge)) for pair in by_rank(found, baseline) if pair.judge is not None]
    first = found.pairs[0].judge
    counts = "" if first is None else f"{first.human_queries:,} human queries, {first.queries:,} of the judge; "
    caption = f"{found.measure}, difference by source ({counts}{percent(confidence)} intervals of each pair alone)"
    return _beside(baseline, columns, rows, caption)


def _spelled(value: float, low: float, high: float) -> str:
    return f"{signed(value, 3)} [{signed(low, 3)}, {signed(high, 3)}]"


def bayes_table(found: MeasureComparison, baseline: str | None) -> Table:
    """A row per pair: better, the same within the margin, worse; then the difference once shrunk."""
    margin = next((pair.bayes.margin for pair in found.pairs if pair.bayes is not None), 0.0)
    names = (
        ("better", "worse") if not margin else (f"better by {margin:g}", f"within {margin:g}", f"worse by {margin:g}")
    )
    columns = (*map(number, names), *(number(name, signed=True) for name in ("shrunk", "low", "high")))

    def cells(own: PairBayes) -> tuple[Cell, ...]:
        within = (1.0 - own.better - own.worse,) if margin else ()
        return (*map(chance_text, (own.better, *within, own.worse)), own.difference, own.low, own.high)

    rows = [(pair, cells(pair.bayes)) for pair in by_rank(found, baseline) if pair.bayes is not None]
    return _beside(baseline, columns, rows, f"{found.measure}, how likely")


def _beside(
    baseline: str | None, columns: Sequence[Column], rows: Sequence[tuple[Pair, tuple[Cell, ...]]], caption: str
) -> Table:
    """A table of more about the pairs: their names, then the cells given."""
    if baseline is not None:
        return Table((Column("system"), *columns), tuple((pair.system, *cells) for pair, cells in rows), caption, gap=1)
    named = tuple((pair.system, pair.baseline, *cells) for pair, cells in rows)
    return Table((Column("system"), Column("against"), *columns), named, caption, gap=1)


def chance_text(chance: float) -> str:
    """'97%'; never 0 % or 100 % of what is not certain."""
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    return "<1%" if chance < 0.01 else ">99%" if chance > 0.99 else f"{chance:.0%}"


def alone_table(parts: Sequence[MeasureComparison], caption: str = "", notes: Sequence[str] = ()) -> Table:
    """One row per measure."""
    columns = (Column("measure"), Column("system"), number("mean"), number("low"), number("high"), number("queries"))
    rows = tuple(
        (part.measure, system.name, system.mean, system.low, system.high, system.query_count)
        for part in parts
        for system in part.systems
    )
    return Table(columns, rows, caption, tuple(notes))
