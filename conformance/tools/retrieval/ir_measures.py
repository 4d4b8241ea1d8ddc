"""ir_measures: dicts in, calc_aggregate out. Its nDCG of gdeval (nDCG-exp) needs Perl and is not run here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import ir_measures
from given import Case, dicts

TOOLS = ("ir_measures",)
PACKAGE = "ir-measures"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    judged, run = dicts(case)
    k = case["k"]
    asked = {
        "nDCG@k": ir_measures.nDCG @ k,
        "AP@k": ir_measures.AP @ k,
        "AP": ir_measures.AP,
        "RR@k": ir_measures.RR @ k,
        "RR": ir_measures.RR,
        "P@k": ir_measures.P @ k,
        "R@k": ir_measures.R @ k,
        "Hit@k": ir_measures.Success @ k,
        "nDCG": ir_measures.nDCG,
    }

    def value(measure: ir_measures.Measure) -> float:
        return ir_measures.calc_aggregate([measure], judged, run)[measure]

    return {name: partial(value, one) for name, one in asked.items()}
