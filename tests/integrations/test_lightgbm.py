"""The metric inside the real LightGBM: the numbers of `score`, and LightGBM's own where the conventions are its own."""

from __future__ import annotations

import math

import numpy as np
import pytest

from conftest import missing
from integrations.lists import ranked_lists
from rankgauge import Policy, score
from rankgauge.errors import DataError, MeasureError, UsageError
from rankgauge.integrations import lightgbm

try:
    import lightgbm as lgb
except ImportError:
    lgb = None

PARAMS = {
    "objective": "lambdarank",
    "verbose": -1,
    "metric": "None",
    "min_data_in_leaf": 1,
    "num_threads": 1,
    "seed": 1,
}


@pytest.fixture(autouse=True)
def library():
    if lgb is None:
        missing("LightGBM is not installed")


@pytest.fixture(params=[None, [12] * 9], ids=["lists of many lengths", "lists of one length"])
def data(request):
    return ranked_lists(request.param)


def dataset(data):
    return lgb.Dataset(data.features, data.grades, group=data.sizes, free_raw_data=False)


def trained(data, feval, rounds=4, **settings):
    found = {}
    booster = lgb.train(
        PARAMS | settings,
        dataset(data),
        rounds,
        valid_sets=[dataset(data)],
        valid_names=["valid"],
        feval=feval,
        callbacks=[lgb.record_evaluation(found)],
    )
    return booster, found["valid"]


@pytest.mark.parametrize("policy", [None, Policy(ties="worst"), Policy(ties="order", undefined="drop")])
def test_every_round_has_the_bits_of_score(data, policy):
    measures = ["nDCG@10", "AP(rel=2)", "RR", "rankDCG"]
    booster, found = trained(data, lightgbm(measures, policy=policy))
    assert list(found) == measures
    for at in range(4):
        predicted = booster.predict(data.features, num_iteration=at + 1)
        for name in measures:
            assert found[name][at] == score(name, data.grades, predicted, data.groups, policy=policy)


def test_cross_validation_gets_the_lists_of_each_fold(data):
    found = lgb.cv(PARAMS, dataset(data), 2, nfold=3, stratified=False, feval=lightgbm("nDCG@5"), return_cvbooster=True)
    folds = _folds(data, 3)
    means = []
    for booster, test in zip(found["cvbooster"].boosters, folds, strict=True):
        rows = np.isin(data.groups, test)
        means.append(score("nDCG@5", data.grades[rows], booster.predict(data.features[rows]), data.groups[rows]))
    assert found["valid nDCG@5-mean"][-1] == np.mean(means)


def _folds(data, count):
    """LightGBM's own folds of whole lists."""
    from sklearn.model_selection import GroupKFold

    splits = GroupKFold(n_splits=count).split(np.empty(len(data.grades)), groups=data.groups)
    return [np.unique(data.groups[test]) for _, test in splits]


def test_the_ranker_class_calls_the_same_metric(data):
    ranker = lgb.LGBMRanker(n_estimators=3, min_child_samples=1, verbose=-1, n_jobs=1)
    ranker.fit(
        data.features,
        data.grades,
        group=data.sizes,
        eval_X=data.features,
        eval_y=data.grades,
        eval_group=[data.sizes],
        eval_metric=lightgbm("nDCG@10 RR"),
    )
    predicted = ranker.predict(data.features)
    for name in ("nDCG@10", "RR"):
        value = score(name, data.grades, predicted, data.groups)
        assert next(iter(ranker.evals_result_.values()))[name][-1] == value


def test_early_stopping_stops_on_the_measure(data):
    other = ranked_lists(data.sizes, seed=9)
    found = {}
    booster = lgb.train(
        PARAMS,
        dataset(data),
        60,
        valid_sets=[dataset(other)],
        feval=lightgbm("nDCG@10", policy=Policy(ties="worst")),
        callbacks=[lgb.early_stopping(5, verbose=False), lgb.record_evaluation(found)],
    )
    history = found["valid_0"]["nDCG@10"]
    assert booster.best_iteration == 1 + int(np.argmax(history)) < 60


@pytest.mark.parametrize("rounds", [1, 40], ids=["ties", "no ties"])
def test_lightgbm_s_own_ndcg(rounds):
    """On lists without ties, the preset gives the library's number; so it does with ties, in the order of the rows.

    There, the order of the rows decides: the mean over the orders of tied documents is another number.
    """
    data = ranked_lists(seed=5)
    metric = lightgbm("nDCG@1 nDCG@3 nDCG@10", like="lightgbm")
    booster, found = trained(data, metric, rounds, metric="ndcg", eval_at=[1, 3, 10])
    predicted = booster.predict(data.features)
    tied = any(len(set(part)) < len(part) for part in np.split(predicted, np.cumsum(data.sizes)[:-1]))
    assert tied == (rounds == 1)
    for cutoff in (1, 3, 10):
        assert found[f"nDCG@{cutoff}"] == pytest.approx(found[f"ndcg@{cutoff}"], abs=1e-14)
    averaged = score("nDCG@10", data.grades, predicted, data.groups, like="lightgbm", policy=Policy(ties="mean"))
    assert (averaged == pytest.approx(found["ndcg@10"][-1], abs=1e-14)) != tied


def test_gains_for_the_objective_are_those_of_the_measure():
    assert lightgbm("AP nDCG(gain=levels(1, 5, 9))@10").label_gain(3) == [0.0, 1.0, 5.0, 9.0]
    assert lightgbm("nDCG(gain=exp)@10").label_gain(30) == [2.0**grade - 1 for grade in range(31)]
    with pytest.raises(UsageError, match="label_gain needs a measure with a gain"):
        lightgbm("AP").label_gain()


def test_less_is_better_where_it_is():
    (one,) = lightgbm("RBPResidual")([1, 0], [0.5, 0.1], None, [2])
    assert one[2] is False


def test_wrong_use_is_reported_under_lightgbm_s_names(data):
    metric = lightgbm("nDCG@10")
    plain = lgb.Dataset(data.features, data.grades).construct()
    with pytest.raises(UsageError, match=r"no group.*\n.*Dataset\(X, label=…, group=…\)"):
        metric(data.features[:, 0], plain)
    with pytest.raises(UsageError, match=r"no group.*\n.*eval_group"):
        metric(data.grades, data.features[:, 0], None, None)
    with pytest.raises(DataError, match=r"LightGBM's preds: 1 of .* are not finite"):
        metric(np.where(np.arange(len(data.grades)) == 4, math.nan, 1.0), dataset(data).construct())
    with pytest.raises(DataError, match="LightGBM's preds has 3 items and LightGBM's label"):
        metric(np.ones(3), dataset(data).construct())
    with pytest.raises(DataError, match="LightGBM's group adds up to 3 items and LightGBM's y_pred has 4"):
        metric(np.ones(4), np.ones(4), None, [1, 2])
    with pytest.raises(DataError, match="LightGBM's preds has shape"):
        metric(np.ones((len(data.grades), 2)), dataset(data).construct())
    with pytest.raises(MeasureError, match="nDCH"):
        lightgbm("nDCH@10")


@pytest.mark.parametrize("sizes", ["one length", "many lengths"])
@pytest.mark.parametrize("ties", ["mean", "worst", "best", "order"])
def test_large_data_with_ties_and_fractional_gains_have_the_bits_of_score(sizes, ties):
    """Several blocks on several threads, round after round, beside one call of `score` on the lists in another order."""
    rng = np.random.default_rng(11)
    lengths = np.full(2_500, 100) if sizes == "one length" else rng.integers(1, 200, 2_500)
    labels = rng.choice([0, 0, 0.1, 1 / 3, 0.7, 1, 2.3], lengths.sum())
    groups = np.repeat(np.arange(len(lengths)), lengths)
    mixed = np.argsort(rng.permutation(len(lengths))[groups], kind="stable")
    measures = ["nDCG@10", "nDCG(gain=exp, discount=zipf)@3", "nDCG", "RR@10"]
    metric = lightgbm(measures, policy=Policy(ties=ties))
    for digits in (1, 2, 17):
        predicted = rng.normal(size=len(labels)).round(digits)
        found = metric(labels, predicted, None, lengths)
        for name, mean, _ in found:
            assert mean == score(name, labels[mixed], predicted[mixed], groups[mixed], policy=Policy(ties=ties)), name
