"""compare() takes scores in any form, judgments and runs, or two runs alone."""

from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from cubes import scores_of
from rankgauge import Scores
from rankgauge.analysis.compare.statistics.power import pair_deviations, queries_needed
from rankgauge.errors import RankgaugeError, UsageError
from rankgauge.evaluation.scores import weighted


@pytest.fixture
def matrix():
    values = np.random.default_rng(2).random((3, 25))
    return Scores.from_matrix(values, "abc", [f"q{at}" for at in range(25)], "mine", rows="systems")


def test_every_form_of_scores_gives_the_same_comparison(matrix, tmp_path):
    expected = rankgauge.compare(matrix, baseline="b")
    matrix.save(tmp_path / "scores.parquet")
    for form in (tmp_path / "scores.parquet", str(tmp_path / "scores.parquet"), matrix.to_polars(), matrix.to_pandas()):
        assert rankgauge.compare(form, baseline="b").to_dict()["measures"] == expected.to_dict()["measures"]
    array = matrix.values[:, :, 0]
    for form in (array, array.tolist(), matrix.values):
        found = rankgauge.compare(scores_of(form, None, ["mine"]), baseline="system2")
        assert [pair.p for pair in found["mine"].pairs] == [pair.p for pair in expected["mine"].pairs]


def test_judgments_and_runs_are_evaluated_first():
    judgments = {query: {"d": 1, "e": 2} for query in "123"}
    runs = {"x": {query: {"d": 2.0, "e": 1.0} for query in judgments}, "y": {query: {"e": 1.0} for query in judgments}}
    scores = rankgauge.evaluate(judgments, runs, "nDCG@10 AP", only=["1", "3"])
    found = rankgauge.compare(judgments, runs, "nDCG@10 AP", only=["1", "3"], test="t")
    assert found.to_dict() == rankgauge.compare(scores, test="t").to_dict()
    assert found.queries == ("1", "3")
    assert found.measures == ("nDCG@10", "AP")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rankgauge.compare({"1": {"d": 1}}), "judgments alone are not enough; give runs"),
        (lambda: rankgauge.compare(rankgauge.Judgments({"1": {"d": 1}})), "judgments alone are not enough"),
        (lambda: rankgauge.compare(7), "cannot read scores from int"),
        (lambda: rankgauge.compare(np.eye(3), like="sklearn"), "like has no effect on scores"),
        (lambda: rankgauge.compare(np.eye(3), policy=rankgauge.Policy(depth=3)), "policy has no effect on scores"),
        (lambda: rankgauge.compare(scores_of([["a", "b"], ["c", "d"]])), "not numeric"),
        (lambda: rankgauge.compare(scores_of([[1, 2], [3]])), "not numeric|shape|one number"),
        (lambda: rankgauge.compare(scores_of(np.eye(3)), only=["query9"]), "no scores for query 'query9'"),
        (lambda: rankgauge.compare(np.eye(3), cutoff=5), "without judgments"),
        (lambda: rankgauge.compare(None, None), "give two runs"),
        (lambda: rankgauge.compare(None, [{"1": {"d": 1.0}}]), "give two runs, the old one and the new one, not 1"),
        (lambda: rankgauge.compare(None, [7, 8]), "a list of numbers does not say"),
        (lambda: rankgauge.compare(None, [{"1": {"d": 1.0}}] * 2, "nDCG@10"), "needs judgments or scores"),
    ],
)
def test_what_cannot_be_compared_is_refused(call, message):
    with pytest.raises(RankgaugeError, match=message):
        call()


def test_the_queries_behind_a_pair_come_from_the_comparison(matrix):
    found = rankgauge.compare(matrix, all_pairs=True, test="t").differences()
    assert [(one.system, one.baseline) for one in found] == [("b", "a"), ("c", "a"), ("c", "b")]
    assert len(found[0].queries) == 25
    differences = [one.difference for one in found[0].per_query]
    assert differences == sorted(differences)


RUNS = {"old": {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}, "new": {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 1.0}}}


def test_two_runs_are_compared_without_judgments_in_any_form(tmp_path):
    expected = rankgauge.compare(None, RUNS)
    assert (expected.changed, expected.reordered, expected.query_count) == (1, 1, 2)
    assert expected.queries == ("1", "2")
    paths = []
    for name, lists in RUNS.items():
        paths.append(tmp_path / f"{name}.trec")
        rows = [f"{q} Q0 {d} 1 {s} x" for q, scored in lists.items() for d, s in scored.items()]
        paths[-1].write_text("\n".join(rows) + "\n")
    forms = [
        list(RUNS.values()),
        [rankgauge.Run(run, name=name) for name, run in RUNS.items()],
        paths,
        list(map(str, paths)),
        [rankgauge.Run(run).to_polars() for run in RUNS.values()],
        [rankgauge.Run(run).to_polars().to_pandas() for run in RUNS.values()],
    ]
    for form in forms:
        assert rankgauge.compare(None, form) == expected
    assert rankgauge.compare(None, RUNS, depth=1, cutoff=1).to_dict()["new_first"] == 1
    assert rankgauge.compare(None, RUNS, only=["2"]).changed == 0


def test_a_comparison_shows_itself_in_every_form(matrix):
    found = rankgauge.compare(matrix)
    assert isinstance(found, rankgauge.results.Comparison)
    assert str(found).startswith(found.summary[:40])
    assert "| **a** |" in found.to_markdown()
    assert r"\textbf{a}" in found.to_latex()
    assert "<b><bdi>a</bdi></b>" in found._repr_html_()
    assert repr(found) == f"Comparison({found.summary})"


def test_notes_say_how_the_scores_were_computed():
    judgments = {"1": {"d": 1}, "2": {"d": 1}}
    runs = [rankgauge.Run({query: {"d": 1.0} for query in judgments}, name=name) for name in "xy"]
    found = rankgauge.compare(rankgauge.evaluate(judgments, runs, "GMAP num_rel_ret"))
    assert any(note.text.startswith("policy: ties=") for note in found.notes)
    assert any("compared by the arithmetic mean over queries" in note.text for note in found.notes)


def test_query_weights_count_in_means_intervals_and_tests(matrix):
    weights = np.linspace(0.5, 2.0, len(matrix.queries))
    plain, heavy = (rankgauge.compare(one, test="t").parts[0] for one in (matrix, weighted(matrix, weights)))
    differences = matrix.matrix()[1] - matrix.matrix()[0]
    pair = heavy.pairs[0]
    assert pair.difference == pytest.approx(np.average(differences, weights=weights))
    assert (pair.wins, pair.losses) == (plain.pairs[0].wins, plain.pairs[0].losses)
    assert pair.low < pair.difference < pair.high
    # Every weight twice, or every query twice: the first changes nothing.
    assert [note.kind for note in rankgauge.compare(weighted(matrix, weights)).notes].count("weights") == 1
    assert "weights" not in {note.kind for note in rankgauge.compare(matrix).notes}
    again = rankgauge.compare(weighted(matrix, 2 * weights), test="t").parts[0].pairs[0]
    assert (again.difference, again.low, again.p) == pytest.approx((pair.difference, pair.low, pair.p))
    equal = rankgauge.compare(weighted(matrix, np.ones(len(weights))), test="t").parts[0].pairs[0]
    assert (equal.low, equal.p) == pytest.approx((plain.pairs[0].low, plain.pairs[0].p))


def test_planning_takes_the_scatter_from_the_scores(matrix):
    plan = rankgauge.compare(matrix, test="t").queries_to_detect(0.05, power=0.9)
    deviation = float(np.median(pair_deviations(matrix.matrix())))
    assert plan["mine"].queries_needed == queries_needed(deviation, 0.05, power=0.9)
    assert plan["mine"].query_count == 25
    assert plan.to_dict()["measures"]["mine"]["deviation"] == deviation
    assert plan["mine"].queries_needed <= plan["mine"].queries_needed_80 <= plan["mine"].queries_needed_95
    # Enough for four pairs in five means: not for those that scatter more.
    enough = [queries_needed(one, 0.05, power=0.9) for one in pair_deviations(matrix.matrix())]
    assert np.mean(np.array(enough) <= plan["mine"].queries_needed_80) == pytest.approx(0.8, abs=0.25)
    assert "0.05 with 90% power" in str(plan)
    with pytest.raises(UsageError, match="above 0"):
        rankgauge.compare(matrix, test="t").queries_to_detect(0)


@pytest.mark.parametrize("correction", ["max-t", "holm", "bh", "none"])
def test_pairs_with_one_query_in_common_are_not_tested_and_say_so(correction):
    """Seen red: KeyError 'max-t', exit code 70; and no number of queries would have settled it."""
    values = [[0.5, 1.0], [0.25, float("nan")]]
    found = rankgauge.compare(rankgauge.Scores.from_matrix(values, ["a", "b"], rows="systems"), correction=correction)
    text = " ".join(str(found).split())
    assert "two queries or more are needed to tell how much they differ" in text
    assert "no pair has two queries in common, so none could be tested" in text
    assert "two queries or more are needed" in str(found.gate("score < baseline"))
