"""Phi of 10,000 queries of 100 scores each: the kernel beside a loop over SciPy's interpolator, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy.interpolate import PchipInterpolator

from rankgauge.kernels.curves import phi

QUERIES, ITEMS, SEED = 10_000, 100, 1


def loop(pool: phi.Floats, knots: list[tuple[tuple[float, float], ...]]) -> phi.Floats:
    """SciPy's share alone: the knots are given, so the quartiles cost it nothing."""
    result = np.zeros_like(pool)
    for row, points in enumerate(knots):
        x, v = zip(*points, strict=True)
        if len(set(x)) == len(x):
            result[row] = PchipInterpolator(x, v)(pool[row])
    return result


def median_seconds(call: Callable[[], object], repeats: int) -> float:
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return float(np.median(seconds))


def main() -> None:
    scores = np.round(100 * np.random.default_rng(SEED).pareto(1.3, (QUERIES, ITEMS)))
    pool = np.sort(scores)[:, ::-1]
    offsets, queries = np.arange(QUERIES + 1) * ITEMS, np.repeat(np.arange(QUERIES), ITEMS)
    sorted_flat, flat = pool.ravel(), scores.ravel()
    curves = phi.fit(sorted_flat, offsets)
    knots = [phi.knots(curves, query) for query in range(QUERIES)]
    peer = median_seconds(lambda: loop(pool, knots), 3)
    print(f"{'SciPy in a loop, knots given':42}{1000 * peer:9.1f} ms")
    for name, values, settings in (
        ("kernel, pool sorted, fit and evaluate", sorted_flat, phi.PAPER),
        ("kernel, pool unsorted, fit and evaluate", flat, phi.PAPER),
        ("kernel, pool sorted, preset authors", sorted_flat, phi.AUTHORS),
    ):
        ours = median_seconds(lambda v=values, s=settings: phi.relevance(v, queries, v, offsets, s), 9)
        print(f"{name:42}{1000 * ours:9.1f} ms  {peer / ours:6.0f} times faster")
    worst = np.abs(
        phi.relevance(sorted_flat, queries, sorted_flat, offsets).reshape(pool.shape) - loop(pool, knots)
    ).max()
    print(f"largest difference {worst:.1e}")


if __name__ == "__main__":
    main()
