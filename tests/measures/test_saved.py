"""Measures that were written to a file."""

from __future__ import annotations

import json

import pytest

from rankgauge.errors import DataError, MeasureError, UsageError
from rankgauge.measures import parse, read_measure
from rankgauge.measures.grammar import spelled

FOUND = {"start": "nDCG@5", "optimum": "nDCG(discount=steps(1:1, 3:0.5))@5", "recommendation": "nDCG(discount=zipf)@5"}


def written(tmp_path, text):
    path = tmp_path / "measure.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_what_optimize_wrote_has_three_measures_and_the_optimum_unless_named(tmp_path):
    path = written(tmp_path, json.dumps(FOUND))
    assert read_measure(path) == parse(FOUND["optimum"])
    for part, text in FOUND.items():
        assert read_measure(path, part) == parse(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"nDCG@5"', "nDCG@5"),
        ('["nDCG@5", "AP"]', "nDCG@5 AP"),
        ('{"measure": "nDCG@7"}', "nDCG@7"),
        ("# the ones we report\nnDCG@5,\nAP RR@10\n", "nDCG@5, AP RR@10"),
    ],
)
def test_a_list_of_measures_is_read_as_it_is_typed(tmp_path, text, expected):
    assert spelled(written(tmp_path, text)) == expected


@pytest.mark.parametrize(
    ("text", "part", "error", "message"),
    [
        ("{", None, DataError, "is not JSON"),
        ("[" * 100_000, None, DataError, "nested too deeply"),
        ("[]", None, DataError, "holds no measure"),
        ("{}", None, DataError, "holds no measure"),
        ("{}", "start", DataError, "holds no start"),
        ('"AP"', "start", DataError, "holds no start"),
        ("[1]", None, DataError, "optimize"),
        (json.dumps(FOUND), "optimun", UsageError, "did you mean 'optimum'"),
        ("nDCG@5", "optimum", UsageError, "has no part"),
        ("nDCG@5 AP", None, MeasureError, "expected one measure"),
    ],
)
def test_a_file_without_a_measure_is_refused_with_the_reason(tmp_path, text, part, error, message):
    with pytest.raises(error, match=message):
        read_measure(written(tmp_path, text), part)


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.json: cannot be read"):
        read_measure(tmp_path / "none.json")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(DataError, match="is not UTF-8"):
        read_measure(tmp_path / "bytes")
