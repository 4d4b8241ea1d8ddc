"""The metric inside the real XGBoost: the numbers of `score`, and XGBoost's own where the conventions are its own."""

from __future__ import annotations

import math

import numpy as np
import pytest

from conftest import missing
from integrations.lists import ranked_lists
from rankgauge import Policy, score
from rankgauge.errors import DataError, UsageError
from rankgauge.integrations import xgboost

try:
    import xgboost as xgb
except ImportError:
    xgb = None

PARAMS = {"objective": "rank:ndcg", "nthread": 1, "seed": 1, "disable_default_eval_metric": True}


@pytest.fixture(autouse=True)
def library():
    if xgb is None:
        missing("XGBoost is not installed")


@pytest.fixture(params=[None, [12] * 9], ids=["lists of many lengths", "lists of one length"])
def data(request):
    return ranked_lists(request.param)


def matrix(data):
    return xgb.DMatrix(data.features, data.grades, qid=data.groups)


def trained(data, metric, rounds=4, **settings):
    found, rows = {}, matrix(data)
    booster = xgb.train(
        PARAMS | settings,
        rows,
        rounds,
        evals=[(rows, "valid")],
        custom_metric=metric,
        evals_result=found,
        verbose_eval=False,
    )
    return booster, found["valid"]


@pytest.mark.parametrize("policy", [None, Policy(ties="worst"), Policy(ties="order", undefined="drop")])
def test_values_have_the_bits_of_score_and_six_decimals_in_the_history(data, policy):
    """XGBoost keeps what a metric of ours returns as text with six decimals."""
    measures, returned = ["nDCG@10", "AP(rel=2)", "RR", "rankDCG"], []
    metric = xgboost(measures, policy=policy)

    def seen(predt, dtrain):
        returned.append(metric(predt, dtrain))
        return returned[-1]

    booster, found = trained(data, seen)
    assert list(found) == measures
    for at in range(4):
        predicted = booster.predict(matrix(data), iteration_range=(0, at + 1))
        for name, value in returned[at]:
            assert value == score(name, data.grades, predicted, data.groups, policy=policy)
            assert found[name][at] == pytest.approx(value, abs=5.01e-7)


def test_cross_validation_gets_the_lists_of_each_fold(data):
    found = xgb.cv(PARAMS, matrix(data), 3, nfold=3, custom_metric=xgboost("nDCG@5"), as_pandas=False, shuffle=False)
    assert len(found["test-nDCG@5-mean"]) == 3
    assert 0.3 < found["test-nDCG@5-mean"][-1] < 1


def test_names_survive_xgboost_s_text(data):
    _, found = trained(data, xgboost("nDCG(discount=steps(1:1, 4:0.5))@10 nDCG(gain=levels(1, 2, 3, 4))@10"), 1)
    assert list(found) == ["nDCG(discount=steps(1=1,4=0.5))@10", "nDCG(gain=levels(1,2,3,4))@10"]


def test_early_stopping_stops_on_the_measure(data):
    rows, other = matrix(data), matrix(ranked_lists(data.sizes, seed=9))
    found = {}
    booster = xgb.train(
        PARAMS,
        rows,
        60,
        evals=[(other, "valid")],
        custom_metric=xgboost("nDCG@10"),
        evals_result=found,
        callbacks=[xgb.callback.EarlyStopping(rounds=5, maximize=True)],
        verbose_eval=False,
    )
    assert booster.best_iteration == int(np.argmax(found["valid"]["nDCG@10"])) < 60


@pytest.mark.parametrize("rounds", [1, 60], ids=["ties", "no ties"])
def test_xgboost_s_own_ndcg(rounds):
    """On lists without ties, the preset gives the library's number; so it does with ties, in the order of the rows.

    There, the order of the rows decides: the mean over the orders of tied documents is another number.
    """
    data = ranked_lists(seed=5)
    booster, found = trained(data, None, rounds, eval_metric=["ndcg@1", "ndcg@3", "ndcg@10", "ndcg@10-"])
    predicted = booster.predict(matrix(data))
    tied = any(len(set(part)) < len(part) for part in np.split(predicted, np.cumsum(data.sizes)[:-1]))
    assert tied == (rounds == 1)
    ours = dict(xgboost("nDCG@1 nDCG@3 nDCG@10", like="xgboost")(predicted, matrix(data)))
    for name, value in ours.items():
        assert value == pytest.approx(found[name.lower()][-1], abs=1e-14)
    ((_, minus),) = xgboost("nDCG@10", like="xgboost-minus")(predicted, matrix(data))
    assert minus == pytest.approx(found["ndcg@10-"][-1], abs=1e-14)
    averaged = score("nDCG@10", data.grades, predicted, data.groups, like="xgboost", policy=Policy(ties="mean"))
    assert (averaged == pytest.approx(found["ndcg@10"][-1], abs=1e-14)) != tied


def test_the_ranker_class_would_call_it_with_one_list_at_a_time():
    """XGBRanker gives a metric the documents of one query and averages, weighted by the number of documents."""
    data = ranked_lists([1, 9])
    ranker = xgb.XGBRanker(n_estimators=1, eval_metric=xgboost("nDCG@10"), n_jobs=1)
    with pytest.raises(UsageError, match=r"(?s)XGBRanker\(eval_metric=…\).*custom_metric"):
        ranker.fit(
            data.features, data.grades, qid=data.groups, eval_set=[(data.features, data.grades)], eval_qid=[data.groups]
        )


def test_wrong_use_is_reported_under_xgboost_s_names(data):
    metric, rows = xgboost("nDCG@10"), matrix(data)
    count = len(data.grades)
    with pytest.raises(UsageError, match=r"no groups.*\n.*qid="):
        metric(np.ones(count), xgb.DMatrix(data.features, data.grades))
    with pytest.raises(DataError, match=r"XGBoost's predt: 1 of .* are not finite"):
        metric(np.where(np.arange(count) == 4, math.nan, 1.0), rows)
    with pytest.raises(DataError, match="XGBoost's predt has 3 items and XGBoost's label"):
        metric(np.ones(3), rows)
