"""evaluate(): judgments and runs in, Scores out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from rankgauge.data.checks import no_missing
from rankgauge.data.judgments import Judgments
from rankgauge.data.matching import match
from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.data.queries import aligned
from rankgauge.data.run import Run, runs_of
from rankgauge.errors import DataError, PolicyError, UsageError
from rankgauge.evaluation.notes import Note
from rankgauge.evaluation.observe import about_all, about_run, about_table
from rankgauge.evaluation.plan import Plan
from rankgauge.evaluation.presets import preset
from rankgauge.evaluation.scores import Cube, Scores
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
    chosen = parse_all(measures)
    rule = policy or Policy()
    if like is not None:
        chosen = tuple(preset(like).adapt(measure) for measure in chosen)
        rule = rule.over(preset(like).policy)
    rule = rule.over(DEFAULT)
    if rule.rel is not None:
        chosen = tuple(_with_threshold(measure, rule.rel) for measure in chosen)
    listed = list_runs(runs)
    parts: list[Cube] = []
    notes: list[Note] = []
    for done, run in enumerate(listed):
        if progress is not None:
            progress(done, len(listed))
        values, found = _evaluate_run(judged, run, chosen, rule)
        parts.append(values)
        notes += found
    if progress is not None:
        progress(len(listed), len(listed))
    scores = _scores(judged, listed, chosen, np.stack(parts), rule, notes)
    return scores if weights is None else scores.weighted(aligned(weights, scores.queries))


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
    takes = "rel" in measure.definition.options and "rel" not in dict(measure.options)
    return measure(rel=rel) if takes else measure


def _evaluate_run(
    judged: Judgments, run: Run, measures: tuple[Measure, ...], policy: Policy
) -> tuple[Cube, list[Note]]:
    matched = match(judged, run, policy)
    plan = Plan(matched, policy)
    missing = np.flatnonzero(matched.hits.retrieved == 0)
    if policy.missing == "error":
        no_missing([matched.queries[query] for query in missing], run.name)
    raw = np.stack([plan.value(measure) for measure in measures], axis=1)
    notes = [about_table(remark, run.name) for remark in matched.remarks]
    notes += about_run(plan, run.name, measures, missing)
    values = np.stack(
        [_decide(raw[:, m], measure, policy, missing, matched.queries) for m, measure in enumerate(measures)], axis=1
    )
    return values, notes


def _decide(values: Floats, measure: Measure, policy: Policy, missing: Ints, queries: list[str]) -> Floats:
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
    judged: Judgments, runs: list[Run], measures: tuple[Measure, ...], values: Cube, policy: Policy, notes: list[Note]
) -> Scores:
    ready = judged.ready(as_dicts=runs[0].table.mapping() is not None)
    everywhere = [about_table(remark) for remark in ready.table.remarks]
    everywhere += about_all(ready.pool, ready.names, measures, policy)
    return Scores(tuple(run.name for run in runs), tuple(ready.names), measures, values, policy, (*everywhere, *notes))
