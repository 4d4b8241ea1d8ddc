import json
import math

import numpy as np
import pytest

import rankgauge
from cubes import Cube
from rankgauge.errors import AnalysisError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.kernels.ranks import kendall_tau, rmse, tau_ap


def agreement(table):
    return rankgauge.agreement(table.scores() if isinstance(table, Cube) else table)


@pytest.fixture
def table():
    random = np.random.default_rng(4)
    first = random.random((6, 10))
    return Cube(
        {"AP": first, "RR": first + random.normal(0, 0.1, first.shape)},
        tuple("abcdef"),
        tuple(f"q{at}" for at in range(10)),
    )


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
    assert agreement(Cube(cube, tuple("abc"))).tau[0][1] == pytest.approx(2 / math.sqrt(2 * 3))


def test_a_query_without_a_score_for_one_system_is_left_out_of_that_measure(table):
    whole = table.cube["RR"]
    table.cube["RR"] = whole.copy()
    table.cube["RR"][2, 3] = np.nan
    found = agreement(table)
    assert found.query_counts == (10, 9)
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
