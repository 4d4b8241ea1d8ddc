"""Lists scored in blocks and as rows of matrices have the bits that they have as the hits of a run, in any company and any round."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from laws import strategies as some
from rankgauge import Policy, evaluate
from rankgauge.errors import MeasureError, PolicyError
from rankgauge.evaluation.score import score_lists
from rankgauge.integrations import lightgbm
from rankgauge.measures.grammar import parse

TIES = st.sampled_from(["mean", "worst", "best", "order", "document"])
NEAR = [1.0, 1 + 2**-52, 1 - 2**-53, -3.0, -(3 + 2**-51), 0.0, -0.0, 5e-324, 1e300, -1e300]
any_score = st.one_of(st.sampled_from(NEAR), st.integers(-2, 2).map(float), st.floats(-9, 9))
sizes = st.one_of(st.lists(st.integers(1, 40), min_size=2, max_size=9), st.integers(1, 9).map(lambda size: [size] * 5))


@st.composite
def columns(draw):
    """True values, predictions and the list of every item."""
    lengths, seed = draw(sizes), draw(st.integers(0, 99))
    rng, items = np.random.default_rng(seed), sum(lengths)
    scores = np.array(draw(st.lists(any_score, min_size=1, max_size=60)))
    truth = rng.choice([-1, 0, 0, 1, 2, 3, 0.5], items)
    return truth, scores[rng.integers(0, len(scores), items)], np.repeat(np.arange(len(lengths)), lengths)


def found(columns, measure, ties):
    try:
        return score_lists(measure, *columns, policy=Policy(ties=ties)).values
    except (MeasureError, PolicyError) as problem:
        return str(problem)


@given(columns(), some.any_measure(), TIES, st.sampled_from([1, 50, 10_000]))
@example((np.tile([3.0, 0, 1], 99), np.tile([1.0, 1, 0.5], 99), np.arange(99).repeat(3)), parse("nDCG"), "mean", 50)
def test_blocks_change_no_bit(given_columns, measure, ties, items):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rankgauge.kernels.order.ITEMS", items)
        fast = found(given_columns, measure, ties)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rankgauge.evaluation.score._by_matrices", lambda *_: None)
        plain = found(given_columns, measure, ties)
    assert plain == fast if isinstance(plain, str) else np.array_equal(fast, plain, equal_nan=True)


@pytest.mark.parametrize(("ties", "value"), [("worst", 1.0), ("best", 0.7967075809905066)])
def test_the_worst_order_is_by_grade_also_where_the_gain_falls(ties, value):
    measure, groups = parse("nDCG(gain=table(1:3, 2:9))"), np.array([0, 0, 1, 1])
    # Grade 3 has less gain than grade 2, and comes last all the same, as in `evaluate`.
    assert found(([3.0, 2.0, 1.0, 0.0], np.ones(4), groups), measure, ties)[0] == pytest.approx(value)
    judged, run = {"q": {"a": 3, "b": 2}}, {"q": {"a": 1.0, "b": 1.0}}
    own = evaluate(judged, run, measure, policy=Policy(ties=ties)).mean()["run"]
    assert list(own.values()) == pytest.approx([value])


def test_a_gain_that_is_refused_is_refused_in_blocks_too():
    refused = found(([3.0, 2.0, 1.0, 0.0], np.ones(4), [0, 0, 1, 1]), parse("nDCG")(gain=lambda grade: -grade), "mean")
    assert "gains are finite and not negative" in refused


def test_a_weight_beyond_the_last_item_may_be_the_largest():
    values = found(([3.0, 1.0, 0.0], [1.0, 2.0, 2.0], [0, 1, 2]), parse("nDCG(discount=weights(0,1))"), "mean")
    assert values.tolist() == [0.0, 0.0, 0.0]


@given(columns(), columns(), st.lists(some.any_measure(), min_size=1, max_size=2), st.integers(0, 999))
def test_a_metric_gives_every_round_the_bits_of_its_first(one, other, measures, changed):
    """Lists that come again, other lists between them, and labels changed in place."""
    metric = lightgbm(measures)
    for given_columns in (one, other, one):
        truth, predicted, lengths = np.maximum(given_columns[0], 0), given_columns[1], np.bincount(given_columns[2])
        for turn in range(2):
            columns_now = truth, np.roll(predicted, turn), None, lengths
            try:
                expected = lightgbm(measures)(*columns_now)
            except MeasureError:
                return  # some measures are not for open ties
            # NaN where a measure is undefined on every list
            assert repr(metric(*columns_now)) == repr(expected)
            truth[changed % len(truth)] = 4
