"""Scores in files and frames: saved scores, a matrix in a text file, a frame of system, query and measures."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
import polars as pl

from rankgauge.arrays import Floats
from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.data.read.file import Source
from rankgauge.data.read.score_matrix import Missing, Rows, read_score_matrix
from rankgauge.data.sources import is_frame
from rankgauge.data.tables.frames import to_frame
from rankgauge.errors import DataError, MeasureError, UsageError
from rankgauge.evaluation.scores import METADATA, Scores, measure_or_label
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure, labeled
from rankgauge.tables.notes import UNRECORDED, Note, clip

_PARQUET = b"PAR1"


def read_scores(
    source: Any,
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    ids: bool | Sequence[str] | None = None,
    header: bool | None = None,
    rows: Rows | None = None,
    missing: Missing | None = None,
) -> Scores:
    """Read saved scores, a score matrix, or a frame or array of scores.

    `source` is a path ("-" is standard input) to a file written by `Scores.save`, to a CSV file with the columns
    system, query and one per measure, or to a matrix as text with one row per query and one column per system; or a
    frame with the columns system, query and one per measure; or an array of systems × queries (× measures).

    `measures` are those to keep; a matrix in a text file has one, and this names it (default: the name of the file).
    The other options are for such a matrix. `ids` are the columns with query ids: True for the first, False for none,
    or their names. `header` says whether the first line holds names. `rows` is "queries" or "systems". `missing` says
    what to do with empty cells: "error", "drop" or "zero".
    """
    given = {"ids": ids, "header": header, "rows": rows, "missing": missing}
    if isinstance(source, (np.ndarray, list)):
        _refuse_options(given, "an array")
        return Scores.from_matrix(source, measures=measures)
    if isinstance(source, Scores) or is_frame(source):
        _refuse_options(given, "a table")
        table = source if isinstance(source, Scores) else _from_frame(to_frame(source, "the scores"), "the scores", {})
        return table if measures is None else table.select(measures)
    if not isinstance(source, (str, PathLike)):
        raise UsageError(
            f"cannot read scores from {type(source).__name__}; give a path, Scores, a frame with the columns system, "
            "query and one per measure, or an array of systems × queries"
        )
    file = Source(source)
    data = file.load().bytes.tobytes()
    if _holds_saved(data):
        _refuse_options(given, f"{file.origin}, which holds saved scores")
        saved = _from_saved(data, file.origin)
        return saved if measures is None else saved.select(measures)
    found = read_score_matrix(
        data, file.origin, ids=ids, header=header, rows=rows or "queries", missing=missing or "error"
    )
    names = [measures] if isinstance(measures, (str, Measure)) else list(measures or [labeled(found.name)])
    if len(names) != 1:
        raise UsageError(f"{file.origin} holds one measure; name it once, not {len(names)} times")
    scores = Scores.from_matrix(found.values, found.systems, found.queries, names)
    return replace(scores, notes=_unrecorded(file.origin))


def _refuse_options(given: dict[str, Any], what: str) -> None:
    for option, value in given.items():
        if value is not None:
            raise UsageError(f"{option} has no effect on {what}; it is for a score matrix in a text file")


def _unrecorded(origin: str) -> tuple[Note, ...]:
    return (Note(UNRECORDED, f"not recorded in {origin}"),)


def _holds_saved(data: bytes) -> bool:
    """Whether these are the bytes of saved scores rather than of a matrix."""
    if data.startswith(_PARQUET):
        return True
    head = data[:4096].decode("utf-8-sig", "replace").partition("\n")[0]
    return [name.strip(' "\r').lower() for name in head.split(",")[:2]] == ["system", "query"]


def _from_saved(data: bytes, origin: str) -> Scores:
    try:
        if data.startswith(_PARQUET):
            about = json.loads(pl.read_parquet_metadata(io.BytesIO(data)).get(METADATA, "{}"))
            return _from_frame(pl.read_parquet(io.BytesIO(data)), origin, about)
        frame = pl.read_csv(data, schema_overrides={"system": pl.String, "query": pl.String})
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException, ValueError) as problem:
        if isinstance(problem, DataError):
            raise
        first = (str(problem).splitlines() or [type(problem).__name__])[0]
        raise DataError(f"cannot be read as scores ({first})", origin) from None
    return _from_frame(frame, origin, {})


def _from_frame(frame: pl.DataFrame, origin: str, about: dict[str, Any]) -> Scores:
    """`about` is what was saved beside the numbers."""
    if frame.columns[:2] != ["system", "query"] or len(frame.columns) < 3:
        raise DataError(
            "scores need the columns system, query and one per measure",
            origin,
            [f"columns: {', '.join(frame.columns)}"],
        )
    measures = tuple(_measure(name, origin, is_ours=bool(about)) for name in frame.columns[2:])
    whole = frame.schema["query"].is_integer()
    try:
        frame = frame.with_columns(pl.col("system", "query").cast(pl.String))
        values = frame.select(pl.col(frame.columns[2:]).cast(pl.Float64).fill_null(float("nan"))).to_numpy()
    except pl.exceptions.PolarsError as problem:
        raise DataError(f"a measure's column is not numeric: {str(problem).splitlines()[0]}", origin) from None
    _refuse_gaps(frame, values, origin)
    systems, queries = (frame[name].unique(maintain_order=True) for name in ("system", "query"))
    cube = np.full((len(systems), len(queries), len(measures)), np.nan)
    places = ({key: at for at, key in enumerate(keys)} for keys in (systems, queries))
    rows = [[place[key] for key in frame[name]] for name, place in zip(("system", "query"), places, strict=True)]
    cube[tuple(rows)] = values
    try:
        policy, notes, weights = _beside(about, origin)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        hint = "Save the scores again."
        raise DataError(
            f"what was saved beside the numbers is damaged ({clip(str(problem))})", origin, hint=hint
        ) from None
    return Scores(tuple(systems), tuple(queries), measures, cube, policy, notes, weights=weights, whole=whole)


def _beside(about: dict[str, Any], origin: str) -> tuple[Policy, tuple[Note, ...], Floats | None]:
    """The policy, the notes and the weights of the queries."""
    notes = () if "policy" in about else _unrecorded(origin)
    for note in about.get("notes", ()):
        who = note.get("system"), note.get("measure")
        notes += (Note(note["kind"], note["text"], note["count"], *who, tuple(note["examples"])),)
    policy = Policy(**about["policy"]) if "policy" in about else DEFAULT
    weights = None if about.get("weights") is None else np.array(about["weights"], np.float64)
    return policy, notes, weights


def _measure(name: str, origin: str, *, is_ours: bool) -> Measure:
    """A column's measure; what looks like a measure must be one, unless it was saved as a label."""
    if is_ours or not ("@" in name or "(" in name):
        return measure_or_label(name)
    try:
        return parse(name)
    except MeasureError as problem:
        raise DataError(f"a column is not a measure: {problem}", origin) from None


def _refuse_gaps(frame: pl.DataFrame, values: Floats, origin: str) -> None:
    if frame.is_empty():
        raise DataError("contains no scores", origin)
    if frame["system"].null_count() or frame["query"].null_count():
        raise DataError("a row has no system or no query", origin)
    if np.isinf(values).any():
        raise DataError(f"{np.isinf(values).sum()} scores are infinite", origin)
    repeated = frame.select("system", "query").is_duplicated()
    if repeated.any():
        some = frame.with_row_index("row", offset=1).filter(repeated).select("row", "system", "query").head(4)
        places = [f"row {row}: {system}, {query}" for row, system, query in some.iter_rows()]
        raise DataError("duplicate query id within a system", origin, places, "Keep one row.")
