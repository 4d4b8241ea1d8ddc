"""Mutated files and generated collections, thousands of them: no wrong number, no traceback, no hang.

`make fuzz` runs it; `python tests/fuzz/run.py --files 100000 --collections 20000 --seed 29` is the whole of it. What fails is
kept in tests/fuzz/corpus, and the tests try the corpus again for ever.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import polars as pl

import rankgauge
from data.collection import JUDGED, SCORED, bare, files, trec_files, triples, zstandard
from fuzz.independent import ndcg, read_trec, reciprocal_rank
from fuzz.mutations import MATRIX, mutated, originals, scores_file
from rankgauge.errors import RankgaugeError

CORPUS = Path(__file__).parent / "corpus"
PACKERS = {"": bytes, ".gz": gzip.compress, ".zst": zstandard}
MEASURES = "nDCG@3 RR@2"
LONGEST = 10


@dataclass
class Tally:
    """What happened; `failures` name the input that is kept."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def fail(self, kind: str, name: str, data: bytes, why: object) -> None:
        key = hashlib.sha256(data).hexdigest()[:12]
        CORPUS.mkdir(exist_ok=True)
        (CORPUS / f"{kind}-{key}-{name}").write_bytes(data)
        self.failures.append(f"{kind} {name} {key}: {str(why)[:300]!r}")


class HungError(Exception):
    """Longer than LONGEST seconds."""


@contextmanager
def limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise HungError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(LONGEST)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def outcome(kind: str, path: Path) -> Any:
    """The numbers of a file as judgments, as a run or as saved scores; None where it is refused by name."""
    judged, run = bare(JUDGED), bare(SCORED)
    try:
        with limited():
            if kind == "scores":
                return rankgauge.read_scores(path).values.tobytes()
            given = (path, run) if kind == "value" else (judged, path)
            scores = rankgauge.evaluate(*given, MEASURES)
            return (
                scores.systems if kind == "score" and len(scores.systems) > 1 else (),
                scores.queries,
                scores.values.tobytes(),
            )
    except RankgaugeError as problem:
        if path.name not in str(problem):
            raise ValueError(f"the file is not named: {problem}") from problem
        return None


def try_file(kind: str, name: str, data: bytes, folder: Path, tally: Tally) -> None:
    """One content in every packing: the same numbers or refused each time, as the independent reader says."""
    found = {}
    for ending, pack in PACKERS.items():
        path = folder / f"{name}{ending}"
        path.write_bytes(pack(data))
        tally.counts["files"] += 1
        try:
            found[ending] = outcome(kind, path)
        except HungError:
            tally.fail(kind, name, data, "hangs")
            return
        except BaseException as problem:
            if isinstance(problem, KeyboardInterrupt):
                raise
            tally.fail(kind, name, data, f"{type(problem).__name__}: {problem}")
            return
        finally:
            path.unlink()
    tally.counts["accepted" if found[""] is not None else "refused"] += 1
    if ".zst" in found and found[".zst"] is None and not _is_utf8(data):
        found[".zst"] = found[""]  # what is not UTF-8 cannot be unpacked, not even in a comment; it is refused by name
    if len({repr(one) for one in found.values()}) > 1 and "parquet" not in name:
        tally.fail(kind, name, data, f"packings differ: {[one is None for one in found.values()]}")
    if name in TREC and found[""] is not None:
        _beside(kind, name, data, found[""], tally)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


TREC = {name for name in trec_files("value") if not name.endswith((".gz", ".zst", ".txt")) and "." in name}


def _beside(kind: str, name: str, data: bytes, found: Any, tally: Tally) -> None:
    rows = read_trec(data, kind)
    if not rows or found[0]:
        return
    judged, run = (rows, bare(SCORED)) if kind == "value" else (bare(JUDGED), rows)
    tally.counts["beside the independent reader"] += 1
    values = np.frombuffer(found[2]).reshape(len(found[1]), 2)
    for column, expected in enumerate((ndcg(judged, run, 3), reciprocal_rank(judged, run, 2))):
        ours = dict(zip(found[1], values[:, column].tolist(), strict=True))
        if ours.keys() != expected.keys() or any(abs(ours[one] - expected[one]) > 1e-12 for one in ours):
            tally.fail(kind, name, data, f"another number: {ours} {expected}")
            return


def collection(draw: np.random.Generator) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Judgments and a run with ties, unjudged documents, missing queries and negative grades."""
    judged, run = {}, {}
    for q in range(int(draw.integers(1, 6))):
        names = [f"d{at}" for at in draw.permutation(12)[: draw.integers(1, 12)]]
        judged[f"q{q}"] = {name: int(draw.integers(-1, 4)) for name in names if draw.random() < 0.7} or {"d0": 1}
        if draw.random() < 0.9:
            scale = 1 if draw.random() < 0.5 else 1000
            run[f"q{q}"] = {name: float(np.floor(draw.random() * scale * 5) / scale) for name in names}
    judged["q0"]["d0"] = 1
    run.setdefault("q0", {"d0": 1.0})
    return judged, run


def try_collection(seed: int, folder: Path, tally: Tally) -> None:
    """The same collection by every way in: the same bits, and the numbers of the independent scorer."""
    judged, run = collection(np.random.default_rng(seed))
    expected = rankgauge.evaluate(judged, {"run": run}, MEASURES)
    for column, numbers in enumerate((ndcg(judged, run, 3), reciprocal_rank(judged, run, 2))):
        ours = dict(zip(expected.queries, expected.values[0, :, column].tolist(), strict=True))
        if any(abs(ours[one] - numbers[one]) > 1e-12 for one in numbers):
            tally.fail("collection", str(seed), repr((judged, run)).encode(), f"{ours} {numbers}")
    for name, given in ways(judged, run, folder):
        tally.counts["paths"] += 1
        try:
            found = rankgauge.evaluate(*given, MEASURES)
        except RankgaugeError as problem:
            tally.fail("collection", f"{seed}-{name}", repr((judged, run)).encode(), problem)
            continue
        order = [found.queries.index(query) for query in expected.queries]
        if found.values[:, order].tobytes() != expected.values.tobytes():
            tally.fail("collection", f"{seed}-{name}", repr((judged, run)).encode(), "other bits")
    tally.counts["collections"] += 1


def ways(judged: Any, run: Any, folder: Path) -> Iterator[tuple[str, tuple[Any, Any]]]:
    frames = [
        pl.DataFrame(triples(rows), schema={"query": pl.String, "document": pl.String, name: pl.Float64}, orient="row")
        for rows, name in ((judged, "value"), (run, "score"))
    ]
    yield "polars", tuple(frames)
    yield "pandas", tuple(frame.to_pandas() for frame in frames)
    yield "arrow", tuple(frame.to_arrow() for frame in frames)
    makers = [files(number) | trec_files(number) for number in ("value", "score")]
    for name in makers[0]:
        paths = []
        for number, rows, writers in zip(("value", "score"), (judged, run), makers, strict=True):
            text = writers[name](rows)
            (folder / number).mkdir(exist_ok=True)
            path = folder / number / name
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            paths.append(path)
        yield name, tuple(paths)


def fuzz(file_count: int, collections: int, seed: int, seconds: float = float("inf"), *, shown: bool = False) -> Tally:
    """Files first; stops early when the seconds are over, and says how far it came."""
    tally, draw, start = Tally(), np.random.default_rng(seed), time.monotonic()
    kinds = {"value": originals("value"), "score": originals("score")}
    kinds["scores"] = {"saved.parquet": scores_file(), "saved.csv": MATRIX}
    listed = [(kind, name) for kind, texts in kinds.items() for name in texts]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        while tally.counts["files"] < file_count and time.monotonic() - start < seconds * (0.5 if collections else 1):
            kind, name = listed[draw.integers(len(listed))]
            try_file(kind, name, mutated(kinds[kind][name], draw), folder, tally)
            if shown and tally.counts["files"] % 3000 == 0:
                print(dict(tally.counts), f"{time.monotonic() - start:.0f} s", flush=True)
        while tally.counts["collections"] < collections and time.monotonic() - start < seconds:
            try_collection(seed * 1_000_003 + tally.counts["collections"], folder, tally)
            if shown and tally.counts["collections"] % 500 == 0:
                print(dict(tally.counts), f"{time.monotonic() - start:.0f} s", flush=True)
    return tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, default in (("files", 100_000), ("collections", 20_000), ("seed", 29)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    chosen = parser.parse_args()
    if hasattr(os, "dup2"):  # panics of the parser print to the error stream; their errors are counted instead
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 2)
    start = time.monotonic()
    tally = fuzz(chosen.files, chosen.collections, chosen.seed, chosen.seconds, shown=True)
    print(
        f"seed {chosen.seed}, {time.monotonic() - start:.0f} s:",
        ", ".join(f"{n:,} {k}" for k, n in tally.counts.items()),
    )
    print(f"{len(tally.failures)} failures")
    print(*tally.failures[:50], sep="\n")
    sys.exit(1 if tally.failures else 0)


if __name__ == "__main__":
    main()
