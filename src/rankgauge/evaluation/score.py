"""score(): two columns of numbers, one number; for every measure of the catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast, get_args

import numpy as np

from rankgauge.data.policy import Policy
from rankgauge.data.vectors import Lists, lists_of
from rankgauge.errors import plural
from rankgauge.evaluation.aggregates import AGGREGATES
from rankgauge.evaluation.counted.facts import Names, refuse_undefined
from rankgauge.evaluation.counted.plan import settle
from rankgauge.evaluation.counted.run import decide
from rankgauge.evaluation.evaluate import settle_one
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.formulas import dense
from rankgauge.kernels.formulas.cumulated import gains_of, ndcg, weights_to
from rankgauge.kernels.formulas.rankdcg import rank_dcg, rank_dcg_of_hits
from rankgauge.kernels.hits import Floats, Hits, Pool, pool_of
from rankgauge.kernels.ranking import rank_rows
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

_NO_QUERY, _NO_POOL = np.empty(0, np.int64), Pool(np.empty(0), np.zeros(1, np.int64))


def score(
    measure: str | Measure,
    truth: Any,
    predicted: Any,
    groups: Any = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
) -> float:
    """How well `predicted` orders items whose true values are `truth`: the mean over groups, or over rows of matrices.

    Equal predictions count with the mean over their orders (rankDCG: the worst order) unless the policy says otherwise.
    For a list of true values in predicted order, give falling predictions: [-i for i in range(len(values))].

    >>> truth, predicted = [9, 4, 4, 2, 2, 2, 1, 1, 1, 1], [4, 4, 2, 9, 2, 2, 1, 1, 1, 1]
    >>> round(score("rankDCG", truth, predicted), 6)
    0.65
    """
    scored = _scored(measure, truth, predicted, groups, policy=policy, like=like)
    return AGGREGATES[scored.measure.definition.aggregate](scored.values)


def score_groups(
    measure: str | Measure,
    truth: Any,
    predicted: Any,
    groups: Any = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
) -> Scores:
    """As score(), with the value of every group (or row); groups are named in the order of appearance."""
    scored = _scored(measure, truth, predicted, groups, policy=policy, like=like)
    cube = scored.values.reshape(1, -1, 1)
    names = tuple(map(str, scored.names))
    return Scores(("predicted",), names, (scored.measure,), cube, scored.policy, _notes(scored))


class _Scored(NamedTuple):
    measure: Measure
    values: Floats
    names: Sequence[object]
    undefined: Names
    policy: Policy


def _notes(scored: _Scored) -> tuple[Note, ...]:
    undefined, lists, name = scored.undefined, len(scored.names), str(scored.measure)
    if not undefined.count:
        return ()
    rule = scored.policy.undefined or scored.measure.definition.undefined
    counted = "counted as 0" if rule == "zero" else "left out of the mean"
    text = f"{name} is undefined on {undefined.count:,} of {plural(lists, 'list')}, {counted} ({undefined})"
    if lists == 1:
        text = f"{name} is undefined on this list" + (", counted as 0" if rule == "zero" else "")
    if scored.measure.definition.kernel is rank_dcg_of_hits:
        text += ": where all true values are equal, there is nothing to order"
    return (Note("undefined", text, undefined.count, measure=name, examples=undefined.first),)


def _scored(
    measure: str | Measure, truth: Any, predicted: Any, groups: Any, *, policy: Policy | None, like: str | None
) -> _Scored:
    chosen, rule = settle_one(measure, policy, like)
    ties = rule.ties or ("mean" if chosen.definition.ties == "document" else chosen.definition.ties)
    lists = lists_of(truth, predicted, groups)
    values = _values(chosen, lists, ties)
    pool = _pool(lists) if rule.undefined == "drop" else None
    decided, undefined = decide(values, chosen, rule, np.zeros(len(values), np.bool_), pool)
    nowhere = Names.of([str(lists.names[group]) for group in np.flatnonzero(undefined).tolist()])
    refuse_undefined(chosen, nowhere, rule)
    return _Scored(chosen, decided, lists.names, nowhere, rule.over(Policy(ties=ties)))  # type: ignore[arg-type]


def _values(measure: Measure, lists: Lists, ties: str) -> Floats:
    if measure.definition.kernel is rank_dcg_of_hits and ties in {"worst", "mean", "best"}:
        return rank_dcg(lists.truth, lists.predicted, lists.offsets, cutoff=measure.cutoff, ties=ties)  # type: ignore[arg-type]
    if measure.definition.kernel is ndcg and "relevance" not in dict(measure.options) and lists.width > 0:
        cutoff = None if measure.cutoff is None else int(measure.cutoff)
        depth = lists.width if cutoff is None else min(lists.width, cutoff)
        weights = weights_to(depth, cutoff, measure.settings["discount"])
        if ties in get_args(dense.Ties) and not np.any(weights[1:] > weights[:-1]):
            return _dense_ndcg(measure, lists, weights, cast("dense.Ties", ties))
    hits, pool = _hits(lists)
    return measure.compute(settle(hits, ties, [str(row) for row in range(1, len(lists.offsets))]), pool)


def _dense_ndcg(measure: Measure, lists: Lists, weights: Floats, ties: dense.Ties) -> Floats:
    """Lists of one length are a matrix."""

    def gain(values: Floats) -> Floats:
        flat = gains_of(values.ravel(), _NO_QUERY, _NO_POOL, measure.settings["relevance"], measure.settings["gain"])
        return flat.reshape(values.shape)

    shape = (-1, lists.width)
    return dense.ndcg(lists.truth.reshape(shape), lists.predicted.reshape(shape), weights, gain=gain, ties=ties)


def _hits(lists: Lists) -> tuple[Hits, Pool]:
    """Every item is a judged document that was returned; inside ties, earlier items stand first."""
    truth, size = lists.truth.astype(np.float64, copy=False), np.diff(lists.offsets)
    query = np.repeat(np.arange(len(size)), size)
    ranks = rank_rows(lists.offsets, lists.predicted.astype(np.float64), np.arange(len(truth)), lambda rows: rows)
    order = np.lexsort((ranks.rank, query))
    hits = Hits(query[order], ranks.rank[order], truth[order], ranks.first[order], ranks.last[order], size)
    return hits, _pool(lists)


def _pool(lists: Lists) -> Pool:
    size = np.diff(lists.offsets)
    return pool_of(np.repeat(np.arange(len(size)), size), lists.truth.astype(np.float64, copy=False), len(size))
