"""One contender in a fresh process: wall time, CPU time and peak memory; several contenders in turn, best of several."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

# The kernel counts what this process has in memory towards the peak of what it starts, so nothing large is imported here
# nor by those who use it.
FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Trial:
    """Seconds and megabytes. A job that makes its data itself times its own work; else the process is timed whole."""

    wall: float
    cpu: float
    peak: float
    means: tuple[float, ...] = ()

    def best(self, other: Trial) -> Trial:
        return Trial(
            min(self.wall, other.wall), min(self.cpu, other.cpu), min(self.peak, other.peak), self.means or other.means
        )


class JobFailedError(RuntimeError):
    """The process ended with an error; its last words are the message."""


def job(name: str, *arguments: object) -> list[str]:
    """A function of jobs.py, or of another script: frames.make."""
    script, _, what = name.rpartition(".")
    return [sys.executable, str(FOLDER / f"{script or 'jobs'}.py"), what, *map(str, arguments)]


def run(command: Sequence[str], source: Path | None = None) -> Trial:
    """Start, wait, and ask the kernel what it cost. `source` is where to import rankgauge from, if not as installed."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=errors, env=_environment(source))
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            errors.seek(0)
            raise JobFailedError(f"{' '.join(command)}: {errors.read().decode(errors='replace').strip()[-800:]}")
        out.seek(0)
        said = _last_json(out.read().decode())
    return Trial(
        said.get("wall", wall),
        said.get("cpu", usage.ru_utime + usage.ru_stime),
        usage.ru_maxrss / 1024,
        tuple(said.get("means", ())),
    )


def _environment(source: Path | None) -> dict[str, str]:
    """Ours without what would make every start compile the sources anew."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept if source is None else kept | {"PYTHONPATH": str(source)}


def _last_json(text: str) -> dict[str, float]:
    lines = text.strip().splitlines()
    return json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}


def in_turn(
    commands: dict[str, Sequence[str]],
    rounds: int,
    once: Collection[str] = (),
    sources: Mapping[str, Path] | None = None,
    compiles: Collection[str] = (),
) -> dict[str, Trial]:
    """Every contender once a round, so that a disturbed minute disturbs all; the best of each counts.

    Those that take minutes run in the first round only, those that compile once more before it, which does not count.
    One that fails is named and left out.
    """
    best: dict[str, Trial] = {}
    failed: set[str] = set()
    for turn in range(rounds):
        for name, command in commands.items():
            if name in failed or (turn and name in once):
                continue
            try:
                if not turn and name in compiles:
                    run(command)
                trial = run(command, (sources or {}).get(name))
            except JobFailedError as problem:
                print(f"{name} is left out: {problem}", file=sys.stderr)
                failed.add(name)
            else:
                best[name] = trial.best(best[name]) if name in best else trial
    return {name: trial for name, trial in best.items() if name not in failed}
