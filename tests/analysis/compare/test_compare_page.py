"""docs/compare.md: what it says must be so."""

import re
from pathlib import Path

import numpy as np
import pytest

import rankgauge
from cubes import compare_cube as compare
from rankgauge.analysis.compare.gate import EXIT_CODES, parse_rule
from rankgauge.signature import choices

PAGE = (Path(__file__).parents[3] / "docs" / "compare.md").read_text(encoding="utf-8")


def test_every_rule_on_the_page_can_be_read():
    rules = re.findall(r'--fail-if "([^"]+)"', PAGE)
    assert len(rules) > 3
    for rule in rules:
        parse_rule(rule)


def test_every_test_and_exit_code_is_on_the_page():
    for test in choices(rankgauge.compare, "test"):
        assert f"| `{test}` |" in PAGE
    for outcome, code in EXIT_CODES.items():
        assert f"| `{outcome}` | {code} |" in PAGE


def test_the_message_of_the_gate_is_a_real_one():
    noise = np.random.default_rng(1).normal(size=100)
    noise = 0.05 * (noise - noise.mean()) / noise.std(ddof=1)
    values = np.array([np.full(100, 0.5), 0.5 - 0.012 + noise])[:, :, np.newaxis]
    gate = compare(values, ["base", "new"], ["nDCG@10"], test="t").gate("nDCG@10 < baseline - 0.01")
    assert gate.rules[0].message in PAGE.replace("\n", " ").replace(" %", "%")


def test_a_change_that_does_nothing_passes_as_often_as_the_page_says():
    claim = re.search(
        r"that does nothing passes four times in five, with (1\.\d) times that margin 19 times in 20", PAGE
    )
    factor = float(claim[1])
    # One comparison gives the margin, 600 others the rates; only their noise is random.
    random = np.random.default_rng(5)
    noise = random.normal(0, 0.05, size=(600, 50))
    first = compare(np.array([np.full(50, 0.5), 0.5 + standardized(noise[0])]), ["base", "new"], ["AP"], test="t")
    margin = first["AP"].detectable_difference
    rules = [f"AP < baseline - {margin}", f"AP < baseline - {factor * margin}"]
    # One change and one rule at a time: more of them would widen the intervals.
    changes = [compare(np.array([np.full(50, 0.5), 0.5 + one]), ["base", "new"], ["AP"], test="t") for one in noise]
    passed = [np.mean([change.gate(rule).outcome == "pass" for change in changes]) for rule in rules]
    assert passed == pytest.approx([4 / 5, 19 / 20], abs=0.04)


def standardized(noise):
    return 0.05 * (noise - noise.mean()) / noise.std(ddof=1)
