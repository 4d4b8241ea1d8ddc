"""Every setting that may be behind a number: ours, those of known tools, and what is one or two decisions away."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from rankgauge.analysis.reconcile.numbers import Numbers
from rankgauge.arrays import Floats
from rankgauge.data.policy import DEFAULT
from rankgauge.errors import MeasureError, PolicyError
from rankgauge.evaluation.evaluate import Progress, settle_one
from rankgauge.evaluation.tools.presets import PRESETS
from rankgauge.evaluation.tools.setting import Change, Setting
from rankgauge.measures.measure import Measure

KNOWN, NEAR, FAR = 0, 1, 2
"""How far a candidate is from what is known to be done: by us or a tool; one decision away; two."""


@dataclass(frozen=True)
class Candidate:
    """A setting, the number it gives, and whose it is."""

    setting: Setting
    mean: float
    values: Floats
    tier: int
    changes: tuple[Change, ...]
    tools: tuple[str, ...] = ()

    @property
    def cost(self) -> tuple[int, int]:
        return self.tier, len(self.changes)


def own_setting(measure: Measure) -> Setting:
    return Setting(measure, DEFAULT)


def tool_settings(measure: Measure) -> dict[str, Setting]:
    """What every known tool makes of the measure."""
    found = {}
    for name, preset in PRESETS.items():
        if not preset.has(measure):
            continue
        chosen, policy = settle_one(measure, None, name)
        found[name] = Setting(chosen, policy)
    return found


def candidates(numbers: Numbers, measure: Measure, progress: Progress | None = None) -> list[Candidate]:
    """Without repetition: settings that are equal on every query are one, the nearest of them."""
    ours = own_setting(measure)
    singles = list(moves(measure, numbers.grades, numbers.odd))
    settings: list[tuple[int, Setting, str]] = [(KNOWN, ours, "")]
    tools = tool_settings(measure)
    settings += [(KNOWN, setting, name) for name, setting in tools.items()]
    settings += [(NEAR, ours.with_change(change), "") for change in singles]
    pairs = [pair for pair in combinations(singles, 2) if pair[0].name != pair[1].name]
    settings += [(FAR, ours.with_change(a).with_change(b), "") for a, b in pairs]
    for base in _distinct(numbers, tools.values(), progress):
        settings += [(FAR, base.with_change(change), "") for change in singles if _changes(base, change)]
    return _gathered(numbers, ours, settings, progress)


def _changes(base: Setting, change: Change) -> bool:
    if not change.is_option:
        return getattr(base.policy, change.name) != change.value
    return change.name in base.measure.definition.options and base.measure.settings[change.name] != change.value


def _distinct(numbers: Numbers, settings: Collection[Setting], progress: Progress | None) -> list[Setting]:
    """One of each kind of tool: those equal on every query change alike."""
    kinds: dict[bytes, Setting] = {}
    for done, setting in enumerate(settings):
        if progress is not None:
            progress(done, len(settings))
        values = _values(numbers, setting)
        if values is not None:
            kinds.setdefault(key_of(values), setting)
    return list(kinds.values())


def _gathered(
    numbers: Numbers, ours: Setting, settings: Sequence[tuple[int, Setting, str]], progress: Progress | None
) -> list[Candidate]:
    found: dict[tuple[bytes, bool], Candidate] = {}
    for done, (tier, setting, tool) in enumerate(settings):
        if progress is not None:
            progress(done, len(settings))
        values = _values(numbers, setting)
        if values is None:
            continue
        mean = numbers.mean(setting, values)
        if np.isnan(mean):
            continue
        key = (key_of(values), setting.policy.mean == "micro")
        named = (tool,) if tool else ()
        known = found.get(key)
        if known is None:
            found[key] = Candidate(setting, mean, values, tier, setting.changes_from(ours), named)
        elif tier < FAR:
            changes = setting.changes_from(ours)
            nearer = (setting, changes) if len(changes) < len(known.changes) else (known.setting, known.changes)
            found[key] = Candidate(nearer[0], known.mean, values, known.tier, nearer[1], (*known.tools, *named))
    return list(found.values())


def _values(numbers: Numbers, setting: Setting) -> Floats | None:
    try:
        values = numbers.of_queries(setting)
    except (MeasureError, PolicyError):
        return None
    rule = setting.policy.undefined or setting.measure.definition.undefined
    refused = rule == "error" and bool(numbers.undefined(setting).any())
    refused |= setting.policy.missing == "error" and bool(numbers.missing.any())
    return None if refused else values


def key_of(values: Floats) -> bytes:
    """Equal where values are, whatever the last bits are."""
    return np.round(np.nan_to_num(values, nan=-9.0), 10).tobytes()


def moves(measure: Measure, grades: Iterable[float], odd: frozenset[str]) -> Iterator[Change]:
    """Every single decision worth trying for a measure; `odd` says what the data hold that some decisions are about."""
    for name, values in _policies(odd).items():
        for value in values:
            yield Change(name, value, False)
    options = measure.definition.options
    thresholds = [grade for grade in grades if grade > 0]
    if "gain" in options:
        gains = ["exp", *(f"binary({grade:g})" for grade in thresholds)]
        yield from (Change("gain", options["gain"].check("gain", text), True) for text in gains)
    if "discount" in options:
        yield from (Change("discount", options["discount"].check("discount", w), True) for w in ("jk(2)", "zipf"))
    for name in filter(options.__contains__, ("ideal", "over", "at", "first")):
        beside = {options[name].default} if name == "over" else {options[name].default, "returned"}
        yield from (Change(name, word, True) for word in options[name].choices if word not in beside)
    if "rel" in options and measure.definition.threshold:
        yield from (Change("rel", grade, True) for grade in thresholds[1:])


def _policies(odd: frozenset[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {
        "unjudged": ("drop",),
        "pool": ("returned",),
        "missing": ("drop",),
        "undefined": ("one", "drop"),
    }
    if "ties" in odd:
        found["ties"] = ("order", "document-asc", "reverse", "mean", "worst", "best")
    if "single" in odd:
        found["precision"] = ("single",)
    if "extra" in odd:
        found["extra"] = ("zero", "undefined")
    if "negative" in odd:
        found["negative"] = ("keep", "drop")
    if "fraction" in odd:
        found["fraction"] = ("truncate", "below-1")
    if "own_id" in odd:
        found["own_id"] = ("drop",)
    if "floor" in odd:
        found["floor"] = ("zero",)
    return found
