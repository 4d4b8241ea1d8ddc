"""One measure for several collections."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from grade_tables import exchangeable, random_table
from rankgauge.analysis.optimize.compromise import compromise_of
from rankgauge.analysis.optimize.search.form import discount_form, gain_form, scores_of
from rankgauge.analysis.optimize.search.mixture import cells_of, jointly, slopes_everywhere, value_and_slopes
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.search import search
from rankgauge.analysis.optimize.search.weighting import Question, named_discount, named_weighting
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.measures import parse

BOTH = ("discount", "gain")


def collections():
    return {f"c{seed}": random_table(seed, systems=8, queries=12, ranks=10) for seed in (1, 2, 3)}


@pytest.mark.parametrize("over", ["discount", "gain", "both"])
def test_one_collection_alone_gets_its_optimum(over):
    found = compromise_of({"alone": collections()["c1"]}, over=over)
    assert found.worst == pytest.approx(1, abs=1e-6)
    assert found.gap <= 1e-6


@pytest.mark.parametrize("over", ["discount", "both"])
def test_the_least_favoured_collection_fares_better_than_under_any_rival(over):
    tables = collections()
    found = compromise_of(tables, over=over)
    assert found.gap <= 1e-6
    own = {name: search(table, Question(named_weighting(table), found.over))[0] for name, table in tables.items()}
    rivals = [(named_discount(name, 10), np.array([1.0, 2.0])) for name in ("log2", "zipf", "linear", "none")]
    rivals += [(trial.discount, trial.gain) for trial in own.values()]
    for discount, gain in rivals:
        worst = min(dependability(scores_of(table, discount, gain)) / own[name].value for name, table in tables.items())
        assert found.worst >= worst - 1e-7
    assert found.worst == pytest.approx(min(one.efficiency for one in found.served))
    assert str(parse(found.measure)) == found.measure


def test_raw_values_are_decided_by_the_weakest_collection():
    strong, weak = random_table(1, systems=8, queries=12, ranks=20), exchangeable(1)
    weak = type(weak)(weak.codes, (1.0, 2.0), np.column_stack((weak.pool, np.zeros(40, int))))
    found = compromise_of({"weak": weak, "strong": strong}, relative=False)
    assert found.served[1].dependability > found.served[0].own_optimum
    assert found.worst == pytest.approx(found.served[0].own_optimum, abs=1e-7)


def test_several_cutoffs_of_one_collection_share_the_first_weights():
    table = random_table(4, systems=8, queries=12, ranks=12)
    found = compromise_of({"3": table.cut(3), "6": table.cut(6), "12": table})
    assert len(found.discount) == 12
    shallow = dependability(scores_of(table.cut(3), np.array(found.discount[:3]), np.array([1.0, 2.0])))
    assert found.served[0].dependability == shallow
    assert found.gap <= 1e-6


def test_cells_mix_to_the_scores_of_gain_and_discount():
    table = random_table(5, systems=6, queries=7, levels=3)
    ends = np.arange(1, 9)
    shares, levels = np.full(8, 1 / 8), np.array([0.5, 0.3, 0.2])
    discount = sum(share * np.where(np.arange(8) < k, 1 / k, 0) for k, share in zip(ends, shares, strict=True))
    value, of_shares, of_levels = value_and_slopes(cells_of(table, ends, None, BOTH), shares, levels)
    assert value == pytest.approx(dependability(scores_of(table, discount, levels.cumsum())), abs=1e-12)
    again, everywhere = slopes_everywhere(table, discount, levels.cumsum(), BOTH)
    assert again == pytest.approx(value, abs=1e-12)
    assert_allclose(np.concatenate((of_shares, of_levels)), everywhere, atol=1e-9)


def test_cells_sum_up_what_is_not_searched():
    table = random_table(6, systems=6, queries=7)
    fixed = named_weighting(table, "zipf", "exp")
    ends = np.array([2, 8, 11])  # beyond the table's ranks, too
    shares = np.array([0.2, 0.5, 0.3])
    value, *_ = value_and_slopes(cells_of(table, ends, fixed, ("discount",)), shares, np.ones(1))
    discount = shares[0] / 2 * (np.arange(8) < 2) + shares[1] / 8 + shares[2] / 11
    assert value == pytest.approx(discount_form(table, fixed.gain).value(discount), abs=1e-12)
    value, *_ = value_and_slopes(cells_of(table, ends, fixed, ("gain",)), np.ones(1), np.array([0.4, 0.6]))
    assert value == pytest.approx(gain_form(table, fixed.discount).value(np.array([1.0, 0.4])), abs=1e-12)


def test_moving_together_never_loses():
    table = random_table(7, systems=8, queries=12)
    discount, gain = named_discount("linear", 8) / 4.5, np.array([1.0, 2.0])
    moved = jointly(table, discount, gain)
    assert dependability(scores_of(table, *moved)) > dependability(scores_of(table, discount, gain))


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        ({}, {}, UsageError, "no collection"),
        ({"a": random_table(1), "b": random_table(1, levels=3)}, {}, UsageError, "share their grades"),
        ({"a": random_table(1), "few": random_table(1, systems=2)}, {}, AnalysisError, "few: 2 systems"),
        ({"a": exchangeable(1, 4, 5, 3)}, {"over": "gain"}, AnalysisError, "only one grade"),
    ],
)
def test_collections_that_cannot_share_a_measure_are_refused(given, options, error, message):
    with pytest.raises(error, match=message):
        compromise_of(given, **options)


def test_one_grade_leaves_the_discount():
    assert compromise_of({"a": exchangeable(1, 6, 8, 4)}, over="both").over == ("discount",)
