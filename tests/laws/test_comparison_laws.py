"""Laws of comparisons (P8 and the house rules), on scores as they come: tied, constant, with gaps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cubes import compare_cube as compare
from rankgauge.analysis.discriminate import achieved_levels

TESTS = ("sign-flip", "bootstrap", "t", "wilcoxon", "tukey", "randomised-tukey")
# Tenths, as graded measures give them: many ties, many equal differences.
score = st.integers(0, 10).map(lambda tenths: tenths / 10)


@st.composite
def tables(draw, *, gaps=False):
    systems, queries = draw(st.integers(2, 4)), draw(st.integers(2, 9))
    cell = st.one_of(st.just(float("nan")), score) if gaps else score
    rows = draw(st.lists(st.lists(cell, min_size=queries, max_size=queries), min_size=systems, max_size=systems))
    return np.array(rows)[:, :, np.newaxis]


def run(values, test, **options):
    systems = [f"s{i}" for i in range(len(values))]
    return compare(values, systems, ["AP"], test=test, samples=50, **options)["AP"]


@pytest.mark.parametrize("test", TESTS)
@settings(max_examples=25, deadline=None)
@given(values=tables())
def test_p_values_lie_above_0_and_up_to_1(test, values):
    for pair in run(values, test, all_pairs=True).pairs:
        assert 0.0 < pair.p <= 1.0
        assert pair.p <= pair.p_adjusted <= 1.0
        assert pair.low <= pair.difference + 1e-12
        assert pair.difference <= pair.high + 1e-12
        assert pair.wins + pair.ties + pair.losses == values.shape[1]


@pytest.mark.parametrize("test", TESTS)
@settings(max_examples=15, deadline=None)
@given(values=tables())
def test_a_copy_of_a_system_has_p_1(test, values):
    both = np.concatenate([values, values[:1]])
    assert run(both, test).pairs[-1].p == 1.0


@pytest.mark.parametrize("test", ["sign-flip", "bootstrap", "t", "wilcoxon", "tukey"])
@settings(max_examples=25, deadline=None)
@given(values=tables())
def test_swapping_two_systems_flips_only_the_sign(test, values):
    one, other = run(values[:2], test).pairs[0], run(values[:2], test, baseline="s1").pairs[0]
    assert one.p == pytest.approx(other.p, abs=1e-9)
    assert one.difference == pytest.approx(-other.difference, abs=1e-12)
    assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
    flipped = {"better": "worse", "worse": "better"}
    assert one.verdict == flipped.get(other.verdict, other.verdict)


@pytest.mark.parametrize("test", TESTS[:4])
@settings(max_examples=25, deadline=None)
@given(values=tables(gaps=True))
def test_gaps_never_break_a_comparison(test, values):
    for pair in run(values, test, all_pairs=True, equivalence=0.05).pairs:
        common = pair.wins + pair.ties + pair.losses
        assert common == pair.query_count == values.shape[1] - pair.dropped
        assert np.isnan(pair.p) == (common < 2)


@settings(max_examples=40, deadline=None)
@given(values=tables(), seed=st.integers(0, 5))
def test_levels_are_symmetric_and_do_not_depend_on_the_order_of_pairs(values, seed):
    table = values[:, :, 0]
    asl, required = achieved_levels(table, samples=60, alpha=0.05, seed=seed)
    turned, limit = achieved_levels(table[::-1], samples=60, alpha=0.05, seed=seed)
    first, second = np.triu_indices(len(table), 1)
    whole = np.ones((len(table), len(table)))
    whole[first, second] = asl
    np.testing.assert_array_equal(turned, whole[len(table) - 1 - second, len(table) - 1 - first])
    assert required == pytest.approx(limit, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(values=tables())
def test_shifting_all_scores_changes_no_verdict(values):
    one, other = (run(table, "sign-flip").pairs for table in (values, values + 0.5))
    for before, after in zip(one, other, strict=True):
        assert before.p == pytest.approx(after.p, abs=1e-12)
        assert before.difference == pytest.approx(after.difference, abs=1e-12)
