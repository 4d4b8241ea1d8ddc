"""Relevance of items from their own scores, query by query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

import numpy.typing as npt

from rankgauge.analysis.relevance_function import USER, RelevanceFunction, pairs_of
from rankgauge.arrays import Floats
from rankgauge.data import faults
from rankgauge.data.door import is_frame
from rankgauge.data.judgments import Judgments
from rankgauge.errors import UsageError
from rankgauge.tables import Shown
from rankgauge.tables.table import Column, Table, number

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, repr=False)
class RelevanceByQuery(Shown):
    """Relevance of every judged item, query by query, and the functions it was read off."""

    preset: str
    functions: Mapping[str, RelevanceFunction]
    scores: Mapping[str, Mapping[str, float]]
    relevance: Mapping[str, Mapping[str, float]]

    @property
    def queries(self) -> tuple[str, ...]:
        return tuple(self.functions)

    def table(self) -> Table:
        rows = tuple(
            (query, item, self.scores[query][item], value)
            for query, items in self.relevance.items()
            for item, value in items.items()
        )
        columns = (Column("query"), Column("item"), number("score"), number("relevance"))
        return Table(columns, rows, f"relevance of {len(rows):,} items")

    def to_dict(self) -> dict[str, Any]:
        queries = {
            query: {"knots": [list(knot) for knot in function.knots], "items": dict(self.relevance[query])}
            for query, function in self.functions.items()
        }
        return {"preset": self.preset, "queries": queries}

    def __repr__(self) -> str:
        return f"RelevanceByQuery({len(self.functions)} queries)"


class _Fitting(TypedDict, total=False):
    preset: str | None
    knots: Any
    reference: Any
    quartiles: str | None
    whisker: str | None
    reach: float | None


@overload
def relevance(  # type: ignore[overload-overlap]  # a text is array-like, too
    scores: Judgments | Mapping[str, Mapping[str, float]] | str | PathLike[str], **fitting: Unpack[_Fitting]
) -> RelevanceByQuery: ...


@overload
def relevance(scores: npt.ArrayLike, **fitting: Unpack[_Fitting]) -> Floats: ...


def relevance(
    scores: Any,
    *,
    preset: str | None = None,
    knots: Any = None,
    reference: Any = None,
    quartiles: str | None = None,
    whisker: str | None = None,
    reach: float | None = None,
) -> Floats | RelevanceByQuery:
    """Relevance in [0, 1] of every score, fitted on the scores themselves."""
    given = {"preset": preset, "reference": reference, "quartiles": quartiles, "whisker": whisker, "reach": reach}
    unused = [name for name, value in given.items() if value is not None]
    if knots is not None and unused:
        raise UsageError(f"knots give the function, so nothing is fitted; leave out {', '.join(unused)}, or the knots")

    def fit(values: npt.ArrayLike) -> RelevanceFunction:
        box_plot = {"quartiles": quartiles, "whisker": whisker, "reach": reach}
        return RelevanceFunction.fit(values, preset=preset or "paper", **box_plot)  # type: ignore[arg-type]

    shared = None
    if knots is not None:
        shared = _function(knots)
    elif reference is not None:
        shared = fit(_judged(reference).to_polars()["value"].to_numpy() if _is_judged(reference) else reference)
    if not _is_judged(scores):
        return (shared or fit(scores))(scores)
    functions, values, found = {}, {}, {}
    rows = _sound(_judged(scores), may_lack=preset == "authors")
    for part in rows.partition_by("query", maintain_order=True):
        query, numbers, items = part["query"][0], part["value"].to_numpy(), part["document"].to_list()
        functions[query] = shared or fit(numbers)
        values[query] = dict(zip(items, numbers.tolist(), strict=True))
        found[query] = dict(zip(items, functions[query](numbers).tolist(), strict=True))
    return RelevanceByQuery(preset or "paper" if shared is None else USER, functions, values, found)


def _is_judged(given: Any) -> bool:
    """Whether these are judgments, rather than an array of numbers."""
    return isinstance(given, (Judgments, Mapping, str, PathLike)) or is_frame(given)


def _judged(given: Any) -> Judgments:
    return given if isinstance(given, Judgments) else Judgments(given)


def _sound(judged: Judgments, *, may_lack: bool) -> pl.DataFrame:
    """Its rows, every value finite; an error names the row."""
    rows = judged.to_polars()
    if not len(rows):
        raise faults.no_rows(judged.table).error()
    values = rows["value"].fill_nan(0.0 if may_lack else float("nan")).to_numpy()
    if fault := faults.not_finite(values, judged.table, lambda row: (rows["query"][row], rows["document"][row])):
        raise fault.error()
    return rows


def _function(knots: Any) -> RelevanceFunction:
    if isinstance(knots, RelevanceFunction):
        return knots
    return RelevanceFunction.load(knots) if isinstance(knots, (str, Path)) else RelevanceFunction(pairs_of(knots))
