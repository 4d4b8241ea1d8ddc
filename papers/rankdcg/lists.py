"""Table 1 of Katerenchuk & Rosenberg 2016: the lists, and every way to compute a column."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from companions import exact_match_ap, ndcg_of_values
from scipy.stats import kendalltau

from rankgauge.kernels.rankdcg import Ties, rank_dcg
from rankgauge.kernels.ranks import kendall_tau

Numbers = Sequence[float]
Measure = Callable[[Numbers, Numbers], float]

REFERENCE = (9, 4, 4, 2, 2, 2, 1, 1, 1, 1)
HYPOTHESES = (
    REFERENCE,
    (9, 4, 4, 2, 2, 1, 2, 1, 1, 1),
    (4, 4, 2, 9, 2, 2, 1, 1, 1, 1),
    (1, 4, 4, 2, 2, 2, 9, 1, 1, 1),
    (1, 4, 4, 2, 2, 2, 1, 1, 1, 9),
    (1, 1, 1, 1, 2, 2, 2, 4, 4, 9),
)


@dataclass(frozen=True)
class Column:
    """A column of Table 1: the measure that gives it, and others that one might expect there."""

    name: str
    measure: tuple[str, Measure]
    others: tuple[tuple[str, Measure], ...]
    finding: str


def rankdcg(truth: Numbers, predicted: Numbers, cutoff: int | None = None, ties: Ties = "worst") -> float:
    offsets = np.array([0, len(truth)])
    return float(rank_dcg(np.array(truth), np.array(predicted), offsets, cutoff=cutoff, ties=ties)[0])


def rankdcg_as_printed(truth: Numbers, predicted: Numbers) -> float:
    """The last equation of the paper, (max − DCG′) / (max − min)."""
    return 1 - rankdcg(truth, predicted)


def rankdcg_of_order(_: Numbers, hypothesis: Numbers) -> float:
    """Reading B: the list holds the true values, in the order in which the system put the items."""
    return rankdcg(hypothesis, [-position for position in range(len(hypothesis))])


def dcg(values: Numbers) -> float:
    return sum(value / math.log2(rank + 1) for rank, value in enumerate(values, start=1))


def ndcg_of_predicted_values(truth: Numbers, predicted: Numbers) -> float:
    """The paper's nDCG: predicted values are the gains, in the order in which the items are given."""
    return dcg(predicted) / dcg(truth)


def tau_a(truth: Numbers, predicted: Numbers) -> float:
    first, second = np.array(truth), np.array(predicted)
    signs = np.sign(first[:, None] - first) * np.sign(second[:, None] - second)
    return float(signs.sum() / (len(first) * (len(first) - 1)))


def tau_c(truth: Numbers, predicted: Numbers) -> float:
    return float(kendalltau(truth, predicted, variant="c").statistic)


def precision_at_hits(truth: Numbers, predicted: Numbers, recall_base: int | None = None) -> float:
    """The AP that the paper prints, Σ P(k)·ΔR(k), where an exact match counts as a hit."""
    hits = np.array(truth) == np.array(predicted)
    precision = np.cumsum(hits) / np.arange(1, len(hits) + 1)
    return float((precision * hits).sum() / (recall_base or max(1, hits.sum())))


TABLE_1 = (
    Column(
        name="Kendall τ",
        measure=("τ-b", kendall_tau),
        others=(("τ-a, the formula the paper prints", tau_a), ("τ-c", tau_c)),
        finding="The column is τ-b; the formula in the text is τ-a, which cannot reach 1 with ties.",
    ),
    Column(
        name="AveP",
        measure=("mean over all k of the exact matches among the first k", exact_match_ap),
        others=(
            ("Σ P(k)·ΔR(k), the formula the paper prints", precision_at_hits),
            ("the same, recall over all items", lambda t, p: precision_at_hits(t, p, len(t))),
        ),
        finding=(
            "The column averages over every k, the formula in the text over the hits. "
            "Row 4 is 0.659 in the table and 0.650 in the text."
        ),
    ),
    Column(
        name="nDCG",
        measure=("predicted values as gains", ndcg_of_predicted_values),
        others=(("true values as gains, ties worst", lambda t, p: ndcg_of_values(t, p, ties="worst")),),
        finding="The column takes the predicted values as gains, which can exceed 1; with true values it cannot.",
    ),
    Column(
        name="rankDCG",
        measure=("reading A: predicted values of the reference items", rankdcg),
        others=(
            ("reading B: true values in predicted order", rankdcg_of_order),
            ("(max − DCG′) / (max − min), the formula the paper prints", rankdcg_as_printed),
            ("rankDCG@3, reading A", lambda t, p: rankdcg(t, p, 3)),
            ("rankDCG@5, reading A", lambda t, p: rankdcg(t, p, 5)),
        ),
        finding=(
            "Row 3, printed as 0.65, needs reading A. The last formula is upside down: it gives 0 to the perfect list."
        ),
    ),
)


# What an item of the reference list adds to the total of the best order, under the four figures' cost functions.
LEVELS = (4, 3, 3, 2, 2, 2, 1, 1, 1, 1)
RANKS = tuple(range(1, 11))
COSTS = {
    1: ("nDCG: value / log2(rank + 1)", [v / math.log2(r + 1) for v, r in zip(REFERENCE, RANKS, strict=True)]),
    2: (
        "nDCG: (2^value − 1) / log2(rank + 1)",
        [(2**v - 1) / math.log2(r + 1) for v, r in zip(REFERENCE, RANKS, strict=True)],
    ),
    3: ("level / rank", [v / r for v, r in zip(LEVELS, RANKS, strict=True)]),
    4: ("rankDCG: level / level from the top", [v / (5 - v) for v in LEVELS]),
}


def share_of_the_top(figure: int) -> float:
    costs = COSTS[figure][1]
    return costs[0] / sum(costs)
