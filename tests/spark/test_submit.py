"""The command line as a job that spark-submit starts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.distributed.awkward import awkward
from rankgauge import evaluate
from spark.conftest import SMALL, need_spark

pytestmark = pytest.mark.slow


def test_spark_submit_runs_the_command_line(tmp_path):
    need_spark()
    import pyspark

    data = awkward(queries=12)
    data.judged.write_parquet(tmp_path / "judged.parquet")
    data.returned.write_parquet(tmp_path / "runs.parquet")
    (tmp_path / "job.py").write_text("from rankgauge.cli.main import main\n\nmain()\n")
    settings = [part for name, value in SMALL.items() for part in ("--conf", f"{name}={value}")]
    result = subprocess.run(
        [
            Path(pyspark.__file__).parent / "bin" / "spark-submit",
            *("--master", "local[2]", *settings, tmp_path / "job.py"),
            *("evaluate", "--engine", "spark", "judged.parquet", "runs.parquet", "-m", "AP nDCG@10"),
            *("--format", "json", "-o", "out.json"),
        ],
        cwd=tmp_path,
        env=os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_HOME": str(Path(pyspark.__file__).parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert (
        json.loads((tmp_path / "out.json").read_text())["mean"]
        == evaluate(data.judgments, data.runs, "nDCG@10 AP").mean()
    )
