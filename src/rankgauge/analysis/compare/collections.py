"""Several collections at once: does a difference hold on collections like these, or on one of them alone?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from rankgauge.analysis.compare.statistics.corrections import adjust, next_level
from rankgauge.analysis.compare.statistics.random_effects import RandomEffects, random_effects
from rankgauge.analysis.compare.statistics.tests import paired_differences
from rankgauge.analysis.compare.tables import interval_text, p_text, percent, signed
from rankgauge.analysis.compare.verdicts import Verdict
from rankgauge.analysis.score_table import Measures, evaluation_notes, names_of, position, scores_from
from rankgauge.errors import AnalysisError, UsageError, did_you_mean, plural
from rankgauge.evaluation.intervals import linearized, mean_interval, moments
from rankgauge.evaluation.scores import Scores
from rankgauge.tables import ByMeasure, Plain
from rankgauge.tables.notes import Note, gathered, some
from rankgauge.tables.table import Cell, Column, Table, number, p_equals

CORRECTIONS = ("holm", "bh", "none")


@dataclass(frozen=True, slots=True)
class CollectionDifference(Plain):
    """One pair on one collection, with the interval of this collection alone; `weight` is its share of the mean."""

    _json_names: ClassVar = {"query_count": "queries"}

    collection: str
    difference: float
    low: float
    high: float
    query_count: int
    weight: float


@dataclass(frozen=True, slots=True)
class PooledPair(Plain):
    """One system against the baseline: the mean difference over collections like these.

    `between` is the standard deviation of true differences between collections, `heterogeneity` (I²) the share of the
    scatter that is more than noise, `p_heterogeneity` of no such scatter; a new collection's true difference lies between
    `predicted_low` and `predicted_high` with the confidence asked for.
    """

    system: str
    baseline: str
    difference: float
    low: float
    high: float
    p: float
    p_adjusted: float
    p_equivalence: float
    verdict: Verdict
    between: float
    heterogeneity: float
    p_heterogeneity: float
    predicted_low: float
    predicted_high: float
    collections: tuple[CollectionDifference, ...]


@dataclass(frozen=True, slots=True)
class MeasureAcross(Plain):
    """The pairs of one measure."""

    _json_names: ClassVar = {"measure": None}

    measure: str
    pairs: tuple[PooledPair, ...]


@dataclass(frozen=True, repr=False)
class AcrossCollections(ByMeasure[MeasureAcross]):
    """Systems compared on several collections; `interval_confidence` is of each mean by itself, at the level that decides."""

    _json_also: ClassVar = ("summary",)

    collections: tuple[str, ...]
    baseline: str
    correction: str
    confidence: float
    interval_confidence: float
    equivalence: float | None
    notes: tuple[Note, ...]
    parts: tuple[MeasureAcross, ...]

    def __repr__(self) -> str:
        return f"AcrossCollections({self.summary})"

    @property
    def summary(self) -> str:
        """One sentence, on the first measure."""
        lead = self.parts[0]
        where = f"over {len(self.collections)} collections, on {lead.measure}"
        if len(lead.pairs) == 1:
            pair = lead.pairs[0]
            evidence = interval_text(pair.low, pair.high, self.interval_confidence)
            outcome = {
                "undecided": f"Undecided between {pair.system} and {pair.baseline}",
                "equivalent": f"{pair.system} and {pair.baseline} are equivalent",
            }.get(pair.verdict, f"{pair.system} is {pair.verdict} than {pair.baseline}")
            p = p_equals(pair.p_adjusted)
            return f"{outcome} {where}: {signed(pair.difference)} on average ({evidence}, {p})."
        counts = {word: sum(pair.verdict == word for pair in lead.pairs) for word in ("better", "worse", "equivalent")}
        found = ", ".join(f"{count or 'none'} {word}" for word, count in counts.items() if count or word == "better")
        return f"Of {len(lead.pairs)} systems against {self.baseline} {where}: {found}, the others undecided."

    @property
    def method(self) -> str:
        level = percent(self.interval_confidence)
        adjusted = "p not adjusted" if self.correction == "none" else f"p adjusted ({self.correction})"
        return (
            f"random effects (Paule-Mandel, t with {plural(len(self.collections) - 1, 'degree')} of freedom where all collections"
            f" have both), {adjusted}; {level} intervals of the mean difference over collections."
        )

    def _pairs(self) -> Iterator[tuple[str, PooledPair]]:
        return ((part.measure, pair) for part in self.parts for pair in part.pairs)

    def table(self) -> Table:
        """A row per pair for the mean, below it one per collection."""
        rows: list[tuple[Cell, ...]] = []
        marked = set()
        for measure, pair in self._pairs():
            marked.add(len(rows))
            outcome = (p_text(pair.p_adjusted), f"{pair.heterogeneity:.0%}", pair.verdict)
            rows.append((measure, pair.system, "all", None, pair.difference, pair.low, pair.high, *outcome))
            for one in pair.collections:
                share = f"{one.weight:.0%}"
                rows.append((measure, "", one.collection, share, one.difference, one.low, one.high, "", "", ""))
        columns = (
            *(Column("measure"), Column("system"), Column("collection"), number("weight")),
            *(number(name, signed=True) for name in ("difference", "low", "high")),
            *(number("p"), number("I²"), Column("verdict", is_verdict=True)),
        )
        if len(self.parts) == 1:
            columns, rows = columns[1:], [row[1:] for row in rows]
        scatter = "I²: share of the scatter between collections that is more than noise"
        notes = (self.method, scatter, *gathered(self.notes))
        return Table(columns, tuple(rows), self.summary, notes, frozenset(marked), gap=1)

    def wide_table(self) -> Table:
        """One row per measure, pair and collection, the mean first: for other programs."""
        names = ("difference", "low", "high")
        more = ("p", "p_adjusted", "between", "heterogeneity", "p_heterogeneity", "predicted_low", "predicted_high")
        rows: list[tuple[Cell, ...]] = []
        for measure, pair in self._pairs():
            own = [getattr(pair, name) for name in (*names, *more)]
            rows.append((measure, pair.system, pair.baseline, "", None, None, *own, pair.verdict))
            for one in pair.collections:
                place = (measure, pair.system, pair.baseline, one.collection, one.query_count, one.weight)
                rows.append((*place, *(getattr(one, name) for name in names), *[None] * len(more), ""))
        columns = (
            *(Column(name) for name in ("measure", "system", "baseline", "collection")),
            *(number(name) for name in ("queries", "weight", *names, *more)),
            Column("verdict"),
        )
        return Table(columns, tuple(rows))


@dataclass(frozen=True, slots=True)
class _Measured:
    """One system against the baseline on one measure, on every collection that has both."""

    measure: str
    system: str
    parts: tuple[CollectionDifference, ...]
    pooled: RandomEffects


def compare_collections(
    collections: Mapping[str, Any],
    measures: Measures | None,
    settings: dict[str, Any],
    *,
    baseline: str | None,
    correction: str,
    confidence: float,
    equivalence: float | None,
) -> AcrossCollections:
    """Every system against the baseline, over the collections that have both; at least two are needed.

    `settings` are for judgments and runs, as in `scores_from`.
    """
    tables = _tables(collections, measures, settings)
    names = _shared_measures(tables)
    against = _baseline(tables, baseline)
    measured = [
        found
        for measure in names
        for system in dict.fromkeys(name for table in tables.values() for name in table.systems)
        if system != against and (found := _measured(tables, measure, system, against, confidence)) is not None
    ]
    if not measured:
        raise AnalysisError(
            f"no system but {against} has scores on two collections\nUse the same name for a system in every collection."
        )
    alpha = 1.0 - confidence
    adjusted = adjust([one.pooled.p for one in measured], correction)
    within = [one.pooled.p_within(equivalence) if equivalence else np.nan for one in measured]
    equivalent = adjust(within, correction)
    level = next_level(len(measured), int(np.count_nonzero(adjusted < alpha)), alpha, correction)
    pairs: dict[str, list[PooledPair]] = {name: [] for name in names}
    for one, p, same in zip(measured, adjusted.tolist(), equivalent.tolist(), strict=True):
        pairs[one.measure].append(_pair(one, against, p, same, level, alpha))
    return AcrossCollections(
        collections=tuple(tables),
        baseline=against,
        correction=correction,
        confidence=confidence,
        interval_confidence=1.0 - level,
        equivalence=equivalence,
        notes=_notes(tables),
        parts=tuple(MeasureAcross(name, tuple(own)) for name, own in pairs.items()),
    )


def _tables(collections: Mapping[str, Any], measures: Measures | None, settings: dict[str, Any]) -> dict[str, Scores]:
    if not hasattr(collections, "items") or len(collections) < 2:
        raise UsageError("collections are two or more, by name, each scores or (judgments, runs)")
    found = {}
    for name, given in collections.items():
        pair = given if isinstance(given, tuple) else (given, None)
        if len(pair) != 2:
            raise UsageError(f"collection {name!r} is scores or a pair (judgments, runs), not {len(pair)} things")
        # Policies are for judgments; scores have theirs.
        own = settings if pair[1] is not None else {"only": settings["only"]}
        found[str(name)] = scores_from(*pair, measures, **own)
    return found


def _shared_measures(tables: Mapping[str, Scores]) -> tuple[str, ...]:
    named = [names_of(table) for table in tables.values()]
    shared = tuple(name for name in named[0] if all(name in others for others in named))
    if not shared:
        raise AnalysisError("the collections have no measure in common\nEvaluate all of them by the same measures.")
    return shared


def _baseline(tables: Mapping[str, Scores], named: str | None) -> str:
    baseline = next(iter(tables.values())).systems[0] if named is None else named
    for name, table in tables.items():
        if baseline not in table.systems:
            hint = did_you_mean(baseline, table.systems)
            raise UsageError(f"collection {name} has no run of the baseline {baseline!r}; {hint}")
    return baseline


def _measured(
    tables: Mapping[str, Scores], measure: str, system: str, baseline: str, confidence: float
) -> _Measured | None:
    parts, errors = [], []
    for name, table in tables.items():
        if system not in table.systems:
            continue
        values = table.matrix(measure)
        values = values if table.weights is None else linearized(values, table.weights)
        rows = [values[position(one, table.systems, "system")] for one in (system, baseline)]
        differences = paired_differences(*rows)[np.newaxis]
        sample, bounds = moments(differences), mean_interval(differences, confidence=confidence)
        if sample.queries[0] > 1:
            middle, low, high = (float(column[0]) for column in (bounds.mean, bounds.low, bounds.high))
            parts.append(CollectionDifference(name, middle, low, high, int(sample.queries[0]), weight=0.0))
            errors.append(float(sample.error[0]))
    if len(parts) < 2:
        return None
    pooled = random_effects(np.array([part.difference for part in parts]), np.array(errors))
    shared = tuple(replace(part, weight=float(share)) for part, share in zip(parts, pooled.shares, strict=True))
    return _Measured(measure, system, shared, pooled)


def _pair(one: _Measured, baseline: str, adjusted: float, equivalent: float, level: float, alpha: float) -> PooledPair:
    pooled = one.pooled
    (low, high), (predicted_low, predicted_high) = pooled.interval(level), pooled.predicted(alpha)
    found: Verdict = "undecided" if adjusted >= alpha else "better" if pooled.mean > 0.0 else "worse"
    return PooledPair(
        system=one.system,
        baseline=baseline,
        difference=pooled.mean,
        low=low,
        high=high,
        p=pooled.p,
        p_adjusted=adjusted,
        p_equivalence=equivalent,
        verdict="equivalent" if equivalent < alpha else found,
        between=pooled.between,
        heterogeneity=pooled.heterogeneity,
        p_heterogeneity=pooled.p_heterogeneity,
        predicted_low=predicted_low,
        predicted_high=predicted_high,
        collections=one.parts,
    )


def _notes(tables: Mapping[str, Scores]) -> tuple[Note, ...]:
    """Who was left out, how little few collections say, and how the scores were computed, once where all agree."""
    notes = []
    counts = Counter(system for table in tables.values() for system in table.systems)
    alone = tuple(system for system, count in counts.items() if count == 1)
    if alone:
        text = f"{plural(len(alone), 'system')} on one collection only, left out ({some(alone)})"
        notes.append(Note("one-collection", text, len(alone), examples=alone[:5]))
    if len(tables) <= 3:
        text = f"{len(tables)} collections say little about others: intervals are wide, and so they should be"
        notes.append(Note("few-collections", text, len(tables)))
    policies: dict[str, list[str]] = {}
    for name, table in tables.items():
        for note in evaluation_notes(table):
            policies.setdefault(note.text, []).append(name)
    for text, names in policies.items():
        where = "" if len(names) == len(tables) else f"{', '.join(names)}: "
        notes.append(Note("policy", f"{where}{text}"))
    return tuple(notes)
