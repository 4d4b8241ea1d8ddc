"""Thousands of systems: what grows with their square is refused before the work, the rest is done."""

from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from cubes import scores_of
from rankgauge.analysis.compare.statistics import ranks
from rankgauge.errors import UsageError

MANY = np.random.default_rng(3).random((5000, 6))


@pytest.mark.parametrize(
    "call",
    [lambda: rankgauge.compare(scores_of(MANY), all_pairs=True), lambda: rankgauge.discriminate(scores_of(MANY))],
)
def test_all_pairs_of_thousands_of_systems_are_refused(call):
    with pytest.raises(UsageError, match=r"all pairs of 5,000 systems are 12,497,500.*\n.*at most 1,000 systems, or "):
        call()


def test_the_best_of_thousands_of_systems_are_taken():
    assert rankgauge.discriminate(scores_of(MANY), top=5, samples=10).system_count == 5


def test_rank_intervals_are_the_same_in_blocks(monkeypatch):
    values = np.random.default_rng(5).random((40, 12)).round(1)
    values[3, 4] = np.nan
    values[7] = values[8]
    whole = ranks.rank_intervals(values)
    monkeypatch.setattr(ranks, "_BLOCK", 7)
    blocks = ranks.rank_intervals(values)
    for one, other in zip((whole.rank, whole.low, whole.high), (blocks.rank, blocks.low, blocks.high), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.slow
def test_five_thousand_systems_against_one():
    found = rankgauge.compare(scores_of(MANY))
    assert len(found.parts[0].pairs) == 4999


@pytest.mark.slow
def test_a_thousand_run_files(tmp_path):
    (tmp_path / "judged.qrels").write_text("".join(f"q{q} 0 d{d} {d % 3}\n" for q in range(5) for d in range(10)))
    paths = [tmp_path / f"run{at:04}.trec" for at in range(1000)]
    for at, path in enumerate(paths):
        rows = ((q, d, ((at + 7) * (d + 3) * (q + 1)) % 97) for q in range(5) for d in range(10))
        path.write_text("".join(f"q{q} Q0 d{d} 0 {score} tag\n" for q, d, score in rows))
    together = rankgauge.evaluate(tmp_path / "judged.qrels", paths, "nDCG@5 AP")
    assert together.systems == tuple(path.stem for path in paths)
    for at in (0, 499, 999):
        alone = rankgauge.evaluate(tmp_path / "judged.qrels", paths[at], "nDCG@5 AP")
        assert alone.values[0].tobytes() == together.values[at].tobytes()
