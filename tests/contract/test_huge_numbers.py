"""Whole numbers beyond every float, wherever a number may be given: an error of ours, or a plain answer."""

from __future__ import annotations

import pytest

import rankgauge
from cubes import scores_of
from rankgauge.errors import RankgaugeError

HUGE = 10**400
JUDGED = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 2}, "q3": {"b": 1}}
RUN = {"q1": {"a": 1.0, "b": 2.0}, "q2": {"a": 3.0, "b": 1.0}, "q3": {"b": 1.0}}
OTHER = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 3.0, "b": 1.0}, "q3": {"a": 1.0}}
REFUSED = {
    "judgments": lambda: rankgauge.evaluate({"q1": {"a": HUGE}}, RUN),
    "run": lambda: rankgauge.evaluate(JUDGED, {"q1": {"a": HUGE}}),
    "weights": lambda: rankgauge.evaluate(JUDGED, RUN, weights={"q1": HUGE, "q2": 1, "q3": 1}),
    "truth": lambda: rankgauge.score("nDCG", [HUGE, 1], [1, 2]),
    "predicted": lambda: rankgauge.score("nDCG", [3, 1], [HUGE, 2]),
    "group_sizes": lambda: rankgauge.Judgments([1, 2, 3], group_sizes=[HUGE]),
    "scores": lambda: rankgauge.read_scores(scores_of([[HUGE, 1], [1, 2]])),
    "option": lambda: rankgauge.measures.parse("AP")(rel=HUGE),
    "cutoff": lambda: rankgauge.measures.parse("AP") @ HUGE,
    "depth": lambda: rankgauge.Policy(depth=HUGE),
    "knots": lambda: rankgauge.RelevanceFunction([(0, 0), (HUGE, 1)]),
    "relevance": lambda: rankgauge.relevance([HUGE, 1, 2]),
    "reach of a box": lambda: rankgauge.RelevanceFunction.fit([1, 2, 3, 9], reach=HUGE),
    "reach": lambda: rankgauge.stability(JUDGED, {"a": RUN, "b": OTHER}, reach=[HUGE]),
    "difference": lambda: rankgauge.compare(JUDGED, {"a": RUN, "b": OTHER}).queries_to_detect(HUGE),
    "given": lambda: rankgauge.reconcile(HUGE, JUDGED, RUN, "nDCG"),
    "query": lambda: rankgauge.explain("nDCG", JUDGED, RUN, HUGE),
    "systems": lambda: rankgauge.simulate(HUGE, 3),
    "documents": lambda: rankgauge.simulate(2, 3, documents=HUGE),
    "sampled queries": lambda: rankgauge.sample(JUDGED, queries=HUGE),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_number_beyond_all_floats_is_refused(what):
    with pytest.raises(RankgaugeError):
        REFUSED[what]()


def test_more_memory_than_there_is_is_enough():
    assert rankgauge.evaluate(JUDGED, RUN, memory=f"{HUGE}GB").mean() == rankgauge.evaluate(JUDGED, RUN).mean()
