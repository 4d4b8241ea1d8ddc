"""What unjudged documents could change: bounds that hold, and close as holes are judged."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge import Policy
from rankgauge.cli.main import cli
from rankgauge.errors import MeasureError, PolicyError, RankgaugeError, UsageError


def collection(seed, queries=4, documents=7, top=3):
    draw = np.random.default_rng(seed)
    judged, runs = {}, {"old": {}, "new": {}, "third": {}}
    for q in range(queries):
        names = [f"d{d}" for d in range(documents)]
        kept = draw.random(documents) < 0.7
        judged[f"q{q}"] = {
            name: int(draw.integers(0, top + 1)) for name, is_kept in zip(names, kept, strict=True) if is_kept
        }
        judged[f"q{q}"]["other"] = int(draw.integers(0, top + 1))
        for run in runs.values():
            run[f"q{q}"] = {name: float(draw.random()) for name in names}
    judged["q0"]["other"] = top
    return judged, runs


def labelled(judged, runs, cutoff, draw, top=3):
    filled = {query: dict(row) for query, row in judged.items()}
    for run in runs.values():
        for query, row in run.items():
            for document in sorted(row, key=lambda one: (row[one], one), reverse=True)[:cutoff]:
                filled[query].setdefault(document, int(draw.integers(0, top + 1)))
    return filled


@pytest.mark.parametrize(
    "measure",
    ["nDCG@3", "nDCG(gain=exp)@3", "DCG@4", "P(rel=2)@3", "P", "RBP(p=0.7)", "RBP(rel=2)@3", "RR@3", "ERR@3", "AP@3"],
)
@pytest.mark.parametrize("seed", range(3))
def test_every_labelling_stays_inside(measure, seed):
    judged, runs = collection(seed)
    found = rankgauge.holes(judged, runs, measure, all_pairs=True)
    draw = np.random.default_rng(seed)
    cutoff = int(measure.partition("@")[2] or 7)
    for _ in range(25):
        scores = rankgauge.evaluate(labelled(judged, runs, cutoff, draw), runs, measure)
        comparison = rankgauge.compare(scores, all_pairs=True, test="t", correction="none")[scores.measures[0]]
        for pair in found.pairs:
            got = comparison.pair(pair.system, pair.baseline)
            assert pair.low - 1e-12 <= got.difference <= pair.high + 1e-12
            assert pair.lowest_limit <= got.low + 1e-12
            assert pair.highest_limit >= got.high - 1e-12
            if pair.verdict_settled:
                assert got.verdict == pair.verdict


@pytest.mark.parametrize("measure", ["nDCG@3", "DCG@3", "P@3", "RBP(max=3)@3"])
def test_sharp_bounds_are_attained(measure):
    judged, runs = collection(5, queries=2, documents=4)
    runs = {name: runs[name] for name in ("old", "new")}
    pair = rankgauge.holes(judged, runs, measure).pairs[0]
    assert 1 <= pair.holes <= 5
    open_ones = [(q, d) for q in judged for d in ("d0", "d1", "d2", "d3") if d not in judged[q]]
    values = []
    for grades in itertools.product(range(4), repeat=len(open_ones)):
        filled = {query: dict(row) for query, row in judged.items()}
        for (query, document), grade in zip(open_ones, grades, strict=True):
            filled[query][document] = grade
        mean = rankgauge.evaluate(filled, runs, measure).mean()
        values.append(next(iter(mean["new"].values())) - next(iter(mean["old"].values())))
    assert max(values) <= pair.high + 1e-12
    assert min(values) >= pair.low - 1e-12


def test_without_holes_nothing_is_open():
    judged, runs = collection(1)
    full = labelled(judged, runs, 7, np.random.default_rng(0))
    for measure in ("nDCG@3", "P@3", "RR@3"):
        pair = rankgauge.holes(full, runs, measure).pairs[0]
        assert pair.low == pair.high == pair.difference
        assert (pair.holes, pair.verdict_settled) == (0, True)
        assert pair.lowest_limit == pytest.approx(pair.interval_low, abs=1e-9)
        assert pair.labels_half_width == 0


def test_exchanging_the_systems_negates_everything():
    judged, runs = collection(2)
    one = rankgauge.holes(judged, runs, baseline="old").pairs[0]
    other = rankgauge.holes(judged, runs, baseline="new").pairs[0]
    assert (one.system, other.system) == ("new", "old")
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-12)
    assert (one.lowest_limit, one.highest_limit) == pytest.approx((-other.highest_limit, -other.lowest_limit), abs=1e-9)


def test_two_runs_that_rank_their_holes_alike_are_closed_on_linear_measures():
    judged = {"q1": {"a": 2, "b": 0}, "q2": {"a": 1, "b": 0}}
    old = {query: {"x": 9.0, "a": 2.0, "b": 1.0} for query in judged}
    new = {query: {"x": 9.0, "b": 2.0, "a": 1.0} for query in judged}
    pair = rankgauge.holes(judged, {"old": old, "new": new}, "DCG@3").pairs[0]
    assert pair.holes == 2
    assert pair.low == pair.high == pair.difference


def test_judging_what_comes_next_narrows_the_bounds_and_the_list_ends():
    judged, runs = collection(3)
    runs = {name: runs[name] for name in ("old", "new")}
    before = rankgauge.holes(judged, runs, "nDCG@3")
    width = before.pairs[0].high - before.pairs[0].low
    while before.hole_count:
        first = before.next(1)[0]
        judged[first.query][first.document] = 0
        after = rankgauge.holes(judged, runs, "nDCG@3")
        assert after.hole_count == before.hole_count - 1
        assert after.pairs[0].high - after.pairs[0].low <= width + 1e-12
        width, before = after.pairs[0].high - after.pairs[0].low, after
    assert width == pytest.approx(0, abs=1e-15)
    assert before.next(5) == ()


def test_a_missing_query_counts_zero_or_is_left_out():
    judged, runs = collection(4)
    del runs["new"]["q1"]
    zero = rankgauge.holes(judged, runs, "nDCG@3").pairs[0]
    dropped = rankgauge.holes(judged, runs, "nDCG@3", policy=Policy(missing="drop")).pairs[0]
    assert (len(zero.bounds), len(dropped.bounds)) == (4, 3)
    assert {row[0] for row in dropped.bounds} == {"q0", "q2", "q3"}


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"measure": "Q@5"}, MeasureError, "nDCG, DCG, ERR"),
        ({"measure": "nDCG(relevance=phi)@5"}, MeasureError, "identity"),
        ({"measure": "nDCG(discount=weights(1, 2))@2"}, MeasureError, "do not rise"),
        ({"measure": "RBP(max=query)"}, MeasureError, "one highest grade"),
        ({"measure": "RBP", "max_grade": 5}, MeasureError, "max=5"),
        ({"measure": "nDCG@5", "max_grade": 1}, UsageError, "at least that"),
        ({"measure": "RR", "max_grade": 9}, UsageError, "max_grade is for"),
        ({"measure": "nDCG", "ideal": "open"}, UsageError, "with a cutoff"),
        ({"measure": "nDCG@5", "ideal": "wide"}, UsageError, "unknown ideal"),
        ({"measure": "nDCG@5", "policy": Policy(ties="mean")}, PolicyError, "ties"),
        ({"measure": "nDCG@5", "policy": Policy(ties="worst")}, PolicyError, "ties"),
        ({"measure": "nDCG@5", "policy": Policy(undefined="drop")}, PolicyError, "number of queries"),
        ({"measure": "nDCG@5", "policy": Policy(unjudged="drop")}, PolicyError, "no holes"),
        ({"measure": "nDCG@5", "baseline": "nobody"}, UsageError, "unknown baseline"),
    ],
)
def test_what_has_no_bounds_is_refused_with_the_reason(given, error, words):
    judged, runs = collection(0)
    with pytest.raises(error, match=words):
        rankgauge.holes(judged, runs, **given)


def test_a_measure_without_sharp_bounds_says_at_most_and_lists_nothing():
    judged, runs = collection(0)
    found = rankgauge.holes(judged, {name: runs[name] for name in ("old", "new")}, "RR@5")
    assert found.to_dict()["sharp"] is False
    assert "at most" in found.summary
    with pytest.raises(UsageError, match="no sharp bounds"):
        found.next(3)


def test_a_bound_of_zero_settles_no_sign():
    judged = {f"q{q}": {"a": 1, "b": 1} for q in range(3)}
    runs = {"old": {q: {"x": 2.0, "b": 1.0} for q in judged}, "new": {q: {"a": 2.0, "b": 1.0} for q in judged}}
    pair = rankgauge.holes(judged, runs, "P@2").pairs[0]
    assert (pair.low, pair.high) == (0.0, 0.5)
    assert not pair.sign_settled


def test_systems_alike_under_all_grades_have_no_sign():
    judged, runs = collection(0)
    found = rankgauge.holes(judged, {name: runs[name] for name in ("old", "new")}, "P(rel=9)@3")
    assert "whatever the grades" in found.summary
    assert found.table().rows[0][-2] == "none"


def test_holes_that_the_judge_has_not_seen_are_counted():
    judged, runs = collection(0)
    full = labelled(judged, runs, 7, np.random.default_rng(0))
    other = {f"x{query}": row for query, row in full.items()}
    some = {query: row for query, row in full.items() if query != "q0"}
    notes = [
        [note for note in rankgauge.holes(judged, runs, judge=judge).notes if note.kind == "judge-lacks-holes"]
        for judge in (full, other, some)
    ]
    assert notes[0] == []
    assert "written the same way" in notes[1][0].text
    assert "as if there were no judge" in notes[2][0].text


def test_a_list_that_cannot_be_written_leaves_nothing_printed(tmp_path):
    judged, runs = collection(0)
    lines = [f"{q} 0 {d} {value}\n" for q, row in judged.items() for d, value in row.items()]
    (tmp_path / "judged.qrels").write_text("".join(lines))
    for name, run in runs.items():
        lines = [f"{q} Q0 {d} 0 {score} {name}\n" for q, row in run.items() for d, score in row.items()]
        (tmp_path / f"{name}.trec").write_text("".join(lines))
    words = ["holes", *(str(tmp_path / name) for name in ("judged.qrels", "old.trec", "new.trec")), "--next", "3"]
    done = CliRunner().invoke(cli, [*words, "-o", str(tmp_path / "nowhere" / "list.csv")])
    assert isinstance(done.exception, RankgaugeError)
    assert done.stdout == ""


def test_lists_are_those_that_the_policy_leaves():
    judged = {"q": {"a": 1, "b": 0}, "p": {"c": 1}}
    runs = {name: {"q": {"q": 3.0, top: 2.0}, "p": {"c": 1.0}} for name, top in (("old", "a"), ("new", "b"))}
    found = rankgauge.holes(judged, runs, "nDCG@10", policy=Policy(own_id="drop"))
    assert (found.hole_count, found.pairs[0].low, found.pairs[0].high) == (0, -0.5, -0.5)
    runs["old"]["elsewhere"] = {"a": 1.0}
    assert rankgauge.holes(judged, runs, "nDCG@10", policy=Policy(extra="zero")).query_count == 3
