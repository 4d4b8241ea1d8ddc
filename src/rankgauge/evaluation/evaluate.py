"""evaluate(): judgments and runs in, Scores out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgauge.data.checks import no_missing
from rankgauge.data.judgments import Judgments
from rankgauge.data.matching import match
from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.data.queries import aligned_weights
from rankgauge.data.run import Run, runs_of
from rankgauge.errors import DataError, PolicyError, UsageError
from rankgauge.evaluation.exposure import about_ties, unjudged_bounds
from rankgauge.evaluation.notes import Note
from rankgauge.evaluation.observe import about_all, about_run, about_table
from rankgauge.evaluation.plan import Plan, deepest_rank
from rankgauge.evaluation.presets import OURS, preset
from rankgauge.evaluation.scores import AGGREGATES, Cube, Scores
from rankgauge.kernels.hits import Floats, Ints
from rankgauge.measures.grammar import parse_all
from rankgauge.measures.measure import Measure

Progress = Callable[[int, int], None]


def evaluate(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = "nDCG@10",
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    weights: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Scores:
    """Score one run or many with one measure or many.

    `runs` is a Run, what a Run can be made of, a list of these, or a dict of system names to them.
    `like` names another tool whose policy and definitions to follow; what `policy` sets overrides it.
    `only` are the queries to count, all judged ones by default; `weights` gives each a weight in the means.

    >>> evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.9, "d2": 0.8}}, "nDCG@10 P@2").mean()
    {'run': {'nDCG@10': 1.0, 'P@2': 0.5}}
    """
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    if only is not None:
        judged = judged.only(only)
    chosen, rule = settle_call(measures, policy, like)
    listed = list_runs(runs)
    weight = None if weights is None else aligned_weights(weights, judged.queries)
    parts: list[Evaluated] = []
    for done, run in enumerate(listed):
        if progress is not None:
            progress(done, len(listed))
        parts.append(_evaluate_run(judged, run, chosen, rule, weight))
    if progress is not None:
        progress(len(listed), len(listed))
    scores = _scores(judged, listed, chosen, parts, rule)
    return scores if weight is None else scores.weighted(weight)


def settle_call(
    measures: str | Measure | Iterable[str | Measure], policy: Policy | None, like: str | None
) -> tuple[tuple[Measure, ...], Policy]:
    """The measures and the policy in force, after presets and defaults."""
    follow = preset(like) if like is not None else OURS
    chosen = tuple(follow.adapt(measure) for measure in parse_all(measures, lacking=follow.lacks))
    rule = (policy or Policy()).over(follow.policy)
    rule = rule.over(DEFAULT)
    if rule.rel is not None:
        chosen = tuple(_with_threshold(measure, rule.rel) for measure in chosen)
    return chosen, rule


def list_runs(runs: Any) -> list[Run]:
    """Runs from whatever names them; every system has a name of its own."""
    listed = runs_of(runs)
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


def _with_threshold(measure: Measure, rel: float) -> Measure:
    takes = measure.definition.threshold and "rel" in measure.definition.options
    return measure(rel=rel) if takes and "rel" not in dict(measure.options) else measure


@dataclass(frozen=True)
class Evaluated:
    """One run: queries × measures, the same for the bounds that unjudged documents leave, and what was noted."""

    values: Cube
    bounds: tuple[Cube, Cube] | None
    notes: list[Note]


def _evaluate_run(
    judged: Judgments, run: Run, measures: tuple[Measure, ...], policy: Policy, weight: Floats | None
) -> Evaluated:
    matched = match(judged, run, policy, deepest_rank(measures, policy))
    plan = Plan(matched, policy)
    missing = np.flatnonzero(matched.hits.retrieved == 0)
    if policy.missing == "error":
        no_missing([matched.queries[query] for query in missing], run.name)

    def decided(values: Floats, measure: Measure) -> Floats:
        return decide(values, measure, policy, missing, matched.queries)

    def mean(values: Floats, measure: Measure) -> float:
        return AGGREGATES[measure.definition.aggregate](decided(values, measure), weight)

    raw = [plan.value(measure) for measure in measures]
    values = np.stack([decided(value, measure) for value, measure in zip(raw, measures, strict=True)], axis=1)
    notes = [about_table(remark, run.name) for remark in matched.remarks]
    notes += [*about_run(plan, run.name, measures, missing), *about_ties(plan, run.name, measures, raw, mean)]
    if policy.unjudged != "bounds":
        return Evaluated(values, None, notes)
    pairs = [unjudged_bounds(plan, measure) for measure in measures]
    low, high = (
        np.stack([decided(pair[side], measure) for pair, measure in zip(pairs, measures, strict=True)], axis=1)
        for side in (0, 1)
    )
    return Evaluated(values, (low, high), notes)


def decide(values: Floats, measure: Measure, policy: Policy, missing: Ints, queries: list[str]) -> Floats:
    """Undefined and missing values as the policy wants them."""
    rule = policy.undefined or measure.definition.undefined
    undefined = np.isnan(values)
    decided = values.copy()
    if policy.missing == "drop":
        decided[missing] = np.nan
        undefined[missing] = False
    if rule == "error" and undefined.any():
        first = queries[int(np.argmax(undefined))]
        raise PolicyError(
            f'{measure} is undefined on {int(undefined.sum()):,} queries, the first {first}, and undefined="error" forbids it.'
        )
    if rule == "zero":
        decided[undefined] = 0.0
    return decided


def _scores(
    judged: Judgments, runs: list[Run], measures: tuple[Measure, ...], parts: list[Evaluated], policy: Policy
) -> Scores:
    ready = judged.ready(as_dicts=runs[0].table.mapping() is not None)
    notes = [about_table(remark) for remark in ready.table.remarks]
    notes += [*about_all(ready.pool, ready.names, measures, policy), *(note for part in parts for note in part.notes)]
    sides = [part.bounds for part in parts if part.bounds is not None]
    bounds = (np.stack([low for low, _ in sides]), np.stack([high for _, high in sides])) if sides else None
    values = np.stack([part.values for part in parts])
    return Scores(tuple(run.name for run in runs), tuple(ready.names), measures, values, policy, tuple(notes), bounds)
