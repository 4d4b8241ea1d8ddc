"""Phi of 10,000 queries of 100 scores each: the kernel beside a loop over SciPy's interpolator, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy.interpolate import PchipInterpolator

from rankgauge.arrays import Floats
from rankgauge.kernels.curves import AUTHORS, PAPER, Phi

QUERIES, ITEMS, SEED = 10_000, 100, 1


def loop(pool: Floats, knots: list[tuple[tuple[float, float], ...]]) -> Floats:
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
    flat = pool.ravel()
    fitted = Phi.fit(flat, offsets)
    knots = [fitted.knots(query) for query in range(QUERIES)]
    peer = median_seconds(lambda: loop(pool, knots), 3)
    print(f"{'SciPy in a loop, knots given':42}{1000 * peer:9.1f} ms")
    for name, box_plot in (("kernel, fit and evaluate", PAPER), ("kernel, preset authors", AUTHORS)):
        ours = median_seconds(lambda one=box_plot: Phi.fit(flat, offsets, one)(queries, flat), 9)
        print(f"{name:42}{1000 * ours:9.1f} ms  {peer / ours:6.0f} times faster")
    worst = np.abs(fitted(queries, flat).reshape(pool.shape) - loop(pool, knots)).max()
    print(f"largest difference {worst:.1e}")


if __name__ == "__main__":
    main()
