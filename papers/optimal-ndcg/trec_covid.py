"""TREC-COVID round 3 as a table of grades, where RANKGAUGE_DATA names the folder that holds it."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rankgauge.analysis.fractional.grades import RankedGrades

DEPTH = 100


def folder() -> Path | None:
    named = os.environ.get("RANKGAUGE_DATA")
    found = Path(named) / "trec-covid-round3" if named else None
    return found if found and found.is_dir() else None


def read(path: Path) -> RankedGrades:
    """Scores and then document ids descending; negative grades as 0; topics missing from a run have nothing."""
    judged: dict[str, dict[str, int]] = {}
    for topic, _, document, grade in _columns(path / "qrels.txt.gz"):
        judged.setdefault(topic, {})[document] = max(0, int(grade))
    topics = sorted(judged, key=int)
    runs = sorted((path / "runs").glob("*.gz"))
    codes = np.zeros((len(runs), len(topics), DEPTH), dtype=np.int8)
    for system, run in enumerate(runs):
        listed: dict[str, list[tuple[float, str]]] = {}
        for topic, _, document, _, score, *_ in _columns(run):
            listed.setdefault(topic, []).append((float(score), document))
        for query, topic in enumerate(topics):
            for rank, (_, document) in enumerate(sorted(listed.get(topic, []), reverse=True)[:DEPTH]):
                codes[system, query, rank] = judged[topic].get(document, 0)
    pool = np.array([[list(judged[topic].values()).count(grade) for grade in (1, 2)] for topic in topics])
    return RankedGrades(codes, (1.0, 2.0), pool)


def _columns(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt") as lines:
        for line in lines:
            yield line.split()
