from __future__ import annotations

import numpy as np
import pytest

from rankgauge import compare
from rankgauge.analysis.compare import examining


@pytest.mark.parametrize("test", ["sign-flip", "t"])
def test_threads_find_what_one_after_the_other_finds_and_report_it(test, monkeypatch):
    random = np.random.default_rng(3)
    judged = {f"q{q}": {f"d{d}": int(random.integers(0, 3)) for d in range(8)} for q in range(30)}
    runs = {s: {q: {d: float(random.random()) for d in found} for q, found in judged.items()} for s in "abc"}
    measures = "nDCG@5 P@3 RR AP"
    told: list[tuple[int, int]] = []
    apart = compare(judged, runs, measures, test=test)
    monkeypatch.setattr(examining, "_MANY", 1)
    together = compare(judged, runs, measures, test=test, progress=lambda done, total: told.append((done, total)))
    assert together.to_dict() == apart.to_dict()
    assert told[-4:] == [(1, 4), (2, 4), (3, 4), (4, 4)]
