"""Sign flips and bootstrap draws over queries, and shares of sign patterns without sampling.

Draws come in blocks of bounded size, and a draw depends on the seed alone, not on the size of the blocks.
Tables have one row per pair or system and one column per query. All rows share one set of draws, so that the
answer for a row never depends on its neighbors and a whole table costs one matrix product.

Without sampling: the distribution of Σ ±aᵢ by convolution on a lattice, with bounds. A pattern is a subset F of the
sizes a (those that count as negative), and Σ ±a ≥ T means that the sum over F is at most (A-T)/2, where A is the sum of
all. Sizes are rounded to whole numbers of steps; what rounding may have moved is bounded, so every share comes as an
interval that holds the true one. The additions are of positive numbers only: a share of 1e-12 is as sharp as one of 1/2,
and nothing depends on a seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints

Progress = Callable[[int, int], None]

# Numbers in a block: 4 MB, small enough for the caches to help, and about 20 MB with the intermediate arrays.
CELLS = 500_000
# Two sums that differ by less than this share of their terms are the same sum in another order of additions.
ROUNDING = 1e-12


def flip_blocks(queries: int, samples: int, seed: int, *, beside: int = 0, cells: int = CELLS) -> Iterator[Floats]:
    """Random 0/1 tables float64[block, queries], 1 where a query's sign is flipped; rows spare room for `beside`."""
    random = np.random.default_rng(seed)
    words = -(-queries // 64)
    for size in _block_sizes(samples, queries + beside, cells):
        drawn = random.integers(0, 2**64, size=(size, words), dtype=np.uint64).astype("<u8", copy=False)
        yield np.unpackbits(drawn.view(np.uint8), axis=1, count=queries).astype(np.float64)


def count_blocks(queries: int, samples: int, seed: int, *, beside: int = 0, cells: int = CELLS) -> Iterator[Floats]:
    """How often each query is in a bootstrap sample: float64[block, queries], every row adding up to `queries`."""
    random = np.random.default_rng(seed)
    for size in _block_sizes(samples, queries + beside, cells):
        drawn = random.integers(0, queries, size=(size, queries))
        drawn += np.arange(size)[:, np.newaxis] * queries
        yield np.bincount(drawn.ravel(), minlength=size * queries).reshape(size, queries).astype(np.float64)


def flips_as_extreme(differences: Floats, samples: int, seed: int, progress: Progress | None = None) -> Ints:
    """For every row, how many random flips of the signs give a sum at least as far from 0 as the observed one.

    A query without a difference is 0: flipping it changes nothing, which is the same as leaving it out.
    """
    rows, queries = differences.shape
    totals, thresholds = differences.sum(axis=1), _thresholds(differences)
    found, done = np.zeros(rows, dtype=np.int64), 0
    for flipped in flip_blocks(queries, samples, seed, beside=rows):
        sums = flipped @ differences.T
        sums *= -2.0
        sums += totals
        found += np.count_nonzero(np.abs(sums, out=sums) >= thresholds, axis=0)
        done += len(flipped)
        if progress is not None:
            progress(done, samples)
    return found


def exact_flip_share(differences: Floats) -> float:
    """The share of all 2ⁿ sign patterns whose sum is at least as far from 0 as the observed one, for one row.

    The patterns are not walked through: sums of the first half are sorted, and every sum of the second half looks up
    how many of them complete it, so that 2ⁿ patterns cost about n·2ⁿᐟ² steps.
    """
    differences = differences[differences != 0.0]
    threshold = float(_thresholds(differences[np.newaxis])[0])
    if threshold <= 0.0:
        return 1.0

    def signed_sums(terms: Floats) -> Floats:
        sums = np.zeros(1)
        for term in terms:
            sums = np.concatenate([sums + term, sums - term])
        return sums

    middle = len(differences) // 2
    left, right = np.sort(signed_sums(differences[:middle])), signed_sums(differences[middle:])
    reaching = left.size - np.searchsorted(left, threshold - right, side="left")
    # The distribution is symmetric about 0: the lower tail is as heavy as the upper one.
    return float(2 * int(reaching.sum()) / 2 ** len(differences))


def bootstrap_means(values: Floats, samples: int, seed: int, progress: Progress | None = None) -> Floats:
    """Means of every row over bootstrap samples of the columns, nan cells left out: float64[rows, samples]."""
    rows, queries = values.shape
    present = ~np.isnan(values)
    filled, complete = np.where(present, values, 0.0), bool(present.all())
    means, done = np.empty((rows, samples)), 0
    for counts in count_blocks(queries, samples, seed, beside=rows):
        sums = filled @ counts.T
        sizes = queries if complete else present.astype(np.float64) @ counts.T
        with np.errstate(invalid="ignore"):  # a sample may miss every query of a row with few: nan
            means[:, done : done + len(counts)] = sums / sizes
        done += len(counts)
        if progress is not None:
            progress(done, samples)
    return means


def studentised(centered: Floats, present: Flags, counts: Floats) -> tuple[Floats, Floats]:
    """Means and squared t statistics float64[rows, block] of centered rows in the bootstrap samples `counts`.

    With m the mean and s the second moment of a sample of n, t² = m²(n-1)/(s-m²): no square root is needed to compare
    two of them. Without variance t² is infinite, or 0 where the mean is 0 too.
    """
    sizes: Floats | float = float(centered.shape[1])
    if not present.all():
        sizes = np.maximum(present.astype(np.float64) @ counts.T, 1.0)
    means = centered @ counts.T
    means /= sizes
    spread = np.square(centered) @ counts.T
    spread /= sizes
    squared = np.square(means)
    # s-m² of equal numbers is a rounding error of either sign.
    spread -= squared
    flat = spread <= ROUNDING * squared
    squared *= sizes - 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        squared /= spread
    squared[flat] = np.where(means[flat] == 0.0, 0.0, np.inf)
    return means, squared


def centre(differences: Floats) -> Floats:
    """Rows minus their means; missing cells become 0, and so does what only rounding left over."""
    present = ~np.isnan(differences)
    complete = bool(present.all())
    filled = differences if complete else np.where(present, differences, 0.0)
    sizes = np.maximum(present.sum(axis=1, keepdims=True), 1)
    centered: Floats = filled - filled.sum(axis=1, keepdims=True) / sizes
    if not complete:
        centered[~present] = 0.0
    size = np.abs(filled)
    scale = size.max(axis=1, keepdims=True)
    np.copyto(centered, 0.0, where=np.abs(centered, out=size) <= ROUNDING * scale)
    return centered


def _thresholds(differences: Floats) -> Floats:
    thresholds: Floats = np.abs(differences.sum(axis=1)) - ROUNDING * np.abs(differences).sum(axis=1)
    return thresholds


def _block_sizes(samples: int, width: int, cells: int) -> Iterator[int]:
    size = max(1, cells // max(1, width))
    for start in range(0, samples, size):
        yield min(size, samples - start)


# 2ⁿ patterns, half a millisecond a row up to 24 and ten up to 30 (two sorted halves of 2¹⁵).
MOST_EXACT, MOST_EXACT_SLOWLY = 24, 30
# Steps of the lattice per difference: the first bounds lie a few percent apart, the finest ones a thousandth.
COARSE, FINE, FINEST = 64, 1024, 8192
FEWEST_STEPS = 2048
# Rounding errors of random signs add up to more than 8 of their standard deviations less often than this (Hoeffding).
SPREAD, BEYOND = 8.0, 2.0 * math.exp(-32.0)
# Additions for one row: a few seconds. Beyond it, patterns are sampled.
MOST_STEPS = 2e9


def lattice_cost(differences: int, per_difference: int = COARSE) -> float:
    """Additions for one row with this many differences other than 0."""
    return 0.5 * differences * max(FEWEST_STEPS, per_difference * differences)


def flip_share_bounds(differences: Floats, per_difference: int = COARSE) -> tuple[float, float, float]:
    """The share of sign patterns whose sum is at least as far from 0 as the observed one: value, low, high.

    Exact (low = high) with few differences, or where all are multiples of one number, as with P@10.
    """
    sizes = np.sort(np.abs(differences[differences != 0.0]))
    total = float(sizes.sum())
    threshold = abs(float(differences.sum())) - ROUNDING * total
    if threshold <= 0.0:
        return 1.0, 1.0, 1.0
    if len(sizes) <= (MOST_EXACT if per_difference <= COARSE else MOST_EXACT_SLOWLY):
        return (exact_flip_share(differences),) * 3
    step = _common_step(sizes) or total / max(FEWEST_STEPS, per_difference * len(sizes))
    scaled = sizes / step
    whole = np.rint(scaled)
    errors = scaled - whole
    errors[np.abs(errors) <= 1e-6] = 0.0
    random = 0.5 * SPREAD * math.sqrt(float(np.square(errors).sum()))
    reach = min(random, 0.5 * float(np.abs(errors).sum()))
    beyond = BEYOND if 0.0 < reach == random else 0.0
    middle = (total - threshold) / (2.0 * step) - 0.5 * float(errors.sum())
    shares = np.append(_shares_up_to(whole.astype(np.int64), middle + reach), 0.0)  # the last one is of sums below 0
    places = (max(math.floor(place + 1e-9), -1) for place in (middle, middle - reach, middle + reach))
    value, low, high = (2.0 * float(shares[place]) for place in places)
    floor = 2.0 ** (1 - min(len(sizes), 1000))  # the observed pattern and its mirror image always count
    return max(value, floor), max(low - beyond, floor), min(max(high + beyond, floor), 1.0)


def _shares_up_to(whole: np.ndarray, largest: float) -> Floats:
    """Shares of all subsets whose sum is 0, 1, … steps, cumulated; `whole` ascends."""
    size = max(1, math.floor(largest + 1e-9) + 1)
    ways, reached = np.zeros(size), 0
    ways[0], done = 1.0, 0
    for number in whole.tolist():
        done += 1
        if number < size:
            reached = min(reached + number, size - 1)
            ways[number : reached + 1] += ways[: reached + 1 - number].copy()
        if done % 512 == 0:
            ways *= 2.0**-512
    return np.cumsum(ways) * 2.0 ** -(done % 512)


def _common_step(sizes: Floats) -> float:
    """The number that all sizes are multiples of, if it is not too small to be of use; else 0."""
    total, step = float(sizes.sum()), float(sizes[0])
    for size in sizes.tolist():
        step, rest = size, step
        while rest > 1e-7 * total / len(sizes):
            step, rest = rest, step - rest * round(step / rest)
            rest = abs(rest)
        if step < total / (4 * FEWEST_STEPS):
            return 0.0
    whole = np.rint(sizes / step)
    return step if bool(np.all(np.abs(sizes - whole * step) <= 1e-9 * total)) else 0.0
