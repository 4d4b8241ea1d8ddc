"""The verdict: a headline, the evidence for it, and what these queries can and cannot show."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.statistics.judged import RANDOM
from rankgauge.analysis.compare.verdicts import MeasureComparison, Pair, Verdict
from rankgauge.analysis.compare.wording import interval_text, p_text, signed
from rankgauge.errors import plural
from rankgauge.tables.table import shortened

LONGEST_NAME = 60
# A difference that people often look for, on measures from 0 to 1.
WORTH_FINDING = 0.02
# Below this p-value an undecided difference at least has a probable sign.
LIKELY = 0.2


def challenger_of(found: MeasureComparison, baseline: str) -> str:
    """The system that the page compares with the baseline: the best of the others."""
    return max((system for system in found.systems if system.name != baseline), key=lambda system: system.mean).name


def brief(name: str) -> str:
    """A name that leaves room for a sentence around it."""
    return shortened(name, LONGEST_NAME)


def verdict_lines(
    comparison: Comparison, baseline: str, challenger: str, worth: float | None = WORTH_FINDING
) -> list[str]:
    """Headline, evidence, the other systems, power; the first measure decides.

    `worth` is a difference to estimate the number of queries for; None on measures without a common scale.
    """
    found = comparison.parts[0]
    pairs = pairs_against(found, baseline)
    best = pairs[challenger]
    headline = _one(best) if len(pairs) == 1 else _many(list(pairs.values()), best)
    names = "" if headline == _one(best) else f"{brief(challenger)} against {brief(baseline)}: "
    lines = [headline, names + _evidence(found, best, comparison.interval_confidence)]
    if len(pairs) > 1:
        lines.append(f"{_tally(list(pairs.values()), baseline)} {_places(found.systems)}")
    lines.append(_power(best, worth))
    others = [_other(measure, best) for measure in comparison.parts[1:]]
    return [*lines, "Other measures: " + "; ".join(others) + "."] if others else lines


def lone_lines(system: SystemSummary, measure: str, confidence: float) -> list[str]:
    """What the scores of a single system can show."""
    headline = f"{brief(system.name)}: {measure} {system.mean:.4f} on {plural(system.query_count, 'query')}."
    if math.isnan(system.low):
        return [headline, "One query says nothing about others like it."]
    half = (system.high - system.low) / 4
    evidence = (
        f"{100 * confidence:g}% interval {system.low:.4f} to {system.high:.4f} for the mean over all queries like these. "
        f"About {plural(4 * system.query_count, 'query')} would make the interval half as wide (±{half:.4f})."
    )
    advice = "There is no other system to compare with: add the run it replaces to find out whether it is better."
    return [headline, evidence, advice]


def _one(pair: Pair) -> str:
    system, baseline = brief(pair.system), brief(pair.baseline)
    if pair.verdict == "undecided":
        queries, p = _queries(pair), _p(pair).replace(" ", "\N{NO-BREAK SPACE}")
        if _has_sign(pair):
            word = "better" if pair.difference > 0 else "worse"
            return f"{system} is probably {word} than {baseline}, but {queries} are not enough to be sure ({p})."
        return f"{queries} cannot decide between {system} and {baseline} ({p})."
    if pair.verdict == "equivalent":
        return f"{system} and {baseline} are equivalent."
    return f"{system} is {pair.verdict} than {baseline}."


def _has_sign(pair: Pair) -> bool:
    return pair.difference != 0 and pair.p_adjusted < LIKELY


def _many(pairs: Sequence[Pair], best: Pair) -> str:
    if best.verdict == "better":
        return _one(best)
    if all(pair.verdict == "worse" for pair in pairs):
        return f"{brief(best.baseline)} is better than all {len(pairs)} other systems."
    if any(pair.verdict == "better" for pair in pairs):
        return _one(best)
    if best.verdict == "undecided" and best.difference > 0 and _has_sign(best):
        return _one(best)
    if any(pair.verdict == "undecided" for pair in pairs):
        queries = _queries(best)
        return f"No system is shown to be better than {brief(best.baseline)} on these {queries}."
    return f"No system is better than {brief(best.baseline)}."


def _evidence(found: MeasureComparison, pair: Pair, confidence: float) -> str:
    means = {system.name: system.mean for system in found.systems}
    both = f"{means[pair.system]:.4f} against {means[pair.baseline]:.4f}"
    decided = f"({interval_text(pair.low, pair.high, confidence)}, adjusted {_p(pair)})"
    if pair.judge is None:
        return f"{found.measure} {both}, {signed(pair.difference)} {decided}; {_wins(pair)} on {_queries(pair)}."
    # The means of the human queries do not differ by the difference of people and judge together.
    return (
        f"{found.measure} {signed(pair.difference)} by people and the judge together {decided}; {both}, {_wins(pair)} on "
        f"{_queries(pair)} alone. It {RANDOM}."
    )


def _queries(pair: Pair) -> str:
    return plural(pair.query_count, "query" if pair.judge is None else "human query")


def _p(pair: Pair) -> str:
    p = p_text(pair.p_adjusted)
    if math.isnan(pair.p_adjusted):
        return "p undefined"
    return f"p < {p[1:]}" if p.startswith("<") else f"p = {p}"


def _wins(pair: Pair) -> str:
    counts = ((pair.wins, "win", "wins"), (pair.ties, "tie", "ties"), (pair.losses, "loss", "losses"))
    return ", ".join(f"{count:,} {one if count == 1 else more}" for count, one, more in counts)


def _tally(pairs: Sequence[Pair], baseline: str) -> str:
    tally = Counter(pair.verdict for pair in pairs)
    rest = ", ".join(f"{tally[word]} {word}" for word in ("worse", "equivalent", "undecided") if tally[word])
    better = tally["better"]
    text = f"Of {len(pairs)} systems, {better or 'none'} {'is' if better < 2 else 'are'} better than {brief(baseline)}"
    return f"{text} ({rest})." if rest else f"{text}."


def _places(systems: Sequence[SystemSummary]) -> str:
    """How certain the first place is."""
    first = min(systems, key=lambda system: (system.rank, system.name))
    name = brief(first.name)
    if first.rank_high == 1:
        return f"{name} would also lead on other queries like these."
    rivals = sum(system.rank_low == 1 for system in systems)
    return f"On other queries like these, {name} could rank 1 to {first.rank_high}, and {rivals} systems could lead."


def _power(pair: Pair, worth: float | None) -> str:
    if math.isnan(pair.detectable_difference):
        return "There are too few queries to estimate the smallest detectable difference."
    beside = "" if pair.judge is None else f" beside {pair.judge.queries:,} of the judge"
    text = f"The smallest difference that {_queries(pair)}{beside} can detect (80% power) is {pair.detectable_difference:.4f}"
    if pair.judge is not None:
        return f"{text}.{_more_human_queries(pair) if pair.verdict == 'undecided' else ''}"
    if pair.verdict == "undecided":
        if pair.queries_needed is None:
            return f"{text}. More queries like these would not decide it."
        return f"{text}. About {plural(pair.queries_needed, 'query')} would decide a difference of this size."
    if worth is None:
        return f"{text}."
    return f"{text}; detecting {worth:g} takes about {plural(queries_for(pair, worth), 'query')}."


def _more_human_queries(pair: Pair) -> str:
    if pair.queries_needed is None:
        return " More human queries would not decide it; more queries might."
    return f" About {plural(pair.queries_needed, 'human query')} would decide a difference of this size."


def queries_for(pair: Pair, difference: float) -> int:
    """About how many queries would detect it: the detectable difference shrinks with the square root of their number."""
    return max(2, math.ceil(pair.query_count * (pair.detectable_difference / difference) ** 2 - 1e-9))


def _other(found: MeasureComparison, lead: Pair) -> str:
    pair = pairs_against(found, lead.baseline)[lead.system]
    word = "same verdict" if pair.verdict == lead.verdict else pair.verdict
    return f"{found.measure} {signed(pair.difference)} ({word})"


TURNED: dict[Verdict, Verdict] = {"better": "worse", "worse": "better"}


def pairs_against(found: MeasureComparison, baseline: str) -> dict[str, Pair]:
    """{system: its pair with the baseline}; a comparison of all pairs may hold some the other way round."""
    pairs: dict[str, Pair] = {}
    for pair in found.pairs:
        if pair.baseline == baseline:
            pairs[pair.system] = pair
        elif pair.system == baseline:
            pairs[pair.baseline] = turned(pair)
    return pairs


def turned(pair: Pair) -> Pair:
    """The same pair with the systems swapped."""
    return replace(
        pair,
        system=pair.baseline,
        baseline=pair.system,
        difference=-pair.difference,
        low=-pair.high,
        high=-pair.low,
        effect_size=-pair.effect_size,
        wins=pair.losses,
        losses=pair.wins,
        verdict=TURNED.get(pair.verdict, pair.verdict),
        alone=(-pair.alone[1], -pair.alone[0]),
        judge=pair.judge and pair.judge.turned(),
    )
