"""The headline says who wins, or that nobody knows."""

from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from rankgauge import Scores
from rankgauge.presentation.report.verdict import challenger_of, turned, verdict_lines

QUERIES = tuple(f"q{at}" for at in range(40))


def told(*levels, equivalence=None):
    """Verdict of systems around these levels, each query noisy, the first the baseline."""
    noise = np.random.default_rng(5).normal(0, 0.05, (len(levels), 40))
    names = tuple("abcd"[: len(levels)])
    found = rankgauge.compare(
        Scores.from_matrix(np.array(levels)[:, np.newaxis] + noise, names, QUERIES, "mine"), equivalence=equivalence
    )
    return verdict_lines(found, "a", challenger_of(found.parts[0], "a"))


@pytest.mark.parametrize(
    ("levels", "headline"),
    [
        ((0.4, 0.6), "b is better than a."),
        ((0.6, 0.4), "b is worse than a."),
        ((0.5, 0.505), "b is probably better than a, but 40 queries are not enough to be sure (p = 0.0532)."),
        ((0.5, 0.47), "b is probably worse than a, but 40 queries are not enough to be sure (p = 0.1614)."),
        ((0.5, 0.484), "40 queries cannot decide between b and a (p = 0.9518)."),
        ((0.4, 0.6, 0.7), "c is better than a."),
        ((0.7, 0.6, 0.4), "a is better than all 2 other systems."),
        ((0.5, 0.505, 0.3), "b is probably better than a, but 40 queries are not enough to be sure (p = 0.0532)."),
        ((0.5, 0.484, 0.3), "No system is shown to be better than a on these 40 queries."),
    ],
)
def test_the_headline_names_the_winner_or_says_undecided(levels, headline):
    assert told(*levels)[0].replace("\N{NO-BREAK SPACE}", " ") == headline


def test_equivalent_systems_are_called_so():
    assert told(0.5, 0.5, equivalence=0.1)[0] == "b and a are equivalent."
    assert told(0.5, 0.5, 0.3, equivalence=0.1)[0] == "No system is better than a."


def test_the_last_line_tells_the_smallest_difference_and_the_queries_needed():
    *_, last = told(0.4, 0.6)
    assert last.startswith("The smallest difference that 40 queries can detect (80% power) is 0.0294; ")
    # 40 · (0.0294 / 0.02)²
    assert last.endswith("detecting 0.02 takes about 87 queries.")
    *_, last = told(0.5, 0.505)
    assert "queries would decide a difference of this size" in last


def test_how_sure_the_first_place_is_stands_beside_the_count():
    assert "c would also lead on other queries like these." in told(0.4, 0.6, 0.7)[2]
    assert "2 systems could lead" in told(0.4, 0.6, 0.605)[2]


def told_with_judge(seed=0, gap=0.3, humans=12):
    draw = np.random.default_rng(seed)
    human = np.stack((np.full(40, 0.4), 0.4 + gap + 0.1 * draw.normal(size=40)))
    judge = human + np.array([[0.0], [0.05]]) + 0.02 * draw.normal(size=(2, 40))
    people = Scores.from_matrix(human, ("a", "b"), QUERIES, "mine").only(QUERIES[:humans])
    return rankgauge.compare(people, judge=Scores.from_matrix(judge, ("a", "b"), QUERIES, "mine"))


def test_beside_a_judge_the_means_are_said_to_be_of_people_alone():
    found = told_with_judge()
    pair = found.parts[0].pairs[0]
    means = {system.name: system.mean for system in found.parts[0].systems}
    assert abs(means["b"] - means["a"] - pair.difference) > 1e-3
    _, evidence, power = verdict_lines(found, "a", "b")
    assert evidence.startswith(f"mine {pair.difference:+.4f} by people and the judge together (95% interval ")
    assert f"{means['b']:.4f} against {means['a']:.4f}, 12 wins, 0 ties, 0 losses on 12 human queries alone" in evidence
    assert evidence.endswith("It holds if the human queries were drawn at random.")
    assert "12 human queries beside 40 of the judge can detect" in power


def test_undecided_beside_a_judge_speaks_of_human_queries():
    headline, *_, power = verdict_lines(told_with_judge(3, gap=0.005), "a", "b")
    assert "12 human queries" in headline
    assert power.endswith(
        (" human queries would decide a difference of this size.", "would not decide it; more queries might.")
    )


def test_a_pair_turned_round_turns_what_people_and_judge_say():
    pair = told_with_judge().parts[0].pairs[0]
    other = turned(pair)
    assert turned(other) == pair
    assert other.judge.human_only.low == -pair.judge.human_only.high
    assert (other.judge.judge_only, other.alone[0]) == (-pair.judge.judge_only, -pair.alone[1])
