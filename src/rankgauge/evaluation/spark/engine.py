"""The engine for Spark tables; the only file that imports pyspark, and only inside functions.

Tables are brought to the same column names, queries hashed into buckets of about a million rows, every system of a query
in the same one, and workers score these (see bucket.py). Only scores come back.
"""

from __future__ import annotations

import atexit
import hashlib
import io
import math
import os
import pickle
import re
import shutil
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial, reduce
from importlib.resources import files
from pathlib import Path
from typing import Any

from rankgauge.data.about import about_absent
from rankgauge.data.columns import has_system, pick
from rankgauge.data.door import is_spark
from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.policy import Policy
from rankgauge.data.read.bytes import system_name
from rankgauge.data.table import Wanted
from rankgauge.errors import DataError, MissingExtraError, RankgaugeError, UsageError
from rankgauge.evaluation.means import Means
from rankgauge.evaluation.notes import about_table
from rankgauge.evaluation.scores import Scores
from rankgauge.evaluation.spark.bucket import BucketScores, BucketTask, Shipped, joined
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

Frame = Any
"""A Spark DataFrame, classic or of Spark Connect."""
Entry = tuple[str | None, Any]
"""A system's name, unless the table has a column for it, and a Spark table or a Run."""
ROWS_PER_BUCKET = 1_000_000
LEAST_ROWS = 100_000
"""Buckets are made smaller down to this, while there are fewer of them than cores to work on them."""
NEEDED = ("numpy", "polars", "pyarrow", "pandas")
_without_warnings = partial(warnings.catch_warnings, action="ignore", category=FutureWarning)
"""PySpark warns of pandas 3, through which no value passes here."""
_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "boolean")


def evaluate_on_spark(
    judgments: Any,
    runs: Sequence[Entry],
    measures: tuple[Measure, ...],
    policy: Policy,
    *,
    only: Collection[str] | None = None,
    weights: Mapping[str, float] | None = None,
    buckets: int | None = None,
    per_query: bool = True,
) -> Scores | Means:
    """Scores, or the means alone; tables that are not Spark's are sent there first."""
    _refuse(measures, policy)
    session = next(data.sparkSession for data in (judgments, *(data for _, data in runs)) if is_spark(data))
    judged, returned, named, notes, nouns = _tables(session, judgments, runs, only)
    known = judged.selectExpr(
        "count(*) as rows",
        "approx_count_distinct(query) as queries",
        "coalesce(avg(octet_length(query)), 0) as id_length",
        "coalesce(max(try_cast(value as double)), 0) as highest",
    ).collect()[0]
    if not known["rows"]:
        raise DataError("contains no judgments", "judgments", hint="The table has no rows.")
    rows = {row["system"]: row["count"] for row in returned.groupBy("system").count().collect()}
    if None in rows:
        raise DataError(
            "column 'system' has empty cells", "runs", hint="Name the system of every row, or leave the rows out."
        )
    systems = named or tuple(sorted(rows))
    empty = [system for system in systems or ("runs",) if system not in rows]
    if empty:
        raise DataError("contains no documents", empty[0], hint="The table has no rows that count.")
    if per_query:
        _check_result_size(session, known["queries"], known["id_length"], len(systems), len(measures))
    try:
        context = session.sparkContext
    except Exception as problem:
        if not re.search("JVM|Connect", str(problem)):
            raise
        context = None  # Spark Connect has none
    cores = int(context.defaultParallelism) if context else 1
    count = buckets or buckets_for(known["rows"] + sum(rows.values()), cores)
    # Not a number among the values is found, with its place, by the worker that meets it.
    highest = known["highest"] if math.isfinite(known["highest"]) else 0.0
    shipped = tuple(Shipped.of(measure, policy, highest) for measure in measures)
    task = BucketTask(shipped, policy, systems, count, per_query, weights)
    chosen = os.environ.get("PYSPARK_PYTHON") or session.conf.get("spark.pyspark.python", None)
    is_local = context is not None and context.master.startswith("local") and not chosen
    before = context.pythonExec if is_local else None
    try:
        if is_local:  # the workers run this very Python, unless the user chose one
            context.pythonExec = sys.executable
        _equip(session, context)
        parts = _score(judged, returned, task)
    except Exception as problem:
        if (plain := explained(problem, count)) is None:
            raise
        raise plain from problem
    finally:
        if is_local:
            context.pythonExec = before
    return joined(parts, task, measures, notes, nouns)


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


def _tables(
    session: Any, judgments: Any, entries: Sequence[Entry], only: Collection[str] | None
) -> tuple[Frame, Frame, tuple[str, ...] | None, list[Note], tuple[str, str]]:
    """Query, document, value; and query, document, score or rank, system; the systems, if all were named; notes; nouns.

    Whatever the columns are called, however many tables the runs are. `only` these queries count.
    """
    if is_spark(judgments):
        nouns = pick(judgments.columns, Wanted("value"), "judgments").nouns
    else:
        table = (judgments if isinstance(judgments, Judgments) else Judgments(judgments)).table.load()
        judgments, nouns = session.createDataFrame(table.frame().to_arrow()), table.nouns
    judged, notes = _selected(judgments, Wanted("value"), "judgments", None)
    parts, named = [], []
    for name, data in entries:
        frame = session.createDataFrame(data.to_polars().to_arrow()) if isinstance(data, Run) else data
        part, remarks = _selected(frame, Wanted("score"), name or "run", name)
        parts.append(part)
        notes += remarks
        named += [name or "run"] if name or not has_system(frame.columns) else []
    # Scores if one table has scores, as text if they are text in one.
    numbers, kinds = zip(*(part.dtypes[2] for part in parts), strict=True)
    number, kind = "score" if "score" in numbers else "rank", "string" if "string" in kinds else "double"
    for at, own in enumerate(numbers):
        cell = f"cast({'' if own == number else '-'}{own} as {kind}) as {number}"
        parts[at] = parts[at].selectExpr("query", "document", cell, "system")
    runs = reduce(lambda one, other: one.unionByName(other), parts)
    if only is not None:
        if isinstance(only, str):
            raise UsageError(f"only={only!r} is one text; give a list of query ids")
        chosen = list(dict.fromkeys(map(str, only)))
        wanted = session.createDataFrame([(query,) for query in chosen], "query string")
        absent = [row["query"] for row in wanted.join(judged, "query", "left_anti").collect()]
        some = [row["query"] for row in judged.select("query").limit(200).collect()] if absent else []
        notes += [about_table(remark) for remark in about_absent(absent, len(chosen), some, "judgments")]
        judged, runs = (frame.join(wanted.hint("broadcast"), "query", "left_semi") for frame in (judged, runs))
    repeated = [name for name in named if named.count(name) > 1]
    if repeated:
        raise DataError(f"two runs are called {repeated[0]!r}", hint="Give a dict of names, or a column 'system'.")
    return judged, runs, tuple(named) if len(named) == len(entries) else None, notes, nouns


def _selected(frame: Frame, wanted: Wanted, origin: str, system: str | None) -> tuple[Frame, list[Note]]:
    """Ids as text and numbers as double; a column of texts stays, so that a worker can say which row is not a number."""
    found = pick(frame.columns, wanted, origin)
    last = [_system(frame, system, "run")] if wanted.number == "score" else []
    query, document = (_quoted(frame.columns[at]) for at in (found.query, found.document))
    cell = "cast(1 as double)"
    if found.number is not None:
        column, kind = frame.dtypes[found.number]
        if kind != "string" and not kind.startswith(_NUMBERS):
            raise DataError(f"column {column!r} is not numeric ({kind})", origin, hint="Cast it to double.")
        cell = _quoted(column) if kind == "string" else f"cast({_quoted(column)} as double)"
    selected = frame.selectExpr(
        f"cast({query} as string) as query",
        f"cast({document} as string) as document",
        f"{cell} as {'rank' if found.is_rank else wanted.number}",
        *last,
    )
    return selected, [about_table(remark, system) for remark in found.remarks]


def _system(frame: Frame, given: str | None, otherwise: str) -> str:
    """The system of every row, as an expression: the table's own column or, if that is missing, a name."""
    own = next((column for column in frame.columns if has_system([column])), None)
    if own is None:  # hexadecimal digits, which no sign in the name can break
        return f"cast(X'{(given or otherwise).encode().hex()}' as string) as system"
    if given is not None:
        raise UsageError(f"the table of {given!r} has a column 'system' already; give it without a name")
    return f"cast({_quoted(own)} as string) as system"


def _quoted(column: str) -> str:
    return "`" + column.replace("`", "``") + "`"


def _check_result_size(session: Any, queries: int, id_length: float, systems: int, measures: int) -> None:
    """Spark stops a job whose results exceed a limit, but only after the work is done; so this is said before."""
    limit = session.conf.get("spark.driver.maxResultSize", "1g")
    words = re.fullmatch(r"(\d+)\s*([kmgtp]?)b?", limit.lower())
    most = int(words[1]) << 10 * " kmgtp".index(words[2] or " ") if words else 0
    needed = queries * (8 * systems * measures + id_length + 8)
    if most and needed > 0.9 * most:
        raise UsageError(
            f"the scores of about {queries:,} queries, {systems:,} systems and {measures:,} measures are"
            f" about {needed / (1 << 20):,.0f} MB, and spark.driver.maxResultSize={limit} lets the driver take no more\n"
            "Use per_query=False for the means alone, or start Spark with a higher limit and enough driver memory."
        )


_OTHER_PYTHON = "Or give Spark another Python: PYSPARK_PYTHON, or spark.pyspark.python in the configuration."
_SET_PYTHON = "Set PYSPARK_PYTHON (or spark.pyspark.python) to a Python"
_FAILURES = {
    r"(?s)PYTHON_VERSION_MISMATCH.*?different (?:minor )?version[^\d]*([\d.]+\d)[^\d]*([\d.]+\d)": (
        "the workers run Python {0}, this program {1}; both must be the same minor version\n"
        f"{_SET_PYTHON} of the same version on every worker."
    ),
    r'Cannot run program "([^"]+)"': f"the workers cannot start {{0!r}}\n{_SET_PYTHON} that every worker has.",
    rf"No module named '({'|'.join(NEEDED)})\b": (
        f"a worker's Python lacks {{0}}\nInstall there: pip install {' '.join(NEEDED)}\n{_OTHER_PYTHON}"
    ),
    r"is bigger than (?:local )?spark\.driver\.maxResultSize \(([^)]*)\)": (
        "the scores are more than the {0} that spark.driver.maxResultSize lets the driver take\n"
        "Use per_query=False for the means alone, or raise spark.driver.maxResultSize."
    ),
    r"Python worker exited unexpectedly|ExecutorLostFailure|OutOfMemoryError|Container killed|"
    r"Python worker failed to connect back|worker .* crashed|Executor .* (?:was lost|exited)|exceeding memory limits": (
        "a worker was lost while it scored one of {buckets:,} buckets of queries, most often because it ran out of memory\n"
        "Use more buckets, so that each is smaller: buckets={more}; or give the executors more memory "
        "(spark.executor.memoryOverhead is what Python has)."
    ),
}
"""What Spark's own messages contain, and what that means."""


def explained(problem: Exception, buckets: int) -> RankgaugeError | None:
    """A failure of Spark in plain words, where more than its own message can be said."""
    text = str(problem)
    if isinstance(problem, ImportError) and ("pandas" in text or "pyarrow" in text.lower()):
        return MissingExtraError("evaluating Spark tables", "spark")
    for pattern, words in _FAILURES.items():
        found = re.search(pattern, text)
        if found:
            return UsageError(words.format(*found.groups(), buckets=buckets, more=4 * buckets))
    return None


def _equip(session: Any, context: Any | None) -> None:
    """This very package goes to every worker that will ever work for the session; Spark Connect does not say what it has."""
    name, content = package_zip()
    if context is not None and any(path.endswith(name) for path in context.listFiles):
        return
    _probe(session)
    folder = tempfile.mkdtemp(prefix="rankgauge-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # workers fetch it when they start, whenever that is
    path = Path(folder) / name
    path.write_bytes(content)
    if context is not None:
        context.addPyFile(str(path))
    else:
        session.addArtifacts(str(path), pyfile=True)


def package_zip() -> tuple[str, bytes]:
    """This package, which may be in a zip file itself, as a zip file; and a name made from its content."""
    content, entries = [], [("rankgauge", files("rankgauge"))]
    while entries:
        name, entry = entries.pop()
        if entry.is_dir():
            entries += [(f"{name}/{one.name}", one) for one in entry.iterdir() if one.name != "__pycache__"]
        elif not name.endswith((".pyc", ".pyo")):
            content.append((name, entry.read_bytes()))
    content.sort()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content:
            archive.writestr(zipfile.ZipInfo(name), data)
    return f"rankgauge-{hashlib.blake2b(repr(content).encode(), digest_size=6).hexdigest()}.zip", out.getvalue()


def _probe(session: Any) -> None:
    """What a worker says of itself: its Python, and the packages that it lacks."""
    from pyspark.sql.functions import udf

    def look_around(_: int) -> list[str]:
        import importlib
        import platform
        import sys

        missing = []
        for package in NEEDED:
            try:
                importlib.import_module(package)
            except ImportError:
                missing.append(package)
        return [f"{sys.executable}, {platform.python_version()}", *missing]

    # Pickled rows, since Arrow is one of the things that may be missing.
    look: Callable[[str], Any] = udf(look_around, "array<string>", useArrow=False)
    python, *missing = session.range(0, 1, 1, 1).select(look("id").alias("found")).collect()[0]["found"]
    if missing:
        raise UsageError(
            f"the workers' Python ({python}) lacks {', '.join(missing)}\n"
            f"Install there: pip install {' '.join(missing)}\n{_OTHER_PYTHON}"
        )


def _score(judged: Frame, runs: Frame, task: BucketTask) -> list[BucketScores]:
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
    groups = [frame.selectExpr("*", bucket).groupBy("bucket") for frame in (judged, runs)]
    with _without_warnings():
        scored = groups[0].cogroup(groups[1]).applyInArrow(on_worker, "bucket long, found binary").toArrow()
    rows = sorted(zip(scored["bucket"].to_pylist(), scored["found"].to_pylist(), strict=True))
    answers = [pickle.loads(found) for _, found in rows]  # noqa: S301 - our own workers' words, on Spark's own channel
    for answer in answers:
        if isinstance(answer, RankgaugeError):
            raise answer
    return answers


def read_parquet(judgments: str, runs: Sequence[tuple[str | None, str]]) -> tuple[Any, dict[str, Any] | list[Any]]:
    """Judgments and (name, path) runs as tables of the session at hand, or of a new one.

    A table without a column for the system is the run of one system, named as given or after its path.
    """
    session = _session()
    frames = [(name, path, _parquet(session, path)) for name, path in runs]
    if any(has_system(frame.columns) for _, _, frame in frames):
        tables: Any = []
        for name, path, frame in frames:
            system = _system(frame, name, system_name(path))
            tables.append(frame if has_system(frame.columns) else frame.selectExpr("*", system))
    else:
        tables = {name or system_name(path): frame for name, path, frame in frames}
        if len(tables) < len(frames):
            raise DataError("two runs have the same name", hint="Give one of them another name, as in NAME=PATH.")
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
        with _without_warnings():
            from pyspark.sql import SparkSession

            session = SparkSession.builder.appName("rankgauge").getOrCreate()
    except ImportError as problem:
        raise MissingExtraError("--engine spark", "spark") from problem
    except Exception as problem:
        if "JAVA_GATEWAY_EXITED" in str(problem) or "JAVA_HOME" in str(problem):
            raise UsageError(
                "Spark needs Java 17 or later, and none was found; install it or set JAVA_HOME"
            ) from problem
        raise
    session.sparkContext.setLogLevel("ERROR")
    return session
