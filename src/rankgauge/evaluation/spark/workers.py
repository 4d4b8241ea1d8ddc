"""The workers of a cluster: what they need, what they have, and what it means when they fail."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from rankgauge.errors import RankgaugeError, UsageError

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
