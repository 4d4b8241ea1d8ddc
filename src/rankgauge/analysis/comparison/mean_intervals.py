"""Intervals of the means in Scores: how far each would wander with other queries like these."""

from __future__ import annotations

from rankgauge.analysis.comparison.intervals import mean_interval
from rankgauge.evaluation.scores import Scores
from rankgauge.tables.estimate import Estimate


def intervals_of_means(
    scores: Scores, *, confidence: float = 0.95, method: str = "t", seed: int = 7
) -> dict[str, dict[str, Estimate]]:
    """{system: {measure: mean with its interval}}, for measures whose values are averaged without weights."""
    means = scores.mean()
    found: dict[str, dict[str, Estimate]] = {system: {} for system in scores.systems}
    for measure in scores.measures:
        if measure.definition.aggregate != "mean" or scores.weights is not None:
            continue
        interval = mean_interval(scores.matrix(measure), confidence=confidence, method=method, seed=seed)
        for place, system in enumerate(scores.systems):
            low, high = float(interval.low[place]), float(interval.high[place])
            found[system][str(measure)] = Estimate(means[system][str(measure)], low, high)
    return found
