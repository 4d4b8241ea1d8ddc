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
    """{(preset, measure): number} of what the preset has to give."""
    found = {}
    for name, value in read("values")[tool].get(case["id"], {}).items():
        if isinstance(value, (int, float)) and is_promised(tool, case, name):
            preset, asked = VARIANTS.get((tool, name), (PRESET_OF.get(tool, tool), name))
            digits = "5 digits" if preset == "ir_measures-gdeval" else read("tools")[tool]["digits"]
            found[preset, spelled(asked, case["k"])] = (value, tolerance(digits))
    return found


def compared(tool):
    """(case, preset, measure, recorded value, the preset's, tolerance) of every number that a preset promises."""
    for case in read("cases"):
        judged, run = collection(case)
        numbers = wanted(tool, case)
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
                yield case["id"], preset, measure, value, scores.mean()["run"][str(own)], within


def left_out(tool):
    """How many numbers of a tool no preset promises."""
    return sum(
        isinstance(value, (int, float)) and not is_promised(tool, case, name)
        for case in read("cases")
        for name, value in read("values")[tool].get(case["id"], {}).items()
    )
