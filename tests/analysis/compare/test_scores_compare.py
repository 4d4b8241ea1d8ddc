"""The comparison over scores: what it hands to the analysis of cubes, and what it adds."""

from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from rankgauge import Scores
from rankgauge.analysis.compare import compare as cubes
from rankgauge.analysis.compare.power import queries_to_detect, typical_deviation
from rankgauge.errors import UsageError


@pytest.fixture
def matrix():
    values = np.random.default_rng(2).random((3, 25))
    return Scores.from_matrix(values, "abc", [f"q{at}" for at in range(25)], "mine")


def test_a_matrix_from_elsewhere_is_compared_as_its_cube_is(matrix):
    expected = cubes.compare(matrix.matrix()[:, :, np.newaxis], matrix.systems, ["mine"], baseline="b")
    found = rankgauge.compare(matrix, baseline="b").to_dict()
    assert found == expected.to_dict() | {"notes": ["policy: not recorded"]}


def test_a_comparison_shows_itself_in_every_form(matrix):
    found = rankgauge.compare(matrix)
    assert isinstance(found, rankgauge.Comparison)
    assert str(found).startswith(found.summary[:40])
    assert "| **a** |" in found.to_markdown()
    assert r"\textbf{a}" in found.to_latex()
    assert "<b><bdi>a</bdi></b>" in found._repr_html_()
    assert repr(found) == f"Comparison({found.summary})"


def test_how_the_scores_were_made_stands_below():
    judgments = {"1": {"d": 1}, "2": {"d": 1}}
    runs = [rankgauge.Run({query: {"d": 1.0} for query in judgments}, name=name) for name in "xy"]
    found = rankgauge.compare(rankgauge.evaluate(judgments, runs, "GMAP num_rel_ret"))
    assert any(note.startswith("policy: ties=") for note in found.notes)
    assert any("compared by the plain mean over queries" in note for note in found.notes)


def test_planning_takes_the_scatter_from_the_scores(matrix):
    plan = rankgauge.queries_to_detect(matrix, difference=0.05, power=0.9)
    deviation = typical_deviation(matrix.matrix())
    assert plan["mine"].queries_needed == queries_to_detect(deviation, 0.05, power=0.9)
    assert plan["mine"].queries == 25
    assert plan.to_dict()["measures"]["mine"]["deviation"] == deviation
    assert "0.05 with 90 % power" in str(plan)
    with pytest.raises(UsageError, match="above 0"):
        rankgauge.queries_to_detect(matrix, difference=0)
