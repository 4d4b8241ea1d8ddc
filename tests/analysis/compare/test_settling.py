"""p-values that stand at the limit are computed again, more finely, before a verdict is given."""

import numpy as np

import rankgauge
from cubes import scores_of
from rankgauge.analysis.compare.statistics.shares import finer_flips, flipped


def test_a_pair_that_coarse_bounds_leave_open_is_decided_by_finer_ones():
    random = np.random.default_rng(2)
    base = random.uniform(size=60)
    new = base + random.normal(0.03, 0.1, 60)
    rows = (new - base)[None]
    coarse, fine = flipped(rows), finer_flips(rows)
    assert coarse.low[0] < fine.low[0] <= fine.high[0] < coarse.high[0]
    for alpha, verdict in (
        ((coarse.low[0] + fine.low[0]) / 2, "undecided"),
        ((coarse.high[0] + fine.high[0]) / 2, "better"),
    ):
        pair = rankgauge.compare(scores_of([base, new]), confidence=1 - alpha).parts[0].pairs[0]
        assert not pair.at_limit
        assert pair.verdict == verdict
    pair = rankgauge.compare(scores_of([base, new]), confidence=1 - float(fine.p[0])).parts[0].pairs[0]
    assert pair.at_limit
    assert pair.verdict == "undecided"
