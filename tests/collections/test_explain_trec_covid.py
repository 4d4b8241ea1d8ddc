"""What explain() adds up on real queries is what evaluate() says, to the last digit."""

from __future__ import annotations

import pytest

from rankgauge import Policy, evaluate, explain, read_judgments, read_run


@pytest.mark.parametrize("ties", ["document", "mean", "best"])
@pytest.mark.parametrize("measure", ["nDCG@10", "nDCG(gain=exp, discount=zipf)", "AP", "ERR@20"])
def test_a_run_with_many_ties_adds_up(collections, measure, ties):
    folder = collections / "trec-covid-round3"
    judgments, run = read_judgments(folder / "qrels.txt.gz"), read_run(folder / "runs" / "factum-sparse.gz")
    policy = Policy(ties=ties)
    values = evaluate(judgments, run, measure, policy=policy).per_query()["factum-sparse"]
    for query in ("1", "17", "40"):
        told = explain(measure, judgments, run, query, policy=policy)
        assert told.value == told.lines[-1].running == values[query][str(told.measure)]
