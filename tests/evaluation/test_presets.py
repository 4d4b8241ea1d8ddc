from __future__ import annotations

import math

import pytest

from rankgauge import Policy, evaluate
from rankgauge.evaluation.presets import PRESETS

# MATHS 0.4: judgments, a run, and what gdeval's program says of them.
JUDGED = {"q0": {"D0": 0, "D1": 1, "D2": 1, "D3": 2, "D4": 0}, "q1": {"D0": 1, "D3": 2, "D5": 2}}
RUN = {
    "q0": {"D0": 0.8, "D2": 0.7, "D3": 0.4, "D1": 0.3, "D4": 0.1},
    "q1": {"D1": 0.8, "D3": 0.7, "D2": 0.4, "D4": 0.3},
}


def names(like, measures):
    return [str(measure) for measure in evaluate(JUDGED, RUN, measures, like=like).measures]


@pytest.mark.parametrize(
    ("measure", "first", "second"),
    [
        ("nDCG@20", 0.62010, 0.35099),
        ("nDCG@2", 0.17377, 0.38685),
        ("ERR@20", 0.10175, 0.09375),
        ("ERR@2", 0.03125, 0.09375),
    ],
)
def test_gdeval_has_exponential_gain_and_grades_up_to_4(measure, first, second):
    values = evaluate(JUDGED, RUN, measure, like="gdeval").matrix(
        {"nDCG": "nDCG(gain=exp)", "ERR": "ERR(max=4)"}[measure[:-2].rstrip("@")] + measure[measure.index("@") :]
    )
    assert values[0].tolist() == pytest.approx([first, second], abs=5e-6)


def test_gdeval_leaves_out_queries_without_a_relevant_document_or_an_answer():
    judged = JUDGED | {"barren": {"D0": 0, "D1": -2}, "absent": {"D0": 1}}
    scores = evaluate(judged, RUN | {"barren": {"D0": 1.0}}, "nDCG@5 ERR@5", like="gdeval")
    assert scores.means().counts.tolist() == [[2, 2]]


def test_each_version_of_trec_eval_rounds_its_own_way():
    assert names("trec_eval-9", "IPrec@0.1 IAP Rprec") == [
        "IPrec(rounding=trec)@0.1",
        "IAP(rounding=trec)",
        "Rprec(rounding=trec)",
    ]
    assert names("trec_eval-10", "IPrec@0.1 IAP Rprec") == [
        "IPrec(rounding=nearest)@0.1",
        "IAP(rounding=nearest)",
        "Rprec(rounding=trec)",
    ]


def test_rank_biased_precision_came_with_trec_eval_10():
    assert not [name for name in names("trec_eval-9", "all_trec") if name.startswith(("RBP", "Unjudged"))]
    assert names("trec_eval-10", "RBP RBPResidual RBP(p=0.5)") == [
        "RBP(p=0.9, max=query)",
        "RBPResidual(p=0.9)",
        "RBP(p=0.5, max=query)",
    ]


def test_options_given_explicitly_stay():
    assert names("gdeval", "nDCG(gain=linear)@5 nDCG(gain=power(2))@5 ERR(max=2)@5") == [
        "nDCG@5",
        "nDCG(gain=power(2))@5",
        "ERR(max=2)@5",
    ]


def test_sklearn_averages_over_ties():
    policy = PRESETS["sklearn"].policy
    assert (policy.ties, policy.missing, policy.undefined, policy.pool) == ("mean", "drop", "zero", "returned")


def test_a_default_threshold_leaves_graded_rank_biased_precision_alone():
    scores = evaluate(JUDGED, RUN, "RBP RBP(rel=1) AP", policy=Policy(rel=2))
    assert [str(measure) for measure in scores.measures] == ["RBP", "RBP(rel=1)", "AP(rel=2)"]


def test_geometric_means_take_nothing_below_a_floor():
    judged = {"a": {"d": 1}, "b": {"d": 1}, "c": {"d": 1}}
    run = {"a": {"d": 1.0}, "b": {"x": 2.0, "d": 1.0}, "c": {"x": 1.0}}
    scores = evaluate(judged, run, "GMAP GMBpref")
    assert scores.mean()["run"]["GMAP"] == pytest.approx((1 * 0.5 * 1e-5) ** (1 / 3))
    assert scores.per_query()["run"]["b"]["GMAP"] == 0.5
    assert "geometric mean over queries: GMAP, GMBpref" in str(scores)


def test_counts_are_summed_and_shown_as_whole_numbers():
    scores = evaluate(JUDGED | {"q2": {"D0": 3}}, RUN, "NumRel NumRelRet NumQ NumRet")
    assert scores.mean()["run"] == {"NumRel": 7, "NumRelRet": 4, "NumQ": 3, "NumRet": 9}
    assert "summed over queries: NumRel, NumRelRet, NumQ, NumRet" in str(scores)
    assert scores.table().columns[1].decimals == 0
    dropped = evaluate(JUDGED | {"q2": {"D0": 3}}, RUN, "NumRel NumQ", policy=Policy(missing="drop"))
    assert dropped.mean()["run"] == {"NumRel": 6, "NumQ": 2}


def test_an_empty_geometric_mean_is_undefined():
    scores = evaluate({"a": {"d": 0}}, {"a": {"d": 1.0}}, "GMAP", policy=Policy(undefined="drop"))
    assert math.isnan(scores.mean()["run"]["GMAP"])
