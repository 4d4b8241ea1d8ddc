"""The arithmetic of the practice notes on NDCG, written out, beside ours on a real collection."""

from __future__ import annotations

import gzip
import math
import statistics
from pathlib import Path

import pytest

from rankgauge import evaluate


def notes_ndcg(ranking, judged, k):
    """DCG of the ranking over DCG of the judged grades in descending order, both cut at k; 0 if nothing is relevant."""

    def dcg(grades):
        return sum(grade / math.log2(place + 2) for place, grade in enumerate(grades[:k]))

    best = dcg(sorted(judged.values(), reverse=True))
    return dcg([judged.get(document, 0) for document in ranking]) / best if best > 0 else 0.0


def rows(path):
    opened = gzip.open if path.suffix == ".gz" else Path.open
    with opened(path, "rt", encoding="utf-8") as file:
        return [line.split() for line in file]


def test_the_program_of_the_notes_gives_our_values(real):
    judged = {}
    for query, _, document, grade in rows(real.judgments):
        judged.setdefault(query, {})[document] = max(0, int(grade))
    for path in real.runs[:: max(2, len(real.runs) // 4)]:
        run = {}
        for query, _, document, _, score, _ in rows(path):
            run.setdefault(query, {})[document] = float(score)
        scores = evaluate(judged, {"run": run}, "nDCG@10 nDCG@3")
        for cutoff in (10, 3):
            theirs = []
            for query, found in judged.items():
                ranking = sorted(run.get(query, {}), key=lambda d, q=query: (run[q][d], d), reverse=True)
                theirs.append(notes_ndcg(ranking, found, cutoff))
            ours = scores.matrix(f"nDCG@{cutoff}")[0]
            assert ours.tolist() == pytest.approx(theirs, abs=1e-12)
            assert scores.mean()["run"][f"nDCG@{cutoff}"] == pytest.approx(statistics.mean(theirs), abs=1e-12)
            assert scores.median()["run"][f"nDCG@{cutoff}"] == pytest.approx(statistics.median(theirs), abs=1e-12)
