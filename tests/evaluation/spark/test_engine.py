"""What the driver does, without Spark."""

from __future__ import annotations

import io
import subprocess
import sys
import zipfile

import pytest

from rankgauge.errors import UsageError
from rankgauge.evaluation.spark.engine import explained, package_zip


def test_the_zip_is_a_package_that_works_by_itself(tmp_path):
    name, content = package_zip()
    (tmp_path / name).write_bytes(content)
    code = "import rankgauge, rankgauge.evaluation.spark.bucket; print(rankgauge.__file__)"
    result = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path / name)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(tmp_path / name) in result.stdout
    assert not [entry for entry in zipfile.ZipFile(io.BytesIO(content)).namelist() if "__pycache__" in entry]


def test_the_name_of_the_zip_tells_its_content():
    assert package_zip() == package_zip()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.9 than that in driver: 3.11, PySpark",
            "the workers run Python 3.9, this program 3.11",
        ),
        ('java.io.IOException: Cannot run program "python3.13": error=2', "the workers cannot start 'python3.13'"),
        ("ModuleNotFoundError: No module named 'polars'", "a worker's Python lacks polars"),
        (
            "Total size of serialized results of 9 tasks (1025.0 MiB) is bigger than spark.driver.maxResultSize (1024.0 MiB)",
            "more than the 1024.0 MiB that spark.driver.maxResultSize lets the driver take\nUse per_query=False",
        ),
        ("SparkException: Python worker exited unexpectedly (crashed): EOF", "Use more buckets.*: buckets=32"),
        ("ExecutorLostFailure (executor 1 exited caused by one of the running tasks)", "Use more buckets"),
        ("java.lang.OutOfMemoryError: Java heap space", "Use more buckets"),
    ],
)
def test_failures_of_spark_have_a_plain_explanation(text, message):
    error = explained(RuntimeError(text), 8)
    assert isinstance(error, UsageError)
    with pytest.raises(UsageError, match=message):
        raise error


def test_other_failures_are_left_as_they_are():
    assert explained(RuntimeError("[DIVIDE_BY_ZERO] Division by zero in the user's own table"), 8) is None
    assert explained(RuntimeError("ModuleNotFoundError: No module named 'mine'"), 8) is None
