"""Standard errors by resampling queries: how far a number of a collection would move with other queries of its kind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t as student

from rankgauge.analysis.optimize.search.objective import dependability

Floats = NDArray[np.float64]
LEVEL = 0.05


def standard_error(scores: Floats, samples: int, seed: int) -> float:
    """Of Φ for one query: queries drawn with replacement, weights and systems as they are."""
    random = np.random.default_rng(seed)
    drawn = [dependability(scores[:, random.integers(0, scores.shape[1], scores.shape[1])]) for _ in range(samples)]
    return float(np.std(drawn, ddof=1))


def power_errors(cube: Floats, top: int, samples: int, seed: int) -> dict[str, list[float]]:
    """Of the share of pairs separated by each measure, and of the lead of the first measure over each.

    Every sample of queries is judged by the paired t-test, which a bootstrap test of a bootstrap sample would only
    approximate at a thousand times the cost; all measures see the same samples, so that leads are paired.
    """
    queries = cube.shape[1]
    drawn = np.random.default_rng(seed).integers(0, queries, (samples, queries))
    counts = np.stack([np.bincount(one, minlength=queries) for one in drawn]).astype(np.float64)
    limit = student.ppf(1 - LEVEL / 2, queries - 1)
    shares = []
    for measure in range(cube.shape[2]):
        scores = cube[:, :, measure]
        kept = scores[np.argsort(-scores.mean(axis=1), kind="stable")[:top]]
        one, two = np.triu_indices(len(kept), 1)
        apart = kept[one] - kept[two]
        mean = counts @ apart.T / queries
        spread = np.maximum(counts @ (apart**2).T / queries - mean**2, 1e-300) * queries / (queries - 1)
        shares.append((np.abs(mean) / np.sqrt(spread / queries) > limit).mean(axis=1))
    found = np.array(shares)
    return {
        "share": found.std(axis=1, ddof=1).tolist(),
        "lead": (found[0] - found).std(axis=1, ddof=1).tolist(),
    }
