from __future__ import annotations

import pytest

from rankgauge import Policy, evaluate
from rankgauge.errors import UsageError
from rankgauge.evaluation.means import Means

JUDGED = {"q1": {"a": 1, "b": 0}, "q2": {"a": 2}, "q3": {"x": 0}}
RUNS = {"good": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}, "poor": {"q1": {"b": 2.0, "a": 1.0}}}


@pytest.mark.parametrize("policy", [Policy(), Policy(missing="drop", undefined="drop")])
def test_means_alone_say_what_scores_say_of_means(policy):
    scores = evaluate(JUDGED, RUNS, "nDCG@10 GMAP NumRel", policy=policy)
    means = evaluate(JUDGED, RUNS, "nDCG@10 GMAP NumRel", policy=policy, per_query=False)
    assert isinstance(means, Means)
    assert means.mean() == scores.mean()
    assert str(means) == str(scores)
    assert means.to_markdown() == scores.to_markdown()
    told = scores.to_dict()
    del told["median"]
    assert means.to_dict() == told


def test_buckets_are_refused_where_there_is_no_spark():
    with pytest.raises(UsageError, match="buckets are for Spark tables"):
        evaluate(JUDGED, RUNS, buckets=4)
