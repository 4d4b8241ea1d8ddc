"""The law of the report: an interval excludes 0 exactly where the verdict is better or worse."""

import os

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cubes import scores_of
from rankgauge import compare
from rankgauge.analysis.compare.wording import Focus, turned

EXAMPLES = int(os.environ.get("RANKGAUGE_EXAMPLES", "200"))


@st.composite
def comparisons(draw):
    """Graded or continuous scores of a few systems, with gaps or without, under any test and correction."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    systems, queries = draw(st.integers(2, 6)), draw(st.one_of(st.integers(3, 25), st.integers(26, 45), st.just(1_100)))
    values = generator.random((systems, queries)) + generator.choice([0.0, 0.1, 0.4]) * generator.random((systems, 1))
    if draw(st.booleans()):
        values = np.round(values, 1)
    if draw(st.booleans()):
        values[generator.random(values.shape) < 0.05] = np.nan
    options = {
        "test": draw(st.sampled_from(("sign-flip", "t", "bootstrap", "wilcoxon", "tukey", "randomised-tukey"))),
        "correction": draw(st.sampled_from((None, "max-t", "holm", "bh", "none"))),
        "all_pairs": draw(st.booleans()),
        "confidence": draw(st.sampled_from((0.8, 0.95, 0.99))),
        "equivalence": draw(st.sampled_from((None, None, 0.05, 0.3))),
    }
    if options["test"] in {"bootstrap", "randomised-tukey"}:
        options["samples"] = 199
    if options["correction"] == "max-t" and options["test"] not in {"sign-flip", "t"}:
        options["correction"] = "holm"
    return values, options


@settings(max_examples=EXAMPLES, deadline=None)
@given(drawn=comparisons())
def test_verdict_and_interval_never_disagree(drawn):
    values, options = drawn
    try:
        found = compare(scores_of(values), **options)
    except ValueError as problem:
        assert type(problem).__module__ == "rankgauge.errors"  # noqa: PT017 - too few queries in common
        return
    for pair in found.parts[0].pairs:
        if np.isnan(pair.low):
            assert pair.verdict == "undecided"
            continue
        excludes = pair.low > 0 or pair.high < 0
        if pair.verdict == "equivalent":
            # Differences within the margin do not matter, even those that are found.
            assert abs(pair.difference) < options["equivalence"]
            continue
        assert excludes == (pair.verdict in {"better", "worse"}), (pair, options)
        assert pair.verdict != "better" or pair.low > 0
        assert pair.verdict != "worse" or pair.high < 0
        other = turned(pair)
        assert (other.low > 0, other.high < 0) == (pair.high < 0, pair.low > 0)
    if found.baseline is None and len(values) > 2:
        focus = Focus.of(found)
        for system, row in focus.rows.items():
            assert row.verdict == "equivalent" or (row.verdict == "worse") == (row.high < 0), system
