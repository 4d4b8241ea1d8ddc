"""The verdict: a sentence, a number, a next step; then the evidence and what these queries can and cannot show."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.analysis.compare.statistics.judged import RANDOM
from rankgauge.analysis.compare.tables import interval_text, p_words, signed
from rankgauge.analysis.compare.verdicts import SAME, MeasureComparison, Pair
from rankgauge.analysis.compare.wording import Focus, brief, next_step, ranked
from rankgauge.errors import many, plural
from rankgauge.tables.notes import LOUD, NOUNS, Note

# Below this p-value an undecided difference at least has a probable sign.
LIKELY = 0.2


@dataclass(frozen=True)
class VerdictBox:
    """What the top of the page says; `outcome` chooses its color and icon."""

    outcome: str
    """better, worse, undecided, equivalent, or plain where nothing is compared."""
    headline: str
    number: str
    about: str
    """What the number is."""
    step: str
    """What to do next."""
    lines: tuple[str, ...]


def verdict_box(focus: Focus) -> VerdictBox:
    """The first measure decides."""
    pair, found = focus.pair, focus.found
    headline, outcome = _top(focus) if focus.about_top else _against(focus)
    about = (
        f"{found.measure}, {brief(pair.system)} − {brief(pair.baseline)} "
        f"({interval_text(pair.low, pair.high, focus.comparison.interval_confidence)})"
        f"{'' if pair.judge is None else ', people and the judge together'}"
    )
    lines = [
        *warnings(focus.comparison.notes, pair.system, pair.baseline),
        _evidence(focus),
        *_crowd(focus),
        _power(focus),
    ]
    others = [_other(measure, focus) for measure in focus.comparison.parts[1:]]
    lines += ["Other measures: " + "; ".join(others) + "."] if others else []
    return VerdictBox(outcome, headline, signed(pair.difference), about, next_step(focus), tuple(lines))


def lone_box(
    system: SystemSummary, measure: str, confidence: float, notes: Sequence[Note] = (), noun: str = NOUNS[0]
) -> VerdictBox:
    """What the scores of a single system can show."""
    headline = f"{brief(system.name)}: {measure} {system.mean:.4f} on {plural(system.query_count, noun)}."
    step = "Add the run it replaces: one system alone cannot be better."
    if math.isnan(system.low):
        lines = (f"One {noun} says nothing about others like it.",)
        return VerdictBox("plain", headline, f"{system.mean:.4f}", f"{measure}, no interval", step, lines)
    half = (system.high - system.low) / 4
    about = f"{measure} ({100 * confidence:g}% interval {system.low:.4f} to {system.high:.4f})"
    evidence = f"About {plural(4 * system.query_count, noun)} would make the interval half as wide (±{half:.4f})."
    return VerdictBox("plain", headline, f"{system.mean:.4f}", about, step, (*warnings(notes, system.name), evidence))


def _top(focus: Focus) -> tuple[str, str]:
    """Who leads, and whether the lead is real."""
    leader, rivals = brief(focus.first), len(focus.unbeaten) - 1
    worse = [pair for pair in focus.rows.values() if pair.verdict == "worse"]
    if len(worse) == len(focus.rows):
        return f"{leader} leads, and the lead is real: it is better than {_all(len(worse))}.", "better"
    if focus.pair.verdict == "equivalent":
        return f"{leader} leads, but {brief(focus.second)} is equivalent.", "equivalent"
    if rivals < 1:
        return f"{leader} leads, but is not shown to be better than {brief(focus.second)}.", "undecided"
    others = f"{rivals} other systems" if rivals > 1 else brief(focus.unbeaten[1])
    return f"{leader} leads, but {others} could be first as well.", "undecided"


def _all(others: int) -> str:
    return "both other systems" if others == 2 else f"all {others:,} other systems"


def _against(focus: Focus) -> tuple[str, str]:
    pairs, best = list(focus.rows.values()), focus.pair
    baseline, floors = brief(focus.reference), focus.comparison.floors
    if len(pairs) == 1 or best.verdict == "better" or any(pair.verdict == "better" for pair in pairs):
        return _one(best, floors, focus.noun), best.verdict
    if all(pair.verdict == "worse" for pair in pairs):
        return f"{baseline} is better than {_all(len(pairs))}.", "worse"
    if best.verdict == "undecided" and best.difference > 0 and _has_sign(best):
        return _one(best, floors, focus.noun), "undecided"
    if any(pair.verdict == "undecided" for pair in pairs):
        return f"No system is shown to be better than {baseline} on these {_queries(best, focus.noun)}.", "undecided"
    return f"No system is better than {baseline}.", "equivalent"


def _one(pair: Pair, floors: Sequence[float], noun: str) -> str:
    system, baseline = brief(pair.system), brief(pair.baseline)
    if pair.is_same:
        return f"{system} and {baseline} are the same on all {_queries(pair, noun)}."
    if pair.verdict == "undecided":
        queries, p = _queries(pair, noun), _p(pair, floors).replace(" ", "\N{NO-BREAK SPACE}")
        if _has_sign(pair):
            word = "better" if pair.difference > 0 else "worse"
            return f"{system} is probably {word} than {baseline}, but {queries} are not enough to be sure ({p})."
        return f"{queries} cannot decide between {system} and {baseline} ({p})."
    if pair.verdict == "equivalent":
        return f"{system} and {baseline} are equivalent."
    return f"{system} is {pair.verdict} than {baseline}."


def _has_sign(pair: Pair) -> bool:
    return pair.difference != 0 and pair.p_adjusted < LIKELY


def _p(pair: Pair, floors: Sequence[float] = ()) -> str:
    p = p_words(pair, floors)
    if math.isnan(pair.p_adjusted):
        return "p undefined"
    return f"p {p[0]} {p[1:]}" if p[0] in "<≤" else f"p = {p}"


def warnings(notes: Sequence[Note], *systems: str) -> list[str]:
    """What decides the numbers of these systems besides their quality, the gravest first."""
    mine = [note for note in notes if note.system in systems and note.text.startswith(LOUD)]
    return [f"⚠ {note.text.removeprefix(LOUD)}." for note in sorted(mine, key=lambda note: -note.severity)]


def _evidence(focus: Focus) -> str:
    found, pair, floors = focus.found, focus.pair, focus.comparison.floors
    adjusted = "adjusted " if sum(len(part.pairs) for part in focus.comparison.parts) > 1 else ""
    means = {system.name: system.mean for system in found.systems}
    names = f"{brief(pair.system)} {means[pair.system]:.4f}, {brief(pair.baseline)} {means[pair.baseline]:.4f}"
    if pair.judge is None:
        return f"{found.measure}: {names} ({adjusted}{_p(pair, floors)}); {pair.tally} on {_queries(pair, focus.noun)}."
    # The means of the human queries do not differ by the difference of people and judge together.
    return f"{found.measure} on {_queries(pair, focus.noun)} alone: {names}; {pair.tally}. The verdict ({adjusted}{_p(pair, floors)}) {RANDOM}."


def _queries(pair: Pair, noun: str) -> str:
    return plural(pair.query_count, noun if pair.judge is None else "human query")


def _crowd(focus: Focus) -> list[str]:
    """The other systems in a sentence."""
    if len(focus.rows) < 2:
        return []
    tally = Counter(pair.word for pair in focus.rows.values())
    if focus.about_top:
        rivals = [brief(name) for name in focus.unbeaten if name != focus.first]
        named = [*rivals[:5], f"{len(rivals) - 5} more"] if len(rivals) > 5 else rivals
        first = " or ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
        if tally["worse"] == len(focus.rows):
            return []  # the headline has said so
        verb = "system is" if tally["worse"] == 1 else "systems are"
        text = (
            f"{tally['worse'] or 'None'} of {len(focus.rows)} other {verb} shown to be worse than {brief(focus.first)}."
        )
        return [f"{text} No system is shown to beat {first}." if rivals else text]
    rest = ", ".join(f"{tally[word]} {word}" for word in ("worse", "equivalent", SAME, "undecided") if tally[word])
    better = tally["better"]
    text = f"Of {len(focus.rows)} systems, {better or 'none'} {'is' if better < 2 else 'are'} better than {brief(focus.reference)}"
    return [" ".join([f"{text} ({rest})." if rest else f"{text}.", *_place(focus)])]


def _place(focus: Focus) -> list[str]:
    """Where the leader could be on other queries; of a lead that does not matter (equivalent), nothing."""
    leader = ranked(focus.found)[0]
    if leader.rank_high > 1:
        return [f"On other {many(focus.noun)} like these, {brief(leader.name)} could rank 1 to {leader.rank_high}."]
    ahead = leader.name == focus.reference or focus.rows[leader.name].word == "better"
    return [f"{brief(leader.name)} would also lead on other {many(focus.noun)} like these."] if ahead else []


def _power(focus: Focus) -> str:
    """As `compare` says it: the median over its pairs."""
    detectable, queries = focus.found.detectable_difference, _queries(focus.pair, focus.noun)
    queries += "" if focus.pair.judge is None else f" beside {focus.pair.judge.queries:,} of the judge"
    if math.isnan(detectable):
        return f"There are too few {many(focus.noun)} to estimate the smallest detectable difference."
    return f"{queries} can detect a difference of {detectable:.2g} (80% power)."


def _other(found: MeasureComparison, focus: Focus) -> str:
    """The same pair on another measure, and who leads there where it is somebody else."""
    pair, leader = focus.pair_on(found), ranked(found)[0].name
    word = "same verdict" if pair.verdict == focus.pair.verdict else pair.verdict
    other = f"; {brief(leader)} leads" if leader != focus.ranked[0].name else ""
    return f"{found.measure} {signed(pair.difference)} ({word}{other})"
