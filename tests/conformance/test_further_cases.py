"""What tools printed for cases that are not in the suite, each of which a preset once had otherwise."""

from __future__ import annotations

import pytest

from rankgauge import evaluate


def lists(**grades):
    """Judgments and a run that returns these grades in this order; None has no judgment."""
    judged = {
        query: {f"{query}{at}": float(grade) for at, grade in enumerate(of) if grade is not None}
        for query, of in grades.items()
    }
    return judged, {query: {f"{query}{at}": float(-at) for at in range(len(of))} for query, of in grades.items()}


BELOW_0 = lists(q1=[0, None, -2, 2], q2=[None, -1, 0, None, 0, 1, 0, -2], q3=[-1, 0, -2])
"""The best order of q3 has a DCG below 0."""
ONLY_BELOW_0 = lists(q1=[-1, -2], q2=[0, 1])
ADD_UP_TO_0 = lists(q1=[1, -1], q2=[0, 2, 1])
BEST_IS_0 = lists(q1=[0, -1, -1], q2=[2, 1, 0])
FRACTIONS = lists(q1=[0.5, 0.999, 1.5, None, 2.0])
FRACTIONS[0]["q1"]["absent"] = 1.0


@pytest.mark.parametrize(
    ("like", "measure", "data", "printed"),
    [
        ("catboost", "nDCG", BELOW_0, -8.154657861147902),
        ("catboost-exp", "nDCG", BELOW_0, 0.33811540370407583),
        ("catboost-position", "nDCG", BELOW_0, -0.023965141612200425),
        ("xgboost-linear", "nDCG", BELOW_0, -8.154657861147902),
        ("haystack", "nDCG@3", ONLY_BELOW_0, 0.31546487678572877),
        ("pyvespa", "nDCG@3", ONLY_BELOW_0, 0.31546487678572877),
        ("recommenders-raw", "nDCG@3", ONLY_BELOW_0, 0.8154648767857288),
        ("catboost", "nDCG@4", FRACTIONS, 0.5135698479630829),
        ("catboost-exp", "nDCG@4", FRACTIONS, 0.4053731282581724),
        ("catboost-position", "nDCG@4", FRACTIONS, 0.46742518841375635),
        ("xgboost-linear", "nDCG@4", FRACTIONS, 0.513569847963083),
        ("ignite", "Success@1", lists(q1=[0.5, 0, 1]), 1.0),
        ("ignite-linear", "Success@1", lists(q1=[0.5, 0, 1]), 1.0),
        ("ignite", "nDCG@1", lists(q1=[0.5, 0, 1]), 0.0),
    ],
)
def test_a_preset_gives_what_its_tool_printed(like, measure, data, printed):
    (found,) = evaluate(*data, measure, like=like).mean()["run"].values()
    assert found == pytest.approx(printed, abs=1e-12, rel=0)


@pytest.mark.parametrize(
    ("like", "measure", "data", "printed"),
    [
        ("torchmetrics", "nDCG", ADD_UP_TO_0, 0.33483588695526123),
        ("torchmetrics-skip", "nDCG", ADD_UP_TO_0, 0.6696717739105225),
        ("torchmetrics-pos", "nDCG", ADD_UP_TO_0, 0.8348358869552612),
        ("torchmetrics-pos", "nDCG@1", ADD_UP_TO_0, 0.5),
        ("torchmetrics-skip", "nDCG@1", BEST_IS_0, 0.5),
        ("torchmetrics-pos", "nDCG@1", BEST_IS_0, 0.5),
    ],
)
def test_a_preset_gives_what_its_tool_printed_in_single_precision(like, measure, data, printed):
    (found,) = evaluate(*data, measure, like=like).mean()["run"].values()
    assert found == pytest.approx(printed, abs=3e-7, rel=0)


@pytest.mark.parametrize("like", ["mlflow", "rs_metrics"])
def test_recall_counts_a_document_that_repeats_once(like):
    rows = [("q1", "a", 3.0), ("q1", "a", 2.0), ("q1", "b", 1.0)]
    for measure, printed in (("R@2", 0.5), ("R@3", 1.0)):
        (found,) = evaluate({"q1": {"a": 1, "b": 1}}, rows, measure, like=like).mean()["run"].values()
        assert found == printed
