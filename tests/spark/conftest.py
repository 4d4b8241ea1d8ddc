"""Real Spark sessions, one at a time: a process can have only one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from conftest import missing

SMALL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.adaptive.coalescePartitions.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    # Said although it is Spark's own default: what one session sets, the next one of the process inherits.
    "spark.driver.maxResultSize": "1g",
    "spark.log.level": "ERROR",
    # Short jobs gain more from a quick start than from the best code.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


def need_spark() -> None:
    """Spark must be there; and it must not be reachable from other machines, executors and masters included."""
    os.environ["SPARK_LOCAL_IP"] = os.environ["SPARK_LOCAL_HOSTNAME"] = "127.0.0.1"
    for package in ("pyspark", "pyarrow", "pandas"):
        if find_spec(package) is None:
            missing(f"{package} is not installed: pip install 'rankgauge[spark]'")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        missing("there is no Java, which Spark needs: make system")


def write_settings(folder: Path) -> Path:
    """The same settings as a file, for what a user would start: SPARK_CONF_DIR names the folder."""
    need_spark()
    settings = SMALL | {"spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN"}
    (folder / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    return folder


def stop_spark() -> None:
    """Whatever session is left in this process, if any."""
    from pyspark.sql import SparkSession

    opened = SparkSession.getActiveSession()
    if opened is not None:
        opened.stop()


@contextmanager
def session(master: str, **settings: str) -> Iterator[Any]:
    need_spark()
    from pyspark.sql import SparkSession

    stop_spark()  # one that a test before left would be taken, whatever its master
    builder = SparkSession.builder.master(master).appName("rankgauge-tests")
    for name, value in (SMALL | settings).items():
        builder = builder.config(name, value)
    opened = builder.getOrCreate()
    try:
        yield opened
    finally:
        opened.stop()


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    with session("local[2]") as opened:
        yield opened


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two executors in processes of their own, and a limit on results that a test can reach."""
    with session("local-cluster[2,1,1024]", **{"spark.driver.maxResultSize": "2m"}) as opened:
        yield opened
