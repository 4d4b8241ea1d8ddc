"""What the runs return at the top: per query the documents, their judged values, and the weight of their rank in each run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.analysis.judging.weighing import Weighing
from rankgauge.arrays import Flags, Floats
from rankgauge.data.judgments import Judgments
from rankgauge.data.listed import ranked_rows
from rankgauge.data.policy import Policy
from rankgauge.data.run import Run

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Top:
    """One query: documents among the first k of some run, with nan for the value of a hole."""

    query: str
    documents: list[str]
    value: Floats
    weight: Floats
    """Runs × documents; 0 where a run has not got the document."""
    has: Flags
    """Runs × documents: whether the run returned it there."""
    judged: Floats
    """All judged values of the query."""

    @property
    def is_hole(self) -> Flags:
        return np.isnan(self.value)


@dataclass(frozen=True)
class Tops:
    """The first documents of several runs as rows, sorted by query: which run, which document, at which rank."""

    queries: tuple[str, ...]
    runs: int
    rows: pl.DataFrame
    judged: dict[str, Floats]
    """Judged values of every query."""

    @property
    def deepest(self) -> int:
        return int(self.rows["rank"].max() or 0)  # type: ignore[arg-type]

    @property
    def longest(self) -> int:
        """An ideal list has at most so many documents: the judged ones of a query and its holes."""
        holes = np.bincount(self.rows["code"].to_numpy()[np.isnan(self.rows["value"].to_numpy())], minlength=1)
        return max((len(values) for values in self.judged.values()), default=0) + int(holes.max(initial=0))

    def each(self, weighing: Weighing) -> Iterator[Top]:
        """Every judged query, in the order of the judgments."""
        weights = weighing.weights(max(self.deepest, 1))
        code = self.rows["code"].to_numpy()
        cuts = np.searchsorted(code, np.arange(len(self.queries) + 1)).tolist()
        run, rank, value = (self.rows[name].to_numpy() for name in ("run", "rank", "value"))
        texts = self.rows["document"].to_list()
        for query, (begin, end) in zip(self.queries, pairwise(cuts), strict=True):
            place = {document: at for at, document in enumerate(dict.fromkeys(texts[begin:end]))}
            at = np.array([place[document] for document in texts[begin:end]], np.int64)
            weight, has = np.zeros((self.runs, len(place))), np.zeros((self.runs, len(place)), np.bool_)
            has[run[begin:end], at] = True
            weight[run[begin:end], at] = weights[rank[begin:end] - 1]
            if weighing.per_returned:
                weight /= np.maximum(np.bincount(run[begin:end], minlength=self.runs), 1)[:, None]
            known = np.full(len(place), np.nan)
            known[at] = value[begin:end]
            yield Top(query, list(place), known, weight, has, self.judged[query])


def tops_of(
    judgments: Judgments, runs: Sequence[Run], queries: Sequence[str], policy: Policy, depth: int | None
) -> Tops:
    """The first `depth` documents of every run, in the order that the policy says."""
    import polars as pl

    judged = judgments.to_polars()
    codes = pl.DataFrame(
        {"query": list(queries), "code": np.arange(len(queries))}, schema_overrides={"query": pl.String}
    )
    limits = [limit for limit in (depth, policy.depth) if limit is not None]
    how = {"given_order": policy.ties == "order", "single": policy.precision == "single"}
    parts = [
        ranked_rows(run, min(limits, default=None), **how).with_columns(pl.lit(at, pl.Int64).alias("run"))
        for at, run in enumerate(runs)
    ]
    rows = (
        pl.concat(parts)
        .join(codes, on="query")
        .join(
            judged.select("query", "document", pl.col("value").cast(pl.Float64)), on=["query", "document"], how="left"
        )
        .with_columns(pl.col("value").fill_null(np.nan))
        .sort(["code", "run", "rank"])
    )
    values = {
        str(query): part["value"].to_numpy().astype(np.float64)
        for (query,), part in judged.group_by("query", maintain_order=True)
    }
    return Tops(tuple(queries), len(runs), rows, values)
