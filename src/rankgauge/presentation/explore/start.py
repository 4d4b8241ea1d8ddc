"""The measure and the policy with which the page opens, in the words of the page."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.analysis.score_table import refuse_other_ideals
from rankgauge.arrays import Floats, Ints
from rankgauge.data.policy import Policy
from rankgauge.errors import MeasureError, UsageError
from rankgauge.measures.measure import Measure
from rankgauge.presentation.explore.weights import DEPTH, RBP, ZIPF, ranks

_HINT = "Give one such as nDCG(gain=exp, discount=zipf(1.5))@20."


def start_of(measure: Measure, policy: Policy, grades: Floats) -> dict[str, Any]:
    """What the reader finds chosen; `own` and `gains` are filled where the page has no name for the curve.

    Refuses what the page cannot show; `grades` are the distinct judged values, negative ones as -1.
    """
    if measure.definition.name != "nDCG" or measure.settings["relevance"].name != "identity":
        raise UsageError(f"the explorer varies nDCG of judged grades, not {measure}\n{_HINT}")
    if not isinstance(measure.cutoff, int) or measure.cutoff > DEPTH:
        raise UsageError(f"the explorer needs a cutoff from 1 to {DEPTH}, and {measure} has none such\n{_HINT}")
    if policy.unjudged == "bounds":
        raise UsageError("the explorer shows unjudged documents as zero or drop, not as bounds")
    refuse_other_ideals(measure, policy)
    family, parameter, own = _discount(measure)
    gain, gains = _gain(measure, grades)
    ties = policy.ties or measure.definition.ties
    curves = {"fam": family, "par": parameter, "own": own, "gain": gain, "gains": gains, "k": measure.cutoff}
    return curves | {"ties": "document" if ties == "error" else ties, "unjudged": policy.unjudged or "zero"}


def _discount(measure: Measure) -> tuple[str, float, tuple[float, ...] | None]:
    curve = measure.settings["discount"]
    if curve.name in {"log2", "linear", "none"}:
        return curve.name, 1.0, None
    steps = {"zipf": ZIPF, "rbp": RBP}.get(curve.name)
    if steps is not None and len(curve.arguments) < 2:
        parameter = float(curve.arguments[0]) if curve.arguments else 1.0
        if parameter in {step / 100 for step in steps}:
            return curve.name, parameter, None
    weights = np.asarray(curve(ranks(), measure.cutoff), np.float64)
    return "own", 1.0, tuple(weights.tolist())


def _gain(measure: Measure, grades: Floats) -> tuple[str, tuple[float, ...] | None]:
    curve = measure.settings["gain"]
    known = np.maximum(grades, 0.0)
    gains = np.asarray(curve(known), np.float64)
    if np.any(gains[known == 0] != 0):
        raise UsageError(f"the explorer needs a gain of 0 for grade 0, and {measure} has another")
    return (curve.name, None) if curve.name in {"linear", "exp"} else ("own", tuple(gains.tolist()))


def exponential_gains(measure: Measure, grades: Floats) -> list[float] | None:
    """2^grade - 1 as NumPy has it; None where that is beyond double precision."""
    try:
        gains = measure(gain="exp").settings["gain"](np.maximum(grades, 0.0))
    except MeasureError:
        return None
    return [float(gain) for gain in gains]


def distinct_grades(values: Floats) -> Floats:
    """All judged values, each once; whatever is negative is -1, since it counts as unjudged."""
    return np.unique(np.where(values < 0, -1.0, values))


def grade_codes(values: Floats, grades: Floats) -> Ints:
    """The place of each judged value among the distinct grades."""
    return np.searchsorted(grades, np.where(values < 0, -1.0, values))
