"""TREC-COVID round 3: the most dependable gain and discount of 79 systems × 40 topics, and whether they hold up."""

from __future__ import annotations

import numpy as np
import pytest

from rankgauge import Policy, evaluate, read_judgments, read_run
from rankgauge.analysis.optimize.optimize import optimize_grades
from rankgauge.analysis.optimize.ranked_grades import read_collection
from rankgauge.analysis.optimize.search.form import discount_form, queries_needed, scores_of
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.simplex import shares_of
from rankgauge.analysis.optimize.search.weighting import named_discount
from rankgauge.analysis.stability.variance import mean_squares
from rankgauge.kernels.ranks import kendall_tau

LINEAR = np.array([1.0, 2.0])


@pytest.fixture(scope="module")
def covid(collections):
    """Grades by rank, in the order of scores and then of document ids, both descending, in double precision."""
    folder = collections / "trec-covid-round3"
    return read_collection(folder / "qrels.txt.gz", sorted((folder / "runs").glob("*.gz")), "nDCG@100").grades


def test_the_table_of_grades_has_the_published_variance_components(covid):
    assert covid.codes.shape == (79, 40, 100)
    found = mean_squares(scores_of(covid, named_discount("log2", 100), LINEAR)).components()
    assert (found.system, found.query, found.residual) == pytest.approx((0.016394, 0.012274, 0.008019), abs=5e-7)


@pytest.mark.parametrize(
    ("cutoff", "value", "queries", "steps"),
    [(10, 0.3093, 43, [3, 4, 8, 10]), (20, 0.3357, 38, [1, 3, 4, 6, 20]), (100, 0.4641, 22, [1, 4, 95, 100])],
)
def test_the_optimal_discount_has_the_published_value_and_steps(covid, cutoff, value, queries, steps):
    found = optimize_grades(covid.cut(cutoff), folds=0)
    assert found.optimum.dependability == pytest.approx(value, abs=5e-5)
    assert found.gap <= 1e-7
    assert found.spread <= 1e-7
    assert dict(found.optimum.queries_needed)[0.95] == queries
    support = np.flatnonzero(shares_of(np.array(found.discount)) > 1e-9) + 1
    assert support.tolist() == steps
    assert [note.kind for note in found.notes] == ["not-held-out"]


@pytest.mark.parametrize(("cutoff", "value", "ratio"), [(10, 0.3111, 1.259), (20, 0.3418, 1.138), (100, 0.4501, 1.357)])
def test_the_optimal_gain_ratio_is_far_below_2(covid, cutoff, value, ratio):
    found = optimize_grades(covid.cut(cutoff), over="gain", folds=0)
    assert found.optimum.dependability == pytest.approx(value, abs=5e-5)
    assert found.gain[1][1] == pytest.approx(ratio, abs=5e-4)
    assert found.gap <= 1e-7


def test_the_orders_of_systems_agree_with_the_optimum_s_as_published(covid):
    best = scores_of(covid, np.array(optimize_grades(covid, folds=0).discount), LINEAR).mean(axis=1)
    for name, tau in (("zipf", 0.8408), ("linear", 0.9492), ("log2", 0.9550)):
        means = scores_of(covid, named_discount(name, 100), LINEAR).mean(axis=1)
        assert kendall_tau(means, best) == pytest.approx(tau, abs=5e-5)


def test_queries_needed_under_the_named_discounts(covid):
    form = discount_form(covid, LINEAR)
    for name, ninety, ninety_five in (("zipf", 17, 35), ("linear", 12, 26), ("log2", 12, 24)):
        value = form.value(named_discount(name, 100))
        assert (queries_needed(value, 0.9), queries_needed(value, 0.95)) == (ninety, ninety_five)


@pytest.mark.parametrize("cutoff", [20, 100])
def test_a_lead_that_other_topics_could_reverse_is_not_recommended(covid, cutoff):
    found = optimize_grades(covid.cut(cutoff), folds=2, repeats=5, seed=7).held_out
    best = max(found.candidates, key=lambda candidate: candidate.value)
    # At most 2 % ahead on unseen topics, and the error over topics is larger than that.
    assert found["start"].value <= best.value < 1.02 * found["start"].value
    assert best.lead <= best.query_error
    assert found.recommended == "start"


def test_the_printed_optimum_evaluates_to_the_same_dependability(real):
    grades = read_collection(real.judgments, real.runs, "nDCG@20").grades
    found = optimize_grades(grades, over="both", folds=0)
    judgments, runs = read_judgments(real.judgments), [read_run(path) for path in real.runs]
    scores = evaluate(judgments, runs, found.optimum.measure, policy=Policy(undefined="drop"))
    values = scores.values[:, :, 0]
    assert dependability(values[:, np.isfinite(values[0])]) == pytest.approx(found.optimum.dependability, abs=1e-9)
