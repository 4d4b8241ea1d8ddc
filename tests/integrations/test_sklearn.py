"""The scorer inside the real scikit-learn: groups travel by metadata routing, numbers are those of `score`."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from conftest import missing
from integrations.lists import ranked_lists
from rankgauge import Policy, score
from rankgauge.errors import DataError, MeasureError, UsageError

try:
    import sklearn as library
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.linear_model import Ridge
    from sklearn.metrics import ndcg_score
    from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate

    from rankgauge.integrations import sklearn
except ImportError:
    library = None


@pytest.fixture(autouse=True)
def routing():
    if library is None:
        missing("scikit-learn is not installed")
    with library.config_context(enable_metadata_routing=True):
        yield


def fixed(predictions):
    """A model that predicts what it is told to."""

    class Fixed(RegressorMixin, BaseEstimator):
        def predict(self, X):
            return predictions

    return Fixed()


@pytest.fixture
def data():
    return ranked_lists(sizes=[9] * 24)


def test_cross_validation_has_the_bits_of_score(data):
    scoring = {"ndcg": sklearn("nDCG@5", policy=Policy(ties="worst")), "ap": sklearn("AP(rel=3)")}
    found = cross_validate(
        Ridge(),
        data.features,
        data.grades,
        cv=GroupKFold(4),
        scoring=scoring,
        params={"groups": data.groups},
        return_estimator=True,
        return_indices=True,
    )
    for at, (model, test) in enumerate(zip(found["estimator"], found["indices"]["test"], strict=True)):
        columns = data.grades[test], model.predict(data.features[test]), data.groups[test]
        assert found["test_ndcg"][at] == score("nDCG@5", *columns, policy=Policy(ties="worst"))
        assert found["test_ap"][at] == score("AP(rel=3)", *columns)


def test_a_grid_search_picks_by_the_measure(data):
    search = GridSearchCV(Ridge(), {"alpha": [0.1, 1e6]}, scoring=sklearn("nDCG@5"), cv=GroupKFold(3))
    search.fit(data.features, data.grades, groups=data.groups)
    best = search.best_estimator_.predict(data.features)
    assert search.score(data.features, data.grades, groups=data.groups) == score(
        "nDCG@5", data.grades, best, data.groups
    )


def test_like_sklearn_is_ndcg_score(data):
    scorer = sklearn("nDCG@5", like="sklearn")
    predicted = data.features[:, 0].round(0)
    rows = (24, 9)
    theirs = ndcg_score(data.grades.reshape(rows), predicted.reshape(rows), k=5)
    ours = scorer(fixed(predicted), data.features, data.grades, groups=data.groups)
    assert ours == pytest.approx(theirs, abs=1e-14)


def test_a_scorer_travels_to_other_processes(data):
    model = Ridge().fit(data.features, data.grades)
    scorer = sklearn("RR(rel=4)", policy=Policy(undefined="drop"))
    there = pickle.loads(pickle.dumps(scorer))  # noqa: S301 - our own bytes
    given = model, data.features, data.grades
    assert there(*given, groups=data.groups) == scorer(*given, groups=data.groups)


def test_wrong_use_is_reported_under_scikit_learn_s_names(data):
    model = Ridge().fit(data.features, data.grades)
    scorer = sklearn("nDCG@5")
    with pytest.raises(UsageError, match=r"no groups.*\n.*params=\{'groups'"):
        scorer(model, data.features, data.grades)
    with pytest.raises(DataError, match="scikit-learn's groups has 3 entries and y 216"):
        scorer(model, data.features, data.grades, groups=[1, 2, 3])
    model = fixed(np.full(len(data.grades), np.nan))
    with pytest.raises(DataError, match="scikit-learn's y_pred: 216 of 216 values are not finite"):
        scorer(model, data.features, data.grades, groups=data.groups)
    with pytest.raises(MeasureError, match="nDCH"):
        sklearn("nDCH@5")
    with library.config_context(enable_metadata_routing=False), pytest.raises(UsageError, match="set_config"):
        sklearn("nDCG@5")
