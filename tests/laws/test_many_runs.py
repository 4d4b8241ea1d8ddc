"""Files in pieces, and many runs at once, give the bits of one whole run after the other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from laws import strategies as some
from laws.files import layouts, same_hits, written
from rankgauge import Judgments, Policy, Run, evaluate, read_run
from rankgauge.data.match import threads
from rankgauge.data.match.threads import Shares
from rankgauge.data.matching import match_runs
from rankgauge.data.read import trec_pieces
from rankgauge.errors import DataError, RankgaugeError
from rankgauge.evaluation.counted.run import evaluate_match, evaluate_matches
from rankgauge.evaluation.evaluate import settle_call

REGULAR = {"order": "as given", "seed": 0, "blank": " ", "end": "\n", "packed": "", "last": True}
SOME_TIED = (
    {"q1": {"d0": -1}, "10": {"d7": -1, "d4": 1, "d0": 0}, "q2": {"d0": -1}},
    {
        "10": {"d0": 1.0, "d4": -1.5, "d7": 0.0, "d1": 0.5, "d2": 0.0, "d3": 0.5, "d5": 0.5},
        "q1": {"d0": 0.0, "d1": 0.5},
    },
)
"""The form of infAP for open ties, used on a query without any, differed in its last bit."""
NOT_TIED = ({"q": {"a": 2, "b": 1, "c": 1}}, {"q": {"a": 5.0, "x": 4.0, "b": 3.0, "c": 2.0, "y": 1.0}})
seeds = st.lists(st.integers(0, 99), min_size=1, max_size=5)


def match(judgments, run, policy, deepest=None):
    (matched,) = match_runs(judgments, [run], policy, deepest)
    return matched


def thinned(run, judged, seed):
    """Some of a run's queries and documents, and a query that is judged."""
    random = np.random.default_rng(seed)
    kept = {query: {d: s for d, s in found.items() if random.random() < 0.8} for query, found in run.items()}
    kept = {query: found for query, found in kept.items() if found and random.random() < 0.8}
    return kept if set(kept) & set(judged) else run


@given(
    some.collections(),
    layouts(),
    some.policies,
    st.sampled_from([None, 1, 3]),
    st.builds(Shares, st.integers(1, 3), st.integers(1, 120)),
)
def test_a_file_in_pieces_has_the_hits_of_the_same_rows_as_dicts(collection, layout, policy, deepest, shares):
    judged, run = collection
    rule = settle_call("nDCG", replace(policy, ties=None if policy.ties == "order" else policy.ties), None)[1]
    want = match(Judgments(judged), Run(run), rule, deepest)
    with TemporaryDirectory() as name, mock.patch.object(threads, "shares_of", return_value=shares):
        path = written(Path(name), run, layout, "score")
        (got,) = match_runs(Judgments(judged), [read_run(path)], rule, deepest)
    assert same_hits(got.hits, want.hits)
    assert sorted(got.foreign) == sorted(want.foreign)
    assert list(got.queries) == list(want.queries)


@given(
    some.collections(), st.lists(layouts(), min_size=2, max_size=5), st.builds(Shares, st.integers(1, 3), st.just(40))
)
def test_many_files_come_in_their_order_whoever_is_ready_first(collection, layouts_of_runs, shares):
    judged, run = collection
    rule = settle_call("nDCG", None, None)[1]
    want = match(Judgments(judged), Run(run), rule)
    with TemporaryDirectory() as name, mock.patch.object(threads, "shares_of", return_value=shares):
        paths = []
        for at, layout in enumerate(layouts_of_runs):
            (Path(name) / str(at)).mkdir()
            paths.append(written(Path(name) / str(at), run, layout, "score"))
        runs = [read_run(path, name=str(at)) for at, path in enumerate(paths)]
        runs.insert(1, Run(run, name="dicts"))
        matches = list(match_runs(Judgments(judged), runs, rule))
    assert len(matches) == len(runs)
    assert all(same_hits(got.hits, want.hits) for got in matches)


@given(
    some.collections(),
    st.lists(st.tuples(st.integers(0, 99), st.one_of(st.just(REGULAR), layouts())), min_size=2, max_size=6),
    some.policies,
    st.sampled_from([None, 1, 3]),
    st.builds(Shares, st.integers(1, 3), st.sampled_from([100, 400, 10**6])),
)
def test_files_read_together_have_the_hits_of_each_alone(collection, files, policy, deepest, shares):
    judged, run = collection
    rule = settle_call("nDCG", replace(policy, ties=None if policy.ties == "order" else policy.ties), None)[1]
    systems = [thinned(run, judged, seed) for seed, _ in files]
    with TemporaryDirectory() as name, mock.patch.object(threads, "shares_of", return_value=shares):
        runs = []
        for at, (_, layout) in enumerate(files):
            (Path(name) / str(at)).mkdir()
            runs.append(read_run(written(Path(name) / str(at), systems[at], layout, "score"), name=str(at)))
        matches = list(match_runs(Judgments(judged), runs, rule, deepest))
    for got, system in zip(matches, systems, strict=True):
        want = match(Judgments(judged), Run(system), rule, deepest)
        assert same_hits(got.hits, want.hits)
        assert sorted(got.foreign) == sorted(want.foreign)


@given(
    some.collections(),
    st.lists(some.any_measure(), min_size=1, max_size=3),
    st.one_of(some.policies, st.just(Policy(unjudged="bounds"))),
    seeds,
    st.booleans(),
)
@example(SOME_TIED, [some.bare("infAP")], Policy(ties="mean"), [0, 65], False)
@example(NOT_TIED, [some.bare("nDCG") @ 3, some.bare("P") @ 2], Policy(unjudged="bounds"), [0, 1, 2, 3, 4], False)
def test_runs_evaluated_together_have_the_bits_and_notes_of_each_alone(collection, measures, policy, chosen, weighted):
    judged, run = collection
    judgments = Judgments(judged)
    measures, rule = settle_call(measures, policy, None)
    matches = [match(judgments, Run(thinned(run, judged, seed)), rule) for seed in chosen]
    weights = np.linspace(1, 2, len(judged)) if weighted else None
    try:
        alone = [evaluate_match(matched, measures, rule, weights) for matched in matches]
    except RankgaugeError as fault:
        with pytest.raises(type(fault)):
            evaluate_matches(matches, measures, rule, weights)
        return
    together = evaluate_matches(matches, measures, rule, weights)
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one.values, other.values, equal_nan=True)
        assert repr(one.facts) == repr(other.facts)  # sums may be nan, which equals nothing
        assert (one.bounds is None) == (other.bounds is None) == (rule.unjudged != "bounds")
        for side, same in zip(one.bounds or (), other.bounds or (), strict=True):
            assert np.array_equal(side, same, equal_nan=True)


@pytest.fixture
def three_files(tmp_path):
    """Judgments, and runs of one query that differ in their documents."""
    texts = ["q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\n", "q1 Q0 b 1 2.0 t\nq1 Q0 c 2 1.0 t\n", "q1 Q0 a 1 0.5 t\n"]
    paths = [tmp_path / f"{name}.run" for name in "xyz"]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return {"q1": {"a": 1, "c": 1}}, paths


def test_small_files_are_read_together(three_files):
    judged, paths = three_files
    with (
        mock.patch.object(trec_pieces.trec, "read_together", wraps=trec_pieces.trec.read_together) as scan,
        mock.patch.object(trec_pieces.trec, "read_piece", side_effect=AssertionError("one was read alone")),
    ):
        values = evaluate(judged, paths, "P@1").values
    assert values[:, 0, 0].tolist() == [1, 0, 1]
    assert [len(call.args[0]) for call in scan.call_args_list] == [3]


def test_files_of_different_forms_are_not_read_together(tmp_path):
    (tmp_path / "three.run").write_text("q1 7 1\nq1 8 2\n")
    (tmp_path / "six.run").write_text("q1 0 7 1 2.0 t\nq1 0 8 2 1.0 t\n")
    assert evaluate({"q1": {"7": 1}}, [tmp_path / "three.run", tmp_path / "six.run"], "P@1").values.min() == 1


ODD = {
    "ragged": ("q1  Q0 b 1 2.0 t\nq1 Q0 c 2 1.0 t\n", None),
    "three fields": ("q1 b 1\nq1 c 2\n", None),
    "a mark of the byte order": ("\ufeffq1 Q0 b 1 2.0 t\n", None),
    "a query in two places": ("q1 Q0 b 1 2.0 t\nq2 Q0 b 1 2.0 t\nq1 Q0 c 2 1.0 t\n", None),
    "a document twice": ("q1 Q0 b 1 2.0 t\nq1 Q0 b 2 1.0 t\n", "y.run: 1 of 2 rows repeats"),
    "no number": ("q1 Q0 b 1 much t\n", "y.run"),
    "a line with too few fields, one with too many": ("q1 Q0 a 1 3.0 t\nq1 Q0 b 1 2.0\nq1 Q0 c 2 1.0 t u\n", "y.run"),
}


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_file_among_others_is_looked_at_alone(three_files, kind):
    judged, paths = three_files
    text, fault = ODD[kind]
    paths[1].write_text(text)
    if fault is None:
        assert evaluate(judged, paths, "P@1").values[:, 0, 0].tolist() == [1, 0, 1]
        return
    with pytest.raises(DataError, match=fault):
        evaluate(judged, paths, "P@1")
