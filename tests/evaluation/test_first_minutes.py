"""What a newcomer hands over in the first minutes: it works, or the error shows the call to make."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import rankgauge as rg
from rankgauge.cli.main import cli
from rankgauge.errors import DataError, MeasureError, RankgaugeError, UsageError

LABELS, SIZES = np.array([2, 0, 1, 0, 1, 0]), [3, 3]
PREDICTED = [0.9, 0.1, 0.5, 0.2, 0.3, 0.9]


def message(call: Any) -> str:
    with pytest.raises(RankgaugeError) as caught:
        call()
    return str(caught.value)


def test_an_error_on_columns_shows_the_whole_call() -> None:
    bought = pd.DataFrame({"customer": [1, 2], "sku": [10, 11], "times": [1, 3]})
    said = message(lambda: rg.Judgments(bought))
    assert "Judgments(table, query='customer', document='sku', value='times')" in said
    assert "--columns query=customer,document=sku,value=times" in said
    made = rg.Judgments(bought, query="customer", document="sku", value="times")
    assert made.to_polars()["value"].to_list() == [1.0, 3.0]
    listed = pd.DataFrame({"user_id": [1, 2], "sku": [10, 11], "guess": [0.5, 0.3]})
    assert "Run(table, document='sku', score='guess')" in message(lambda: rg.Run(listed))


def test_an_error_on_columns_names_no_more_than_there_are() -> None:
    said = message(lambda: rg.Judgments(pd.DataFrame({"customer": [1], "sku": [10]})))
    assert "Judgments(table, query='customer', document='sku')" in said
    assert "no column for the document" in message(lambda: rg.Judgments(pd.DataFrame({"user": [1]})))


def test_queries_that_are_whole_numbers_are_explained_by_their_number() -> None:
    judged, run = {1: {10: 1}, 2: {11: 1}}, {1: [11, 10], 2: [11]}
    assert rg.explain("RR", judged, run, query=1).value == 0.5
    assert rg.explain("RR", judged, run, query=np.int64(1)).value == 0.5  # type: ignore[call-overload]
    assert "query '3' is not judged" in message(lambda: rg.explain("RR", judged, run, query=3))


def test_predictions_may_be_a_list_or_a_column_of_a_matrix() -> None:
    judged = rg.Judgments(LABELS, group_sizes=SIZES)
    mean = rg.evaluate(judged, np.array(PREDICTED), "nDCG@2").mean()["run"]
    assert rg.evaluate(judged, PREDICTED, "nDCG@2").mean() == {"run": mean}
    assert rg.evaluate(judged, {"a": PREDICTED, "b": PREDICTED}, "nDCG@2").mean() == {"a": mean, "b": mean}
    assert rg.evaluate(judged, np.array(PREDICTED).reshape(-1, 1), "nDCG@2").mean() == {"run": mean}
    assert rg.evaluate(judged, {"a": np.array([PREDICTED])}, "nDCG@2").mean() == {"a": mean}


def test_bare_labels_and_matrices_are_refused_with_the_call_to_make() -> None:
    assert "Judgments(labels, group_sizes=…)" in message(lambda: rg.evaluate(LABELS, PREDICTED))
    said = message(lambda: rg.evaluate(LABELS.reshape(2, 3), PREDICTED))
    assert "Judgments(array.ravel(), group_sizes=[3] * 2)" in said
    assert "map(tuple, array.tolist())" in said
    judged = rg.Judgments(LABELS, group_sizes=SIZES)
    assert "array.ravel()" in message(lambda: rg.evaluate(judged, np.array(PREDICTED).reshape(2, 3)))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("hit rate@10", "Success@10"),
        ("hit rate", "Success"),
        ("average precision@10", "AP@10"),
        ("mean reciprocal rank", "RR"),
        ("mean average precision", "AP"),
    ],
)
def test_a_measure_in_several_words_is_named_in_one(words: str, name: str) -> None:
    assert f"{words!r} is {name}" in message(lambda: rg.measures.parse(words))


@pytest.mark.parametrize("name", ["serendipity", "diversity", "novelty", "auc", "mse"])
def test_what_is_no_slip_of_a_name_is_not_taken_for_one(name: str) -> None:
    said = message(lambda: rg.measures.parse(name))
    assert "did you mean" not in said
    assert "known: nDCG" in said
    assert "did you mean 'nDCG'" in message(lambda: rg.measures.parse("NDGC@10"))
    assert "did you mean 'Success'" in message(lambda: rg.measures.parse("Sucess@10"))


def test_segments_name_the_call_and_the_columns() -> None:
    scores = rg.evaluate({1: [10], 2: [11]}, {1: [10], 2: [10]}, "hit@1")
    users = pd.DataFrame({"user_id": [1, 2], "country": ["at", "de"]})
    assert 'scores.by(table, "country")' in message(lambda: scores.by(users))
    assert 'scores.by(table, "column")' in message(lambda: scores.by(["at", "de"]))


def test_a_table_of_users_with_an_unknown_id_says_so(tmp_path: Path) -> None:
    path = tmp_path / "users.csv"
    path.write_text("Kunde Nr,country\n1,at\n2,de\n")
    with pytest.raises(DataError, match="no column for the query id") as caught:
        rg.read_queries(path)
    assert "columns: Kunde Nr, country" in str(caught.value)


def test_systems_that_are_the_same_are_never_called_undecided(tmp_path: Path) -> None:
    judged = {f"q{n}": {"a": 1, "b": 0} for n in range(12)}
    run = {query: {"a": 1.0, "b": 2.0 - n % 3} for n, query in enumerate(judged)}
    worse = {query: {"a": 1.0, "b": 2.0} for query in judged}
    found = rg.compare(judged, {"old": run, "new": run}, "nDCG@10 RR")
    for text in (str(found), found.to_markdown(), found.to_latex()):
        assert "the same" in text
        assert "undecided" not in text
    assert found.to_dict()["measures"]["RR"]["pairs"][0]["verdict"] == "undecided"
    three = rg.compare(judged, {"old": run, "new": run, "bad": worse}, "nDCG@10")
    assert "1 is the same" in three.summary
    rg.report(tmp_path / "page.html", judged, {"old": run, "new": run}, "nDCG@10", baseline="old")
    page = (tmp_path / "page.html").read_text()
    assert "new and old are the same on all 12 queries" in page
    assert "cannot decide between" not in page


def test_a_summary_of_two_measures_has_a_short_repr() -> None:
    judged, run = {"q": {"a": 1}, "p": {"b": 1}}, {"q": ["a", "x"], "p": ["y", "b"]}
    assert repr(rg.explain("R@1", judged, run, versus="R@2")) == "Partings(R@1 and R@2 on 2 rankings: +0.5000)"


def test_notes_on_many_systems_speak_of_users_and_items() -> None:
    judged = [{"userId": u, "itemId": i, "rating": 1} for u in range(9) for i in range(2)]
    rows = [{"userId": u, "itemId": i, "score": -i} for u in range(8) for i in range(1, 5)]
    text = str(rg.evaluate(judged, dict.fromkeys("abcd", rows), "nDCG@3"))
    assert "unjudged items (Judged@3) in 4 systems" in text
    assert "missing users in 4 systems" in text


def test_ids_are_not_doubted_where_documents_match_further_down() -> None:
    judged = {f"q{n}": ["a"] for n in range(4)}
    text = str(rg.evaluate(judged, {query: ["x", "a"] for query in judged}, "Success@1"))
    assert "100.0% of the documents in the top 1 are unjudged" in text
    assert "written the same way" not in text


def test_a_page_is_not_written_as_a_table(tmp_path: Path) -> None:
    rg.simulate(systems=2, queries=8, seed=1).save(tmp_path)
    runs, page = sorted(map(str, (tmp_path / "runs").iterdir())), str(tmp_path / "out.html")
    for command in ("compare", "evaluate"):
        with pytest.raises(UsageError, match=r"rankgauge report .*-o"):
            CliRunner().invoke(
                cli, [command, str(tmp_path / "judgments.qrels"), *runs, "-o", page], catch_exceptions=False
            )


@pytest.mark.parametrize("ending", ["tsv", "parquet", "xlsx", "jsonl"])
def test_a_text_table_is_not_written_under_the_name_of_another_form(ending: str, tmp_path: Path) -> None:
    rg.simulate(systems=2, queries=8, seed=1).save(tmp_path)
    runs, path = sorted(map(str, (tmp_path / "runs").iterdir())), tmp_path / f"out.{ending}"
    words = ["evaluate", str(tmp_path / "judgments.qrels"), *runs, "-o", str(path)]
    with pytest.raises(UsageError, match=rf"evaluate writes no \.{ending}; .*\.csv, \.md, \.tex or \.txt"):
        CliRunner().invoke(cli, words, catch_exceptions=False)
    assert not path.exists()


def test_names_are_checked_before_anything_is_read() -> None:
    with pytest.raises(MeasureError):
        rg.evaluate("nowhere.qrels", "nowhere.trec", "hit rate@10")
