"""Every preset gives every number that its tool printed, except those that the suite lists as out of reach."""

from __future__ import annotations

import pytest

from conformance.compared import compared, left_out
from conformance.settings import PRESET_OF, VARIANTS, read
from rankgauge.evaluation.presets import PRESETS


@pytest.mark.parametrize("tool", read("tools"))
def test_a_preset_gives_the_numbers_of_its_tool(tool):
    count = 0
    for case, preset, measure, value, found, within in compared(tool):
        assert found == pytest.approx(value, abs=within, rel=0), (case, preset, measure)
        count += 1
    assert count > 30, "a preset that is compared with nothing promises nothing"


@pytest.mark.parametrize("tool", read("tools"))
def test_every_number_is_compared_or_listed_as_out_of_reach(tool):
    numbers = [
        value for of in read("values")[tool].values() for value in of.values() if isinstance(value, (int, float))
    ]
    assert sum(1 for _ in compared(tool)) + left_out(tool) == len(numbers)


def test_every_preset_has_a_tool_behind_it():
    measured = {PRESET_OF.get(tool, tool) for tool in read("tools")} | {preset for preset, _ in VARIANTS.values()}
    assert measured == set(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_says_what_it_does(name):
    assert len(PRESETS[name].words) > 20


@pytest.mark.parametrize("tool", [tool for tool, known in read("tools").items() if known["random_ties"]])
def test_a_preset_of_a_tool_that_draws_lots_says_so(tool):
    assert "random" in PRESETS[tool].caveat
