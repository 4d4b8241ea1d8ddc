from __future__ import annotations

import pytest

from rankgauge import Policy, evaluate, examples, explain, reconcile
from rankgauge.analysis.reconcile.search import given_number
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.presets import PRESETS

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


def test_every_decision_of_a_tool_is_a_step():
    best = reconcile(f"{of('lightgbm'):.5f}", JUDGED, RUN, "nDCG@3").best
    assert "lightgbm" in best.tools
    assert {step.decision for step in best.steps} >= {"gain=exp", "undefined=one"}


@pytest.mark.parametrize(
    ("measure", "like"), [("nDCG@3", "lightgbm"), ("P@3", "implicit"), ("GMAP", None), ("GMAP", "ranx")]
)
def test_the_numbers_of_settings_are_those_of_evaluate_and_the_way_to_them_adds_up(measure, like):
    (value,) = evaluate(JUDGED, RUN, measure, like=like).mean()["run"].values()
    found = reconcile(f"{value:.6f}", JUDGED, RUN, measure)
    (ours,) = evaluate(JUDGED, RUN, measure).mean()["run"].values()
    assert found.ours == ours
    assert value in {one.value for one in found.explanations}
    for one in found.explanations:
        (again,) = evaluate(JUDGED, RUN, one.measure, policy=Policy.read(one.policy)).mean()["run"].values()
        assert one.value == pytest.approx(again, abs=1e-12)
        assert ours + sum(step.change for step in one.steps) == pytest.approx(one.value, abs=1e-12)


def test_what_is_to_be_typed_gives_the_number():
    value = evaluate(JUDGED, RUN, "nDCG(gain=exp)@3", policy=Policy(unjudged="drop")).mean()["run"]
    found = reconcile(f"{next(iter(value.values())):.6f}", JUDGED, RUN, "nDCG@3")
    mine = [one for one in found.explanations if one.measure == "nDCG(gain=exp)@3" and one.policy == "unjudged=drop"]
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
    path = tmp_path / "values.txt"
    for text, match in (("query value\nq1 0.5\nq2 half\n", "line 3"), ("q1 0.5\nq1 0.6\n", "line 2: query q1 has two")):
        path.write_text(text)
        with pytest.raises(DataError, match=match):
            reconcile("0.5", JUDGED, RUN, per_query=path)
    with pytest.raises(UsageError, match="query q1 has two values"):
        reconcile("0.5", JUDGED, RUN, per_query=[{"query": "q1", "value": value} for value in (0.5, 0.6)])
    with pytest.raises(UsageError, match=r"nDCG@5 has two numbers, 0.2 and 0.3"):
        reconcile("0.5", JUDGED, RUN, second=["nDCG@5=0.2", "ndcg@5=0.3"])


def test_a_number_above_one_is_read_as_a_percentage():
    found = reconcile(f"{100 * of('lightgbm'):.2f}", JUDGED, RUN, "nDCG@3")
    assert "lightgbm" in found.best.tools
    assert found.number.endswith("%")
    assert "percentage" in [note.kind for note in found.notes]
    with pytest.raises(UsageError, match="at most 1, or 100%"):
        reconcile("713", JUDGED, RUN, "nDCG@3")


def test_a_second_percentage_is_read_like_the_first():
    first, second = (f"{100 * of('lightgbm', name):.2f}" for name in ("nDCG@3", "AP@3"))
    found = reconcile(first, JUDGED, RUN, "nDCG@3", second={"AP@3": second})
    assert "lightgbm" in found.best.tools


def test_only_tools_that_give_the_second_number_are_named():
    first, second = f"{of('catboost'):.5f}", f"{of('catboost', 'AP@3'):.5f}"
    alone = reconcile(first, JUDGED, RUN, "nDCG@3").best.tools
    both = reconcile(first, JUDGED, RUN, "nDCG@3", second=f"AP@3={second}").best.tools
    assert "catboost" in both
    assert set(both) < set(alone)
    assert all(f"{of(tool, 'AP@3'):.5f}" == second for tool in both)


def test_a_second_number_may_be_of_a_measure_without_the_options_of_the_first():
    given = {name: f"{of('cornac', name):.2f}" for name in ("AP@3", "P@3")}
    found = reconcile(given["AP@3"], JUDGED, RUN, "AP@3", second=f"P@3={given['P@3']}")
    assert any("cornac" in one.tools for one in found.explanations)


def test_an_unknown_query_is_refused_also_where_nothing_fits():
    with pytest.raises(UsageError, match="not in judgments or run"):
        reconcile("0.123456", JUDGED, RUN, "nDCG@3", per_query={"nobody": 0.5})


def test_the_chance_of_an_explanation_that_is_only_near_is_that_of_being_near():
    # Sixty queries: with five, other numbers are mostly one of ours exactly or not near it.
    example = examples.load()
    judged, run = example.judgments, next(iter(example.runs.values()))
    (value,) = evaluate(judged, run, "nDCG@10", like="lightgbm").mean()["run"].values()
    found = reconcile(f"{value + 1.2e-5:.5f}", judged, run)
    assert any(note.kind == "inexact" for note in found.notes)
    assert found.best.chance > 2 * found.by_chance["known tools"]
    assert found.best.verdict == "also possible"


def test_few_queries_leave_few_numbers_so_that_a_coincidence_is_likelier_than_the_digits_say():
    judged = {f"q{at}": {"a": 1} for at in range(10)}
    ranks = [1, 1, 2, 2, 2, 4, 4, 1, 2, 1]
    run = {
        f"q{at}": {"a" if place == rank else f"x{place}": -float(place) for place in range(1, 6)}
        for at, rank in enumerate(ranks)
    }
    (own,) = evaluate(judged, run, "RR@10").mean()["run"].values()
    found = reconcile(f"{own:.6f}", judged, run, "RR@10")
    assert found.best.value == pytest.approx(own)
    assert found.best.chance > 0.03, "a mean of 5 to 9 of these queries is often the same number"
    assert found.best.verdict != "likely"


def test_a_single_query_is_no_proof():
    few = reconcile("0.6309", {"q": {"a": 1}}, {"q": {"x": 2.0, "a": 1.0}}, "nDCG@3")
    many = {f"q{at}": {"a": 1} for at in range(40)}
    ran = {query: ({"x": 2.0, "a": 1.0} if at % 2 else {"a": 1.0}) for at, query in enumerate(many)}
    assert 0 < few.by_chance["known tools"] < 1
    assert few.by_chance["known tools"] >= 1e-4
    assert reconcile("0.8155", many, ran, "nDCG@3").by_chance["known tools"] >= 1e-4


def test_ties_that_a_tool_draws_lots_for_are_mentioned():
    judged = {f"q{at}": {"a": 1, "b": 0, "c": 0} for at in range(30)}
    run = {query: {"a": 1.0, "b": 1.0, "c": 1.0} for query in judged}
    found = reconcile("0.7777", judged, run, "nDCG@3")
    (note,) = [note for note in found.notes if note.kind == "random-ties"]
    assert "0.5000 to 1.0000" in note.text
    assert "keras-rs" in note.text
    assert not any(note.kind == "random-ties" for note in reconcile("0.4", judged, run, "nDCG@3").notes)


def test_a_run_without_judged_documents_is_said_to_be_one():
    run = {query: {"x": 1.0} for query in JUDGED}
    assert any(note.kind == "nothing-judged" for note in reconcile("0.1234", JUDGED, run, "nDCG@3").notes)


def test_another_count_of_queries_is_mentioned_only_where_it_says_something():
    judged = {f"q{at}": {"a": 1, "b": 2} for at in range(20)}
    run = {query: {"x": 3.0, "ab"[at % 2]: 2.0} for at, query in enumerate(judged)}
    total = 20 * evaluate(judged, run, "nDCG@3").mean()["run"]["nDCG@3"]
    found = reconcile(f"{total / 23:.5f}", judged, run, "nDCG@3")
    assert [note.count for note in found.notes if note.kind == "other-count"] == [23]
    assert not any(note.kind == "other-count" for note in reconcile("0.9", judged, run, "nDCG@3").notes)


@pytest.mark.parametrize("like", ["lightgbm", "ranx"])
def test_the_first_tool_is_explained_with_what_it_cannot_promise(like):
    judged = {query: {**grades, "frac": 1.5} for query, grades in JUDGED.items()}
    run = {query: {**scores, "frac": 0.25} for query, scores in RUN.items()}
    (value,) = evaluate(judged, run, "nDCG@5", like=like).mean()["run"].values()
    found = reconcile(f"{value:.6f}", judged, run, "nDCG@5")
    (note,) = [note for note in found.notes if note.kind == "tool"]
    preset = PRESETS[found.best.like]
    assert preset.words in note.text
    assert ("not promised" in note.text) == bool(preset.caveat)


def test_progress_is_told_while_settings_are_tried():
    steps = []
    reconcile("0.5", JUDGED, RUN, "nDCG@3", progress=lambda done, total: steps.append((done, total)))
    assert len(steps) > 100
    assert all(0 <= done < total for done, total in steps)


@pytest.mark.parametrize("like", PRESETS)
def test_a_tool_is_explained_without_data(like):
    measure = f"{PRESETS[like].only[0] if PRESETS[like].only else 'nDCG'}@10"
    found = explain(measure, like=like)
    assert found.tool.startswith(f"{like}: {PRESETS[like].words}")
    assert dict(explain(measure).decisions) == {}
    if like == "lightgbm":
        assert {"gain=exp", "pool=returned", "undefined=one", "missing=drop"} <= {name for name, _ in found.decisions}
        assert found.measure == "nDCG(gain=exp)@10"
