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


WATCHED = pd.DataFrame([(u, i) for u in range(40) for i in range(3)], columns=["userId", "movieId"])
MODELS = {
    "old": {u: [9, u % 5, 8] for u in range(40)},
    "new": {u: [u % 5, 9, 8 - u % 2] for u in range(40)},
    "twin": {u: [9, u % 5, 8] for u in range(40)},
}


def test_headlines_and_heads_speak_of_users() -> None:
    scores = rg.evaluate(WATCHED, MODELS, "HR@2 nDCG@3")
    assert repr(scores) == "Scores(3 systems × 40 users × 2 measures)"
    assert str(scores).startswith("mean over 40 users, best ")
    assert str(scores.means()).startswith("mean over 40 users, best ")
    by = str(scores.by({u: "at" if u % 3 else "de" for u in range(39)}))
    assert by.splitlines()[1].split()[2] == "users"
    assert "intervals of the mean over users (t)" in by
    assert "1 user without label, left out" in by


@pytest.mark.parametrize("systems", [("old", "new"), ("old", "twin"), ("old", "new", "twin")])
def test_a_comparison_speaks_of_users(systems: tuple[str, ...]) -> None:
    scores = rg.evaluate(WATCHED, {name: MODELS[name] for name in systems}, "HR@2 nDCG@3")
    found = rg.compare(scores)
    said = [found.summary, found.next_step, str(found), found.to_latex(compact=True), found.to_markdown(compact=True)]
    said += [str(found.gate("HR@2 < baseline - 0.01", "nDCG@3 < 0.5"))]
    said += [str(rg.compare(scores, by={u: u % 3 for u in range(40)})), rg.compare(scores, all_pairs=True).summary]
    assert all("user" in text for text in said if text != found.next_step)
    assert not [text for text in said if "quer" in text]


def test_one_model_alone() -> None:
    assert rg.compare(rg.evaluate(WATCHED, {"old": MODELS["old"]}, "HR@2")).summary.endswith("on 40 users.")


def test_saved_scores_remember_their_users(tmp_path: Path) -> None:
    scores = rg.evaluate(WATCHED, MODELS, "HR@2")
    scores.save(tmp_path / "scores.parquet")
    saved = rg.read_scores(tmp_path / "scores.parquet")
    assert rg.compare(saved).summary == rg.compare(scores).summary
    assert "40 users" in rg.compare(saved).summary
    new = rg.evaluate(WATCHED, {"newer": MODELS["new"]}, "HR@2")
    assert "40 users" in rg.compare(saved.beside(new)).summary


def test_the_page_has_a_headline_on_users(tmp_path: Path) -> None:
    for names in (("old", "twin"), ("old", "new"), ("old",)):
        scores = rg.evaluate(WATCHED, {name: MODELS[name] for name in names}, "HR@2")
        rg.report(tmp_path / "page.html", scores)
        page = (tmp_path / "page.html").read_text()
        box = page[page.index('class="verdict') : page.index("</section>", page.index('class="verdict'))]
        assert "40 users" in box
        assert "quer" not in box


def test_a_check_speaks_of_users_and_items(tmp_path: Path) -> None:
    WATCHED.to_csv(tmp_path / "watched.csv", index=False)
    rows = [(user, item, 1.0) for user, items in MODELS["new"].items() for item in items if user]
    pd.DataFrame(rows, columns=["uid", "iid", "pred"]).to_csv(tmp_path / "new.csv", index=False)
    told = str(rg.check(tmp_path / "watched.csv", tmp_path / "new.csv"))
    assert "1 of 40 users judged but missing from the run" in told
    assert "39 of 39 users with fewer than 10 items" in told
    assert "ties are ordered by item id" in told
    assert "quer" not in told
    assert "document" not in told
