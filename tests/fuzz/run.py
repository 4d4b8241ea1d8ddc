"""Mutated files, generated collections, measures and rules, thousands of them: no wrong number, no traceback, no hang.

`make fuzz` runs it; `python tests/fuzz/run.py --contents 25000 --collections 20000 --seed 29` is the whole of it. Each
content is a file in every packing, and standard input. What fails is kept in tests/fuzz/corpus, and the tests try the
corpus again for ever.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

os.environ.setdefault("POLARS_MAX_THREADS", "1")  # small inputs: more threads would only wait for each other
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

from fuzz.company import PIECES, try_company
from fuzz.files import try_file
from fuzz.mutations import mutated
from fuzz.names import try_names
from fuzz.readers import originals
from fuzz.tally import Tally
from fuzz.texts import try_mutated

NAMES = (b"plain", b"=1+1", b"<b>|a&b</b>", b"\\x{_}$%#^~ [2]*", b"\x1b[2J", "na\u202eme\u2028 漢字".encode())
MEMORY = Path("/dev/shm")  # noqa: S108 - files in memory, where there is such a folder


def fuzz(
    contents: int, collections: int, seed: int, folder: Path, seconds: float = float("inf"), shown: str = ""
) -> Tally:
    """Files and texts first; stops early when the seconds are over, and says how far it came."""
    tally, draw, start = Tally(), np.random.default_rng(seed), time.monotonic()
    kinds = originals()
    listed = [(kind, name) for kind, texts in kinds.items() for name in texts]
    for at in _until(start + seconds * (0.5 if collections else 1)):
        if tally.counts["contents"] >= contents:
            break
        kind, name = listed[draw.integers(len(listed))]
        try_file(kind, name, mutated(kinds[kind][name], draw), folder, tally)
        try_mutated(draw, tally)
        if at % 10 == 0:
            try_names(mutated(NAMES[at % len(NAMES)], draw), tally)
        _show(shown, at, 2500, tally, start)
    for at in _until(start + seconds):
        done = tally.counts["collections"]
        if done >= collections:
            break
        size = PIECES if at % 1000 == 500 else int(draw.integers(1, 9))
        first = seed * 1_000_003 + done
        try_company(list(range(first, first + min(size, collections - done))), folder, tally)
        _show(shown, at, 100, tally, start)
    return tally


def _until(end: float) -> Iterator[int]:
    at = 1
    while time.monotonic() < end:
        yield at
        at += 1


def _show(name: str, at: int, every: int, tally: Tally, start: float) -> None:
    if name and at % every == 0:
        print(f"{name} {time.monotonic() - start:.0f} s: {dict(tally.counts)}", flush=True)


def _worker(contents: int, collections: int, seed: int, folder: Path, seconds: float) -> tuple[Tally, float]:
    silent = os.open(os.devnull, os.O_WRONLY)  # a panic of the parser prints before it can be caught
    os.dup2(silent, 2)
    folder.mkdir()
    return fuzz(contents, collections, seed, folder, seconds, f"[{seed}]"), time.process_time()


def _all(chosen: argparse.Namespace, place: Path) -> tuple[Tally, float]:
    """Several processes, each with its own seed; one that dies leaves the file that it was reading."""
    tally, processor, count = Tally(), 0.0, chosen.workers
    with ProcessPoolExecutor(count) as pool:
        shares = (-(-chosen.contents // count), -(-chosen.collections // count))
        seeds = range(chosen.seed, chosen.seed + count)
        tasks = [pool.submit(_worker, *shares, seed, place / str(seed), chosen.seconds) for seed in seeds]
        for task in tasks:
            try:
                found, seconds = task.result()
            except BrokenProcessPool:
                for path in (path for path in place.rglob("*") if path.is_file()):
                    tally.fail("crash", path.name, path.read_bytes(), "a process died, perhaps on this file")
                break
            tally.add(found)
            processor += seconds
    return tally, processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    known = (("contents", 25_000), ("collections", 20_000), ("seed", 29), ("workers", os.cpu_count() or 1))
    for name, default in known:
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    chosen, start = parser.parse_args(), time.monotonic()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as place:
        tally, processor = _all(chosen, Path(place))
    print(
        f"seed {chosen.seed}, {chosen.workers} processes, {time.monotonic() - start:.0f} s ({processor:.0f} s of processor):",
        ", ".join(f"{n:,} {k}" for k, n in tally.counts.items()) + f"; slowest {tally.slowest:.1f} s",
    )
    print(f"{len(tally.failures)} failures")
    print(*tally.failures[:50], sep="\n")
    sys.exit(1 if tally.failures else 0)


if __name__ == "__main__":
    main()
