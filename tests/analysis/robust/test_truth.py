"""No gain and discount that brute force finds contradicts a certificate, and every witness is what it says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rankgauge
from analysis.robust.family_points import ndcg, points, random_collection, scored
from rankgauge.errors import AnalysisError

POINTS = 500
KINDS = {
    "three grades": {"grades": (1, 2, 3)},
    "one grade": {"grades": (1,), "queries": 3},
    "real values": {"grades": (0.3, 1.5), "queries": 5},
    "five grades": {"grades": (1, 2, 3, 4, 5), "documents": 7, "queries": 3},
}


def examined(seed, kind, over, measure="nDCG@3"):
    """One random collection: brute force against the verdict."""
    draw = np.random.default_rng(seed)
    judged, runs = random_collection(draw, **KINDS[kind])
    grades = sorted({value for row in judged.values() for value in row.values() if value > 0})
    by_score = [rankgauge.Run(scored(run), name=name) for name, run in runs.items()]
    if not grades:
        with pytest.raises(AnalysisError, match="no document is judged relevant"):
            rankgauge.robust(judged, by_score, measure, over=over)
        return None
    found = rankgauge.robust(judged, by_score, measure, over=over, samples=0).pairs[0]
    discounts, gains = points(3, len(grades), POINTS, draw)
    if over == "discount":
        gains = np.tile(grades, (POINTS, 1)).astype(float)
    if over == "gain":
        discounts = np.tile(1 / np.log2(np.arange(2, 5)), (POINTS, 1))
    normalized = measure.startswith("nDCG")
    means = {name: ndcg(judged, run, grades, discounts, gains, normalized=normalized) for name, run in runs.items()}
    contradicts(found, (means[found.system] - means[found.baseline]), judged, by_score, measure)
    return found.verdict


def contradicts(found, differences, judged, runs, measure):
    if found.verdict == "robust":
        ahead = differences if found.winner == found.system else -differences
        assert ahead.min() >= -1e-12
        assert abs(found.difference) <= 1e-12 or (found.difference > 0) == (found.winner == found.system)
    elif found.verdict == "equal":
        assert np.abs(differences).max() <= 1e-12
    elif found.verdict == "depends":
        assert str(rankgauge.measures.parse(found.witness)) == found.witness
        means = rankgauge.evaluate(judged, runs, [measure, found.witness]).mean()
        own, other = (means[found.system][name] - means[found.baseline][name] for name in (measure, found.witness))
        assert other == pytest.approx(found.witness_difference, abs=1e-15)
        assert abs(other) > 1e-12
        assert own * other < 0 or abs(own) <= 1e-12


@pytest.mark.parametrize("over", ["both", "discount", "gain"])
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(sorted(KINDS)))
def test_brute_force_never_contradicts(over, seed, kind):
    examined(seed, kind, over)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_sums_without_normalization(seed):
    assert examined(seed, "three grades", "both", "DCG@3") != "open"  # corners are exact
