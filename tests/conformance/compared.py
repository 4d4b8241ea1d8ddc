"""What a preset gives beside what its tool printed; the tests and conformance/presets.py count the same."""

from __future__ import annotations

from conformance.settings import PRESET_OF, VARIANTS, collection, read, spelled
from rankgauge import evaluate


def tolerance(digits):
    if digits[0].isdigit():
        return 0.5 * 10.0 ** -int(digits.split()[0]) * (1 + 1e-9)
    return 3e-7 if digits.startswith("single") else 1e-9


def is_promised(tool, case, measure):
    """Not where ties are drawn by lot, and not where the suite says that no decision explains the value."""
    known = read("tools")[tool]
    if known["random_ties"] and case["decision"] == "ties":
        return False
    return (case["id"], measure) not in {(one["case"], one["measure"]) for one in known["not_reproduced_by_decisions"]}


def wanted(tool, case):
    """(preset, measure, number, tolerance) of what the preset has to give."""
    for name, value in read("values")[tool].get(case["id"], {}).items():
        if isinstance(value, (int, float)) and is_promised(tool, case, name):
            preset, asked = VARIANTS.get((tool, name), (PRESET_OF.get(tool, tool), name))
            digits = "5 digits" if preset == "ir_measures-gdeval" else read("tools")[tool]["digits"]
            yield preset, spelled(asked, case["k"]), value, tolerance(digits)


def given_by(preset, measures, case):
    """{measure: the preset's number}; one that spells out an option is asked for alone: it may repeat another."""
    judged, run = collection(case)
    plain = [measure for measure in measures if "(" not in measure]
    found = {}
    for asked in ([plain] if plain else []) + [[measure] for measure in measures if measure not in plain]:
        scores = evaluate(judged, run, asked, like=preset)
        assert len(scores.measures) == len(asked)
        found |= {text: scores.mean()["run"][str(own)] for text, own in zip(asked, scores.measures, strict=True)}
    return found


def compared(tool):
    """(case, preset, measure, recorded value, the preset's, tolerance) of every number that a preset promises."""
    for case in read("cases"):
        numbers = list(wanted(tool, case))
        presets = dict.fromkeys(preset for preset, *_ in numbers)
        asked = {name: list(dict.fromkeys(one[1] for one in numbers if one[0] == name)) for name in presets}
        found = {name: given_by(name, measures, case) for name, measures in asked.items()}
        for preset, measure, value, within in numbers:
            yield case["id"], preset, measure, value, found[preset][measure], within


def left_out(tool):
    """How many numbers of a tool no preset promises."""
    return sum(
        isinstance(value, (int, float)) and not is_promised(tool, case, name)
        for case in read("cases")
        for name, value in read("values")[tool].get(case["id"], {}).items()
    )
