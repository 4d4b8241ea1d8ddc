"""Bounds of a difference over unjudged documents, against all labellings, one after the other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rankgauge.kernels.bounds import (
    Ideal,
    highest_lower_limits,
    linear_bounds,
    lowest_limits,
    ndcg_bounds,
    ndcg_bounds_open,
)


def one_case(draw, cutoff=None):
    """Gains of the levels, falling weights, judged grades, shifts of judged documents and of holes."""
    cutoff = cutoff or int(draw.integers(1, 5))
    levels = int(draw.integers(1, 4))
    gains = np.concatenate(([0.0], np.cumsum(draw.random(levels) * draw.integers(0, 3, levels))))
    weights = np.sort(draw.random(cutoff))[::-1]
    judged = draw.integers(0, levels + 1, int(draw.integers(0, 5)))
    holes = int(draw.integers(0, 6 if levels < 3 else 5))
    places = [draw.permutation(len(judged) + holes)[:cutoff] for _ in range(2)]
    shift = np.zeros(len(judged) + holes)
    for sign, place in zip((1, -1), places, strict=True):
        shift[place] += sign * weights[: len(place)]
    return gains, weights, judged, shift[: len(judged)], shift[len(judged) :]


def ratio(gains, weights, grades, shift):
    worth = gains[grades.astype(int)]
    ideal = np.sort(worth)[::-1][: len(weights)] @ weights[: len(worth)]
    return float(shift @ worth / ideal) if ideal > 0 else 0.0


def every_labelling(gains, weights, judged, of_judged, of_holes, further=0):
    shift = np.concatenate((of_judged, of_holes, np.zeros(further)))
    return [
        ratio(gains, weights, np.array([*judged, *grades]), shift)
        for grades in itertools.product(range(len(gains)), repeat=len(of_holes) + further)
    ]


def bounds(case, function=ndcg_bounds):
    gains, weights, judged, of_judged, of_holes = case
    reach = np.concatenate(([0.0], np.cumsum(weights)))
    counts = np.array([np.count_nonzero(judged >= level) for level in range(1, len(gains))], np.int64)
    known = np.array([of_judged @ gains[judged]]) if len(judged) else np.zeros(1)
    low, high = function(known, of_holes[None, :], Ideal(np.diff(gains), counts, reach))
    return float(low[0]), float(high[0])


@pytest.mark.parametrize("seed", range(400))
def test_bounds_of_ndcg_are_those_of_all_labellings(seed):
    case = one_case(np.random.default_rng(seed))
    values = every_labelling(*case)
    assert bounds(case) == pytest.approx((min(values), max(values)), abs=1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_an_open_ideal_is_that_of_further_documents(seed):
    case = one_case(np.random.default_rng(1000 + seed), cutoff=1 + seed % 2)
    gains, weights, judged, of_judged, of_holes = case
    values = every_labelling(gains, weights, judged, of_judged, of_holes[:3], further=len(weights))
    found = bounds((gains, weights, judged, of_judged, of_holes[:3]), ndcg_bounds_open)
    assert found == pytest.approx((min(values), max(values)), abs=1e-12)


@pytest.mark.parametrize("seed", range(100))
def test_laws_of_bounds(seed):
    draw = np.random.default_rng(5000 + seed)
    gains, weights, judged, of_judged, of_holes = one_case(draw)
    low, high = bounds((gains, weights, judged, of_judged, of_holes))
    swapped = bounds((gains, weights, judged, -of_judged, -of_holes))
    assert swapped == pytest.approx((-high, -low), abs=1e-14)
    wide = bounds((gains, weights, judged, of_judged, of_holes), ndcg_bounds_open)
    assert wide[0] <= low + 1e-15
    assert wide[1] >= high - 1e-15
    if len(of_holes):
        for grade in range(len(gains)):
            more, moved = np.append(judged, grade), np.append(of_judged, of_holes[0])
            part = bounds((gains, weights, more, moved, of_holes[1:]))
            assert part[0] >= low - 1e-12
            assert part[1] <= high + 1e-12


def test_many_pairs_at_once_are_each_by_itself():
    draw = np.random.default_rng(3)
    shift, known = draw.normal(size=(50, 7)), draw.normal(size=50)
    ideal = Ideal(np.array([1.0, 2.0]), np.array([4, 1]), np.concatenate(([0.0], np.cumsum(1 / np.arange(1.0, 6.0)))))
    together = ndcg_bounds(known, shift, ideal)
    alone = [ndcg_bounds(known[at : at + 1], shift[at : at + 1], ideal) for at in range(50)]
    assert np.array_equal(together[0], np.concatenate([low for low, _ in alone]))
    assert np.array_equal(together[1], np.concatenate([high for _, high in alone]))


def test_linear_bounds_of_a_document_that_both_rank_alike_are_closed():
    low, high = linear_bounds(np.array([0.25]), np.array([[0.0, 0.5, -0.125]]), 2.0)
    assert (low[0], high[0]) == (0.0, 1.25)


def corner_limits(low, high, scale):
    boxes = itertools.product(*zip(low, high, strict=True))
    return [np.mean(corner) - scale * np.std(corner, ddof=1) for corner in boxes]


boxes = st.lists(st.tuples(st.floats(-1, 1), st.sampled_from([0.0, 0.01, 0.1, 0.5])), min_size=2, max_size=8)


# How far below: the limit is least at a corner or between two that differ in one query, of width w. A share t of the way,
# S2 exceeds the sum of squares of that very point of the box by t (1 - t) w² ≤ w²/4, so that by √(a + b) ≤ √a + √b the
# limit is below the point's by scale · w / (2 √(n - 1)) at most. No point is below the lowest corner: mean - scale · sd is
# concave in the box.
@settings(max_examples=150)
@given(boxes, st.sampled_from([0.3, 0.8, 2.0]))
@example([(0.0, 0.5), (0.125, 0.0)], 2.0)
@example([(0.40567107851365214, 0.0)] * 3, 2.0)
def test_the_lowest_limit_is_not_above_any_corner_and_near_the_lowest(rows, scale):
    low, width = np.array(rows).T
    high = low + width
    lowest = min(corner_limits(low, high, scale))
    found = float(lowest_limits(low[None], high[None], scale)[0])
    assert found <= lowest + 1e-9
    assert found >= lowest - scale * width.max() / (2 * np.sqrt(len(low) - 1)) - 1e-9


@pytest.mark.parametrize("scale", [0.3, 2.0, 5.0])
def test_queries_without_holes_do_not_hide_the_lowest_limit(scale):
    """Raising one changes nothing, so two corners of the way are one, and the least value lay behind the second."""
    draw = np.random.default_rng(7)
    low = draw.integers(-4, 5, (500, 4)) / 4
    high = low + draw.choice([0.0, 0.0, 0.25, 1.0, 2.0], low.shape)
    low[0], high[0] = [0.75, -0.75, -0.25, 0.25], [0.75, 1.25, 0.75, 0.25]
    lowest = [min(corner_limits(*box, scale)) for box in zip(low, high, strict=True)]
    assert (lowest_limits(low, high, scale) <= np.array(lowest) + 1e-9).all()


def test_the_lowest_limit_is_mostly_that_of_a_corner():
    draw = np.random.default_rng(11)
    low = draw.normal(size=(200, 6)) * 0.2
    high = low + draw.random(low.shape) * draw.choice([0.0, 0.1, 0.5], low.shape)
    below = [min(corner_limits(*box, 0.8)) for box in zip(low, high, strict=True)] - lowest_limits(low, high, 0.8)
    assert np.mean(below) < 0.0009
    assert np.mean(below < 1e-9) > 0.6


@settings(max_examples=100)
@given(boxes, st.sampled_from([0.3, 0.8, 2.0]), st.integers(0, 100))
@example([(0.125, 0.1)] * 3, 2.0, 0)
@example([(0.3, 0.0)] * 3, 2.0, 0)
def test_the_highest_lower_limit_is_not_below_any_point_of_the_box(rows, scale, seed):
    low, width = np.array(rows).T
    high = low + width
    found = float(highest_lower_limits(low[None], high[None], scale)[0])
    points = low + np.random.default_rng(seed).random((200, len(low))) * (high - low)
    limits = points.mean(axis=1) - scale * points.std(axis=1, ddof=1)
    assert found >= limits.max() - 1e-9


def test_the_printed_limits():
    low = np.array([[0.1, -0.2, 0.0, 0.3, 0.05]])
    high = np.array([[0.1, 0.1, 0.25, 0.3, 0.2]])
    scale = 2.7764451051977987 / np.sqrt(5)  # 97.5 % of Student's t with 4 degrees of freedom
    assert lowest_limits(low, high, scale)[0] == pytest.approx(-0.1738441606210649, abs=1e-6)
    assert -lowest_limits(-high, -low, scale)[0] == pytest.approx(0.3767758388400222, abs=1e-6)


def test_the_printed_bounds():
    # nDCG@2 of A, B against C, A; A has grade 1, D, which nobody returned, grade 2.
    weights = np.array([1.0, 1 / np.log2(3)])
    case = (np.array([0.0, 1.0, 2.0]), weights, np.array([1, 2]), np.array([1 - weights[1], 0.0]))
    assert bounds((*case, np.array([weights[1], -1.0]))) == pytest.approx((-0.5, 0.5), abs=1e-12)


def limit(sums, squares, count, scale):
    variance = max(squares - sums * sums / count, 0.0) / (count - 1)
    return sums / count - scale * variance**0.5


@pytest.mark.parametrize("seed", range(12))
def test_the_lowest_limit_is_the_least_value_on_the_way_that_raises_query_after_query(seed):
    """Every point of the way written out: whole queries raised in order of falling low + high, and a share of the next."""
    draw = np.random.default_rng(seed)
    count, scale, offset = int(draw.integers(2, 7)), float(draw.uniform(0.2, 3)), float(draw.normal() * 5)
    low = offset + draw.normal(size=count)
    high = low + draw.random(count) * draw.integers(0, 2, count)
    order = np.argsort(-(low + high), kind="stable")
    walked = []
    for raised in range(count):
        done, following = order[:raised], order[raised]
        base = low.copy()
        base[done] = high[done]
        ends = [(row.sum(), (row**2).sum()) for row in (base, np.where(np.arange(count) == following, high, base))]
        (sums, squares), (other_sums, other_squares) = ends
        for share in np.linspace(0, 1, 1001):
            mixed = sums + share * (other_sums - sums), squares + share * (other_squares - squares)
            walked.append(limit(*mixed, count, scale))
    found = float(lowest_limits(low[None, :], high[None, :], scale)[0])
    assert found <= min(walked) + 1e-9
    assert found == pytest.approx(min(walked), abs=1e-5)
    both = lowest_limits(np.array([low, low + 1e6]), np.array([high, high + 1e6]), scale)
    assert (both - [0, 1e6]).tolist() == pytest.approx([found, found], abs=1e-7)  # no digits are lost far from 0


@pytest.mark.parametrize("seed", range(12))
def test_the_highest_lower_limit_is_that_of_one_level_that_all_queries_approach(seed):
    draw = np.random.default_rng(100 + seed)
    count, scale = int(draw.integers(2, 7)), float(draw.uniform(0.2, 3))
    low = draw.normal(size=count)
    high = low + draw.random(count) * 2
    levels = [np.clip(level, low, high) for level in np.linspace(low.min(), high.max(), 4001)]
    best = max(row.mean() - scale * row.std(ddof=1) for row in levels)
    found = float(highest_lower_limits(low[None, :], high[None, :], scale)[0])
    assert found >= best - 1e-9
    assert found == pytest.approx(best, abs=1e-3)


@pytest.mark.parametrize("unit", [0.5, 1.0])
def test_a_difference_that_cannot_reach_0_comes_nearest_to_it_by_the_largest_ideal(unit):
    """Weights 1, 1/2 and 1/4; B has the relevant document first, and a hole is a quarter better for A, or a quarter worse."""
    ideal = Ideal(np.array([unit]), np.array([1]), np.array([0.0, 1.0, 1.5, 1.75]))
    low, high = ndcg_bounds_open(np.array([-unit, unit]), np.array([[0.25, -0.125], [-0.25, 0.125]]), ideal)
    assert high.tolist() == pytest.approx([-0.75 / 1.75, 1.0], abs=1e-12)
    assert low.tolist() == pytest.approx([-1.0, 0.75 / 1.75], abs=1e-12)


def test_without_levels_nothing_differs():
    ideal = Ideal(np.empty(0), np.empty(0, np.int64), np.array([0.0, 1.0]))
    assert [one.tolist() for one in ndcg_bounds(np.zeros(2), np.ones((2, 3)), ideal)] == [[0, 0], [0, 0]]


def test_tables_larger_than_a_batch_are_worked_on_pair_by_pair(monkeypatch):
    draw = np.random.default_rng(3)
    shift, known = draw.normal(size=(5, 7)), draw.normal(size=5)
    ideal = Ideal(np.array([1.0, 2.0]), np.array([4, 1]), np.concatenate(([0.0], np.cumsum(1 / np.arange(1.0, 6.0)))))
    expected = ndcg_bounds(known, shift, ideal)
    monkeypatch.setattr("rankgauge.kernels.bounds.CELLS", 1)
    assert np.array_equal(ndcg_bounds(known, shift, ideal), expected)


def test_between_two_corners_that_are_as_low_the_limit_is_lower():
    """Of 1, 0 to 1, and -2 only the second can be raised; the others repeat the corners before and behind it."""
    low, high = np.array([[1.0, 0.0, -2.0]]), np.array([[1.0, 1.0, -2.0]])
    scale = (1 / 3) / (np.std(high, ddof=1) - np.std(low, ddof=1))
    assert limit(-1, 5, 3, scale) == pytest.approx(limit(0, 6, 3, scale), rel=1e-14)
    (found,) = lowest_limits(low, high, scale)
    halfway = limit(-0.5, 5.5, 3, scale)
    assert halfway < limit(-1, 5, 3, scale) - 0.02
    assert halfway - 0.002 < found <= halfway


@pytest.mark.parametrize("unit", [1.0, 1e6])
def test_bounds_that_only_rounding_parts_do_not_hide_the_lowest_limit(unit):
    draw = np.random.default_rng(5)
    low = unit * draw.integers(-10, 11, (5000, 3)) / 10
    width = unit * draw.choice([0.0, 0.0, 0.3, 0.8], low.shape)
    parted = np.where(width > 0, low + width, np.nextafter(low, np.inf))
    found, expected = lowest_limits(low, parted, 1.2), lowest_limits(low, low + width, 1.2)
    assert np.abs(found - expected).max() < 1e-9 * unit


def test_a_limit_that_is_lowest_at_a_corner_is_that_of_the_corner_to_the_last_digits():
    low, high = np.array([[0.1, 0.3, 0.4]]), np.array([[1.1, 0.8, 1.4]])
    expected = low.mean() - 0.1 * low.std(ddof=1)
    assert lowest_limits(low, high, 0.1)[0] == pytest.approx(expected, rel=1e-14, abs=0)
