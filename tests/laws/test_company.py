"""A value never depends on what else is in the call: other systems, other measures, other roads into the package."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from laws import strategies as some
from laws.files import layouts, written
from rankgauge import Policy, evaluate
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.presets import PRESETS
from rankgauge.measures import catalogue
from rankgauge.measures.catalogue import bare

CHOICES = {name: kind.split("'")[1::2] for name, kind in Policy.__annotations__.items()}
any_policy = st.builds(
    Policy,
    **{name: st.sampled_from([None, None, *words]) for name, words in CHOICES.items() if words},
    depth=st.sampled_from([None, None, 2]),
    digits=st.sampled_from([None, None, 1]),
)
SOME_TIED = (
    {"q1": {"d0": -1}, "10": {"d7": -1, "d4": 1, "d0": 0}, "q2": {"d0": -1}},
    {"10": {"d0": 1.0, "d4": -1.5, "d7": 0.0, "d1": 0.5, "d2": 0.0, "d3": 0.5}, "q1": {"d0": 0.0, "d1": 0.5}},
)
RETURNED = ({"q0": {"d6": 1, "d2": 1}, "q1": {"x": 3}}, {"q0": {"d6": 1.0}})


def thinned(run, judged, seed):
    """Some of a run's queries and documents, and a query that is judged."""
    random = np.random.default_rng(seed)
    kept = {query: {d: s for d, s in found.items() if random.random() < 0.8} for query, found in run.items()}
    kept = {query: found for query, found in kept.items() if found and random.random() < 0.8}
    return kept if set(kept) & set(judged) else run


def said(judged, runs, measures, **how):
    """For each system its values by query, and the notes about it; or that the call is refused."""
    try:
        found = evaluate(judged, runs, measures, **how)
    except RankgaugeError:
        return None
    notes = [note for note in found.notes if note.system is not None]
    return {
        system: (
            {query: row for query, row in found.per_query()[system].items() if row},
            repr([note for note in notes if note.system == system]),
        )
        for system in found.systems
    }


@given(
    some.collections(),
    st.lists(some.any_measure(), min_size=1, max_size=3),
    any_policy,
    st.lists(st.integers(0, 99), min_size=1, max_size=4),
)
@example(SOME_TIED, [bare("infAP")], Policy(ties="mean"), [0, 65])
@example(RETURNED, [bare("ERR"), bare("RBP")], Policy(pool="returned"), [1, 2])
def test_a_system_has_the_bits_and_notes_that_it_has_alone(collection, measures, policy, seeds):
    judged, run = collection
    runs = {f"s{at}": thinned(run, judged, seed) for at, seed in enumerate(seeds)} | {"run": run}
    alone = [said(judged, {name: one}, measures, policy=policy) for name, one in runs.items()]
    together = said(judged, runs, measures, policy=policy)
    if together is None:
        assert None in alone
    else:
        assert [next(iter(one.values())) for one in alone if one] == list(together.values())


@pytest.mark.parametrize("tool", PRESETS)
def test_a_system_has_the_same_bits_in_company_under_every_preset(tool):
    other = {"q1": {"x": 1.0}, "10": {"d4": 2.0, "d9": 1.0}}
    every = [bare(definition.name) for definition in catalogue()]
    every = [one @ 2 if one.definition.cuts_ranks else one for one in every]
    for judged, run in (SOME_TIED, RETURNED):
        known = [one for one in every if said(judged, {"a": run, "b": other}, one, like=tool)]
        if not known:  # as for trec_eval 10, which refuses a run that lacks a query
            assert said(judged, run, every[0], like=tool) is None
            continue
        together = said(judged, {"a": run, "b": other}, known, like=tool)
        for name, alone in (("a", run), ("b", other)):
            assert said(judged, {name: alone}, known, like=tool)[name] == together[name]


@given(some.collections(), st.lists(some.any_measure(), min_size=1, max_size=3), any_policy)
def test_a_measure_has_the_bits_that_it_has_beside_one_that_looks_at_the_whole_list(collection, measures, policy):
    judged, run = collection
    policy = replace(policy, mean=None)
    alone = said(judged, run, measures, policy=policy)
    beside = said(judged, run, [*measures, bare("AP")], policy=policy)
    if alone is None or beside is None:
        return
    names = list(map(str, measures))
    ours, theirs = alone["run"][0], beside["run"][0]
    theirs = {query: {name: row[name] for name in names if name in row} for query, row in theirs.items()}
    assert {query: row for query, row in theirs.items() if row} == ours


@given(some.collections(), st.lists(some.any_measure(), min_size=1, max_size=2), any_policy, layouts(), layouts())
def test_the_same_rows_say_the_same_by_any_road(collection, measures, policy, judged_layout, run_layout):
    judged, run = collection
    policy = replace(policy, ties=None if policy.ties in {"order", "reverse", "mean-rank"} else policy.ties)

    def frame(rows, number):
        cells = [(query, document, float(value)) for query, found in rows.items() for document, value in found.items()]
        made = pl.DataFrame(cells, {"query": pl.String, "document": pl.String, number: pl.Float64}, orient="row")
        return made.sample(fraction=1, shuffle=True, seed=7)

    def values(*tables):
        found = said(*tables, measures, policy=policy)
        return None if found is None else next(iter(found.values()))[0]

    expected = values(judged, run)
    assert values(frame(judged, "value"), frame(run, "score")) == expected
    assert values(judged, frame(run, "score")) == expected
    with TemporaryDirectory() as name:
        folders = [Path(name) / one for one in ("j", "r")]
        for folder in folders:
            folder.mkdir()
        paths = written(folders[0], judged, judged_layout, "value"), written(folders[1], run, run_layout, "score")
        assert values(*paths) == expected
