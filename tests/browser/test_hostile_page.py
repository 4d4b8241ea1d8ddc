from __future__ import annotations

import pytest

from presentation.hostile import HOSTILE, hostile_page

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_hostile_names_are_shown_and_run_nothing(tab, tmp_path, scripts):
    page = hostile_page(tmp_path / "hostile.html")
    tab.size(420, 900)
    tab.ask("Emulation.setScriptExecutionDisabled", value=not scripts)
    tab.open(page.as_uri())
    if scripts:
        tab.wait("document.querySelector('input.filter') !== null")
        assert tab.complaints() == []
    assert tab.run("document.title") == HOSTILE[0]
    assert tab.run("document.images.length") == 0
    assert tab.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    names = tab.run("[...document.querySelectorAll('#leaderboard th.name[scope=row]')].map(cell => cell.textContent)")
    assert set(HOSTILE[:5]) <= set(names)
