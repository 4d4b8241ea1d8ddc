from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rankgauge import Judgments, Policy, Run
from rankgauge.evaluation.ranked import lists_of

SCORES = {"b": 2.0, "a": 3.0, "d": 2.0, "q": 5.0, "c": 2.0 + 1e-9, "e": 1.0}


@pytest.mark.parametrize(
    ("how", "listed"),
    [
        ({}, "qacdbe"),
        ({"ties": "document"}, "qacdbe"),
        ({"ties": "document-asc"}, "qacbde"),
        ({"ties": "order"}, "qacbde"),
        ({"ties": "reverse"}, "qacdbe"),
        ({"ties": "mean"}, "qacdbe"),
        ({"precision": "single"}, "qadcbe"),
        ({"precision": "single", "ties": "order"}, "qabdce"),
        ({"own_id": "drop"}, "acdbe"),
        ({"depth": 4}, "qacd"),
        ({"depth": 4, "ties": "document-asc"}, "qacb"),
        ({"own_id": "drop", "depth": 2}, "ac"),
    ],
)
def test_documents_are_listed_in_the_order_that_evaluate_ranks_them(how, listed):
    judged = Judgments({"p": {"x": 2}, "q": {"c": 0, "e": 1}})
    rows = [(query, document, score) for document, score in SCORES.items() for query in ("q", "elsewhere")]
    frame = pl.DataFrame(rows, schema=["query", "document", "score"], orient="row")
    runs = [Run({"q": SCORES, "p": {"x": 1.0}}, name="a"), Run(frame, name="b")]
    for depth in (2, 9):
        found = lists_of(judged, runs, judged.queries, Policy(**how), depth)
        assert found.start.tolist() == [0, 1, 1 + 2 * len(listed[:depth])]
        assert "".join(found.documents) == "x" + 2 * listed[:depth]
        values = [{"c": 0.0, "e": 1.0}.get(one, np.nan) for one in listed[:depth]]
        np.testing.assert_array_equal(found.value[1:], 2 * values)
