"""Intervals of the means in Scores: how far each would wander with other queries like these."""

from __future__ import annotations

import numpy as np

from rankgauge.analysis.compare.intervals import mean_interval
from rankgauge.evaluation.scores import Cube, Scores
from rankgauge.tables.table import Estimate


def intervals_of_means(
    scores: Scores, *, confidence: float = 0.95, method: str = "t", seed: int = 7
) -> dict[str, dict[str, Estimate]]:
    """{system: {measure: mean with its interval}}, for measures whose values are averaged.

    A weighted mean is a ratio; its interval is that of the plain mean of its linearised terms (Taylor), which scatter
    as much as it does.
    """
    means = scores.mean()
    found: dict[str, dict[str, Estimate]] = {system: {} for system in scores.systems}
    for measure in scores.measures:
        if measure.definition.aggregate != "mean":
            continue
        values = scores.matrix(measure)
        if scores.weights is not None:
            values = _linearised(values, scores.weights)
        interval = mean_interval(values, confidence=confidence, method=method, seed=seed)
        for place, system in enumerate(scores.systems):
            low, high = float(interval.low[place]), float(interval.high[place])
            found[system][str(measure)] = Estimate(means[system][str(measure)], low, high)
    return found


def _linearised(values: Cube, weights: Cube) -> Cube:
    """Values whose plain mean is the weighted one, each moved by its weight times its distance from it."""
    weight = np.where(np.isnan(values), np.nan, weights)
    share = weight / np.nanmean(weight, axis=1, keepdims=True)
    mean = np.nanmean(share * values, axis=1, keepdims=True)
    moved: Cube = mean + share * (values - mean)
    return moved
