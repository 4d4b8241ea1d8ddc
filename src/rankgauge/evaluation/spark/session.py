"""A Spark session that is at hand: its cores, limits and Python, and the way to its workers."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rankgauge.errors import UsageError
from rankgauge.evaluation.spark.tables import Survey
from rankgauge.evaluation.spark.workers import package_zip

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
