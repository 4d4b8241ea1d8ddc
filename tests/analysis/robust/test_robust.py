from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from rankgauge import Policy, Run
from rankgauge.errors import AnalysisError, UsageError

TOY = {"q1": {"a": 1}, "q2": {"a": 1, "b": 1}}
TOY_RUNS = {
    "A": {"q1": {"x": 2.0, "a": 1.0}, "q2": {"a": 2.0, "x": 1.0}},
    "B": {"q1": {"a": 2.0, "x": 1.0}, "q2": {"x": 2.0, "a": 1.0}},
}


def test_corners_tie_in_the_toy_and_log2_does_not():
    found = rankgauge.robust(TOY, TOY_RUNS, "nDCG@2")
    assert {name: round(mean, 4) for name, mean in found.means.items()} == {"A": 0.6220, "B": 0.6934}
    assert np.abs(found.corners("B", "A").differences).max() <= 1e-15
    # B is level at every corner and ahead between them.
    assert (found.pairs[0].verdict, found.pairs[0].winner) == ("robust", "B")


ONE_QUERY = {"q": {"a": 2, "b": 1, "c": 1}}
ONE_QUERY_RUNS = {
    name: {"q": dict(zip(order, (3.0, 2.0, 1.0), strict=True))}
    for name, order in {"ahead": "abx", "behind": "bxa", "other": "bcx", "late": "xac"}.items()
}


def test_one_query_is_decided_by_its_corners():
    runs = {name: run for name, run in ONE_QUERY_RUNS.items() if name != "late"}
    found = rankgauge.robust(ONE_QUERY, runs, "nDCG@3", all_pairs=True)
    assert (found.pair("behind", "ahead").verdict, found.pair("behind", "ahead").winner) == ("robust", "ahead")
    pair = found.pair("other", "behind")
    assert pair.verdict == "depends"
    assert found.counts == {"robust": 2, "depends": 1, "open": 0, "equal": 0}


@pytest.mark.parametrize(
    ("measure", "cells"),
    [
        ("nDCG@3", ["up to power(0.3)", "from power(2) on", "up to power(0.8)"]),
        ("nDCG(gain=exp)@3", ["under @2", "from rbp(0.7) on", "up to power(0.8)"]),
        # Where the measure itself sees no difference, the winner needs its name.
        (
            "nDCG(gain=exp, discount=none)@3",
            ["under @2", "from rbp(0.99) on: late", "under power(0.5), rbp(0.8)"],
        ),
    ],
)
def test_a_table_names_what_differs_from_the_measure(measure, cells):
    found = rankgauge.robust(ONE_QUERY, ONE_QUERY_RUNS, measure, all_pairs=True, samples=0)
    assert [row[-1] for row in found.table().rows] == ["ahead"] * 3 + cells


def test_systems_that_trade_like_queries_are_equal():
    judged = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1, "b": 1}}
    one = {"q1": {"a": 2.0, "x": 1.0}, "q2": {"x": 2.0, "a": 1.0}}
    other = {"q1": {"x": 2.0, "a": 1.0}, "q2": {"a": 2.0, "x": 1.0}}
    found = rankgauge.robust(judged, {"one": one, "other": other}, "nDCG@2")
    assert (found.pairs[0].verdict, found.pairs[0].winner, found.pairs[0].witness) == ("equal", None, None)


def test_negative_grades_count_as_zero():
    judged = {"q1": {"a": 1, "b": -2, "c": 2}, "q2": {"a": -1, "b": 1}}
    zeros = {query: {name: max(0, value) for name, value in row.items()} for query, row in judged.items()}
    runs = {
        "x": {"q1": {"b": 3.0, "a": 2.0, "c": 1.0}, "q2": {"b": 2.0, "a": 1.0}},
        "y": {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"a": 2.0, "b": 1.0}},
    }
    found, expected = (rankgauge.robust(rows, runs, "nDCG@3") for rows in (judged, zeros))
    assert found.pairs == expected.pairs
    assert found.thresholds == (1.0, 2.0)


def tied(seed):
    draw = np.random.default_rng(seed)
    judged = {f"q{q}": {f"d{d}": int(draw.integers(0, 3)) for d in range(6)} for q in range(5)}
    runs = [
        Run({q: {d: float(draw.integers(0, 3)) for d in row} for q, row in judged.items()}, name=name)
        for name in ("x", "y")
    ]
    return judged, runs


@pytest.mark.parametrize("ties", ["document", "mean", "worst", "best", "order"])
@pytest.mark.parametrize("seed", range(3))
def test_every_rule_for_ties(ties, seed):
    judged, runs = tied(seed)
    policy = Policy(ties=ties)
    found = rankgauge.robust(judged, runs, "nDCG@3", policy=policy)
    pair = found.pairs[0]
    others = ["nDCG@3", "nDCG(gain=exp)@3", "nDCG(discount=zipf)@2", "nDCG(discount=none, gain=power(4))@3", "nDCG@1"]
    means = rankgauge.evaluate(judged, runs, [*others, *([pair.witness] if pair.witness else [])], policy=policy).mean()
    differences = {name: means["y"][name] - means["x"][name] for name in means["x"]}
    assert pair.difference == pytest.approx(differences["nDCG@3"], abs=1e-15)
    if pair.verdict == "robust":
        sign = 1 if pair.winner == "y" else -1
        assert min(sign * value for value in differences.values()) >= -1e-12
    elif pair.verdict == "depends":
        assert differences[pair.witness] == pytest.approx(pair.witness_difference, abs=1e-15)
        assert differences[pair.witness] * differences["nDCG@3"] < 0


def test_corners_are_ordinary_measures():
    judged, runs = tied(3)
    found = rankgauge.robust(judged, runs, "nDCG@3", over="discount").corners("y", "x")
    means = rankgauge.evaluate(judged, runs, [f"nDCG(discount=none)@{k}" for k in (1, 2, 3)]).mean()
    expected = [means["y"][name] - means["x"][name] for name in means["x"]]
    assert [row[0] for row in found.differences] == pytest.approx(expected, abs=1e-15)


def test_weights_and_missing_queries_follow_the_policy():
    judged = {"q1": {"a": 1}, "q2": {"a": 1}}
    runs = {"x": {"q1": {"a": 1.0}}, "y": {"q1": {"b": 1.0}, "q2": {"a": 1.0}}}
    light = rankgauge.robust(judged, runs, "nDCG@1", weights={"q1": 3.0, "q2": 1.0}).pairs[0]
    heavy = rankgauge.robust(judged, runs, "nDCG@1", weights={"q1": 1.0, "q2": 3.0}).pairs[0]
    assert (light.winner, heavy.winner) == ("x", "y")
    assert light.difference == -0.5
    assert rankgauge.robust(judged, runs, "nDCG@1").pairs[0].verdict == "equal"
    dropped = rankgauge.robust(judged, runs, "nDCG@1", policy=Policy(missing="drop"))
    assert dropped.pairs[0].winner == "x"
    assert any("left out for all" in note for note in dropped.remarks())


def test_p_values_are_those_of_the_paired_t_test_of_compare():
    made = rankgauge.simulate(systems=3, queries=20, seed=7)
    judged, runs = made.judgments(), made.runs()
    queries = rankgauge.evaluate(judged, runs, "nDCG@5").queries
    for weights in (None, {query: 1.0 + at % 5 for at, query in enumerate(queries)}):
        found = rankgauge.robust(judged, runs, "nDCG@5", weights=weights, samples=0)
        same = rankgauge.compare(rankgauge.evaluate(judged, runs, "nDCG@5", weights=weights), test="t").parts[0]
        assert [pair.p for pair in found.pairs] == pytest.approx([pair.p for pair in same.pairs], rel=1e-9)


def test_queries_without_relevant_documents_change_nothing_but_the_mean():
    judged = {**TOY, "q3": {"a": 0}}
    zero = rankgauge.robust(judged, TOY_RUNS, "nDCG@2").pairs[0]
    drop = rankgauge.robust(judged, TOY_RUNS, "nDCG@2", policy=Policy(undefined="drop")).pairs[0]
    assert (zero.verdict, zero.winner) == (drop.verdict, drop.winner) == ("robust", "B")
    assert zero.difference == pytest.approx(drop.difference * 2 / 3)


@pytest.mark.parametrize(
    ("measure", "over", "words"),
    [
        ("AP", "both", "no gain and discount"),
        ("RBP@10", "both", "DCG"),
        ("nDCG", "both", "no cutoff"),
        ("nDCG(discount=weights(1, 2))@2", "both", "rises"),
        ("nDCG(gain=levels(0, 1))@2", "both", "0 for a relevant"),
        ("nDCG@2", "rank", "unknown over"),
    ],
)
def test_what_has_no_answer_is_refused(measure, over, words):
    judged = {"q1": {"a": 1, "b": 2}}
    runs = {"x": {"q1": {"a": 1.0}}, "y": {"q1": {"b": 1.0}}}
    with pytest.raises((UsageError, AnalysisError), match=words):
        rankgauge.robust(judged, runs, measure, over=over)


def test_too_many_grades_are_refused_unless_the_gain_is_fixed():
    judged = {"q1": {f"d{at}": at + 0.5 for at in range(12)}}
    runs = {"x": {"q1": {"d3": 2.0, "d1": 1.0}}, "y": {"q1": {"d1": 2.0, "d0": 1.0}}}
    with pytest.raises(AnalysisError, match="12 different grades"):
        rankgauge.robust(judged, runs, "nDCG@2")
    assert rankgauge.robust(judged, runs, "nDCG@2", over="discount").pairs[0].winner == "x"


def test_without_a_budget_nothing_is_guessed():
    found = [rankgauge.robust(*tied(seed), "nDCG@3", budget=0).pairs[0] for seed in range(8)]
    full = [rankgauge.robust(*tied(seed), "nDCG@3").pairs[0] for seed in range(8)]
    for short, whole in zip(found, full, strict=True):
        assert short.verdict in {"open", whole.verdict}
