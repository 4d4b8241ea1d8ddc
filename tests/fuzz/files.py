"""Mutated files in every packing and by standard input: the same numbers, or refused by name and line."""

from __future__ import annotations

import io
import re
import sys
import zlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from data.collection import JUDGED, SCORED, bare
from fuzz.independent import OddError, ndcg, read, reciprocal_rank
from fuzz.mutations import mutated
from fuzz.readers import PLAIN, READERS
from fuzz.scattered import PACKERS, try_scattered
from fuzz.tally import HungError, Tally
from rankgauge.errors import RankgaugeError

PIPE = "standard input"
DAMAGED = "damaged"
WAYS = (*PACKERS, PIPE, DAMAGED)


def try_file(kind: str, name: str, data: bytes, folder: Path, tally: Tally, ways: tuple[str, ...] = WAYS) -> None:
    """One content in every packing: the same numbers or refused each time, as the independent reader says."""
    found = {}
    tally.counts["contents"] += 1
    for way in ways[:1] if kind in PLAIN else ways:
        tally.counts["files"] += 1
        try:
            with tally.limited():
                found[way] = _by(way, kind, name, data, folder)
        except HungError:
            tally.fail(kind, name, data, f"{way} hangs")
            return
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # noqa: BLE001 - a panic of the parser is no Exception
            tally.fail(kind, name, data, f"{way} {type(problem).__name__}: {problem}")
            return
    tally.counts["accepted" if found[""] is not None else "refused"] += 1
    found.pop(DAMAGED, None)  # what is changed after packing may be anything, but it is read or refused by name
    if ".zst" in found and found[".zst"] is None and not _is_utf8(data):
        found[".zst"] = found[""]  # what is not UTF-8 cannot be unpacked, not even in a comment; it is refused by name
    if "." in name:
        found.pop(PIPE, None)  # what a name's ending says is not known of a pipe
    if len({repr(one) for one in found.values()}) > 1 and "parquet" not in name:
        tally.fail(kind, name, data, f"packings differ: {[one is None for one in found.values()]}")
    if kind in {"value", "score"} and found[""] is not None:
        _beside(kind, name, data, found[""], tally)
    if kind == "score" and "." not in name:
        try_scattered(name, data, folder, tally)


def _by(way: str, kind: str, name: str, data: bytes, folder: Path) -> Any:
    if way == PIPE:
        return _piped(kind, data)
    if way != DAMAGED:
        return _packed(kind, folder / f"{name}{way}", PACKERS[way](data))
    draw = np.random.default_rng(zlib.crc32(data))
    ending = (".gz", ".zst")[draw.integers(2)]
    return _packed(kind, folder / f"{name}{ending}", mutated(PACKERS[ending](data), draw))


def _packed(kind: str, path: Path, data: bytes) -> Any:
    path.write_bytes(data)
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
    """What a reader makes of a file; None where it is refused by name and line."""
    try:
        return READERS[kind](path)
    except RankgaugeError as problem:
        _named(str(problem), name)
        return None


WHOLE = re.compile(
    "binary file|Parquet file is damaged|two columns have the same name|saved beside|no column for|this looks like|contains no |"
    "none of its|its only query is not judged|(rows|columns) of scores: |first column|header names|UTF-16|column is not a measure|is empty|"
    "column of numbers|predictions? for .* judged rows|need the columns|has the name of an id|duplicate (system|query) name|"
    "compressed data are damaged|there is no column|no column of|not a relevance function|knots: |unknown (preset|quartiles|whisker) |; it must be |"
    "there are no items|holds no measure|nested too deeply|not a ledger|no records with named columns|columns; one is needed|packed bytes become more"
)
"""Faults of a whole file, which no line has."""


def _named(message: str, name: str) -> None:
    if name not in message:
        raise ValueError(f"the file is not named: {message}")
    if not re.search(r"\b(line|row|record|item)s? \d|^ +\^$", message, re.MULTILINE) and not WHOLE.search(message):
        raise ValueError(f"no line is named: {message}")


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _beside(kind: str, name: str, data: bytes, found: Any, tally: Tally) -> None:
    tally.counts["beside the independent reader"] += 1
    try:
        rows = read(name, data, kind)
    except OddError as odd:
        tally.fail(kind, name, data, f"accepted, although {odd}")
        return
    if rows is None or found[0]:
        tally.counts["beside the independent reader"] -= 1
        return
    judged, run = (rows, bare(SCORED)) if kind == "value" else (bare(JUDGED), rows)
    values = np.frombuffer(found[2]).reshape(len(found[1]), 2)
    for column, expected in enumerate((ndcg(judged, run, 3), reciprocal_rank(judged, run, 2))):
        ours = dict(zip(found[1], values[:, column].tolist(), strict=True))
        if ours.keys() != expected.keys() or any(abs(ours[one] - expected[one]) > 1e-12 for one in ours):
            tally.fail(kind, name, data, f"another number: {ours} {expected}")
            return
