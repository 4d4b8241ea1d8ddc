"""The wheel, built and installed where nothing else is."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_wheel_works_in_a_clean_environment(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "rankgauge/py.typed" in names
    assert not [name for name in names if name.startswith(("tests", "docs"))]
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "clean")], check=True)
    python = tmp_path / "clean" / "bin" / "python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", str(wheel)], check=True, capture_output=True)
    (tmp_path / "a.qrels").write_text("q 0 a 1\n")
    (tmp_path / "run.trec").write_text("q Q0 a 1 0.5 t\n")
    command = [tmp_path / "clean" / "bin" / "rankgauge", "evaluate", "a.qrels", "run.trec", "--format", "csv"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert result.stdout == "system,nDCG@10\nrun,1.0\n"
