from __future__ import annotations

import numpy as np
import pytest

from rankgauge import Policy, Scores, evaluate, measures
from rankgauge.errors import MeasureError, UsageError

JUDGED = {"q1": {"a": 3, "b": 0, "c": 1}, "q2": {"a": 1}}
RUN = {"q1": {"x": 5.0, "a": 4.0, "b": 3.0}}


def test_a_function_sees_the_ranked_values_and_everything_judged():
    seen = []

    def own(ranked, judged):
        """Something of my own."""
        seen.append((ranked.tolist(), judged.tolist()))
        return len(ranked) / 10

    measure = measures.define("Own", own)
    scores = evaluate(JUDGED, RUN, [measure, measure @ 2])
    assert scores.mean()["run"] == {"<Own>": 0.15, "<Own>@2": 0.1}
    assert seen[0][0][1:] == [3.0, 0.0]
    assert np.isnan(seen[0][0][0])
    assert seen[0][1] == [3.0, 1.0, 0.0]
    assert seen[1] == ([], [1.0])
    assert measure.is_custom
    assert measure.definition.title == "Something of my own."


def test_its_faults_are_told_with_its_name():
    with pytest.raises(MeasureError, match="the function of Bad failed on a list of 3 documents"):
        evaluate(JUDGED, RUN, measures.define("Bad", lambda ranked, judged: ranked[9]))
    with pytest.raises(MeasureError, match="letters, digits"):
        measures.define("not a name", lambda ranked, judged: 1)


@pytest.mark.parametrize("value", [float("inf"), -float("inf"), 1e308])
@pytest.mark.parametrize("queries", [3, 600])
def test_a_value_that_has_no_mean_is_refused_however_many_queries_there_are(value, queries):
    judged = {f"q{at}": {"a": 1} for at in range(queries)}
    run = {query: {"a": 2.0, "b": 1.0} for query in judged}
    with pytest.raises(MeasureError, match=rf"of Big returned {value:g} for a list of 2 documents".replace("+", "[+]")):
        evaluate(judged, run, measures.define("Big", lambda ranked, judged: value))


def test_it_sees_one_order_only():
    tied = {"q1": {"a": 1.0, "b": 1.0}}
    own = measures.define("Own", lambda ranked, judged: 1)
    assert evaluate(JUDGED, tied, own, policy=Policy(ties="worst")).values[0, 0, 0] == 1
    with pytest.raises(MeasureError, match="one order"):
        evaluate(JUDGED, tied, own, policy=Policy(ties="mean"))


def test_a_measure_known_by_its_scores_cannot_be_computed():
    (label,) = Scores.from_matrix([[0.1, 0.2]], measures=["clicks"], rows="systems").measures
    with pytest.raises(UsageError, match="'clicks' was computed elsewhere"):
        evaluate(JUDGED, RUN, [label])
