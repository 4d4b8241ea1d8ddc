"""Every option of every public function, with every odd value: a result, or an error of ours that names the option."""

from __future__ import annotations

import functools
import inspect
from decimal import Decimal
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import rankgauge
from rankgauge.errors import RankgaugeError, UsageError

JUDGED = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 1, "d": 0}, "q3": {"b": 2, "c": 1}, "q4": {"c": 1, "d": 1}}
OLD = {q: {"a": 3.0, "b": 2.0, "d": 1.5, "c": 1.0} for q in JUDGED}
NEW = {q: {"c": 3.0, "b": 2.5, "a": 2.0, "e": 1.0} for q in JUDGED}
RUNS = {"old": OLD, "new": NEW}
MATRIX = [[0.1, 0.5, 0.3, 0.2], [0.4, 0.2, 0.9, 0.3]]
ODD = [
    *(None, True, False, 0, -1, 1, 1.5, 0.3, float("nan"), float("inf"), -float("inf"), 10**400, 1j, Decimal("0.5")),
    *("", "x", "0.95", "nDCG@3", b"x", [], [1], ["x"], [None], [float("nan")], [-1, 0.5], (), {}, {"x": "y"}, {1: 2}),
    *({"x"}, object(), len, int, Path("nowhere"), np.float64("nan"), np.int64(2), np.array([1.0, 2.0]), range(2)),
    *(
        np.array(5),
        [[1], [1, 2]],
        functools.reduce(lambda inner, _: [inner], range(5_000), []),
        "\0",
        "\ud800",
        2**63,
    ),
]
TWO = {"judgments": JUDGED, "runs": RUNS}
SCORED = {"scores": JUDGED, "runs": RUNS}
CALLS = {
    "evaluate": TWO,
    "compare": SCORED,
    "compare of collections": {"collections": {"a": (JUDGED, RUNS), "b": (JUDGED, RUNS)}},
    "compare without judgments": {"scores": None, "runs": RUNS},
    "stability": SCORED,
    "agreement": SCORED | {"measures": "nDCG@3 AP"},
    "discriminate": SCORED | {"samples": 20},
    "exposure": {"runs": RUNS},
    "holes": TWO | {"measure": "nDCG@3"},
    "judges": {"reference": JUDGED, "judge": [JUDGED]},
    "judges with runs": {"reference": JUDGED, "judge": [JUDGED], "runs": RUNS},
    "sample": {"judgments": JUDGED, "queries": 2},
    "optimize": TWO | {"measure": "nDCG@3", "folds": 0},
    "optimize of collections": {"judgments": {"a": (JUDGED, RUNS)}, "measure": "nDCG@3"},
    "robust": TWO | {"measure": "nDCG@3", "samples": 5},
    "score": {"measure": "nDCG", "truth": [3, 1, 2], "predicted": [1.0, 2.0, 3.0]},
    "relevance": {"scores": [1.0, 2.0, 5.0, 9.0]},
    "simulate": {"systems": 2, "queries": 3, "documents": 9},
    "check": {"judgments": JUDGED},
    "explain": {"measure": "nDCG@3", "judgments": JUDGED, "run": OLD, "query": "q1"},
    "reconcile": {"value": "0.5", "judgments": JUDGED, "run": OLD, "measure": "nDCG@3"},
    "read_scores": {"source": MATRIX},
    "read_judgments": {"path": "j.qrels"},
    "read_run": {"path": "r.trec"},
    "read_runs": {"path": "r.trec"},
    "read_queries": {"path": "q.csv"},
    "report": SCORED | {"path": "report.html"},
    "explore": TWO | {"path": "explore.html", "measure": "nDCG@3"},
    "Policy": {},
    "Judgments": {"table": JUDGED},
    "Run": {"table": OLD},
    "Queries": {"columns": {"id": ["q1"], "text": ["rambo"]}},
}


def raw_faults(function, given):
    """What is raised that is no error of ours, with the option and the value that did it."""
    for (name, one), value in product(inspect.signature(function).parameters.items(), ODD):
        if name == "progress" and callable(value):
            continue  # called as such, and what it raises is its own
        try:
            if one.kind is one.VAR_POSITIONAL:
                function(*given.values(), value)
            else:
                function(**(given | {name: value}))
        except RankgaugeError:
            pass
        except Exception as fault:  # noqa: BLE001 - whatever it is
            yield name, value, fault


@pytest.mark.parametrize("call", CALLS)
def test_every_odd_value_gives_a_result_or_an_error_of_ours(call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("j.qrels").write_text("".join(f"{q} 0 {d} {value}\n" for q, row in JUDGED.items() for d, value in row.items()))
    Path("r.trec").write_text(
        "".join(f"{q} Q0 {d} 1 {value} x\n" for q, row in OLD.items() for d, value in row.items())
    )
    Path("q.csv").write_text("query,text\nq1,rambo\nq2,rocky\n")
    assert list(raw_faults(getattr(rankgauge, call.partition(" ")[0]), CALLS[call])) == []


REFUSED = [
    ({"policy": "ties=mean"}, "policy is 'ties=mean'; it must be a Policy."),
    ({"only": 5}, "only is 5; it must be a list of query ids."),
    (
        {"measures": 5},
        "measures is 5; it must be a measure, as a text such as nDCG@10 or a Measure, or a list of them.",
    ),
    ({"measures": []}, "no measure was named; name at least one, as in nDCG@10"),
    ({"like": ["sklearn"]}, "like is ['sklearn']; it must be text."),
    ({"confidence": "0.95"}, "confidence is '0.95'; it must be a number between 0 and 1, such as 0.95."),
    ({"confidence": 95}, "confidence is 95; it must lie between 0 and 1, such as 0.95."),
    ({"seed": float("nan")}, "seed is nan; it must be a whole number of at least 0."),
    ({"samples": True}, "samples is True; it must be a whole number of at least 1."),
    ({"equivalence": 0}, "equivalence is 0; it must be a difference above 0, such as 0.01."),
    ({"test": "sing-flip"}, "unknown test 'sing-flip'; did you mean 'sign-flip'?"),
    ({"correction": "sidak"}, "unknown correction 'sidak'; known: holm, bh, max-t, none"),
    ({"interval_for": "query"}, "unknown interval_for 'query'; known: verdict, pair"),
    ({"equivalence": float("inf")}, "equivalence is inf; it must be a difference above 0, such as 0.01."),
    ({"all_pairs": "no"}, "all_pairs is 'no'; it must be True or False."),
    ({"baseline": 7}, "baseline is 7; it must be text."),
    ({"progress": 1}, "progress is 1; it must be a function."),
]


@pytest.mark.parametrize(("given", "words"), REFUSED)
def test_an_option_is_refused_by_its_name_and_value(given, words):
    with pytest.raises(UsageError) as fault:
        rankgauge.compare(JUDGED, RUNS, **given)
    assert str(fault.value) == words


def test_numbers_and_words_of_other_packages_count_as_pythons():
    options = {"confidence": np.float32(0.5), "seed": np.int64(3), "samples": 20.0, "all_pairs": np.bool_(True)}
    found = rankgauge.compare(JUDGED, RUNS, test=np.str_("bootstrap"), only=(q for q in JUDGED), **options)
    assert [type(one) for one in (found.confidence, found.seed, found.samples)] == [float, int, int]


def results():
    scores, known = rankgauge.evaluate(JUDGED, RUNS, "nDCG@3 AP"), rankgauge.Queries({"id": ["q1"], "w": [1]})
    found, drawn = rankgauge.compare(scores), rankgauge.simulate(2, 3, documents=9)
    search = rankgauge.optimize(JUDGED, RUNS | {"other": {q: {"b": 1.0, "d": 3.0} for q in JUDGED}}, "nDCG@3", folds=0)
    return [
        *((found.gate, {}), (found.queries_to_detect, {}), (found.human_queries_to_detect, {})),
        *((scores.intervals, {}), (scores.select, {"measures": "AP"}), (scores.only, {"queries": ["q1"]})),
        *((scores.matrix, {"measure": "AP"}), (scores.save, {"path": "s.csv"}), (scores.beside, {"other": scores})),
        (rankgauge.Scores.from_matrix, {"values": MATRIX, "rows": "systems"}),
        (rankgauge.stability(scores)["AP"].queries_needed, {"target": 0.9}),
        (rankgauge.holes(JUDGED, RUNS, "nDCG@3").next, {"count": 1}),
        (rankgauge.RelevanceFunction.fit, {"scores": [1, 2, 3, 9]}),
        (rankgauge.RelevanceFunction, {"knots": [(0, 0), (1, 1)]}),
        (rankgauge.Judgments(JUDGED).only, {"queries": ["q1"]}),
        *((known.column, {"name": "w"}), (known.weights, {"name": "w"}), (known.text, {"query": "q1"})),
        *((drawn.runs, {}), (drawn.run, {"system": "system-1"}), (drawn.save, {"folder": "x"})),
        (search.gains_by_cutoff, {}),
        (rankgauge.compare(None, RUNS).query_table, {}),
    ]


def test_what_a_result_is_asked_is_examined_as_well(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert [(function.__name__, fault) for function, given in results() for fault in raw_faults(function, given)] == []
