"""The explorer in a real browser: dragged, typed at, exported, and held against the command."""

from __future__ import annotations

import json
import shlex
import time

import pytest

import rankgauge
from browser.axe import violations
from browser.chromium import served
from presentation.hostile import HOSTILE

pytestmark = pytest.mark.slow

READY = "document.body?.dataset.ready !== undefined"
SETTLED = "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => r(true), 120))))"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A collection as files, and its explorer."""
    place = tmp_path_factory.mktemp("explorer")
    rankgauge.simulate(systems=8, queries=40, seed=7).save(place)
    runs = sorted((place / "runs").glob("*.trec"))
    rankgauge.explore(place / "explorer.html", place / "judgments.qrels", runs, queries=place / "queries.csv")
    return place


def opened(tab, folder, link="", width=1600, height=1000):
    tab.size(width, height)
    tab.open("about:blank")
    tab.open((folder / "explorer.html").as_uri() + link)
    tab.wait(READY)
    return tab


def settle(tab):
    tab.run(SETTLED)


def click(tab, selector):
    tab.run(f"document.querySelector({selector!r}).click()")
    settle(tab)


def press(tab, key, times=1):
    for _ in range(times):
        for kind in ("keyDown", "keyUp"):
            tab.ask("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 else "")
    settle(tab)


def drag(tab, selector, by):
    tab.run(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
    x, y = tab.run(
        f"(() => {{ const b = document.querySelector({selector!r}).getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
    )
    tab.ask("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
    for part in range(1, 6):
        tab.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y + by * part / 5, button="left", buttons=1)
    tab.ask("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y + by, button="left", clickCount=1)
    settle(tab)


def saved(tab, folder):
    """What the button saves, as the browser wrote it."""
    target = folder / "explorer.json"
    target.unlink(missing_ok=True)
    tab.ask("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    click(tab, "#save")
    patience = time.monotonic() + 30
    while not target.exists():
        assert time.monotonic() < patience, "explorer.json was not saved"
        time.sleep(0.05)
    return json.loads(target.read_text(encoding="utf-8"))


def check_against_the_command(tab, folder):
    """The saved measure, run by the command that it names: the same means to the bit, Φ and queries needed."""
    shown = tab.run(
        "(() => { const n = explorer.now(), command = document.querySelector('#command').textContent;"
        " return { command, means: [...n.means], phi: n.phi, need: n.need }; })()"
    )
    given = saved(tab, folder)
    assert given["command"] == shown["command"]
    program, action, judgments, run, *rest = shlex.split(given["command"])
    assert (program, action, judgments, run, rest[0]) == ("rankgauge", "evaluate", "JUDGMENTS", "RUN...", "-m")
    runs = sorted(map(str, (folder / "runs").glob("*.trec")))
    files = [str(folder / "judgments.qrels"), *runs]
    measure = f"@{folder / 'explorer.json'}"
    # The command as it is shown, then the file with the measure in full.
    for chosen in {rest[1].replace("@explorer.json", measure), measure}:
        words = [*files, "-m", chosen, *rest[2:], "--format", "json"]
        data = json.loads(told("evaluate", *words))
        assert [next(iter(row.values())) for row in data["mean"].values()] == shown["means"]
    study = next(iter(json.loads(told("stability", *words))["measures"].values()))
    assert shown["phi"] == pytest.approx(study["dependability"]["value"], abs=1e-12)
    assert shown["need"] == study["queries_needed"]["dependability"]["0.95"]["value"]


def told(*words):
    from click.testing import CliRunner

    from rankgauge.cli.main import cli

    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_walk_through_everything_agrees_with_the_command(tab, folder):
    opened(tab, folder)
    check_against_the_command(tab, folder)
    drag(tab, '#curve [data-point="2"]', 40)
    assert tab.run("explorer.state.fam") == "own"
    weights = tab.run("explorer.state.own")
    assert weights == sorted(weights, reverse=True)
    check_against_the_command(tab, folder)
    drag(tab, '#steps [data-point="1"]', 25)
    assert tab.run("explorer.state.gain") == "own"
    check_against_the_command(tab, folder)
    tab.run("document.querySelector('#curve [data-point=\"4\"]').focus()")
    press(tab, "ArrowDown", 3)
    assert tab.run("document.activeElement.dataset.point") == "4"
    check_against_the_command(tab, folder)
    for cutoff in (1, 100, 7):
        tab.run(
            f"(() => {{ const k = document.querySelector('#cutoff'); k.value = {cutoff}; k.dispatchEvent(new Event('input')); }})()"
        )
        settle(tab)
        assert tab.run("explorer.state.k") == cutoff
        check_against_the_command(tab, folder)
    assert tab.complaints() == []
    assert [url for url in tab.requests() if not url.startswith(("data:", "blob:", "about:"))] == [
        (folder / "explorer.html").as_uri()
    ]


def test_every_choice_changes_what_the_command_is_told(tab, folder):
    opened(tab, folder)
    buttons = tab.run(
        "[...document.querySelectorAll('#family button, #gain button, #ties button, #unjudged button')].map(b => `#${b.parentNode.id} [data-value=${b.dataset.value}]`)"
    )
    assert len(buttons) == 15
    for selector in buttons:
        click(tab, "#reset")
        click(tab, selector)
        assert tab.run(f"document.querySelector({selector!r}).getAttribute('aria-pressed')") == "true"
        check_against_the_command(tab, folder)
    presets = tab.run("[...document.querySelectorAll('#presets option')].map(o => o.value)")
    for preset in presets[1:]:
        tab.run(
            f"(() => {{ const p = document.querySelector('#presets'); p.value = {preset!r}; p.dispatchEvent(new Event('change')); }})()"
        )
        settle(tab)
    click(tab, "#reset")
    # A pair that some change overturns.
    assert tab.run(
        "explorer.data.meta.systems.some((_, s) => (explorer.state.a = s, explorer.data.meta.systems.some((_, o) =>"
        " o !== s && (explorer.state.b = o, explorer.pair.breakIt().length > 0))))"
    )
    for selector in ("#next-loss", "#break", "#ways button", "#copy", "#copy-link", "#save", "#reset"):
        click(tab, selector)
    assert tab.complaints() == []


def test_the_keyboard_picks_systems_and_queries(tab, folder):
    opened(tab, folder)
    pair = "[explorer.state.a, explorer.state.b]"
    before = tab.run(pair)
    tab.run("document.querySelector('#chart [tabindex=\"0\"]').focus()")
    press(tab, "ArrowDown", 2)
    press(tab, "Enter")
    after = tab.run(pair)
    assert after[1] == before[0]
    assert after[0] not in before
    query = tab.run("explorer.state.q")
    press(tab, "n")
    assert tab.run("explorer.state.q") != query
    tab.run("document.querySelector('#bars [tabindex=\"0\"]').focus()")
    query = tab.run("explorer.state.q")
    press(tab, "ArrowLeft")
    assert tab.run("explorer.state.q") != query
    press(tab, "b")
    assert tab.run("document.querySelector('#broken').textContent")
    assert tab.complaints() == []


def test_a_link_holds_every_choice(tab, folder):
    opened(tab, folder, "#d=zipf:1.5&g=exp&k=7&ties=worst&unjudged=drop&a=system-03&b=system-01")
    text = tab.run("explorer.State.measure(explorer.data, explorer.state)")
    assert text == "nDCG(gain=exp, discount=zipf(1.5))@7"
    names = "[explorer.state.a, explorer.state.b].map(s => explorer.data.meta.systems[s])"
    assert tab.run(names) == ["system-03", "system-01"]
    drag(tab, '#curve [data-point="1"]', 30)
    time.sleep(0.4)
    link, means = tab.run("location.hash"), tab.run("[...explorer.now().means]")
    opened(tab, folder, link)
    assert tab.run("[...explorer.now().means]") == means
    opened(tab, folder, "#d=zipf:99&g=own:1&k=1000&ties=none&a=nobody&q=%00")
    assert tab.run("explorer.State.measure(explorer.data, explorer.state)") == "nDCG@10"
    assert tab.complaints() == []


def test_the_sentence_is_spoken_at_most_once_a_second(tab, folder):
    opened(tab, folder)
    time.sleep(1.2)
    tab.run(
        "window.spoken = 0; new MutationObserver(() => window.spoken++).observe(document.querySelector('#spoken'), { childList: true, characterData: true, subtree: true })"
    )
    for step in range(12):
        tab.run(
            f"(() => {{ const k = document.querySelector('#cutoff'); k.value = {step + 1}; k.dispatchEvent(new Event('input')); }})()"
        )
        settle(tab)
    assert tab.run("window.spoken") <= 4
    time.sleep(1.1)
    assert tab.run("document.querySelector('#spoken').textContent") == tab.run(
        "document.querySelector('#sentence').textContent"
    )


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_hostile_names_stay_text(tab, tmp_path, scripts):
    names = HOSTILE[:4]
    judged = {name: {document: at % 3 for at, document in enumerate(HOSTILE)} for name in names}
    runs = {
        name: {query: {d: float((at * (n + 2)) % 7) for n, d in enumerate(HOSTILE)} for query in names}
        for at, name in enumerate(names)
    }
    texts = dict.fromkeys(names, HOSTILE[0])
    titles = dict.fromkeys(HOSTILE, HOSTILE[1])
    page = rankgauge.explore(
        tmp_path / "page.html", judged, runs, queries=texts, documents=titles, title=HOSTILE[0], baseline=names[1]
    )
    tab.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
    tab.size(420, 900)
    tab.open(page.as_uri())
    if scripts:
        tab.wait(READY)
        assert tab.complaints() == []
    assert tab.run("document.title") == HOSTILE[0].strip()
    assert tab.run("document.images.length") == 0
    assert tab.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    where = "#system-a option" if scripts else ".static td bdi"
    shown = tab.run(f"[...document.querySelectorAll({where!r})].map(e => e.textContent)")
    assert {name.split()[0] for name in names if name.strip()} <= {name.split()[0] for name in shown if name.strip()}


def test_without_scripts_the_leaderboard_can_be_read(tab, folder):
    tab.ask("Emulation.setScriptExecutionDisabled", value=True)
    tab.open((folder / "explorer.html").as_uri())
    assert tab.run("document.querySelectorAll('.static tbody tr').length") == 8
    assert tab.run("document.querySelectorAll('.static tbody svg').length") == 8
    text = tab.run("document.body.innerText")
    assert "leads under nDCG@10" in text
    assert "pairs" in text


def test_the_page_works_where_a_server_forbids_more(tab, folder):
    with served(folder, "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'") as address:
        tab.open(f"{address}/explorer.html")
        tab.wait(READY)
        assert [text for text in tab.complaints() if "favicon" not in text] == []


@pytest.mark.parametrize(
    ("scheme", "width", "sheet"),
    [("light", 1600, False), ("dark", 1600, False), ("light", 390, False), ("light", 390, True), ("dark", 390, True)],
)
def test_axe_finds_nothing(tab, folder, scheme, width, sheet):
    tab.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    opened(tab, folder, "#d=zipf:1.5", width, 900)
    if sheet:
        click(tab, "#toggle")
    click(tab, "#break")
    assert tab.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert violations(tab) == []


def test_a_large_collection_asks_a_worker(tab, tmp_path):
    collection = rankgauge.simulate(systems=6, queries=3600, seed=3)
    judged, runs = collection.judgments(), collection.runs(depth=20)
    page = rankgauge.explore(tmp_path / "page.html", judged, runs, lists=2, size="2MB")
    tab.open(page.as_uri())
    tab.wait(READY)
    tab.run("document.querySelector('#family [data-value=zipf]').click()")
    tab.wait("explorer.now().first !== undefined && explorer.state.fam === 'zipf'")
    scores = rankgauge.evaluate(judged, runs, "nDCG(discount=zipf)@10")
    assert tab.run("[...explorer.now().means]") == [next(iter(row.values())) for row in scores.mean().values()]
    pairs = rankgauge.compare(scores, all_pairs=True, test="t", correction="holm").parts[0].pairs
    assert tab.run("explorer.now().told") == sum(pair.verdict != "undecided" for pair in pairs)
    assert tab.complaints() == []
