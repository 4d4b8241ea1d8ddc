"""One measure on lists of true and predicted values, as `score` and training metrics have them.

A list is a run without ids: every row is a judged document that was returned. Order, hits, policy and measure are those
of `evaluate`; only nDCG of many lists takes a shorter way, to the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.data.match import Match
from rankgauge.data.policy import Policy
from rankgauge.data.vectors import ItemLists, lists_of
from rankgauge.errors import UsageError, plural
from rankgauge.evaluation.aggregates import aggregate
from rankgauge.evaluation.columns import Ruled, decided, deepest_rank, denominators
from rankgauge.evaluation.evaluate import settle_one, weighed
from rankgauge.evaluation.notes import Names, about_tiers, refuse, split_tiers
from rankgauge.kernels import matrices, order
from rankgauge.kernels.cumulated import best_weights, gains_of, ndcg, weights_to
from rankgauge.kernels.hits import Hits, Pool, pool_of_segments
from rankgauge.kernels.order import Order, leading
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note


class Scored(NamedTuple):
    """The value of every list, before anything is said about it."""

    measure: Measure
    values: Floats
    lists: ItemLists
    undefined: Names
    policy: Policy

    @property
    def value(self) -> float:
        """The mean over the lists, or whatever the measure takes instead."""
        if self.policy.empty == "zero" and np.isnan(self.values).all():
            return 0.0
        return aggregate(self.measure.definition.aggregate, self.values)

    def notes(self) -> tuple[Note, ...]:
        measure, undefined, lists, found = self.measure, self.undefined, len(self.lists.names), []
        if undefined.count:
            rule = self.policy.undefined or measure.definition.undefined
            counted = {"zero": "counted as 0", "one": "counted as 1"}.get(rule, "left out of the mean")
            text = f"{measure} is undefined on {undefined.count:,} of {plural(lists, 'list')}, {counted} ({undefined})"
            if lists == 1:
                text = f"{measure} is undefined on this list" + (f", {counted}" if rule in {"zero", "one"} else "")
            if measure.definition.name == "rankDCG":
                text += ": where all true values are equal, there is nothing to order"
            found.append(Note("undefined", text, undefined.count, measure=str(measure), examples=undefined.first))
        tiers = split_tiers(_pool(self.lists), list(map(str, self.lists.names)), measure)
        if tiers.count:
            where = "this list" if self.lists.is_one else f"{plural(tiers.count, 'list')} ({tiers})"
            found.append(about_tiers(measure, tiers, where))
        return tuple(found)


def score_lists(
    measure: str | Measure,
    truth: Any,
    predicted: Any,
    groups: Any = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
) -> Scored:
    """Vectors cut into lists by `groups`, or matrices with a list in every row."""
    for name in ("unjudged", "missing", "extra", "pool", "own_id", "repeated"):
        if policy is not None and getattr(policy, name) is not None:
            raise UsageError(
                f"{name} has no effect here because every item has a true and a predicted value, and no id"
            )
    return score_settled(*settle_one(measure, policy, like), lists_of(truth, predicted, groups))


def score_settled(measure: Measure, rule: Policy, lists: ItemLists) -> Scored:
    """As score_lists, where measure and policy are in force already."""
    ties = rule.ties or ("mean" if measure.definition.ties == "document" else measure.definition.ties)
    rule = rule.over(Policy(ties=ties))  # type: ignore[arg-type]
    values, is_undefined = _values(measure, _seen(lists, rule), rule)
    undefined = Names.where(is_undefined, list(map(str, lists.names))) if is_undefined.any() else Names()
    refuse("", rule, Names(), [(measure, undefined)])
    return Scored(measure, values, lists, undefined, rule)


def _seen(lists: ItemLists, rule: Policy) -> ItemLists:
    """The lists with predictions as doubles, in the precision that compares them, and turned round where ties are."""
    predicted = lists.predicted
    if rule.precision == "single":
        with np.errstate(over="ignore"):
            single = predicted.astype(np.float32).astype(np.float64)
        predicted = np.clip(single, -_LARGEST, _LARGEST)  # what is beyond single precision stays a number
    elif predicted.dtype.itemsize > 8 or (predicted.dtype.kind in "iu" and np.any(abs(predicted // 2) >= 2**52)):
        # Doubles might not tell them apart: their places in the order of all, which are below 0 where they are.
        place = np.unique(np.append(predicted, predicted.dtype.type(0)), return_inverse=True)[1]
        predicted = place[:-1] - place[-1]
    lists = replace(lists, predicted=predicted.astype(np.float64))
    if rule.ties != "reverse":
        return lists
    ends = np.repeat(lists.offsets[:-1] + lists.offsets[1:] - 1, np.diff(lists.offsets))
    turned = ends - np.arange(len(lists.truth))
    return replace(lists, truth=lists.truth[turned], predicted=lists.predicted[turned], kept=None)


def _values(measure: Measure, lists: ItemLists, rule: Policy) -> tuple[Floats, Flags]:
    """The value of every list, and where the measure is undefined."""
    ties, count = rule.ties or "", len(lists.names)
    nothing = np.zeros(count, np.bool_)
    if rule.depth is None and ties != "mean-rank" and not _FOLLOWED & rule.unusual().keys():
        if measure.definition.name == "rankDCG" and ties in {"worst", "mean", "best"}:
            from rankgauge.kernels.rankdcg import rank_dcg

            options: Any = {"cutoff": measure.cutoff, "ties": ties}
            return decided(
                rank_dcg(lists.truth, lists.predicted, lists.offsets, **options), measure, rule, nothing, None
            )
        plain = _by_matrices(measure, lists, ties)
        if plain is not None:
            needs_pool = rule.undefined in {"drop", "one", "error"} and measure.is_about_relevance
            return decided(plain, measure, rule, nothing, _pool(lists) if needs_pool else None)
    values, undefined, below = np.empty(count), nothing.copy(), np.zeros(count)

    def measure_part(at: slice) -> None:
        pool, names = _pool(lists, at), cast("Sequence[str]", lists.names[at])
        ruled = Ruled(Match(_hits(lists, at, measure, rule), pool, names, []), rule)
        pool = ruled.pool(ruled.ties_of(measure))
        values[at], undefined[at] = decided(ruled.value(measure), measure, rule, nothing[at], pool)
        if rule.mean == "micro":
            below[at] = denominators(ruled, measure)

    # Relevance and the highest grade may come from all lists together; an error names the first of all.
    is_whole = "relevance" in dict(measure.options) or "max" in measure.settings
    cuts: list[int] = []
    if not (is_whole or ties == "error" or rule.depth is not None):  # neighboring lists that together fit the cache
        cuts = np.flatnonzero(np.diff(lists.offsets[1:] // order.ITEMS, prepend=0)).tolist()
    matrices.for_each([slice(*ends) for ends in pairwise(dict.fromkeys([0, *cuts, count]))], measure_part)
    if rule.mean == "micro":
        values = weighed(values[None, :, None], below[None, :, None])[0, :, 0]
    return values, undefined


_FOLLOWED = {"negative", "fraction", "floor", "mean"}
"""Decisions about grades and about the mean that nDCG by matrices and rankDCG do not follow."""
_LARGEST = np.finfo(np.float64).max
_NO_QUERY, _NO_POOL = np.empty(0, np.int64), Pool(np.empty(0), np.zeros(1, np.int64))


def _by_matrices(measure: Measure, lists: ItemLists, ties: str) -> Floats | None:
    """The values of an nDCG of several lists that matrices can have; None for anything else."""
    is_plain = measure.definition.kernel is ndcg and not {"ideal", "relevance"} & dict(measure.options).keys()
    if not is_plain or ties in {"worst", "best", "error"} or len(lists.names) < 2 or not len(lists.truth):
        return None
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    longest, curves = int(np.diff(lists.offsets).max()), measure.settings
    weights = weights_to(longest if cutoff is None else min(longest, cutoff), cutoff, curves["discount"])
    if not np.array_equal(weights, best_weights(len(weights), cutoff, curves["discount"])):
        return None  # a weight beyond the last item may be larger; then no order of the items is ideal
    values = np.empty(len(lists.names))

    def fill(block: order.Block) -> None:
        scores = block.matrix(lists.predicted, -np.inf)
        within = weights[: scores.shape[1]]

        def make() -> tuple[Floats, Floats]:
            truth = block.matrix(lists.truth, 0.0)
            gains = gains_of(truth.ravel(), _NO_QUERY, _NO_POOL, curves["relevance"], curves["gain"])
            gains = gains.reshape(truth.shape)
            return gains, matrices.ideal_dcg(gains, within)

        gains, best = lists.once((measure, int(block.lists[0])), make)
        values[block.lists] = matrices.ndcg(gains, scores, within, best, ties=ties)

    matrices.for_each(lists.once("blocks", lambda: list(order.blocks(lists.offsets, filling=1))), fill)
    return values


def _cut(lists: ItemLists, at: slice) -> tuple[Ints, Floats, slice]:
    """Where some of the lists begin among their items, the true values of these, and which items they are."""
    start = lists.offsets[at.start : at.stop + 1]
    items = slice(int(start[0]), int(start[-1]))
    return start - start[0], lists.truth[items].astype(np.float64, copy=False), items


def _pool(lists: ItemLists, at: slice | None = None) -> Pool:
    """That of some lists, or of all."""
    at = at or slice(0, len(lists.names))
    pool: Pool = lists.once(("pool", at.start, at.stop), lambda: pool_of_segments(*_cut(lists, at)[:2]))
    return pool


def _hits(lists: ItemLists, at: slice, measure: Measure, rule: Policy) -> Hits:
    """Inside ties, earlier items come first."""
    start, truth, items = _cut(lists, at)
    predicted, size = lists.predicted[items], np.diff(start)
    deepest = deepest_rank((measure,), rule)
    rows = None if deepest is None else leading(start, predicted, deepest)
    if rows is not None:
        start, truth, predicted = np.searchsorted(rows, start), truth[rows], predicted[rows]
    row, rank, begin, end = Order(start, predicted).every()
    value, query = truth[row], np.repeat(np.arange(len(size)), np.diff(start))
    hits = Hits(query, rank, value, begin, end, size)
    return replace(hits, value=np.where(predicted[row] > 0, value, 0.0), judged=value) if rule.floor == "zero" else hits
