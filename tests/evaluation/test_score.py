from __future__ import annotations

import gzip
import io
import json
import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score

from laws import strategies as some
from rankgauge import Policy, score
from rankgauge.errors import DataError, MeasureError, PolicyError, UsageError

TRUTH = [9, 4, 4, 2, 2, 2, 1, 1, 1, 1]
PREDICTED = [4, 4, 2, 9, 2, 2, 1, 1, 1, 1]

values = st.sampled_from([0, 0, 1, 2, 3.5])
predictions = st.sampled_from([-1.0, 0.0, 0.5, 0.5, 2.0])


@given(some.any_measure(), st.lists(st.tuples(values, predictions), min_size=1, max_size=8))
def test_every_measure_scores_two_columns(measure, items):
    truth, predicted = zip(*items, strict=True)
    result = score(measure, truth, predicted, policy=Policy(ties="order"))
    low, high = measure.definition.range
    assert np.isnan(result) or low - 1e-12 <= result <= high + 1e-12


@given(st.integers(1, 6), st.integers(2, 7), st.one_of(st.none(), st.integers(1, 9)), st.data())
def test_the_dense_path_equals_the_plain_one_and_scikit_learn(rows, width, cutoff, data):
    truth = np.array(
        data.draw(st.lists(st.lists(values, min_size=width, max_size=width), min_size=rows, max_size=rows))
    )
    predicted = np.array(
        data.draw(st.lists(st.lists(predictions, min_size=width, max_size=width), min_size=rows, max_size=rows))
    )
    measure = "nDCG" if cutoff is None else f"nDCG@{cutoff}"
    whole = list(score(measure, truth, predicted, details=True).per_group.values())
    for row in range(rows):
        assert whole[row] == pytest.approx(score(measure, truth[row], predicted[row]), abs=1e-12)
        if truth[row].any():
            assert whole[row] == pytest.approx(ndcg_score(truth[[row]], predicted[[row]], k=cutoff), abs=1e-12)


def test_groups_name_the_lists_in_order_of_appearance():
    found = score("P@1", [1, 0, 0, 1], [1, 2, 3, 4], ["b", "b", "a", "a"], details=True)
    assert list(found.per_group.items()) == [("b", 0), ("a", 1)]
    assert (found.value, found.items, found.ties) == (0.5, 4, "mean")
    assert score("P@1", [1, 0, 0, 1], [1, 2, 3, 4], ["b", "b", "a", "a"]) == 0.5


def test_groups_may_be_scattered():
    together = score("AP", [1, 0, 0, 1], [1, 2, 3, 4], ["a", "a", "b", "b"], details=True).per_group
    assert score("AP", [1, 0, 0, 1], [1, 3, 2, 4], ["a", "b", "a", "b"], details=True).per_group == together


@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series])
def test_columns_of_any_kind_score_alike(kind):
    assert score("nDCG", kind(TRUTH), kind(PREDICTED)) == score("nDCG", TRUTH, PREDICTED)


def test_ties_count_with_their_mean_unless_the_policy_says_otherwise():
    assert score("P@1", [1, 0], [5, 5]) == 0.5
    assert score("P@1", [1, 0], [5, 5], policy=Policy(ties="worst")) == 0
    assert score("P@1", [1, 0], [5, 5], policy=Policy(ties="order")) == 1
    with pytest.raises(PolicyError):
        score("P@1", [1, 0], [5, 5], policy=Policy(ties="error"))


def test_rising_weights_take_the_plain_path():
    assert score("nDCG(discount=weights(0.2, 1))", [[1, 3], [1, 3]], [[2, 1], [2, 1]]) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: score("AP", [1, 2], [1]), "truth has 2 items and predicted 1"),
        (lambda: score("AP", [1, float("nan")], [1, 2]), "not finite"),
        (lambda: score("AP", ["a", "b"], [1, 2]), "holds text"),
        (lambda: score("AP", [], []), "no items"),
        (lambda: score("AP", [[1, 2]], [[1]]), "shape"),
        (lambda: score("AP", [1, 2], [1, 2], ["a"]), "groups has 1 entries and truth 2"),
    ],
)
def test_columns_that_do_not_fit_are_refused(call, message):
    with pytest.raises(DataError, match=message):
        call()


def test_one_item_is_a_list():
    assert score("nDCG", [1], [0.5]) == 1


@pytest.mark.parametrize("gap", [None, math.nan, pd.NA])
def test_an_item_without_a_group_is_refused(gap):
    with pytest.raises(DataError, match="1 of 3 items have no group") as caught:
        score("AP", [1, 0, 1], [1, 2, 3], pd.Series(["a", gap, "b"], dtype=object))
    assert "item 2" in str(caught.value)


def test_groups_of_nothing_are_refused():
    with pytest.raises(DataError, match="no items"):
        score("AP", [], [], [])


@given(st.lists(st.integers(0, 3), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_scattered_groups_equal_gathered_ones_whatever_names_them(labels, random):
    truth, predicted = ([random.randrange(4) for _ in labels] for _ in range(2))
    by_group = {label: [place for place, other in enumerate(labels) if other == label] for label in labels}
    one_by_one = [
        score("AP", [truth[place] for place in places], [predicted[place] for place in places])
        for places in by_group.values()
    ]
    for named in (labels, [f"query {label}" for label in labels], pd.Series(labels), pl.Series(map(str, labels))):
        together = score("AP", truth, predicted, named, details=True).per_group
        assert list(together.values()) == one_by_one


@pytest.mark.parametrize(("scores", "value"), [([100, 80, 90, 15, 10], 0.956522), ([100, 20, 90, 15, 10], 0.923380)])
def test_rbp_over_its_ideal_is_an_ndcg(scores, value):
    measure = "nDCG(relevance=phi, gain=linear, discount=rbp(0.8))"
    assert score(measure, scores, [5, 4, 3, 2, 1]) == pytest.approx(value, abs=5e-7)


TABLE = "user;clicks;model\nu1;3;0.1\nu1;2;0.5\nu2;1;0.2\nu2;0;0.1\n"
COLUMNS = {"truth": "clicks", "predicted": "model", "groups": "user"}


@pytest.mark.parametrize("sign", [";", ",", "\t"])
@pytest.mark.parametrize("packed", [False, True])
def test_columns_of_a_file_are_scored(tmp_path, sign, packed):
    path = tmp_path / ("t.tsv.gz" if packed else "t.csv")
    text = TABLE.replace(";", sign).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    found = score("RR", file=path, **COLUMNS, details=True)
    assert found.per_group == {"u1": 1.0, "u2": 1.0}
    assert score("RR", file=str(path), truth="clicks", predicted="model") == 1.0


def test_columns_come_through_standard_input_and_frames(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TABLE.encode())))
    whole = score("nDCG", file="-", **COLUMNS)
    frame = pl.read_csv(io.StringIO(TABLE), separator=";")
    assert score("nDCG", file=frame, **COLUMNS) == whole
    assert score("nDCG", file=frame.to_pandas(), **COLUMNS) == whole
    assert score("nDCG", file=frame.to_dict(as_series=False), **COLUMNS) == whole


def test_two_files_of_one_column_are_scored(tmp_path):
    (tmp_path / "truth.csv").write_text("value\n3\n2\n1\n")
    (tmp_path / "predicted.txt.gz").write_bytes(gzip.compress(b"0.1\n0.5\n0.2\n"))
    assert score("nDCG", tmp_path / "truth.csv", tmp_path / "predicted.txt.gz") == score("nDCG", [3, 2, 1], [1, 5, 2])
    pl.DataFrame({"any": [1, 5, 2]}).write_parquet(tmp_path / "p.parquet")
    assert score("nDCG", [3, 2, 1], tmp_path / "p.parquet") == score("nDCG", [3, 2, 1], [1, 5, 2])


def test_details_are_those_of_the_command():
    found = score("rankDCG", TRUTH, PREDICTED, details=True, chance=True, seed=3)
    assert found.value == score("rankDCG", TRUTH, PREDICTED)
    assert found.per_group is None
    data = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert (data["measure"], data["items"], data["ties"]) == ("rankDCG", 10, "worst")
    assert data["chance"]["seed"] == 3
    assert "chance: " in str(found)
    flat = score("rankDCG", [1, 1, 1, 2], [1, 2, 3, 4], ["a", "a", "b", "b"], details=True)
    assert flat.to_dict()["per_group"] == {"a": None, "b": 1.0}
    assert flat.to_dict()["mean"] == 1.0
    assert flat.notes[0].examples == ("a",)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: score("AP", [1, 2]), "truth and predicted"),
        (lambda: score("AP", "t", "p", file=3), "a path or a table"),
        (lambda: score("AP", [1], "p", file={"p": [1]}), "names of columns"),
        (lambda: score("AP", "t", "q", file={"t": [1], "pp": [1]}), "no column 'q'"),
        (lambda: score("AP", [1, 0], [1, 2], chance=True), "details=True"),
        (lambda: score("AP", [1, 0], [1, 2], details=True, chance=True), "rankDCG of one list"),
        (lambda: score("rankDCG", [1, 0], [1, 2], ["a", "a"], details=True, chance=True), "rankDCG of one list"),
        (lambda: score("AP", "no/such/file", [1]), "no such file"),
    ],
)
def test_wrong_use_is_refused(call, message):
    with pytest.raises((DataError, UsageError), match=message):
        call()


def test_tied_tiers_are_told():
    # Eight shared items among 92 without a share, these first: all that are tied at a boundary have the mean of its tiers.
    truth, predicted = [0] * 92 + list(range(8, 0, -1)), range(100, 0, -1)
    found = score("nDCG(relevance=tiers(10, 25, 50))@10", truth, predicted, details=True)
    assert found.value == pytest.approx(0.245892, abs=5e-7)  # 1.0 before
    assert [note.kind for note in found.notes] == ["tied-tiers"]
    assert "on both sides of a tier boundary in this list" in found.table().notes[1]
    both = score("nDCG(relevance=tiers(10, 25, 50)) rankDCG", truth, {"one": list(predicted), "two": list(range(100))})
    assert [note.kind for note in both.notes] == ["tied-tiers"]
    grouped = score("nDCG(relevance=tiers(1))", [2, 2, 3, 1], [1, 2, 3, 4], ["a", "a", "b", "b"], details=True)
    assert "in 1 list (a)" in grouped.notes[0].text


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("shape", [(6,), (2, 3)])
def test_what_is_masked_is_missing(side, shape):
    columns = [np.arange(6.0).reshape(shape) % 4, np.linspace(0, 1, 6).reshape(shape)]
    columns[side] = np.ma.masked_array(columns[side], np.arange(6).reshape(shape) == 4)
    with pytest.raises(DataError, match=r"1 of 6 values are not finite numbers\n.*item 5: None"):
        score("nDCG@2", *columns)
    columns[side].mask = False
    assert score("nDCG@2", *columns) == score("nDCG@2", *map(np.asarray, columns))
    with pytest.raises(DataError, match="1 of 6 items have no group"):
        score("nDCG@2", columns[0].ravel(), columns[1].ravel(), np.ma.masked_equal([1, 1, 2, 2, 3, 4], 4))


def test_scores_whose_sum_is_beyond_all_numbers_are_sound_and_a_refused_gain_is_told():
    truth, huge = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]), np.array([[1.5e308, 1.6e308, 1.7e308], [3.0, 1.0, 2.0]])
    assert score("nDCG@2", truth, huge) == score("nDCG@2", truth, huge / 10)
    assert score("nDCG@2", truth, huge, policy=Policy(precision="single")) != score("nDCG@2", truth, huge)
    with pytest.raises(MeasureError, match="gain"):
        score("nDCG(gain=exp)@2", truth + 2000, huge)
