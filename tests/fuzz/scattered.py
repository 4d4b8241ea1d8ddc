"""Runs of TREC text with their lines in another order, read in small pieces: what the same file says when it is read whole."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from unittest import mock

import rankgauge
from data.collection import JUDGED, bare, zstandard
from fuzz.tally import HungError, Tally
from rankgauge.data import match
from rankgauge.errors import RankgaugeError

PACKERS = {"": bytes, ".gz": gzip.compress, ".zst": zstandard}
MEASURES = "nDCG@3 RR@2"


def try_scattered(name: str, data: bytes, folder: Path, tally: Tally) -> None:
    """The lines in another order, brought together by query from small pieces: what the file says when read whole."""
    tally.counts["scattered"] += 1
    lines = sorted(data.splitlines(keepends=True), key=zlib.crc32)
    for ending in (".gz", "", ".zst"):
        path = folder / f"{name}{ending}"
        path.write_bytes(PACKERS[ending](b"".join(lines)))
        try:
            with tally.limited():
                told = [_told(path, shares) for shares in ((1, 1 << 20), (2, 100))]
        except (Exception, HungError) as problem:  # noqa: BLE001 - whatever it is, it is what we look for
            tally.fail("score", name, data, f"scattered{ending} {type(problem).__name__}: {problem}")
        else:
            if told[0] != told[1]:
                tally.fail("score", name, data, f"scattered{ending}: {told}")
        path.unlink()


def _told(path: Path, shares: tuple[int, int]) -> tuple[str, bytes]:
    with mock.patch.object(match, "_shares", return_value=shares):
        try:
            scores = rankgauge.evaluate(bare(JUDGED), path, MEASURES)
        except RankgaugeError as problem:
            return str(problem), b""
    return str(scores.notes), scores.values.tobytes()
