"""Do judges give the same documents the same labels? κ, quadratic κ, Krippendorff's α, Gwet's AC1 and AC2.

Everything that the coefficients need adds up over items, so that leaving out a query is a subtraction.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.analysis.compare.statistics.corrections import t_quantile
from rankgauge.arrays import Floats, Ints
from rankgauge.errors import AnalysisError
from rankgauge.tables import Plain

if TYPE_CHECKING:
    import polars as pl

MOST_NOMINAL = 20
"""With more distinct grades, agreement to the letter says nothing."""
MOST_GRADES = 1000


@dataclass(frozen=True, slots=True)
class Coefficient(Plain):
    """A coefficient with its standard error and interval, by leaving out one query at a time."""

    value: float
    se: float
    low: float
    high: float


@dataclass(frozen=True)
class LabelCounts:
    """Sums over items. Grades are positions in `scale`.

    `confusion` is of the first judge (rows) and the second; it is empty for more than two judges. `coincidences` are
    the pairs of labels within an item over m - 1, `shared` the same over m(m - 1), and `shares` the labels over m, for
    items with m labels.
    """

    scale: Floats
    confusion: Floats
    coincidences: Floats
    shared: Floats
    shares: Floats
    paired: float
    """Items with two labels or more."""
    items: float

    def minus(self, other: LabelCounts) -> LabelCounts:
        sums = [field.name for field in fields(self) if field.name != "scale"]
        return replace(self, **{name: getattr(self, name) - getattr(other, name) for name in sums})


def count_labels(labels: Ints, scale: Floats) -> LabelCounts:
    """From items × judges: positions in the scale, -1 where a judge has not labelled an item."""
    size = len(scale)
    if labels.shape[1] == 2 and (labels >= 0).all():
        flat = np.bincount(labels[:, 0] * size + labels[:, 1], minlength=size * size)
        return counts_of_confusion(flat.reshape(size, size).astype(np.float64), scale)
    tally = np.stack([np.count_nonzero(labels == grade, axis=1) for grade in range(size)], axis=1).astype(np.float64)
    return counts_of(tally[tally.sum(axis=1) > 0], scale)


def counts_of(tally: Floats, scale: Floats) -> LabelCounts:
    """From items × grades: how many judges gave the item the grade."""
    total = tally.sum(axis=1)
    several = tally[total > 1]
    m = total[total > 1]

    def pairs(weight: Floats) -> Floats:
        return (several * weight[:, None]).T @ several - np.diag((several * weight[:, None]).sum(axis=0))

    shares = (tally / total[:, None]).sum(axis=0)
    empty = np.zeros((0, 0))
    return LabelCounts(scale, empty, pairs(1 / (m - 1)), pairs(1 / (m * (m - 1))), shares, len(several), len(tally))


def counts_of_confusion(confusion: Floats, scale: Floats) -> LabelCounts:
    """Two judges who labelled the same items."""
    both = confusion + confusion.T
    items = float(confusion.sum())
    return LabelCounts(scale, confusion, both, both / 2, both.sum(axis=1) / 2, items, items)


def coefficients(counts: LabelCounts) -> dict[str, float]:
    """Every coefficient that these counts allow; nan where it is undefined, as with one grade only."""
    found = {}
    if counts.confusion.size:
        found = {
            "agreement": _ratio(float(np.trace(counts.confusion)), counts.items),
            "kappa": _kappa(counts),
            "kappa_quadratic": _quadratic_kappa(counts),
        }
    found |= {
        "alpha_nominal": _alpha(counts, lambda _: 1.0 - np.eye(len(counts.scale))),
        "alpha_ordinal": _alpha(counts, _ordinal),
        "alpha_interval": _alpha(counts, lambda _: _squares(counts.scale)),
        "ac1": _gwet(counts, np.eye(len(counts.scale))),
        "ac2": _gwet(counts, _closeness(counts.scale)),
    }
    if len(counts.scale) > MOST_NOMINAL:
        found |= dict.fromkeys(found.keys() & {"kappa", "alpha_nominal", "ac1"}, math.nan)
    return found


def _jackknife(value: float, without: list[float], confidence: float) -> Coefficient:
    """From the values without each query in turn; a coefficient near its limit is cut to [-1, 1]."""
    n = len(without)
    left = np.array(without)
    if n < 2 or math.isnan(value) or np.isnan(left).any():
        return Coefficient(value, math.nan, math.nan, math.nan)
    se = math.sqrt((n - 1) / n * float(np.square(left - left.mean()).sum()))
    margin = float(t_quantile(np.array(n), 1.0 - confidence)) * se
    return Coefficient(value, se, max(-1.0, value - margin), min(1.0, value + margin))


def _kappa(counts: LabelCounts) -> float:
    p = counts.confusion / max(counts.items, 1)
    chance = float(p.sum(axis=1) @ p.sum(axis=0))
    return _ratio(float(np.trace(p)) - chance, 1 - chance)


def _quadratic_kappa(counts: LabelCounts) -> float:
    p, distance = counts.confusion / max(counts.items, 1), _squares(counts.scale)
    expected = float(p.sum(axis=1) @ distance @ p.sum(axis=0))
    return _ratio(expected - float((distance * p).sum()), expected)


def _alpha(counts: LabelCounts, distance: Callable[[Floats], Floats]) -> float:
    """1 - (N - 1) Σ o δ² / Σ n n δ²."""
    margin = counts.coincidences.sum(axis=1)
    squares = distance(margin)
    expected = float(margin @ squares @ margin)
    observed = (margin.sum() - 1) * float((counts.coincidences * squares).sum())
    return _ratio(expected - observed, expected)


def _gwet(counts: LabelCounts, weights: Floats) -> float:
    size = len(counts.scale)
    if size < 2 or not counts.items or not counts.paired:
        return math.nan
    agreed = float((weights * counts.shared).sum()) / counts.paired
    share = counts.shares / counts.items
    chance = float(weights.sum()) / (size * (size - 1)) * float((share * (1 - share)).sum())
    return _ratio(agreed - chance, 1 - chance)


def _squares(scale: Floats) -> Floats:
    return np.square(scale[:, None] - scale)


def _ordinal(margin: Floats) -> Floats:
    return _squares(np.cumsum(margin) - margin / 2)


def _closeness(scale: Floats) -> Floats:
    return 1.0 - _squares(scale) / max(float(scale[-1] - scale[0]) ** 2, 1e-300) if len(scale) else np.empty((0, 0))


def _ratio(above: float, below: float) -> float:
    # 1 - chance of two judges with one grade is 0 but for rounding.
    return above / below if below > 1e-15 else math.nan


@dataclass(frozen=True, slots=True)
class LabelAgreement(Plain):
    """Two judges (then `confusion`, whose rows are the reference's, and `mean_grade` of each) or more together."""

    queries: int
    documents: int
    coefficients: Mapping[str, Coefficient]
    grades: tuple[float, ...]
    """The scale: rows and columns of the confusion matrix."""
    confusion: tuple[tuple[int, ...], ...] | None = None
    mean_grade: tuple[float, ...] | None = None

    def __getitem__(self, name: str) -> Coefficient:
        return self.coefficients[name]


@dataclass(frozen=True)
class Labels:
    """Documents that several judges labelled: items × judges, nan where a judge did not; sorted by query."""

    query: Ints
    """A code, rising."""
    values: Floats

    def of(self, judges: Sequence[int]) -> Labels:
        """The documents that both of two judges, or at least two of more, have labelled."""
        part = self.values[:, list(judges)]
        enough = np.count_nonzero(~np.isnan(part), axis=1) >= 2
        return Labels(self.query[enough], part[enough])


def labels_of(frames: Sequence[pl.DataFrame]) -> Labels:
    """Judgments (query, document, value) side by side; queries as the first judge that has them orders them."""
    import polars as pl

    whole = frames[0].select("query", "document", pl.col("value").cast(pl.Float64).alias("0"))
    for at, frame in enumerate(frames[1:], 1):
        other = frame.select("query", "document", pl.col("value").cast(pl.Float64).alias(str(at)))
        whole = whole.join(other, on=["query", "document"], how="full", coalesce=True, maintain_order="left_right")
    names = whole["query"].unique(maintain_order=True)
    codes = pl.DataFrame({"query": names, "code": np.arange(len(names))})
    coded = whole.join(codes, on="query", maintain_order="left")
    code = coded["code"].to_numpy()
    order = np.argsort(code, kind="stable")
    values = coded.select(str(at) for at in range(len(frames))).fill_null(float("nan")).to_numpy()
    return Labels(code[order], np.asarray(values, np.float64)[order])


def agreement_of(labels: Labels, scale: Floats, confidence: float) -> LabelAgreement:
    """Coefficients with intervals by a jackknife over queries; `labels` hold what is compared and nothing else."""
    if not len(labels.query):
        raise AnalysisError("the judges have no document in common; are query and document ids written the same way?")
    codes = np.searchsorted(scale, np.nan_to_num(labels.values, nan=scale[0])).astype(np.int64)
    codes[np.isnan(labels.values)] = -1
    if len(scale) > MOST_GRADES:
        raise AnalysisError(
            f"{len(scale):,} distinct grades are too many to compare label by label\n"
            "Compare 'relevant or not' with rel (--rel N)."
        )
    whole = count_labels(codes, scale)
    value = coefficients(whole)
    parts = np.split(codes, np.flatnonzero(np.diff(labels.query)) + 1)
    without = [coefficients(whole.minus(count_labels(part, scale))) for part in parts]
    is_pair = bool(whole.confusion.size)
    return LabelAgreement(
        len(parts),
        len(labels.query),
        {name: _jackknife(value[name], [one[name] for one in without], confidence) for name in value},
        tuple(scale.tolist()),
        tuple(tuple(map(int, row)) for row in whole.confusion.tolist()) if is_pair else None,
        tuple(labels.values.mean(axis=0).tolist()) if is_pair else None,
    )
