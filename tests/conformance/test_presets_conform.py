"""Every preset gives every number that its tool printed, except those that the suite lists as out of reach."""

from __future__ import annotations

import pytest

from conformance.settings import PRESET_OF, VARIANTS, collection, read, spelled
from rankgauge import evaluate
from rankgauge.evaluation.presets import PRESETS


def tolerance(digits):
    if digits[0].isdigit():
        return 0.5 * 10.0 ** -int(digits.split()[0]) * (1 + 1e-9)
    return 3e-7 if digits.startswith("single") else 1e-9


def wanted(tool, known, case):
    """{(preset, measure): number} of what the preset has to give."""
    out_of_reach = {(one["case"], one["measure"]) for one in known["not_reproduced_by_decisions"]}
    if known["random_ties"] and case["decision"] == "ties":
        return {}
    found = {}
    for name, value in read("values")[tool].get(case["id"], {}).items():
        if isinstance(value, (int, float)) and (case["id"], name) not in out_of_reach:
            preset, asked = VARIANTS.get((tool, name), (PRESET_OF.get(tool, tool), name))
            digits = "5 digits" if preset == "ir_measures-gdeval" else known["digits"]
            found[preset, spelled(asked, case["k"])] = (value, tolerance(digits))
    return found


@pytest.mark.parametrize("tool", read("tools"))
def test_a_preset_gives_the_numbers_of_its_tool(tool):
    known, compared = read("tools")[tool], 0
    for case in read("cases"):
        judged, run = collection(case)
        numbers = wanted(tool, known, case)
        # An option that is spelled out is asked for alone: what it repeats would be one measure with it.
        for preset, alone in dict.fromkeys((name, measure if "(" in measure else "") for name, measure in numbers):
            asked = {
                measure: number
                for (name, measure), number in numbers.items()
                if name == preset and (measure == alone if alone else "(" not in measure)
            }
            scores = evaluate(judged, run, list(asked), like=preset)
            assert len(scores.measures) == len(asked)
            for (measure, (value, within)), own in zip(asked.items(), scores.measures, strict=True):
                found = scores.mean()["run"][str(own)]
                assert found == pytest.approx(value, abs=within, rel=0), (case["id"], preset, measure)
                compared += 1
    assert compared > 30, "a preset that is compared with nothing promises nothing"


def test_every_preset_has_a_tool_behind_it():
    measured = {PRESET_OF.get(tool, tool) for tool in read("tools")} | {preset for preset, _ in VARIANTS.values()}
    assert measured == set(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_says_what_it_does(name):
    assert len(PRESETS[name].words) > 20


@pytest.mark.parametrize("tool", [tool for tool, known in read("tools").items() if known["random_ties"]])
def test_a_preset_of_a_tool_that_draws_lots_says_so(tool):
    assert "random" in PRESETS[tool].caveat
