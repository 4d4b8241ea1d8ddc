"""One measure on every list of true and predicted values.

Lists are the rows of matrices, a block at a time, and a block's hits go to the measure as a run's hits do. What depends
on the true values alone (gains, ideals, counts of relevant items) is computed once where predictions change and lists
do not, as in training.
"""

from __future__ import annotations

from functools import partial
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.data.vectors import ItemLists
from rankgauge.errors import MeasureError
from rankgauge.evaluation.ruled import looks_no_deeper, settle
from rankgauge.kernels import matrices
from rankgauge.kernels.cumulated import best_weights, gains_of, ndcg, weights_to
from rankgauge.kernels.hits import Hits, Pool, pool_of
from rankgauge.kernels.matrices import LEAST, RowBlock, all_places, as_doubles, can_fill, for_each, row_blocks
from rankgauge.kernels.rankdcg import rank_dcg
from rankgauge.kernels.ranking import rank_all
from rankgauge.measures.measure import Measure

_NO_QUERY, _NO_POOL = np.empty(0, np.int64), Pool(np.empty(0), np.zeros(1, np.int64))


def values_of(measure: Measure, lists: ItemLists, ties: str) -> Floats:
    """One number per list, nan where the measure is undefined."""
    if measure.definition.name == "rankDCG" and ties in {"worst", "mean", "best"}:
        lists.refuse_unsound()
        return rank_dcg(lists.truth, lists.predicted, lists.offsets, cutoff=measure.cutoff, ties=ties)  # type: ignore[arg-type]
    predicted = as_doubles(lists.predicted)
    if _can_be_blocks(measure, lists, predicted, ties):
        return _by_blocks(measure, lists, predicted, ties)
    lists.refuse_unsound()
    order, ranks = rank_all(lists.offsets, predicted.astype(np.float64, copy=False))
    truth = lists.truth.astype(np.float64, copy=False)[order]
    hits = Hits(ranks.segment, ranks.rank, truth, ranks.first, ranks.last, np.diff(lists.offsets))
    return measure.compute(settle(hits, ties, [str(row) for row in range(1, len(lists.offsets))]), pool_of_lists(lists))


def _can_be_blocks(measure: Measure, lists: ItemLists, predicted: NDArray[Any], ties: str) -> bool:
    """Relevance and the highest grade may come from all lists together; an error about ties names the first of all."""
    is_apart = "relevance" not in dict(measure.options) and "max" not in measure.settings
    return is_apart and ties != "error" and len(lists.offsets) > 2 and (lists.width > 0 or can_fill(predicted))


def pool_of_lists(lists: ItemLists) -> Pool:
    def make() -> Pool:
        size = np.diff(lists.offsets)
        return pool_of(np.repeat(np.arange(len(size)), size), lists.truth.astype(np.float64, copy=False), len(size))

    pool: Pool = lists.once("pool", make)
    return pool


def _by_blocks(measure: Measure, lists: ItemLists, predicted: NDArray[Any], ties: str) -> Floats:
    weights = _falling_weights(measure, lists, ties)
    depth = (_last_rank(measure) or len(lists.truth)) if weights is None else len(weights)
    blocks: list[RowBlock] = lists.once(("blocks", depth), lambda: row_blocks(lists.offsets, depth))
    found = np.full(len(lists.offsets) - 1, np.nan)

    def fill(block: RowBlock, *, look: bool = False) -> None:
        if look and not lists.are_sound(block.items):
            raise _UnsoundError
        scores = block.matrix(predicted, LEAST)
        if weights is None:
            found[block.lists] = _of_hits(measure, lists, block, scores, ties)
        else:
            found[block.lists] = _ndcg(measure, lists, block, scores, weights, cast("matrices.Ties", ties))

    if not lists.is_checked:
        try:  # block by block, while its numbers are near
            for_each(blocks, partial(fill, look=True))
        except Exception:  # noqa: BLE001 - what is wrong with the numbers is said first, and the rest again
            lists.refuse_unsound()
        else:
            return found
    for_each(blocks, fill)
    return found


class _UnsoundError(Exception):
    """A block may hold numbers that are not finite."""


def _falling_weights(measure: Measure, lists: ItemLists, ties: str) -> Floats | None:
    """The weights of the ranks, if this is an nDCG that needs nothing else."""
    if measure.definition.kernel is not ndcg or "ideal" in dict(measure.options) or ties not in get_args(matrices.Ties):
        return None
    if ties in {"worst", "best"} and "gain" in dict(measure.options) and not _gain_rises(measure, lists):
        return None  # these orders are by grade, and those of matrices by gain
    depth, discount = int(np.diff(lists.offsets).max()), measure.settings["discount"]
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    weights = weights_to(depth if cutoff is None else min(depth, cutoff), cutoff, discount)
    # A weight beyond the last item may be larger; then no order of the items is ideal.
    are_best = np.array_equal(weights, best_weights(len(weights), cutoff, discount))
    return weights if are_best else None


def _gain_rises(measure: Measure, lists: ItemLists) -> bool:
    """Whether no higher grade has a lower gain; not where a gain is refused, so that it is refused as everywhere."""
    grades = lists.once("grades", lambda: np.unique(lists.truth).astype(np.float64))
    try:
        gains = gains_of(grades, _NO_QUERY, _NO_POOL, measure.settings["relevance"], measure.settings["gain"])
    except MeasureError:
        return False
    return bool(np.all(gains[1:] >= gains[:-1]))


def _ndcg(
    measure: Measure, lists: ItemLists, block: RowBlock, scores: Floats, weights: Floats, ties: matrices.Ties
) -> Floats:
    within = weights[: scores.shape[1]]

    def make() -> tuple[NDArray[Any], Floats]:
        values, curves = block.matrix(lists.truth), measure.settings
        gains = gains_of(values.ravel(), _NO_QUERY, _NO_POOL, curves["relevance"], curves["gain"])
        gains = matrices.compact(gains.reshape(values.shape))
        return gains, matrices.ideal_dcg(gains, within)

    gains, ideal = lists.once((measure, id(block)), make)
    return matrices.share(matrices.dcg(gains, scores, within, ties=ties, inside=block.inside), ideal)


def _of_hits(measure: Measure, lists: ItemLists, block: RowBlock, scores: Floats, ties: str) -> Floats:
    """The measure on the hits of the block: every item is a judged document that was returned."""
    truth: Floats = lists.once(("truth", id(block)), lambda: block.matrix(lists.truth))
    pool: Pool = lists.once(("pool", id(block)), lambda: _pool(truth, block))
    return measure.compute(settle(_hits(truth, scores, block, _last_rank(measure)), ties, []), pool)


def _last_rank(measure: Measure) -> int | None:
    """The last rank that matters, if there is one."""
    return int(measure.cutoff) if measure.cutoff is not None and looks_no_deeper(measure) else None


def _pool(truth: Floats, block: RowBlock) -> Pool:
    values = truth.ravel() if block.inside is None else truth[block.inside]
    return pool_of(np.repeat(np.arange(len(truth)), block.sizes), values, len(truth))


def _hits(truth: Floats, scores: Floats, block: RowBlock, cutoff: int | None) -> Hits:
    """The hits of every row down to the cutoff, with all that are tied with the last; inside ties, earlier items first."""
    rows, columns = scores.shape
    places, joined = all_places(scores, block.inside)
    chosen = _chosen(joined, block, cutoff)
    query: Ints = np.repeat(np.arange(rows), columns)
    rank: Ints = np.tile(np.arange(1, columns + 1), rows)
    order: Ints = places.ravel()
    opens: Flags = ~joined.ravel()
    if chosen is not None:
        kept = np.flatnonzero(chosen)
        query, rank = query.take(kept, mode="clip"), rank.take(kept, mode="clip")
        order, opens = order.take(kept, mode="clip"), opens.take(kept, mode="clip")
    value = truth.ravel().take(order, mode="clip")
    if opens.all():
        return Hits(query, rank, value, rank, rank, block.sizes)
    begin, group = np.flatnonzero(opens), np.cumsum(opens, dtype=np.int64)
    group -= 1
    first, size = rank.take(begin), np.diff(begin, append=len(opens))
    return Hits(query, rank, value, first.take(group), (first + size - 1).take(group), block.sizes)


def _chosen(joined: Flags, block: RowBlock, cutoff: int | None) -> Flags | None:
    """Which ranks hold an item and can matter; None where all do."""
    columns = joined.shape[1]
    if cutoff is None or cutoff >= columns:
        return block.inside
    beyond = joined[:, cutoff:]
    # As many as follow the cutoff without a step in the scores.
    tail: Ints = np.where(beyond.all(axis=1), columns - cutoff, beyond.argmin(axis=1))
    chosen = np.arange(columns) < (cutoff + tail)[:, None]
    return chosen if block.inside is None else chosen & block.inside
