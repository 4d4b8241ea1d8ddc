"""Numbers that reconcile cannot know are seldom explained, and as seldom as it says."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest

from rankgauge.measures.grammar import parse

FOLDER = Path(__file__).parents[2] / "papers" / "reconcile"


def scripts():
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module("outside"), importlib.import_module("recompute")
    finally:
        sys.path.remove(str(FOLDER))


@pytest.fixture(scope="module")
def trials():
    outside, recompute = scripts()
    return [
        trial
        for name, numbers in outside.simulated(1, seed=11)
        for asked in ("nDCG@10", "AP")
        for trial in recompute.trials(numbers, name, asked, 120, [4, 3], seed=7)
    ]


def of(trials, kind, measure=None):
    """Whether numbers of three digits fit, and the chance that is printed for that."""
    printed = [trial for trial in trials if trial.digits == 3 and measure in {None, trial.measure}]
    return (np.array([getattr(trial, name)[kind] for trial in printed]) for name in ("fits", "printed"))


def test_every_other_gain_and_discount_exists():
    outside, _ = scripts()
    for name, curves in (("gain", outside.GAINS), ("discount", outside.DISCOUNTS)):
        for curve in curves:
            assert f"{name}={curve}" in str(parse(f"nDCG({name}={curve})@10"))


def test_a_false_explanation_is_seldom_called_likely(trials):
    printed = [trial for trial in trials if trial.digits == 4]
    assert len(printed) > 500
    assert np.mean([trial.likely_with_one for trial in printed]) < 0.03
    assert np.mean([trial.likely for trial in printed]) < 0.03


@pytest.mark.parametrize("measure", ["nDCG@10", "AP"])
def test_the_printed_chance_is_what_happens(trials, measure):
    fits, chance = of(trials, "either", measure)
    assert 0.03 < fits.mean() < 0.3
    assert 0.5 < chance.mean() / fits.mean() < 2


@pytest.mark.parametrize("kind", ["known tools", "one decision away", "two decisions away"])
def test_the_chance_of_each_kind_is_what_happens(trials, kind):
    fits, chance = of(trials, kind)
    assert 0.01 < fits.mean() < 0.5
    assert 0.5 < chance.mean() / fits.mean() < 2


def test_the_chance_printed_beside_an_explanation_is_what_happens(trials):
    fits, chance = of(trials, "either")
    assert 0.5 < chance[fits].mean() / fits.mean() < 2
    for low, high in ((0.03, 0.1), (0.1, 0.3)):
        among = (chance >= low) & (chance < high)
        assert among.sum() > 100
        assert 0.5 < chance[among].mean() / fits[among].mean() < 2
