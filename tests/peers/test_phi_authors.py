"""The `authors` preset against the output of the authors' own R program (nunompmoniz/RankEval_ECIR2017 @ 208e627)."""

import csv
import gzip

import numpy as np
import pytest

from rankgauge.analysis.relevance import relevance
from rankgauge.analysis.relevance_function import RelevanceFunction
from rankgauge.errors import AnalysisError

# Cases where the R program stops with an error, and our documented answer.
OURS = {
    "all_equal": [1, 1, 1, 1],  # all positive scores equal: 1 there
    "single_positive": [0, 0, 0, 1],
    "heavy_ties_at_median": [0] * 7 + [(1 / 49) ** 2 * (1 + 1 / 50 * (48 / 49)), 1],  # the whisker is the median
    "median_eq_whisker": [0] * 6 + [1],
}


@pytest.fixture(scope="module")
def folder(collections):
    return collections / "phi"


@pytest.fixture(scope="module")
def cases(folder):
    found = {}
    with (folder / "phi_small_cases.csv").open() as file:
        for row in csv.DictReader(file):
            found.setdefault(row["case"], []).append(row)
    return found


def number(text):
    return np.nan if text == "NA" else float(text)


def test_small_cases_equal_the_authors_program(cases):
    answered = [case for case, rows in cases.items() if not rows[0]["error"]]
    assert len(answered) == 11
    for case in answered:
        scores, expected = ([number(row[key]) for row in cases[case]] for key in ("y", "phi"))
        assert relevance(scores, preset="authors") == pytest.approx(expected, abs=1e-12, nan_ok=True), case


def test_small_cases_have_the_authors_knots(cases):
    for case, rows in cases.items():
        if rows[0]["error"]:
            continue
        function = RelevanceFunction.fit([number(row["y"]) for row in rows], preset="authors")
        median, whisker, maximum, alpha = (number(rows[0][key]) for key in ("median", "whisker", "max", "alpha"))
        between = [(whisker, 1 - alpha)] if alpha > 0 else []
        assert np.array(function.knots) == pytest.approx(
            np.array([(0, 0), (median, 0), *between, (maximum, 1)]), abs=1e-12
        ), case


def test_where_the_authors_program_fails_we_give_a_documented_answer(cases):
    failing = {case for case, rows in cases.items() if rows[0]["error"]}
    assert failing == {*OURS, "all_zero"}
    for case, expected in OURS.items():
        scores = [number(row["y"]) for row in cases[case]]
        assert relevance(scores, preset="authors") == pytest.approx(expected, abs=1e-15), case
    with pytest.raises(AnalysisError, match="none is positive"):
        relevance([number(row["y"]) for row in cases["all_zero"]], preset="authors")


def test_the_popularity_of_7522_news_items_equals_the_authors_program(folder):
    with gzip.open(folder / "phi_Facebook_Palestine_TS144.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 7522
    found = relevance([float(row["final"]) for row in rows], preset="authors")
    assert found == pytest.approx([float(row["phi"]) for row in rows], abs=1e-9)
