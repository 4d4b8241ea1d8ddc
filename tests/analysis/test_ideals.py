"""Searches over gains and discounts know one ideal; a policy with another one is refused, not half followed."""

import pytest

import rankgauge
from rankgauge import Policy
from rankgauge.errors import UsageError

JUDGED = {f"q{at}": {"a": 2, "b": 1, "c": 0, "d": 2.5, "e": -1} for at in range(6)}
RUNS = {
    name: {query: {document: float(text.find(document)) for document in text} for query in JUDGED}
    for name, text in {"one": "abc", "two": "cba", "three": "bac"}.items()
}


@pytest.mark.parametrize(
    ("policy", "measure", "said"),
    [
        (Policy(pool="returned"), "nDCG@3", "pool=returned"),
        (Policy(fraction="truncate"), "nDCG@3", "fraction=truncate"),
        (Policy(negative="drop"), "nDCG@3", "negative=drop"),
        (Policy(negative="keep"), "nDCG@3", "negative=keep"),
        (Policy(extra="zero"), "nDCG@3", "extra=zero"),
        (Policy(mean="micro"), "nDCG@3", "mean=micro"),
        (Policy(digits=2), "nDCG@3", "digits=2"),
        (Policy(ties="mean-rank"), "nDCG@3", "ties=mean-rank"),
        (None, "nDCG(ideal=returned)@3", "ideal=returned"),
    ],
)
@pytest.mark.parametrize("function", [rankgauge.robust, rankgauge.optimize])
def test_another_ideal_is_refused(function, policy, measure, said):
    with pytest.raises(UsageError, match=said):
        function(JUDGED, RUNS, measure, policy=policy)


def test_the_explorer_refuses_it_too(tmp_path):
    with pytest.raises(UsageError, match="pool=returned"):
        rankgauge.explore(tmp_path / "page.html", JUDGED, RUNS, "nDCG@3", policy=Policy(pool="returned"))
    assert not (tmp_path / "page.html").exists()


def test_a_tool_with_another_ideal_is_refused():
    with pytest.raises(UsageError, match="not covered"):
        rankgauge.robust(JUDGED, RUNS, "nDCG@3", like="lightgbm")
