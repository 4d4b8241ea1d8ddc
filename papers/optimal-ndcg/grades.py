"""More than three grades, the paper's future work: real systems on four grades, learning-to-rank features on five.

TREC DL 2021 has grades 0 to 3 and 63 runs. Features are not retrieval systems: most of them order documents no better
than chance, and none was built to find excellent documents; they show that the method works with five grades, no more.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np
from sources import Source
from study import best

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.form import queries_needed, scores_of
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.weighting import named_discount, named_gain

CUTOFFS = (5, 10)
FEATURES = 100  # the most dependable ones: the others are noise


def five_grades() -> dict[str, Any] | None:
    """LightGBM's lambdarank example, grades 0 to 4: optimal gains under log2, the lowest grade worth 1."""
    named = os.environ.get("RANKGAUGE_DATA")
    folder = Path(named) / "ltr-lightgbm" if named else None
    if folder is None or not folder.is_dir():
        return None
    path = folder / "rank.train.gz"
    found: dict[str, Any] = {"data": hashlib.sha256(path.read_bytes()).hexdigest()[:12]}
    for cutoff in CUTOFFS:
        grades = _grades(path, folder / "rank.train.query", cutoff)
        log2 = named_discount("log2", cutoff)
        optimal = best(grades, ("gain",), thorough=False)
        gains = {name: named_gain(name, grades.grades) for name in ("exp", "linear", "equal")} | {
            "optimal": optimal.gain
        }
        found |= {"systems": grades.systems, "queries": grades.queries}
        found[str(cutoff)] = {name: _row(grades, log2, gain) for name, gain in gains.items()}
    return found


def four_grades() -> dict[str, Any] | None:
    """Passages of TREC DL 2021, grades 0 to 3: optimal gains under log2, the lowest grade worth 1."""
    named = os.environ.get("RANKGAUGE_DATA")
    folder = Path(named) / "judges" / "dl21" if named else None
    if folder is None or not folder.is_dir():
        return None
    source = Source("DL 2021", folder / "human.qrels.gz", tuple(sorted((folder / "runs").glob("*.gz"))))
    whole = source.grades()
    found: dict[str, Any] = {"data": source.digest, "systems": whole.systems, "queries": whole.queries}
    for cutoff in (10, 20, 100):
        grades = whole.cut(cutoff)
        gains = {name: named_gain(name, grades.grades) for name in ("exp", "linear", "equal")}
        gains["optimal"] = best(grades, ("gain",)).gain
        found[str(cutoff)] = {name: _row(grades, named_discount("log2", cutoff), gain) for name, gain in gains.items()}
    return found


def _row(grades: RankedGrades, discount: Any, gain: Any) -> dict[str, Any]:
    value = dependability(scores_of(grades, discount, gain))
    return {"gain": (gain / gain[gain > 0].min()).tolist(), "phi": value, "needed": queries_needed(value, 0.9)}


def _grades(path: Path, sizes: Path, cutoff: int) -> RankedGrades:
    """Every feature as a system, the best of them; ties by the order of the file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [line.split() for line in file]
    labels = np.array([int(row[0]) for row in rows])
    width = 1 + max(int(cell.split(":")[0]) for row in rows for cell in row[1:])
    features = np.zeros((width, len(rows)))
    for at, row in enumerate(rows):
        for cell in row[1:]:
            name, value = cell.split(":")
            features[int(name), at] = float(value)
    ends = np.cumsum([int(line) for line in sizes.read_text().split()])
    lists = [slice(begin, end) for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
    codes = np.zeros((width, len(lists), cutoff), np.int8)
    for query, part in enumerate(lists):
        order = np.argsort(-features[:, part], axis=1, kind="stable")[:, :cutoff]
        codes[:, query, : order.shape[1]] = labels[part][order]
    pool = np.stack([np.bincount(labels[part], minlength=5)[1:] for part in lists])
    whole = RankedGrades(codes, (1.0, 2.0, 3.0, 4.0), pool).with_relevant()
    means = scores_of(whole, named_discount("log2", cutoff), named_gain("linear", whole.grades)).mean(axis=1)
    kept = np.sort(np.argsort(-means, kind="stable")[:FEATURES])
    return RankedGrades(whole.codes[kept], whole.grades, whole.pool)
