"""The table of verdicts: 10 systems × 251 queries of the example, and TREC-COVID round 3 with 3,081 pairs of 79 systems."""

from __future__ import annotations

import pytest

import rankgauge


@pytest.mark.parametrize(
    ("real", "measure", "over", "counts"),
    [
        ("example", "nDCG@10", "discount", (33, 12, 0, 0)),
        ("trec-covid", "nDCG@10", "discount", (2597, 482, 0, 2)),
        ("trec-covid", "nDCG@10", "both", (2313, 766, 0, 2)),
        ("trec-covid", "nDCG@20", "discount", (2495, 584, 0, 2)),
        ("trec-covid", "nDCG@20", "both", (2222, 857, 0, 2)),
    ],
    indirect=["real"],
)
def test_no_pair_is_left_open(real, measure, over, counts):
    policy = rankgauge.Policy(ties="document")
    found = rankgauge.robust(*real, measure, over=over, all_pairs=True, samples=0, policy=policy)
    assert tuple(found.counts.values()) == counts
    if counts == (2313, 766, 0, 2):
        assert tuple(found.significance.to_dict().values()) == (2150, 163, 148, 620)
