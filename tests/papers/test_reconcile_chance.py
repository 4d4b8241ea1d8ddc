"""Numbers that reconcile cannot know are seldom explained, and as seldom as it says."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from rankgauge.evaluation.reconcile.candidates import NEAR

FOLDER = Path(__file__).parents[2] / "papers" / "reconcile"


@pytest.fixture(scope="module")
def rows():
    sys.path.insert(0, str(FOLDER))
    try:
        outside, recompute = importlib.import_module("outside"), importlib.import_module("recompute")
    finally:
        sys.path.remove(str(FOLDER))
    return [
        row
        for name, numbers in outside.simulated(1, seed=11)
        for asked in ("nDCG@10", "AP")
        for row in recompute.trials(numbers, name, asked, 120, [4, 3], seed=7)
    ]


def test_a_false_explanation_is_seldom_called_likely(rows):
    printed = [row for row in rows if row[0] == 4]
    assert len(printed) > 500
    assert np.mean([row[7] for row in printed]) < 0.03
    assert np.mean([row[6] for row in printed]) < 0.03


def test_the_printed_chance_is_what_happens(rows):
    for measure in ("nDCG@10", "AP"):
        printed = [row for row in rows if row[0] == 3 and row[2] == measure]
        fits, chance = np.mean([row[4][NEAR] for row in printed]), np.mean([row[5][NEAR] for row in printed])
        assert 0.03 < fits < 0.3
        assert 0.5 < chance / fits < 2
