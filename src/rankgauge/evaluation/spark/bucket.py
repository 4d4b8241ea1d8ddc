"""Buckets of queries with all systems: what goes to a worker, what it does, and what all answers come to.

A worker matches and measures as one process does. Nothing here knows Spark.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from typing import Any

import numpy as np
import polars as pl

from rankgauge.arrays import Floats
from rankgauge.data.about import aligned_weights
from rankgauge.data.faults import no_query_in_common
from rankgauge.data.judgments import Judgments, Run, table_of
from rankgauge.data.match import Judged, Match
from rankgauge.data.policy import Policy
from rankgauge.data.table import table_of_frame
from rankgauge.errors import DataError, MeasureError, RankgaugeError, UsageError, plural
from rankgauge.evaluation.aggregates import Sum
from rankgauge.evaluation.columns import deepest_rank, graded_pool, measured
from rankgauge.evaluation.means import Means
from rankgauge.evaluation.notes import OfJudgments, OfRun, added
from rankgauge.evaluation.scores import About, Scores, weighted, weights_note
from rankgauge.kernels.hits import Pool, no_hits
from rankgauge.measures.curves import Curve
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import NOUNS, SHOWN, Note

_TABLES = {"gain": (0, 32), "discount": (1, 4096)}
"""Options that are curves over whole numbers: where their tables begin, and how long they are at most."""


@dataclass(frozen=True)
class Shipped:
    """A measure as text, with the values of its curves as this machine computes them, and the highest relevance of all.

    log2, exp2 and powers may differ in the last bit between processors and versions of NumPy. So gains of whole grades
    and weights of ranks are computed once and travel along; what a table lacks, the worker computes.
    """

    text: str
    tables: Mapping[str, Floats]
    highest: float | None

    @classmethod
    def of(cls, measure: Measure, policy: Policy, highest: float) -> Shipped:
        """`highest` is the highest judged value of all queries."""
        tables, settings = {}, measure.settings
        for name, (first, length) in _TABLES.items():
            if isinstance(curve := settings.get(name), Curve):
                at = np.arange(length, dtype=np.float64) + first
                given = (at,) if name == "gain" else (at[: measure.cutoff], measure.cutoff)
                # A gain may not be defined for all these grades; the worker sees only those that occur.
                with contextlib.suppress(MeasureError):
                    tables[name] = np.asarray(curve(*given), np.float64)
        relevance: Any = settings.get("relevance")
        # Under phi and quantiles every query in which anything is relevant has the same highest relevance.
        needs_all = settings.get("max") == "judgments" and settings.get("rel") is None
        if not needs_all or relevance.name in {"phi", "quantiles"}:
            return cls(str(measure), tables, None)
        if policy.pool == "returned" or relevance.name == "tiers":
            reason = 'pool="returned"' if policy.pool == "returned" else f"relevance={relevance}"
            raise UsageError(
                f"{measure} needs the highest relevance of all queries, which a bucket cannot know with {reason}\n"
                f"Give it, as in {measure.definition.name}(max=3), or evaluate Polars or pandas tables in one process."
            )
        pool = graded_pool(Pool(np.array([highest]), np.array([0, 1])), policy)
        return cls(str(measure), tables, float(relevance(pool.value, pool.query, pool).max(initial=0.0)))

    def unpacked(self) -> Measure:
        """The measure, its curves looking values at whole numbers up first."""
        measure = parse(self.text)
        options = dict(measure.options)

        def looked_up(function: Callable[..., Any], table: Floats, first: int, at: Floats, *context: Any) -> Floats:
            found = np.array(function(at, *context), np.float64)
            known = (at >= first) & (at < first + len(table)) & (at == np.floor(at))
            found[known] = table[at[known].astype(np.int64) - first]
            return found

        for name, table in self.tables.items():
            curve = measure.settings[name]
            options[name] = curve._replace(function=partial(looked_up, curve.function, table, _TABLES[name][0]))
        if self.highest is not None:
            options["max"] = self.highest
        return replace(measure, options=tuple(options.items()))


@dataclass(frozen=True)
class BucketTask:
    """The same for every bucket."""

    measures: tuple[Shipped, ...]
    policy: Policy
    systems: tuple[str, ...]
    buckets: int
    per_query: bool
    weights: Mapping[str, float] | None = None


@dataclass(frozen=True, eq=False)
class BucketScores:
    """What a bucket has to say: the values of its queries or, where only means are wanted, their sums; and what to note."""

    names: tuple[str, ...]
    """Of its queries; the first few where only means are wanted."""
    values: Floats | None
    """Systems × queries × measures."""
    counted: tuple[OfJudgments, tuple[OfRun, ...], tuple[tuple[Sum, ...], ...]]
    """What adds up over all buckets."""
    weights: tuple[float, ...]
    """The smallest and the largest, where there are any."""
    arithmetic: str


def score_bucket(
    task: BucketTask, bucket: int, judged: pl.DataFrame, runs: pl.DataFrame
) -> BucketScores | RankgaugeError:
    """Columns query, document, value and system, query, document, score; every row of a query is here.

    What a user has to mend is returned, not raised: Spark would bury it.
    """
    where = f"bucket {bucket + 1} of {task.buckets}"
    try:
        return _scored(task, where, judged, runs)
    except RankgaugeError:
        # Rows come in any order. Once more in a fixed one, so that the same rows are named every time.
        judged, runs = judged.sort("query", "document"), runs.sort("query", "document")
    try:
        return _scored(task, where, judged, runs)
    except DataError as error:
        # Row numbers mean nothing outside the bucket; query and document do.
        places = [re.sub(r"^row \d+: | \(first on row \d+\)$", "", place) for place in error.places]
        hint = error.hint
        if hint is not None and "duplicates=" in hint:
            hint = "Keep one row each, as dropDuplicates or a maximum by query and document does."
        return DataError(error.message, error.origin, places, hint)
    except RankgaugeError as error:
        return error


def _scored(task: BucketTask, where: str, judged: pl.DataFrame, runs: pl.DataFrame) -> BucketScores:
    measures = [shipped.unpacked() for shipped in task.measures]
    table = Judgments(judged.sort("query", maintain_order=True), name=f"judgments ({where})").table
    ready = Judged(table_of(table) if len(judged) else table_of_frame(table))  # all its queries may be in runs only
    names = tuple(ready.queries)
    weights = None if task.weights is None else aligned_weights(task.weights, names, is_part=True)
    parts = runs.partition_by("system", as_dict=True, include_key=False)
    deepest = deepest_rank(measures, task.policy)
    found = []
    for system in task.systems:
        match = Match(no_hits(len(names)), ready.pool, names, [])
        if (part := parts.get((system,))) is not None:
            match = ready.match(table_of(Run(part, name=f"{system} ({where})").table), task.policy, deepest)
        match = match._replace(foreign=sorted(match.foreign))
        found.append(measured(match, measures, task.policy, weights, is_part=True))
    values = np.stack([one.values for one in found])
    kinds = [] if task.per_query else [measure.definition.aggregate for measure in measures]
    sums = tuple(tuple(Sum.of(*one, weights) for one in zip(block.T, kinds, strict=False)) for block in values)
    return BucketScores(
        names=names if task.per_query else names[:SHOWN],
        values=values if task.per_query else None,
        counted=(OfJudgments.of(ready.pool, names, measures), tuple(one.counted for one in found), sums),
        weights=() if weights is None or not len(weights) else (float(weights.min()), float(weights.max())),
        arithmetic=arithmetic(),
    )


def joined(
    parts: Sequence[BucketScores],
    task: BucketTask,
    measures: tuple[Measure, ...],
    notes: Sequence[Note] = (),
    nouns: tuple[str, str] = NOUNS,
) -> Scores | Means:
    """What all buckets say together, after the notes on the tables; what the policy forbids is refused."""
    of_judgments, runs, sums = reduce(added, [part.counted for part in parts])
    notes = [*notes, *of_judgments.notes(measures, task.policy, nouns)]
    for system, run in zip(task.systems, runs, strict=True):
        if run.foreign.count and not run.answered:
            judged = sorted(name for part in parts for name in part.names[:SHOWN])
            raise no_query_in_common(judged, run.foreign.first, system, "the judgments", run.foreign.count).error()
        notes += run.notes(system, measures, task.policy, nouns)
    ours = arithmetic()
    if other := sum(part.arithmetic != ours for part in parts):
        text = (
            f"{plural(other, 'bucket')} of {len(parts):,} were scored by workers whose log2 or exp differ from this"
            " machine's in the last bits (another processor or NumPy), so values may differ from local ones there"
        )
        notes.append(Note("worker-arithmetic", text, other))
    if task.per_query:
        names = [name for part in parts for name in part.names]
        order = sorted(range(len(names)), key=names.__getitem__)
        values = np.concatenate([part.values for part in parts if part.values is not None], axis=1)[:, order]
        queries, about = tuple(names[at] for at in order), About(noun=nouns[0])
        scores = Scores(task.systems, queries, measures, values, task.policy, tuple(notes), about=about)
        return scores if task.weights is None else weighted(scores, aligned_weights(task.weights, queries))
    count = run.answered + run.missing.count
    if task.weights is not None:
        notes.insert(0, weights_note(np.array([weight for part in parts for weight in part.weights]), count))
    means = np.array([[cell.aggregate() for cell in row] for row in sums])
    counts = np.array([[cell.count for cell in row] for row in sums])
    return Means(task.systems, count, measures, means, counts, task.policy, tuple(notes), nouns[0])


def arithmetic() -> str:
    """A fingerprint of the functions whose last bits may differ between machines."""
    at = np.linspace(0.001, 40, 4001)
    seen = [np.log2(at), np.log(at), np.exp2(at), np.exp(-at), at**0.7, 0.8**at, np.sqrt(at)]
    return hashlib.blake2b(np.stack(seen).tobytes(), digest_size=8).hexdigest()
