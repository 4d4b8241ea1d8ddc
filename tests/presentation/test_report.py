"""The page as a file: what it shows, and its bytes."""

from __future__ import annotations

import base64
import json
import re

import numpy as np
import pytest

import rankgauge
from cubes import scores_of
from presentation.page_tables import Tables, leaderboard
from rankgauge.analysis.compare.tables import interval_text
from rankgauge.analysis.compare.wording import Focus
from rankgauge.measures import parse
from rankgauge.presentation.drawing.canvas import typeset
from rankgauge.presentation.report import trust
from rankgauge.presentation.report.collect import variants_of
from rankgauge.presentation.report.measure_choice import found_variants, grid_html

MEASURES = ["nDCG@10", "AP"]


@pytest.fixture(scope="module")
def collection():
    return rankgauge.simulate(systems=4, queries=30, seed=11)


@pytest.fixture(scope="module")
def scores(collection):
    return rankgauge.evaluate(collection.judgments(), collection.runs(), MEASURES)


@pytest.fixture(scope="module")
def page(scores, tmp_path_factory):
    return rankgauge.report(tmp_path_factory.mktemp("page") / "report.html", scores, baseline="system-02").read_text()


def test_bars_of_the_changes_are_the_differences_of_the_scores(page, scores):
    titles = re.findall(r'<rect class="(?:up|down|even)"[^>]*><title>(\S+?) ([+−][\d.]+)</title>', page)
    matrix = scores.matrix("nDCG@10")
    means = matrix.mean(axis=1)
    baseline = scores.systems.index("system-02")
    best = max((at for at in range(4) if at != baseline), key=lambda at: means[at])
    expected = dict(zip(scores.queries, (matrix[best] - matrix[baseline]).tolist(), strict=True))
    assert dict(titles) == {query: typeset(f"{change:+.4f}") for query, change in expected.items()}


def test_the_scores_of_the_scripts_are_exact(page, scores):
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page)[1])
    values = np.frombuffer(base64.b64decode(data["values"]), "<f8").reshape(len(data["systems"]), -1)
    order = [scores.systems.index(name) for name in data["systems"]]
    np.testing.assert_array_equal(values, scores.matrix("nDCG@10")[order])
    numbers = np.frombuffer(base64.b64decode(data["pairs"]["numbers"]), "<f8").reshape(-1, 3)
    pairs = rankgauge.compare(scores, baseline="system-02")["nDCG@10"].pairs
    assert numbers.tolist() == [[pair.low, pair.high, pair.p_adjusted] for pair in pairs]


def test_the_same_input_gives_the_same_bytes(scores, tmp_path):
    first, second = (rankgauge.report(tmp_path / name, scores).read_bytes() for name in ("a.html", "b.html"))
    assert first == second


def test_given_results_are_shown_as_given(scores, tmp_path):
    verdict = rankgauge.compare(scores, baseline="system-03", test="wilcoxon", seed=3)
    text = rankgauge.report(
        tmp_path / "a.html", scores, comparison=verdict, stability=rankgauge.stability(scores)
    ).read_text()
    assert "than system-03" in text
    assert "by the wilcoxon test" in text


def test_thousands_of_queries_are_counted_not_drawn_one_by_one(tmp_path):
    generator = np.random.default_rng(5)
    queries = tuple(f"q{at}" for at in range(2500))
    scores = rankgauge.Scores(("a", "b"), queries, (parse("nDCG@10"),), generator.random((2, 2500, 1)))
    text = rankgauge.report(tmp_path / "a.html", scores).read_text()
    assert "2,500 queries, counted by difference" in text
    counts = re.findall(r"<title>[^<]*?: ([\d,]+) quer(?:y|ies)</title>", text)
    assert len(counts) < 100
    assert sum(int(count.replace(",", "")) for count in counts) == 2500


def test_a_plot_of_changes_is_the_chart_of_the_page(scores):
    chart = rankgauge.plot.changes(scores, "system-01", "system-02", measure="AP").to_dict()
    assert max(len(rows) for rows in chart["datasets"].values()) == 30
    with pytest.raises(rankgauge.errors.UsageError, match="system-01"):
        rankgauge.plot.changes(scores, "system-1", "system-02")


def test_with_judgments_and_runs_lists_and_grid_are_there(collection, tmp_path):
    judgments = rankgauge.Judgments(collection.judgments())
    runs = [rankgauge.Run(run, name=name) for name, run in collection.runs().items()]
    scores = rankgauge.evaluate(judgments, runs, "nDCG@10")
    text = rankgauge.report(tmp_path / "a.html", scores, judgments=judgments, runs=runs).read_text()
    found = Tables(text).found
    (grid,) = found["variants"]
    assert [cell for cell, _ in grid[0]] == ["discount \\ gain", "linear the judged value", "exp 2^value − 1"]
    assert [row[0][0].split()[0] for row in grid[1:]] == ["log2", "zipf", "linear", "none", "rbp(0.8)"]
    means = scores.mean()
    winner = max(means, key=lambda system: means[system]["nDCG@10"])
    assert grid[1][1][0] == f"τ 1.000{winner} {means[winner]['nDCG@10']:.4f} (requested)"
    assert len(found["lists"]) == 10


@pytest.mark.parametrize(
    ("measure", "gains", "discounts"),
    [
        ("nDCG@10", ["linear", "exp"], 5),
        ("nDCG", ["linear", "exp"], 4),
        ("nDCG(gain=exp)@10", ["exp", "linear"], 5),
        ("nDCG(gain=levels(1, 3, 7), discount=zipf(2))@10", ["levels(1, 3, 7)", "linear", "exp"], 6),
    ],
)
def test_the_grid_holds_the_gain_and_discount_asked_for(collection, measure, gains, discounts):
    variants = rankgauge.evaluate(collection.judgments(), collection.runs(), variants_of(parse(measure)))
    text = grid_html(found_variants(variants, rankgauge.agreement(variants)))
    grid = Tables(f'<section id="x">{text}</section>').found["x"][0]
    assert [cell.split(" the ")[0].split(" 2^")[0] for cell, _ in grid[0][1:]] == gains
    assert len(grid) == 1 + discounts
    assert [cell.count("requested") for row in grid for cell, _ in row].count(1) == 1
    assert "requested" in grid[1][1][0]


def test_another_winner_is_marked(collection):
    judged = {"q1": {"a": 3, "b": 1, "c": 1}, "q2": {"a": 1}}
    runs = {
        "first": {"q1": {"a": 1.0}, "q2": {"a": 1.0}},
        "many": {"q1": {"b": 3.0, "c": 2.0, "a": 1.0}, "q2": {"a": 1.0}},
    }
    variants = rankgauge.evaluate(judged, runs, ["DCG(discount=none)@3", "DCG(discount=zipf(5))@3"])
    text = grid_html(found_variants(variants, rankgauge.agreement(variants)))
    assert text.count('class="other"') == 1
    assert "≠ <bdi>first</bdi>" in text


def test_a_comparison_of_all_pairs_is_told_from_the_leader(scores, tmp_path):
    given = rankgauge.compare(scores, all_pairs=True)
    text = rankgauge.report(tmp_path / "a.html", scores, comparison=given).read_text()
    rows = leaderboard(text)
    leader = next(iter(rows))
    for pair in given["nDCG@10"].pairs:
        if leader in (pair.system, pair.baseline):
            other, sign = (pair.baseline, -1) if pair.system == leader else (pair.system, 1)
            assert rows[other]["Δ"][0].startswith(typeset(f"{sign * pair.difference:+.4f}"))
            assert rows[other]["Δ"][1] == repr(sign * pair.difference)
    assert [cells["verdict"][0] for cells in rows.values()].count("leader") == 1


def test_a_measure_without_gain_or_discount_shows_the_measures_asked_for(collection, tmp_path):
    scores = rankgauge.evaluate(collection.judgments(), collection.runs(), ["AP", "RR@10"])
    text = rankgauge.report(tmp_path / "a.html", scores).read_text()
    rows = [[cell for cell, _ in row] for row in Tables(text).found["variants"][0]]
    assert rows[0] == ["measure", "τ", "winner", "mean of the winner"]
    tau = rankgauge.agreement(scores).tau[0]
    assert [row[:2] for row in rows[1:]] == [["AP", "1.000"], ["RR@10", f"{tau[1]:.3f}"]]


def test_the_interval_of_a_difference_holds_together_with_the_others(tmp_path):
    draw = np.random.default_rng(4)
    matrix = scores_of(draw.random((6, 40)) + np.linspace(0, 0.4, 6)[:, None])
    found = rankgauge.compare(matrix, all_pairs=True)
    text = rankgauge.report(tmp_path / "page.html", matrix).read_text()
    assert "95% interval of Δ" in text
    pair = Focus.of(found).pair
    assert pair.high - pair.low > 1.2 * (pair.alone[1] - pair.alone[0])
    assert typeset(interval_text(pair.low, pair.high, found.confidence)) in text
    assert typeset(interval_text(*pair.alone, found.confidence)) not in text


def test_a_page_of_many_queries_names_the_command_for_unjudged_documents(tmp_path, monkeypatch):
    monkeypatch.setattr(trust, "MOST_QUERIES", 3)
    collection = rankgauge.simulate(systems=2, queries=4, seed=7)
    page = rankgauge.report(tmp_path / "page.html", collection.judgments(), collection.runs(), "nDCG@10").read_text()
    assert "Not computed: the page does this for up to 3 queries, and here are 4. rankgauge holes computes it" in page
