"""p-values that are known only within bounds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rankgauge.analysis.compare.statistics.shares import flipped, sampled


def test_bounds_of_a_sampled_share_are_clopper_and_pearsons():
    samples, counts = 999, np.array([1, 40, 500, 998])
    found = sampled((1 + counts) / 1000, samples)
    assert found.p.tolist() == ((1 + counts) / 1000).tolist()
    exact = [stats.binomtest(int(count), samples).proportion_ci(1 - 2e-5) for count in counts]
    assert found.low == pytest.approx([one.low for one in exact], rel=1e-6)
    assert found.high == pytest.approx([one.high for one in exact], rel=1e-6)


def test_flips_by_convolution_hold_the_exact_share_and_rows_of_one_query_have_none():
    rows = np.array([[0.3, -0.1, 0.4, np.nan], [0.2, np.nan, np.nan, np.nan], [0.2, 0.1, np.nan, np.nan]])
    found = flipped(rows)
    exact = stats.permutation_test(([0.3, -0.1, 0.4],), np.mean, permutation_type="samples", n_resamples=np.inf)
    assert found.low[0] <= exact.pvalue <= found.high[0]
    assert np.isnan(found.p).tolist() == [False, True, False]
    assert found.p[2] == 0.5
