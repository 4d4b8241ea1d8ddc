"""Tables as people have them: users and items, no values, columns of any name, ids that stay numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import DataError

CLICKED = pl.DataFrame({"userId": [1, 1, 2], "movieId": [10, 11, 12]})
RANKED = pl.DataFrame({"uid": [1, 1, 2, 2], "product_id": [10, 12, 10, 12], "prediction": [0.9, 0.1, 0.7, 0.3]})
MEAN = {"run": {"RR": 0.75}}


def kinds(scores: rg.Scores) -> list[str]:
    return [note.kind for note in scores.notes]


def test_rows_of_users_and_items_count_as_one() -> None:
    found = rg.evaluate(CLICKED, RANKED, "RR")
    assert found.mean() == MEAN
    assert "no-values" in kinds(found)
    timed = CLICKED.with_columns(timestamp=pl.lit(1))
    assert rg.evaluate(timed.to_pandas(), RANKED, "RR").mean() == MEAN


def test_lists_of_items_count_as_one() -> None:
    for rows in ({1: [10, 11], 2: [12]}, {1: {10, 11}, 2: {12}}, {"1": ["10", "11"], "2": ("12",)}):
        found = rg.evaluate(rows, {1: [10, 12], 2: [10, 12]}, "RR")
        assert found.mean() == MEAN
        assert "no-values" in kinds(found)


def test_one_frame_of_labels_and_predictions_is_judgments_and_run() -> None:
    both = RANKED.rename({"prediction": "y_pred"}).with_columns(y_true=pl.Series([1, 0, 0, 1]))
    assert rg.evaluate(both, both, "RR").mean() == MEAN
    assert rg.evaluate(both, both.rename({"y_pred": "pred"}), "RR").mean() == MEAN
    with pytest.raises(DataError, match="this looks like a run"):
        rg.Judgments(both.drop("y_true"))


def test_a_matrix_of_users_and_items_is_stacked_as_the_error_says() -> None:
    rows = CLICKED.to_pandas().assign(rating=1)
    matrix = rows.pivot(index="userId", columns="movieId", values="rating")
    with pytest.raises(DataError, match=r"is Judgments\(matrix\.stack\(\)\.dropna\(\)\.rename\('value'\)\)"):
        rg.Judgments(matrix)
    assert rg.evaluate(matrix.stack().dropna().rename("value"), RANKED, "RR").mean() == MEAN


def test_frames_of_lists_have_one_note_on_values() -> None:
    lists = CLICKED.group_by("userId", maintain_order=True).agg("movieId")
    found = rg.evaluate(lists, RANKED, "RR")
    assert found.mean() == MEAN
    assert kinds(found).count("no-values") == 1


def test_files_without_values(tmp_path: Path) -> None:
    CLICKED.write_csv(tmp_path / "clicked.csv")
    CLICKED.write_parquet(tmp_path / "clicked.parquet")
    (tmp_path / "clicked.json").write_text(json.dumps({"1": ["10", "11"], "2": ["12"]}))
    for path in tmp_path.iterdir():
        found = rg.evaluate(path, RANKED, "RR")
        assert found.mean() == MEAN, path
        assert "no-values" in kinds(found), path


def test_a_column_that_may_hold_values_is_not_passed_over() -> None:
    stars = CLICKED.with_columns(liking=pl.Series([3, 1, 2]))
    with pytest.raises(DataError, match=r"Judgments\(table, value='liking'\) or --columns value=liking"):
        rg.Judgments(stars)
    assert rg.Judgments(stars, value="liking").to_polars()["value"].to_list() == [3, 1, 2]


@pytest.mark.parametrize("name", ["clicks", "Clicks", "rating", "grade", "relevant", "y_true"])
def test_usual_names_of_values_are_known(name: str) -> None:
    judged = rg.Judgments(CLICKED.with_columns(pl.Series(name, [3, 1, 2])))
    assert judged.to_polars()["value"].to_list() == [3, 1, 2]


def test_any_column_can_be_named() -> None:
    frame = CLICKED.rename({"userId": "who", "movieId": "what"}).with_columns(much=pl.lit(2))
    judged = rg.Judgments(frame, query="who", document="what", value="much")
    run = rg.Run(RANKED.rename({"uid": "a", "product_id": "b", "prediction": "c"}), query="a", document="b", score="c")
    assert rg.evaluate(judged, run, "RR").mean() == MEAN
    with pytest.raises(DataError, match=r"Judgments\(table, query='who', document='what', value='much'\)"):
        rg.Judgments(frame)
    with pytest.raises(DataError, match="did you mean 'what'"):
        rg.Judgments(frame, query="who", document="whta", value="much")


def test_a_named_column_is_taken_from_its_old_role() -> None:
    frame = pl.DataFrame({"query": ["words", "words"], "session": ["s1", "s2"], "item": ["a", "b"], "rating": [1, 1]})
    assert rg.Judgments(frame, query="session").queries == ["s1", "s2"]


def test_whole_numbers_stay_whole_numbers(tmp_path: Path) -> None:
    found = rg.evaluate(CLICKED, RANKED, "RR")
    assert found.to_polars()["query"].to_list() == [1, 2]
    assert list(found.per_query()["run"]) == [1, 2]
    assert found.to_pandas()["query"].tolist() == [1, 2]
    found.save(tmp_path / "saved.parquet")
    assert rg.read_scores(tmp_path / "saved.parquet").to_polars()["query"].dtype == pl.Int64
    assert rg.evaluate({1: {10: 1}}, {1: [10]}, "RR", only=[1]).to_polars()["query"].to_list() == [1]
    text = CLICKED.with_columns(pl.col("userId").cast(pl.String))
    assert rg.evaluate(text, RANKED, "RR").to_polars()["query"].to_list() == ["1", "2"]


def test_pandas_frames_join_back() -> None:
    users = pd.DataFrame({"query": [1, 2], "country": ["at", "de"]})
    joined = rg.evaluate(CLICKED.to_pandas(), RANKED.to_pandas(), "RR").to_pandas().merge(users, on="query")
    assert joined.groupby("country")["RR"].mean().to_dict() == {"at": 1.0, "de": 0.5}
