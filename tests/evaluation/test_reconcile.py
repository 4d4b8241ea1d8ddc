from __future__ import annotations

import pytest

from rankgauge import Policy, evaluate, reconcile
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.reconcile.given import given_number
from rankgauge.evaluation.tools.presets import PRESETS

JUDGED = {
    "q1": {"a": 2, "b": 1, "c": 0, "e": 2},
    "q2": {"c": 1, "d": 2, "f": 1},
    "q3": {"d": 0},
    "q4": {"a": 1, "g": 2},
    "q5": {"h": 1, "i": 2, "j": 1},
}
RUN = {
    "q1": {"b": 3.0, "x": 2.5, "a": 2.0, "c": 1.0},
    "q2": {"y": 2.0, "c": 1.0, "f": 0.5},
    "q3": {"d": 1.0},
    "q4": {"z": 4.0, "g": 3.0, "a": 2.0},
    "q6": {"w": 1.0},
}


def of(like, measure="nDCG@3"):
    (value,) = evaluate(JUDGED, RUN, measure, like=like).mean()["run"].values()
    return value


REFUSING = {"trec_eval-10", "recbole", "rs_metrics", "quepid"}
"""Presets that refuse a missing query, or one with nothing relevant."""
PAIRS = [
    (name, measure)
    for name, preset in PRESETS.items()
    for measure in ("nDCG@3", "AP@3")
    if name not in REFUSING and (not preset.only or measure[:-2] in preset.only)
]


@pytest.mark.parametrize(("like", "measure"), PAIRS)
def test_a_number_of_a_preset_is_found_with_the_tool_that_gives_it(like, measure):
    found = reconcile(f"{of(like, measure):.6f}", JUDGED, RUN, measure)
    first = [one for one in found.explanations if like in one.tools]
    assert first, found
    assert first[0].value == pytest.approx(of(like, measure), abs=1e-12)


def test_the_way_from_our_number_to_theirs_adds_up():
    found = reconcile(f"{of('lightgbm'):.5f}", JUDGED, RUN, "nDCG@3")
    best = found.best
    assert "lightgbm" in best.tools
    assert found.ours + sum(step.change for step in best.steps) == pytest.approx(best.value, abs=1e-12)
    assert {step.decision for step in best.steps} >= {"gain=exp", "undefined=one"}


def test_what_is_to_be_typed_gives_the_number():
    value = evaluate(JUDGED, RUN, "nDCG(gain=exp)@3", policy=Policy(unjudged="drop")).mean()["run"]
    found = reconcile(f"{next(iter(value.values())):.6f}", JUDGED, RUN, "nDCG@3")
    mine = [one for one in found.explanations if one.measure == "nDCG(gain=exp)@3" and one.policy == "unjudged=drop"]
    assert mine
    policy = Policy.read(mine[0].policy)
    (again,) = evaluate(JUDGED, RUN, mine[0].measure, policy=policy).mean()["run"].values()
    assert again == pytest.approx(mine[0].value, abs=1e-12)
    assert "--policy unjudged=drop" in mine[0].command


def test_a_second_number_and_values_of_queries_tell_settings_apart():
    value = f"{of('sklearn'):.2f}"
    some = reconcile(value, JUDGED, RUN, "nDCG@3")
    second = reconcile(value, JUDGED, RUN, "nDCG@3", second=f"nDCG@1={of('sklearn', 'nDCG@1'):.4f}")
    assert len(second.explanations) <= len(some.explanations)
    assert any("sklearn" in one.tools for one in second.explanations)
    scores = evaluate(JUDGED, RUN, "nDCG@3", like="sklearn")
    known = {query: f"{row.popitem()[1]:.4f}" for query, row in scores.per_query()["run"].items() if row}
    by_query = reconcile(value, JUDGED, RUN, "nDCG@3", per_query=known)
    assert any("sklearn" in one.tools for one in by_query.explanations)
    assert not reconcile(value, JUDGED, RUN, "nDCG@3", per_query={"q1": "0.1111"}).explanations


def test_nothing_known_is_an_answer():
    found = reconcile("0.123456", JUDGED, RUN, "nDCG@3")
    assert found.best is None
    assert not found.is_explained
    assert "nothing known gives this" in str(found)


def test_few_queries_leave_the_chance_rough():
    assert any(note.kind == "rough" for note in reconcile(f"{of('lightgbm'):.4f}", JUDGED, RUN, "nDCG@3").notes)
    many = {f"{query}-{copy}": rows for copy in range(5) for query, rows in JUDGED.items()}
    ran = {f"{query}-{copy}": rows for copy in range(5) for query, rows in RUN.items()}
    assert not any(note.kind == "rough" for note in reconcile("0.5", many, ran, "nDCG@3").notes)


def test_a_decision_of_an_explanation_is_not_said_to_make_no_difference():
    judged = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
    run = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"x": 1.0}}
    (value,) = evaluate(judged, run, "nDCG@3", like="lightgbm").mean()["run"].values()
    found = reconcile(f"{value:.6f}", judged, run, "nDCG@3")
    steps = {step.decision for one in found.explanations for step in one.steps}
    assert "undefined=one" in steps
    assert not steps & set(found.same_here)


def test_few_digits_are_never_likely():
    found = reconcile(f"{of('lightgbm'):.1f}", JUDGED, RUN, "nDCG@3")
    assert all(one.verdict != "likely" for one in found.explanations)
    assert any(note.kind == "unsure" for note in found.notes)


@pytest.mark.parametrize(
    ("given", "value", "digits"),
    [("0.2857", 0.2857, 4), (0.5, 0.5, 1), ("28.57%", 0.2857, 4), ("2.857e-1", 0.2857, 4), (1, 1.0, 0)],
)
def test_a_number_keeps_its_digits(given, value, digits):
    found = given_number(given)
    assert (found.value, found.digits) == (pytest.approx(value), digits)


def test_bad_numbers_are_refused(tmp_path):
    for bad in ("much", "nan", "inf"):
        with pytest.raises(UsageError, match="number"):
            reconcile(bad, JUDGED, RUN)
    with pytest.raises(UsageError, match="second number"):
        reconcile("0.5", JUDGED, RUN, second="nDCG@5")
    with pytest.raises(UsageError, match="not in judgments or run"):
        reconcile(f"{of('lightgbm'):.4f}", JUDGED, RUN, "nDCG@3", per_query={"nobody": 0.5})
    (tmp_path / "values.txt").write_text("query value\nq1 0.5\nq2 half\n")
    with pytest.raises(DataError, match="line 3"):
        reconcile("0.5", JUDGED, RUN, per_query=tmp_path / "values.txt")
