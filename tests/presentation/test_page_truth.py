"""What the page got wrong once; each of these was seen red."""

from __future__ import annotations

import base64
import html
import json
import re

import numpy as np
import pytest

import rankgauge
from cubes import scores_of
from presentation.page_tables import Tables, leaderboard
from rankgauge import Scores
from rankgauge.analysis.compare.tables import p_words
from rankgauge.analysis.compare.wording import Focus
from rankgauge.presentation.drawing.bars import binned, histogram
from rankgauge.presentation.drawing.canvas import ticks, typeset
from rankgauge.presentation.drawing.rows import groups_of
from rankgauge.presentation.report.page import common_beginning
from rankgauge.presentation.report.trust import confidence_of
from rankgauge.tables.notes import LOUD, Note

QUERIES = tuple(f"q{at}" for at in range(30))


def noisy(levels, queries=30, seed=5, spread=0.05):
    noise = np.random.default_rng(seed).normal(0, spread, (len(levels), queries))
    return np.clip(np.array(levels)[:, np.newaxis] + noise, 0, 1)


def test_ties_are_neither_wins_nor_losses_in_the_histogram():
    values = [0.0] * 500 + [-0.001] * 300 + [0.5] * 10 + [-0.5] * 5
    bins = binned(values)
    counted = {kind: sum(one.queries for one in bins if one.kind == kind) for kind in ("up", "even", "down")}
    assert counted == {"up": 10, "even": 500, "down": 305}
    drawn = histogram(values, "nDCG@10", "words")
    assert re.search(r'class="even"[^>]*><title>ties: 500 queries', drawn)
    assert sum(int(count) for count in re.findall(r'class="up"[^>]*><title>[^:]*: (\d+) queries', drawn)) == 10


def test_the_numbers_below_the_histogram_are_round():
    drawn = histogram([0.31, -0.9, 0.87] * 300, "nDCG@10", "words")
    below = [words for words in re.findall(r">([^<]*)</text>", drawn) if words[:1] in "+−"]
    assert below == ["−0.8", "−0.6", "−0.4", "−0.2", "+0.2", "+0.4", "+0.6", "+0.8"]


def test_almost_enough_queries_are_not_called_enough(tmp_path):
    scores = Scores.from_matrix(
        noisy([0.5, 0.53, 0.55, 0.6], spread=0.065), tuple("abcd"), QUERIES, "m", rows="systems"
    )
    value = rankgauge.stability(scores).parts[0].dependability().value
    assert 0.9 < value < 0.95
    text = rankgauge.report(tmp_path / "page.html", scores).read_text()
    assert f"Almost: on 30 queries Φ is {value:.4f}; about " in text


def test_the_method_names_the_intervals_whatever_the_test(tmp_path):
    matrix = noisy([0.2, 0.6, 0.7, 0.21])
    for test in ("sign-flip", "bootstrap", "tukey"):
        found = rankgauge.compare(scores_of(matrix), test=test, samples=99 if test == "bootstrap" else None)
        text = rankgauge.report(tmp_path / "page.html", scores_of(matrix), comparison=found).read_text()
        facts = {row[0][0]: row[1][0] for row in Tables(text).found["making"][0]}
        assert "intervals" in facts["intervals"]
        assert facts["intervals"] in found.method


def test_every_loud_note_is_listed_gravest_first_and_marks_its_row(tmp_path):
    notes = tuple(
        Note("ties", f"{LOUD}{name}: ties could change m from {low} to {high}", count, name, severity=high - low)
        for name, low, high, count in (
            ("a", 0.5, 0.51, 90),
            ("b", 0.5, 0.9, 3),
            ("c", 0.4, 0.6, 40),
            ("d", 0.4, 0.5, 1),
        )
    )
    base = Scores.from_matrix(noisy([0.3, 0.5, 0.6, 0.7]), tuple("abcd"), QUERIES, "m", rows="systems")
    scores = Scores(base.systems, base.queries, base.measures, base.values, notes=notes)
    text = html.unescape(rankgauge.report(tmp_path / "page.html", scores).read_text())
    loud = re.search(r'<ul class="loud">(.*?)</ul>', text)[1]
    assert re.findall(rf"{LOUD}(\w):", loud) == ["b", "c", "d", "a"]
    row = next(cells for cells in Tables(text).found["health"][0] if cells[0][0].startswith("ties"))
    assert f"{LOUD}b:" in row[2][0]
    assert [row["system"][0][1:] for row in leaderboard(text).values()] == [" ⚠ ties"] * 4


def test_two_systems_have_one_planning_number_and_no_empty_chart(tmp_path):
    scores = Scores.from_matrix(noisy([0.5, 0.505]), ("a", "b"), QUERIES, "m", rows="systems")
    text = rankgauge.report(tmp_path / "page.html", scores).read_text()
    assert 'id="stability"' not in text
    assert "no number of queries" not in text
    assert len(set(re.findall(r"about ([\d,]+) queries in all would settle", text))) == 1
    apart = Scores.from_matrix(noisy([0.3, 0.7]), ("a", "b"), QUERIES, "m", rows="systems")
    given = rankgauge.report(tmp_path / "page.html", apart, stability=rankgauge.stability(apart)).read_text()
    assert 'id="stability"' not in given


def test_where_dependability_is_zero_there_is_no_section_about_it(tmp_path):
    alike = np.tile(np.random.default_rng(2).random(30), (4, 1)) + np.random.default_rng(3).normal(0, 0.01, (4, 30))
    scores = Scores.from_matrix(
        alike - alike.mean(axis=1, keepdims=True) + 0.5, tuple("abcd"), QUERIES, "m", rows="systems"
    )
    assert rankgauge.stability(scores).parts[0].dependability().value == 0
    assert 'id="stability"' not in rankgauge.report(tmp_path / "page.html", scores).read_text()


def test_a_p_value_at_the_resolution_of_the_test_is_a_bound(tmp_path):
    matrix = noisy([0.2, 0.6, 0.7, 0.21])
    found = rankgauge.compare(scores_of(matrix), test="bootstrap", samples=99)
    pair = found.parts[0].pairs[0]
    assert pair.p == 1 / 100
    assert p_words(pair, found.floors) == f"≤{pair.p_adjusted:.4f}"
    assert f"≤{pair.p_adjusted:.4f}" in str(found)
    assert (
        f"≤{pair.p_adjusted:.4f}"
        in rankgauge.report(tmp_path / "p.html", scores_of(matrix), comparison=found).read_text()
    )
    exact = next(pair for pair in found.parts[0].pairs if pair.p > 0.02)
    assert p_words(exact, found.floors) == f"{exact.p_adjusted:.4f}"


@pytest.mark.parametrize("options", [{}, {"baseline": "b"}], ids=["top", "baseline"])
def test_the_page_of_many_systems_says_which_system_it_is_about(options, tmp_path):
    scores = Scores.from_matrix(noisy([0.3, 0.5, 0.7]), tuple("abc"), QUERIES, "m", rows="systems")
    text = rankgauge.report(tmp_path / "page.html", scores, **options).read_text()
    lead = re.search(r'<p class="lead">.*?<b>(.*?)</b>', text)[1]
    assert lead == (
        "c is better than b." if options else "c leads, and the lead is real: it is better than both other systems."
    )


def test_systems_that_are_not_told_apart_are_joined():
    found = rankgauge.compare(scores_of(noisy([0.7, 0.69, 0.5, 0.2, 0.19])), all_pairs=True).parts[0]
    assert [(group.first, group.last) for group in groups_of(found)] == [(0, 1), (3, 4)]
    assert groups_of(rankgauge.compare(scores_of(noisy([0.7, 0.69, 0.5]))).parts[0]) == ()


def test_the_unbeaten_are_those_of_all_pairs():
    focus = Focus.of(rankgauge.compare(scores_of(noisy([0.3, 0.7, 0.69])), all_pairs=True))
    assert focus.unbeaten == [focus.first, focus.second]


@pytest.mark.parametrize(
    ("names", "shared"),
    [
        (["covid-round3-bm25", "covid-round3-t5", "covid-round3-dense"], "covid-round3-"),
        (["system-01", "system-02", "system-03"], ""),
        (["long-common-name-01", "long-common-name-02", "long-common-name-03"], ""),
        (["covid-round3-bm25", "covid-round3-t5"], ""),
        (["alpha", "beta", "gamma"], ""),
    ],
)
def test_a_beginning_that_all_names_share_is_cut_where_the_rest_still_says_something(names, shared):
    assert common_beginning(names) == shared


def test_minus_signs_are_minus_signs_and_hyphens_stay():
    assert typeset("run-1 -0.05 to +0.1, BM25-2, [-0.3, x-5]") == "run-1 −0.05 to +0.1, BM25-2, [−0.3, x-5]"


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-0.31, 0.87), (0, 4999), (1e-7, 3e-7), (-5, -4)])
def test_ticks_are_few_round_and_within(low, high):
    found = ticks(low, high)
    assert 2 <= len(found) <= 8
    assert all(low - 1e-12 <= tick <= high + 1e-9 for tick in found)


def test_slices_equivalence_and_titles_of_documents_are_on_the_page(tmp_path):
    collection = rankgauge.simulate(systems=3, queries=20, seed=7)
    table = collection.query_table()
    table["kind"] = ["head" if at < 10 else "tail" for at in range(20)]
    judged, runs = collection.judgments(), collection.runs()
    titles = {document: f"Title of {document}" for found in judged.values() for document in found}
    text = rankgauge.report(
        tmp_path / "page.html", judged, runs, queries=table, by="kind", documents=titles, equivalence=0.05
    ).read_text()
    focus = Focus.of(rankgauge.compare(rankgauge.evaluate(judged, runs), all_pairs=True, equivalence=0.05))
    found = rankgauge.compare(
        rankgauge.evaluate(judged, runs), all_pairs=True, equivalence=0.05, by="kind", queries=table
    )
    rows = {cells[0][0]: [cell for cell, _ in cells] for cells in Tables(text).found["slices"][0][1:]}
    for part in found.slices:
        pair = next(p for p in part.comparison.parts[0].pairs if {p.system, p.baseline} == {focus.first, focus.second})
        sign = 1 if pair.system == focus.first else -1
        assert rows[part.value][2] == typeset(f"{sign * pair.difference:+.4f}")
    assert "Title of " in text
    assert 'class="zone"' in text
    with pytest.raises(rankgauge.errors.UsageError):
        rankgauge.report(tmp_path / "other.html", judged, runs, by="kind")


@pytest.mark.parametrize(
    ("levels", "answer"),
    [
        ((0.2, 0.2), "No: a is better than b in every slice."),
        ((0.2, -0.2), "Yes: a against b is better for x, worse for y."),
        ((0.2, 0.001), "Not shown: a against b is better for x; undecided elsewhere."),
        ((0.001, 0.001), "Not shown: a against b is undecided in every slice."),
    ],
)
def test_the_section_on_slices_answers_its_question(levels, answer, tmp_path):
    noise = np.random.default_rng(5).normal(0, 0.05, 30)
    change = np.repeat(levels, 15) + noise - np.repeat([noise[:15].mean(), noise[15:].mean()], 15)
    values = np.array([np.full(30, 0.5), 0.5 + change])[::-1]
    scores = Scores.from_matrix(values, ("a", "b"), QUERIES, "m", rows="systems")
    table = {"query": list(QUERIES), "part": ["x"] * 15 + ["y"] * 15}
    text = rankgauge.report(tmp_path / "page.html", scores, baseline="b", queries=table, by="part").read_text()
    section = text[text.index('<section id="slices">') :].partition("</summary>")[0]
    assert f'<span class="answer">{answer}</span>' in section


def test_one_comparison_has_a_p_value_that_is_not_adjusted(tmp_path):
    two, three = (noisy([0.3, 0.5, 0.7][:count]) for count in (2, 3))
    heads = [
        re.findall(
            r'data-first="ascending">(p\b[^<]*)<', rankgauge.report(tmp_path / "p.html", scores_of(matrix)).read_text()
        )
        for matrix in (two, three)
    ]
    assert heads[0] == ["p"]
    assert heads[1][0].startswith("p (")


def test_ranks_in_parentheses_are_explained_where_there_are_some(tmp_path):
    apart, near = (
        rankgauge.report(tmp_path / "p.html", scores_of(noisy([0.3, 0.5, top]))).read_text() for top in (0.9, 0.505)
    )
    assert "Parentheses" not in apart
    assert "Parentheses" in near


def test_a_comparison_of_one_system_is_the_page_of_one_system(tmp_path):
    scores = Scores.from_matrix(noisy([0.5]), ("a",), QUERIES, "m", rows="systems")
    plain = rankgauge.report(tmp_path / "plain.html", scores).read_text()
    assert rankgauge.report(tmp_path / "a.html", scores, comparison=rankgauge.compare(scores)).read_text() == plain


@pytest.fixture(scope="module")
def with_holes(tmp_path_factory):
    """Judgments of which a part is missing, runs, their page, and what it is about."""
    collection = rankgauge.simulate(systems=4, queries=25, seed=3)
    judged = {
        query: {document: value for at, (document, value) in enumerate(found.items()) if at % 7}
        for query, found in collection.judgments().items()
    }
    runs = collection.runs()
    page = rankgauge.report(tmp_path_factory.mktemp("holes") / "page.html", judged, runs, "nDCG@5")
    focus = Focus.of(rankgauge.compare(rankgauge.evaluate(judged, runs, "nDCG@5"), all_pairs=True))
    return judged, runs, page.read_text(), focus


def test_unjudged_documents_have_the_numbers_of_holes(with_holes):
    judged, runs, text, focus = with_holes
    both = {name: runs[name] for name in (focus.second, focus.first)}
    found = rankgauge.holes(judged, both, "nDCG@5", confidence=confidence_of(focus.pair))
    pair = found.pairs[0]
    ends = ((pair.low, pair.high), (pair.interval_low, pair.interval_high), (pair.lowest_limit, pair.highest_limit))
    assert [[cell for cell, _ in row[1:]] for row in Tables(text).found["holes"][0][1:]] == [
        [typeset(f"{low:+.4f}"), typeset(f"{high:+.4f}")] for low, high in ends
    ]
    section = html.unescape(text[text.index('<section id="holes">') :].partition("</section>")[0])
    assert typeset(found.summary) in section
    assert f"{pair.labels_half_width:.4f}, queries: ±{pair.queries_half_width:.4f}: {pair.advice}." in section
    settled = pair.verdict_settled and pair.verdict != "undecided"
    assert ("Judge these next" in section) == (not settled)


@pytest.mark.parametrize("seed", range(6))
def test_unjudged_documents_start_from_the_interval_and_the_verdict_of_the_page(seed, tmp_path):
    collection = rankgauge.simulate(systems=6, queries=15, seed=seed)
    judged = {
        query: {document: value for at, (document, value) in enumerate(found.items()) if at % 9}
        for query, found in collection.judgments().items()
    }
    text = rankgauge.report(tmp_path / "page.html", judged, collection.runs(), "nDCG@5").read_text()
    pair = Focus.of(rankgauge.compare(rankgauge.evaluate(judged, collection.runs(), "nDCG@5"), all_pairs=True)).pair
    section = text[text.index('<section id="holes">') :].partition("</section>")[0]
    assert f"verdict ({pair.verdict})" in section
    queries = next(row for row in Tables(text).found["holes"][0] if row[0][0].startswith("queries"))
    assert [cell for cell, _ in queries[1:]] == [typeset(f"{end:+.4f}") for end in (pair.low, pair.high)]


def test_cutoffs_and_grades_have_the_numbers_of_robust(with_holes):
    judged, runs, text, focus = with_holes
    corners = rankgauge.robust(judged, runs, "nDCG@5", all_pairs=True, samples=0).corners(focus.first, focus.second)
    shown = re.findall(r"<title>cutoff (\d+), grade ≥ (\d+): ([+−][\d.]+)</title>", text)
    assert shown == [
        (str(cutoff), f"{threshold:g}", typeset(f"{value:+.4f}"))
        for cutoff, row in zip(corners.cutoffs, corners.differences, strict=True)
        for threshold, value in zip(corners.thresholds, row, strict=True)
    ]


def test_judged_shares_and_listed_queries_have_the_numbers_of_evaluate(with_holes):
    judged, runs, text, focus = with_holes
    scores = rankgauge.evaluate(judged, runs, "nDCG@5 Judged@5")
    for system, row in leaderboard(text).items():
        assert row["Judged@5"] == (f"{scores.mean()[system]['Judged@5']:.3f}", repr(scores.mean()[system]["Judged@5"]))
    alone = scores.per_query()
    listed = [row for table in Tables(text).found["changes"] for row in table[1:]]
    assert listed
    for (change, _), (query, _), (mine, _), (other, _) in listed:
        numbers = [alone[system][query]["nDCG@5"] for system in (focus.first, focus.second)]
        assert [mine, other] == [f"{number:.4f}" for number in numbers]
        assert change == typeset(f"{numbers[0] - numbers[1]:+.4f}")


def test_one_system_has_its_numbers_and_every_query(with_holes, tmp_path):
    judged, runs, *_ = with_holes
    text = rankgauge.report(tmp_path / "one.html", judged, {"a": runs["system-01"]}, "nDCG@5 AP").read_text()
    scores = rankgauge.evaluate(judged, {"a": runs["system-01"]}, "nDCG@5 AP")
    rows = {row[0][0]: [cell for cell, _ in row[1:]] for row in Tables(text).found["leaderboard"][0][1:]}
    for measure in ("nDCG@5", "AP"):
        mean, median = scores.mean()["a"][measure], scores.median()["a"][measure]
        assert rows[measure][0].startswith(f"{mean:.4f} [")
        assert rows[measure][1:] == [f"{median:.4f}", "25"]
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text)[1])
    assert data["queries"] == list(scores.queries)
    assert base64.b64decode(data["values"]) == scores.matrix("nDCG@5")[0].astype("<f8").tobytes()


def test_every_analysis_has_the_confidence_of_the_given_comparison(tmp_path):
    matrix = noisy([0.2, 0.4, 0.6, 0.7])
    found = rankgauge.compare(scores_of(matrix), all_pairs=True, confidence=0.8)
    text = rankgauge.report(tmp_path / "page.html", scores_of(matrix), comparison=found).read_text()
    section = text[text.index('<section id="stability">') :].partition("</section>")[0]
    assert "in brackets: 80% intervals" in section


def hint_of(text):
    return html.unescape(re.search(r'<section id="leaderboard">.*?<p class="hint">(.*?)</p>', text, re.DOTALL)[1])


def test_the_leaderboard_says_for_what_its_intervals_and_ranks_hold(tmp_path):
    matrix = noisy([0.6, 0.58, 0.565, 0.2])
    for correction, said in (("max-t", True), ("holm", False)):
        found = rankgauge.compare(scores_of(matrix), all_pairs=True, correction=correction)
        text = rankgauge.report(tmp_path / "page.html", scores_of(matrix), comparison=found).read_text()
        assert ("that decide and hold for all pairs at once:" in hint_of(text)) is said
        assert ("with simultaneous 95% intervals" in text) is said


def test_as_many_could_have_rank_1_as_could_be_first():
    """Seen red: each rank by itself allowed fewer than all verdicts at once."""
    focus = Focus.of(rankgauge.compare(scores_of(noisy([0.6, 0.58, 0.575, 0.2])), all_pairs=True))
    first = {system.name for system in focus.ranked if system.rank_low == 1}
    assert first == set(focus.unbeaten)
    assert len(first) == 3


def test_the_interval_of_one_system_is_that_of_its_mean(tmp_path):
    """Seen red: queries without their weights, and the mean of counts beside their sum."""
    judged = {f"q{at}": {"a": 1, "b": at % 2} for at in range(12)}
    run = {query: {"a": 1.0, "c": 2.0 + at % 3} for at, query in enumerate(judged)}
    scores = rankgauge.evaluate(
        judged, run, "P@1 RR NumRel", weights={q: 1 + 9 * (at % 3 == 0) for at, q in enumerate(judged)}
    )
    text = rankgauge.report(tmp_path / "p.html", scores).read_text()
    sides = scores.intervals()["run"]["RR"]
    assert f"[{sides.low:.4f}, {sides.high:.4f}]" in text
    assert "[undefined]" not in text
