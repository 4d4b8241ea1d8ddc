from __future__ import annotations

from collections import Counter

import pytest

from rankgauge import Policy, Run, evaluate, read_judgments, read_run
from rankgauge.errors import MeasureError

JUDGED = {"q1": {"a": 1, "b": 0, "c": 0}, "q2": {"a": 2}}
CONSTANT = ("lambdamart", "covidex.r3.monot5")
TIED = {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}, "q2": {"x": 3.0, "a": 2.0, "y": 1.0}}


def ties(scores):
    return {note.measure: note for note in scores.notes if note.kind == "ties"}


def test_ties_that_could_move_a_mean_are_noted_with_both_ends():
    note = ties(evaluate(JUDGED, TIED, "RR"))["RR"]
    assert "from 0.4167 (worst order) to 0.7500 (best order)" in note.text
    assert note.count == 1


def test_a_number_that_ties_decide_is_shouted():
    assert ties(evaluate(JUDGED, TIED, "RR"))["RR"].text.startswith("TIES DECIDE THIS NUMBER")


def test_ties_that_move_nothing_are_not_mentioned():
    assert ties(evaluate(JUDGED, TIED, "R")) == {}
    assert ties(evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 0.5}}, "RR")) == {}


@pytest.mark.parametrize("measure", ["nDCG@2", "AP", "P@2", "RR", "ERR@3", "RBP", "DCG", "Success@1"])
def test_bounds_are_told_beside_the_value(measure):
    scores = evaluate(JUDGED, TIED, measure, policy=Policy(unjudged="bounds"))
    low, high = scores.to_dict()["bounds"]["run"][measure]
    assert low <= scores.mean()["run"][measure] <= high
    assert low < high
    assert scores.to_dict()["bounds"]["run"][measure] == [low, high]
    assert [column.name for column in scores.table().columns][1:4] == [measure, "lowest", "highest"]


def test_without_bounds_none_are_told():
    assert "bounds" not in evaluate(JUDGED, TIED).to_dict()
    assert "bounds" not in evaluate(JUDGED, TIED).to_dict()


def test_measures_without_bounds_are_refused():
    for measure, ties, message in [
        ("Bpref", None, "has no bounds"),
        ("AP", "mean", "need one order"),
        ("RBP(max=query)", None, "one highest grade"),
    ]:
        with pytest.raises(MeasureError, match=message):
            evaluate(JUDGED, TIED, measure, policy=Policy(unjudged="bounds", ties=ties))


def test_a_constant_scorer_on_a_real_collection_is_at_chance_and_shouted(real):
    judged = read_judgments(real.judgments).to_polars()
    flat = read_run(next(path for path in real.runs if path.name.startswith(CONSTANT))).to_polars()
    scores = evaluate(judged, Run(flat.with_columns(score=1.0), name="constant"), "P@1", policy=Policy(ties="mean"))
    relevant = flat.join(judged.filter(judged["value"] > 0), on=["query", "document"], how="semi")["query"].to_list()
    retrieved = Counter(flat["query"].to_list())
    chance = [relevant.count(query) / retrieved[query] for query in scores.queries]
    assert scores.mean()["constant"]["P@1"] == pytest.approx(sum(chance) / len(chance), rel=1e-9)
    assert ties(scores)["P@1"].text.startswith("TIES DECIDE THIS NUMBER")
