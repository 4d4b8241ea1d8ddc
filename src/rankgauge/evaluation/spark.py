"""The engine for Spark tables; the only file that imports pyspark, and only inside functions.

Queries are hashed into buckets of about a million rows, every system of a query in the same one. Each bucket is scored
by the same matching and measures as in one process, and only scores come back.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import math
import os
import pickle
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.data.checks import no_query_in_common
from rankgauge.data.policy import Policy
from rankgauge.data.queries import aligned_weights
from rankgauge.errors import MissingExtraError, UsageError
from rankgauge.evaluation.distributed.bucket import Fault, Found, Task, gathered, sums_of, totals
from rankgauge.evaluation.distributed.frames import Entry, Survey, Tables, survey, tables_of
from rankgauge.evaluation.distributed.shipping import arithmetic, ship
from rankgauge.evaluation.distributed.workers import NEEDED, check_packages, explained, package_zip
from rankgauge.evaluation.means import Means
from rankgauge.evaluation.notes import Note, plural
from rankgauge.evaluation.scores import Scores, weights_note
from rankgauge.measures.measure import Measure

ROWS_PER_BUCKET = 1_000_000
LEAST_ROWS = 100_000
"""Buckets are made smaller down to this, while there are fewer of them than cores to work on them."""
_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "p": 1 << 50}


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
    _refuse(measures, policy, extras.buckets)
    tables = tables_of(judgments, runs, extras.only)
    found = survey(tables)
    if extras.per_query:
        _check_result_size(tables.session, found, len(measures))
    count = extras.buckets or buckets_for(found.rows, _cores(tables.session))
    shipped = tuple(map(ship, measures))
    task = Task(shipped, policy, found.systems, count, found.highest, extras.per_query, extras.weights)
    with _explaining(count), _interpreter(tables.session):
        _prepare(tables.session)
        parts = _score(tables, task)
    return _result(parts, task, measures, tables.notes)


def buckets_for(rows: int, cores: int) -> int:
    """About a million rows a bucket, or less as long as cores would have nothing to do."""
    return max(math.ceil(rows / ROWS_PER_BUCKET), min(2 * cores, math.ceil(rows / LEAST_ROWS)))


def _refuse(measures: tuple[Measure, ...], policy: Policy, buckets: int | None) -> None:
    """What only makes sense, or only works, in one process."""
    own = [str(measure) for measure in measures if measure.is_custom]
    if own:
        raise UsageError(
            f"{own[0]} holds a Python function, and Spark's workers may not have what it needs\n"
            "Use a measure that has a text, or evaluate Polars or pandas tables in one process."
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
    if buckets is not None and (buckets != int(buckets) or buckets < 1):
        raise UsageError(f"buckets={buckets!r} is not a whole number from 1 on")


def _score(tables: Tables, task: Task) -> list[Found]:
    """Every bucket on some worker; the fault of the first bucket that has one is raised."""

    def on_worker(key: tuple[Any, ...], judged: Any, runs: Any) -> Any:
        # A task has one core; Polars looks at this when it is first imported.
        os.environ.setdefault("POLARS_MAX_THREADS", "1")
        import polars as pl
        import pyarrow as pa

        from rankgauge.evaluation.distributed.bucket import score_bucket

        bucket = key[0].as_py()
        found = score_bucket(
            task, bucket, *(pl.DataFrame(pl.from_arrow(table)).drop("bucket") for table in (judged, runs))
        )
        return pa.table({"bucket": [bucket], "found": [pickle.dumps(found)]})

    bucket = f"pmod(xxhash64(query), {task.buckets}) as bucket"
    judged, runs = (frame.selectExpr("*", bucket).groupBy("bucket") for frame in (tables.judged, tables.runs))
    with warnings.catch_warnings():
        # No value passes through pandas here, whatever PySpark thinks of the version that is installed.
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)
        scored = judged.cogroup(runs).applyInArrow(on_worker, "bucket long, found binary").toArrow()
    rows = sorted(zip(scored["bucket"].to_pylist(), scored["found"].to_pylist(), strict=True))
    answers = [pickle.loads(found) for _, found in rows]  # noqa: S301 - our own workers' words, on Spark's own channel
    for answer in answers:
        if isinstance(answer, Fault):
            raise answer.error
    return answers


def _result(parts: list[Found], task: Task, measures: tuple[Measure, ...], remarks: Sequence[Note]) -> Scores | Means:
    notes = [*remarks, *_notes(parts, task, measures)]
    if task.per_query:
        queries, values = gathered(parts, task)
        scores = Scores(task.systems, queries, measures, values, task.policy, tuple(notes))
        return scores if task.weights is None else scores.weighted(aligned_weights(task.weights, queries))
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
    )


def _notes(parts: list[Found], task: Task, measures: tuple[Measure, ...]) -> list[Note]:
    """What the facts of all buckets say together; what the policy forbids is refused."""
    pool, runs = totals(parts)
    notes = pool.notes(measures, task.policy)
    for system, facts in zip(task.systems, runs, strict=True):
        if facts.foreign.count and not facts.answered:
            judged = sorted(name for part in parts for name in part.first)
            foreign = facts.foreign
            no_query_in_common(judged, foreign.first, system, "the judgments", foreign.count).refuse()
        facts.refuse(system, measures, task.policy)
        notes += facts.notes(system, measures, task.policy)
    return notes + _other_arithmetic(parts)


def _other_arithmetic(parts: list[Found]) -> list[Note]:
    ours = arithmetic()
    other = sum(part.arithmetic != ours for part in parts)
    if not other:
        return []
    text = (
        f"{plural(other, 'bucket')} of {len(parts):,} were scored by workers whose log2 or exp differ from this machine's"
        " in the last bits (another processor or NumPy), so values may differ from local ones there"
    )
    return [Note("worker-arithmetic", text, other)]


def _check_result_size(session: Any, found: Survey, measures: int) -> None:
    """Spark stops a job whose results exceed a limit, but only after the work is done; so this is said before."""
    limit = session.conf.get("spark.driver.maxResultSize", "1g")
    words = re.fullmatch(r"(\d+)\s*([a-z]?)b?", limit.lower())
    most = int(words[1]) * _UNITS[words[2]] if words else 0
    needed = found.queries * (8 * len(found.systems) * measures + found.id_length + 8)
    if most and needed > 0.9 * most:
        raise UsageError(
            f"the scores of about {found.queries:,} queries, {len(found.systems):,} systems and {measures:,} measures are"
            f" about {needed / (1 << 20):,.0f} MB, and spark.driver.maxResultSize={limit} lets the driver take no more\n"
            "Use per_query=False for the means alone, or start Spark with a higher limit and enough driver memory."
        )


def _context(session: Any) -> Any | None:
    """The SparkContext; Spark Connect has none."""
    try:
        return session.sparkContext
    except Exception as problem:
        if "JVM" in str(problem) or "Connect" in str(problem):
            return None
        raise


def _cores(session: Any) -> int:
    context = _context(session)
    return int(context.defaultParallelism) if context else 1


@contextlib.contextmanager
def _interpreter(session: Any) -> Iterator[None]:
    """On a local master the workers run this very Python, unless the user chose one."""
    context = _context(session)
    chosen = os.environ.get("PYSPARK_PYTHON") or session.conf.get("spark.pyspark.python", None)
    if context is None or chosen or not context.master.startswith("local"):
        yield
        return
    before, context.pythonExec = context.pythonExec, sys.executable
    try:
        yield
    finally:
        context.pythonExec = before


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


def _prepare(session: Any) -> None:
    """The package is sent to the workers, and one of them is asked what it has; once in a session."""
    name, content = package_zip()
    context = _context(session)
    if context is not None and any(path.endswith(name) for path in context.listFiles):
        return
    _probe(session)
    folder = tempfile.mkdtemp(prefix="rankgauge-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / name
    path.write_bytes(content)
    if context is not None:
        context.addPyFile(str(path))
    else:
        session.addArtifacts(str(path), pyfile=True)


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
    row = session.range(1).select(look("id").alias("found")).collect()[0]
    check_packages(json.loads(row["found"]))
