"""scikit-learn's dcg_score and ndcg_score: linear gain, ties averaged, every document a candidate."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

from rankgauge import evaluate


def rankings(count, seed):
    """Grades and scores of the same documents, many scores tied."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        documents = rng.integers(2, 12)
        grades = rng.choice([0, 0, 1, 2, 3.5], documents)
        yield grades, rng.normal(0, 1, documents).round(int(rng.integers(0, 3)))


def rows(values):
    return {"q": {f"d{at:02d}": float(value) for at, value in enumerate(values)}}


def averaged(measure, grades, scores):
    """The mean over all orders of tied documents."""
    return evaluate(rows(grades), rows(scores), measure, like="sklearn").values.item()


@pytest.mark.parametrize("cutoff", [None, 1, 3, 10])
def test_averaged_ties_agree(cutoff):
    cut = "" if cutoff is None else f"@{cutoff}"
    for grades, scores in rankings(400, seed=30):
        ndcg, dcg = ndcg_score([grades], [scores], k=cutoff), dcg_score([grades], [scores], k=cutoff)
        assert averaged(f"nDCG{cut}", grades, scores) == pytest.approx(ndcg, abs=1e-12)
        assert averaged(f"DCG{cut}", grades, scores) == pytest.approx(dcg, abs=1e-12)


def test_a_constant_scorer_has_the_mean_over_all_orders():
    assert averaged("nDCG", [10, 0, 0, 1, 5], [1, 1, 1, 1, 1]) == pytest.approx(0.690979, abs=5e-7)


def test_known_difference_negative_grades_are_refused_there_and_count_as_0_here():
    with pytest.raises(ValueError, match="negative"):
        ndcg_score([[-1, 1]], [[1, 2]])
    assert evaluate({"q": {"a": -1, "b": 1}}, {"q": {"a": 1.0, "b": 2.0}}, "nDCG").values.item() == 1


def test_known_difference_one_document_is_refused_there_and_a_list_here():
    with pytest.raises(ValueError, match="more than 1 document"):
        ndcg_score([[1]], [[1]])
    assert evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "nDCG").values.item() == 1
