"""Scores in files and frames: saved scores, a matrix in a text file, a frame of system, query and measures."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, replace
from os import PathLike
from pathlib import PurePath
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from rankgauge.arrays import LARGEST
from rankgauge.data.about import aligned_weights
from rankgauge.data.columns import to_frame
from rankgauge.data.door import is_frame
from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.data.read.bytes import Source, decoded, without_packing
from rankgauge.data.read.delimited import PARQUET, broken_quotes, hushed, refuse_counts, text_rows
from rankgauge.data.read.small import Missing, Rows, read_matrix, refuse_repeated, refuse_summary
from rankgauge.errors import DataError, MeasureError, UsageError, plural
from rankgauge.evaluation.scores import METADATA, WEIGHT, About, Scores, measure_or_label
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure, labeled
from rankgauge.signature import parameter
from rankgauge.tables.notes import UNRECORDED, Note, clip

_TIMES = frozenset(("date", "time", "datetime", "timestamp", "day", "week", "month", "year"))
"""Columns of these names say when, not how good."""


def read_scores(
    source: Any,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    ids: bool | Sequence[str] | None = None,
    header: bool | None = None,
    rows: Rows | None = None,
    missing: Missing | None = None,
) -> Scores:
    """What `rankgauge.read_scores` says; anything else than scores is refused."""
    given: dict[str, Any] = {"ids": ids, "header": header, "rows": rows, "missing": missing}
    if isinstance(source, (np.ndarray, list)):
        _refuse_options(given | {"rows": None}, "an array")
        return Scores.from_matrix(source, measures=measures, rows=rows)
    if isinstance(source, Scores) or is_frame(source):
        _refuse_options(given, "a table")
        saved = source if isinstance(source, Scores) else _from_frame(to_frame(source, "the scores"), "the scores", {})
        return saved if measures is None else saved.select(measures)
    if not isinstance(source, (str, PathLike)):
        raise UsageError(
            f"cannot read scores from {type(source).__name__}; give a path, Scores, a frame with the columns system, "
            "query and one per measure, or an array of queries × systems"
        )
    file = Source(source)
    data = file.load().bytes
    head = data[:4096].tobytes().decode("utf-8-sig", "replace").partition("\n")[0]
    is_long = [name.strip(' "\r').lower() for name in head.split(",")[:2]] == ["system", "query"]
    if is_long or data[:4].tobytes() == PARQUET:
        _refuse_options(given, f"{file.origin}, which holds saved scores")
        saved = _from_saved(data, file.origin)
        return saved if measures is None else saved.select(measures)
    chosen = {option: value for option, value in given.items() if value is not None}
    values, found = read_matrix(data, file.origin, **chosen)
    title = without_packing(PurePath(file.origin).name).rsplit(".", 1)[0]
    named = [measures] if isinstance(measures, (str, Measure)) else list(measures or [labeled(title)])
    if len(named) != 1:
        raise UsageError(f"{file.origin} holds one measure; name it once, not {len(named)} times")
    scores = Scores.from_matrix(values, found["system"], found["query"], named, rows=rows or "queries")
    return replace(scores, notes=_unrecorded(file.origin))


def _refuse_options(given: dict[str, Any], what: str) -> None:
    for option, value in given.items():
        if value is not None:
            raise UsageError(f"{option} has no effect on {what}; it is for a score matrix in a text file")


def _unrecorded(origin: str) -> tuple[Note, ...]:
    return (Note(UNRECORDED, f"not recorded in {origin}"),)


def _from_saved(data: NDArray[np.uint8], origin: str) -> Scores:
    is_parquet = data[:4].tobytes() == PARQUET
    try:
        with hushed():
            if not is_parquet:
                return _from_frame(_csv_frame(decoded(data, origin), origin), origin, {})
            refuse_counts(data)
            packed = data.tobytes()
            about = json.loads(pl.read_parquet_metadata(io.BytesIO(packed)).get(METADATA, "{}"))
            return _from_frame(pl.read_parquet(packed), origin, about)
    except DataError:
        raise
    except RecursionError:
        raise _damaged("it is nested too deeply", origin) from None
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException, ValueError) as problem:
        first = (str(problem).splitlines() or [type(problem).__name__])[0]
        if is_parquet:
            raise DataError(f"this Parquet file is damaged ({first})", origin, hint="Save the scores again.") from None
        raise DataError(f"cannot be read as scores ({first})", origin) from None


def _damaged(why: str, origin: str) -> DataError:
    return DataError(f"what was saved beside the numbers is damaged ({why})", origin, hint="Save the scores again.")


def _csv_frame(text: str, origin: str) -> pl.DataFrame:
    """The cells as text; Polars reads on after a broken quote, and fills a short line, as that of a cut file, with gaps."""
    if '"' in text:
        _refuse_uneven(text, origin)
    try:
        frame = pl.read_csv(text.encode(), infer_schema=False)
    except pl.exceptions.PolarsError:
        _refuse_uneven(text, origin)
        if '"' not in text:
            raise
        line = text.count("\n", 0, text.index('"'))
        raise broken_quotes(csv.Error("a quote is inside a cell"), origin, line) from None
    if text.count(",") != (frame.height + 1) * (frame.width - 1):
        _refuse_uneven(text, origin)
    if any("_duplicated_" in name for name in frame.columns):  # which Polars calls the second of one name
        refuse_repeated(next(text_rows(text, ",", origin))[1], origin)
    if not text.endswith(("\n", "\r")):  # 0.12 may be what is left of 0.125; save() ends every line
        last = 1 + text.count("\n")
        message = f"line {last:,}, the last one, has no line end: the file may have been cut inside a number"
        raise DataError(message, origin, hint="Save the scores again, or end the line if it is whole.")
    return frame


def _refuse_uneven(text: str, origin: str) -> None:
    """Name the line with a broken quote, or with more or fewer cells than the header."""
    width = 0
    for line, row in text_rows(text.replace("\r", " "), ",", origin):  # by itself it ends no line
        width = width or len(row)
        if len(row) != width:
            cut, wide = "Save the scores again: the file may have been cut.", "Quote cells that have commas in them."
            message = f"line {line} has {plural(len(row), 'cell')}, the header {width}"
            raise DataError(message, origin, hint=cut if len(row) < width else wide)


def _from_frame(frame: pl.DataFrame, origin: str, about: Any) -> Scores:
    """`about` is what was saved beside the numbers; empty where somebody else wrote them."""

    def refuse(odd: pl.Series, what: str, hint: str = "", *cells: str) -> None:
        if odd.any():
            rows = odd.arg_true().to_list()[:4]
            shown = frame[rows].select("system", "query", *cells).rows()
            places = [f"row {at + 1}: {', '.join(map(str, row))}" for at, row in zip(rows, shown, strict=True)]
            raise DataError(what, origin, places, hint)

    keys = ("system", "query")
    frame = frame.rename({name: name.lower() for name in frame.columns[:2] if name.lower() in keys})
    columns = frame.columns[2:]
    if tuple(frame.columns[:2]) != keys or not columns:
        places = [f"columns: {clip(', '.join(frame.columns), 300)}"]
        raise DataError("scores need the columns system, query and one per measure", origin, places)
    parts = 3 if isinstance(about, dict) and about.get("bounds") is True else 1  # values, the lowest and the highest
    if not isinstance(about, dict) or len(columns) % parts:
        raise _damaged(clip(str(about)), origin)
    measures = _measures(columns[: len(columns) // parts], origin, is_ours=bool(about))
    is_whole = frame.schema["query"].is_integer()
    for name in keys:
        if frame.schema[name].is_nested() or frame.schema[name] in {pl.Object, pl.Binary}:
            raise DataError(f"column {name!r} is neither text nor whole numbers ({frame.schema[name]})", origin)
    frame = frame.with_columns(pl.col(keys).cast(pl.String))
    values = np.empty((len(frame), len(columns)))
    for at, name in enumerate(columns):
        column, what = frame[name], f"column {clip(name)!r} is not numeric"
        # Text has to be numbers; times are none, though Polars would make some of them.
        if not (column.dtype.is_numeric() or column.dtype in {pl.String, pl.Boolean, pl.Null, pl.Categorical}):
            raise DataError(f"{what} ({column.dtype})", origin, hint="Leave it out.")
        numbers = column.cast(pl.Float64, strict=False)
        refuse(numbers.is_null() & column.is_not_null(), what, "", name)
        values[:, at] = numbers.fill_null(math.nan)
    if frame.is_empty():
        raise DataError("contains no scores", origin)
    sizes = np.abs(values)
    large = f"a score of {np.fmax.reduce(sizes, axis=None, initial=0):g} is too large; scores are at most {LARGEST:g}"
    refuse(frame["system"].is_null() | frame["query"].is_null(), "a row has no system or no query")
    refuse(pl.Series(np.isinf(values).any(axis=1)), "a score is infinite")
    refuse(pl.Series((sizes > LARGEST).any(axis=1)), large)
    refuse(frame.select(keys).is_duplicated(), "duplicate query id within a system", "Keep one row.")
    for at, name in enumerate(columns):
        if not about and np.isnan(values[:, at]).all():
            raise DataError(f"column {clip(name)!r} has no scores", origin, hint="Leave it out.")
    names = [frame[name].unique(maintain_order=True) for name in keys]
    systems, queries = (tuple(known.to_list()) for known in names)
    if not about:
        refuse_summary(queries, "query", origin)
    cube = np.full((len(systems), len(queries), len(columns)), np.nan)
    cube[tuple(frame[name].cast(pl.Enum(known)).to_physical() for name, known in zip(keys, names, strict=True))] = (
        values
    )
    kept, *sides = (part.copy() for part in np.split(cube, parts, axis=2))
    try:
        known = _known(about, queries, origin, is_whole=is_whole)
        return Scores(systems, queries, measures, kept, bounds=(sides[0], sides[1]) if sides else None, **known)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise _damaged(clip(str(problem)), origin) from None


def _measures(names: Sequence[str], origin: str, *, is_ours: bool) -> tuple[Measure, ...]:
    """Those of the columns; what looks like a measure must be one, unless it was saved as a label."""
    found: dict[Measure, str] = {}
    for name in names:
        if not name.strip():
            raise DataError("a column has no name", origin, hint="Call each column of scores by its measure.")
        if not is_ours and name.strip().lower() in _TIMES:
            raise DataError(f"column {clip(name)!r} is not a measure", origin, hint="Leave it out, or rename it.")
        try:
            measure = parse(name) if not is_ours and ("@" in name or "(" in name) else measure_or_label(name)
        except MeasureError as problem:
            raise DataError(f"a column is not a measure: {problem}", origin) from None
        if found.setdefault(measure, name) is not name:
            both = f"columns: {clip(', '.join([found[measure], name]))}"
            raise DataError(f"duplicate measure {measure}", origin, [both])
    return tuple(found)


def _known(saved: dict[str, Any], queries: Sequence[str], origin: str, *, is_whole: bool) -> dict[str, Any]:
    """Policy, notes and what is known of the axes, as they were saved beside the numbers."""
    notes = () if "policy" in saved else _unrecorded(origin)
    # Version 0.1 saved the origin of a note as its "file", and weights by themselves.
    notes += tuple(_made(Note, {"origin": note.pop("file", None), **note}) for note in saved.get("notes", ()))
    policy = Policy(**saved["policy"]) if "policy" in saved else DEFAULT
    known = {field.name: saved[field.name] for field in fields(About) if field.name in saved}
    about = _made(About, {"whole": is_whole, **known})
    if not about.noun:
        raise TypeError("noun is empty")
    weights = saved.get("weights", about.queries.get(WEIGHT))
    if weights is not None:
        given = aligned_weights(dict(zip(queries, weights, strict=True)), queries)
        about = replace(about, queries={**about.queries, WEIGHT: tuple(given.tolist())})
    return {"policy": policy, "notes": notes, "about": about}


def _made(kind: Callable[..., Any], saved: dict[str, Any]) -> Any:
    """A note, or what is known of the axes, its fields of the types that they declare."""
    found: dict[str, Any] = {}
    for name, value in saved.items():
        declared = parameter(kind, name)
        if declared is None:
            raise TypeError(f"no field {name!r}")
        one = declared.settled(value)
        one = {column: tuple(cells) for column, cells in one.items()} if isinstance(one, dict) else one
        found[name] = tuple(one) if isinstance(one, list) else one
    return kind(**found)
