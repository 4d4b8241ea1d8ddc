"""What explain() adds up on real queries is what evaluate() says, to the last digit."""

from __future__ import annotations

import pytest

from rankgauge import Policy, evaluate, explain, read_judgments, read_run

TIED = ("best-feature", "factum-sparse")


@pytest.mark.parametrize("ties", ["document", "mean", "best"])
@pytest.mark.parametrize("measure", ["nDCG@10", "nDCG(gain=exp, discount=zipf)", "AP", "ERR@20"])
def test_a_run_with_many_ties_adds_up(real, measure, ties):
    path = next(path for path in real.runs if path.name.startswith(TIED))
    judgments, run = read_judgments(real.judgments), read_run(path)
    policy = Policy(ties=ties)
    values = evaluate(judgments, run, measure, policy=policy).per_query()[run.name]
    for query in list(values)[4:40:17]:
        told = explain(measure, judgments, run, query, policy=policy)
        assert told.value == told.lines[-1].running == values[query][str(told.measure)]
