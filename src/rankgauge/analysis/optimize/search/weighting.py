"""A gain and a discount as numbers, with the words in which a measure says them; and what a search is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades, require_enough
from rankgauge.analysis.optimize.search.form import scores_of
from rankgauge.analysis.optimize.search.objective import PHI, Objective
from rankgauge.analysis.optimize.search.simplex import DIGITS, rounded, steps_of
from rankgauge.arrays import Floats
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.kernels.cumulated import weights_to
from rankgauge.measures.measure import Measure

Over = tuple[str, ...]
CHOICES: dict[str, Over] = {"discount": ("discount",), "gain": ("gain",), "both": ("discount", "gain")}


@dataclass(frozen=True, eq=False)
class Weighting:
    """`discount` by rank, `gain` by grade (ascending), and the options of a measure that say them: `zipf`, `linear`."""

    discount: Floats
    gain: Floats
    discount_text: str
    gain_text: str

    def with_discount(self, discount: Floats, text: str) -> Weighting:
        return replace(self, discount=discount, discount_text=text)

    def with_gain(self, gain: Floats, text: str) -> Weighting:
        return replace(self, gain=gain, gain_text=text)

    def scores(self, grades: RankedGrades) -> Floats:
        """Every system's nDCG in every query, under as many of the weights as there are ranks."""
        return scores_of(grades, self.discount[: grades.ranks], self.gain)


class Question(NamedTuple):
    """What is asked of a search: from where, over the discount, the gain or both, by which rules, and for what."""

    start: Weighting
    over: Over
    constrained: bool = True
    objective: Objective = PHI
    seed: int = 0

    def answered(self, discount: Floats, gain: Floats, grades: RankedGrades) -> Weighting:
        """What a measure can print of these weights; the part that was not searched stays the start's."""
        found = self.start
        if "discount" in self.over:
            found = found.with_discount(*as_steps(discount))
        return found.with_gain(*as_levels(gain, grades.grades)) if "gain" in self.over else found


def named_discount(name: str, cutoff: int) -> Floats:
    """The discount of this name for ranks 1 to `cutoff`."""
    ranks = np.arange(1, cutoff + 1)
    curves = {
        "log2": 1 / np.log2(ranks + 1),
        "zipf": 1 / ranks,
        "linear": (cutoff + 1 - ranks) / cutoff,
        "none": np.ones(cutoff),
    }
    return _named(name, "discount", curves)


def named_gain(name: str, grades: tuple[float, ...]) -> Floats:
    """The gain of this name for the given grades; `equal` makes every relevant document worth the same."""
    values = np.array(grades, dtype=np.float64)
    curves = {"linear": values, "exp": np.exp2(values) - 1, "equal": np.ones(len(grades))}
    return _named(name, "gain", curves)


def _named(name: str, kind: str, curves: dict[str, Floats]) -> Floats:
    if name not in curves:
        raise UsageError(f"no {kind} {name!r} here; known: {', '.join(curves)}")
    return curves[name]


def named_weighting(grades: RankedGrades, discount: str = "log2", gain: str = "linear") -> Weighting:
    return Weighting(named_discount(discount, grades.ranks), named_gain(gain, grades.grades), discount, gain)


def weighting_of(measure: Measure, grades: RankedGrades) -> Weighting:
    """The gain of every grade and the weight of every rank under this nDCG."""
    cutoff = int(measure.cutoff or 0)
    discount, gain = measure.settings["discount"], measure.settings["gain"]
    worth = np.asarray(gain(np.array(grades.grades)), np.float64)
    return Weighting(weights_to(cutoff, cutoff, discount), worth, str(discount), str(gain))


def parts_to_search(grades: RankedGrades, over: str) -> Over:
    """The discount, the gain or both, where a collection can say anything: with one grade there is no gain to search."""
    require_enough(grades)
    if len(grades.grades) > 1:
        return CHOICES[over]
    if over == "gain":
        raise AnalysisError(
            f"only one grade ({grades.grades[0]:g}) is used: every gain gives the same nDCG\nSearch the discount instead."
        )
    return ("discount",)


def check_weighting(weighting: Weighting, grades: RankedGrades) -> None:
    """Stops where a gain or discount does not fit the table or cannot weight anything."""
    for word, values, expected in (
        ("discount", weighting.discount, grades.ranks),
        ("gain", weighting.gain, len(grades.grades)),
    ):
        if values.shape != (expected,):
            raise UsageError(f"the {word} has {values.size} values; {expected} are needed")
        if not np.isfinite(values).all() or values.min() < 0 or values.max() <= 0:
            raise UsageError(f"the {word} must be finite, not negative, and positive somewhere: {values[:5]} …")


def measure_text(weighting: Weighting) -> str:
    """The measure in its canonical spelling, defaults left out."""
    options = [
        f"{name}={text}"
        for name, text, default in (
            ("gain", weighting.gain_text, "linear"),
            ("discount", weighting.discount_text, "log2"),
        )
        if text != default
    ]
    inside = f"({', '.join(options)})" if options else ""
    return f"nDCG{inside}@{len(weighting.discount)}"


def as_steps(discount: Floats) -> tuple[Floats, str]:
    """The discount as a measure will print and read it, and that print: `steps(1:1, 4:0.6)`."""
    printed = rounded(discount)
    steps = ", ".join(f"{first}:{_number(weight)}" for first, weight in steps_of(printed))
    return printed, f"steps({steps})"


def as_weights(discount: Floats) -> tuple[Floats, str]:
    """The discount as a measure will print and read it, and that print: `weights(1, 0.8, …)`."""
    printed = rounded(discount)
    return printed, f"weights({', '.join(_number(weight) for weight in printed)})"


def as_levels(gain: Floats, grades: tuple[float, ...]) -> tuple[Floats, str]:
    """The gain as a measure will print and read it, and that print: `levels(1, 1.3)`, for the grades 1, 2, …

    The lowest grade is worth 1 (or the best, where the lowest is worth nothing); a grade that nobody gave takes the
    gain of the one below it.
    """
    if any(grade != int(grade) for grade in grades):
        odd = next(grade for grade in grades if grade != int(grade))
        raise AnalysisError(
            f"gains by grade need whole grades, but a document has grade {odd:g}; optimise the discount alone"
        )
    unit = gain[0] if gain[0] > 0 else gain.max()
    printed = np.array([float(_number(value / unit)) for value in gain])
    held = np.searchsorted(np.array(grades), np.arange(1, int(grades[-1]) + 1), side="right") - 1
    filled = np.where(held >= 0, printed[np.maximum(held, 0)], 0.0)
    return printed, f"levels({', '.join(_number(value) for value in filled)})"


def by_grade(gain: Iterable[tuple[float, float]]) -> dict[str, float]:
    """The gains of grades, as JSON has them."""
    return {f"{grade:g}": value for grade, value in gain}


def _number(value: float) -> str:
    return f"{value:.{DIGITS}g}"
