"""A rule that a build must not break, such as "nDCG@10 < baseline - 0.01", judged on the interval.

RULE = MEASURE ("<" | "<=" | ">" | ">=") (NUMBER | "baseline" [("+" | "-") NUMBER ["%"]])

The rule says what is *wrong*. It is broken when the whole interval lies where the rule says, kept when none of it does,
and undecided when the interval lies on both sides: then more queries are needed, not another opinion. With several runs
or rules the intervals are wider, so that the chance of a single wrong answer stays that of one run and one rule.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from rankgauge.analysis.compare.evidence import SystemSummary
from rankgauge.analysis.compare.ledger import weight
from rankgauge.analysis.compare.statistics.corrections import t_quantile
from rankgauge.analysis.compare.statistics.power import queries_needed
from rankgauge.analysis.compare.tables import percent
from rankgauge.analysis.compare.verdicts import MeasureComparison, Pair
from rankgauge.errors import MeasureError, UsageError, did_you_mean, many, near, plural
from rankgauge.kernels.resampling import ROUNDING
from rankgauge.measures.grammar import parse
from rankgauge.tables import Plain
from rankgauge.tables.notes import visible

Outcome = Literal["pass", "fail", "undecided"]

EXIT_CODES: dict[Outcome, int] = {"pass": 0, "fail": 1, "undecided": 3}

UNSIGNED = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
SIGNED = re.compile(r"[+-]?" + UNSIGNED.pattern)
EXAMPLE = "A rule looks like: nDCG@10 < baseline - 0.01"


@dataclass(frozen=True, slots=True)
class Rule:
    """A mean above or below a number, or above or below the baseline's mean plus a number."""

    text: str
    measure: str
    above: bool
    from_baseline: bool
    number: float
    inclusive: bool = False
    """Whether the limit itself is on the wrong side: <= and >=."""
    relative: bool = False
    """Whether the number is a share of the baseline's mean, taken as it is."""

    def fitted(self, measures: Sequence[str]) -> Rule:
        """The same rule with its measure spelled as one of these, or an error when none of them is meant."""
        if self.measure in measures:
            return self
        spelled, also = self.measure, ""
        try:
            spelled = str(parse(self.measure))
            also = f"\nTo have {spelled} compared, add it to the measures (on the command line -m '{spelled}')."
        except MeasureError:
            pass
        if spelled in measures:
            return replace(self, measure=spelled)
        hint = did_you_mean(spelled, measures)
        raise UsageError(f"the rule {self.text!r} names {self.measure}, which is not compared; {hint}{also}")


@dataclass(frozen=True, slots=True)
class GateCheck(Plain):
    """The rule applied to one system; `value`, `low`, `high` are of its mean, or its difference from the baseline."""

    _json_names: ClassVar = {"query_count": "queries"}

    system: str
    outcome: Outcome
    value: float
    low: float
    high: float
    limit: float
    query_count: int
    changed: int | None
    queries_needed: int | None
    message: str


@dataclass(frozen=True, slots=True)
class GateResult(Plain):
    """The worst outcome over the systems: a failure, else an undecided one, else a pass."""

    _json_also: ClassVar = ("exit_code",)

    rule: str
    outcome: Outcome
    checks: tuple[GateCheck, ...]

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.outcome]

    def __str__(self) -> str:
        return "\n".join(map(visible, (f"fail if {self.rule}: {self.outcome}", *self._messages)))

    @property
    def message(self) -> str:
        return "\n".join(self._messages)

    @property
    def _messages(self) -> tuple[str, ...]:
        return tuple(check.message for check in self.checks)


@dataclass(frozen=True, slots=True)
class Gate(Plain):
    """Several rules: the worst outcome of any decides.

    `interval_confidence` is that of each interval by itself; all of them hold together at the confidence asked for,
    with a ledger over all its looks. `look` is the number of this one, None without a ledger.
    """

    _json_also: ClassVar = ("outcome", "exit_code")

    rules: tuple[GateResult, ...]
    interval_confidence: float
    look: int | None = None

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))

    @property
    def outcome(self) -> Outcome:
        return _worst({result.outcome for result in self.rules})

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.outcome]


def judge_all(
    rules: Sequence[str | Rule],
    parts: Sequence[MeasureComparison],
    *,
    baseline: str | None,
    confidence: float,
    look: int | None = None,
    noun: str,
) -> Gate:
    """Apply rules to a comparison; every rule is read and its measure found before any is judged."""
    fitted = fitted_rules(rules, parts)
    known = {part.measure: part for part in parts}
    checks = sum(system.name != baseline for rule in fitted for system in known[rule.measure].systems)
    alpha = (1.0 - confidence) * (1.0 if look is None else weight(look)) / max(1, checks)
    level = Level(confidence, confidence if look is None and checks == 1 else 1.0 - alpha)
    results = tuple(_judge(rule, known[rule.measure], baseline, level, noun) for rule in fitted)
    return Gate(results, level.each, look)


def fitted_rules(rules: Sequence[str | Rule], parts: Sequence[MeasureComparison]) -> list[Rule]:
    """Every rule, read and with its measure found among those compared."""
    if not rules:
        raise UsageError(f"no rule is given\n{EXAMPLE}")
    measures = [part.measure for part in parts]
    return [(parse_rule(rule) if isinstance(rule, str) else rule).fitted(measures) for rule in rules]


def parse_rule(text: str) -> Rule:
    """Read a rule; a fault is shown under a caret.

    >>> parse_rule("nDCG@10 < baseline - 0.01").number
    -0.01
    """
    sign = re.search(r"[<>]", text)
    if sign is None:
        raise _fault("the rule has neither '<' nor '>'", text, len(text.rstrip()))
    measure = " ".join(text[: sign.start()].split())
    if not measure:
        raise _fault(f"a measure is missing before {sign[0]!r}", text, sign.start())
    inclusive = text[sign.end() : sign.end() + 1] == "="
    position = _skip(text, sign.end() + inclusive)
    if position < len(text) and text[position] in "<>=":
        raise _fault("a rule has one sign: <, <=, > or >=", text, position)
    relative = False
    word = re.compile(r"[A-Za-z_]\w*").match(text, position)
    if word is None:
        number, position = _number(text, position, "a number or 'baseline'", SIGNED)
    elif word[0] == "baseline":
        number, position = _shift(text, _skip(text, word.end()))
        relative = text[position : position + 1] == "%"
        number, position = (number / 100.0, _skip(text, position + 1)) if relative else (number, position)
    else:
        raise _fault(f"unknown word {word[0]!r}", text, position, did_you_mean(word[0], ["baseline"]))
    if position < len(text):
        raise _fault("the rule should end here", text, position)
    return Rule(" ".join(text.split()), measure, sign[0] == ">", word is not None, number, inclusive, relative)


def _judge(rule: Rule, found: MeasureComparison, baseline: str | None, level: Level, noun: str) -> GateResult:
    """Apply a rule to every system of a comparison but the baseline."""
    if baseline is None and rule.from_baseline:
        raise UsageError(f"the rule {rule.text!r} names a baseline, but the comparison has none; name one.")
    names = [system.name for system in found.systems if system.name != baseline]
    checks = tuple(_check(rule, found, name, baseline, level, noun) for name in names)
    return GateResult(rule.text, _worst({check.outcome for check in checks}), checks)


def _worst(outcomes: set[Outcome]) -> Outcome:
    return "fail" if "fail" in outcomes else "undecided" if "undecided" in outcomes else "pass"


def _check(rule: Rule, found: MeasureComparison, name: str, baseline: str | None, level: Level, noun: str) -> GateCheck:
    changed = None
    if rule.from_baseline and baseline is not None:
        pair = found.pair(name, baseline)
        measured: Pair | SystemSummary = pair
        value, what, alone = pair.difference, f"{name}: {rule.measure} - baseline", pair.alone
        changed = pair.wins + pair.losses
    else:
        measured = system = next(system for system in found.systems if system.name == name)
        value, what, alone = system.mean, f"{name}: {rule.measure}", (system.low, system.high)
    (low, high), limit = level.bounds(value, alone, measured.query_count), rule.number
    if rule.relative:
        limit *= next(system.mean for system in found.systems if system.name == baseline)
    # An interval that ends at the limit, but for the rounding of a mean, does not reach beyond it.
    slack = ROUNDING * max(1.0, abs(limit))
    edge = limit + slack if rule.above != rule.inclusive else limit - slack
    if rule.above:
        broken, kept = low > edge, high <= edge
    else:
        broken, kept = high < edge, low >= edge
    outcome: Outcome = "fail" if broken else "pass" if kept else "undecided"
    needed = None
    if outcome == "undecided":
        enough = queries_needed(measured.deviation, value - limit, alpha=1.0 - level.each)
        needed = None if enough is None else max(enough, measured.query_count + 1)
    bounds = f"{percent(level.each)} interval {low:.4f} to {high:.4f}"
    interval = "no interval" if math.isnan(low) else bounds
    evidence = f"{what} is {value:.4f} ({interval}, {plural(measured.query_count, noun)})"
    blind = "" if changed is None or outcome == "fail" else _unseen(changed, measured.query_count, noun)
    message = f"{outcome}: {evidence}; {_reason(rule, limit, low, outcome, needed, noun)}{blind}"
    return GateCheck(name, outcome, value, low, high, limit, measured.query_count, changed, needed, message)


def _unseen(changed: int, queries: int, noun: str) -> str:
    """What so few changed queries cannot show: a failure that is rarer than the set is large."""
    if changed > queries / 5 or queries < 2:
        return ""
    missed = 0.95**queries
    chance = f"with probability {missed:.0%}" if missed >= 0.005 else "less than once in 200"
    few = f"{f'Only {changed}' if changed else 'None'} of {queries} {many(noun)} changed"
    rare = f"and one that breaks 1 in {max(20, round(queries / 0.6931))} is missed as often as not"
    return (
        f" {few}: this set cannot see rare failures (a change that breaks 1 {noun} in 20 is missed {chance}, {rare})."
    )


@dataclass(frozen=True, slots=True)
class Level:
    """The confidence asked for, and that of each interval by itself."""

    asked: float
    each: float

    def bounds(self, value: float, alone: tuple[float, float], queries: int) -> tuple[float, float]:
        """The interval of one comparison, made as wide as the family of runs, rules and looks demands."""
        if self.each == self.asked:
            return alone
        each, asked = t_quantile(np.array([queries, queries]), np.array([1.0 - self.each, 1.0 - self.asked]))
        return value - (value - alone[0]) * float(each / asked), value + (alone[1] - value) * float(each / asked)


def _reason(rule: Rule, limit: float, low: float, outcome: Outcome, needed: int | None, noun: str) -> str:
    side = f"{'above' if rule.above else 'below'} {f'{limit:.4f}' if rule.relative else f'{limit:g}'}"
    side = f"at or {side}" if rule.inclusive else side
    side += f" ({abs(rule.number) * 100:g}% of the baseline's mean)" if rule.relative else ""
    if outcome == "fail":
        return f"all of it lies {side}."
    if outcome == "pass":
        return f"none of it lies {side}{_not_worse(rule, limit, low)}."
    if math.isnan(low):
        return f"two {many(noun)} or more are needed to tell how much they differ."
    more = f"no number of {many(noun)}" if needed is None else f"about {plural(needed, noun)}"
    return f"part of it lies {side}; {more} would decide it."


def _not_worse(rule: Rule, limit: float, low: float) -> str:
    """What a passed rule with room below the baseline has shown: non-inferiority, in plain words, or more."""
    if rule.above or not rule.from_baseline or limit >= 0.0:
        return ""
    if low > 0.0:
        return ": it is better than the baseline"
    most = f"{-limit:.4f}" if rule.relative else f"{-limit:g}"
    return f": if it is worse than the baseline, then by {'less than' if rule.inclusive else 'at most'} {most} (non-inferior)"


def _shift(text: str, position: int) -> tuple[float, int]:
    if position == len(text):
        return 0.0, position
    if text[position] not in "+-":
        raise _fault("'+' or '-' is missing after 'baseline'", text, position)
    number, end = _number(text, _skip(text, position + 1), "a number", UNSIGNED)
    return (-number if text[position] == "-" else number), end


def _number(text: str, position: int, what: str, pattern: re.Pattern[str]) -> tuple[float, int]:
    number = pattern.match(text, position)
    if number is None:
        raise _fault(f"{what} is missing", text, position)
    if math.isinf(float(number[0])):  # such a rule would never hold, or always
        raise _fault("the number is too large", text, position)
    return float(number[0]), _skip(text, number.end())


def _skip(text: str, position: int) -> int:
    return len(text) - len(text[position:].lstrip())


def _fault(message: str, text: str, position: int, hint: str = EXAMPLE) -> UsageError:
    part, place = near(text, position)
    shown = "".join(" " if character.isspace() else character for character in part)
    return UsageError(f"{message}\n    {shown}\n    {' ' * place}^\n{hint}")
