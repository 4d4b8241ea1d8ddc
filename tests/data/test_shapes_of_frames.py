"""Tables and collections in memory as pandas, NumPy and plain Python leave them: read, or refused with the call to make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import RankgaugeError

WATCHED = pd.DataFrame({"userId": [1, 1, 2, 3], "movieId": [10, 11, 12, 13], "rating": [5.0, 4.0, 2.0, 3.0]})
LISTED = pd.DataFrame({"userId": [1, 1, 2, 3, 3], "movieId": [10, 12, 12, 11, 13], "rank": [1, 2, 1, 1, 2]})
BY_USER = LISTED.groupby("userId")["movieId"].apply(list)
EXPECTED = rg.evaluate(WATCHED, LISTED, "nDCG@5 hit@1").mean()["run"]


def means(judged: Any, run: Any) -> dict[str, float]:
    return dict(rg.evaluate(judged, run, "nDCG@5 hit@1").mean()["run"])


def message(call: Any) -> str:
    with pytest.raises(RankgaugeError) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize(
    "judged",
    [
        WATCHED.set_index("userId"),
        WATCHED.set_index(["userId", "movieId"]),
        WATCHED.set_index(["userId", "movieId"])["rating"],
        WATCHED.astype({"userId": "Int64", "movieId": "category", "rating": "str"}).astype({"rating": "category"}),
        pl.from_pandas(WATCHED).lazy(),
        set(WATCHED.itertuples(index=False, name=None)),
        WATCHED.to_dict("records"),
    ],
)
def test_an_index_is_a_column(judged: Any) -> None:
    assert means(judged, LISTED) == EXPECTED


@pytest.mark.parametrize(
    "run",
    [
        BY_USER,
        BY_USER.reset_index(),
        pl.from_pandas(BY_USER.reset_index()),
        BY_USER.to_dict(),
        {user: np.array(items) for user, items in BY_USER.items()},
        {user: pd.Series(items) for user, items in BY_USER.items()},
        {user: iter(items) for user, items in BY_USER.items()},
        {user: [[item, -at] for at, item in enumerate(items)] for user, items in BY_USER.items()},
        {user: [{"id": item, "score": -at} for at, item in enumerate(items)] for user, items in BY_USER.items()},
        [{"userId": user, "movieId": items} for user, items in BY_USER.items()],
    ],
    ids=lambda run: type(run).__name__,
)
def test_lists_of_a_user(run: Any) -> None:
    assert means(WATCHED, run) == EXPECTED


def test_judged_lists_of_a_user() -> None:
    bought = WATCHED.groupby("userId")["movieId"].apply(list)
    plain = means(bought.to_dict(), LISTED)
    assert means(bought, LISTED) == means(bought.reset_index(), LISTED) == plain
    assert means({user: np.array(items) for user, items in bought.items()}, LISTED) == plain


def test_ids_that_became_fractions_are_refused_with_the_cast() -> None:
    said = message(lambda: rg.Judgments(WATCHED.astype({"userId": float})))
    assert "column 'userId' holds decimal numbers (Float64) where ids are expected" in said
    assert "astype({'userId': 'Int64'})" in said


def test_lists_without_queries_are_refused_with_the_call_to_make() -> None:
    assert "dict(zip(queries, lists" in message(lambda: rg.evaluate([[10, 11], [12]], LISTED))
    assert "dict(zip(queries, lists" in message(lambda: rg.evaluate(WATCHED, [[10, 11], [12]]))
    assert "dict(zip(queries, array.tolist()" in message(lambda: rg.evaluate(WATCHED, np.array([[10, 11], [11, 12]])))
    assert "numpy.array" in message(lambda: rg.evaluate(rg.Judgments([1, 0, 0, 1], group_sizes=[2, 2]), [1, 0, 0, 1]))


def test_a_run_without_scores_is_refused_with_a_rank_to_add() -> None:
    said = message(lambda: rg.Run(LISTED.drop(columns="rank")))
    assert "table.groupby('userId').cumcount() + 1" in said
    assert "score='userId'" not in said


def test_labels_by_query_without_documents_are_refused_with_the_group_sizes() -> None:
    table = pd.DataFrame({"qid": [1, 1, 2], "label": [1, 0, 2], "feature": [0.1, 0.2, 0.3]})
    said = message(lambda: rg.Judgments(table))
    assert "Judgments(table['label'], group_sizes=table.groupby('qid', sort=False).size())" in said
    made = rg.Judgments(table["label"], group_sizes=table.groupby("qid", sort=False).size())
    assert made.to_polars()["query"].to_list() == ["1", "1", "2"]


def test_ratings_with_times_are_not_taken_for_qrels(tmp_path: Path) -> None:
    path = tmp_path / "u.data"
    path.write_text("1\t10\t4\t881250949\n2\t12\t5\t881250949\n3\t4\t3\t881250949\n")
    said = message(lambda: rg.evaluate(path, {"1": ["4"], "2": ["5"]}))
    assert "the values are as large as times" in said
    assert "user_id item_id rating time" in said


@pytest.mark.parametrize("column", [{"rank": [1, 2, 3]}, {"score": [0.9, 0.8, 0.7]}, {"score": [9, 8, 7]}])
def test_a_pandas_frame_that_changes_afterwards_changes_nothing(column):
    run = pd.DataFrame({"user_id": [1, 1, 1], "item_id": [5, 6, 7], **column})
    judged = pd.DataFrame({"user_id": [1, 1], "item_id": [6, 9], "rating": [1, 1]})
    want = rg.evaluate(judged, run, "RR nDCG@3").mean()
    kept = rg.Judgments(judged), rg.Run(run)
    for frame in (judged, run):
        frame.iloc[:, :] = 0
    assert rg.evaluate(*kept, "RR nDCG@3").mean() == want
