import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from cubes import compare_cube as compare
from rankgauge.analysis.compare.gate import Level, Rule, _check, _not_worse, _unseen, parse_rule
from rankgauge.analysis.compare.ledger import weight
from rankgauge.errors import UsageError


def judge(rule, comparison):
    (result,) = comparison.gate(rule).rules
    return result


def comparison(shift, queries=100, spread=0.05, systems=("base", "new"), **options):
    random = np.random.default_rng(1)
    noise = random.normal(size=queries)
    noise = (noise - noise.mean()) / noise.std(ddof=1)
    base = 0.5 + 0.1 * random.normal(size=queries)
    shifts = [shift] if np.isscalar(shift) else shift
    values = np.array([base, *(base + each + spread * noise for each in shifts)])
    return compare(values[:, :, np.newaxis], systems, ["nDCG@10"], test="t", **options)


@pytest.mark.parametrize(
    ("text", "measure", "above", "from_baseline", "number"),
    [
        ("nDCG@10 < baseline - 0.01", "nDCG@10", False, True, -0.01),
        ("nDCG@10<baseline-0.01", "nDCG@10", False, True, -0.01),
        ("nDCG@10 < baseline", "nDCG@10", False, True, 0.0),
        ("AP > baseline + .5", "AP", True, True, 0.5),
        ("AP > baseline +25", "AP", True, True, 25.0),
        ("nDCG(gain=exp, discount=zipf)@20 < 0.3", "nDCG(gain=exp, discount=zipf)@20", False, False, 0.3),
        (" RR@10 > -1e-3 ", "RR@10", True, False, -0.001),
        ("P@5 < 1.", "P@5", False, False, 1.0),
    ],
)
def test_rules_are_read(text, measure, above, from_baseline, number):
    rule = parse_rule(text)
    assert (rule.measure, rule.above, rule.from_baseline, rule.number) == (measure, above, from_baseline, number)


@pytest.mark.parametrize(
    ("text", "message", "position"),
    [
        ("nDCG@10 baseline", "the rule has neither '<' nor '>'", 16),
        ("", "the rule has neither '<' nor '>'", 0),
        ("< 0.3", "a measure is missing before '<'", 0),
        ("nDCG@10 < = 0.3", "a rule has one sign: <, <=, > or >=", 10),
        ("nDCG@10 < > 0.3", "a rule has one sign: <, <=, > or >=", 10),
        ("nDCG@10 <", "a number or 'baseline' is missing", 9),
        ("nDCG@10 < ?", "a number or 'baseline' is missing", 10),
        ("nDCG@10 < base - 1", "unknown word 'base'", 10),
        ("nDCG@10 < baseline 0.1", "'+' or '-' is missing after 'baseline'", 19),
        ("nDCG@10 < baseline -", "a number is missing", 20),
        ("nDCG@10 < baseline - -0.1", "a number is missing", 21),
        ("nDCG@10 < baseline - 1e400", "the number is too large", 21),
        ("nDCG@10 < -1e400", "the number is too large", 10),
        ("nDCG@10 < 0.1 %", "the rule should end here", 14),
        ("nDCG@10 < 0.3 or so", "the rule should end here", 14),
    ],
)
def test_faults_are_shown_under_a_caret(text, message, position):
    with pytest.raises(UsageError) as caught:
        parse_rule(text)
    lines = str(caught.value).splitlines()
    assert lines[:3] == [message, "    " + text, "    " + " " * position + "^"]
    assert lines[3].startswith(("A rule looks like:", "did you mean 'baseline'?"))


@pytest.mark.parametrize(
    ("shift", "outcome", "code"), [(0.0, "pass", 0), (0.2, "pass", 0), (-0.05, "fail", 1), (-0.012, "undecided", 3)]
)
def test_the_gate_is_judged_on_the_interval(shift, outcome, code):
    result = judge("nDCG@10 < baseline - 0.01", comparison(shift, spread=0.03))
    assert (result.outcome, result.exit_code) == (outcome, code)


def test_the_message_names_the_interval_and_the_queries_needed():
    result = judge("nDCG@10 < baseline - 0.01", comparison(-0.012, spread=0.05))
    (check,) = result.checks
    assert result.message == (
        "undecided: new: nDCG@10 - baseline is -0.0120 (95% interval -0.0219 to -0.0021, 100 queries); "
        f"part of it lies below -0.01; about {check.queries_needed:,} queries would decide it."
    )
    # (1.96 + 0.84)² (0.05 / 0.002)²
    assert check.queries_needed == pytest.approx(2.8016**2 * 25**2, rel=0.01)


def test_passing_and_failing_messages_name_the_interval_too():
    failed = judge("nDCG@10 < baseline - 0.01", comparison(-0.05)).message
    assert failed.endswith("(95% interval -0.0599 to -0.0401, 100 queries); all of it lies below -0.01.")
    passed = judge("nDCG@10 > baseline + 0.2", comparison(0.0)).message
    assert passed.endswith("none of it lies above 0.2.")


@pytest.mark.parametrize(
    ("rule", "difference", "words"),
    [
        ("nDCG@10 < baseline - 0.05", 0.005, "if it is worse than the baseline, then by at most 0.05 (non-inferior)."),
        (
            "nDCG@10 <= baseline - 0.05",
            0.005,
            "if it is worse than the baseline, then by less than 0.05 (non-inferior).",
        ),
        ("nDCG@10 < baseline - 20%", 0.005, "(non-inferior)."),
        ("nDCG@10 < baseline - 0.05", 0.02, "none of it lies below -0.05: it is better than the baseline."),
        ("nDCG@10 < baseline", 0.02, "none of it lies below 0."),
        ("nDCG@10 < 0.2", 0.02, "none of it lies below 0.2."),
        ("nDCG@10 < -0.2", 0.02, "none of it lies below -0.2."),
        ("nDCG@10 > baseline + 0.5", 0.02, "none of it lies above 0.5."),
    ],
)
def test_a_margin_below_the_baseline_that_holds_is_non_inferiority(rule, difference, words):
    message = judge(rule, comparison(difference)).message
    assert message.startswith("pass:")
    assert message.endswith(words)


def test_several_runs_share_one_level():
    names = ("base", *(f"new{number}" for number in range(5)))
    one, five = comparison(0.0), comparison([0.0] * 5, systems=names)
    assert one.gate("nDCG@10 < baseline").interval_confidence == 0.95
    gate = five.gate("nDCG@10 < baseline")
    assert gate.interval_confidence == pytest.approx(0.99)
    # t of 99 degrees of freedom at 99 % and at 95 %.
    narrow, wide = (found.rules[0].checks[0] for found in (one.gate("nDCG@10 < baseline"), gate))
    assert wide.high - wide.low == pytest.approx((narrow.high - narrow.low) * 2.6264 / 1.9842, rel=1e-3)
    assert five.gate("nDCG@10 < baseline", "nDCG@10 < 0.2").interval_confidence == pytest.approx(0.995)


def test_a_limit_from_above_is_no_non_inferiority():
    assert judge("nDCG@10 > baseline - 0.05", comparison(-0.2)).message.endswith("none of it lies above -0.05.")


@pytest.mark.parametrize(
    ("rule", "outcome"), [("nDCG@10 < 0.3", "pass"), ("nDCG@10 < 0.7", "fail"), ("nDCG@10 < 0.5", "undecided")]
)
def test_a_number_is_compared_with_the_mean(rule, outcome):
    result = judge(rule, comparison(0.0))
    assert result.outcome == outcome
    assert [check.system for check in result.checks] == ["new"]


def test_an_interval_that_ends_at_the_limit_does_not_reach_beyond_it():
    values = np.array([np.full(10, 0.5), np.full(10, 0.49)])[:, :, np.newaxis]
    found = compare(values, ["base", "new"], ["nDCG@10"], test="t")
    assert found["nDCG@10"].pairs[0].difference < -0.01  # by the rounding of 0.49 - 0.5
    assert judge("nDCG@10 < baseline - 0.01", found).outcome == "pass"
    assert judge("nDCG@10 > baseline - 0.01", found).outcome == "pass"
    assert judge("nDCG@10 < baseline", found).outcome == "fail"


def test_identical_systems_pass_a_gate_at_the_baseline():
    found = comparison(0.0, spread=0.0)
    assert judge("nDCG@10 < baseline", found).outcome == "pass"
    assert judge("nDCG@10 > baseline", found).outcome == "pass"


def test_one_failure_fails_and_one_undecided_leaves_open():
    systems = ("base", "x", "y")
    assert judge("nDCG@10 < baseline - 0.01", comparison([0.1, -0.1], systems=systems)).outcome == "fail"
    assert judge("nDCG@10 < baseline - 0.01", comparison([0.1, -0.01], systems=systems)).outcome == "undecided"
    assert judge("nDCG@10 < baseline - 0.01", comparison([-0.01, -0.1], systems=systems)).outcome == "fail"


def test_every_run_but_the_baseline_is_judged_also_among_all_pairs():
    found = comparison([0.1, -0.1], systems=("x", "base", "y"), baseline="base", all_pairs=True)
    assert [check.system for check in judge("nDCG@10 < baseline", found).checks] == ["x", "y"]
    open_ended = comparison([0.1, -0.1], systems=("x", "base", "y"), all_pairs=True)
    assert [check.system for check in judge("nDCG@10 < 0.1", open_ended).checks] == ["x", "base", "y"]
    with pytest.raises(UsageError, match="names a baseline, but the comparison has none"):
        judge("nDCG@10 < baseline", open_ended)


def test_a_system_without_interval_is_undecided():
    values = np.array([[0.1, 0.2, 0.3], [0.1, np.nan, np.nan]])[:, :, np.newaxis]
    result = judge("nDCG@10 < baseline", compare(values, ["base", "new"], ["nDCG@10"]))
    assert result.exit_code == 3
    assert "(no interval, 1 query); two queries or more are needed to tell how much they differ." in result.message


def test_an_unknown_measure_names_the_nearest():
    with pytest.raises(UsageError, match=r"names nDCG@11, which is not compared; did you mean 'nDCG@10'\?"):
        judge("nDCG@11 < 0.3", comparison(0.0))


def test_the_json_of_a_gate():
    result = judge("nDCG@10  <  baseline - 0.01", comparison(-0.05)).to_dict()
    assert (result["rule"], result["outcome"], result["exit_code"]) == ("nDCG@10 < baseline - 0.01", "fail", 1)
    assert result["checks"][0]["limit"] == -0.01
    json.dumps(result, allow_nan=False)


def test_one_call_judges_several_rules():
    values = np.stack([np.full(20, 0.5), np.linspace(0.6, 0.7, 20)])[:, :, None]
    comparison = compare(values, ["old", "new"], ["nDCG@10"])
    found = comparison.gate("nDCG@10 < baseline", "nDCG@10 < 0.9")
    assert [result.outcome for result in found.rules] == ["pass", "fail"]
    assert (found.outcome, found.exit_code) == ("fail", 1)


def test_a_gate_needs_a_rule():
    with pytest.raises(UsageError, match="no rule is given"):
        comparison(0.0).gate()


def test_a_percentage_is_a_share_of_the_baseline():
    rule = parse_rule("nDCG@10 <= baseline - 2%")
    assert (rule.number, rule.relative, rule.inclusive) == (-0.02, True, True)
    assert parse_rule("nDCG@10 <= baseline - 2 % ") == replace(rule, text="nDCG@10 <= baseline - 2 %")
    with pytest.raises(UsageError, match="should end here"):
        parse_rule("nDCG@10 <= baseline - 2%x")
    found = comparison(0.05, baseline="base")
    (check,) = judge("nDCG@10 < baseline - 2%", found).checks
    mean = next(system.mean for system in found["nDCG@10"].systems if system.name == "base")
    assert check.limit == pytest.approx(-0.02 * mean)
    assert "(2% of the baseline's mean)" in check.message


def checked(rule, low, high, value=0.5, deviation=0.1):
    """A rule about one system whose interval is this."""
    system = SimpleNamespace(name="new", mean=value, low=low, high=high, deviation=deviation, query_count=50)
    return _check(parse_rule(rule), SimpleNamespace(systems=[system]), "new", None, Level(0.95, 0.95), "query")


@pytest.mark.parametrize("limit", [0.25, 1e6])
def test_a_limit_has_room_for_rounding_and_no_more(limit):
    room = 1e-12 * max(1.0, limit)
    above, below = limit + room, limit - room
    assert checked(f"AP > {limit}", limit / 2, above).outcome == "pass"
    assert checked(f"AP > {limit}", limit / 2, above + room).outcome == "undecided"
    assert checked(f"AP > {limit}", above, 2 * limit).outcome == "undecided"
    assert checked(f"AP > {limit}", above + room, 2 * limit).outcome == "fail"
    assert checked(f"AP < {limit}", below, 2 * limit).outcome == "pass"
    assert checked(f"AP < {limit}", below - room, 2 * limit).outcome == "undecided"
    assert checked(f"AP < {limit}", limit / 2, below).outcome == "undecided"
    assert checked(f"AP < {limit}", limit / 2, below - room).outcome == "fail"


def test_what_is_undecided_needs_more_queries_than_there_are():
    found = checked("AP < 0.25", 0.2, 0.8, deviation=1e-6)
    assert (found.outcome, found.queries_needed) == ("undecided", 51)


def test_the_interval_of_a_single_check_is_shown_to_the_last_bit():
    assert Level(0.95, 0.95).bounds(0.7, (0.1, 1.1), 50) == (0.1, 1.1)


def test_a_lower_bound_of_0_is_not_better_than_the_baseline():
    rule = parse_rule("AP < baseline - 0.01")
    assert "non-inferior" in _not_worse(rule, -0.01, 0.0)
    assert "is better" in _not_worse(rule, -0.01, 1e-9)


def test_two_checks_share_the_chance_of_an_error():
    two = comparison([0.01, 0.02], systems=("base", "new", "newer"), baseline="base")
    assert two.gate("nDCG@10 < baseline").interval_confidence == pytest.approx(0.975)


def test_one_check_with_a_ledger_has_the_share_of_its_look(tmp_path):
    one = comparison(0.01, baseline="base")
    gate = one.gate("nDCG@10 < baseline", ledger=tmp_path / "looks.json")
    assert gate.look == 1
    assert gate.interval_confidence == pytest.approx(1 - 0.05 * weight(1))


def test_a_rule_may_spell_its_measure_in_another_way():
    assert parse_rule("ndcg_cut_10 < baseline").fitted(["AP", "nDCG@10"]).measure == "nDCG@10"


def test_a_rule_with_a_fixed_number_is_about_the_run_and_not_about_the_baseline():
    found = judge("nDCG@10 < 0.6", comparison(0.3))
    (check,) = found.checks
    assert check.system == "new"
    assert check.value == pytest.approx(0.8, abs=0.05)
    assert check.outcome == "pass"


@pytest.mark.parametrize(
    ("changed", "queries", "words"),
    [
        (0, 1, ""),
        (0, 2, "None of 2 queries changed"),
        (1, 4, ""),
        (1, 5, "Only 1 of 5 queries changed"),
        (21, 100, ""),
        (
            20,
            100,
            "1 query in 20 is missed with probability 1%, and one that breaks 1 in 144 is missed as often as not",
        ),
        (1, 104, "less than once in 200, and one that breaks 1 in 150"),
        (1, 10, "with probability 60%, and one that breaks 1 in 20 is missed"),
    ],
)
def test_what_few_changed_queries_cannot_show(changed, queries, words):
    found = _unseen(changed, queries, "query")
    assert words in found
    assert bool(found) == bool(words)


def test_a_fault_in_a_long_rule_shows_the_part_around_it():
    with pytest.raises(UsageError, match="the rule should end here") as caught:
        parse_rule("nDCG@10 < 0.3" + " " * 1000 + "< 0.4")
    _, shown, caret, _ = str(caught.value).splitlines()
    assert len(shown) < 300
    assert shown[caret.index("^")] == "<"


def test_a_rule_made_by_hand_has_a_strict_limit_and_a_plain_number():
    made = Rule("by hand", "nDCG@10", above=False, from_baseline=True, number=-0.01)
    assert made == replace(parse_rule("nDCG@10 < baseline - 0.01"), text="by hand")
