"""One bucket of queries with all systems: what a worker does, by the same matching and measures as everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

import numpy as np
import polars as pl

from rankgauge.arrays import Floats
from rankgauge.data.about import aligned_weights
from rankgauge.data.judgments import Judgments
from rankgauge.data.match import match_part, prepared
from rankgauge.data.policy import Policy
from rankgauge.data.run import Run
from rankgauge.errors import DataError, RankgaugeError
from rankgauge.evaluation.aggregates import Sum
from rankgauge.evaluation.columns import Columns, measured
from rankgauge.evaluation.notes import OfJudgments, OfRun
from rankgauge.evaluation.ruled import deepest_rank
from rankgauge.evaluation.spark.shipping import Shipped, arithmetic, unpack
from rankgauge.kernels.hits import Pool
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import SHOWN

_BEYOND = "\0queries of other buckets"


@dataclass(frozen=True)
class BucketTask:
    """The same for every bucket; `highest` is the highest judged value of all, to which some measures relate."""

    measures: tuple[Shipped, ...]
    policy: Policy
    systems: tuple[str, ...]
    buckets: int
    highest: float
    per_query: bool
    weights: Mapping[str, float] | None = None


@dataclass(frozen=True)
class BucketScores:
    """What a bucket has to say: the values of its queries (systems × queries × measures) or their sums, and facts."""

    names: tuple[str, ...]
    first: tuple[str, ...]
    """The first few names, for a message."""
    values: bytes
    sums: tuple[tuple[Sum, ...], ...]
    queries: int
    pool: OfJudgments
    runs: tuple[OfRun, ...]
    weights: tuple[float, float] | None
    """The smallest and the largest, where there are weights and queries."""
    arithmetic: str


@dataclass(frozen=True)
class Fault:
    """What a user has to mend, found in one bucket."""

    bucket: int
    error: RankgaugeError


def score_bucket(task: BucketTask, bucket: int, judged: pl.DataFrame, runs: pl.DataFrame) -> BucketScores | Fault:
    """Columns query, document, value and system, query, document, score; every row of a query is here."""
    where = f"bucket {bucket + 1} of {task.buckets}"
    try:
        return _found(task, where, judged, runs)
    except RankgaugeError:
        # Rows come in any order. Once more in a fixed one, so that the same rows are named every time.
        judged, runs = judged.sort("query", "document"), runs.sort("query", "document")
        try:
            return _found(task, where, judged, runs)
        except RankgaugeError as error:
            return Fault(bucket, _without_rows(error))


def _found(task: BucketTask, where: str, judged: pl.DataFrame, runs: pl.DataFrame) -> BucketScores:
    measures = tuple(map(unpack, task.measures))
    judgments = Judgments(_with_highest(judged, task.highest), name=f"judgments ({where})")
    ready = prepared(judgments)
    names = ready.queries[:-1]
    weights = None if task.weights is None else aligned_weights(task.weights, names, is_part=True)
    parts = runs.partition_by("system", as_dict=True, include_key=False)
    deepest = deepest_rank(measures, task.policy)
    scored = []
    for system in task.systems:
        part = parts.get((system,))
        run = None if part is None else Run(part, name=f"{system} ({where})")
        found = match_part(judgments, run, task.policy, deepest)
        found = replace(found, foreign=sorted(found.foreign))
        scored.append(measured(found, measures, task.policy).first(len(names)))
    return BucketScores(
        names=tuple(names) if task.per_query else (),
        first=tuple(names[:SHOWN]),
        values=np.stack([one.values for one in scored]).tobytes() if task.per_query else b"",
        sums=() if task.per_query else tuple(_sums(one, measures, weights) for one in scored),
        queries=len(names),
        pool=OfJudgments.of(Pool(ready.pool.value[:-1], ready.pool.start[:-1]), names, measures),
        runs=tuple(OfRun.of(one, names, measures, weights, is_part=True) for one in scored),
        weights=None if weights is None or not len(weights) else (float(weights.min()), float(weights.max())),
        arithmetic=arithmetic(),
    )


def _without_rows(error: RankgaugeError) -> RankgaugeError:
    """Without row numbers, which mean nothing outside the bucket; query and document do."""
    if not isinstance(error, DataError):
        return error
    head = str(error).splitlines()[0].removeprefix(f"{error.origin}: ")
    places = [re.sub(r"^row \d+: | \(first on row \d+\)$", "", place) for place in error.places]
    hint = error.hint
    if hint is not None and "duplicates=" in hint:
        hint = "Keep one row each, as dropDuplicates or a maximum by query and document does."
    return DataError(head, error.origin, places, hint)


def _with_highest(judged: pl.DataFrame, highest: float) -> pl.DataFrame:
    """Queries in sorted order, then one that holds the highest value of all buckets.

    Measures such as ERR relate grades to the highest one that was given anywhere.
    """
    beyond = pl.DataFrame({"query": [_BEYOND], "document": ["highest"], "value": [highest]})
    return pl.concat([judged.sort("query", maintain_order=True), beyond.cast(judged.schema)])


def _sums(one: Columns, measures: Iterable[Measure], weights: Floats | None) -> tuple[Sum, ...]:
    return tuple(Sum.of(one.values[:, m], measure.definition.aggregate, weights) for m, measure in enumerate(measures))


def gathered(
    buckets: list[BucketScores], task: BucketTask
) -> tuple[tuple[str, ...], np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """The queries of all buckets in sorted order, and their values: systems × queries × measures."""
    shape = (len(task.systems), -1, len(task.measures))
    names = [name for found in buckets for name in found.names]
    values = np.concatenate([np.frombuffer(found.values, np.float64).reshape(shape) for found in buckets], axis=1)
    order = sorted(range(len(names)), key=names.__getitem__)
    return tuple(names[at] for at in order), values[:, order]


def totals(buckets: list[BucketScores]) -> tuple[OfJudgments, list[OfRun]]:
    """Facts of the buckets added up: of the judgments, and of each system."""
    of_systems = zip(*(found.runs for found in buckets), strict=True)
    return reduce(add, (found.pool for found in buckets)), [reduce(add, facts) for facts in of_systems]


def sums_of(buckets: list[BucketScores]) -> list[list[Sum]]:
    """Systems × measures: the sums of all buckets."""
    return [
        [reduce(add, cells) for cells in zip(*rows, strict=True)]
        for rows in zip(*(b.sums for b in buckets), strict=True)
    ]
