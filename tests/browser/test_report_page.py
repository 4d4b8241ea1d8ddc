"""The report in a real browser: with and without scripts, styles, light and room."""

from __future__ import annotations

import csv
import io
import re

import pytest
from pypdf import PdfReader

import rankgauge
from browser.axe import violations
from browser.chromium import served
from rankgauge.presentation.drawing.canvas import typeset

pytestmark = pytest.mark.slow

JENKINS = "sandbox; default-src 'none'; style-src 'self'"
NO_EVAL = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
HEADINGS = (
    "Leaderboard",
    "Wins and losses per query",
    "side by side",
    "Could unjudged documents change this?",
    "Is the input sound?",
    "Are these enough queries to order the systems?",
    "Does the choice of measure matter?",
    "Which measure separates systems best?",
    "How these numbers were computed",
)
UNFOLD = "document.querySelectorAll('details').forEach(d => { d.open = true; })"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def opened(tab, page):
    """With every section unfolded."""
    tab.open(page.as_uri())
    tab.run(UNFOLD)
    return tab


def test_the_page_complains_of_nothing_and_asks_the_network_for_nothing(tab, page):
    opened(tab, page)
    assert tab.run("document.querySelectorAll('figure.chart').length") == 5
    assert tab.complaints() == []
    assert [url for url in tab.requests() if not url.startswith(("data:", "blob:"))] == [page.as_uri()]


def test_a_bar_says_its_query_and_leads_to_its_rankings(tab, page):
    tab.open(page.as_uri())
    worst = "[...document.querySelectorAll('#changes figure rect.down')].at(-1)"
    title = tab.run(f"{worst}.querySelector('title').textContent")
    row = tab.run(
        "[...document.querySelector('#changes table.changes').tBodies[0].rows[0].cells].map(c => c.innerText)"
    )
    assert title == f"{row[1]}: {row[2]} {row[0]}"
    tab.run(f"{worst}.dispatchEvent(new MouseEvent('click', {{bubbles: true}}))")
    tab.wait("document.querySelector('article:target') !== null")
    assert tab.run("document.querySelector('article:target').dataset.query") == row[1]
    assert tab.run("document.querySelector('#lists > details').open")


def test_the_search_box_finds_every_query_marks_rows_and_fades_the_other_bars(tab, page):
    opened(tab, page)
    queries = tab.run("JSON.parse(document.querySelector('#data').textContent).queries")
    assert len(queries) == 40
    bars = tab.run("document.querySelectorAll('#changes figure rect').length")
    for wanted in (queries[0], queries[-1]):
        typed(tab, wanted)
        assert tab.run("[...document.querySelectorAll('.found tbody tr')].map(row => row.cells[1].innerText)") == [
            wanted
        ]
        assert tab.run("document.querySelectorAll('#changes figure rect.faded').length") == bars - 1
    first = tab.run("document.querySelector('#changes tr[data-query]').cells[1].innerText")
    typed(tab, first)
    assert tab.run("[...document.querySelectorAll('tr.hit')].map(row => row.cells[1].innerText)") == [first]


def typed(tab, words):
    tab.run(
        f"(() => {{ const box = document.querySelector('input.filter'); box.value = {words!r};"
        " box.dispatchEvent(new Event('input')); })()"
    )


def test_any_two_systems_can_be_compared_with_the_numbers_of_the_command(tab, page):
    opened(tab, page)
    collection = rankgauge.simulate(systems=5, queries=40, seed=7)
    scores = rankgauge.evaluate(collection.judgments(), collection.runs(), "nDCG@10")
    for pair in rankgauge.compare(scores, all_pairs=True).parts[0].pairs:
        choose(tab, 0, pair.system)
        choose(tab, 1, pair.baseline)
        sentence = tab.run("document.querySelector('.pair-sentence').textContent")
        p = "< 0.0001" if pair.p_adjusted < 0.0001 else f"= {pair.p_adjusted:.4f}"
        expected = (
            f"{pair.system} − {pair.baseline}: {pair.difference:+.4f} nDCG@10, {pair.wins} wins, {pair.ties} ties, "
            f"{pair.losses} losses; {pair.verdict} (interval {pair.low:+.4f} to {pair.high:+.4f}, adjusted p {p})."
        )
        assert sentence == typeset(expected)


def choose(tab, at, name):
    tab.run(
        f"(() => {{ const s = document.querySelectorAll('.choose select')[{at}];"
        f" s.value = [...s.options].findIndex(o => o.text === {name!r}); s.dispatchEvent(new Event('change')); }})()"
    )


def test_the_scores_can_be_downloaded_exactly(tab, page):
    opened(tab, page)
    tab.run(
        "URL.createObjectURL = blob => { window.saved = blob.text(); return 'blob:x'; };"
        "HTMLAnchorElement.prototype.click = () => {};"
        "[...document.querySelectorAll('.choose button')][0].click()"
    )
    head, *rows = csv.reader(tab.run("window.saved").splitlines())
    collection = rankgauge.simulate(systems=5, queries=40, seed=7)
    scores = rankgauge.evaluate(collection.judgments(), collection.runs(), "nDCG@10").per_query()
    assert len(rows) == 40
    for query, *values in rows:
        for system, value in zip(head[1:], values, strict=True):
            assert float(value) == scores[system][query]["nDCG@10"]


def test_a_click_on_a_heading_sorts_the_leaderboard(tab, page):
    opened(tab, page)
    column = "[...document.querySelectorAll('#leaderboard tbody td.mean')].map(cell => Number(cell.dataset.value))"
    before = tab.run(column)
    assert before == sorted(before, reverse=True)
    head = "[...document.querySelectorAll('#leaderboard thead th')].find(h => h.innerText.startsWith('nDCG@10'))"
    tab.run(f"{head}.querySelector('button').click()")
    # The useful direction comes first.
    assert tab.run(f"{head}.getAttribute('aria-sort')") == "descending"
    tab.run(f"{head}.querySelector('button').click()")
    assert tab.run(column) == sorted(before)
    p = "[...document.querySelectorAll('#leaderboard thead th')].find(h => h.innerText.startsWith('p ('))"
    tab.run(f"{p}.querySelector('button').click()")
    assert tab.run(f"{p}.getAttribute('aria-sort')") == "ascending"


def test_without_scripts_everything_can_be_read(tab, page):
    tab.ask("Emulation.setScriptExecutionDisabled", value=True)
    tab.open(page.as_uri())
    complete(tab)
    assert tab.run("document.querySelector('input.filter')") is None


def test_under_the_default_policy_of_jenkins_everything_can_be_read(tab, page):
    with served(page.parent, JENKINS) as address:
        tab.open(f"{address}/{page.name}")
        complete(tab)
        # No style was taken: bars keep the colours of their attributes, and are not black.
        assert tab.run("getComputedStyle(document.querySelector('section.verdict')).borderLeftWidth") == "0px"
        fill = "getComputedStyle(document.querySelector('#changes figure rect.up')).fill"
        assert tab.run(fill) == "rgb(27, 124, 168)"


def complete(tab):
    text = tab.run("document.body.innerText")
    assert [heading for heading in HEADINGS if heading not in text] == []
    tab.run(UNFOLD)
    assert (
        tab.run("[...document.querySelectorAll('figure.chart > svg')].map(s => s.getBoundingClientRect().width > 300)")
        == [True] * 5
    )
    # Titles are the tooltips of browsers themselves.
    titles = tab.run("[...document.querySelectorAll('#changes figure rect title')].map(t => t.textContent)")
    assert len(titles) == 40
    assert all(re.fullmatch(r"q\d+: .+ [+−]\d\.\d{4}", title) for title in titles)


def test_scripts_work_where_eval_is_forbidden(tab, page):
    with served(page.parent, NO_EVAL) as address:
        tab.open(f"{address}/{page.name}")
        assert tab.run("document.querySelector('input.filter') !== null")
        assert [text for text in tab.complaints() if "favicon" not in text] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_the_page_in_light_and_in_the_dark(tab, page, scheme):
    tab.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    opened(tab, page)
    ground = luminance(tab.run("getComputedStyle(document.body).backgroundColor"))
    assert (ground < 0.05) == (scheme == "dark")
    colours = tab.run(
        "[...document.querySelectorAll('h1, h2, p, td, figure.chart text')]"
        ".filter(e => e.textContent.trim()).map(e => [getComputedStyle(e)[e instanceof SVGElement ? 'fill' : 'color'], e.textContent])"
    )
    assert len(colours) > 100
    assert [(colour, text) for colour, text in colours if contrast(luminance(colour), ground) < 4.5] == []

    badges = tab.run(
        "[...document.querySelectorAll('.pill, .grade.relevant')]"
        ".map(e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]).filter(([_, b]) => !b.startsWith('rgba'))"
    )
    assert badges
    assert [pair for pair in badges if contrast(*map(luminance, pair)) < 4.5] == []


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(first: float, second: float) -> float:
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("width", [390, 1200])
def test_the_page_is_never_wider_than_the_screen(tab, page, width, scripts):
    tab.size(width, 900)
    tab.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
    tab.open(page.as_uri())
    tab.run(UNFOLD)
    assert tab.run(OVERFLOW) == 0


def test_no_two_labels_of_a_chart_cover_each_other(tab, page):
    for width in (390, 1200):
        tab.size(width, 900)
        opened(tab, page)
        covered = tab.run(
            """[...document.querySelectorAll('figure.chart')].flatMap(figure => {
              const texts = [...figure.querySelectorAll('text')].filter(t => t.textContent.trim() && getComputedStyle(t).opacity !== '0' && t.getAttribute('opacity') !== '0');
              const boxes = texts.map(t => [t.textContent, t.getBoundingClientRect()]);
              return boxes.flatMap(([a, p], i) => boxes.slice(i + 1).filter(([b, q]) =>
                Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 3
              ).map(([b]) => a + ' / ' + b));
            })"""
        )
        assert covered == []


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("width", [390, 1200])
def test_a_long_leaderboard_is_seen_whole(tab, crowd, width, scripts):
    tab.size(width, 900)
    tab.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
    tab.open(crowd.as_uri())
    inside, outside = tab.run(
        "(() => { const box = document.querySelector('#leaderboard .scroll'); return [box.scrollWidth, box.clientWidth]; })()"
    )
    assert inside <= outside
    cut = tab.run(
        "[...document.querySelectorAll('#leaderboard td')].filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.innerText)"
    )
    assert cut == []


CHARTS = {
    "alone": ["changes"],
    "pair": ["changes", "variants"],
    "crowd": ["changes", "stability", "variants", "variants", "discrimination"],
}
"""The section of every chart."""


@pytest.mark.parametrize("name", ["alone", "pair", "crowd"])
def test_one_two_and_many_systems_make_pages_without_complaint(tab, request, name):
    opened(tab, request.getfixturevalue(name))
    assert tab.complaints() == []
    charts = tab.run("[...document.querySelectorAll('figure.chart')].map(f => f.closest('section').id)")
    assert charts == CHARTS[name]
    marks = tab.run("[...document.querySelectorAll('figure.chart')].map(f => f.querySelectorAll('rect, path').length)")
    assert all(marks), "a chart is empty"


@pytest.mark.parametrize("name", ["alone", "pair", "page", "crowd"])
def test_no_table_is_squeezed_into_columns_of_single_letters(tab, request, name):
    tab.size(390, 900)
    opened(tab, request.getfixturevalue(name))
    squeezed = tab.run(
        "[...document.querySelectorAll('td, th')].filter(cell => cell.textContent.length < 40 && !cell.querySelector('svg')"
        " && [...cell.childNodes].some(n => n.textContent.trim()) && (() => { const words = document.createRange(); words.selectNodeContents(cell);"
        " return words.getBoundingClientRect().height > 9 * parseFloat(getComputedStyle(cell).fontSize); })()).map(cell => cell.textContent)"
    )
    assert squeezed == []


def test_links_lead_to_every_section(tab, page):
    opened(tab, page)
    linked = tab.run("[...document.querySelectorAll('nav a')].map(a => a.getAttribute('href').slice(1))")
    assert linked == tab.run("[...document.querySelectorAll('main > section')].map(s => s.id)")


def test_lists_stand_side_by_side_even_without_styles(tab, page):
    beside = (
        "[...document.querySelectorAll('#lists article')].map(a => [...a.querySelectorAll('ol')].map(o => o.getBoundingClientRect()))"
        ".map(([a, b]) => a.right <= b.left + 1 && Math.abs(a.top - b.top) < 30)"
    )
    tab.size(390, 900)
    opened(tab, page)
    assert tab.run(beside) == [True] * 10
    tab.size(1200, 900)
    with served(page.parent, JENKINS) as address:
        tab.open(f"{address}/{page.name}")
        assert tab.run(beside) == [True] * 10


def test_the_page_prints(tab, page):
    opened(tab, page)
    document = tab.pdf()
    assert document.startswith(b"%PDF")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", document)) <= 12


def test_the_head_of_the_leaderboard_is_on_every_page_that_it_reaches(tab, crowd):
    opened(tab, crowd)
    pages = [page.extract_text() for page in PdfReader(io.BytesIO(tab.pdf())).pages]
    reached = [page for page in pages if re.search(r"\d/\d+/\d", page)]
    assert len(reached) > 1
    assert all("win/tie/loss" in page for page in reached)


def test_nothing_is_cut_on_paper(tab, crowd):
    # A4 less its margins, in CSS pixels.
    tab.size(688, 1000)
    tab.ask("Emulation.setEmulatedMedia", media="print")
    opened(tab, crowd)
    assert tab.run(OVERFLOW) == 0
    assert tab.run("getComputedStyle(document.querySelector('input.filter')).display") == "none"
    inside, outside = tab.run(
        "(() => { const t = document.querySelector('#leaderboard table'); return [t.offsetWidth, document.body.clientWidth]; })()"
    )
    assert inside <= outside


@pytest.mark.parametrize(
    ("name", "scheme", "width"),
    [
        ("alone", "light", 1200),
        ("pair", "dark", 1200),
        ("page", "light", 1200),
        ("page", "dark", 390),
        ("crowd", "light", 390),
        ("thousands", "light", 1200),
    ],
)
def test_axe_finds_nothing(tab, request, name, scheme, width):
    tab.size(width, 900)
    tab.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    tab.open(request.getfixturevalue(name).as_uri())
    assert violations(tab) == []
    tab.run(UNFOLD)
    assert violations(tab) == []


def test_a_crowd_shows_twenty_first_and_all_on_request(tab, crowd):
    opened(tab, crowd)
    seen = "[...document.querySelectorAll('#leaderboard tbody tr')].filter(row => row.offsetHeight).length"
    assert tab.run(seen) == 20
    tab.run("document.querySelector('button.more').click()")
    assert tab.run(seen) == 24


def test_folded_sections_are_printed(tab, page):
    tab.open(page.as_uri())
    tab.pdf()
    assert tab.run("[...document.querySelectorAll('main > section > details')].every(part => part.open)")


def test_the_page_of_one_system_finds_every_query(tab, alone):
    opened(tab, alone)
    queries = tab.run("JSON.parse(document.querySelector('#data').textContent).queries")
    typed(tab, queries[17])
    cells = tab.run("[...document.querySelectorAll('.found tbody td')].map(cell => cell.innerText)")
    collection = rankgauge.simulate(systems=1, queries=40, seed=7)
    scores = rankgauge.evaluate(collection.judgments(), collection.runs(), "nDCG@10").per_query()
    assert cells[:2] == [f"{scores['system-01'][queries[17]]['nDCG@10']:.4f}", queries[17]]
    assert tab.run("document.querySelector('.pair-sentence').hidden")
    assert tab.complaints() == []
