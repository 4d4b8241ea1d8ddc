"""Learning to rank: a file or vectors of labels, and predictions row by row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import rankgauge as rg
from rankgauge.cli.main import cli
from rankgauge.errors import DataError, UsageError

LABELS, SIZES, PREDICTED = [0, 2, 1, 1, 0], [3, 2], [0.1, 0.9, 0.3, 0.2, 0.7]


def by_hand(measure: str) -> float:
    truth = {"1": {"1": 0, "2": 2, "3": 1}, "2": {"1": 1, "2": 0}}
    run = {"1": {"1": 0.1, "2": 0.9, "3": 0.3}, "2": {"1": 0.2, "2": 0.7}}
    return rg.evaluate(truth, run, measure).mean()["run"][measure]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "rank.test").write_text("".join(f"{v} qid:{q} 1:0.5\n" for v, q in zip(LABELS, "11122", strict=True)))
    (tmp_path / "bare.test").write_text("".join(f"{v} 1:0.5\n" for v in LABELS))
    (tmp_path / "labels.txt").write_text("".join(f"{v}\n" for v in LABELS))
    (tmp_path / "sizes.txt").write_text("3\n2\n")
    (tmp_path / "pred.txt").write_text("".join(f"{v}\n" for v in PREDICTED))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("kind", [np.array, pd.Series])
def test_vectors_beside_group_sizes(kind: object) -> None:
    judged = rg.Judgments(kind(LABELS), group_sizes=SIZES)  # type: ignore[operator]
    found = rg.evaluate(judged, {"lgbm": kind(PREDICTED), "flat": np.zeros(5)}, "nDCG@10 RR")  # type: ignore[operator]
    assert found.mean()["lgbm"]["nDCG@10"] == by_hand("nDCG@10")
    assert found.systems == ("lgbm", "flat")
    assert rg.evaluate(judged, np.array(PREDICTED), "RR").mean() == {"run": {"RR": by_hand("RR")}}


@pytest.mark.parametrize("measure", ["nDCG@10", "DCG", "ERR", "RBP", "AP", "Q"])
def test_every_list_has_the_bits_that_score_gives_it(measure: str) -> None:
    """Seen red: tied rows were added in another order, so that half the lists differed in the last bit."""
    random = np.random.default_rng(5)
    truth, predicted = random.integers(0, 4, (200, 100)), random.random((200, 100)).round(1)
    found = rg.evaluate(rg.Judgments(truth.ravel(), group_sizes=[100] * 200), predicted.ravel(), measure)
    scored: Any = rg.score(measure, truth, predicted, details=True)
    assert found.values.ravel().tolist() == list(scored.per_group.values())


def test_some_queries_of_the_whole() -> None:
    judged = rg.Judgments(LABELS, group_sizes=SIZES)
    assert rg.evaluate(judged, np.array(PREDICTED), "RR", only=["2"]).mean()["run"]["RR"] == 0.5


@pytest.mark.parametrize(
    "words",
    [["rank.test", "preds=pred.txt"], ["labels.txt", "pred.txt", "--group-sizes", "sizes.txt"],
     ["bare.test", "pred.txt", "--group-sizes", "sizes.txt"]],
)  # fmt: skip
def test_files(words: list[str], folder: Path) -> None:
    assert folder.exists()
    done = CliRunner().invoke(cli, ["evaluate", *words, "-m", "nDCG@10"], catch_exceptions=False)
    assert f"{by_hand('nDCG@10'):.4f}" in done.stdout
    name = "preds" if "=" in words[1] else "pred"
    assert name in done.stdout


def test_what_does_not_fit(folder: Path) -> None:
    assert folder.exists()
    judged = rg.Judgments(LABELS, group_sizes=SIZES)
    with pytest.raises(DataError, match="4 predictions for 5 judged rows"):
        rg.evaluate(judged, np.array(PREDICTED[:4]))
    with pytest.raises(DataError, match="add up to 4, but there are 5 labels"):
        rg.Judgments(LABELS, group_sizes=[2, 2])
    with pytest.raises(UsageError, match="whole numbers"):
        rg.Judgments(LABELS, group_sizes=[2.5, 2.5])
    with pytest.raises(DataError, match="--group-sizes FILE"):
        rg.evaluate("labels.txt", "pred.txt")


EVERY = {
    "holes": "holes rank.test pred.txt other.txt",
    "robust": "robust rank.test pred.txt other.txt",
    "report": "report rank.test pred.txt other.txt -o page.html",
    "explore": "explore rank.test pred.txt other.txt -o page.html",
    "check": "check rank.test pred.txt mine=other.txt",
    "reconcile": "reconcile {ndcg} --judgments rank.test --run pred.txt",
    "explain": "explain nDCG@10 --judgments rank.test --run pred.txt --query 1",
    "versus": "explain nDCG@10 --judgments rank.test --run pred.txt --versus RR",
}


@pytest.mark.parametrize("words", EVERY.values(), ids=EVERY)
def test_every_command_takes_predictions(words: str, folder: Path) -> None:
    (folder / "other.txt").write_text("".join(f"{v}\n" for v in reversed(PREDICTED)))
    asked = words.format(ndcg=f"{by_hand('nDCG@10'):.4f}").split()
    done = CliRunner().invoke(cli, asked, catch_exceptions=False)
    assert done.exit_code == 0, done.output


def test_an_explanation_of_predictions_has_the_value_of_the_evaluation(folder: Path) -> None:
    value = rg.explain("nDCG@10", "rank.test", "pred.txt", 2).value
    assert value == rg.evaluate("rank.test", str(folder / "pred.txt"), "nDCG@10").per_query()["pred"]["2"]["nDCG@10"]


def test_predictions_that_do_not_fit_are_found_by_check(folder: Path) -> None:
    (folder / "short.txt").write_text("1\n2\n")
    (error,) = rg.check("rank.test", "short.txt").errors
    assert "2 predictions for 5 judged rows" in error.text
    assert rg.check("rank.test", {"mine": np.array(PREDICTED)}).is_sound


def test_predictions_are_those_of_all_rows_where_some_queries_are_chosen(folder: Path) -> None:
    (folder / "rank.test").write_text("".join(f"{n % 3} qid:{n // 3} 1:0.5\n" for n in range(12)))
    (folder / "pred.txt").write_text("".join(f"{n}\n" for n in range(12)))
    (folder / "other.txt").write_text("".join(f"{-n}\n" for n in range(12)))
    (pair,) = rg.holes("rank.test", ["pred.txt", "other.txt"], "nDCG@10", only=["1", "3"]).pairs
    scores = rg.evaluate("rank.test", ["pred.txt", "other.txt"], "nDCG@10", only=["1", "3"]).mean()
    assert pair.difference == pytest.approx(scores["other"]["nDCG@10"] - scores["pred"]["nDCG@10"])
    (pair,) = rg.robust("rank.test", ["pred.txt", "other.txt"], only=["1", "3"]).pairs
    assert pair.difference == pytest.approx(scores["other"]["nDCG@10"] - scores["pred"]["nDCG@10"])
