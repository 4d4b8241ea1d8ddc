"""Do judges give the same documents the same labels?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.analysis.judging.labels import Coefficient, estimate
from rankgauge.arrays import Floats, Ints
from rankgauge.errors import AnalysisError
from rankgauge.tables.shown import Plain

if TYPE_CHECKING:
    import polars as pl


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
    """Coefficients with intervals over queries; `labels` hold what is compared and nothing else."""
    if not len(labels.query):
        raise AnalysisError("the judges have no document in common; are query and document ids written the same way?")
    codes = np.searchsorted(scale, np.nan_to_num(labels.values, nan=scale[0])).astype(np.int64)
    codes[np.isnan(labels.values)] = -1
    whole, found = estimate(codes, labels.query, scale, confidence)
    is_pair = bool(whole.confusion.size)
    return LabelAgreement(
        len(np.unique(labels.query)),
        len(labels.query),
        found,
        tuple(scale.tolist()),
        tuple(tuple(map(int, row)) for row in whole.confusion.tolist()) if is_pair else None,
        tuple(labels.values.mean(axis=0).tolist()) if is_pair else None,
    )
