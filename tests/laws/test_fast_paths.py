"""Every fast path gives the bits of the plain one."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest import mock

import numpy as np
import polars as pl
import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from laws import strategies as some
from rankgauge import Judgments, Policy, Run, read_run
from rankgauge.data import blocks, memory
from rankgauge.data.matching import match
from rankgauge.data.memory import Shares
from rankgauge.errors import PolicyError
from rankgauge.evaluation.evaluate import settle_call
from rankgauge.evaluation.exposure import tie_spans
from rankgauge.evaluation.local import evaluate_match
from rankgauge.evaluation.plan import Plan, deepest_rank

policies = st.builds(
    Policy,
    ties=st.sampled_from([None, "document", "mean", "worst", "best", "order"]),
    unjudged=st.sampled_from(["zero", "drop"]),
    depth=st.sampled_from([None, 1, 3, 20]),
    precision=st.sampled_from(["double", "single"]),
)
TIED = ({"q": {"b": 1, "d": 2}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}})


def frame(rows, number):
    cells = [(query, document, float(value)) for query, found in rows.items() for document, value in found.items()]
    return pl.DataFrame(cells, {"query": pl.String, "document": pl.String, number: pl.Float64}, orient="row")


def same_hits(one, two):
    fields = ("query", "rank", "value", "first", "last", "retrieved")
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in fields)


def refuses(plan):
    """Whether a depth parts equal scores, which leaves no one list for the mean over orders."""
    try:
        plan.under(plan.policy.ties or "document")
    except PolicyError:
        return True
    return False


@given(some.collections(), st.lists(some.any_measure(), min_size=1, max_size=3), policies, st.booleans())
@example(TIED, [some.bare("nDCG") @ 2], Policy(ties="worst"), False)
@example(TIED, [some.bare("P") @ 1], Policy(ties="mean"), True)
@example(({"q": {"b": 1, "d": 2}}, {"q": {"a": 3.0, "b": 2.0, "d": 1.0}}), [some.bare("rankDCG") @ 2], Policy(), False)
def test_what_stands_below_the_deepest_rank_changes_no_bit_and_no_note(collection, measures, policy, as_frames):
    judged, run = collection
    tables = (frame(judged, "value"), frame(run, "score")) if as_frames else (judged, run)
    judgments, system = Judgments(tables[0]), Run(tables[1])
    chosen, rule = settle_call(measures, policy, None)
    deepest = deepest_rank(chosen, rule)
    whole, part = match(judgments, system, rule), match(judgments, system, rule, deepest)
    assert same_hits(part.hits, whole.hits.within(deepest))
    plain, fast = Plan(whole, rule), Plan(part, rule)
    if refuses(plain):
        assert refuses(fast)
        return
    for measure in chosen:
        assert np.array_equal(plain.value(measure), fast.value(measure), equal_nan=True)
    facts = [evaluate_match(matched, chosen, rule).facts for matched in (whole, part)]
    for name in ("missing", "undefined", "unjudged"):
        assert getattr(facts[0], name) == getattr(facts[1], name)
    moved = [
        tie_spans(plan, chosen, [plan.value(m) for m in chosen], lambda values, _: values, None)
        for plan in (plain, fast)
    ]
    assert moved[0] == moved[1]


@given(some.collections(), st.integers(1, 4), st.booleans())
def test_dicts_out_of_order_are_looked_up_where_it_matters(collection, depth, reverse):
    judged, run = collection
    ordered = {q: dict(sorted(found.items(), key=lambda row: row[1], reverse=reverse)) for q, found in run.items()}
    rule = settle_call("nDCG", None, None)[1]
    want = match(Judgments(judged), Run(run), rule).hits.within(depth)
    assert same_hits(match(Judgments(judged), Run(ordered), rule, depth).hits, want)


def test_the_deepest_rank_is_none_where_every_rank_can_matter():
    def deepest(measures, **policy):
        return deepest_rank(*settle_call(measures, Policy(**policy), None))

    assert deepest("nDCG@10 P@5") == 10
    assert deepest("nDCG@10 AP") is None
    assert deepest("nDCG@10 IPrec@0.1") is None
    assert deepest("rankDCG@10") is None  # its ranks count judged documents only
    assert deepest("nDCG@10", depth=3) == 3
    assert deepest("AP", depth=7) == 7
    assert deepest("nDCG@10", unjudged="drop") is None
    assert deepest("nDCG@10", unjudged="drop", depth=7) == 7
    assert deepest("nDCG@10", ties="error") is None


PACKERS = {"": bytes, ".gz": gzip.compress, ".zst": lambda text: pa.compress(text, codec="zstd", asbytes=True)}
blanks = st.sampled_from([" ", " ", " ", "\t", "  ", " \t"])
line_ends = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n# a remark\n"])


@st.composite
def layouts(draw):
    """How the rows of a run are written down: in which order, with which blanks, plain or packed."""
    ragged = draw(st.booleans())
    return {
        "order": draw(st.sampled_from(["as given", "queries together", "shuffled"])),
        "seed": draw(st.integers(0, 99)),
        "blank": draw(blanks) if ragged else draw(st.sampled_from(" \t")),
        "end": draw(line_ends) if ragged else "\n",
        "packed": draw(st.sampled_from(["", ".gz", ".zst"])),
        "last": draw(st.booleans()),
    }


def written(folder, rows, layout, number):
    """A file of TREC text with these rows."""
    cells = [(query, document, value) for query, found in rows.items() for document, value in found.items()]
    random = np.random.default_rng(layout["seed"])
    if layout["order"] != "as given":
        cells = [cells[at] for at in random.permutation(len(cells))]
    if layout["order"] == "queries together":
        cells.sort(key=lambda cell: str(hash((cell[0], layout["seed"]))))
    words = [
        [query, "Q0", document, "1", repr(float(value)), "t"]
        if number == "score"
        else [query, "0", document, str(value)]
        for query, document, value in cells
    ]
    text = "".join(layout["blank"].join(line) + layout["end"] for line in words)
    text = text if layout["last"] else text.rstrip()
    path = folder / f"some.run{layout['packed']}"
    path.write_bytes(PACKERS[layout["packed"]](text.encode()))
    return path


@given(
    some.collections(),
    layouts(),
    policies,
    st.sampled_from([None, 1, 3]),
    st.builds(Shares, st.integers(1, 3), st.integers(1, 120)),
)
def test_a_file_in_pieces_has_the_hits_of_the_same_rows_as_dicts(collection, layout, policy, deepest, shares):
    judged, run = collection
    rule = settle_call("nDCG", replace(policy, ties=None if policy.ties == "order" else policy.ties), None)[1]
    want = match(Judgments(judged), Run(run), rule, deepest)
    with TemporaryDirectory() as name, mock.patch.object(memory, "shares_of", return_value=shares):
        path = written(Path(name), run, layout, "score")
        (got,) = blocks.match_runs(Judgments(judged), [read_run(path)], rule, deepest)
    assert same_hits(got.hits, want.hits)
    assert sorted(got.foreign) == sorted(want.foreign)
    assert got.queries == want.queries


@given(
    some.collections(), st.lists(layouts(), min_size=2, max_size=5), st.builds(Shares, st.integers(1, 3), st.just(40))
)
def test_many_files_come_in_their_order_whoever_is_ready_first(collection, layouts_of_runs, shares):
    judged, run = collection
    rule = settle_call("nDCG", None, None)[1]
    want = match(Judgments(judged), Run(run), rule)
    with TemporaryDirectory() as name, mock.patch.object(memory, "shares_of", return_value=shares):
        paths = []
        for at, layout in enumerate(layouts_of_runs):
            (Path(name) / str(at)).mkdir()
            paths.append(written(Path(name) / str(at), run, layout, "score"))
        runs = [read_run(path, name=str(at)) for at, path in enumerate(paths)]
        runs.insert(1, Run(run, name="dicts"))
        matches = list(blocks.match_runs(Judgments(judged), runs, rule))
    assert len(matches) == len(runs)
    assert all(same_hits(got.hits, want.hits) for got in matches)
