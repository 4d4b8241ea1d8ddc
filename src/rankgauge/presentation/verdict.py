"""The top of the page: a headline of a few words, the evidence, and what these queries can and cannot show."""

from __future__ import annotations

import math
from collections import Counter

from rankgauge.analysis.comparison.findings import MeasureComparison, Pair
from rankgauge.analysis.comparison.result import Comparison
from rankgauge.analysis.comparison.wording import counted, interval_text, p_text, signed
from rankgauge.tables.table import shortened

LONGEST_NAME = 60


def challenger_of(found: MeasureComparison, baseline: str) -> str:
    """The system the page argues about: the best other than the baseline."""
    others = [system for system in found.systems if system.name != baseline]
    return max(others, key=lambda system: system.mean).name if others else baseline


def brief(name: str) -> str:
    """A name that leaves room for a sentence around it."""
    return shortened(name, LONGEST_NAME)


def verdict_lines(comparison: Comparison, baseline: str, challenger: str) -> list[str]:
    """Headline, evidence, and power, each a sentence or two; the first measure decides."""
    found = comparison.measures[0]
    pairs = [pair for pair in found.pairs if pair.baseline == baseline]
    best = next((pair for pair in pairs if pair.system == challenger), None)
    if best is None:
        return [comparison.summary]
    headline = _one(best) if len(pairs) == 1 else _many(pairs, baseline)
    lines = [headline, _evidence(found, best, comparison.confidence, alone=len(pairs) == 1), _power(best)]
    others = [_other(measure, best) for measure in comparison.measures[1:]]
    return [*lines, "Other measures: " + "; ".join(others) + "."] if others else lines


def _one(pair: Pair) -> str:
    system, baseline = brief(pair.system), brief(pair.baseline)
    if pair.verdict == "undecided":
        return f"Undecided between {system} and {baseline}."
    if pair.verdict == "equivalent":
        return f"{system} and {baseline} are equivalent."
    return f"{system} is {pair.verdict} than {baseline}."


def _many(pairs: list[Pair], baseline: str) -> str:
    tally = Counter(pair.verdict for pair in pairs)
    better, rest = tally["better"], [f"{tally[word]} {word}" for word in ("worse", "equivalent", "undecided")]
    told = ", ".join(part for part in rest if not part.startswith("0 "))
    verb = "is" if better < 2 else "are"
    text = f"{better or 'None'} of {len(pairs)} systems {verb} better than {brief(baseline)}"
    return f"{text} ({told})." if told else f"{text}."


def _evidence(found: MeasureComparison, pair: Pair, confidence: float, *, alone: bool) -> str:
    means = {system.name: system.mean for system in found.systems}
    who = "" if alone else f"Best: {brief(pair.system)}. "
    p = p_text(pair.p_adjusted)
    p = f"p {p.replace('<', '< ')}" if p.startswith("<") else f"p = {p}"
    return (
        f"{who}{found.measure} {means[pair.system]:.4f} against {means[pair.baseline]:.4f}: {signed(pair.difference)} "
        f"({interval_text(pair.low, pair.high, confidence)}, adjusted {p}); "
        f"{_tally(pair)} on {counted(pair.queries, 'query')}."
    )


def _tally(pair: Pair) -> str:
    counts = ((pair.wins, "win", "wins"), (pair.ties, "tie", "ties"), (pair.losses, "loss", "losses"))
    return ", ".join(f"{count:,} {one if count == 1 else more}" for count, one, more in counts)


def _power(pair: Pair) -> str:
    if math.isnan(pair.detectable_difference):
        return "Too few queries to say which difference they could detect."
    text = f"The smallest difference that {counted(pair.queries, 'query')} can detect (80 % power) is {pair.detectable_difference:.4f}."
    if pair.verdict != "undecided":
        return text
    if pair.queries_needed is None:
        return f"{text} More queries like these would not settle it."
    return f"{text} About {counted(pair.queries_needed, 'query')} would settle a difference of this size."


def _other(found: MeasureComparison, lead: Pair) -> str:
    pair = found.pair(lead.system, lead.baseline)
    word = "the same" if pair.verdict == lead.verdict else pair.verdict
    return f"{found.measure} {signed(pair.difference)} ({word})"
