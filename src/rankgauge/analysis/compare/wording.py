"""A comparison in sentences: what it is about, the summary on top, what to do next."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.analysis.compare.statistics.judged import RANDOM
from rankgauge.analysis.compare.tables import interval_text, percent, signed
from rankgauge.analysis.compare.verdicts import SAME, MeasureComparison, Pair, Verdict
from rankgauge.errors import many, plural
from rankgauge.tables.notes import NOUNS, shortened
from rankgauge.tables.table import p_equals

if TYPE_CHECKING:
    from rankgauge.analysis.compare.result import Comparison

LONGEST_NAME = 60
TURNED: dict[Verdict, Verdict] = {"better": "worse", "worse": "better"}
# Nobody judges ten times as many queries to settle one comparison.
TOO_MANY = 10
# Beyond this, the upper end of a range of query counts is not worth its digits.
MANY = 1_000_000


def brief(name: str) -> str:
    """A name that leaves room for a sentence around it."""
    return shortened(name, LONGEST_NAME)


@dataclass(frozen=True)
class Focus:
    """Without a baseline (`about_top`) the first system against the second, else the best of the others against it."""

    comparison: Comparison
    about_top: bool

    @classmethod
    def of(cls, comparison: Comparison, *, about_top: bool | None = None) -> Focus:
        top = comparison.baseline is None if about_top is None else about_top
        return cls(comparison, top and len(comparison.parts[0].systems) > 2)

    @property
    def found(self) -> MeasureComparison:
        """On the first measure, which decides."""
        return self.comparison.parts[0]

    @property
    def noun(self) -> str:
        return self.comparison.scores.about.noun

    @cached_property
    def ranked(self) -> list[SystemSummary]:
        return ranked(self.found)

    @cached_property
    def reference(self) -> str:
        """The system that differences are from: the baseline, or the leader."""
        if self.about_top:
            return self.ranked[0].name
        return self.comparison.baseline or self.found.systems[0].name

    @cached_property
    def first(self) -> str:
        others = [system for system in self.ranked if system.name != self.reference]
        return self.reference if self.about_top else max(others, key=lambda system: system.mean).name

    @property
    def second(self) -> str:
        return self.ranked[1].name if self.about_top else self.reference

    @property
    def pair(self) -> Pair:
        """The first against the second."""
        return self.pair_on(self.found)

    def pair_on(self, found: MeasureComparison) -> Pair:
        """The same two on another measure."""
        return pair_of(found, self.first, self.second)

    @property
    def rows(self) -> dict[str, Pair]:
        """{system: its pair with the reference}."""
        return self.rows_on(self.found)

    def rows_on(self, found: MeasureComparison) -> dict[str, Pair]:
        return pairs_against(found, self.reference)

    @property
    def unbeaten(self) -> list[str]:
        """The systems that no other one is found to beat, best first; the explorer has the same rule."""
        worse = {pair.system for pair in self.found.pairs if pair.verdict == "worse"}
        worse |= {pair.baseline for pair in self.found.pairs if pair.verdict == "better"}
        return [system.name for system in self.ranked if system.name not in worse]


def ranked(found: MeasureComparison) -> list[SystemSummary]:
    return sorted(found.systems, key=lambda system: (system.rank, -system.mean, system.name))


def pairs_against(found: MeasureComparison, baseline: str) -> dict[str, Pair]:
    """{system: its pair with the baseline}; a comparison of all pairs may hold some the other way round."""
    pairs: dict[str, Pair] = {}
    for pair in found.pairs:
        if pair.baseline == baseline:
            pairs[pair.system] = pair
        elif pair.system == baseline:
            pairs[pair.baseline] = turned(pair)
    return pairs


def pair_of(found: MeasureComparison, system: str, baseline: str) -> Pair:
    return pairs_against(found, baseline)[system]


def turned(pair: Pair) -> Pair:
    """The same pair with the systems swapped."""
    return replace(
        pair,
        system=pair.baseline,
        baseline=pair.system,
        difference=0.0 - pair.difference,
        low=0.0 - pair.high,
        high=0.0 - pair.low,
        effect_size=0.0 - pair.effect_size,
        effect_low=0.0 - pair.effect_high,
        effect_high=0.0 - pair.effect_low,
        wins=pair.losses,
        losses=pair.wins,
        verdict=TURNED.get(pair.verdict, pair.verdict),
        alone=(0.0 - pair.alone[1], 0.0 - pair.alone[0]),
        judge=pair.judge and pair.judge.turned(),
    )


def summary_sentence(
    measures: Sequence[MeasureComparison],
    baseline: str | None,
    confidence: float,
    equivalence: float | None,
    noun: str = NOUNS[0],
) -> str:
    """One sentence for a reader who reads no further: on the first measure, and whether the others agree."""
    lead = measures[0]
    if len(lead.pairs) == 1:
        text = _one_pair(lead, lead.pairs[0], confidence, equivalence, noun)
    elif baseline is None:
        text = _all_pairs(lead, noun)
    else:
        text = _against_baseline(lead, baseline, confidence, noun)
    condition = f"; {RANDOM}" if lead.pairs and lead.pairs[0].judge is not None else ""
    return text + _other_measures(measures, noun) + condition + "."


def _one_pair(found: MeasureComparison, pair: Pair, confidence: float, equivalence: float | None, noun: str) -> str:
    if pair.is_same:
        return (
            f"{pair.system} and {pair.baseline} are the same on all {plural(pair.query_count, noun)} ({found.measure})"
        )
    evidence = f"({interval_text(pair.low, pair.high, confidence)}, {p_equals(pair.p_adjusted)})"
    differs = f"{found.measure} differs by {signed(pair.difference)} {evidence} on {_counted(pair, noun)}"
    if pair.verdict == "equivalent":
        return f"{pair.system} and {pair.baseline} are equivalent: {differs}, within ±{equivalence:g}"
    differs += _detectable(pair.detectable_difference)
    if pair.verdict != "undecided":
        return f"{pair.system} is {pair.verdict} than {pair.baseline}: {differs}"
    return f"Undecided between {pair.system} and {pair.baseline}: {differs}; {_needed(pair, noun)}"


def _against_baseline(found: MeasureComparison, baseline: str, confidence: float, noun: str) -> str:
    tally = Counter(pair.word for pair in found.pairs)
    best = max(found.pairs, key=lambda pair: (pair.verdict == "better", pair.difference))
    better = "None" if not tally["better"] else f"{tally['better']:,}"
    verb = "are" if tally["better"] > 1 else "is"
    text = f"{better} of {len(found.pairs):,} systems {verb} better than {baseline} on {found.measure}"
    if best.verdict == "better":
        text += f" (most: {best.system}, {signed(best.difference)}, {interval_text(best.low, best.high, confidence)})"
    rest = [_are(tally[word], word) for word in ("worse", "equivalent", SAME, "undecided") if tally[word]]
    return text + "".join(f", {part}" for part in rest) + _closest(found, noun)


def _all_pairs(found: MeasureComparison, noun: str) -> str:
    tally = Counter(pair.verdict for pair in found.pairs)
    first = min(found.systems, key=lambda system: system.rank)
    different = tally["better"] + tally["worse"]
    verb = "differs significantly" if different == 1 else "differ significantly"
    text = f"{different:,} of {plural(len(found.pairs), 'pair')} of systems {verb} on {found.measure}"
    if tally["equivalent"]:
        text += f", {_are(tally['equivalent'], 'equivalent')}"
    ranks = "1" if first.rank_high == 1 else f"{first.rank_low} to {first.rank_high}"
    return (
        f"{text}; {first.name} has the highest mean, {first.mean:.4f} (rank {ranks} on other {many(noun)} of this kind)"
        + _closest(found, noun)
    )


def _closest(found: MeasureComparison, noun: str) -> str:
    most = max(found.pairs, key=lambda pair: pair.query_count)
    text = f"; {_counted(most, noun)}{_detectable(found.detectable_difference).removeprefix(', which')}"
    needed = [pair for pair in found.pairs if pair.queries_needed is not None]
    if needed:
        pair = min(needed, key=lambda pair: pair.queries_needed or 0)
        text += f", and {pair.queries_needed:,}{range_text(pair)} would settle {pair.system} against {pair.baseline}"
    return text


def _detectable(difference: float) -> str:
    return "" if math.isnan(difference) else f", which can detect a difference of {difference:.2g}"


def _counted(pair: Pair, noun: str) -> str:
    if pair.judge is None:
        return plural(pair.query_count, noun)
    return f"{pair.judge.human_queries:,} human queries beside {pair.judge.queries:,} of the judge"


def _needed(pair: Pair, noun: str) -> str:
    if pair.judge is not None:
        if pair.queries_needed is None:
            return "more human queries would not settle it, more queries might"
        return f"about {pair.queries_needed:,} human queries would settle it"
    if pair.queries_needed is None and pair.query_count < 2:
        return f"two {many(noun)} or more are needed to tell how much they differ"
    if pair.queries_needed is None:
        return f"more {many(noun)} like these would not settle it"
    return f"{plural(pair.queries_needed, noun)} would settle it with 80% assurance{range_text(pair)}"


def range_text(pair: Pair) -> str:
    """' (50 to 4,000)': where the number for the true difference may lie."""
    low, high = pair.queries_needed_low, pair.queries_needed_high
    if low is None or high is None or low == high:
        return ""
    if low >= MANY:
        return f" ({low:,} or more)"
    return f" ({low:,} to {high:,})" if high < MANY else f" ({low:,} to over a million)"


def _other_measures(measures: Sequence[MeasureComparison], noun: str) -> str:
    lead = [pair.verdict for pair in measures[0].pairs]
    if len(lead) == 1:
        return "".join(f"; {found.measure} {_too(found.pairs[0], lead[0], noun)}" for found in measures[1:])
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


def _too(pair: Pair, lead: str, noun: str) -> str:
    """'+0.0355 (undecided too)': one more measure of the pair that the sentence is about."""
    if pair.is_same:
        return f"+0.0000 (the same on every {noun})"
    return f"{signed(pair.difference)} ({pair.verdict}{' too' if pair.verdict == lead else ''})"


def _leader(found: MeasureComparison) -> str:
    return min(found.systems, key=lambda system: (system.rank, system.name)).name


def _are(number: int, word: str) -> str:
    return f"{number or 'none'} {'is' if number < 2 else 'are'} {word}"


def alone_summary(parts: Sequence[MeasureComparison], confidence: float, noun: str = NOUNS[0]) -> str:
    system = parts[0].systems[0]
    interval = f"{percent(confidence)} interval {system.low:.4f} to {system.high:.4f}"
    evidence = f"{parts[0].measure} is {system.mean:.4f} ({interval}) on {plural(system.query_count, noun)}"
    return f"Nothing to compare {system.name} with: {evidence}."


def next_step(focus: Focus) -> str:
    """One thing to do."""
    pair = focus.pair
    system, baseline = brief(pair.system), brief(pair.baseline)
    if pair.verdict == "better":
        some = "largest losses" if pair.losses > 1 else "only loss"
        look = f" Look at its {some} first." if pair.losses else ""
        better = sum(one.verdict == "better" for one in focus.rows.values())
        among = f", the best of {better} better systems" if better > 1 else ""
        return f"{'Use' if focus.about_top else 'Ship'} {system}{among}.{look}"
    if pair.verdict == "worse":
        return f"Keep {baseline}. The largest losses below show what {system} breaks."
    if pair.verdict == "equivalent":
        return f"Choose by cost or speed: {system} and {baseline} are equally good."
    return _more(focus, pair)


def _more(focus: Focus, pair: Pair) -> str:
    """For a difference that is undecided: judge more, or stop."""
    noun, rivals = focus.noun, len(focus.unbeaten)
    among = f" among the {rivals} systems that could be first" if rivals > 2 else ""
    choice = f"choose by cost or speed{among}" if focus.about_top else f"keep {brief(pair.baseline)}"
    if pair.judge is None and not pair.wins + pair.losses:
        return f"Nothing to decide: {brief(pair.system)} and {brief(pair.baseline)} are the same on every {noun}."
    if pair.queries_needed is None:
        if pair.judge is not None:
            return f"More human queries would not decide it, more queries might; or {choice}."
        return f"More {many(noun)} like these would not decide it: {choice}."
    if pair.judge is not None:
        return f"Judge about {pair.queries_needed:,} human queries in all, drawn at random, or {choice}."
    missing = pair.queries_needed - pair.query_count
    pair_text = f"{brief(pair.system)} against {brief(pair.baseline)}"
    settled = f"about {pair.queries_needed:,} {many(noun)} in all would settle {pair_text}"
    if pair.queries_needed > TOO_MANY * pair.query_count:
        return f"{choice[0].upper()}{choice[1:]}: {settled}."
    verb = "Judge" if noun == NOUNS[0] else "Add"
    return f"{verb} {missing:,} more {noun if missing == 1 else many(noun)} ({settled}), or {choice}."
