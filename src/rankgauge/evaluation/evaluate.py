"""evaluate(): judgments and runs in, Scores out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from rankgauge.data.door import is_spark
from rankgauge.data.faults import no_document_in_common
from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.match import Match, bytes_of, match_runs, prepared
from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.data.table import is_of_numbers
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.columns import Columns, deepest_rank, measured
from rankgauge.evaluation.notes import COUNTED_AS, OfJudgments, about_policy, about_table
from rankgauge.evaluation.scores import About, Scores, weighted
from rankgauge.measures.grammar import parse_all
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

if TYPE_CHECKING:
    from rankgauge.arrays import Floats

Progress = Callable[[int, int], None]
Measures = str | Measure | Iterable[str | Measure]
Group = tuple[tuple[Measure, ...], Policy]
"""Measures that share a policy, with it: some tools decide otherwise for some of their measures."""


def evaluate(
    judgments: Any,
    runs: Any,
    measures: Measures = "nDCG@10",
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    weights: Mapping[str, float] | None = None,
    memory: str | int | None = None,
    progress: Progress | None = None,
    buckets: int | None = None,
    per_query: bool = True,
) -> Scores:
    """Scores of the runs, or Means unless `per_query`; `rankgauge.evaluate` explains the options."""
    groups = settle_groups(measures, policy, like)
    if "pyspark" in sys.modules and any(map(is_spark, [judgments, *_members(runs)])):
        from rankgauge.evaluation.spark.engine import evaluate_on_spark

        only, entries = only if only is None or isinstance(only, str) else list(only), _entries(runs)
        rest: Any = {"only": only, "weights": weights, "buckets": buckets, "per_query": per_query or len(groups) > 1}
        found: list[Any] = [evaluate_on_spark(judgments, entries, chosen, rule, **rest) for chosen, rule in groups]
        if len(found) == 1:
            return cast("Scores", found[0])
    else:
        if buckets is not None:
            raise UsageError("buckets are for Spark tables; these are evaluated in one process")
        judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
        listed = list_runs(runs, judged)
        if are_aligned(listed, policy, like):
            groups = settle_groups(measures, policy, like, aligned=True)
        if only is not None:
            judged = judged.only(only)
        is_told = judged.complete or like is not None or (policy is not None and policy.unjudged is not None)
        found = []
        for at, (chosen, rule) in enumerate(groups):
            if judged.complete and rule.unjudged != "zero":
                what = f'unjudged="{rule.unjudged}"'
                raise UsageError(f"the judgments are complete, which leaves nothing to {what}; leave out one")
            rest = {"weights": weights, "memory": memory, "progress": progress, "step": (at, len(groups))}
            found.append(evaluated(judged, listed, chosen, rule, strangers=is_told, **rest))
    together = found[0] if len(found) == 1 else _side_by_side(found, groups)
    return together if per_query else cast("Scores", together.means())


def evaluated(
    judged: Judgments,
    runs: Sequence[Run],
    measures: tuple[Measure, ...],
    policy: Policy,
    *,
    weights: Mapping[str, float] | None = None,
    memory: str | int | None = None,
    progress: Progress | None = None,
    step: tuple[int, int] = (0, 1),
    strangers: bool = True,
    look: Callable[[Match], object] | None = None,
) -> Scores:
    """The whole road: runs are matched and measured one by one, and notes are written at the end.

    `step` says which of how many evaluations of the same runs this is, for `progress`. `strangers` allows runs of which
    not one document is judged; `look` is shown every match.
    """

    def report(done: int) -> None:
        if progress is not None and (done or not step[0]):
            progress(step[0] * len(runs) + done, step[1] * len(runs))

    ready, counts_extra = prepared(judged), policy.extra in {"zero", "undefined"}
    given, queries, nouns = ready.table.given, ready.queries, ready.table.given.nouns
    weight = None
    if weights is not None:
        from rankgauge.data.about import aligned_weights

        weight = aligned_weights(weights, queries)
        if counts_extra:
            raise UsageError(f"weights are for judged queries, and extra={policy.extra} counts others too")
    budget = None if memory is None else bytes_of(memory)
    notes = [about_table(remark) for remark in given.remarks]
    notes += OfJudgments.of(ready.pool, queries, measures).notes(measures, policy, nouns)
    found: list[Columns] = []
    report(0)
    for run, match in zip(runs, match_runs(judged, runs, policy, deepest_rank(measures, policy), budget), strict=True):
        found.append(measured(match, measures, policy, weight))
        said = found[-1].counted.notes(run.name, measures, policy, nouns)
        is_odd = not (strangers or len(match.hits.query))
        if is_odd and (fault := no_document_in_common(judged.table, run.table, found[-1].counted.answered)):
            raise fault.error()
        notes += [*(about_table(remark, run.name) for remark in match.remarks), *said]
        if look is not None:
            look(match)
        report(len(found))
    if judged.complete:
        told = f"judgments said to be complete: {nouns[1]}s without one are not relevant"
        notes = [Note("complete-judgments", told), *(note for note in notes if note.kind != "unjudged-documents")]
    values, bounds = np.stack([one.values for one in found]), None
    if found[0].bounds is not None:
        low, high = zip(*(one.bounds for one in found if one.bounds is not None), strict=True)
        bounds = np.stack(low), np.stack(high)
    if counts_extra:
        if bounds is not None:
            raise UsageError('unjudged="bounds" is for judged queries; leave extra unset')
        # Queries without judgments: 0, or what an undefined value counts; left out for a run that lacks them.
        extra = list(dict.fromkeys(query for one in found for query in one.foreign))
        rules = [policy.undefined or measure.definition.undefined for measure in measures]
        worth = [0.0 if policy.extra == "zero" else COUNTED_AS.get(rule, np.nan) for rule in rules]
        known = [set(one.foreign) for one in found]
        has = np.array([[query in own for query in extra] for own in known]).reshape(len(found), -1, 1)
        counts = np.where(has, worth, np.nan)
        values, queries = np.concatenate((values, counts), axis=1), [*queries, *extra]
    if policy.mean == "micro":
        values = weighed(values, np.stack([one.below for one in found if one.below is not None]))
    systems, names = tuple([run.name for run in runs]), cast("tuple[str, ...]", queries)
    about = About(noun=nouns[0], whole=given.whole)
    scores = Scores(systems, names, measures, values, policy, tuple(notes), bounds, about)
    return scores if weight is None else weighted(scores, weight)


def weighed(values: Floats, below: Floats) -> Floats:
    """Values whose plain mean is the sum of all numerators over that of all denominators."""
    below = np.pad(below, ((0, 0), (0, values.shape[1] - below.shape[1]), (0, 0)))
    there = ~np.isnan(values)
    whole = np.sum(np.where(there, below, 0.0), axis=1, keepdims=True)
    share = np.divide(below, whole, out=np.zeros_like(below), where=whole > 0)
    return values * share * np.sum(there, axis=1, keepdims=True)


def _side_by_side(parts: Sequence[Scores], groups: Sequence[Group]) -> Scores:
    """Each group of measures under its own policy as one cube; nan where a group does not count a query."""
    queries = list(dict.fromkeys(query for part in parts for query in part.queries))
    place, cubes = {query: at for at, query in enumerate(queries)}, []
    for part in parts:
        cubes.append(np.full((len(part.systems), len(queries), len(part.measures)), np.nan))
        cubes[-1][:, [place[query] for query in part.queries]] = part.values
    said = {(note.kind, note.text): note for part in parts for note in part.notes}
    differing: list[Note] = []
    for chosen, rule in groups[1:]:
        differing += about_policy(", ".join(map(str, chosen)), len(chosen), rule, groups[0][1])
    return replace(
        parts[0],
        queries=tuple(queries),
        measures=tuple(measure for part in parts for measure in part.measures),
        values=np.concatenate(cubes, axis=2),
        notes=(*differing, *said.values()),
        bounds=None,
    )


def _members(runs: Any) -> Collection[Any]:
    return runs.values() if isinstance(runs, Mapping) else runs if isinstance(runs, (list, tuple)) else [runs]


def _entries(runs: Any) -> list[tuple[str | None, Any]]:
    """Spark tables with the names they were given, and everything else as runs."""
    given: list[tuple[str | None, Any]] = [(None, data) for data in _members(runs)]
    if isinstance(runs, Mapping):
        is_named = any(map(is_spark, runs.values()))
        given = [(str(name), data) for name, data in runs.items()] if is_named else [(None, runs)]
    entries: list[tuple[str | None, Any]] = []
    for name, data in given:
        listed = [] if is_spark(data) else list_runs(data if name is None else {name: data})
        entries += [(run.name, run) for run in listed] if listed else [(name, data)]
    return entries


def settle_groups(measures: Measures, policy: Policy | None, like: str | None, *, aligned: bool = False) -> list[Group]:
    """The measures in force, by the policy they share.

    Vectors `aligned` with the judgments have no ids that could break a tie, which then counts with its mean.
    """
    settled: Callable[..., list[Group]] = _settled if isinstance(measures, str) else _settled.__wrapped__
    return settled(measures, policy, like, aligned)


@lru_cache(256)  # calls in a loop ask for the same
def _settled(measures: Measures, policy: Policy | None, like: str | None, aligned: bool) -> list[Group]:  # noqa: FBT001
    follow = None
    if like is not None:
        from rankgauge.evaluation.presets import preset  # sixty tools, of which most calls need none

        follow = preset(like)
    groups: list[Group] = []
    for given in parse_all(measures, lacking=() if follow is None else follow.lacks):
        measure, rule = given, policy or Policy()
        if follow is not None:
            measure, rule = follow.adapt(given), rule.over(follow.policy_of(given))
        rule = rule.over(DEFAULT)
        if aligned and rule.ties is None and measure.definition.ties == "document":
            rule = replace(rule, ties="mean")
        options = measure.definition.options
        if rule.rel is not None and measure.definition.threshold and "rel" in options.keys() - dict(measure.options):
            measure = measure(rel=rule.rel)
        if rule.negative == "keep" and "relevance" in options.keys() - measure.given:
            measure = measure(relevance="signed")
        if any(measure in chosen for chosen, _ in groups):
            continue  # a second spelling of the same
        if groups and groups[-1][1] == rule:
            groups[-1] = ((*groups[-1][0], measure), rule)
        else:
            groups.append(((measure,), rule))
    return groups


def settle_call(
    measures: Measures, policy: Policy | None, like: str | None, *, aligned: bool = False
) -> tuple[tuple[Measure, ...], Policy]:
    """The measures and the policy in force, after presets and defaults; where measures differ, that of the first."""
    groups = settle_groups(measures, policy, like, aligned=aligned)
    return tuple(measure for chosen, _ in groups for measure in chosen), groups[0][1]


def settle_one(
    measure: str | Measure, policy: Policy | None, like: str | None, *, aligned: bool = False
) -> tuple[Measure, Policy]:
    """As settle_call, where one measure is looked at."""
    chosen, rule = settle_call(measure, policy, like, aligned=aligned)
    if len(chosen) != 1:
        raise UsageError(f"one measure is needed here, not {len(chosen)}: {', '.join(map(str, chosen))}")
    return chosen[0], rule


def list_runs(runs: Any, judged: Judgments | None = None) -> list[Run]:
    """Runs from whatever names them; names of systems are unique, and predictions alone score the judged rows."""
    if is_of_numbers(runs):
        return [Run(runs)]
    from rankgauge.data.judgments import ordered_by, runs_of

    listed = runs_of(runs)
    if judged is not None and any(run.column is not None for run in listed):
        listed = ordered_by(judged.table, listed)
    if not listed:
        raise UsageError("no runs were given; give at least one")
    seen: dict[str, Run] = {}
    for run in listed:
        if seen.setdefault(run.name, run) is not run:
            raise DataError(
                f"two runs are called {run.name!r}: {seen[run.name].table.origin} and {run.table.origin}",
                hint="Give one of them another name, as in NAME=PATH or read_run(path, name=…).",
            )
    return listed


def are_aligned(runs: Sequence[Run], policy: Policy | None = None, like: str | None = None) -> bool:
    """Whether the runs are bare predictions, without ids that could break ties."""
    aligned = [run for run in runs if run.table.aligned]
    if aligned and len(aligned) < len(runs) and like is None and (policy is None or policy.ties is None):
        other = next(run for run in runs if not run.table.aligned)
        raise UsageError(
            f"{aligned[0].name} is a column of predictions and {other.name} has document ids: ties count differently\n"
            'Say how, as in Policy(ties="mean") or Policy(ties="document"); on the command line --ties mean.'
        )
    return bool(aligned)
