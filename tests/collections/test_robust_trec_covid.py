"""The table of verdicts on TREC-COVID round 3: 79 systems, 40 topics, 3,081 pairs."""

from __future__ import annotations

import pytest

import rankgauge


@pytest.fixture(scope="module")
def covid(collections):
    folder = collections / "trec-covid-round3"
    return rankgauge.Judgments(folder / "qrels.txt.gz"), sorted((folder / "runs").iterdir())


@pytest.mark.parametrize(
    ("measure", "over", "counts"),
    [
        ("nDCG@10", "discount", (2597, 482, 0, 2)),
        ("nDCG@10", "both", (2313, 766, 0, 2)),
        ("nDCG@20", "discount", (2495, 584, 0, 2)),
        ("nDCG@20", "both", (2222, 857, 0, 2)),
    ],
)
def test_no_pair_is_left_open(covid, measure, over, counts):
    policy = rankgauge.Policy(ties="document")
    found = rankgauge.robust(*covid, measure, over=over, all_pairs=True, samples=0, policy=policy)
    assert tuple(found.counts.values()) == counts
    if (measure, over) == ("nDCG@10", "both"):
        assert tuple(found.significance.to_dict().values()) == (2150, 163, 148, 620)
