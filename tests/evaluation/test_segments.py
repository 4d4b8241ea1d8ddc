"""Means by a label of the queries."""

from __future__ import annotations

import pandas as pd
import pytest

import rankgauge as rg
from rankgauge.errors import UsageError

JUDGED = {user: {10: 1} for user in range(6)}
RUN = {user: [10, 11] if user % 2 else [11, 10] for user in range(6)}
COUNTRIES = {0: "at", 1: "de", 2: "at", 3: "de", 4: "at"}


@pytest.fixture
def scores() -> rg.Scores:
    return rg.evaluate(JUDGED, RUN, "RR P@1")


def test_labels_of_any_kind(scores: rg.Scores) -> None:
    users = pd.DataFrame({"userId": list(COUNTRIES), "country": list(COUNTRIES.values())})
    text = {str(user): label for user, label in COUNTRIES.items()}
    expected = {"at": {"run": {"RR": 0.5, "P@1": 0.0}}, "de": {"run": {"RR": 1.0, "P@1": 1.0}}}
    series = users.set_index("userId")["country"]
    for found in (scores.by(COUNTRIES), scores.by(text), scores.by(series), scores.by(users, "country")):
        assert found.mean() == expected
        assert found.unlabeled == 1
    assert "1 query without country, left out" in str(scores.by(users, "country"))


def test_slices_of_a_comparison_take_the_same_labels() -> None:
    both = rg.evaluate(JUDGED, {"old": RUN, "new": JUDGED}, "RR")
    for labels in (COUNTRIES, pd.Series(COUNTRIES)):
        found = rg.compare(both, by=labels)
        assert [(part.value, part.query_count) for part in found.slices] == [("at", 3), ("de", 2)]


def test_counts_and_intervals(scores: rg.Scores) -> None:
    found = scores.by({user: user < 2 for user in range(6)}).to_dict()
    assert {label: part["queries"] for label, part in found["segments"].items()} == {"False": 4, "True": 2}
    low = found["segments"]["False"]["low"]["run"]["RR"]
    assert low == scores.only(["2", "3", "4", "5"]).intervals()["run"]["RR"].low


def test_faults(scores: rg.Scores) -> None:
    with pytest.raises(UsageError, match="Are the ids written the same way"):
        scores.by({"u1": "at"})
    with pytest.raises(UsageError, match=r"scores.by\(table, .country.\); not DataFrame alone"):
        scores.by(pd.DataFrame({"user": [1], "country": ["at"]}))
