import json

import polars as pl
import pytest

from rankgauge import compare
from rankgauge.errors import AnalysisError, DataError


def churn(before, after, cutoff=10):
    return compare(None, {"before": before, "after": after}, cutoff=cutoff)


def test_nothing_changed():
    lists = {"q1": list("abc"), "q2": list("xyz")}
    found = churn(lists, lists, cutoff=2)
    assert (found.query_count, found.changed, found.reordered, found.new_first) == (2, 0, 0, 0)
    assert (found.overlap, found.rbo) == (1.0, pytest.approx(1.0))
    assert found.per_query[0].first_change is None


def test_changes_are_counted_by_kind():
    before = {
        "same": list("abc"),
        "swapped": list("abc"),
        "replaced": list("abc"),
        "new": list("abc"),
        "below": list("abcd"),
    }
    after = {
        "same": list("abc"),
        "swapped": list("bac"),
        "replaced": list("abx"),
        "new": list("xyz"),
        "below": list("abce"),
    }
    found = churn(before, after, cutoff=3)
    assert (found.query_count, found.changed, found.reordered, found.new_first) == (5, 3, 1, 2)
    assert found.overlap == pytest.approx((1 + 1 + 2 / 3 + 0 + 1) / 5)
    by_query = {query.query: query for query in found.per_query}
    assert (by_query["replaced"].entered, by_query["replaced"].left, by_query["replaced"].first_change) == (
        ("x",),
        ("c",),
        3,
    )
    assert [query.query for query in found.per_query][:2] == ["new", "replaced"]
    assert by_query["below"].rbo < 1.0


def test_short_lists_overlap_in_full_when_they_are_equal():
    assert churn({"q": ["a"]}, {"q": ["a"]}, cutoff=10).overlap == 1.0
    found = churn({"q": ["a"]}, {"q": ["a", "b", "c", "d"]}, cutoff=10)
    assert found.overlap == 0.25
    assert found.per_query[0].first_change == 2


def test_queries_of_one_run_only_are_named():
    found = churn({"q1": ["a"], "q2": ["b"]}, {"q2": ["b"], "q3": ["c"]})
    assert (found.query_count, found.only_before, found.only_after) == (1, ("q1",), ("q3",))


def test_the_summary_and_the_json():
    found = churn({"q": list("ab")}, {"q": list("ba")}, cutoff=2)
    assert found.summary == (
        "1 of 1 queries changed in the top 2 (1 only in order), 1 have a new first result; overlap 1.0000, RBO 0.9000."
    )
    result = found.to_dict()
    assert result["per_query"][0]["first_change"] == 1
    assert json.loads(json.dumps(result, allow_nan=False)) == result


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: churn({"q1": ["a"]}, {"q2": ["a"]}), AnalysisError, "no query in common"),
        (
            lambda: churn(pl.DataFrame({"query": "q", "document": list("aba"), "score": [3, 2, 1]}), {"q": ["a"]}),
            DataError,
            "query q has document a twice",
        ),
    ],
)
def test_faults_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
