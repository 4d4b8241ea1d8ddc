"""A comparison in words and tables: the sentence on top, tables to read, one for other programs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.analysis.compare.statistics.judged import RANDOM
from rankgauge.analysis.compare.statistics.tukey import FAMILY_TESTS
from rankgauge.analysis.compare.verdicts import MeasureComparison, Pair
from rankgauge.errors import plural
from rankgauge.tables.table import Cell, Column, Marked, Table, number

WORDS = {"system", "baseline", "verdict", "robust"}
MARKS = {"better": "↑", "worse": "↓", "equivalent": "≈"}
MEANINGS = {
    "better": "↑ significantly better than {}",
    "worse": "↓ significantly worse",
    "equivalent": "≈ equivalent",
}
SHORT = {"difference": "diff.", "wins/ties/losses": "w/t/l"}


def summary_sentence(
    measures: Sequence[MeasureComparison], *, baseline: str | None, confidence: float, equivalence: float | None
) -> str:
    """One sentence for a reader who reads no further: on the first measure, and whether the others agree."""
    lead = measures[0]
    if len(lead.pairs) == 1:
        text = _one_pair(lead, lead.pairs[0], confidence, equivalence)
    elif baseline is None:
        text = _all_pairs(lead)
    else:
        text = _against_baseline(lead, baseline, confidence)
    condition = f"; {RANDOM}" if lead.pairs and lead.pairs[0].judge is not None else ""
    return text + _other_measures(measures) + condition + "."


def interval_text(low: float, high: float, confidence: float) -> str:
    """Such as '95% interval +0.0100 to +0.0502'."""
    if math.isnan(low):
        return "no interval"
    return f"{percent(confidence)} interval {signed(low)} to {signed(high)}"


def signed(number: float, decimals: int = 4) -> str:
    return f"{number + 0.0:+.{decimals}f}" if math.isfinite(number) else "-"


def p_text(p: float) -> str:
    if math.isnan(p):
        return "-"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


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
) -> str:
    """How p-values and intervals were made, for the foot of the table; `within` each measure by itself."""
    counts = [sum(not math.isnan(pair.p) for pair in found.pairs) for found in measures]
    family = max(counts) if within else sum(counts)
    apart = " of each measure" if within and len(measures) > 1 else ""
    adjusted = f"p adjusted ({correction}) for {plural(family, 'comparison')}{apart}"
    if test in FAMILY_TESTS:
        times = f", times {len(measures)} measures" if len(measures) > 1 and correction != "none" and not apart else ""
        adjusted = f"p holds for all pairs of a measure{times}"
    elif correction == "none":
        adjusted = "p not adjusted"
    if correction == "max-t":
        adjusted = f"p holds for all {plural(family, 'comparison')}{apart} (max-t)"
    how = _interval_method(test, correction, confidence, interval, family=1 if alone else family)
    return f"{test} test, {adjusted}; {how.replace('step: ', 'step: up to ') if apart else how}"


def _interval_method(test: str, correction: str, confidence: float, interval: str, *, family: int) -> str:
    level = percent(confidence)
    if family > 1 and (test in FAMILY_TESTS or correction == "max-t"):
        return f"{level} intervals that hold together"
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


def _one_pair(found: MeasureComparison, pair: Pair, confidence: float, equivalence: float | None) -> str:
    if pair.verdict == "undecided" and pair.query_count and not pair.wins + pair.losses:
        return f"{pair.system} and {pair.baseline} are the same on all {plural(pair.query_count, 'query')} ({found.measure})"
    evidence = f"({interval_text(pair.low, pair.high, confidence)}, p = {p_text(pair.p_adjusted)})".replace("= <", "< ")
    differs = f"{found.measure} differs by {signed(pair.difference)} {evidence} on {_counted(pair)}"
    if pair.verdict == "equivalent":
        return f"{pair.system} and {pair.baseline} are equivalent: {differs}, within ±{equivalence:g}"
    differs += _detectable(pair.detectable_difference)
    if pair.verdict != "undecided":
        return f"{pair.system} is {pair.verdict} than {pair.baseline}: {differs}"
    return f"Undecided between {pair.system} and {pair.baseline}: {differs}; {_needed(pair)}"


def _against_baseline(found: MeasureComparison, baseline: str, confidence: float) -> str:
    tally = Counter(pair.verdict for pair in found.pairs)
    best = max(found.pairs, key=lambda pair: (pair.verdict == "better", pair.difference))
    better = "None" if not tally["better"] else f"{tally['better']:,}"
    verb = "are" if tally["better"] > 1 else "is"
    text = f"{better} of {len(found.pairs):,} systems {verb} better than {baseline} on {found.measure}"
    if best.verdict == "better":
        text += f" (most: {best.system}, {signed(best.difference)}, {interval_text(best.low, best.high, confidence)})"
    rest = [_are(tally[word], word) for word in ("worse", "equivalent", "undecided") if tally[word]]
    return text + "".join(f", {part}" for part in rest) + _closest(found)


def _all_pairs(found: MeasureComparison) -> str:
    tally = Counter(pair.verdict for pair in found.pairs)
    first = min(found.systems, key=lambda system: system.rank)
    different = tally["better"] + tally["worse"]
    verb = "differs significantly" if different == 1 else "differ significantly"
    text = f"{different:,} of {plural(len(found.pairs), 'pair')} of systems {verb} on {found.measure}"
    if tally["equivalent"]:
        text += f", {_are(tally['equivalent'], 'equivalent')}"
    ranks = "1" if first.rank_high == 1 else f"{first.rank_low} to {first.rank_high}"
    return (
        f"{text}; {first.name} has the highest mean, {first.mean:.4f} (rank {ranks} on other queries of this kind)"
        + _closest(found)
    )


def _closest(found: MeasureComparison) -> str:
    most = max(found.pairs, key=lambda pair: pair.query_count)
    text = f"; {_counted(most)}{_detectable(found.detectable_difference).removeprefix(', which')}"
    needed = [pair for pair in found.pairs if pair.queries_needed is not None]
    if needed:
        pair = min(needed, key=lambda pair: pair.queries_needed or 0)
        text += f", and {pair.queries_needed:,}{range_text(pair)} would settle {pair.system} against {pair.baseline}"
    return text


def _detectable(difference: float) -> str:
    return "" if math.isnan(difference) else f", which can detect a difference of {difference:.2g}"


def _counted(pair: Pair) -> str:
    if pair.judge is None:
        return plural(pair.query_count, "query")
    return f"{pair.judge.human_queries:,} human queries beside {pair.judge.queries:,} of the judge"


def _needed(pair: Pair) -> str:
    if pair.judge is not None:
        if pair.queries_needed is None:
            return "more human queries would not settle it, more queries might"
        return f"about {pair.queries_needed:,} human queries would settle it"
    if pair.queries_needed is None:
        return "more queries like these would not settle it"
    return f"{plural(pair.queries_needed, 'query')} would settle it with 80% assurance{range_text(pair)}"


def range_text(pair: Pair) -> str:
    """' (50 to 4,000)': where the number for the true difference may lie."""
    low, high = pair.queries_needed_low, pair.queries_needed_high
    if low is None or high is None or low == high:
        return ""
    return f" ({low:,} to {high:,})" if high < 10**6 else f" ({low:,} to over a million)"


def _other_measures(measures: Sequence[MeasureComparison]) -> str:
    lead = [pair.verdict for pair in measures[0].pairs]
    if len(lead) == 1:
        return "".join(f"; {found.measure} {_too(found.pairs[0], lead[0])}" for found in measures[1:])
    other = {
        found.measure: sum(a != b.verdict for a, b in zip(lead, found.pairs, strict=True)) for found in measures[1:]
    }
    same = [name for name, changed in other.items() if not changed]
    text = f"; the same on {', '.join(same)}" if same else ""
    for name, changed in other.items():
        if changed:
            text += f"; {name} says otherwise for {changed} of {len(lead)}"
    for found in measures[1:]:
        # Verdicts against a baseline may agree although another system is best.
        if len(found.systems) > 2 and _leader(found) != _leader(measures[0]):
            text += f"; on {found.measure} {_leader(found)} leads, not {_leader(measures[0])}"
    return text


def _too(pair: Pair, lead: str) -> str:
    """'+0.0355 (undecided too)': one more measure of the pair that the sentence is about."""
    if pair.query_count and not pair.wins + pair.losses:
        return "+0.0000 (the same on every query)"
    return f"{signed(pair.difference)} ({pair.verdict}{' too' if pair.verdict == lead else ''})"


def _leader(found: MeasureComparison) -> str:
    return min(found.systems, key=lambda system: (system.rank, system.name)).name


def _are(number: int, word: str) -> str:
    return f"{number or 'none'} {'is' if number < 2 else 'are'} {word}"


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
    sources = sources and any(pair.judge is not None for found in measures for pair in found.pairs)
    rows: list[tuple[Cell, ...]] = []
    marked = set()
    extra = ["robust"] if any(pair.robust is not None for found in measures for pair in found.pairs) else []
    for found in measures:
        systems = {system.name: system for system in found.systems}
        if baseline is not None:
            own = systems[baseline]
            marked.add(len(rows))
            rows.append(
                (
                    found.measure,
                    own.name,
                    own.mean,
                    rank_text(own),
                    *[""] * (7 if sources else 5),
                    "baseline",
                    *[""] * len(extra),
                )
            )
        for pair in by_rank(found, baseline):
            first, second = systems[pair.system], pair.baseline
            place = (with_mark(first.mean, pair, marks), rank_text(first)) if baseline is not None else (second,)
            *numbers, verdict = _numbers(pair, floors)
            rows.append(
                (
                    found.measure,
                    pair.system,
                    *place,
                    *numbers,
                    *(_sources(pair) if sources else ()),
                    verdict,
                    *(getattr(pair, name) for name in extra),
                )
            )
    place_columns = (number("mean"), number("rank")) if baseline is not None else (Column("against"),)
    differences = (number(name, signed=True) for name in ("difference", "low", "high"))
    apart = [number(name, signed=True) for name in ("human only", "judge alone")] if sources else []
    columns = (
        *(Column("measure"), Column("system"), *place_columns, *differences),
        *(number("p"), number("wins/ties/losses"), *apart, Column("verdict", is_verdict=True)),
        *map(Column, extra),
    )
    if len(measures) == 1:
        columns, rows = columns[1:], [row[1:] for row in rows]
    legend = (*(legend_of(measures) if baseline is not None else ()), *filter(None, [method]))
    return Table(columns, tuple(rows), caption, tuple(notes), frozenset(marked), legend=legend)


def wide_table(measures: Sequence[MeasureComparison]) -> Table:
    """The columns are named as in the JSON."""
    rows = [{"measure": found.measure, **flat(pair)} for found in measures for pair in found.pairs]
    columns = tuple(Column(name) if name in {"measure", *WORDS} else number(name) for name in rows[0])
    return Table(columns, tuple(tuple(row.values()) for row in rows))


def flat(pair: Pair) -> dict[str, Any]:
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
    seen_words = [words.format(baseline) for verdict, words in MEANINGS.items() if verdict in seen]
    return (f"{'; '.join(seen_words)}; no mark: undecided",) if seen_words else ()


def _sources(pair: Pair) -> tuple[Cell, ...]:
    return (None, None) if pair.judge is None else (pair.judge.human_only.difference, pair.judge.judge_only)


def _numbers(pair: Pair, floors: Sequence[float]) -> tuple[Cell, ...]:
    return (pair.difference, pair.low, pair.high, p_words(pair, floors), tally_text(pair), pair.verdict)
