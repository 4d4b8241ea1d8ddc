import json
import math
from dataclasses import dataclass

import numpy as np
import pytest

from rankgauge.analysis.agreement import agreement, kendall_tau, rank_biased_overlap, rmse, tau_ap
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.evaluate import evaluate


@dataclass
class Table:
    cube: dict
    systems: tuple

    @property
    def measures(self):
        return tuple(self.cube)

    @property
    def queries(self):
        return tuple(f"q{at}" for at in range(len(next(iter(self.cube.values()))[0])))

    def matrix(self, measure):
        return self.cube[measure]


def test_tau_counts_pairs_in_order_and_in_reverse():
    # Of six pairs only (b, c) is turned round.
    assert kendall_tau([4, 3, 2, 1], [4, 2, 3, 1]) == pytest.approx((5 - 1) / 6)


def test_tau_b_leaves_tied_pairs_out_of_its_scale():
    # Pairs: one tied in the second only, two concordant, none discordant.
    assert kendall_tau([3, 2, 1], [2, 1, 1]) == pytest.approx(2 / math.sqrt(3 * 2))


def test_equal_and_reversed_orders_are_the_ends_of_every_scale():
    order, tied = [0.9, 0.5, 0.4, 0.1], [0.9, 0.5, 0.5, 0.1]
    for scores in (order, tied):
        backwards = [-score for score in scores]
        assert kendall_tau(scores, scores) == 1
        assert tau_ap(scores, scores) == 1
        assert kendall_tau(scores, backwards) == -1
        assert tau_ap(scores, backwards) == -1


def test_an_order_that_ties_everything_agrees_with_nothing():
    assert math.isnan(kendall_tau([1, 2, 3], [1, 1, 1]))
    assert math.isnan(tau_ap([1, 2, 3], [1, 1, 1]))
    assert tau_ap([1, 1, 1], [1, 2, 3]) == -1


def test_tau_ap_follows_its_formula():
    # Reference a b c d, estimate b a d c: C(i)/(i-1) is 0/1 for a, 2/2 for d, 2/3 for c.
    assert tau_ap([4, 3, 2, 1], [3, 4, 1, 2]) == pytest.approx(2 / 3 * (0 / 1 + 2 / 2 + 2 / 3) - 1)


def test_a_swap_at_the_top_costs_tau_ap_more_than_one_at_the_bottom():
    reference = [5, 4, 3, 2, 1]
    top, bottom = [4, 5, 3, 2, 1], [5, 4, 3, 1, 2]
    assert kendall_tau(reference, top) == kendall_tau(reference, bottom)
    assert tau_ap(reference, top) < tau_ap(reference, bottom)


def test_tau_ap_equals_its_definition_by_brute_force():
    random = np.random.default_rng(8)
    for _ in range(100):
        n = int(random.integers(2, 12))
        reference, estimate = random.permutation(n), random.permutation(n)
        ranked = sorted(range(n), key=lambda item: -estimate[item])
        total = 0.0
        for i in range(2, n + 1):
            item = ranked[i - 1]
            correct = sum(reference[other] > reference[item] for other in ranked[: i - 1])
            total += correct / (i - 1)
        assert tau_ap(reference, estimate) == pytest.approx(2 / (n - 1) * total - 1, abs=1e-12)


def test_tau_ap_compares_tied_items_with_those_strictly_above_only():
    random = np.random.default_rng(9)
    for _ in range(100):
        n = int(random.integers(2, 12))
        reference, estimate = random.integers(0, 4, n), random.integers(0, 4, n)
        shares = []
        for item in range(n):
            above = [other for other in range(n) if estimate[other] > estimate[item]]
            if above:
                shares.append(sum(reference[other] > reference[item] for other in above) / len(above))
        expected = 2 * sum(shares) / len(shares) - 1 if shares else math.nan
        assert tau_ap(reference, estimate) == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_rmse_is_the_root_of_the_mean_square():
    assert rmse([0.1, 0.5], [0.4, 0.1]) == pytest.approx(math.sqrt((0.3**2 + 0.4**2) / 2))


def test_rank_biased_overlap_follows_its_formula():
    # Overlaps of "abc" and "bad" at depths 1, 2, 3: 0, 2, 2.
    p = 0.8
    expected = (1 - p) / p * (0 / 1 * p + 2 / 2 * p**2 + 2 / 3 * p**3) + 2 / 3 * p**3
    assert rank_biased_overlap("abc", "bad", p) == pytest.approx(expected)


def test_rank_biased_overlap_of_lists_of_different_length_extrapolates_the_shorter():
    # Overlaps of "ab" within "acbd": 1, 1, 2, 2; agreement at the shorter's end is 1/2 and goes on beyond it.
    p = 0.9
    seen = 1 / 1 * p + 1 / 2 * p**2 + (2 + 1 * 1 / 2) / 3 * p**3 + (2 + 1 * 2 / 2) / 4 * p**4
    expected = (1 - p) / p * seen + ((2 - 1) / 4 + 1 / 2) * p**4
    assert rank_biased_overlap("ab", "acbd", p) == pytest.approx(expected)
    assert rank_biased_overlap("acbd", "ab", p) == pytest.approx(expected)


def test_rank_biased_overlap_of_equal_disjoint_and_empty_lists():
    assert rank_biased_overlap("abcd", "abcd") == pytest.approx(1)
    assert rank_biased_overlap("abcd", "efgh") == 0
    assert rank_biased_overlap("", "efgh") == 0
    assert math.isnan(rank_biased_overlap("", ""))


def test_rank_biased_overlap_refuses_what_it_cannot_use():
    with pytest.raises(UsageError, match="item twice"):
        rank_biased_overlap("aba", "abc")
    with pytest.raises(UsageError, match="persistence must lie between 0 and 1"):
        rank_biased_overlap("ab", "ab", 1.0)


@pytest.mark.parametrize(
    ("first", "second", "error", "message"),
    [
        ([1, 2], [1, 2, 3], UsageError, "one length"),
        ([1], [1], AnalysisError, "at least 2"),
        ([1, math.nan], [1, 2], UsageError, "nan or infinite"),
    ],
)
def test_vectors_that_are_no_orders_are_refused(first, second, error, message):
    for coefficient in (kendall_tau, tau_ap, rmse):
        with pytest.raises(error, match=message):
            coefficient(first, second)


@pytest.fixture
def table():
    random = np.random.default_rng(4)
    first = random.random((6, 10))
    return Table({"AP": first, "RR": first + random.normal(0, 0.1, first.shape)}, tuple("abcdef"))


def test_a_matrix_of_agreement_holds_every_pair_of_measures(table):
    found = agreement(table)
    means = [table.cube[measure].mean(axis=1) for measure in ("AP", "RR")]
    assert found.tau[0][1] == found.tau[1][0] == kendall_tau(*means)
    assert found.tau_ap[0][1] == tau_ap(reference=means[0], estimate=means[1])
    assert found.tau_ap[1][0] == tau_ap(reference=means[1], estimate=means[0])
    assert found.rmse[0][1] == pytest.approx(rmse(*means), rel=1e-12)
    assert found.tau[0][0] == found.tau_ap[1][1] == 1
    assert found.rmse[0][0] == 0
    assert found.means[1] == pytest.approx(means[1])


def test_the_json_of_agreement_has_the_promised_names(table):
    found = json.loads(json.dumps(agreement(table).to_dict(), allow_nan=False))
    assert found["measures"] == ["AP", "RR"]
    for name in ("tau", "tau_ap", "rmse"):
        assert len(found[name]) == 2
        assert len(found[name][0]) == 2


def test_agreement_prints_a_matrix_per_coefficient(table):
    found = agreement(table)
    lines = str(found).splitlines()
    assert lines[:2] == ["agreement of 2 measures on 6 systems", "      measure      AP      RR"]
    assert [line.split()[0] for line in lines[2:8]] == ["τ-b", "τ-b", "τ_AP", "τ_AP", "RMSE", "RMSE"]
    assert lines[2].split() == ["τ-b", "AP", "1.0000", f"{found.tau[0][1]:.4f}"]
    assert lines[5].split() == ["τ_AP", "RR", f"{found.tau_ap[1][0]:.4f}", "1.0000"]
    assert repr(found) == "Agreement(AP, RR; 6 systems)"


def test_columns_of_long_names_are_numbered_to_read_and_named_to_process(table):
    long = [f"nDCG(gain=exp, discount=zipf)@{cutoff}" for cutoff in (10, 20, 100)]
    table.cube = dict.fromkeys(long, table.cube["AP"])
    found = agreement(table)
    assert [column.name for column in found.table().columns] == ["", "measure", "1", "2", "3"]
    assert found.table().rows[1][1] == f"2 {long[1]}"
    assert max(map(len, str(found).splitlines())) <= 80
    assert [column.name for column in found.wide_table().columns] == ["coefficient", "measure", *long]


def test_means_that_differ_by_rounding_are_tied():
    # 0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ in the last bit.
    cube = {"P@5": np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.9, 0.9, 0.9]]), "AP": np.eye(3) * [[1], [2], [3]]}
    means = cube["P@5"].mean(axis=1)
    cube["P@5"][0, 0] += 2e-16
    assert cube["P@5"].mean(axis=1)[0] != means[1]
    assert agreement(Table(cube, tuple("abc"))).tau[0][1] == pytest.approx(2 / math.sqrt(2 * 3))


def test_a_query_without_a_score_for_one_system_is_left_out_of_that_measure(table):
    whole = table.cube["RR"]
    table.cube["RR"] = whole.copy()
    table.cube["RR"][2, 3] = np.nan
    found = agreement(table)
    assert found.queries == (10, 9)
    assert found.means[1] == pytest.approx(np.delete(whole, 3, axis=1).mean(axis=1))
    assert "RR: 1 query without a score for some system, left out for all (q3)" in found.table().notes


def test_a_measure_that_ties_all_systems_has_no_agreement(table):
    table.cube["RR"] = np.full((6, 10), 0.25)
    assert agreement(table).to_dict()["tau"] == [[1.0, None], [None, None]]


def test_one_measure_has_nothing_to_agree_with(table):
    del table.cube["RR"]
    with pytest.raises(AnalysisError, match="two or more measures"):
        agreement(table)


def test_a_geometric_mean_orders_systems_as_evaluate_prints_them():
    # Equal arithmetic means of AP; the geometric ones differ.
    judged = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}}
    good, poor = {"a": 2.0, "b": 1.0}, {"b": 2.0, "x": 1.5, "a": 1.0}
    runs = {"even": {"q1": {"b": 2.0, "a": 1.0}, "q2": {"b": 2.0, "a": 1.0}}, "odd": {"q1": good, "q2": poor}}
    scores = evaluate(judged, runs, "AP GMAP")
    found = agreement(scores)
    assert found.means[1] == pytest.approx([0.5, math.sqrt(1 / 3)])
    assert [tuple(row) for row in found.means] == [
        tuple(scores.mean()[system][measure] for system in ("even", "odd")) for measure in ("AP", "GMAP")
    ]
