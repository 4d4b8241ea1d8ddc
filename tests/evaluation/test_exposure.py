from __future__ import annotations

import pytest

from rankgauge import Policy, evaluate
from rankgauge.errors import MeasureError

JUDGED = {"q1": {"a": 1, "b": 0, "c": 0}, "q2": {"a": 2}}
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
    low, high = scores.bounds_of_mean()["run"][measure]
    assert low <= scores.mean()["run"][measure] <= high
    assert low < high
    assert scores.to_dict()["bounds"]["run"][measure] == [low, high]
    assert [column.name for column in scores.table().columns][1:4] == [measure, "lowest", "highest"]


def test_without_bounds_none_are_told():
    assert evaluate(JUDGED, TIED).bounds_of_mean() == {}
    assert "bounds" not in evaluate(JUDGED, TIED).to_dict()


def test_measures_without_bounds_are_refused():
    for measure, ties, message in [
        ("Bpref", None, "has no bounds"),
        ("AP", "mean", "need one order"),
        ("RBP(max=query)", None, "one highest grade"),
    ]:
        with pytest.raises(MeasureError, match=message):
            evaluate(JUDGED, TIED, measure, policy=Policy(unjudged="bounds", ties=ties))


def test_a_constant_scorer_on_a_real_collection_is_near_chance_and_shouted(collections):
    folder = collections / "trec-covid-round3"
    run = min((folder / "runs").glob("covidex.r3.monot5*"))
    from rankgauge import Run, read_run

    flat = read_run(run).to_polars().with_columns(score=1.0)
    scores = evaluate(folder / "qrels.txt.gz", Run(flat, name="constant"), "P@10", policy=Policy(ties="mean"))
    every = evaluate(folder / "qrels.txt.gz", Run(flat, name="constant"), "P@100")
    assert scores.mean()["constant"]["P@10"] == pytest.approx(every.mean()["constant"]["P@100"], rel=1e-9)
    assert ties(scores)["P@10"].text.startswith("TIES DECIDE THIS NUMBER")
