import os

import numpy as np
import pytest

from rankgauge import Policy, score

try:
    from sklearn.metrics import ndcg_score
except ImportError:
    if os.environ.get("CI") == "true":
        raise
    pytest.skip("scikit-learn is not installed", allow_module_level=True)


@pytest.mark.parametrize("decimals", [None, 1, 0])
@pytest.mark.parametrize("depth", [1, 10, 100])
def test_rows_agree_with_scikit_learn(decimals, depth):
    draw = np.random.default_rng([depth, decimals or 9])
    gains = draw.choice([0.0, 1, 2, 3], (300, 100), p=[0.6, 0.2, 0.12, 0.08])
    scores = gains * 0.3 + draw.standard_normal((300, 100))
    scores = scores if decimals is None else scores.round(decimals)
    ours = list(score(f"nDCG@{depth}", gains, scores, details=True).per_group.values())
    theirs = [ndcg_score(gains[[row]], scores[[row]], k=depth) for row in range(300)]
    assert ours == pytest.approx(theirs, rel=1e-12)


def test_rows_without_gain_are_undefined_here_and_0_in_scikit_learn():
    gains, scores = np.zeros((1, 3)), np.arange(3.0)[None]
    assert np.isnan(score("nDCG", gains, scores, policy=Policy(undefined="drop")))
    assert ndcg_score(gains, scores) == 0
