"""Coefficients of agreement against the examples that their authors print."""

from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from rankgauge.analysis.judging.labels import coefficients, count_labels, counts_of, counts_of_confusion
from rankgauge.errors import UsageError

nan = np.nan
# Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, example C: four judges, twelve items.
CANONICAL = np.array(
    [
        [1, 1, nan, 1],
        [2, 2, 3, 2],
        [3, 3, 3, 3],
        [3, 3, 3, 3],
        [2, 2, 2, 2],
        [1, 2, 3, 4],
        [4, 4, 4, 4],
        [1, 1, 2, 1],
        [2, 2, 2, 2],
        [nan, 5, 5, 5],
        [nan, nan, 1, 1],
        [nan, nan, 3, nan],
    ]
)


def found(ratings):
    scale = np.unique(ratings[~np.isnan(ratings)])
    codes = np.where(np.isnan(ratings), -1, np.searchsorted(scale, np.nan_to_num(ratings))).astype(np.int64)
    return coefficients(count_labels(codes, scale))


def test_krippendorff_and_gwet_print_these_for_four_judges():
    assert {name: round(value, 3) for name, value in found(CANONICAL).items()} == {
        "alpha_nominal": 0.743,
        "alpha_ordinal": 0.815,
        "alpha_interval": 0.849,
        "ac1": 0.775,
        "ac2": 0.914,
    }
    assert found(CANONICAL)["ac1"] == pytest.approx(0.775444068126995, abs=1e-12)
    assert found(CANONICAL)["alpha_ordinal"] == pytest.approx(0.8153875037548813, abs=1e-12)


@pytest.mark.parametrize(
    ("confusion", "expected"),
    [
        # irrCAC: cont3x3abstractors; kappa 0.7964094, AC1 0.8493305, alpha 0.7972585.
        (
            [[13, 0, 0], [0, 20, 7], [0, 4, 56]],
            {
                "agreement": 0.89,
                "kappa": 0.7964094021839718,
                "ac1": 0.8493305482313461,
                "alpha_nominal": 0.7972584977308512,
                "kappa_quadratic": 0.8921568627450981,
                "ac2": 0.9402368792784962,
            },
        ),
        # The paradox of Gwet (2008): judges who agree on 94% have a kappa below 0.
        ([[118, 5], [2, 0]], {"agreement": 0.944, "kappa": -0.023391812865497075, "ac1": 0.9407763376087177}),
    ],
)
def test_tables_of_two_judges(confusion, expected):
    matrix = np.array(confusion, np.float64)
    got = coefficients(counts_of_confusion(matrix, np.arange(len(matrix), dtype=np.float64)))
    assert {name: got[name] for name in expected} == pytest.approx(expected, abs=1e-12)


def test_fleiss_six_judges():
    # irrCAC: distrib.6raters (Fleiss 1971): AC1 0.4448007, alpha 0.4204384.
    rows = "00060 03003 01401 00006 03030 20400 00402 20310 20040 00006 10050 11040 03300 10050 02031"
    tally = np.array([[int(digit) for digit in row] for row in rows.split()], np.float64)
    got = coefficients(counts_of(tally, np.arange(5.0)))
    assert got["ac1"] == pytest.approx(0.44480073293632644, abs=1e-12)
    assert got["alpha_nominal"] == pytest.approx(0.42043842682140553, abs=1e-12)


def collection(seed=0, queries=12, documents=9):
    draw = np.random.default_rng(seed)
    human = {f"q{q}": {f"d{d}": int(draw.integers(0, 4)) for d in range(documents)} for q in range(queries)}
    runs = {
        f"s{s}": {q: {d: v + (s + 1) * float(draw.normal()) for d, v in row.items()} for q, row in human.items()}
        for s in range(4)
    }
    judge = {q: {d: int(np.clip(v + draw.integers(-1, 2), 0, 3)) for d, v in row.items()} for q, row in human.items()}
    return human, judge, runs


def test_a_judge_agrees_with_itself_in_everything():
    human, _, runs = collection()
    found = rankgauge.judges(human, {"me": human}, runs)["me"]
    assert all(one.value == pytest.approx(1) for one in found.agreement.coefficients.values())
    assert all(one.se == pytest.approx(0, abs=1e-12) for one in found.agreement.coefficients.values())
    after = found.consequences["nDCG@10"]
    assert (after.tau_b, after.tau_ap) == (1, 1)
    assert (after.shift.median, after.shift.rms, after.beyond_chance, after.pairs_that_differ) == (0, 0, 0, 0)
    assert (after.verdicts.same, after.verdicts.lost, after.verdicts.gained, after.verdicts.reversed) == (6, 0, 0, 0)
    assert not after.is_systematic
    assert all(one.value == 0 for one in after.favours)


def test_the_jackknife_leaves_out_one_query_at_a_time():
    human, judge, _ = collection()
    found = rankgauge.judges(human, {"llm": judge})["llm"].agreement["kappa_quadratic"]
    without = [
        rankgauge.judges(*({q: row for q, row in one.items() if q != out} for one in (human, judge)), grades=range(4))[
            "judge 1"
        ]
        .agreement["kappa_quadratic"]
        .value
        for out in human
    ]
    n = len(human)
    expected = np.sqrt((n - 1) / n * np.square(np.array(without) - np.mean(without)).sum())
    assert found.se == pytest.approx(expected, rel=1e-12)


def test_scales_and_documents_that_differ_are_noted():
    human, judge, _ = collection()
    binary = {query: {document: 5 * (value > 1) for document, value in row.items()} for query, row in judge.items()}
    part = {query: dict(list(row.items())[:5]) for query, row in judge.items()}
    found = rankgauge.judges(human, {"yes or no": binary, "some": part})
    assert {note.kind for note in found.notes} == {"other-scale", "different-documents"}
    assert "--rel N" in str(found)
    same = rankgauge.judges(human, {"yes or no": binary, "some": part}, rel=2, common=True)
    assert not same.notes
    assert {judge.agreement.documents for judge in same.listed} == {60}
    assert same["some"].agreement.grades == (0.0, 1.0)


def test_one_grade_only_is_undefined_and_a_dash():
    one = {"q1": {"a": 1, "b": 1}, "q2": {"a": 1, "b": 1}}
    found = rankgauge.judges(one, {"me": one})
    assert np.isnan(found["me"].agreement["kappa"].value)
    assert found.to_dict()["judges"]["me"]["agreement"]["coefficients"]["kappa"]["value"] is None
    assert "undefined" in found.summary


def test_many_distinct_values_have_no_nominal_coefficients():
    draw = np.random.default_rng(1)
    human = {f"q{q}": {f"d{d}": float(draw.random()) for d in range(10)} for q in range(5)}
    other = {q: {d: v + 0.1 * float(draw.normal()) for d, v in row.items()} for q, row in human.items()}
    found = rankgauge.judges(human, {"model": other})["model"].agreement
    assert np.isnan(found["kappa"].value)
    assert found["kappa_quadratic"].value > 0.5
    assert found["alpha_ordinal"].value > 0.5


def test_what_is_asked_of_labels_alone_is_refused_where_it_needs_runs():
    human, judge, _ = collection()
    with pytest.raises(UsageError, match="has no effect here because it is about runs"):
        rankgauge.judges(human, judge, measures="AP")
    with pytest.raises(UsageError, match="not among"):
        rankgauge.judges(human, judge, grades=(0, 1))
    with pytest.raises(UsageError, match="unknown judge"):
        rankgauge.judges(human, judge)["nobody"]


def test_scales_that_cannot_agree_are_noted():
    reference = {f"q{q}": {"a": 3, "b": 1, "c": 0} for q in range(3)}
    binary = {query: {"a": 1, "b": 0, "c": 0} for query in reference}
    (note,) = rankgauge.judges(reference, {"two": binary}).notes
    assert note.text == "two: two grades at most where reference has 3, which lowers agreement"
    (note,) = rankgauge.judges(reference, {"two": binary}, rel=2).notes
    assert note.text == "two: no grade of 2 or more; every document counts as not relevant"


def test_one_verdict_and_no_order_are_said_in_words_that_fit():
    reference = {f"q{q}": {"a": 1, "b": 0} for q in range(3)}
    runs = {"x": {q: {"a": 2.0, "b": 1.0} for q in reference}, "y": {q: {"b": 2.0, "a": 1.0} for q in reference}}
    found = rankgauge.judges(reference, {"me": reference}, runs, measures="P@1")
    assert "the one verdict stays." in found.summary
    nothing = {query: dict.fromkeys(row, 0) for query, row in reference.items()}
    found = rankgauge.judges(reference, {"me": nothing}, runs, measures="P@1")
    part = found["me"].parts[0]
    assert "gives no order of 2 systems" in found.summary
    assert np.isnan(part.tau_b)
    assert np.isnan(part.tau_ap)
    assert "-0.00" not in str(found)
