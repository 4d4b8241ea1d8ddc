"""Few human queries beside many of a machine."""

from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from rankgauge import Scores
from rankgauge.analysis.compare.statistics.judged import (
    combine,
    human_queries_to_detect,
)
from rankgauge.analysis.compare.tables import judge_table
from rankgauge.errors import AnalysisError, UsageError


def differences(seed=0, n=12, queries=60, noise=0.05):
    draw = np.random.default_rng(seed)
    human = 0.05 + 0.1 * draw.normal(size=queries)
    judge = 0.02 + 0.7 * human + noise * draw.normal(size=queries)
    return human, judge, draw.permutation(queries)[:n]


def both(human, judge, chosen):
    """Two systems whose differences are these, as Scores of people and of the judge."""
    names = [f"q{at}" for at in range(len(human))]
    table = [
        Scores.from_matrix(np.stack((np.full(len(one), 0.3), 0.3 + one)), ["old", "new"], names, rows="systems")
        for one in (human, judge)
    ]
    return table[0].only([names[at] for at in chosen]), table[1]


def test_the_printed_example():
    human = np.array([0.1, 0.3, -0.1, 0.2, 0.0, 0.15])
    judge = np.array([0.2, 0.4, 0.0, 0.1, 0.1, 0.25])
    others = np.array([0.3, 0.1, 0.2, 0.0, 0.4, 0.35, 0.05, 0.15, 0.25, 0.2])
    found = combine(human, judge, np.concatenate((judge, others)))
    assert found.difference == pytest.approx(0.12158491561181432, abs=1e-12)
    assert found.error == pytest.approx(0.04544964264119394, abs=1e-12)
    assert found.judge.slope == pytest.approx(0.8481012658227848, abs=1e-12)
    assert found.judge.effective_queries == pytest.approx(9.8837987221716, abs=1e-9)
    assert found.freedom == 4
    assert found.p == pytest.approx(0.05550737473767935, abs=1e-12)
    assert found.difference - found.margin(0.95) == pytest.approx(-0.0046035222323174835, abs=1e-12)
    # Least squares says the same at the mean of all judge differences.
    slope, start = np.polyfit(judge, human, 1)
    assert found.difference == pytest.approx(start + slope * np.mean(np.concatenate((judge, others))), abs=1e-12)


def test_a_judge_that_is_the_human_gives_the_mean_of_all_queries():
    human, _, chosen = differences()
    found = combine(human[chosen], human[chosen], human)
    assert found.difference == pytest.approx(human.mean(), abs=1e-12)
    assert found.error == pytest.approx(human.std(ddof=1) / np.sqrt(len(human)), rel=1e-12)
    assert (found.judge.slope, found.judge.correlation) == pytest.approx((1, 1))


def test_a_judge_that_sees_no_difference_leaves_the_plain_interval():
    human, _, chosen = differences()
    few, _ = both(human, human, chosen)
    for level in (0.0, 0.125):
        _, judge = both(human, np.full(len(human), level), chosen)
        pair = rankgauge.compare(few, judge=judge)["score"].pairs[0]
        plain = rankgauge.compare(few, test="t")["score"].pairs[0]
        assert (pair.difference, pair.low, pair.high, pair.p) == pytest.approx(
            (plain.difference, plain.low, plain.high, plain.p), abs=1e-12
        )


def test_a_constant_and_a_positive_factor_change_nothing():
    human, judge, chosen = differences()
    found = combine(human[chosen], judge[chosen], judge)
    moved = combine(human[chosen], 3.0 * judge[chosen] + 0.25, 3.0 * judge + 0.25)
    assert (moved.difference, moved.error) == pytest.approx((found.difference, found.error), abs=1e-12)
    assert moved.judge.slope == pytest.approx(found.judge.slope / 3)


def test_a_judge_that_points_the_wrong_way_is_noise():
    human, judge, chosen = differences()
    found = combine(human[chosen], -judge[chosen], -judge)
    assert found.judge.slope == 0
    assert found.judge.correlation < -0.5
    assert found.difference == pytest.approx(human[chosen].mean())


def test_the_result_shows_three_differences_and_the_condition():
    few, judge = both(*differences(n=8))
    found = rankgauge.compare(few, judge=judge, equivalence=0.5)
    pair = found["score"].pairs[0]
    assert found.test == "t"
    assert pair.to_dict()["judge"].keys() == {
        *("queries", "human_queries", "slope", "correlation", "effective_queries", "human_only", "judge_only")
    }
    assert (pair.judge.queries, pair.judge.human_queries) == (60, 8)
    assert pair.verdict == "equivalent"
    text = str(found)
    for words in ("human only", "judge alone", "combined", "drawn at random", "rests on 8 queries"):
        assert words in text
    assert "drawn at random" in found.summary
    assert "judge_human_only_low" in [column.name for column in found.wide_table().columns]
    assert found.to_polars()["judge_queries"].to_list() == [60]
    assert "judge alone" in found.to_markdown()
    assert "judge" not in rankgauge.compare(few, test="t")["score"].pairs[0].to_dict()


def test_a_judge_narrows_the_interval_and_plans_with_fewer_human_queries():
    few, judge = both(*differences(n=20, noise=0.01))
    with_judge, alone = rankgauge.compare(few, judge=judge), rankgauge.compare(few, test="t")
    one, other = with_judge["score"].pairs[0], alone["score"].pairs[0]
    assert one.high - one.low < other.high - other.low
    assert one.judge.effective_queries > 20
    plan = with_judge.human_queries_to_detect(0.05)["score"]
    assert plan.human_queries_needed < alone.queries_to_detect(0.05)["score"].queries_needed
    assert "human queries needed" in str(with_judge.human_queries_to_detect(0.05))
    with pytest.raises(UsageError, match="no judge"):
        alone.human_queries_to_detect(0.05)


@pytest.mark.parametrize(
    ("deviation", "difference", "correlation", "queries", "expected"),
    [
        (0.2, 0.05, 0.75, 1000, 63),
        (0.2, 0.05, 0.75, 200, 89),
        (0.2, 0.05, 0.4, 1000, 111),
        (0.15, 0.02, 0.75, 200, None),
        (0.15, 0.02, 0.75, 2000, 224),
        (0.15, 0.03, 0.0, 1000, 199),
        (0.15, 0.03, -0.5, 1000, 199),
        (0.1, 0.0, 0.5, 1000, None),
    ],
)
def test_planned_human_queries(deviation, difference, correlation, queries, expected):
    assert human_queries_to_detect(deviation, difference, correlation=correlation, queries=queries) == expected


def test_queries_that_the_judge_lacks_are_left_out_and_counted():
    human, judge, chosen = differences()
    few, many = both(human, judge, chosen)
    without = many.only([query for query in many.queries if query not in few.queries[:2]])
    found = rankgauge.compare(few, judge=without)
    assert found["score"].pairs[0].judge.human_queries == 10
    assert any("lacks 2 human queries" in note.text for note in found.notes)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"test": "sign-flip"}, "only the t test"),
        ({"test": "tukey"}, "only the t test"),
        ({"interval": "bootstrap"}, "only t intervals"),
        ({"by": {"q1": "a"}}, "slices cannot take a judge"),
    ],
)
def test_what_cannot_take_a_judge_is_refused(given, words):
    few, judge = both(*differences())
    with pytest.raises(UsageError, match=words):
        rankgauge.compare(few, judge=judge, **given)


def test_too_few_or_all_human_queries_are_refused():
    human, judge, chosen = differences()
    few, many = both(human, judge, chosen)
    with pytest.raises(AnalysisError, match="at least 5"):
        rankgauge.compare(few.only(few.queries[:4]), judge=many)
    with pytest.raises(AnalysisError, match="leave the judge out"):
        rankgauge.compare(few, judge=many.only(few.queries))
    other = Scores.from_matrix(few.values[:, :, 0], few.systems, [f"x{at}" for at in range(12)], rows="systems")
    with pytest.raises(AnalysisError, match="none of the human queries"):
        rankgauge.compare(other, judge=many)


def covered(draws, n=15, queries=200, strength=0.75, seed=1):
    """Shares of intervals that hold the truth: ours, and PPI++ as published with its normal quantile."""
    draw = np.random.default_rng(seed)
    ours = theirs = 0
    for _ in range(draws):
        shared = draw.normal(size=queries)
        human = 0.3 + strength * shared + np.sqrt(1 - strength**2) * draw.normal(size=queries)
        judge = shared + 0.4
        found = combine(human[:n], judge[:n], judge)
        ours += abs(found.difference - 0.3) <= found.margin(0.95)
        theirs += ppi_holds(human[:n], judge[:n], judge[n:], 0.3)
    return ours / draws, theirs / draws


def ppi_holds(human, judge, rest, truth):
    n, others = len(human), len(rest)
    every = np.concatenate((judge, rest))
    weight = np.cov(human, judge, ddof=1)[0, 1] / ((1 + n / others) * every.var(ddof=1))
    weight = np.clip(weight, 0, 1)
    value = human.mean() + weight * (rest.mean() - judge.mean())
    error = np.sqrt(weight**2 * rest.var() / others + (human - weight * judge).var() / n)
    return abs(value - truth) <= 1.959963984540054 * error


def test_intervals_cover_as_they_promise_and_published_ones_do_not():
    ours, theirs = covered(1500)
    assert 0.93 <= ours <= 0.97
    assert theirs < 0.92


@pytest.mark.slow
@pytest.mark.parametrize(("n", "strength"), [(8, 0.75), (15, 0.75), (15, 0.4), (40, 0.9)])
def test_coverage_at_length(n, strength):
    ours, _ = covered(12_000, n=n, strength=strength, seed=n)
    assert 0.935 <= ours <= 0.965


def test_intervals_side_by_side_are_of_the_same_level():
    """At the level that decides among many systems the combined interval would look wider than that of people alone."""
    draw = np.random.default_rng(2)
    names = [f"q{at}" for at in range(60)]
    human = 0.3 + 0.1 * draw.normal(size=(9, 60))
    tables = [
        Scores.from_matrix(values, [f"s{at}" for at in range(9)], names, rows="systems")
        for values in (human, human + 0.02 * draw.normal(size=human.shape))
    ]
    found = rankgauge.compare(tables[0].only(names[:20]), judge=tables[1])
    pair = found["score"].pairs[0]
    assert pair.high - pair.low > pair.alone[1] - pair.alone[0]
    *_, last = judge_table(found["score"], found.baseline, found.confidence).rows
    alone = next(pair for pair in found["score"].pairs if pair.system == last[0])
    assert last[3] == f"{alone.difference:+.3f} [{alone.alone[0]:+.3f}, {alone.alone[1]:+.3f}]"
    assert "95% intervals of each pair alone" in " ".join(str(found).split())
    assert "20 human queries beside 60 of the judge can detect" in found.summary


def test_a_judge_that_shifts_the_difference_beyond_chance_is_known_by_how_much():
    human, _, chosen = differences()
    wobble = 0.01 * np.cos(np.arange(len(human)))
    for shift in (0.3, -0.3):
        judge = human - shift + wobble
        found = combine(human[chosen], judge[chosen], judge)
        assert found.shift == pytest.approx(np.mean(human[chosen] - judge[chosen]))
        assert found.shift * shift > 0
    judge = human + wobble - wobble[chosen].mean()
    assert combine(human[chosen], judge[chosen], judge).shift == 0
    assert combine(human[chosen], human[chosen] - 0.5, human - 0.5).shift == 0  # the same everywhere: nothing to test


def test_a_judge_is_given_as_scores_or_as_judgments_beside_the_runs():
    draw = np.random.default_rng(4)
    names, documents = [f"q{at}" for at in range(12)], "abcd"

    def judgments(queries):
        return {query: {document: int(draw.integers(0, 3)) for document in documents} for query in queries}

    people, machine = judgments(names[:7]), judgments(names)
    runs = {
        system: {query: {document: float(draw.random()) for document in documents} for query in names}
        for system in ("old", "new")
    }
    scores = rankgauge.evaluate(machine, runs, "nDCG")
    asked = {"measures": "nDCG", "equivalence": 0.1}
    expected = rankgauge.compare(people, runs, judge=machine, **asked)["nDCG"].pairs[0]
    assert expected.judge.queries == 12
    assert rankgauge.compare(people, runs, judge=scores, **asked)["nDCG"].pairs[0] == expected
    alone = rankgauge.compare(rankgauge.evaluate(people, runs, "nDCG"), judge=scores)["nDCG"].pairs[0]
    assert alone.difference == pytest.approx(expected.difference)


def test_a_judge_that_shifts_differences_or_does_not_help_is_noted():
    human, _, chosen = differences(n=20)
    few, shifted = both(human, human - 0.3 + 0.01 * np.cos(np.arange(60)), chosen)
    told = {note.kind: note.text for note in rankgauge.compare(few, judge=shifted).notes}
    assert "the judge shifts this difference by -0.2979" in told["judge-shift"]
    assert "judge-does-not-help" not in told
    few, useless = both(human, np.random.default_rng(8).normal(size=60), chosen)
    told = {note.kind: note.text for note in rankgauge.compare(few, judge=useless).notes}
    assert "the interval is wider" in told["judge-does-not-help"]
    assert "few-human-queries" not in told
    kinds = {note.kind for note in rankgauge.compare(few.only(few.queries[:9]), judge=useless).notes}
    assert "few-human-queries" in kinds
