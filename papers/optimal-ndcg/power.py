"""Ours: gain and discount searched for what the paper wanted of them, and tried on the other half of the queries.

The paper leaves the search for discriminative power aside ("not a trivial optimization") and hopes that Φ stands in for
it. Here nDCG@20 of the 30 best systems is searched for Φ, for Eρ² and for power itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.form import scores_of
from rankgauge.analysis.optimize.search.objective import OBJECTIVES, POWER, Objective
from rankgauge.analysis.optimize.search.search import search
from rankgauge.analysis.optimize.search.weighting import Question, named_weighting

BOTH = ("discount", "gain")


def searched_for_power(grades: RankedGrades, top: int, halvings: int, seed: int) -> dict[str, Any]:
    """Power of linear gain with log2 and of each objective's optimum: on all queries, and on halves not searched."""
    best = _best_systems(grades, top)
    found: dict[str, Any] = {name: {"all": value} for name, value in _tried(best, best, seed).items()}
    halves: dict[str, list[float]] = {name: [] for name in found}
    random = np.random.default_rng(seed)
    for _ in range(halvings):
        order = random.permutation(best.queries)
        pair = np.sort(order[: best.queries // 2]), np.sort(order[best.queries // 2 :])
        tried = [_tried(best.select(seen), best.select(unseen), seed) for seen, unseen in (pair, pair[::-1])]
        for name, values in halves.items():
            values.append(float(np.mean([one[name] for one in tried])))
    for name, values in halves.items():
        ahead = np.array(values) - np.array(halves["log2"])
        found[name] |= {
            "unseen": float(np.mean(values)),
            "lead": float(ahead.mean()),
            "error": float(ahead.std(ddof=1) / np.sqrt(halvings)),
            "wins": int(np.sum(ahead > 0)),
        }
    return found


def _tried(seen: RankedGrades, unseen: RankedGrades, seed: int) -> dict[str, float]:
    """Power on `unseen` of what was found on `seen`."""
    start = named_weighting(seen)
    values = {"log2": POWER.seen(scores_of(unseen, start.discount, start.gain))}
    for name, objective in OBJECTIVES.items():
        values[name] = POWER.seen(_scores(seen, unseen, objective, seed))
    return values


def _scores(seen: RankedGrades, unseen: RankedGrades, objective: Objective, seed: int) -> Any:
    asked = Question(named_weighting(seen), BOTH, objective=objective, seed=seed)
    found = search(seen, asked, thorough=False)[0]
    return scores_of(unseen, found.discount, found.gain)


def _best_systems(grades: RankedGrades, top: int) -> RankedGrades:
    start = named_weighting(grades)
    means = scores_of(grades, start.discount, start.gain).mean(axis=1)
    kept = np.sort(np.argsort(-means, kind="stable")[:top])
    return RankedGrades(grades.codes[kept], grades.grades, grades.pool)
