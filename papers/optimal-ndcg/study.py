"""Everything the tables and figures need of one collection, as plain numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from errors import power_errors, standard_error
from numpy.typing import NDArray
from power import searched_for_power

from rankgauge import Scores
from rankgauge.analysis.discriminate import discriminate
from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.family import fit_family
from rankgauge.analysis.optimize.search.form import queries_needed, scores_of
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.search import Trial, search
from rankgauge.analysis.optimize.search.weighting import Question, named_discount, named_gain, named_weighting
from rankgauge.kernels.ranks import kendall_tau, rmse

Floats = NDArray[np.float64]
Numbers = dict[str, Any]

CUTOFFS = (10, 20, 100)
TABLE_2 = (3, 10, 20, 100, 200)
DEEP, FREE_AT, POWER_AT, TOP = 100, 20, 20, 30
DISCOUNTS, GAINS = ("zipf", "linear", "log2"), ("exp", "linear")
TARGETS = (0.9, 0.95)
SAMPLES, HALVINGS, SEED = 1000, 10, 7
MANY = 20_000  # bootstrap samples of an ASL: with the 1,000 of the paper a share moves by 2 points from seed to seed
SEEDS = range(20)


def study(grades: RankedGrades) -> Numbers:
    """Tables 1 to 4 and Figures 2 to 9 of one collection; lists end at rank `grades.ranks`."""
    cutoffs = [cutoff for cutoff in CUTOFFS if cutoff <= grades.ranks]
    deep = cutoffs[-1]
    found = {cutoff: _found(grades.cut(cutoff)) for cutoff in cutoffs}
    return {
        "systems": grades.systems,
        "queries": grades.queries,
        "depth": grades.ranks,
        "discounts": {cutoff: one["discounts"] for cutoff, one in found.items()},
        "joint": {cutoff: one["joint"] for cutoff, one in found.items()},
        "free": _free(grades.cut(FREE_AT)),
        "ratios": {cutoff: _ratios(grades.cut(cutoff)) for cutoff in TABLE_2 if cutoff <= grades.ranks},
        "gains": {cutoff: _gains(grades.cut(cutoff)) for cutoff in cutoffs},
        "orders": _orders(grades.cut(deep), found[deep]),
        "relevant_by_rank": grades.relevant_by_rank().tolist(),
        "power": _power(grades.cut(POWER_AT), found[POWER_AT]["joint"]),
        "searched": searched_for_power(grades.cut(POWER_AT), TOP, HALVINGS, SEED),
        "unseen": {cutoff: _unseen(grades.cut(cutoff)) for cutoff in cutoffs},
    }


def best(grades: RankedGrades, over: tuple[str, ...], *, constrained: bool = True, thorough: bool = True) -> Trial:
    asked = Question(named_weighting(grades), over, constrained, seed=SEED)
    return search(grades, asked, thorough=thorough)[0]


def _found(grades: RankedGrades) -> Numbers:
    """Named and optimal discounts under the linear gain, and gain and discount searched together."""
    linear = named_gain("linear", grades.grades)
    optimal, joint = best(grades, ("discount",)), best(grades, ("discount", "gain"))
    weights = {name: named_discount(name, grades.ranks) for name in DISCOUNTS} | {"optimal": optimal.discount}
    rows = {name: _row(grades, discount, linear) for name, discount in weights.items()}
    rows["optimal"]["gap"] = optimal.gap
    return {
        "discounts": rows,
        "joint": _row(grades, joint.discount, joint.gain) | {"ratio": ratio(joint.gain), "gap": joint.gap},
    }


def _row(grades: RankedGrades, discount: Floats, gain: Floats) -> Numbers:
    scores = scores_of(grades, discount, gain)
    value = dependability(scores)
    return {
        "phi": value,
        "error": standard_error(scores, SAMPLES // 4, SEED),
        "needed": [queries_needed(value, target) for target in TARGETS],
        "weights": (discount / discount.sum()).tolist(),
        "gain": gain.tolist(),
    }


def ratio(gain: Floats) -> float:
    """What the best grade is worth in documents of the lowest; both in a three-grade collection."""
    return float(gain[-1] / gain[0]) if gain[0] > 0 else float("inf")


def _free(grades: RankedGrades) -> Numbers:
    """The optimal discount that may rise and fall (Figure 3)."""
    free = best(grades, ("discount",), constrained=False)
    weights = free.discount / free.discount.sum()
    rises = int(np.sum(np.diff(weights) > 1e-6))
    return {"phi": free.value, "weights": weights.tolist(), "rises": rises}


def _ratios(grades: RankedGrades) -> Numbers:
    """Table 2: unconstrained and constrained under log2, and with the discount searched as well."""
    return {
        "unconstrained": ratio(best(grades, ("gain",), constrained=False).gain),
        "log2": ratio(best(grades, ("gain",)).gain),
        "optimal": ratio(best(grades, ("discount", "gain"), thorough=False).gain),
    }


def _gains(grades: RankedGrades) -> Numbers:
    """Table 3: the named gains and the optimal one under log2."""
    log2 = named_discount("log2", grades.ranks)
    gains = {name: named_gain(name, grades.grades) for name in GAINS} | {"optimal": best(grades, ("gain",)).gain}
    return {name: _row(grades, log2, gain) for name, gain in gains.items()}


def _orders(grades: RankedGrades, found: Numbers) -> Numbers:
    """Table 4, Figures 7 and 8: how two discounts, or two gains, order the systems."""
    linear, log2 = named_gain("linear", grades.grades), named_discount("log2", grades.ranks)
    discounts = {
        name: scores_of(grades, np.array(row["weights"]), linear).mean(axis=1)
        for name, row in found["discounts"].items()
    }
    gains = {name: scores_of(grades, log2, named_gain(name, grades.grades)).mean(axis=1) for name in GAINS}
    gains["optimal"] = scores_of(grades, log2, best(grades, ("gain",)).gain).mean(axis=1)
    exp, optimal = (np.argsort(-gains[name], kind="stable").tolist() for name in ("exp", "optimal"))
    same = next((at for at, (a, b) in enumerate(zip(exp, optimal, strict=True)) if a != b), len(exp))
    return {
        "tau": {one: {two: kendall_tau(discounts[one], discounts[two]) for two in discounts} for one in discounts},
        "rmse": {one: rmse(discounts[one], discounts["optimal"]) for one in discounts},
        "gain_tau": {one: kendall_tau(gains[one], gains["optimal"]) for one in gains},
        "gain_rmse": {one: rmse(gains[one], gains["optimal"]) for one in gains},
        "same_top": same,
        "means": {name: values.round(5).tolist() for name, values in discounts.items()},
        "gain_means": {name: values.round(5).tolist() for name, values in gains.items()},
    }


def _power(grades: RankedGrades, joint: Numbers) -> Numbers:
    """Figure 9: the pairs of the best systems that each of the paper's four measures separates, and τ of Φ's optimum."""
    linear, exp = named_gain("linear", grades.grades), named_gain("exp", grades.grades)
    log2, straight = named_discount("log2", grades.ranks), named_discount("linear", grades.ranks)
    weightings = {
        "optimal": (np.array(joint["weights"]), np.array(joint["gain"])),
        "linear gain, log discount": (log2, linear),
        "exponential gain, log discount": (log2, exp),
        "linear gain, linear discount": (straight, linear),
    }
    cube = np.stack([scores_of(grades, *weighting) for weighting in weightings.values()], axis=2)
    systems = [str(number) for number in range(1, grades.systems + 1)]
    scores = Scores.from_matrix(cube, systems=systems, measures=list(weightings), rows="systems")
    top = min(TOP, grades.systems)
    found = discriminate(scores, top=top, samples=MANY, seed=SEED)
    again = [[one.power for one in discriminate(scores, top=top, samples=SAMPLES, seed=seed).parts] for seed in SEEDS]
    errors = power_errors(cube, TOP, SAMPLES, SEED)
    return {
        one.measure: {
            "power": one.power,
            "error": errors["share"][at],
            "lead_error": errors["lead"][at],
            "over_seeds": [min(row[at] for row in again), max(row[at] for row in again)],
            "asl": [round(level, 4) for level in sorted(np.asarray(one.asl).tolist(), reverse=True)],
        }
        for at, one in enumerate(found.parts)
    }


def _unseen(grades: RankedGrades) -> Numbers:
    """Mean Φ for one query on the other half of the queries, and its mean lead over log2 with a standard error."""
    tried: dict[str, list[float]] = {}
    start, linear = named_weighting(grades), named_gain("linear", grades.grades)
    random = np.random.default_rng(SEED)
    for _ in range(HALVINGS):
        order = random.permutation(grades.queries)
        halves = np.sort(order[: grades.queries // 2]), np.sort(order[grades.queries // 2 :])
        for seen, unseen in (halves, halves[::-1]):
            train, test = grades.select(seen), grades.select(unseen)
            fitted = {name: named_discount(name, grades.ranks) for name in DISCOUNTS}
            fitted["optimal"] = best(train, ("discount",), thorough=False).discount
            fitted["family"] = fit_family(train, Question(start, ("discount",))).discount
            for name, discount in fitted.items():
                tried.setdefault(name, []).append(dependability(scores_of(test, discount, linear)))
    values = {name: np.array(found).reshape(HALVINGS, 2).mean(axis=1) for name, found in tried.items()}
    return {
        name: {
            "phi": float(found.mean()),
            "lead": float((found - values["log2"]).mean()),
            "error": float((found - values["log2"]).std(ddof=1) / np.sqrt(HALVINGS)),
        }
        for name, found in values.items()
    }
