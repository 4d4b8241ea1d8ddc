from __future__ import annotations

import math
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge.evaluation.aggregates import Sum, aggregate
from rankgauge.kernels.hits import exact_sum

KINDS = ["geometric", "mean", "sum"]

NUMBERS = st.lists(
    st.floats(0, 1) | st.floats(-1e300, 1e300) | st.just(math.nan) | st.sampled_from([0.1, 1 / 3, 1e-300]), max_size=40
)


@given(NUMBERS, st.lists(st.integers(0, 40), max_size=4), st.sampled_from(KINDS))
def test_sums_of_parts_give_the_bits_of_the_whole(numbers, cuts, kind):
    values = np.array(numbers, np.float64)
    if kind == "geometric":
        values = np.abs(values)
    parts = np.split(values, sorted(cut for cut in cuts if cut <= len(values)))
    added = reduce(add, (Sum.of(part, kind) for part in parts)).aggregate()
    whole = aggregate(kind, values)
    assert added == whole or (math.isnan(added) and math.isnan(whole))


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 9)), min_size=1, max_size=30), st.integers(0, 30))
def test_weighted_sums_of_parts_give_the_bits_of_the_whole(pairs, cut):
    values, weights = (np.array(column) for column in zip(*pairs, strict=True))
    for kind in KINDS:
        added = Sum.of(values[:cut], kind, weights[:cut]) + Sum.of(values[cut:], kind, weights[cut:])
        whole = aggregate(kind, values, weights)
        assert added.aggregate() == whole or (math.isnan(added.aggregate()) and math.isnan(whole))


def test_plain_addition_would_not_do():
    values = np.array([1.0, 1e100, 1.0, -1e100] * 10)
    assert Sum.of(values[:2], "sum").aggregate() + Sum.of(values[2:], "sum").aggregate() != 20.0
    assert (Sum.of(values[:2], "sum") + Sum.of(values[2:], "sum")).aggregate() == 20.0


@given(NUMBERS, st.sampled_from([1.0, 1e-3, 1e9, -1.0]), st.integers(0, 2**32))
def test_many_terms_have_the_sum_of_fsum(few, scale, seed):
    random = np.random.default_rng(seed)
    many = scale * random.choice(
        [random.random(900), random.integers(0, 11, 900) / 10, 1 / random.integers(1, 99, 900)]
    )
    terms = np.concatenate((many * random.choice([-1, 1], 900), [number for number in few if not math.isnan(number)]))
    assert exact_sum(terms) == math.fsum(terms.tolist())
    assert exact_sum(many) == math.fsum(many.tolist())
    assert exact_sum(0 * many) == 0


@pytest.mark.parametrize("count", [2, 600])
@pytest.mark.parametrize(
    ("terms", "expected"), [((math.inf, 1), math.inf), ((1e308, 1e308), math.inf), ((math.inf, -math.inf), math.nan)]
)
def test_what_is_infinite_or_too_large_is_a_number_however_many(terms, expected, count):
    """Seen red: OverflowError or ValueError from 512 terms on."""
    found = exact_sum(np.resize(np.array(terms), count))
    assert found == expected or (math.isnan(found) and math.isnan(expected))
