"""evaluate(): judgments and runs in, Scores out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

import numpy as np

from rankgauge.data.judgments import Judgments
from rankgauge.data.matching import Match, match_runs, prepared
from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.data.run import Run
from rankgauge.data.tables.faults import no_document_in_common, refuse
from rankgauge.data.tables.table import is_of_numbers, is_spark
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.counted.facts import about_table, look_at_pool
from rankgauge.evaluation.counted.plan import deepest_rank
from rankgauge.evaluation.counted.run import Evaluated, counted_values, evaluate_matches
from rankgauge.evaluation.scores import About, Scores, late, weighted
from rankgauge.measures.grammar import parse_all
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

if TYPE_CHECKING:
    from rankgauge.arrays import Floats
    from rankgauge.evaluation.means import Means
    from rankgauge.evaluation.tools.preset import Preset

Progress = Callable[[int, int], None]
Measures = str | Measure | Iterable[str | Measure]
Group = tuple[tuple[Measure, ...], Policy]
"""Measures that share a policy, with it: some tools decide otherwise for some of their measures."""
_TOGETHER = 1 << 17
"""Judged documents, counted once for each run, that are worth a call."""


if TYPE_CHECKING:

    class Asked(TypedDict, total=False):
        """What a call may ask for beside judgments, runs and measures."""

        policy: Policy | None
        like: str | None
        only: Iterable[str] | None
        weights: Mapping[str, float] | None
        memory: str | int | None
        progress: Progress | None
        buckets: int | None


@overload
def evaluate(
    judgments: Any, runs: Any, measures: Measures = ..., *, per_query: Literal[True] = ..., **options: Unpack[Asked]
) -> Scores: ...


@overload
def evaluate(
    judgments: Any, runs: Any, measures: Measures = ..., *, per_query: Literal[False], **options: Unpack[Asked]
) -> Means: ...


def evaluate(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = "nDCG@10",
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    weights: Mapping[str, float] | None = None,
    memory: str | int | None = None,
    progress: Progress | None = None,
    buckets: int | None = None,
    per_query: bool = True,
) -> Scores | Means:
    """Score one run or many with one measure or many.

    `runs` is a Run, what a Run can be made of, a list of these, or a dict of system names to them.
    `like` names another tool whose policy and definitions to follow; what `policy` sets overrides it.
    `only` are the queries to count, all judged ones by default; `weights` gives each a weight in the means.
    Spark tables are scored by Spark, with the queries in `buckets` groups. `per_query=False` returns means only.
    `memory`, such as "300MB", limits the memory used: run files are then read in smaller pieces. The judgments, one
    query, or a file with something wrong in it may need more.

    >>> evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.9, "d2": 0.8}}, "nDCG@10 P@2").mean()
    {'run': {'nDCG@10': 1.0, 'P@2': 0.5}}
    """
    groups = settle_groups(measures, policy, like)
    if len(groups) > 1:
        shared: dict[str, Any] = {"only": only, "weights": weights, "memory": memory, "buckets": buckets}
        judged = judgments if isinstance(judgments, Judgments) or is_spark(judgments) else Judgments(judgments)
        systems = runs if any(map(is_spark, _kinds(runs))) else list_runs(runs)
        together = _joined(groups, lambda some, its: evaluate(judged, systems, some, policy=its, **shared))
        return together if per_query else together.means()
    chosen, rule = groups[0]
    if is_spark(judgments) or any(map(is_spark, _kinds(runs))):
        from rankgauge.evaluation.spark.engine import Extras, evaluate_on_spark

        wanted = None if only is None else list(only)
        return evaluate_on_spark(judgments, _entries(runs), chosen, rule, Extras(wanted, weights, buckets, per_query))
    if buckets is not None:
        raise UsageError("buckets are for Spark tables; these are evaluated in one process")
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    listed = list_runs(runs, judged)
    if only is not None:
        judged = judged.only(only)
    if judged.complete and rule.unjudged != "zero":
        raise UsageError(
            f'the judgments are complete, which leaves nothing to unjudged="{rule.unjudged}"; leave out one'
        )
    told = judged.complete or like is not None or (policy is not None and policy.unjudged is not None)
    scores = _evaluate_here(judged, listed, chosen, rule, weights, memory, progress, strangers=told)
    return scores if per_query else scores.means()


def _evaluate_here(
    judged: Judgments,
    runs: list[Run],
    measures: tuple[Measure, ...],
    policy: Policy,
    weights: Mapping[str, float] | None,
    memory: str | int | None,
    progress: Progress | None,
    *,
    strangers: bool,
) -> Scores:
    """`strangers` allows runs of which not one document is judged."""
    as_dicts = runs[0].table.mapping() is not None
    weight = None if weights is None else _aligned(weights, prepared(judged, as_dicts=as_dicts).names)
    parts: list[Evaluated] = []
    report = progress or (lambda *_: None)
    report(0, len(runs))
    for matches in _grouped(
        match_runs(judged, runs, policy, deepest_rank(measures, policy), _budget(memory)), measures
    ):
        for matched, part in zip(matches, evaluate_matches(matches, measures, policy, weight), strict=True):
            run = runs[len(parts)]
            part.facts.refuse(run.name, measures, policy)
            if not (strangers or len(matched.hits.query)):
                refuse(no_document_in_common(judged.table, run.table, part.facts.answered))
            parts.append(part)
            report(len(parts), len(runs))
    scores = scores_of_parts(judged, runs, measures, parts, policy)
    if policy.extra in {"zero", "undefined"} and weight is not None:
        raise UsageError(f"weights are for judged queries, and extra={policy.extra} counts others too")
    return scores if weight is None else weighted(scores, weight)


def _aligned(weights: Mapping[str, float], queries: Sequence[str]) -> Floats:
    from rankgauge.data.about import aligned_weights

    return aligned_weights(weights, queries)


def _joined(groups: Sequence[Group], evaluated: Callable[[tuple[Measure, ...], Policy], Scores]) -> Scores:
    """Each group of measures under its own policy, then side by side; a note says where they differ."""
    parts = [evaluated(chosen, rule) for chosen, rule in groups]
    queries = list(dict.fromkeys(query for part in parts for query in part.queries))
    first = parts[0]
    notes = {(note.kind, note.text): note for part in parts for note in part.notes}
    return replace(
        first,
        queries=tuple(queries),
        measures=tuple(measure for part in parts for measure in part.measures),
        values=np.concatenate([_spread(part, queries) for part in parts], axis=2),
        notes=(*_differences(groups), *notes.values()),
        bounds=None,
    )


def _spread(part: Scores, queries: list[str]) -> Floats:
    """The values in the places of all queries; nan where this group does not count one."""
    values = np.full((len(part.systems), len(queries), len(part.measures)), np.nan)
    place = {query: at for at, query in enumerate(queries)}
    values[:, [place[query] for query in part.queries]] = part.values
    return values


def _differences(groups: Sequence[Group]) -> list[Note]:
    usual = groups[0][1].to_dict()
    notes = []
    for chosen, rule in groups[1:]:
        own = rule.to_dict()
        changed = [f"{name}={own.get(name)}" for name in usual | own if own.get(name) != usual.get(name)]
        if changed:
            names = ", ".join(map(str, chosen))
            notes.append(Note("policy", f"other policy for {names}: {', '.join(changed)}", len(chosen)))
    return notes


def _grouped(matches: Iterable[Match], measures: Sequence[Measure]) -> Iterator[list[Match]]:
    """Runs that are evaluated together: many where there are few judgments, so that calls do not cost more than work."""
    group: list[Match] = []
    most = 1
    for matched in matches:
        if group and (len(group) == most or matched.pool is not group[0].pool):
            yield group
            group = []
        if not group and not any(measure.is_custom for measure in measures):
            most = max(1, _TOGETHER // (len(matched.pool.value) + matched.pool.queries))
        group.append(matched)
    if group:
        yield group


def _kinds(runs: Any) -> Iterable[Any]:
    """One of each type among the runs; a run of plain dicts has as many members as queries."""
    members = runs.values() if isinstance(runs, Mapping) else runs if isinstance(runs, (list, tuple)) else [runs]
    return {type(member): member for member in members}.values()


def _entries(runs: Any) -> list[tuple[str | None, Any]]:
    """Spark tables with the names they were given, and everything else as runs."""
    if isinstance(runs, Mapping) and any(map(is_spark, runs.values())):
        given: list[tuple[str | None, Any]] = [(str(name), data) for name, data in runs.items()]
    else:
        given = [(None, data) for data in (runs if isinstance(runs, (list, tuple)) else [runs])]
    entries: list[tuple[str | None, Any]] = []
    for name, data in given:
        if is_spark(data):
            entries.append((name, data))
        else:
            entries += [(run.name, run) for run in list_runs(data if name is None else {name: data})]
    return entries


def _budget(memory: str | int | None) -> int | None:
    if memory is None:
        return None
    from rankgauge.data.matching import bytes_of

    return bytes_of(memory)


def settle_call(measures: Measures, policy: Policy | None, like: str | None) -> tuple[tuple[Measure, ...], Policy]:
    """The measures and the policy in force, after presets and defaults; where measures differ, that of the first."""
    groups = settle_groups(measures, policy, like)
    return tuple(measure for chosen, _ in groups for measure in chosen), groups[0][1]


def settle_groups(measures: Measures, policy: Policy | None, like: str | None) -> list[Group]:
    """The measures in force, by the policy they share."""
    follow = None if like is None else _preset(like)
    groups: list[tuple[list[Measure], Policy]] = []
    for given in parse_all(measures, lacking=() if follow is None else follow.lacks):
        measure, rule = given, policy or Policy()
        if follow is not None:
            measure, rule = follow.adapt(given), rule.over(follow.policy_of(given))
        rule = rule.over(DEFAULT)
        options = measure.definition.options
        if rule.rel is not None and measure.definition.threshold and "rel" in options.keys() - dict(measure.options):
            measure = measure(rel=rule.rel)
        if rule.negative == "keep" and "relevance" in options.keys() - measure.given:
            measure = measure(relevance="signed")
        if groups and groups[-1][1] == rule:
            groups[-1][0].append(measure)
        else:
            groups.append(([measure], rule))
    return [(tuple(chosen), rule) for chosen, rule in groups]


def _preset(like: str) -> Preset:
    from rankgauge.evaluation.tools.presets import preset  # sixty tools, of which most calls need none

    return preset(like)


def settle_one(measure: str | Measure, policy: Policy | None, like: str | None) -> tuple[Measure, Policy]:
    """As settle_call, where one measure is looked at."""
    chosen, rule = settle_call(measure, policy, like)
    if len(chosen) != 1:
        raise UsageError(f"one measure is needed here, not {len(chosen)}: {', '.join(map(str, chosen))}")
    return chosen[0], rule


def list_runs(runs: Any, judged: Judgments | None = None) -> list[Run]:
    """Runs from whatever names them; names of systems are unique, and predictions alone score the judged rows."""
    if is_of_numbers(runs):
        return [Run(runs)]
    from rankgauge.data.runs import ordered_by, runs_of

    listed = runs_of(runs)
    if judged is not None and any(run.column is not None for run in listed):
        listed = ordered_by(judged.table, listed)
    if not listed:
        raise UsageError("no runs were given; give at least one")
    seen: dict[str, Run] = {}
    for run in listed:
        if run.name in seen:
            raise DataError(
                f"two runs are called {run.name!r}: {seen[run.name].table.origin} and {run.table.origin}",
                hint="Give one of them another name, as in NAME=PATH or read_run(path, name=…).",
            )
        seen[run.name] = run
    return listed


def scores_of_parts(
    judged: Judgments, runs: list[Run], measures: tuple[Measure, ...], parts: list[Evaluated], policy: Policy
) -> Scores:
    ready = prepared(judged, as_dicts=runs[0].table.mapping() is not None)
    nouns, notes = ready.table.nouns, [about_table(remark) for remark in ready.table.remarks]
    notes += look_at_pool(ready.pool, ready.names, measures).notes(measures, policy, nouns)
    for run, part in zip(runs, parts, strict=True):
        notes += [about_table(remark, run.name) for remark in part.remarks]
        notes += part.facts.notes(run.name, measures, policy, nouns)
    if judged.complete:
        said = f"judgments said to be complete: {nouns[1]}s without one are not relevant"
        notes = [Note("complete-judgments", said), *(note for note in notes if note.kind != "unjudged-documents")]
    sides = [part.bounds for part in parts if part.bounds is not None]
    bounds = (np.stack([low for low, _ in sides]), np.stack([high for _, high in sides])) if sides else None
    queries, values = counted_values(ready.names, measures, parts, policy)
    if bounds is not None and len(queries) > len(ready.names):
        raise UsageError('unjudged="bounds" is for judged queries; leave extra unset')
    names = tuple(run.name for run in runs)
    whole = getattr(ready.table, "whole", False)
    about = (policy, tuple(notes), bounds)
    return Scores(names, late(queries), measures, values, *about, About(noun=nouns[0], whole=whole))
