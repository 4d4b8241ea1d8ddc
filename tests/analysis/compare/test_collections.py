import json

import numpy as np
import pytest

import rankgauge
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.scores import weighted


def collection(seed, shift=0.05, queries=30, systems=("base", "new")):
    random = np.random.default_rng(seed)
    base = random.uniform(0.2, 0.8, queries)
    values = [base, *(base + shift + random.normal(0, 0.05, queries) for _ in systems[1:])]
    return rankgauge.Scores.from_matrix(values, systems=systems, measures="nDCG@10", rows="systems")


@pytest.fixture
def several():
    return {f"set {seed}": collection(seed) for seed in range(5)}


def test_a_difference_that_all_collections_share_is_found(several):
    found = rankgauge.compare(collections=several)
    (pair,) = found["nDCG@10"].pairs
    assert (found.baseline, pair.system, pair.verdict) == ("base", "new", "better")
    assert pair.low < 0.05 < pair.high
    alone = [rankgauge.compare(one).parts[0].pairs[0] for one in several.values()]
    assert [part.difference for part in pair.collections] == pytest.approx([one.difference for one in alone])
    assert [part.low for part in pair.collections] == pytest.approx([one.low for one in alone])
    assert sum(part.weight for part in pair.collections) == pytest.approx(1)
    assert pair.difference == pytest.approx(sum(part.weight * part.difference for part in pair.collections))
    assert found.summary.startswith("new is better than base over 5 collections, on nDCG@10: +0.05")
    assert json.loads(json.dumps(found.to_dict()))["measures"]["nDCG@10"]["pairs"][0]["collections"][0]["queries"] == 30


def test_collections_that_contradict_each_other_decide_nothing_and_say_so():
    found = rankgauge.compare(
        collections={"up": collection(1, 0.2), "down": collection(2, -0.2), "no": collection(3, 0)}
    )
    (pair,) = found.parts[0].pairs
    assert pair.verdict == "undecided"
    assert pair.heterogeneity > 0.9
    assert pair.p_heterogeneity < 1e-6
    # One more collection may lie anywhere: the scatter between collections comes on top.
    assert pair.predicted_high - pair.predicted_low > pair.high - pair.low > 0.4


def test_intervals_and_verdicts_agree_for_many_systems():
    names = tuple(f"s{number}" for number in range(9))
    random = np.random.default_rng(8)
    shifts = random.normal(0, 0.06, 8)
    sets = {}
    for seed in range(6):
        base = random.uniform(0.2, 0.8, 25)
        rows = [base + shift + random.normal(0, 0.03) + random.normal(0, 0.1, 25) for shift in shifts]
        sets[str(seed)] = rankgauge.Scores.from_matrix([base, *rows], systems=names, rows="systems")
    pairs = rankgauge.compare(collections=sets).parts[0].pairs
    sides = ["better" if pair.low > 0 else "worse" if pair.high < 0 else "undecided" for pair in pairs]
    assert [pair.verdict for pair in pairs] == sides
    assert {"undecided"} < set(sides)


def test_equivalence_is_about_the_mean_over_collections():
    same = {str(seed): collection(seed, 0.0, 200) for seed in range(5)}
    (pair,) = rankgauge.compare(collections=same, equivalence=0.05).parts[0].pairs
    assert pair.verdict == "equivalent"
    (pair,) = rankgauge.compare(collections=same, equivalence=0.0001).parts[0].pairs
    assert pair.verdict == "undecided"


def test_judgments_with_runs_weights_and_systems_on_one_collection_only(several):
    judged = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 1}, "q3": {"a": 1, "b": 0}}
    runs = {"base": {q: {"a": 1, "b": 2} for q in judged}, "new": {q: {"a": 2, "b": 1} for q in judged}}
    both = {"here": (judged, runs), "there": collection(4, systems=("base", "new", "alone"))}
    found = rankgauge.compare(collections=both, measures="nDCG@10")
    assert [note.kind for note in found.notes][:2] == ["one-collection", "few-collections"]
    assert "alone" in str(found)
    assert "t with 1 degree of freedom" in found.method
    weights = np.linspace(1, 5, 30)
    heavy = several | {"set 0": weighted(several["set 0"], weights)}
    moved = rankgauge.compare(collections=heavy).parts[0].pairs[0].collections[0]
    assert moved.difference == pytest.approx(
        np.average(several["set 0"].matrix()[1] - several["set 0"].matrix()[0], weights=weights)
    )


@pytest.mark.parametrize(
    ("given", "problem", "words"),
    [
        (lambda one: {"collections": {"a": one}}, UsageError, "two or more"),
        (lambda one: {"collections": {"a": one, "b": one}, "test": "t"}, UsageError, "test has no effect here"),
        (lambda one: {"collections": {"a": one, "b": one}, "correction": "max-t"}, UsageError, "max-t"),
        (
            lambda one: {"collections": {"a": one, "b": one}, "baseline": "old"},
            UsageError,
            "no run of the baseline 'old'",
        ),
        (lambda one: {"collections": {"a": one, "b": (1, 2, 3)}}, UsageError, "pair"),
        (lambda one: {"collections": {"a": one, "b": one.select("nDCG@10")}, "measures": "AP"}, UsageError, "AP"),
        (
            lambda one: {
                "collections": {
                    "a": one,
                    "b": rankgauge.Scores.from_matrix([[0.1, 0.2]], ["base"], measures="nDCG@10", rows="systems"),
                }
            },
            AnalysisError,
            "two collections",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(given, problem, words):
    with pytest.raises(problem, match=words):
        rankgauge.compare(**given(collection(1)))
