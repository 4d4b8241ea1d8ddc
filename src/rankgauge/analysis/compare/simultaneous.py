"""All comparisons of a family judged at once: the measures of the same queries are resampled together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankgauge.analysis.compare.evidence import Evidence
from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.statistics.max_t import SAMPLES, max_t
from rankgauge.analysis.compare.statistics.shares import Bounded
from rankgauge.analysis.compare.statistics.tests import paired_differences
from rankgauge.arrays import Floats
from rankgauge.evaluation.intervals import linearized

Scored = tuple[Floats, str, Floats | None]
"""Scores systems × queries, their measure, and weights of the queries."""


def hold_together(evidence: Sequence[Evidence], tables: Sequence[Scored], design: Design) -> list[Evidence]:
    """The same evidence with the p-values and the critical t of max-t."""
    each = len(design.measures) if design.correction_within == "all" else 1
    families = len(tables) // len(design.measures)
    found: list[Evidence] = []
    for start in range(0, len(tables), each):
        rows = [_differences(table, design) for table in tables[start : start + each]]
        joint = max_t(np.concatenate(rows), alpha=design.alpha / families, samples=design.samples or SAMPLES)
        ends = np.cumsum([len(one) for one in rows])[:-1]
        columns = (np.split(column, ends) for column in (joint.p.p, joint.p.low, joint.p.high, joint.limits))
        for own, *p, limits in zip(evidence[start : start + each], *columns, strict=True):
            found.append(replace(own, family=Bounded(*p), critical=joint.critical, limits=limits))
    return found


def _differences(table: Scored, design: Design) -> Floats:
    values, _, weights = table
    first, second = design.pairs.T
    values = values if weights is None else linearized(values, weights)
    return paired_differences(values[first], values[second])
