"""The values of several runs as one cube, with the queries that nobody judged where a policy counts them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.policy import Policy
from rankgauge.evaluation.counted.run import Evaluated
from rankgauge.measures.measure import Measure


def counted_values(
    names: Sequence[str], measures: Sequence[Measure], parts: Sequence[Evaluated], policy: Policy
) -> tuple[list[str], Floats]:
    """All queries, and systems × queries × measures."""
    extra = list(dict.fromkeys(query for part in parts for query in part.foreign))
    values = np.stack([part.values for part in parts])
    if extra:
        values = np.concatenate((values, _of_extra(extra, measures, parts, policy)), axis=1)
    if policy.mean == "micro":
        below = np.stack([part.below for part in parts if part.below is not None])
        values = _weighed(values, np.pad(below, ((0, 0), (0, len(extra)), (0, 0))))
    return [*names, *extra], values


def _of_extra(extra: list[str], measures: Sequence[Measure], parts: Sequence[Evaluated], policy: Policy) -> Floats:
    """Queries without judgments: 0, or what an undefined value counts; left out for a run that lacks them."""
    rules = [policy.undefined or measure.definition.undefined for measure in measures]
    counts = {"zero": 0.0, "one": 1.0}
    value = [0.0 if policy.extra == "zero" else counts.get(rule, np.nan) for rule in rules]
    has = np.array([[query in set(part.foreign) for query in extra] for part in parts])
    return np.where(has[:, :, None], np.array(value), np.nan)


def _weighed(values: Floats, below: Floats) -> Floats:
    """Values whose plain mean is the sum of all numerators over that of all denominators."""
    there = ~np.isnan(values)
    whole = np.sum(np.where(there, below, 0.0), axis=1, keepdims=True)
    share = np.divide(below, whole, out=np.zeros_like(below), where=whole > 0)
    return values * share * np.sum(there, axis=1, keepdims=True)
