"""Tables of grades by rank, small enough to check by hand or made to have a known answer."""

from __future__ import annotations

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades

# Four systems × three queries × three ranks; every pool holds more grade-1 documents than fit, so the ideal lists are
# 221, 211 and 221. Worked through in the project's notes on Kanoulas & Aslam.
TINY = (("100", "200", "111"), ("100", "011", "020"), ("122", "111", "111"), ("121", "001", "122"))


def tiny() -> RankedGrades:
    codes = np.array([[[int(grade) for grade in ranking] for ranking in system] for system in TINY], dtype=np.int8)
    return RankedGrades(codes, (1.0, 2.0), np.array([[3, 2], [3, 1], [3, 2]]))


def random_table(
    seed: int, systems: int = 5, queries: int = 6, ranks: int = 8, levels: int = 2, density: float = 0.5
) -> RankedGrades:
    """Systems of different skill; every query has a document of the lowest grade."""
    random = np.random.default_rng(seed)
    skill = np.linspace(0.4, 1.6, systems)[:, None, None]
    found = random.random((systems, queries, ranks)) < density * skill * random.uniform(0.3, 1, queries)[:, None]
    codes = (random.integers(1, levels + 1, found.shape) * found).astype(np.int8)
    pool = np.stack([(codes == level).sum(axis=2).max(axis=0) for level in range(1, levels + 1)], axis=1)
    pool = pool + random.integers(0, 3, pool.shape)
    pool[:, 0] += 1
    return RankedGrades(codes, tuple(float(level) for level in range(1, levels + 1)), pool)


def exchangeable(seed: int, systems: int = 30, queries: int = 40, ranks: int = 20) -> RankedGrades:
    """Every rank is an equally good witness of a system's skill and every ideal is the same: equal weights are best."""
    random = np.random.default_rng(seed)
    skill, ease = random.normal(0, 0.7, (systems, 1, 1)), random.normal(0, 0.3, (1, queries, 1))
    chance = 1 / (1 + np.exp(-(skill + ease - 0.5)))
    codes = (random.random((systems, queries, ranks)) < chance).astype(np.int8)
    return RankedGrades(codes, (1.0,), np.full((queries, 1), ranks))
