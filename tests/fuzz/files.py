"""Mutated files in every packing and by standard input: the same numbers, or refused by name and line."""

from __future__ import annotations

import gzip
import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import rankgauge
from data.collection import JUDGED, SCORED, bare, trec_files, zstandard
from fuzz.independent import ndcg, read_trec, reciprocal_rank
from fuzz.tally import HungError, Tally
from rankgauge.errors import RankgaugeError

PACKERS = {"": bytes, ".gz": gzip.compress, ".zst": zstandard}
MEASURES = "nDCG@3 RR@2"
TREC = {name for name in trec_files("value") if not name.endswith((".gz", ".zst"))}
PIPE = "standard input"


def try_file(kind: str, name: str, data: bytes, folder: Path, tally: Tally) -> None:
    """One content in every packing: the same numbers or refused each time, as the independent reader says."""
    found = {}
    for way in (*PACKERS, PIPE):
        tally.counts["files"] += 1
        try:
            with tally.limited():
                found[way] = _piped(kind, data) if way == PIPE else _packed(kind, folder / f"{name}{way}", way, data)
        except HungError:
            tally.fail(kind, name, data, f"{way} hangs")
            return
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # noqa: BLE001 - a panic of the parser is no Exception
            tally.fail(kind, name, data, f"{way} {type(problem).__name__}: {problem}")
            return
    tally.counts["accepted" if found[""] is not None else "refused"] += 1
    if found[".zst"] is None and not _is_utf8(data):
        found[".zst"] = found[""]  # what is not UTF-8 cannot be unpacked, not even in a comment; it is refused by name
    if "." in name:
        del found[PIPE]  # what a name's ending says is not known of a pipe
    if len({repr(one) for one in found.values()}) > 1 and "parquet" not in name:
        tally.fail(kind, name, data, f"packings differ: {[one is None for one in found.values()]}")
    if name in TREC and found[""] is not None:
        _beside(kind, name, data, found[""], tally)


def _packed(kind: str, path: Path, ending: str, data: bytes) -> Any:
    path.write_bytes(PACKERS[ending](data))
    try:
        return outcome(kind, path, path.name)
    finally:
        path.unlink()


def _piped(kind: str, data: bytes) -> Any:
    before, sys.stdin = sys.stdin, SimpleNamespace(buffer=io.BytesIO(data))  # type: ignore[assignment]
    try:
        return outcome(kind, "-", PIPE)
    finally:
        sys.stdin = before


def outcome(kind: str, path: Path | str, name: str) -> Any:
    """The numbers of a file as judgments, as a run or as saved scores; None where it is refused by name and line."""
    judged, run = bare(JUDGED), bare(SCORED)
    try:
        if kind == "scores":
            return rankgauge.read_scores(path).values.tobytes()
        given = (path, run) if kind == "value" else (judged, path)
        scores = rankgauge.evaluate(*given, MEASURES)
    except RankgaugeError as problem:
        _named(str(problem), name)
        return None
    several = scores.systems if kind == "score" and len(scores.systems) > 1 else ()
    return several, scores.queries, scores.values.tobytes()


WHOLE = re.compile(
    "binary file|Parquet file is damaged|saved beside|no column for|this looks like|contains no |"
    "none of its|(rows|columns) of scores: |first column|header names|UTF-16|column is not a measure|is empty|"
    "column of numbers|predictions? for .* judged rows|need the columns|has the name of an id|duplicate (system|query) name"
)
"""Faults of a whole file, which no line has."""


def _named(message: str, name: str) -> None:
    if name not in message:
        raise ValueError(f"the file is not named: {message}")
    if not re.search(r"\b(line|row|record)s? \d", message) and not WHOLE.search(message):
        raise ValueError(f"no line is named: {message}")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


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
