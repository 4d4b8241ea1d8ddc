"""A lead is told with the error that other queries would give it, and advice needs a lead that stands above it."""

from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from grade_tables import random_table
from rankgauge.analysis.optimize.holdout import ENOUGH, GROUPS, Candidate, is_sure, lead_errors, named_candidates
from rankgauge.analysis.optimize.search.form import scores_of
from rankgauge.analysis.optimize.search.objective import ERHO, PHI, POWER
from rankgauge.analysis.optimize.search.weighting import Question, named_weighting


@pytest.mark.parametrize("objective", [PHI, ERHO])
def test_the_error_is_the_jackknife_of_the_lead_over_queries(objective):
    table = random_table(3, systems=8, queries=12)
    start = named_weighting(table)
    fitted = {"start": start, **named_candidates(table, Question(start, ("discount",)))}
    leads = []
    for left_out in range(12):
        part = table.select(np.delete(np.arange(12), left_out))
        values = [objective.value(scores_of(part, one.discount, one.gain)) for one in (fitted["zipf"], start)]
        leads.append(np.log(values[0] / (1 - values[0])) - np.log(values[1] / (1 - values[1])))
    expected = np.sqrt(11 / 12 * np.sum((np.array(leads) - np.mean(leads)) ** 2))
    found = lead_errors(table, fitted, objective)
    assert found["zipf"] == pytest.approx(expected)
    assert found["start"] == 0


def test_a_lead_must_be_above_one_and_a_half_of_its_errors():
    for objective, ahead in ((PHI, 0.55 / 0.45), (POWER, 0.05)):
        lead = np.log(ahead) if objective is PHI else ahead
        one = Candidate("new", 0.55, 0.0)
        assert is_sure(one, 0.5, lead / ENOUGH * 0.999, objective)
        assert not is_sure(one, 0.5, lead / ENOUGH * 1.001, objective)
        assert not is_sure(one, 0.5, float("nan"), objective)
    assert not is_sure(Candidate("new", 0.1, 0.0), -0.1, 0.0, PHI)


@pytest.fixture(scope="module")
def collection():
    made = rankgauge.simulate(20, 40, seed=3)
    return made.judgments(), made.runs()


def test_a_clear_lead_is_recommended_and_an_unclear_one_is_not(collection):
    clear = rankgauge.optimize(*collection, "nDCG(discount=zipf)@20", repeats=1)
    assert clear.held_out.sure
    assert clear.recommended != "start"
    made = rankgauge.simulate(12, 50, seed=7)
    unclear = rankgauge.optimize(made.judgments(), made.runs(), "nDCG@20", repeats=2)
    best = unclear.held_out[unclear.held_out.best]
    # By the folds alone it would be: above their error, and above 1 %.
    assert best.lead > max(best.error, 0.01 * unclear.held_out["start"].value)
    assert best.query_error > best.lead
    assert not unclear.held_out.sure
    assert unclear.recommended == "start"
    assert "within noise" in str(unclear)


def test_the_table_and_the_data_show_the_error_over_queries(collection):
    found = rankgauge.optimize(*collection, "nDCG@20", repeats=1)
    one, start = found.held_out["zipf"], found.held_out["start"].value
    assert one.query_error > 0
    shown = next(row for row in found.table().rows if row[0] == "zipf")
    assert shown[-1] == f"{max(one.error, one.query_error) / start:.1%}"
    assert found.to_dict()["held_out"]["query_error"]["zipf"] == one.query_error
    assert "query_error" in [column.name for column in found.wide_table().columns]


def test_the_error_of_power_is_that_of_the_smooth_share():
    # A jackknife of a count of pairs is ten times too large (seen red: 28.8 % instead of 1.3 % on simulated systems).
    table = random_table(4, systems=8, queries=30, ranks=6)
    start = named_weighting(table)
    fitted = {"start": start, "zipf": named_weighting(table, "zipf")}
    found = lead_errors(table, fitted, POWER)["zipf"]
    scores = {name: scores_of(table, one.discount, one.gain) for name, one in fitted.items()}
    leads = []
    for left_out in range(30):
        kept = np.arange(30) != left_out
        leads.append(POWER.value(scores["zipf"][:, kept]) - POWER.value(scores["start"][:, kept]))
    assert found == pytest.approx(np.sqrt(29 * np.var(leads)), rel=1e-9)


def test_of_many_queries_groups_are_left_out_so_that_time_grows_with_queries_alone():
    # Where each of 10,000 queries was left out in turn, they took 28 times as long as 1,000.
    table = random_table(5, systems=6, queries=2500, ranks=4)
    start = named_weighting(table)
    fitted = {"start": start, "zipf": named_weighting(table, "zipf")}
    sizes = []

    def value(scores):
        sizes.append(scores.shape[1])
        return PHI.value(scores)

    found = lead_errors(table, fitted, PHI._replace(value=value, seen=value))["zipf"]
    assert len(sizes) == len(fitted) * GROUPS
    assert set(sizes) == {2497, 2498}
    scores = {name: scores_of(table, one.discount, one.gain) for name, one in fitted.items()}
    leads = []
    for left_out in range(2500):
        kept = np.arange(2500) != left_out
        values = [PHI.value(scores[name][:, kept]) for name in ("zipf", "start")]
        leads.append(np.log(values[0] / (1 - values[0])) - np.log(values[1] / (1 - values[1])))
    assert found == pytest.approx(np.sqrt(2499 * np.var(leads)), rel=0.1)
