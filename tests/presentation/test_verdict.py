"""The verdict says who wins or that nobody knows, one number, and one next step."""

from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from rankgauge import Scores
from rankgauge.analysis.compare.wording import Focus, turned
from rankgauge.presentation.report.verdict import verdict_box
from rankgauge.tables.notes import LOUD, Note

QUERIES = tuple(f"q{at}" for at in range(40))


def scores(*levels):
    """Systems around these levels, each query noisy."""
    noise = np.random.default_rng(5).normal(0, 0.05, (len(levels), 40))
    names = tuple("abcd"[: len(levels)])
    return Scores.from_matrix(np.array(levels)[:, np.newaxis] + noise, names, QUERIES, "mine", rows="systems")


def told(*levels, **options):
    """The verdict, with the first system as the baseline unless all pairs are compared."""
    return verdict_box(Focus.of(rankgauge.compare(scores(*levels), **options)))


def words(text):
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("levels", "headline", "outcome"),
    [
        ((0.4, 0.6), "b is better than a.", "better"),
        ((0.6, 0.4), "b is worse than a.", "worse"),
        (
            (0.5, 0.505),
            "b is probably better than a, but 40 queries are not enough to be sure (p = 0.0532).",
            "undecided",
        ),
        (
            (0.5, 0.47),
            "b is probably worse than a, but 40 queries are not enough to be sure (p = 0.1614).",
            "undecided",
        ),
        ((0.5, 0.484), "40 queries cannot decide between b and a (p = 0.9518).", "undecided"),
        ((0.4, 0.6, 0.7), "c is better than a.", "better"),
        ((0.7, 0.6, 0.4), "a is better than both other systems.", "worse"),
        ((0.5, 0.484, 0.3), "No system is shown to be better than a on these 40 queries.", "undecided"),
    ],
)
def test_the_headline_names_the_winner_or_says_undecided(levels, headline, outcome):
    box = told(*levels)
    assert (words(box.headline), box.outcome) == (headline, outcome)


def test_a_leader_that_is_not_shown_to_be_better_is_not_said_to_lead_elsewhere():
    """Seen red on the example: "not enough to be sure", and below it "would also lead on other queries"."""
    example = rankgauge.examples.load()
    names = ("lambdamart", "xendcg", "random-forest", "ridge", "best-feature")
    runs = {name: example.runs[name] for name in names}
    found = rankgauge.compare(example.judgments, runs, "nDCG@10", baseline="lambdamart")
    (leader,) = (system for system in found["nDCG@10"].systems if system.name == "random-forest")
    assert leader.rank_high == 2
    box = verdict_box(Focus.of(found))
    assert box.outcome == "undecided"
    assert not any("would also lead" in line for line in box.lines)
    assert any("random-forest could rank 1 to 2." in line for line in box.lines)
    assert any("c would also lead on other queries like these." in line for line in told(0.4, 0.6, 0.7).lines)
    assert any("a would also lead on other queries like these." in line for line in told(0.7, 0.6, 0.4).lines)


@pytest.mark.parametrize(
    ("levels", "headline", "outcome"),
    [
        ((0.4, 0.7, 0.6), "b leads, and the lead is real: it is better than both other systems.", "better"),
        ((0.4, 0.6, 0.605), "b leads, but c could be first as well.", "undecided"),
        ((0.6, 0.61, 0.6, 0.3), "b leads, but 2 other systems could be first as well.", "undecided"),
    ],
)
def test_without_a_baseline_it_is_about_the_first_place(levels, headline, outcome):
    """Seen red: the page was about whatever file came first."""
    box = told(*levels, all_pairs=True)
    assert (box.headline, box.outcome) == (headline, outcome)


def test_equivalent_systems_are_called_so():
    assert told(0.5, 0.5, equivalence=0.1).headline == "b and a are equivalent."
    assert told(0.5, 0.5, 0.3, equivalence=0.1).headline == "No system is better than a."
    assert told(0.5, 0.5, equivalence=0.1).step.startswith("Choose by cost")


def test_the_smallest_difference_is_the_number_of_the_command():
    """Seen red: the page took it from its pair, the command from all of them."""
    noise = np.random.default_rng(5).normal(0, 1, (4, 40)) * np.array([[0.05], [0.2], [0.02], [0.2]])
    values = np.array([[0.4], [0.6], [0.62], [0.2]]) + noise
    found = rankgauge.compare(Scores.from_matrix(values, tuple("abcd"), QUERIES, "mine", rows="systems"))
    assert found.parts[0].detectable_difference > 2 * Focus.of(found).pair.detectable_difference
    box = verdict_box(Focus.of(found))
    assert f"can detect a difference of {found.parts[0].detectable_difference:.2g} " in " ".join(box.lines)
    assert f"can detect a difference of {found.parts[0].detectable_difference:.2g}" in found.summary


def test_there_is_one_planning_number_and_one_next_step():
    found = rankgauge.compare(scores(0.5, 0.505))
    needed = found.parts[0].pairs[0].queries_needed
    box = verdict_box(Focus.of(found))
    assert box.step.startswith(
        f"Judge {needed - 40:,} more queries (about {needed:,} queries in all would settle b against a)"
    )
    assert "would" not in " ".join(box.lines)
    assert told(0.4, 0.6).step.startswith("Ship b.")
    assert told(0.6, 0.4).step.startswith("Keep a.")


def test_another_measure_with_another_leader_says_so():
    """Seen red: "AP (same verdict)" while another system was best on AP."""
    generator = np.random.default_rng(3)
    cube = generator.normal(0, 0.01, (3, 40, 2)) + np.array([[0.2, 0.2], [0.5, 0.6], [0.6, 0.5]])[:, np.newaxis]
    found = rankgauge.compare(Scores(("a", "b", "c"), QUERIES, tuple(rankgauge.measures.parse_all("nDCG AP")), cube))
    assert {pair.verdict for part in found.parts for pair in part.pairs} == {"better"}
    assert "b leads" in verdict_box(Focus.of(found)).lines[-1]
    assert "on AP b leads, not c" in found.summary


def test_ties_that_decide_a_number_of_the_verdict_are_on_top():
    note = Note("ties", f"{LOUD}b: ties could change mine from 0.1 to 0.9", 3, "b", severity=0.8)
    other = Note("ties", f"{LOUD}c: ties could change mine from 0.1 to 0.2", 3, "c", severity=0.1)
    base = scores(0.4, 0.6, 0.3)
    found = Scores(base.systems, base.queries, base.measures, base.values, notes=(note, other))
    box = verdict_box(Focus.of(rankgauge.compare(found)))
    assert box.lines[0] == "⚠ b: ties could change mine from 0.1 to 0.9."
    assert not any("c: ties" in line for line in box.lines)


def test_one_comparison_is_not_adjusted_and_several_better_ones_are_counted():
    assert "(p < 0.0001)" in told(0.4, 0.6).lines[0]
    assert "(adjusted p < 0.0001)" in told(0.4, 0.6, 0.7).lines[0]
    assert told(0.4, 0.6, 0.7).step.startswith("Ship c, the best of 2 better systems.")


def told_with_judge(seed=0, gap=0.3, humans=12):
    draw = np.random.default_rng(seed)
    human = np.stack((np.full(40, 0.4), 0.4 + gap + 0.1 * draw.normal(size=40)))
    judge = human + np.array([[0.0], [0.05]]) + 0.02 * draw.normal(size=(2, 40))
    people = Scores.from_matrix(human, ("a", "b"), QUERIES, "mine", rows="systems").only(QUERIES[:humans])
    return rankgauge.compare(people, judge=Scores.from_matrix(judge, ("a", "b"), QUERIES, "mine", rows="systems"))


def test_beside_a_judge_the_means_are_said_to_be_of_people_alone():
    found = told_with_judge()
    pair = found.parts[0].pairs[0]
    means = {system.name: system.mean for system in found.parts[0].systems}
    assert abs(means["b"] - means["a"] - pair.difference) > 1e-3
    box = verdict_box(Focus.of(found))
    assert box.number == f"{pair.difference:+.4f}"
    assert box.about.endswith(", people and the judge together")
    names = f"b {means['b']:.4f}, a {means['a']:.4f}"
    assert f"mine on 12 human queries alone: {names}; 12 wins, 0 ties, 0 losses" in box.lines[0]
    assert box.lines[0].endswith("holds if the human queries were drawn at random.")
    assert "12 human queries beside 40 of the judge can detect" in box.lines[-1]


def test_undecided_beside_a_judge_speaks_of_human_queries():
    box = verdict_box(Focus.of(told_with_judge(3, gap=0.005)))
    assert "12 human queries" in box.headline
    assert "human quer" in box.step


def test_a_pair_turned_round_turns_what_people_and_judge_say():
    pair = told_with_judge().parts[0].pairs[0]
    other = turned(pair)
    assert turned(other) == pair
    assert other.judge.human_only.low == -pair.judge.human_only.high
    assert (other.judge.judge_only, other.alone[0]) == (-pair.judge.judge_only, -pair.alone[1])
