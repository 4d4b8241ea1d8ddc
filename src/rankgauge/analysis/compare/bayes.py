"""How likely each system is the better one, beside the verdicts: the other way to put the question."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.statistics.shrinkage import pair_posteriors
from rankgauge.analysis.compare.statistics.tests import paired_differences
from rankgauge.analysis.compare.statistics.tukey import complete_queries, two_way
from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.evaluation.intervals import linearized, moments
from rankgauge.evaluation.scores import Scores
from rankgauge.tables.notes import Note

METHOD = (
    "probabilities: true means of the systems are normal with an unknown variance, so noisy differences shrink"
    " towards 0; they need no correction for many comparisons"
)


def with_bayes(found: Comparison) -> Comparison:
    """The same comparison; each pair has the probability that it differs by the margin of equivalence or more."""
    parts = tuple(_judged(part, found, at) for at, part in enumerate(found.parts))
    return replace(found, parts=parts, notes=(Note("bayes", METHOD), *found.notes))


def _judged(part: MeasureComparison, found: Comparison, at: int) -> MeasureComparison:
    values = _values(found.scores, at)
    places = {name: row for row, name in enumerate(found.scores.systems)}
    first, second = ([places[getattr(pair, side)] for pair in part.pairs] for side in ("system", "baseline"))
    posteriors = pair_posteriors(
        moments(paired_differences(values[first], values[second])),
        two_way(complete_queries(values)),
        margin=found.equivalence or 0.0,
        confidence=found.confidence,
    )
    pairs = (replace(pair, bayes=one) for pair, one in zip(part.pairs, posteriors, strict=True))
    return replace(part, pairs=tuple(pairs))


def _values(scores: Scores, at: int) -> np.ndarray:
    values = np.ascontiguousarray(scores.values[:, :, at])
    return values if scores.weights is None else linearized(values, scores.weights)
