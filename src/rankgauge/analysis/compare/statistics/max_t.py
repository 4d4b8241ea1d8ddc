"""Max-t: intervals and p-values that hold for many comparisons at once, from the distribution of the largest |t|.

The queries are resampled for all comparisons together, so that what these have in common (a baseline, the queries)
counts, and the studentized bootstrap of centered differences follows their skew; sign flips and Bonferroni's bound do
neither. The level that the largest |t| exceeds with chance α is the margin of every interval, in standard errors: the
intervals hold together, and a comparison is a finding exactly when its interval excludes 0.

Two systems that differ on a handful of queries are judged by Bonferroni's bound and not resampled: a resample that misses
most of those queries has a |t| without limit, and a system and a near copy of it would decide about all others.

The resamples are the same whatever the seed and the order of the queries and systems, so the same scores always get the
same verdicts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare.statistics.corrections import t_quantile
from rankgauge.analysis.compare.statistics.shares import Bounded, sampled
from rankgauge.analysis.compare.statistics.tests import squared_t, t_of
from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.evaluation.intervals import Moments, moments
from rankgauge.kernels.resampling import ROUNDING, Progress, centre, count_blocks, studentised

SAMPLES = 10_000
# More samples are drawn while a comparison lies at the limit, up to so many numbers: about a second.
ROUNDS, MOST_DRAWN = 3, 1_000_000_000
# Numbers in a block, 16 MB in single precision: with smaller products, threads wait for each other more than they work.
BLOCK = 4_000_000
SEED = 7
# Resamples of a handful of queries have too few values: below this number the limit is at least Bonferroni's.
FEW = 15
# Near copies differ on fewer queries than that, and on less than this share: coarse scores are equal on half of them.
NEARLY_NONE = 0.3
# How often the keys of rows and columns are made from each other.
KEY_ROUNDS = 2
# From this number of queries on t is normal: its correlations say all, and a million queries cost as much as a thousand.
NORMAL_FROM = 1_000


@dataclass(frozen=True, slots=True)
class MaxT:
    """p-values for the whole family, and the |t| beyond which a comparison is a finding: in common, and of each."""

    p: Bounded
    critical: float
    limits: Floats


def max_t(
    differences: Floats,
    *,
    alpha: float,
    samples: int = SAMPLES,
    seed: int = SEED,
    rounds: int = ROUNDS,
    progress: Progress | None = None,
    sample: Moments | None = None,
) -> MaxT:
    """Of all rows of `differences`, comparisons × queries; a missing query is nan. `sample` are their moments, if known."""
    sample = moments(differences) if sample is None else sample
    observed = squared_t(sample) * (1.0 - ROUNDING)
    few = sample.queries < FEW
    missing = differences.shape[1] - sample.queries  # nan is not 0
    sparse = ~few & near_copies(np.count_nonzero(differences, axis=1) - missing, sample.queries)
    resampled = (sample.deviation > 0.0) & ~sparse
    rows = differences if resampled.all() else differences[resampled]
    normal = _correlated(rows) if rows.shape[1] >= NORMAL_FROM else None
    rows = _in_own_order(rows) if normal is None else rows
    drawn, cost = np.empty(0), rows.size if normal is None else normal.size
    for round_ in range(rounds):
        # Three times as many as there are, drawn afresh and added: 1, 4, 16 times the first number.
        more = samples if not round_ else 3 * len(drawn)
        fresh = (
            _resampled(rows, more, seed + round_, progress) if normal is None else _normal(normal, more, seed + round_)
        )
        drawn = np.sort(np.concatenate([drawn, fresh]))
        total = len(drawn)
        reaching = total - np.searchsorted(drawn, np.nan_to_num(observed), side="left")
        p = sampled(np.where(np.isnan(observed), np.nan, (1.0 + reaching) / (1.0 + total)), total)
        if 4 * total * cost > MOST_DRAWN or not ((p.low < alpha) & (p.high >= alpha)).any():
            break
    # p < α exactly when at most `allowed` samples reach the observed t²: the next one is the limit.
    allowed = math.ceil(alpha * (1 + total)) - 2
    critical = math.sqrt(drawn[total - 1 - allowed]) if allowed >= 0 else math.inf
    # No limit is below that of a single comparison or, with few queries, below Bonferroni's.
    factor = np.where(few | sparse, len(differences), 1)
    least = np.minimum(t_of(sample) * factor, 1.0)
    bounded = Bounded(*(np.maximum(one, least) for one in (p.p, p.low, p.high)))
    usual = t_quantile(sample.queries, alpha / factor)
    # A sparse comparison has a limit of its own, which is the common one where there is no other.
    common = ~sparse if not sparse.all() else sparse
    most = common & (sample.queries == sample.queries[common].max(initial=0))
    critical = max(critical, float(usual[most].max(initial=0.0)))
    return MaxT(bounded, critical, np.where(sparse, np.maximum(usual, critical), critical))


def near_copies(differing: Ints, queries: Ints) -> Flags:
    """Whether systems are nearly the same: by the queries on which they differ, of those that both have."""
    nearly: Flags = differing < np.minimum(FEW, NEARLY_NONE * queries)
    return nearly


def _in_own_order(rows: Floats) -> Floats:
    """Rows and columns in an order that follows from the numbers alone, however queries and systems are given.

    Large columns come last. Coarse scores have many columns of one size, and single precision depends on where a row is:
    so every row gets a key from the keys of the columns and every column one from those of the rows, a few times over.
    Whole numbers make the sums exact in any order. A row is as large with its sign turned: the key decides the sign.
    """
    cells, missing = _whole(centre(rows)), np.isnan(rows).astype(np.int64)
    column = _mixed(np.abs(cells).sum(axis=0) + missing.sum(axis=0))
    for _ in range(KEY_ROUNDS):
        row = cells @ column
        turned = row < 0
        cells[turned] *= -1
        row = _mixed(np.where(turned, -row, row) + missing @ _mixed(column))
        column = _mixed(row @ cells + _mixed(row) @ missing)
    ordered = rows[np.argsort(row, kind="stable")]
    return ordered[:, np.lexsort((column, np.square(np.nan_to_num(ordered)).sum(axis=0)))]


def _whole(centered: Floats) -> Ints:
    """As whole numbers, fine enough to tell cells apart; no usual score lies between two of them, where rounding decides."""
    scale = np.maximum(np.abs(centered).max(axis=1, keepdims=True, initial=0.0), np.finfo(np.float64).tiny)
    whole: Ints = np.rint(centered / scale * (math.pi * 1e6)).astype(np.int64)
    return whole


def _mixed(keys: Ints) -> Ints:
    """Keys that differ a little differ a lot: multiplied by odd numbers, the high bits moved down; overflow is wanted."""
    keys = keys * np.int64(0x1E3779B97F4A7C15)
    mixed: Ints = (keys ^ (keys >> 29)) * np.int64(0x3F58476D1CE4E5B9)
    return mixed ^ (mixed >> 32)


def _resampled(rows: Floats, samples: int, seed: int, progress: Progress | None) -> Floats:
    """The largest t² over all rows, one per bootstrap sample of the queries."""
    largest, done = np.zeros(samples), 0
    if not len(rows):
        return largest
    present, centered = ~np.isnan(rows), centre(rows)
    by_row = _complete if present.all() else _with_gaps
    for counts in count_blocks(rows.shape[1], samples, seed, beside=3 * len(rows), cells=BLOCK):
        largest[done : done + len(counts)] = by_row(centered, present, counts)
        done += len(counts)
        if progress is not None:
            progress(done, samples)
    return largest


def _with_gaps(centered: Floats, present: Flags, counts: Floats) -> Floats:
    squared = studentised(centered, present, counts)[1]
    # A resample without variance says nothing about t.
    largest: Floats = np.where(np.isfinite(squared), squared, 0.0).max(axis=0)
    return largest


def _complete(centered: Floats, present: Flags, counts: Floats) -> Floats:
    """As `studentised`, in single precision and in place: only the largest counts, and thousands of pairs are many."""
    queries = present.shape[1]
    scaled = (centered / np.abs(centered).max(axis=1, keepdims=True)).astype(np.float32)
    drawn = (counts / queries).astype(np.float32).T
    means, spread = scaled @ drawn, np.square(scaled) @ drawn
    np.square(means, out=means)
    spread -= means
    spread[spread <= 1e-5 * means] = np.inf
    means /= spread
    largest: Floats = means.max(axis=0).astype(np.float64) * (queries - 1)
    return largest


def _correlated(rows: Floats) -> Floats:
    """A factor of the correlations between the means of all rows, one column per independent direction.

    Cholesky's, the row with most variance left first: pairs of k systems have k - 1 directions, however many they are.
    """
    centered = centre(rows)
    centered /= np.sqrt(np.square(centered).sum(axis=1, keepdims=True))
    correlations = centered @ centered.T
    left = np.ones(len(rows))
    columns: list[Floats] = []
    while len(columns) < len(rows) and left.max(initial=0.0) > 1e-6:
        pivot = int(left.argmax())
        column = correlations[pivot] - sum(one[pivot] * one for one in columns)
        columns.append(column / math.sqrt(left[pivot]))
        left = left - np.square(columns[-1])
    return np.column_stack(columns) if columns else np.zeros((len(rows), 1))


def _normal(factor: Floats, samples: int, seed: int) -> Floats:
    """The largest square of normal numbers with these correlations, one per sample."""
    random, largest = np.random.default_rng(seed), np.zeros(samples)
    size = max(1, BLOCK // max(1, len(factor)))
    for start in range(0, samples, size):
        drawn = random.standard_normal((min(size, samples - start), factor.shape[1]))
        largest[start : start + len(drawn)] = np.square(drawn @ factor.T).max(axis=1, initial=0.0)
    return largest
