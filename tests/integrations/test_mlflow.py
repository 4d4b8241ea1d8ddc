"""Scores in a real MLflow store on disk."""

from __future__ import annotations

import json

import numpy as np
import pytest

from conftest import missing
from rankgauge import Policy, Scores, evaluate, measures, read_scores
from rankgauge.errors import UsageError

try:
    import mlflow

    from rankgauge.integrations import log_scores
except ImportError:
    mlflow = None

# MLflow's own call of pandas 3, in log_table.
pytestmark = pytest.mark.filterwarnings("ignore:For backward compatibility, 'str' dtypes")

JUDGED = {f"q{n}": {"a": 2, "b": 0, "c": n % 3} for n in range(12)}
RUNS = {
    "first": {f"q{n}": {"a": 3.0 - n % 4, "b": 1.0, "c": 1.0} for n in range(12)},
    "näme/2": {f"q{n}": {"c": 2.0, "a": 1.0} for n in range(12)},
}


@pytest.fixture
def store(tmp_path, monkeypatch):
    """MLflow's store of files, which it wants to be asked for by name; no run outlives the test."""
    if mlflow is None:
        missing("MLflow is not installed")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "store").as_uri())
    yield tmp_path
    mlflow.set_tracking_uri(before)


def logged(*given, **settings):
    with mlflow.start_run() as run:
        log_scores(*given, **settings)
    return mlflow.get_run(run.info.run_id)


def downloaded(run, name):
    return mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path=f"rankgauge/{name}")


def test_means_and_intervals_are_metrics_with_our_bits(store):
    scores = evaluate(JUDGED, RUNS["first"], "nDCG(gain=exp)@10 RR", policy=Policy(ties="mean"))
    found = logged(scores).data.metrics
    expected = scores.intervals()["run"]["nDCG(gain=exp)@10"]
    assert found["nDCG_gain_exp_at_10"] == scores.mean()["run"]["nDCG(gain=exp)@10"]
    assert (found["nDCG_gain_exp_at_10_low"], found["nDCG_gain_exp_at_10_high"]) == (expected.low, expected.high)
    assert found["RR"] == scores.mean()["run"]["RR"]
    assert len(found) == 6


def test_several_systems_have_their_name_before_the_measure(store):
    found = logged(evaluate(JUDGED, RUNS, "nDCG@10"), page=False, step=3).data.metrics
    assert {"first/nDCG_at_10", "n_me/2/nDCG_at_10", "first/nDCG_at_10_low"} <= set(found)


def test_the_artifacts_are_the_table_the_scores_and_the_page(store):
    scores = evaluate(JUDGED, RUNS, "nDCG@10 AP")
    run = logged(scores)
    names = {item.path for item in mlflow.artifacts.list_artifacts(run_id=run.info.run_id, artifact_path="rankgauge")}
    assert names == {f"rankgauge/{name}" for name in ("per_query.json", "scores.parquet", "scores.json", "report.html")}
    back = read_scores(downloaded(run, "scores.parquet"))
    np.testing.assert_array_equal(back.values, scores.values)
    table = mlflow.load_table("rankgauge/per_query.json", run_ids=[run.info.run_id])
    assert list(table.columns) == ["system", "query", "nDCG@10", "AP"]
    assert len(table) == 24
    with open(downloaded(run, "scores.json")) as file:  # noqa: PTH123 - a path as text
        assert json.load(file) == scores.to_dict()
    with open(downloaded(run, "report.html")) as file:  # noqa: PTH123
        assert "first" in file.read()


def test_what_cannot_be_logged_leaves_the_run_empty(store):
    clash = Scores.from_matrix([[0.1, 0.2], [0.3, 0.4]], systems=["a:b", "a=b"], rows="systems")
    own = evaluate(JUDGED, RUNS, [measures.define("Top", lambda ranked, judged: 1.0)])
    for scores, text in ((clash, "two metrics would be called 'a_b/score'"), (own, "is a Python function")):
        with mlflow.start_run() as run, pytest.raises(UsageError, match=text):
            log_scores(scores)
        assert mlflow.get_run(run.info.run_id).data.metrics == {}
        assert mlflow.artifacts.list_artifacts(run_id=run.info.run_id) == []


def test_an_undefined_mean_is_left_out(store):
    scores = Scores.from_matrix([[np.nan, np.nan]], rows="systems")
    assert logged(scores, page=False).data.metrics == {}
