"""The page as a file: its numbers, its bytes, and text that would like to be more than text."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import rankgauge
from rankgauge.analysis.comparison.wording import p_text
from rankgauge.measures import parse
from rankgauge.presentation.material import gather, variants_of
from rankgauge.presentation.report import report_bytes
from rankgauge.tables.markup import to_csv

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


class Tables(HTMLParser):
    """Cells of the tables below each section, as text and as the number they sort by."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: dict[str, list[list[list[tuple[str, str | None]]]]] = {}
        self.section, self.open = "", False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if tag == "section":
            self.section = named["id"]
        elif tag == "table":
            self.found.setdefault(self.section, []).append([])
        elif tag == "tr":
            self.found[self.section][-1].append([])
        elif tag in {"td", "th"}:
            self.found[self.section][-1][-1].append(("", named.get("data-value")))
            self.open = True

    def handle_endtag(self, tag):
        if tag in {"td", "th"}:
            self.open = False

    def handle_data(self, data):
        if self.open:
            row = self.found[self.section][-1][-1]
            row[-1] = (row[-1][0] + data, row[-1][1])


def test_the_leaderboard_shows_the_numbers_of_compare(page, scores):
    verdict = rankgauge.compare(scores, baseline="system-02")["nDCG@10"]
    rows = {cells[1][0]: cells for cells in Tables(page).found["leaderboard"][0][1:]}
    assert len(rows) == 4
    for system in verdict.systems:
        assert rows[system.name][2] == (f"{system.mean:.4f}", repr(system.mean))
    for pair in verdict.pairs:
        cells = rows[pair.system]
        assert cells[4] == (f"{pair.difference:+.4f}", repr(pair.difference))
        assert cells[5] == (f"[{pair.low:+.3f}, {pair.high:+.3f}]", repr(pair.low))
        assert cells[6] == (p_text(pair.p_adjusted), repr(pair.p_adjusted))
        assert cells[7][0].endswith(f"{pair.wins}/{pair.ties}/{pair.losses}")
        assert cells[8][0] == pair.verdict


def test_the_verdict_shows_the_numbers_of_compare(page, scores):
    verdict = rankgauge.compare(scores, baseline="system-02")["nDCG@10"]
    best = max((s for s in verdict.systems if s.name != "system-02"), key=lambda system: system.mean)
    pair = verdict.pair(best.name, "system-02")
    box = html.unescape(re.search(r'<section class="verdict".*?</section>', page, re.DOTALL)[0])
    for number in (best.mean, pair.difference, pair.low, pair.high, pair.detectable_difference):
        assert f"{number:.4f}" in box
    assert f"{pair.queries_needed:,} queries would settle" in box if pair.verdict == "undecided" else True
    assert "80 % power" in box


def test_stability_shows_the_numbers_of_stability(page, scores):
    study = rankgauge.stability(scores)
    rows = Tables(page).found["stability"][0][1:]
    shown = {(cells[0][0], cells[1][0]): cells[2][0] for cells in rows}
    for measure in MEASURES:
        for sign, value in (("Φ", study[measure].dependability()), ("Eρ²", study[measure].generalizability())):
            assert shown[measure, sign].startswith(f"{value.value:.4f} [{value.low:.4f}, {value.high:.4f}]")


def test_discrimination_shows_the_numbers_of_discriminate(page, scores):
    found = rankgauge.discriminate(scores, seed=7)
    rows = {cells[0][0]: cells for cells in Tables(page).found["discrimination"][0][1:]}
    for measure in found.measures:
        assert rows[measure.measure][1][0] == f"{measure.power:.3f}"
        assert rows[measure.measure][2][0] in {f"{measure.required_difference:.4f}", "–"}


def test_bars_of_the_changes_are_the_differences_of_the_scores(page, scores):
    (spec,) = re.findall(r'<script type="application/json" id="changes-\d+">(.*?)</script>', page)
    (rows,) = json.loads(spec)["datasets"].values()
    matrix = scores.matrix("nDCG@10")
    means = matrix.mean(axis=1)
    baseline = scores.systems.index("system-02")
    best = max((at for at in range(4) if at != baseline), key=lambda at: means[at])
    expected = dict(zip(scores.queries, (matrix[best] - matrix[baseline]).tolist(), strict=True))
    assert {row["query"]: row["difference"] for row in rows} == expected


def test_the_same_input_gives_the_same_bytes(scores, tmp_path):
    first, second = (rankgauge.report(tmp_path / name, scores).read_bytes() for name in ("a.html", "b.html"))
    assert first == second


def test_given_results_are_shown_as_given(scores, tmp_path):
    verdict = rankgauge.compare(scores, baseline="system-03", test="t", seed=3)
    text = rankgauge.report(tmp_path / "a.html", scores, verdict, rankgauge.stability(scores)).read_text()
    assert "than system-03" in text
    assert "adjusted p of the t test" in text


def test_thousands_of_queries_are_counted_not_drawn_one_by_one(tmp_path):
    generator = np.random.default_rng(5)
    queries = tuple(f"q{at}" for at in range(2500))
    scores = rankgauge.Scores(("a", "b"), queries, (parse("nDCG@10"),), generator.random((2, 2500, 1)))
    text = rankgauge.report(tmp_path / "a.html", scores).read_text()
    assert "2,500 queries, counted by difference" in text
    (spec,) = re.findall(r'<script type="application/json" id="changes-\d+">(.*?)</script>', text)
    (rows,) = json.loads(spec)["datasets"].values()
    assert len(rows) < 100
    assert sum(row["queries"] for row in rows) == 2500


def test_a_plot_of_changes_is_the_chart_of_the_page(scores):
    chart = rankgauge.plot.changes(scores, "system-01", "system-02", measure="AP").to_dict()
    assert [len(rows) for rows in chart["datasets"].values()] == [30]
    with pytest.raises(rankgauge.errors.UsageError, match="system-01"):
        rankgauge.plot.changes(scores, "system-1", "system-02")


HOSTILE = (
    "<script>document.title='run'</script>",
    "</script><img src=x onerror=document.title='run'>",
    "\"quoted\" 'twice' | & \\ `${1}`",
    "=HYPERLINK(1)",
    "emoji 🦊👩‍🔬 و עברית",
    "long " + "x" * 5000,
)


def hostile_material():
    """Everything a user may name is hostile: systems, queries, texts and documents."""
    documents = [f"{text} {at}" for at, text in enumerate(HOSTILE)]
    judged = {query: {document: at % 3 for at, document in enumerate(documents)} for query in HOSTILE}
    runs = [
        rankgauge.Run(
            {
                query: {document: float((at * (turn + 2) + len(query)) % 7) for at, document in enumerate(documents)}
                for query in HOSTILE
            },
            name=name,
        )
        for turn, name in enumerate(HOSTILE)
    ]
    judgments = rankgauge.Judgments(judged)
    grid = variants_of(parse("nDCG@10"))
    every = rankgauge.evaluate(judgments, runs, grid)
    texts = dict(zip(HOSTILE, reversed(HOSTILE), strict=True))
    return gather(every.only(grid[:1]), variants=every, judgments=judgments, runs=runs, texts=texts, title=HOSTILE[0])


class Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts, self.pictures, self.handlers = 0, 0, []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        self.pictures += tag == "img"
        self.handlers += [name for name, _ in attrs if name.startswith("on")]


def test_hostile_text_is_text_on_the_page():
    text = report_bytes(hostile_material()).decode()
    found = Elements(text)
    # Three specifications, the bundle, and the page's own script.
    assert (found.scripts, found.pictures, found.handlers) == (5, 0, [])
    assert "x" * 700 not in text
    assert len(text) < 2_000_000


def test_hostile_names_are_text_in_markdown_latex_and_csv():
    scores = hostile_material().scores
    bold = scores.to_markdown().splitlines()
    rows = [line for line in bold if line.startswith("| ")][1:]
    assert len(rows) == len(HOSTILE)
    assert all(re.sub(r"\\.", "", row).count("|") == 3 for row in rows)
    assert all("<" not in re.sub(r"\\.", "", row) for row in rows)
    lines = scores.to_latex().splitlines()
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert len(body) == len(HOSTILE)
    assert all(len(re.findall(r"(?<!\\)&", line)) == 1 for line in body)
    cells = [row[0] for row in csv.reader(io.StringIO(to_csv(scores.table())))][1:]
    assert {cell.removeprefix("'") for cell in cells} == set(HOSTILE)
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)
