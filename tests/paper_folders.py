"""Snippets run inside the folder of a paper."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PAPERS = Path(__file__).parents[1] / "papers"


def made(paper, code, collections=None):
    """What a snippet prints inside the folder of a paper, in a process of its own: the folders share names of modules."""
    source = str(PAPERS.parent / "src")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([source, os.environ.get("PYTHONPATH", "")])}
    if collections is not None:
        environment["RANKGAUGE_DATA"] = str(collections)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PAPERS / paper, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
