"""docs/compare.md: what it says must be so."""

import re
from pathlib import Path

import numpy as np
import pytest

from rankgauge.analysis.compare.compare import compare
from rankgauge.analysis.compare.options import TESTS
from rankgauge.analysis.gate import EXIT_CODES, judge, parse_rule

PAGE = (Path(__file__).parents[3] / "docs" / "compare.md").read_text(encoding="utf-8")


def test_every_rule_on_the_page_can_be_read():
    rules = re.findall(r'--fail-if "([^"]+)"', PAGE)
    assert len(rules) > 3
    for rule in rules:
        parse_rule(rule)


def test_every_test_and_exit_code_is_on_the_page():
    for test in TESTS:
        assert f"| `{test}` |" in PAGE
    for outcome, code in EXIT_CODES.items():
        assert f"| `{outcome}` | {code} |" in PAGE


def test_the_python_lines_give_the_numbers_beside_them():
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    names = {}
    exec(code, names)  # noqa: S102 - our own page
    assert names["queries_to_detect"](0.1, 0.02) == int(re.search(r": (\d+) queries", code)[1])
    assert names["detectable_difference"](0.1, 50) == pytest.approx(float(re.search(r"# (0\.\d+)", code)[1]), abs=5e-5)


def test_the_message_of_the_gate_is_a_real_one():
    noise = np.random.default_rng(1).normal(size=100)
    noise = 0.05 * (noise - noise.mean()) / noise.std(ddof=1)
    values = np.array([np.full(100, 0.5), 0.5 - 0.012 + noise])[:, :, np.newaxis]
    message = judge("nDCG@10 < baseline - 0.01", compare(values, ["base", "new"], ["nDCG@10"], test="t")).message
    assert message in PAGE.replace("\n", " ")


@pytest.mark.parametrize(("factor", "passing"), [(1.0, 0.8), (1.3, 0.95)])
def test_a_change_that_does_nothing_passes_as_often_as_the_page_says(factor, passing):
    # One comparison gives the margin, 400 others the rate.
    random = np.random.default_rng(5)
    margin = factor * 2.858 * 0.05 / np.sqrt(50)  # the smallest detectable difference of 50 queries
    passed = 0
    for _ in range(400):
        row = random.normal(0, 0.05, size=50)
        low = row.mean() - 2.0096 * row.std(ddof=1) / np.sqrt(50)
        passed += low >= -margin
    assert passed / 400 == pytest.approx(passing, abs=0.05)
