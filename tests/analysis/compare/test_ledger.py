"""Gates over several runs, and over all commits of a year."""

import json

import numpy as np
import pytest

import rankgauge
from cubes import scores_of
from rankgauge.analysis.compare.ledger import Ledger, weight
from rankgauge.errors import UsageError

RULE = "score < baseline"


def scores(shift, seed=1, queries=40, runs=1):
    random = np.random.default_rng(seed)
    base = random.uniform(0.2, 0.8, size=queries)
    return np.vstack([base, *(base + shift + 0.05 * random.normal(size=queries) for _ in range(runs))])


def test_the_weights_of_all_looks_add_up_to_1():
    known = sum(weight(look) for look in range(1, 200_001))
    rest = 200_000.5**-0.3 / 0.3 / 3.931949211809543
    assert known + rest == pytest.approx(1.0, abs=1e-9)
    assert known < 1.0


def test_a_look_is_counted_once_and_the_intervals_grow(tmp_path):
    ledger = tmp_path / "looks.json"
    seen = [rankgauge.compare(scores_of(scores(0.01, seed))).gate(RULE, ledger=ledger) for seed in (1, 2, 3, 2)]
    assert [gate.look for gate in seen] == [1, 2, 3, 2]
    confidence = [gate.interval_confidence for gate in seen]
    assert confidence[0] < confidence[1] < confidence[2]
    assert confidence[1] == confidence[3] == 1 - 0.05 * weight(2)
    found = json.loads(ledger.read_text())
    assert [one["look"] for one in found["looks"]] == [1, 2, 3]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["looks.json"]


def test_a_proven_loss_still_fails_after_many_looks(tmp_path):
    ledger = tmp_path / "looks.json"
    for seed in range(30):
        rankgauge.compare(scores_of(scores(0.0, seed)), test="t").gate(RULE, ledger=ledger)
    assert rankgauge.compare(scores_of(scores(-0.06, 99))).gate(RULE, ledger=ledger).outcome == "fail"


def test_false_alarms_over_200_looks_stay_rare(tmp_path):
    """Forty years of 200 commits that change nothing in truth: two false alarms are expected at most."""
    alarms = naive = 0
    for year in range(40):
        random = np.random.default_rng(year)
        rows = random.normal(size=(200, 40))
        ts = rows.mean(axis=1) / (rows.std(axis=1, ddof=1) / np.sqrt(40))
        naive += bool((ts < -2.02).any())
        worst = int(np.argmin(ts))
        # The gate is asked about the worst look of the year, at its place in the ledger.
        ledger = tmp_path / f"{year}.json"
        looks = [{"look": at + 1, "digest": str(at), "outcome": "pass"} for at in range(worst)]
        ledger.write_text(json.dumps({"format": "rankgauge-ledger-1", "looks": looks}))
        values = np.vstack([np.zeros(40), rows[worst]])
        alarms += rankgauge.compare(scores_of(values), test="t").gate(RULE, ledger=ledger).outcome == "fail"
    assert naive > 30
    assert alarms <= 5


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "rankgauge-ledger-1", "looks": [{"look": 2}]}', "\x00"])
def test_another_file_is_not_taken_for_a_ledger(tmp_path, text):
    path = tmp_path / "notes.txt"
    path.write_text(text)
    with pytest.raises(UsageError, match="not a ledger"):
        rankgauge.compare(scores_of(scores(0.0))).gate(RULE, ledger=path)
    assert path.read_text() == text


def test_several_runs_and_rules_share_the_level():
    one = rankgauge.compare(scores_of(scores(0.0))).gate(RULE)
    several = rankgauge.compare(scores_of(scores(0.0, runs=5))).gate(RULE, "score < 0.1")
    assert one.interval_confidence == 0.95
    assert several.interval_confidence == pytest.approx(1 - 0.05 / 10)
    alone, shared = one.rules[0].checks[0], several.rules[0].checks[0]
    assert shared.low < alone.low < alone.high < shared.high


def test_harmless_runs_in_one_gate_fail_no_more_often_than_one():
    failed = [
        rankgauge.compare(scores_of(scores(0.0, seed, runs=10)), test="t").gate(RULE).outcome == "fail"
        for seed in range(100)
    ]
    assert np.mean(failed) < 0.07


def test_few_changed_queries_cannot_show_rare_failures():
    values = scores(0.0)
    values[1] = values[0]
    values[1, :3] += 0.1
    check = rankgauge.compare(scores_of(values)).gate("score < baseline - 0.1").rules[0].checks[0]
    assert check.changed == 3
    assert "Only 3 of 40 queries changed: this set cannot see rare failures" in check.message
    assert "a change that breaks 1 query in 20 is missed with probability 13%" in check.message
    assert "rare failures" not in rankgauge.compare(scores_of(scores(0.0))).gate(RULE).rules[0].message


def test_a_look_that_is_written_stays_as_it_is(tmp_path):
    ledger = Ledger(tmp_path / "looks.json")
    for look, digest in ((1, "a"), (2, "b"), (2, "c"), (1, "d"), (3, "e")):
        ledger.record(look, digest, "pass")
    assert [(one["look"], one["digest"]) for one in Ledger(tmp_path / "looks.json").looks] == [
        (1, "a"),
        (2, "b"),
        (3, "e"),
    ]


@pytest.mark.parametrize(("form", "first"), [("another-1", 1), ("rankgauge-ledger-1", 2)], ids=["format", "numbers"])
def test_a_ledger_has_its_format_and_counts_from_1(form, first, tmp_path):
    path = tmp_path / "looks.json"
    path.write_text(json.dumps({"format": form, "looks": [{"look": first, "digest": "a", "outcome": "pass"}]}))
    with pytest.raises(UsageError, match="not a ledger"):
        Ledger(path)


def test_scores_that_differ_by_rounding_alone_are_the_same_look(tmp_path):
    ledger = Ledger(tmp_path / "looks.json")
    values = np.array([[0.0, 0.5, 0.25], [0.5, 0.75, 0.125]])
    _, digest = ledger.look(rankgauge.compare(scores_of(values)).scores, [RULE])
    assert (
        ledger.look(rankgauge.compare(scores_of(values - 1e-12)).scores, [RULE])[1] == digest
    )  # 0 becomes -0 once rounded
    assert ledger.look(rankgauge.compare(scores_of(values - 1e-8)).scores, [RULE])[1] != digest


def test_the_last_bits_of_a_score_make_no_new_look(tmp_path):
    ledger, values = tmp_path / "looks.json", np.round(scores(0.01), 6)
    assert rankgauge.compare(scores_of(values)).gate(RULE, ledger=ledger).look == 1
    assert rankgauge.compare(scores_of(values + 4e-10)).gate(RULE, ledger=ledger).look == 1
    assert rankgauge.compare(scores_of(values + 4e-8)).gate(RULE, ledger=ledger).look == 2
