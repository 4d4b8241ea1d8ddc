"""Where a known truth is needed: do discounts found on 50 queries serve fresh queries of the same systems?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sources import FRESH, PLANS, SEEDS, Plan, simulated
from study import DISCOUNTS, best, ratio

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.form import scores_of
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.weighting import named_discount, named_gain

AT = (20, 100)
LIFTS = (0.1, 0.25, 0.5, 1.0)


def simulation() -> dict[str, Any]:
    """By plan and cutoff, the mean over seeds of Φ on fresh queries, and the lead over log2 with its spread."""
    return {
        "seeds": len(SEEDS),
        "fresh": FRESH,
        "plans": {plan.name: _plan(plan) for plan in PLANS},
        "lifts": {str(lift): _ratios(replace(PLANS[0], lift=lift)) for lift in LIFTS},
    }


def _plan(plan: Plan) -> dict[str, Any]:
    found: dict[int, dict[str, list[float]]] = {cutoff: {} for cutoff in AT}
    for searched, fresh in simulated(plan):
        for cutoff in AT:
            for name, value in _on_fresh(searched.cut(cutoff), fresh.cut(cutoff)).items():
                found[cutoff].setdefault(name, []).append(value)
    strengths = plan.strengths
    settings = {
        "systems": plan.systems,
        "queries": plan.queries,
        "relevant": plan.relevant,
        "high": plan.high,
        "lift": plan.lift,
        "strengths": [strengths.base, strengths.system, strengths.query, strengths.interaction],
    }
    return {"settings": settings, **{str(cutoff): _summary(values) for cutoff, values in found.items()}}


def _on_fresh(searched: RankedGrades, fresh: RankedGrades) -> dict[str, float]:
    linear = named_gain("linear", searched.grades)
    discounts = {name: named_discount(name, searched.ranks) for name in DISCOUNTS}
    discounts["optimal"] = best(searched, ("discount",), thorough=False).discount
    values = {name: dependability(scores_of(fresh, discount, linear)) for name, discount in discounts.items()}
    return values | {"promised": dependability(scores_of(searched, discounts["optimal"], linear))}


def _summary(values: dict[str, list[float]]) -> dict[str, Any]:
    arrays = {name: np.array(found) for name, found in values.items()}
    return {
        name: {
            "phi": float(found.mean()),
            "lead": float((found - arrays["log2"]).mean()),
            "spread": float((found - arrays["log2"]).std(ddof=1)),
            "wins": int(np.sum(found > arrays["log2"])),
        }
        for name, found in arrays.items()
    }


def _ratios(plan: Plan) -> dict[str, Any]:
    """The optimal gain ratio under log2, by cutoff: mean and standard deviation over seeds."""
    found: dict[int, list[float]] = {cutoff: [] for cutoff in (10, 20, 100)}
    for searched, _ in simulated(plan):
        for cutoff, ratios in found.items():
            ratios.append(ratio(best(searched.cut(cutoff), ("gain",)).gain))
    return {str(cutoff): [float(np.mean(ratios)), float(np.std(ratios, ddof=1))] for cutoff, ratios in found.items()}
