"""The engine for Spark tables; the only file that imports pyspark, and only inside functions.

Queries are hashed into buckets of about a million rows, every system of a query in the same one. Each bucket is scored
by the same matching and measures as in one process, and only scores come back.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import pickle
import re
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge.data.about import aligned_weights
from rankgauge.data.columns import has_system
from rankgauge.data.faults import no_query_in_common
from rankgauge.data.policy import Policy
from rankgauge.data.read.bytes import system_name
from rankgauge.errors import DataError, MissingExtraError, UsageError, plural
from rankgauge.evaluation.means import Means
from rankgauge.evaluation.scores import About, Scores, weighted, weights_note
from rankgauge.evaluation.spark.bucket import BucketScores, BucketTask, Fault, gathered, sums_of, totals
from rankgauge.evaluation.spark.cluster import (
    NEEDED,
    check_packages,
    check_result_size,
    cores,
    explained,
    has_package,
    interpreter,
    send_package,
)
from rankgauge.evaluation.spark.shipping import arithmetic, ship
from rankgauge.evaluation.spark.tables import Entry, Tables, survey, tables_of, with_system
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

ROWS_PER_BUCKET = 1_000_000
LEAST_ROWS = 100_000
"""Buckets are made smaller down to this, while there are fewer of them than cores to work on them."""


@dataclass(frozen=True)
class Extras:
    """What a call may ask for beside measures and policy."""

    only: Collection[str] | None = None
    weights: Mapping[str, float] | None = None
    buckets: int | None = None
    per_query: bool = True


def evaluate_on_spark(
    judgments: Any, runs: Sequence[Entry], measures: tuple[Measure, ...], policy: Policy, extras: Extras
) -> Scores | Means:
    """Scores, or the means alone; tables that are not Spark's are sent there first."""
    _refuse(measures, policy)
    tables = tables_of(judgments, runs, extras.only)
    found = survey(tables)
    if extras.per_query:
        check_result_size(tables.session, found, len(measures))
    count = extras.buckets or buckets_for(found.rows, cores(tables.session))
    shipped = tuple(map(ship, measures))
    task = BucketTask(shipped, policy, found.systems, count, found.highest, extras.per_query, extras.weights)
    with _explaining(count), interpreter(tables.session):
        if not has_package(tables.session):
            _probe(tables.session)
            send_package(tables.session)
        parts = _score(tables, task)
    return _result(parts, task, measures, tables)


def buckets_for(rows: int, cores: int) -> int:
    """About a million rows a bucket, or less as long as cores would have nothing to do."""
    return max(math.ceil(rows / ROWS_PER_BUCKET), min(2 * cores, math.ceil(rows / LEAST_ROWS)))


def _refuse(measures: tuple[Measure, ...], policy: Policy) -> None:
    """What only makes sense, or only works, in one process."""
    own = [str(measure) for measure in measures if measure.is_custom]
    if own:
        raise UsageError(
            f"{own[0]} holds a Python function, and Spark's workers may not have what it needs\n"
            "Use a measure that has a text, or evaluate Polars or pandas tables in one process."
        )
    here = {"extra", "own_id", "repeated", "floor", "mean", "empty"} & policy.unusual().keys()
    if here or policy.ties in {"document-asc", "reverse", "mean-rank"}:
        name = min(here, default="ties")
        raise UsageError(
            f"{name}={getattr(policy, name)} is not computed in buckets\n"
            "Evaluate Polars or pandas tables in one process, or choose another policy."
        )
    if policy.ties == "order":
        raise UsageError(
            'ties="order" needs rows in a given order, which Spark tables do not have; choose another rule'
        )
    if policy.unjudged == "bounds":
        raise UsageError(
            'unjudged="bounds" looks at the grades of all queries at once, so it is not computed in buckets\n'
            'Use unjudged="zero" or "drop", or take a sample of the queries to one process.'
        )


def _score(tables: Tables, task: BucketTask) -> list[BucketScores]:
    """Every bucket on some worker; the fault of the first bucket that has one is raised."""
    shipped = pickle.dumps(task)

    def on_worker(key: tuple[Any, ...], judged: Any, runs: Any) -> Any:
        # A task has one core. Polars looks at this when it is first imported, which unpacking the task does.
        os.environ.setdefault("POLARS_MAX_THREADS", "1")
        import polars as pl
        import pyarrow as pa

        from rankgauge.evaluation.spark.bucket import score_bucket

        bucket = key[0].as_py()
        frames = (pl.DataFrame(pl.from_arrow(table)).drop("bucket") for table in (judged, runs))
        found = score_bucket(pickle.loads(shipped), bucket, *frames)  # noqa: S301 - made a few lines above
        return pa.table({"bucket": [bucket], "found": [pickle.dumps(found)]})

    bucket = f"pmod(xxhash64(query), {task.buckets}) as bucket"
    judged, runs = (frame.selectExpr("*", bucket).groupBy("bucket") for frame in (tables.judged, tables.runs))
    with _calm():
        scored = judged.cogroup(runs).applyInArrow(on_worker, "bucket long, found binary").toArrow()
    rows = sorted(zip(scored["bucket"].to_pylist(), scored["found"].to_pylist(), strict=True))
    answers = [pickle.loads(found) for _, found in rows]  # noqa: S301 - our own workers' words, on Spark's own channel
    for answer in answers:
        if isinstance(answer, Fault):
            raise answer.error
    return answers


@contextlib.contextmanager
def _calm() -> Iterator[None]:
    """PySpark warns of pandas 3, through which no value passes here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)
        yield


def _result(
    parts: list[BucketScores], task: BucketTask, measures: tuple[Measure, ...], tables: Tables
) -> Scores | Means:
    notes = [*tables.notes, *_notes(parts, task, measures, tables.nouns)]
    if task.per_query:
        queries, values = gathered(parts, task)
        scores = Scores(
            task.systems, queries, measures, values, task.policy, tuple(notes), about=About(noun=tables.nouns[0])
        )
        return scores if task.weights is None else weighted(scores, aligned_weights(task.weights, queries))
    sums = sums_of(parts)
    count = sum(part.queries for part in parts)
    spans = [part.weights for part in parts if part.weights]
    if spans:
        low, high = min(low for low, _ in spans), max(high for _, high in spans)
        notes.insert(0, weights_note(count, low, high))
    return Means(
        task.systems,
        count,
        measures,
        np.array([[total.aggregate() for total in row] for row in sums]),
        np.array([[total.count for total in row] for row in sums]),
        task.policy,
        tuple(notes),
        tables.nouns[0],
    )


def _notes(
    parts: list[BucketScores], task: BucketTask, measures: tuple[Measure, ...], nouns: tuple[str, str]
) -> list[Note]:
    """What the facts of all buckets say together; what the policy forbids is refused."""
    pool, runs = totals(parts)
    notes = pool.notes(measures, task.policy, nouns)
    for system, facts in zip(task.systems, runs, strict=True):
        if facts.foreign.count and not facts.answered:
            judged = sorted(name for part in parts for name in part.first)
            foreign = facts.foreign
            no_query_in_common(judged, foreign.first, system, "the judgments", foreign.count).refuse()
        facts.refuse(system, measures, task.policy)
        notes += facts.notes(system, measures, task.policy, nouns)
    return notes + _other_arithmetic(parts)


def _other_arithmetic(parts: list[BucketScores]) -> list[Note]:
    ours = arithmetic()
    other = sum(part.arithmetic != ours for part in parts)
    if not other:
        return []
    text = (
        f"{plural(other, 'bucket')} of {len(parts):,} were scored by workers whose log2 or exp differ from this machine's"
        " in the last bits (another processor or NumPy), so values may differ from local ones there"
    )
    return [Note("worker-arithmetic", text, other)]


@contextlib.contextmanager
def _explaining(buckets: int) -> Iterator[None]:
    """Failures of Spark that have a plain explanation get it; the others stay as they are."""
    try:
        yield
    except ImportError as problem:
        if "pandas" in str(problem) or "pyarrow" in str(problem).lower():
            raise MissingExtraError("evaluating Spark tables", "spark") from problem
        raise
    except Exception as problem:
        plain = explained(problem, buckets)
        if plain is not None:
            raise plain from problem
        raise


def _probe(session: Any) -> None:
    from pyspark.sql.functions import udf

    def look_around(_: int) -> str:
        import importlib
        import json
        import platform
        import sys

        packages = {}
        for package in NEEDED:
            try:
                packages[package] = importlib.import_module(package).__version__
            except ImportError:
                packages[package] = None
        return json.dumps({"python": sys.executable, "version": platform.python_version(), "packages": packages})

    # Pickled rows, since Arrow is one of the things that may be missing.
    look: Callable[[str], Any] = udf(look_around, "string", useArrow=False)
    row = session.range(0, 1, 1, 1).select(look("id").alias("found")).collect()[0]
    check_packages(json.loads(row["found"]))


def read_parquet(judgments: str, runs: Sequence[tuple[str | None, str]]) -> tuple[Any, dict[str, Any] | list[Any]]:
    """Judgments and (name, path) runs as tables of the session at hand, or of a new one.

    A table without a column for the system is the run of one system, named as given or after its path.
    """
    session = _session()
    frames = [(name, path, _parquet(session, path)) for name, path in runs]
    if len(frames) == 1 or not any(has_system(frame.columns) for _, _, frame in frames):
        named = [(name or system_name(path), frame) for name, path, frame in frames]
        if len(dict(named)) < len(named):
            raise DataError("two runs have the same name", hint="Give one of them another name, as in NAME=PATH.")
        one = frames[0]
        tables: Any = one[2] if one[0] is None and has_system(one[2].columns) else dict(named)
    else:
        tables = [with_system(frame, name, system_name(path)) for name, path, frame in frames]
    return _parquet(session, judgments), tables


def _parquet(session: Any, path: str) -> Any:
    try:
        return session.read.parquet(path)
    except Exception as problem:
        if "PATH_NOT_FOUND" in str(problem):
            raise DataError("there is no such file", path) from problem
        if re.search("UNABLE_TO_INFER_SCHEMA|CANNOT_READ_FILE|not a Parquet file", str(problem)):
            raise DataError("this is not Parquet", path, hint="Spark reads Parquet tables here.") from problem
        raise


def _session() -> Any:
    try:
        with _calm():
            from pyspark.sql import SparkSession
    except ImportError as problem:
        raise MissingExtraError("--engine spark", "spark") from problem
    try:
        with _calm():
            session = SparkSession.builder.appName("rankgauge").getOrCreate()
    except Exception as problem:
        if "JAVA_GATEWAY_EXITED" in str(problem) or "JAVA_HOME" in str(problem):
            raise UsageError(
                "Spark needs Java 17 or later, and none was found; install it or set JAVA_HOME"
            ) from problem
        raise
    session.sparkContext.setLogLevel("ERROR")
    return session
