"""What compare() does with its options: defaults, robust verdicts beside significance, what is refused together."""

from __future__ import annotations

import pytest

from cubes import scores_of
from rankgauge import compare
from rankgauge.errors import UsageError

QUERIES = [f"q{number}" for number in range(20)]
JUDGMENTS = {query: {"x": 2, "y": 1} for query in QUERIES}
LISTS = {
    "base": lambda number: "uvxy",
    "best": lambda number: "xyuv",
    "second": lambda number: "xuyv",
    "once": lambda number: "xyuv" if number == 0 else "uvxy",
    "trade": lambda number: "yuvw",  # more at rank 1, less in all
}
RUNS = {
    system: {query: {name: -float(place) for place, name in enumerate(of(n))} for n, query in enumerate(QUERIES)}
    for system, of in LISTS.items()
}


def test_the_seed_is_7_and_nothing_is_sampled_unless_asked_for():
    found = compare(scores_of([[0.1, 0.2, 0.3], [0.1, 0.3, 0.5]]))
    assert (found.seed, found.samples, found.confidence, found.test) == (7, None, 0.95, "sign-flip")
    assert (found.interval, found.interval_for, found.correction_within) == ("t", "verdict", "all")
    assert compare(scores_of([[0.1, 0.2, 0.3], [0.1, 0.3, 0.5]]), seed=8).seed == 8


def test_robust_verdicts_are_counted_beside_significance_for_each_measure():
    found = compare(JUDGMENTS, RUNS, "nDCG@4 nDCG@2 P@2", robust=True, correction="none")
    words = {part.measure: {pair.system: (pair.robust, pair.verdict) for pair in part.pairs} for part in found.parts}
    assert words["nDCG@4"] == {
        "best": ("robust", "better"),
        "second": ("robust", "better"),
        "once": ("robust", "undecided"),
        "trade": ("depends", "worse"),
    }
    assert words["nDCG@2"]["trade"] == ("robust", "better")
    assert {robust for robust, _ in words["P@2"].values()} == {"not covered"}
    counted = [note for note in found.notes if note.kind == "robust-and-significant"]
    assert [(note.text, note.count, note.measure) for note in counted] == [
        ("nDCG@4: robust and significant: 2; only robust: 1; only significant: 1; neither: 0", 4, "nDCG@4"),
        ("nDCG@2: robust and significant: 3; only robust: 1; only significant: 0; neither: 0", 4, "nDCG@2"),
    ]
    (refused,) = [note for note in found.notes if note.kind == "not-covered"]
    assert (refused.measure, refused.text.startswith("P@2: no robust verdict: ")) == ("P@2", True)


@pytest.mark.parametrize(
    "options",
    [{"robust": True, "by": dict.fromkeys(QUERIES, "all")}, {"bayes": True, "by": dict.fromkeys(QUERIES, "all")}],
    ids=["robust and by", "bayes and by"],
)
def test_what_is_about_one_set_of_queries_is_refused_with_slices(options):
    with pytest.raises(UsageError):
        compare(JUDGMENTS, RUNS, "nDCG@4", **options)


def test_robust_verdicts_need_judgments():
    with pytest.raises(UsageError, match="robust verdicts need judgments and runs"):
        compare(scores_of([[0.1, 0.2, 0.3], [0.1, 0.3, 0.5]]), robust=True)


@pytest.mark.parametrize(
    "options",
    [{"measures": "P@1"}, {"like": "trec_eval"}, {"by": {}}, {"judge": {}}],
    ids=lambda options: next(iter(options)),
)
def test_runs_alone_take_no_option_that_needs_judgments(options):
    with pytest.raises(UsageError, match="has no effect here because it needs judgments or scores"):
        compare(None, RUNS, **options)


@pytest.mark.parametrize("option", ["cutoff", "depth"])
def test_a_cutoff_is_for_runs_alone(option):
    with pytest.raises(UsageError, match="without judgments"):
        compare([[0.1, 0.2], [0.1, 0.3]], **{option: 5})


@pytest.mark.parametrize(
    "options",
    [{"test": "t"}, {"bayes": True}, {"robust": True}, {"runs": RUNS}],
    ids=lambda options: next(iter(options)),
)
def test_collections_take_no_option_of_a_single_one(options):
    with pytest.raises(UsageError, match="has no effect here because it is for one collection"):
        compare(collections={"a": [[0.1, 0.2], [0.2, 0.3]], "b": [[0.1, 0.2], [0.2, 0.3]]}, **options)


def test_the_best_system_is_the_baseline_by_its_mean_on_the_first_measure():
    few = {name: RUNS[name] for name in ("base", "once")}
    most = {query: RUNS["best" if number < 12 else "second"][query] for number, query in enumerate(QUERIES)}
    assert compare(JUDGMENTS, few | {"most": most}, "nDCG@4 P@2", baseline="best").baseline == "most"
    assert compare(JUDGMENTS, {"most": most, "best": RUNS["once"]}, "nDCG@4", baseline="best").baseline == "best"
    assert compare(JUDGMENTS, few | {"most": most}, "nDCG@4 P@2").baseline == "base"


def test_one_system_alone_is_compared_with_nothing():
    alone = compare(JUDGMENTS, {"once": RUNS["once"]}, "nDCG@4")
    assert (alone.baseline, alone.correction, alone.next_step) == (None, "none", "Give a second run to compare with.")
    assert (alone.parts[0].pairs, alone.correction_within, alone.notes[0].kind) == ((), "all", "policy")


def test_robust_verdicts_of_all_pairs_are_not_only_of_those_with_the_first():
    found = compare(JUDGMENTS, RUNS, "nDCG@4", robust=True, all_pairs=True)
    words = {(pair.system, pair.baseline): pair.robust for pair in found.parts[0].pairs}
    assert len(words) == 10
    assert words["second", "best"] == "robust"
    assert "not covered" not in words.values()


def test_runs_alone_are_compared_by_their_first_ten_documents():
    runs = {"old": RUNS["base"], "new": RUNS["best"]}
    assert compare(None, runs).cutoff == 10
    assert compare(None, runs, cutoff=3).cutoff == 3
