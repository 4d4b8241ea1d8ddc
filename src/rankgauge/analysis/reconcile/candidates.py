"""Every setting that may be behind a number, ours, those of known tools and what is one or two decisions away, with what
each gives on one run.

Settings share what they can: one match serves all that order and count documents alike, one `Ruled` all that differ in
what is decided about queries.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from rankgauge.arrays import Flags, Floats
from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.match import Match, match_runs
from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.errors import MeasureError, PolicyError
from rankgauge.evaluation.aggregates import aggregate
from rankgauge.evaluation.columns import Ruled, decided, denominators
from rankgauge.evaluation.evaluate import Progress, settle_one, weighed
from rankgauge.evaluation.presets import PRESETS
from rankgauge.evaluation.setting import Change, Setting
from rankgauge.measures.measure import Measure

KNOWN, NEAR, FAR = 0, 1, 2
"""How far a candidate is from what is known to be done: by us or a tool; one decision away; two."""
_MATCHED = {
    "ties": {"document-asc", "order", "reverse", "mean-rank"},
    "precision": {"single"},
    "own_id": {"drop"},
    "floor": {"zero"},
}
"""What makes another match; whatever else is decided, the hits are the same."""


class Numbers:
    """Values and means of settings on one run."""

    def __init__(self, judgments: Judgments, run: Run) -> None:
        self._judgments, self._run = judgments, run
        self._matches: dict[Policy, Match] = {}
        self._ruled: dict[Policy, Ruled] = {}
        self._values: dict[tuple[Measure, Policy], Floats] = {}
        usual, single = self._match(Policy()), self._match(Policy(precision="single"))
        hits, pool, frame = usual.hits, usual.pool.value, run.to_polars()
        self.queries, self.extra = usual.queries, list(usual.foreign)
        self.place = {query: at for at, query in enumerate([*self.queries, *self.extra])}
        self.missing: Flags = hits.retrieved == 0
        self.grades = sorted(set(pool[pool > 0].tolist()))[:12]
        self.any_judged = bool(len(hits.value))
        same = np.array_equal(hits.rank, single.hits.rank) and np.array_equal(hits.value, single.hits.value)
        odd = {
            "ties": hits.is_tied or single.hits.is_tied,
            "precision": not same,
            "extra": bool(self.extra),
            "negative": bool(np.any(pool < 0)),
            "fraction": bool(np.any(pool != np.trunc(pool))),
            "own_id": bool((frame["query"] == frame["document"]).any()),
            "floor": bool((frame["score"] <= 0).any()),
        }
        self.odd = frozenset(name for name, held in odd.items() if held)
        """Decisions about what few data hold, and these do."""

    def _match(self, policy: Policy) -> Match:
        given = vars(policy)
        key = Policy(**{name: given[name] for name, values in _MATCHED.items() if given[name] in values})
        if key not in self._matches:
            self._matches[key] = next(iter(match_runs(self._judgments, [self._run], key)))
        return self._matches[key]

    def _under(self, policy: Policy) -> Ruled:
        policy = replace(policy, missing="zero", extra=None, undefined=None, mean=None, empty=None, digits=None)
        if policy not in self._ruled:
            self._ruled[policy] = Ruled(self._match(policy), policy)
        return self._ruled[policy]

    def of_queries(self, setting: Setting, *, refusing: bool = False) -> Floats:
        """The value of every query, judged ones first, then those of the run that nobody judged; nan if left out.

        What the setting calls an error is one only if `refusing`.
        """
        measure, policy, ruled = setting.measure, setting.policy, self._under(setting.policy)
        key = (measure, ruled.policy)
        if key not in self._values:
            self._values[key] = ruled.value(measure)
        pool, rule = ruled.pool(ruled.ties_of(measure)), policy.undefined or measure.definition.undefined
        values, undefined = decided(self._values[key], measure, policy, self.missing, pool)
        if refusing and ((rule == "error" and undefined.any()) or (policy.missing == "error" and self.missing.any())):
            raise PolicyError("the setting refuses these data")
        if not self.extra:
            return values
        counted = {"zero": 0.0, "one": 1.0}.get(rule, np.nan)
        outside = {"zero": 0.0, "undefined": counted}.get(policy.extra or "", np.nan)
        return np.append(values, np.full(len(self.extra), outside))

    def mean(self, setting: Setting, values: Floats | None = None) -> float:
        """What `evaluate` would print."""
        values = self.of_queries(setting) if values is None else values
        if np.isnan(values).all():
            return 0.0 if setting.policy.empty == "zero" else math.nan
        if setting.policy.mean == "micro":
            below = denominators(self._under(setting.policy), setting.measure)
            values = weighed(values[None, :, None], below[None, :, None])[0, :, 0]
        return aggregate(setting.measure.definition.aggregate, values)


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
    name = measure.definition.name
    having = (tool for tool, preset in PRESETS.items() if not preset.only or name in preset.only)
    return {tool: Setting(*settle_one(measure, None, tool)) for tool in having}


def candidates(numbers: Numbers, measure: Measure, progress: Progress | None = None) -> list[Candidate]:
    """Without repetition: settings that are equal on every query are one, the nearest of them."""
    ours, tools = own_setting(measure), tool_settings(measure)
    singles = list(moves(measure, numbers.grades, numbers.odd))
    pairs = [pair for pair in combinations(singles, 2) if pair[0].name != pair[1].name]
    kinds: dict[bytes, Setting] = {}  # tools that are equal on every query are one also after another decision
    theirs = list(tools.values())
    for at, values in _tried(numbers, theirs, progress):
        kinds.setdefault(key_of(values), theirs[at])
    settings = [
        (KNOWN, ours, ()),
        *((KNOWN, setting, (name,)) for name, setting in tools.items()),
        *((NEAR, ours.with_change(change), ()) for change in singles),
        *((FAR, ours.with_change(a).with_change(b), ()) for a, b in pairs),
        *(
            (FAR, base.with_change(one), ())
            for base in kinds.values()
            for decisions in [base.decisions]
            for one in singles
            if decisions.get(one.name, one.value) != one.value
        ),
    ]
    found: dict[tuple[bytes, bool], Candidate] = {}
    for at, values in _tried(numbers, [setting for _, setting, _ in settings], progress):
        tier, setting, named = settings[at]
        mean = numbers.mean(setting, values)
        if math.isnan(mean):
            continue
        key = (key_of(values), setting.policy.mean == "micro")
        known = found.get(key)
        if known is None:
            found[key] = Candidate(setting, mean, values, tier, setting.changes_from(ours), named)
        elif tier < FAR:
            changes = setting.changes_from(ours)
            if len(changes) < len(known.changes):
                known = replace(known, setting=setting, changes=changes)
            found[key] = replace(known, values=values, tools=(*known.tools, *named))
    return list(found.values())


def _tried(numbers: Numbers, settings: Sequence[Setting], progress: Progress | None) -> Iterator[tuple[int, Floats]]:
    """The values under each setting, and which it was; without those that refuse these data."""
    for at, setting in enumerate(settings):
        if progress is not None:
            progress(at, len(settings))
        try:
            yield at, numbers.of_queries(setting, refusing=True)
        except (MeasureError, PolicyError):
            continue


def key_of(values: Floats) -> bytes:
    """Equal where values are, whatever the last bits are."""
    return np.round(np.nan_to_num(values, nan=-9.0), 10).tobytes()


_ALWAYS = {"unjudged": ("drop",), "pool": ("returned",), "missing": ("drop",), "undefined": ("one", "drop")}
_WHERE_ODD = {
    "ties": ("order", "document-asc", "reverse", "mean", "worst", "best"),
    "precision": ("single",),
    "extra": ("zero", "undefined"),
    "negative": ("keep", "drop"),
    "fraction": ("truncate", "below-1"),
    "own_id": ("drop",),
    "floor": ("zero",),
}


def moves(measure: Measure, grades: Iterable[float], odd: frozenset[str]) -> Iterator[Change]:
    """Every single decision worth trying for a measure on data with these grades and oddities."""
    for name, words in (_ALWAYS | {name: words for name, words in _WHERE_ODD.items() if name in odd}).items():
        yield from (Change(name, word) for word in words)
    options = measure.definition.options
    thresholds = [grade for grade in grades if grade > 0]
    if "gain" in options:
        gains = ["exp", *(f"binary({grade:g})" for grade in thresholds)]
        yield from (Change("gain", options["gain"].check("gain", text)) for text in gains)
    if "discount" in options:
        yield from (Change("discount", options["discount"].check("discount", w)) for w in ("jk(2)", "zipf"))
    for name in filter(options.__contains__, ("ideal", "over", "at", "first")):
        beside = {options[name].default} if name == "over" else {options[name].default, "returned"}
        yield from (Change(name, word) for word in options[name].choices if word not in beside)
    if "rel" in options and measure.definition.threshold:
        yield from (Change("rel", grade) for grade in thresholds[1:])
