from decimal import Decimal

import numpy as np
import pytest

from rankgauge.data.vectors import aligned, lists_of, numbers
from rankgauge.errors import DataError


def test_columns_keep_their_kind_of_number():
    truth, predicted = aligned([1, 2, 2**62 + 1], np.array([0.5, 1, 2], np.float32))
    assert truth.tolist() == [1, 2, 2**62 + 1]
    assert predicted.dtype == np.float32


def test_columns_without_items_are_columns():
    assert aligned([], ())[0].shape == (0,)


def test_unequal_lengths_are_named():
    with pytest.raises(DataError, match="truth has 3 items and predicted 2"):
        aligned([1, 2, 3], [1, 2])


def test_values_that_are_not_finite_are_counted_and_shown():
    with pytest.raises(DataError) as error:
        numbers([1, float("nan"), float("inf"), 4], "predicted")
    assert str(error.value).splitlines()[:3] == [
        "predicted: 2 of 4 values are not finite numbers",
        "    item 2: nan",
        "    item 3: inf",
    ]


def test_gaps_are_shown_as_they_were_given():
    with pytest.raises(DataError, match="item 2: None"):
        numbers([1, None, 3], "truth")


def test_objects_that_are_numbers_are_read():
    assert numbers([Decimal("0.5"), 2, True], "truth").tolist() == [0.5, 2, 1]


@pytest.mark.parametrize(
    ("column", "place"),
    [(["1", "2", "two"], "item 3: 'two'"), (["1", "2"], "item 1: '1'"), ([1, None, "x"], "item 3: 'x'")],
)
def test_text_is_refused_at_the_first_value_that_is_no_number(column, place):
    with pytest.raises(DataError, match=place):
        numbers(column, "truth")


def test_dates_are_refused():
    with pytest.raises(DataError, match="datetime64"):
        numbers(np.array(["2020-01-01"], "M8[D]"), "truth")


def test_a_matrix_is_not_a_column():
    with pytest.raises(DataError, match=r"truth has shape \(1, 2\)"):
        numbers([[1, 2]], "truth")


@pytest.mark.parametrize("groups", [[b"a", b"\xff"], np.array([b"a", b"\xff"])])
def test_groups_of_bytes_that_are_not_text_are_refused(groups):
    with pytest.raises(DataError, match=r"groups holds bytes that are not text\n    item 2: b'\\xff'"):
        lists_of([1, 2], [1, 2], groups)
