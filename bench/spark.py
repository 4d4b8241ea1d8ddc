"""One process against Spark on the same Parquet tables: python bench/spark.py FOLDER 2 20 (millions of rows)

Each measurement is a process of its own. `cold` has the start of Spark and of its workers in it; `warm` comes after two
evaluations of a small table. CPU seconds are those of all processes together, and do not suffer much from neighbours
on the machine. All give the same means, to the last bit, or the script stops. Tables that are already in the folder
are used again; `python bench/spark.py write FOLDER 2 20` does no more than make them.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import rankgauge

DEPTH, JUDGED, SYSTEMS = 100, 20, 2
MEASURES = "nDCG@10 AP RR@10 R@100"
PIECE = 1_000_000
WARMING = 2


def write(folder: Path, rows: int, seed: int = 5) -> None:
    """Users with 100 recommended items from each of two systems, and 20 judged ones, a third of them recommended."""
    users = rows // (DEPTH * SYSTEMS)
    random = np.random.default_rng(seed)
    step = PIECE // (DEPTH * SYSTEMS)
    for name in ("judged", "runs"):
        (folder / name).mkdir()
    for start in range(0, users, step):
        count = min(step, users - start)
        names = np.array([f"user-{number:09}" for number in range(start, start + count)])
        items = random.integers(0, 5_000_000, (count, 1)) * 1000 + np.argsort(random.random((count, 300)), axis=1)
        judged = np.concatenate((items[:, : JUDGED // 3], items[:, -(JUDGED - JUDGED // 3) :]), axis=1)
        grades = random.choice(4, judged.shape, p=(0.6, 0.2, 0.12, 0.08)).astype(np.float64)
        _frame(names, judged, value=grades).write_parquet(folder / "judged" / f"{start:09}.parquet")
        for system in range(SYSTEMS):
            shown = random.permuted(items, axis=1)[:, :DEPTH]
            shown[:, :10] = items[:, :10]
            scores = np.round(random.random(shown.shape), 6)
            unique = _frame(names, shown, score=scores).unique(["query", "document"], maintain_order=True)
            named = unique.with_columns(system=pl.lit(f"system-{system}"))
            named.write_parquet(folder / "runs" / f"{system}-{start:09}.parquet")


def _frame(names: Any, items: Any, **numbers: Any) -> pl.DataFrame:
    (name, values), *_ = numbers.items()
    return pl.DataFrame(
        {
            "query": pl.Series(names).gather(np.repeat(np.arange(len(names)), items.shape[1])),
            "document": pl.Series(items.ravel()).cast(pl.String),
            name: values.ravel(),
        }
    )


def here(folder: Path) -> dict[str, Any]:
    begin, used = time.perf_counter(), cpu_seconds()
    judged, runs = (pl.read_parquet(folder / name) for name in ("judged", "runs"))
    means = rankgauge.evaluate(judged, runs, MEASURES).mean()
    found = {"seconds": time.perf_counter() - begin, "cpu": cpu_seconds() - used, "means": means}
    return found | {"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)}


def cold(folder: Path) -> dict[str, Any]:
    begin, used = time.perf_counter(), cpu_seconds()
    with _session() as session:
        return _spent(session, folder, begin, used)


def warm(folder: Path) -> dict[str, Any]:
    small = _made(folder.parent, WARMING)
    with _session() as session:
        for _ in range(2):  # the first starts the workers, the second has compiled code
            _spent(session, small, 0, 0)
        return _spent(session, folder, time.perf_counter(), cpu_seconds())


def _session() -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    return builder.config("spark.driver.memory", "3g").config("spark.log.level", "ERROR").getOrCreate()


def _spent(session: Any, folder: Path, begin: float, used: float) -> dict[str, Any]:
    judged, runs = (session.read.parquet(str(folder / name)) for name in ("judged", "runs"))
    means = rankgauge.evaluate(judged, runs, MEASURES).mean()
    return {"seconds": time.perf_counter() - begin, "cpu": cpu_seconds() - used, "means": means}


def cpu_seconds() -> float:
    """Of this process and all below it, with what their ended children used."""
    times, parents = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        times[int(folder.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        parents.setdefault(int(fields[1]), []).append(int(folder.name))
    ours, rest = 0.0, [os.getpid()]
    while rest:
        ours += sum(times.get(process, 0.0) for process in rest)
        rest = [child for process in rest for child in parents.get(process, [])]
    return ours


def _apart(job: str, folder: Path) -> dict[str, Any]:
    command = [sys.executable, __file__, job, str(folder)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(result.stderr)
    return json.loads(result.stdout.splitlines()[-1])


def _made(folder: Path, millions: float) -> Path:
    """The tables of this size; a folder gets its name when it is whole."""
    made, draft = folder / f"{millions:g}", folder / f"{millions:g}.part"
    if not made.exists():
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        write(draft, int(millions * 1e6))
        draft.rename(made)
    return made


def _line(millions: float, found: list[dict[str, Any]]) -> str:
    if any(one["means"] != found[0]["means"] for one in found):
        sys.exit(f"not the same means: {[one['means'] for one in found]}")
    cells = [f"{one['seconds']:.1f} s | {one['cpu']:.1f} s" for one in found]
    return f"| {millions:g} million | {' | '.join(cells)} | {found[0]['memory']:.1f} GB |"


def main() -> None:
    first, *others = sys.argv[1:]
    if first in JOBS:
        print(json.dumps(JOBS[first](Path(others[0]))))
        return
    if first == "write":
        for millions in map(float, others[1:]):
            print(_made(Path(others[0]), millions))
        return
    print("| rows | one process | CPU | Spark, cold | CPU | Spark, warm | CPU | memory of the one process |")
    print("|---|---|---|---|---|---|---|---|")
    for millions in map(float, others):
        made = _made(Path(first), millions)
        print(_line(millions, [_apart(job, made) for job in JOBS]), flush=True)


JOBS = {"here": here, "cold": cold, "warm": warm}

if __name__ == "__main__":
    main()
