"""All comparisons of a family judged at once: the measures of the same queries are resampled together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rankgauge.analysis.compare.evidence import Evidence
from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.statistics.max_t import SAMPLES, max_t
from rankgauge.analysis.compare.statistics.shares import Bounded
from rankgauge.evaluation.intervals import Moments


def hold_together(evidence: Sequence[Evidence], design: Design) -> list[Evidence]:
    """The same evidence with the p-values and the critical t of max-t."""
    each = len(design.measures) if design.correction_within == "all" else 1
    families = len(evidence) // len(design.measures)
    found: list[Evidence] = []
    for start in range(0, len(evidence), each):
        parts = evidence[start : start + each]
        rows = np.concatenate([one.differences for one in parts if one.differences is not None])
        queries, mean, deviation = (
            np.concatenate([getattr(one.sample, name) for one in parts]) for name in ("queries", "mean", "deviation")
        )
        joint = max_t(
            rows,
            alpha=design.alpha / families,
            samples=design.samples or SAMPLES,
            sample=Moments(queries, mean, deviation),
        )
        ends = np.cumsum([len(one.sample.mean) for one in parts])[:-1]
        columns = (np.split(column, ends) for column in (joint.p.p, joint.p.low, joint.p.high, joint.limits))
        for own, *p, limits in zip(parts, *columns, strict=True):
            found.append(replace(own, family=Bounded(*p), critical=joint.critical, limits=limits, differences=None))
    return found
