"""Notes speak of users and items where the columns of the judgments do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rankgauge as rg

ROWS = [(1, 10), (1, 11), (2, 12), (3, 13)]
RUN = {"old": {1: [99, 10], 2: [98, 12], 7: [1]}, "new": {1: [10, 11], 2: [12, 97], 7: [1]}}


def lines_of(judgments: Any) -> list[str]:
    return rg.evaluate(judgments, RUN, ["nDCG@2", "P(rel=2)@2"]).table().notes[1:]


def frame(query: str, document: str) -> pd.DataFrame:
    return pd.DataFrame(ROWS, columns=[query, document])


@pytest.fixture(params=["frame", "csv", "odd.csv", "parquet", "jsonl"])
def judgments(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """The same rows; the odd file is read line by line."""
    rows, path = frame("userId", "movieId"), tmp_path / f"judged.{request.param}"
    if request.param == "frame":
        return rows
    if request.param == "parquet":
        rows.to_parquet(path)
    elif request.param == "jsonl":
        path.write_text("".join(json.dumps(dict(row)) + "\n" for _, row in rows.astype(object).iterrows()))
    else:
        text = rows.to_csv(index=False)
        path.write_text(f"\n{text}" if request.param == "odd.csv" else text)
    return path


def test_users_and_items(judgments: Any) -> None:
    told = "\n".join(lines_of(judgments))
    assert "old and new: 1 judged user missing from the run, counted as 0 (3)" in told
    assert "old and new: 1 user of the run without judgments, ignored (7)" in told
    assert "of the items in the top 2 are unjudged" in told
    assert "P(rel=2)@2: 3 users without an item judged 2 or higher, counted as 0 (1, 2, 3)" in told
    assert "quer" not in told
    assert "document" not in told


def test_each_by_its_own_column() -> None:
    told = "\n".join(lines_of(frame("qid", "item_id")))
    assert "judged query" in told
    assert "of the items" in told
    assert "of the documents" in "\n".join(lines_of(frame("user", "doc_id")))


def test_complete_judgments_of_items() -> None:
    told = lines_of(rg.Judgments(frame("user", "item"), complete=True))
    assert "judgments said to be complete: items without one are not relevant" in told
