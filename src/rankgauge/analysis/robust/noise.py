"""Robust is about other measures on these queries, significant about other queries: both, side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankgauge.analysis.robust.bound import MARGIN, lower_bounds, values
from rankgauge.analysis.robust.classes import merged
from rankgauge.analysis.robust.counts import Counts
from rankgauge.analysis.robust.verdicts import Root
from rankgauge.arrays import Floats, Ints
from rankgauge.kernels.resampling import Progress, count_blocks


def stays_robust(
    counts: Counts, pairs: Ints, signs: Sequence[int], samples: int, seed: int, progress: Progress | None = None
) -> Floats:
    """For every pair, the share of bootstrap samples of the queries in which the same system is certainly never behind.

    By the bound over the whole family at once: a sample that only a search could settle counts as no.
    """
    kept, done = np.zeros(len(pairs)), 0
    sign = np.asarray(signs, np.float64)[:, None, None]
    for drawn in count_blocks(counts.found.shape[1], samples, seed):
        for times in drawn:
            there = times * counts.weight > 0
            if there.any():
                part = Counts(
                    counts.found[:, there], counts.best[there], counts.weight[there], counts.grades, counts.is_whole
                )
                classes = merged(part, (times * counts.weight)[there])
                kept += _certain([Root(classes, scale) for scale in classes.scales], pairs, sign)
            done += 1
            if progress:
                progress(done, samples)
    return kept / samples


def _certain(roots: Sequence[Root], pairs: Ints, sign: Floats) -> Floats:
    sure = np.zeros(len(pairs), np.bool_)
    for root in roots:
        p = (root.found[pairs[:, 0]] - root.found[pairs[:, 1]]) * sign
        possible = np.flatnonzero(~sure & (values(p, root.q).min(axis=1) >= -MARGIN) & (np.abs(p).max(axis=(1, 2)) > 0))
        if len(possible):
            sure[possible] = lower_bounds(p[possible], root.q, steps=10).low >= -MARGIN
    return sure.astype(np.float64)


def paired_t(scores: Floats, pairs: Ints) -> Floats:
    """Two-sided p-values of the paired t test, each pair alone; 1 where nothing differs, nan for a single query."""
    from scipy.special import stdtr

    differences = scores[pairs[:, 0]] - scores[pairs[:, 1]]
    there = ~np.isnan(differences)
    size = there.sum(axis=1)
    filled = np.where(there, differences, 0.0)
    mean = filled.sum(axis=1) / np.maximum(size, 1)
    squares = np.where(there, (filled - mean[:, None]) ** 2, 0.0).sum(axis=1)
    error = np.sqrt(squares / np.maximum(size - 1, 1) / np.maximum(size, 1))
    level = np.abs(mean) <= 1e-12
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(np.maximum(size - 1, 1), -np.abs(mean / error))
    p = np.where(level, 1.0, np.where(error > 1e-12 * np.abs(mean), p, 0.0))
    return np.where(size > 1, p, np.nan)
