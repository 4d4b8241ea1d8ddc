from __future__ import annotations

import html
import os

import pytest

import rankgauge
from rankgauge.presentation.charts.robust import corners_chart, matrix_chart
from rankgauge.presentation.drawing.cells import COLORS, MEANINGS


@pytest.fixture(autouse=True)
def extra():
    if os.environ.get("CI") != "true":
        for package in ("altair", "vl_convert"):
            pytest.importorskip(package, reason="the extra `report` is not installed")


@pytest.fixture(scope="module")
def made():
    return rankgauge.simulate(systems=6, queries=20, seed=7)


@pytest.fixture(scope="module")
def found(made):
    return rankgauge.robust(made.judgments(), made.runs(), "nDCG@5", all_pairs=True, samples=0)


def rows(drawn):
    (found,) = drawn["datasets"].values()
    return found


def test_the_matrix_has_every_pair_twice_in_the_color_of_its_verdict(found):
    drawn = matrix_chart(found).to_dict()
    cells = rows(drawn)
    assert len(cells) == 2 * len(found.pairs)
    words = {(cell["system"], cell["against"]): cell["verdict"] for cell in cells}
    for pair in found.pairs:
        assert words[pair.system, pair.baseline] == words[pair.baseline, pair.system] == pair.verdict
    scale = drawn["encoding"]["color"]["scale"]
    there = {pair.verdict for pair in found.pairs}
    assert dict(zip(scale["domain"], scale["range"], strict=True)) == {MEANINGS[word]: COLORS[word] for word in there}
    order = sorted(found.systems, key=lambda name: -found.means[name])
    assert drawn["encoding"]["y"]["sort"] == order


def test_corners_are_drawn_as_they_were_found(found):
    corners = found.corners("system-02", "system-05")
    drawn = corners_chart(corners).to_dict()
    cells = rows(drawn)
    assert [cell["difference"] for cell in cells] == [value for row in corners.differences for value in row]
    middle = drawn["layer"][0]["encoding"]["color"]["scale"]["domain"]
    assert middle[1] == 0
    assert middle[0] == -middle[2]


def test_a_single_pair_is_drawn_as_its_corners(made):
    runs = {name: made.runs()[name] for name in ("system-01", "system-02")}
    one = rankgauge.robust(made.judgments(), runs, "nDCG@5", samples=0)
    same = corners_chart(one.corners(one.pairs[0].system, one.pairs[0].baseline))
    assert rankgauge.plot.robustness(one).to_dict() == same.to_dict()


@pytest.mark.parametrize("systems", [2, 6])
def test_the_page_leads_with_the_certified_sentence(made, systems, tmp_path):
    runs = {name: made.runs()[name] for name in made.systems[:systems]}
    page = tmp_path / "page.html"
    rankgauge.report(page, made.judgments(), runs, "nDCG@5")
    text = page.read_text(encoding="utf-8")
    section = text[text.index("Does the choice of measure matter?</h2>") :]
    section = section[: section.index("</section>")]
    found = rankgauge.robust(made.judgments(), runs, "nDCG@5", all_pairs=True, samples=0)
    assert html.escape(found.summary) in section
    assert section.index(html.escape(found.summary)) < section.index("<svg" if "<svg" in section else "<img")
    assert ("Matrix of" in section) == (systems > 2)
    assert "count equally" in section
