"""A comparison in words: the sentence on top, and a table that fits a terminal of 80 columns."""

from __future__ import annotations

import math
import textwrap
from collections import Counter
from collections.abc import Sequence

from rankgauge.analysis.compare.findings import MeasureComparison, Pair, SystemSummary
from rankgauge.analysis.compare.tukey import FAMILY_TESTS
from rankgauge.errors import plural

WIDTH = 80


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
    return text + _other_measures(measures) + "."


def interval_text(low: float, high: float, confidence: float) -> str:
    """Such as '95 % interval +0.0100 to +0.0502'."""
    if math.isnan(low):
        return "no interval"
    return f"{100 * confidence:g} % interval {signed(low)} to {signed(high)}"


def signed(number: float, decimals: int = 4) -> str:
    return f"{number + 0.0:+.{decimals}f}" if math.isfinite(number) else "-"


def p_text(p: float) -> str:
    if math.isnan(p):
        return "-"
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def method_text(
    measures: Sequence[MeasureComparison], test: str, correction: str, confidence: float, interval: str
) -> str:
    """How p-values and intervals were made, for the foot of the table."""
    family = sum(not math.isnan(pair.p) for found in measures for pair in found.pairs)
    adjusted = f"p adjusted ({correction}) for {plural(family, 'comparison')}"
    if test in FAMILY_TESTS:
        times = f", times {len(measures)} measures" if len(measures) > 1 and correction != "none" else ""
        adjusted = f"p holds for all pairs of a measure{times}"
    elif correction == "none":
        adjusted = "p not adjusted"
    return f"{test} test, {adjusted}; {100 * confidence:g} % {interval} intervals of each pair alone"


def measure_table(found: MeasureComparison, baseline: str | None, *, title: str = "", decimals: int = 4) -> str:
    """Pairs line by line: those of the baseline in order of rank, or all pairs as compared."""
    heading = title or found.measure
    if baseline is None:
        head: tuple[str, ...] = ("system", "against", "diff.", "low", "high", "p", "w/t/l", "verdict")
        pairs = [(pair.system, pair.baseline, *_pair_cells(pair, decimals)) for pair in found.pairs]
        return _aligned([head, *pairs], names=2, title=heading)
    systems = {system.name: system for system in found.systems}
    head = ("system", "mean", "rank", "diff.", "low", "high", "p", "w/t/l", "verdict")
    rows = [
        (pair.system, *_mean_cells(systems[pair.system], decimals), *_pair_cells(pair, decimals))
        for pair in by_rank(found, baseline)
    ]
    own = (baseline, *_mean_cells(systems[baseline], decimals), *[""] * 5, "baseline")
    return _aligned([head, own, *rows], names=1, title=heading)


def by_rank(found: MeasureComparison, baseline: str | None) -> list[Pair]:
    """The pairs of the baseline, best system first; all pairs as compared where there is none."""
    if baseline is None:
        return list(found.pairs)
    ranks = {system.name: system.rank for system in found.systems}
    return sorted((pair for pair in found.pairs if pair.baseline == baseline), key=lambda pair: ranks[pair.system])


def wrapped(text: str) -> str:
    # A per cent sign stays with its number.
    kept = text.replace(" %", "\N{NO-BREAK SPACE}%")
    return textwrap.fill(kept, WIDTH, break_long_words=False, break_on_hyphens=False).replace("\N{NO-BREAK SPACE}", " ")


def _one_pair(found: MeasureComparison, pair: Pair, confidence: float, equivalence: float | None) -> str:
    evidence = f"({interval_text(pair.low, pair.high, confidence)}, p = {p_text(pair.p_adjusted)})".replace("= <", "< ")
    differs = f"{found.measure} differs by {signed(pair.difference)} {evidence} on {plural(pair.queries, 'query')}"
    if pair.verdict == "equivalent":
        return f"{pair.system} and {pair.baseline} are equivalent: {differs}, within ±{equivalence:g}"
    differs += _detectable(pair.detectable_difference)
    if pair.verdict != "undecided":
        return f"{pair.system} is {pair.verdict} than {pair.baseline}: {differs}"
    return f"Undecided between {pair.system} and {pair.baseline}: {differs}; {_needed(pair)}"


def _against_baseline(found: MeasureComparison, baseline: str, confidence: float) -> str:
    tally = Counter(pair.verdict for pair in found.pairs)
    best = max(found.pairs, key=lambda pair: (pair.verdict == "better", pair.difference))
    text = f"Of {len(found.pairs)} systems {_are(tally['better'], 'better')} than {baseline} on {found.measure}"
    if best.verdict == "better":
        text += f" (most: {best.system}, {signed(best.difference)}, {interval_text(best.low, best.high, confidence)})"
    rest = [_are(tally[word], word) for word in ("worse", "equivalent", "undecided") if tally[word]]
    return text + "".join(f", {part}" for part in rest) + _closest(found)


def _all_pairs(found: MeasureComparison) -> str:
    tally = Counter(pair.verdict for pair in found.pairs)
    first = min(found.systems, key=lambda system: system.rank)
    different = tally["better"] + tally["worse"]
    verb = "differs" if different == 1 else "differ"
    text = f"{different:,} of {plural(len(found.pairs), 'pair')} of systems {verb} on {found.measure}"
    if tally["equivalent"]:
        text += f", {_are(tally['equivalent'], 'equivalent')}"
    ranks = "1" if first.rank_high == 1 else f"{first.rank_low} to {first.rank_high}"
    return (
        f"{text}; {first.name} has the highest mean, {first.mean:.4f} (rank {ranks} on other queries of this kind)"
        + _closest(found)
    )


def _closest(found: MeasureComparison) -> str:
    queries = max(pair.queries for pair in found.pairs)
    text = (
        f"; {plural(queries, 'query')}{_detectable(found.detectable_difference).removeprefix(', which')}"
        if found.pairs
        else ""
    )
    needed = [pair for pair in found.pairs if pair.queries_needed is not None]
    if needed:
        pair = min(needed, key=lambda pair: pair.queries_needed or 0)
        text += f", and {pair.queries_needed:,} would settle {pair.system} against {pair.baseline}"
    return text


def _detectable(difference: float) -> str:
    return "" if math.isnan(difference) else f", which can detect a difference of {difference:.2g}"


def _needed(pair: Pair) -> str:
    if pair.queries_needed is None:
        return "more queries like these would not settle it"
    return f"about {plural(pair.queries_needed, 'query')} would settle it"


def _other_measures(measures: Sequence[MeasureComparison]) -> str:
    lead = [pair.verdict for pair in measures[0].pairs]
    other = {
        found.measure: sum(a != b.verdict for a, b in zip(lead, found.pairs, strict=True)) for found in measures[1:]
    }
    same = [name for name, changed in other.items() if not changed]
    text = f"; the same on {', '.join(same)}" if same else ""
    for name, changed in other.items():
        if changed:
            text += f"; {name} says otherwise" + (f" for {changed} of {len(lead)}" if len(lead) > 1 else "")
    return text


def _are(number: int, word: str) -> str:
    return f"{number or 'none'} {'is' if number < 2 else 'are'} {word}"


def rank_text(system: SystemSummary) -> str:
    """'2-5', or '2' where no other rank is likely."""
    return f"{system.rank_low}-{system.rank_high}" if system.rank_low < system.rank_high else f"{system.rank}"


def tally_text(pair: Pair) -> str:
    return f"{pair.wins}/{pair.ties}/{pair.losses}"


def _mean_cells(system: SystemSummary, decimals: int) -> tuple[str, str]:
    return f"{system.mean:.{decimals}f}", rank_text(system)


def _pair_cells(pair: Pair, decimals: int) -> tuple[str, ...]:
    numbers = (signed(number, decimals) for number in (pair.difference, pair.low, pair.high))
    return (*numbers, p_text(pair.p_adjusted), tally_text(pair), pair.verdict)


def _aligned(rows: Sequence[tuple[str, ...]], names: int, title: str) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    # Numbers are never cut; names give way, in the middle, where versions differ least.
    room = max(8, (WIDTH - sum(widths[names:]) - len(widths) + 1) // names)
    widths[:names] = [min(width, room) for width in widths[:names]]
    lines = [title]
    for row in rows:
        cells = [_shortened(cell, width).ljust(width) for cell, width in zip(row[:names], widths, strict=False)]
        cells += [cell.rjust(width) for cell, width in zip(row[names:-1], widths[names:-1], strict=True)]
        lines.append(" ".join([*cells, row[-1]]).rstrip())
    return "\n".join(lines)


def _shortened(name: str, width: int) -> str:
    kept = width - 1
    return name if len(name) <= width else f"{name[: kept - kept // 2]}…{name[len(name) - kept // 2 :]}"
