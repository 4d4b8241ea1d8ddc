"""score(): two columns of numbers, one number; for every measure of the catalogue."""

from __future__ import annotations

from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from rankgauge.data.aligned import aligned
from rankgauge.data.policy import Policy
from rankgauge.errors import DataError
from rankgauge.evaluation.evaluate import settle_call
from rankgauge.evaluation.facts import Names, refuse_undefined
from rankgauge.evaluation.local import decide
from rankgauge.evaluation.plan import settle
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels import dense
from rankgauge.kernels.cumulated import gains_of, ndcg, weights_to
from rankgauge.kernels.hits import Floats, Hits, Pool, pool_of
from rankgauge.kernels.ordering import rank_dcg_of_hits
from rankgauge.kernels.rankdcg import rank_dcg
from rankgauge.kernels.ranking import rank_rows
from rankgauge.measures.measure import Measure

_NO_POOL = Pool(np.empty(0), np.zeros(1, np.int64))


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
    return score_groups(measure, truth, predicted, groups, policy=policy, like=like).mean()["predicted"].popitem()[1]


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
    (chosen,), rule = settle_call(measure, policy, like)
    ties = rule.ties or ("mean" if chosen.definition.ties == "document" else chosen.definition.ties)
    left, right, names, offsets = _columns(truth, predicted, groups)
    values = _values(chosen, left, right, offsets, ties)
    decided, undefined = decide(values, chosen, rule, np.empty(0, np.int64))
    refuse_undefined(chosen, Names.of([names[group] for group in np.flatnonzero(undefined)]), rule)
    return Scores(("predicted",), tuple(names), (chosen,), decided.reshape(1, -1, 1), rule.over(Policy(ties=ties)))  # type: ignore[arg-type]


def _columns(
    truth: Any, predicted: Any, groups: Any
) -> tuple[NDArray[Any], NDArray[Any], list[str], NDArray[np.int64]]:
    """Flat columns in which every group is one stretch, the groups' names, and where they begin."""
    left, right = np.asarray(truth), np.asarray(predicted)
    if left.ndim == 2 and groups is None:
        if left.shape != right.shape:
            raise DataError(
                f"truth has shape {left.shape} and predicted {right.shape}",
                hint="Rows are queries; both matrices have one shape.",
            )
        left, right = aligned(left.ravel(), right.ravel())
        rows, width = np.asarray(truth).shape
        return left, right, [str(row) for row in range(1, rows + 1)], np.arange(rows + 1) * width
    left, right = aligned(truth, predicted)
    if groups is None:
        if not len(left):
            raise DataError("there are no items", hint="Give at least one item.")
        return left, right, ["all"], np.array([0, len(left)])
    labels = np.asarray(groups)
    if labels.shape != left.shape:
        raise DataError(
            f"groups has {labels.size:,} entries and truth {len(left):,}", hint="Name the group of every item."
        )
    names, first, code = np.unique(labels.astype(str), return_index=True, return_inverse=True)
    order_of_appearance = np.argsort(np.argsort(first))
    code = order_of_appearance[code]
    order = np.argsort(code, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(np.bincount(code, minlength=len(names)))))
    return left[order], right[order], [str(name) for name in names[np.argsort(first)]], offsets


def _values(
    measure: Measure, truth: NDArray[Any], predicted: NDArray[Any], offsets: NDArray[np.int64], ties: str
) -> Floats:
    size = np.diff(offsets)
    if measure.definition.kernel is rank_dcg_of_hits and ties in {"worst", "mean", "best"}:
        return rank_dcg(truth, predicted, offsets, cutoff=measure.cutoff, ties=ties)  # type: ignore[arg-type]
    even = len(size) > 1 and size.min() == size.max() > 0
    if even and measure.definition.kernel is ndcg and "relevance" not in dict(measure.options):
        depth = int(size[0]) if measure.cutoff is None else min(int(size[0]), int(measure.cutoff))
        weights = weights_to(
            depth, None if measure.cutoff is None else int(measure.cutoff), measure.settings["discount"]
        )
        if ties in get_args(dense.Ties) and not np.any(weights[1:] > weights[:-1]):
            gains = gains_of(
                truth.astype(np.float64, copy=False),
                np.empty(0, np.int64),
                _NO_POOL,
                measure.settings["relevance"],
                measure.settings["gain"],
            )
            shape = (len(size), -1)
            return dense.ndcg(gains.reshape(shape), predicted.reshape(shape), weights, ties=cast("dense.Ties", ties))
    hits, pool = _hits(truth.astype(np.float64, copy=False), predicted, offsets)
    return measure.compute(settle(hits, ties, [str(row) for row in range(1, len(size) + 1)]), pool)


def _hits(truth: Floats, predicted: NDArray[Any], offsets: NDArray[np.int64]) -> tuple[Hits, Pool]:
    """Every item is a judged document that was returned; inside ties, earlier items stand first."""
    size = np.diff(offsets)
    query = np.repeat(np.arange(len(size)), size)
    ranks = rank_rows(offsets, predicted.astype(np.float64), np.arange(len(truth)), lambda rows: rows)
    order = np.lexsort((ranks.rank, query))
    hits = Hits(query[order], ranks.rank[order], truth[order], ranks.first[order], ranks.last[order], size)
    return hits, pool_of(query, truth, len(size))
