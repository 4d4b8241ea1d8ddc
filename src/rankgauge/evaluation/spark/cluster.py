"""A Spark cluster: the session at hand with its limits, its workers, what these need, and what it means when they fail."""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import io
import os
import re
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from rankgauge.errors import RankgaugeError, UsageError
from rankgauge.evaluation.spark.tables import Survey

_UNITS = {"": 1, "b": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "p": 1 << 50}


def check_result_size(session: Any, found: Survey, measures: int) -> None:
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


def context_of(session: Any) -> Any | None:
    """The SparkContext; Spark Connect has none."""
    try:
        return session.sparkContext
    except Exception as problem:
        if "JVM" in str(problem) or "Connect" in str(problem):
            return None
        raise


def cores(session: Any) -> int:
    context = context_of(session)
    return int(context.defaultParallelism) if context else 1


@contextlib.contextmanager
def interpreter(session: Any) -> Iterator[None]:
    """On a local master the workers run this very Python, unless the user chose one."""
    context = context_of(session)
    chosen = os.environ.get("PYSPARK_PYTHON") or session.conf.get("spark.pyspark.python", None)
    if context is None or chosen or not context.master.startswith("local"):
        yield
        return
    before, context.pythonExec = context.pythonExec, sys.executable
    try:
        yield
    finally:
        context.pythonExec = before


def has_package(session: Any) -> bool:
    """Whether the workers of this session have been given this very package; Spark Connect does not say."""
    context = context_of(session)
    return context is not None and any(path.endswith(package_zip()[0]) for path in context.listFiles)


def send_package(session: Any) -> None:
    """The package goes to every worker that will ever work for this session."""
    name, content = package_zip()
    folder = tempfile.mkdtemp(prefix="rankgauge-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # workers fetch it when they start, whenever that is
    path = Path(folder) / name
    path.write_bytes(content)
    context = context_of(session)
    if context is not None:
        context.addPyFile(str(path))
    else:
        session.addArtifacts(str(path), pyfile=True)


NEEDED = ("numpy", "polars", "pyarrow", "pandas")
_LOST = re.compile(
    r"Python worker exited unexpectedly|ExecutorLostFailure|OutOfMemoryError|Container killed|"
    r"Python worker failed to connect back|worker .* crashed|Executor .* (?:was lost|exited)|exceeding memory limits"
)
_LIMIT = re.compile(r"is bigger than (?:local )?spark\.driver\.maxResultSize \(([^)]*)\)")
_VERSIONS = re.compile(r"different (?:minor )?version[^\d]*([\d.]+\d)[^\d]*([\d.]+\d)")
_MODULE = re.compile(r"No module named '(\w+)")
_PROGRAM = re.compile(r'Cannot run program "([^"]+)"')


def package_zip() -> tuple[str, bytes]:
    """This package as a zip file, and a name made from its content."""
    content = sorted(_sources(files("rankgauge"), "rankgauge"))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content:
            archive.writestr(zipfile.ZipInfo(name), data)
    mark = hashlib.blake2b(repr(content).encode(), digest_size=6).hexdigest()
    return f"rankgauge-{mark}.zip", out.getvalue()


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _sources(entry, f"{path}/{entry.name}")
        elif entry.is_file() and not entry.name.endswith((".pyc", ".pyo")):
            yield f"{path}/{entry.name}", entry.read_bytes()


def check_packages(found: dict[str, Any]) -> None:
    """`found` is what a worker said of itself: its Python, and for each package a version or why there is none."""
    missing = [name for name in NEEDED if found["packages"].get(name) is None]
    if missing:
        raise UsageError(
            f"the workers' Python ({found['python']}, {found['version']}) lacks {', '.join(missing)}\n"
            f"Install there: pip install {' '.join(missing)}\n"
            "Or give Spark another Python: PYSPARK_PYTHON, or spark.pyspark.python in the configuration."
        )


def explained(problem: Exception, buckets: int) -> RankgaugeError | None:
    """A failure of Spark in plain words, where more than its own message can be said."""
    text = str(problem)
    if "PYTHON_VERSION_MISMATCH" in text:
        versions = _VERSIONS.search(text)
        pair = f"Python {versions[1]}, this program {versions[2]}" if versions else "another Python than this program"
        return UsageError(
            f"the workers run {pair}; both must be the same minor version\n"
            "Set PYSPARK_PYTHON (or spark.pyspark.python) to a Python of the same version on every worker."
        )
    if program := _PROGRAM.search(text):
        return UsageError(
            f"the workers cannot start {program[1]!r}\n"
            "Set PYSPARK_PYTHON (or spark.pyspark.python) to a Python that every worker has."
        )
    module = _MODULE.search(text)
    if module and module[1] in NEEDED:
        return UsageError(
            f"a worker's Python lacks {module[1]}\nInstall there: pip install {' '.join(NEEDED)}\n"
            "Or give Spark another Python: PYSPARK_PYTHON, or spark.pyspark.python in the configuration."
        )
    if limit := _LIMIT.search(text):
        return UsageError(
            f"the scores are more than the {limit[1]} that spark.driver.maxResultSize lets the driver take\n"
            "Use per_query=False for the means alone, or raise spark.driver.maxResultSize."
        )
    if _LOST.search(text):
        return UsageError(
            f"a worker was lost while it scored one of {buckets:,} buckets of queries, most often because it ran out of memory\n"
            f"Use more buckets, so that each is smaller: buckets={4 * buckets}; or give the executors more memory "
            "(spark.executor.memoryOverhead is what Python has)."
        )
    return None
