"""Many queries: the sign-flip test in its normal limit, beside what samples of the signs say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

import rankgauge as rg
from rankgauge.analysis.compare.statistics.shares import _normal_share
from rankgauge.analysis.compare.statistics.tests import sign_flip_test
from rankgauge.kernels.resampling import flip_share_bounds


@pytest.mark.parametrize("shift", [0.0, 0.004, 0.02])
def test_the_normal_limit_holds_the_share_of_patterns(shift: float) -> None:
    rng = np.random.default_rng(3)
    differences = np.round(rng.normal(shift, 0.3, 3000), 2)
    value, low, high = _normal_share(differences)
    exact, *_ = flip_share_bounds(differences)
    assert low <= exact <= high
    assert value == pytest.approx(exact, rel=0.05)


def test_it_agrees_with_samples() -> None:
    differences = np.random.default_rng(5).normal(0.0003, 0.1, 50_000)
    value, *_ = _normal_share(differences)
    sampled = float(sign_flip_test(differences[np.newaxis], samples=2000, seed=1)[0])
    assert abs(value - sampled) < 4 * np.sqrt(value * (1 - value) / 2000)
    assert value == pytest.approx(2 * norm.sf(abs(differences.sum()) / np.sqrt(np.square(differences).sum())))


def test_the_output_says_so_once() -> None:
    rng = np.random.default_rng(7)
    values = rng.random((2, 25_000, 2))
    found = rg.compare(rg.Scores.from_matrix(values, ["a", "b"], measures=["AP", "RR"], rows="systems"))
    said = [note for note in found.notes if note.kind == "normal-limit"]
    assert len(said) == 1
    assert "25,000 queries" in said[0].text
    assert found.samples is None
