"""The margin that holds for all pairs at once."""

import numpy as np
import pytest

from rankgauge.analysis.compare.statistics.families import _complete, _with_gaps, max_t
from rankgauge.evaluation.intervals import moments
from rankgauge.kernels.resampling import centre, count_blocks


@pytest.fixture
def rows():
    random = np.random.default_rng(4)
    return random.gamma(2.0, 0.1, (12, 30)) - 0.2 + np.linspace(-0.1, 0.1, 12)[:, None]


def test_a_pair_is_a_finding_exactly_beyond_the_critical_t(rows):
    for alpha in (0.05, 0.2):
        found = max_t(rows, alpha=alpha, samples=2_000, seed=1, rounds=1)
        sample = moments(rows)
        beyond = np.abs(sample.mean / sample.error) >= found.critical
        assert (beyond == (found.p.p < alpha)).all()
        assert 0 < beyond.sum() < len(rows)


def test_the_critical_t_is_the_level_that_the_largest_exceeds_with_chance_alpha(rows):
    found = max_t(rows, alpha=0.1, samples=4_000, seed=1, rounds=1)
    centered, random, largest = rows - rows.mean(axis=1, keepdims=True), np.random.default_rng(9), []
    for _ in range(4_000):
        drawn = centered[:, random.integers(0, 30, 30)]
        largest.append(np.abs(drawn.mean(axis=1) / (drawn.std(axis=1, ddof=1) / np.sqrt(30))).max())
    assert found.critical == pytest.approx(np.quantile(largest, 0.9), rel=0.04)


def test_single_precision_and_double_agree(rows):
    centered, present = centre(rows), np.ones(rows.shape, dtype=bool)
    counts = next(count_blocks(30, 500, 3))
    np.testing.assert_allclose(_complete(centered, present, counts), _with_gaps(centered, present, counts), rtol=1e-3)


def test_more_samples_are_drawn_while_a_pair_lies_at_the_limit(rows):
    first = max_t(rows, alpha=0.05, samples=1_000, seed=1, rounds=1)
    at = int(np.argmin(np.abs(np.log(first.p.p / 0.05))))
    alpha = float(first.p.p[at])
    finer = max_t(rows, alpha=alpha, samples=1_000, seed=1)
    assert finer.p.high[at] - finer.p.low[at] < 0.5 * (first.p.high[at] - first.p.low[at])
