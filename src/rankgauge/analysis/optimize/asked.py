"""What a search is asked for, once everything that can be wrong with it has been looked at."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.analysis.optimize.ranked_grades import RankedGrades, require_enough
from rankgauge.analysis.optimize.search.objective import OBJECTIVES, Objective
from rankgauge.analysis.optimize.search.starts import CHOICES, Over
from rankgauge.analysis.optimize.search.weighting import Weighting, check_weighting
from rankgauge.errors import AnalysisError, UsageError, did_you_mean

TARGETS = (0.9, 0.95)


def objective_named(name: str) -> Objective:
    if name not in OBJECTIVES:
        raise UsageError(f"objective={name!r}: what should be maximized? {did_you_mean(name, OBJECTIVES)}")
    return OBJECTIVES[name]


def targets_of(aim: Objective, reach: Sequence[float] | None) -> Sequence[float]:
    if not aim.is_coefficient:
        if reach is not None:
            raise UsageError(f"reach is for phi and erho: the queries for a target do not follow from {aim.name}")
        return ()
    for target in reach or ():
        if not 0 < target < 1:
            raise UsageError(f"target {target:g} must lie strictly between 0 and 1")
    return TARGETS if reach is None else reach


def parts_to_search(judged: RankedGrades, start: Weighting, over: str) -> Over:
    """The discount, the gain or both: with one grade there is no gain to search."""
    if over not in CHOICES:
        raise UsageError(f"over={over!r}: what should be optimized? {did_you_mean(over, CHOICES)}")
    check_weighting(start, judged)
    require_enough(judged)
    if len(judged.grades) > 1:
        return CHOICES[over]
    if over == "gain":
        raise AnalysisError(
            f"only one grade ({judged.grades[0]:g}) is used: every gain gives the same nDCG\nSearch the discount instead."
        )
    return ("discount",)
