"""Scores kept in a file, to come back to: Parquet with everything that made them, or a plain CSV of the numbers."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import polars as pl

from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.errors import DataError, RankgaugeError, UsageError
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.grammar import parse
from rankgauge.tables.notes import UNRECORDED, Note

_KEY = "rankgauge"
_PARQUET = b"PAR1"


def scores_bytes(scores: Scores, ending: str) -> bytes:
    """The file's content; `ending` is .parquet or .csv."""
    own = [str(measure) for measure in scores.measures if measure.is_custom]
    if own:
        raise UsageError(f"{own[0]} holds a Python function, which no file can keep; leave it out before saving")
    out = io.BytesIO()
    if ending == ".csv":
        if scores.weights is not None:
            raise UsageError("a CSV has no place for the weights of queries; keep these scores as .parquet")
        scores.to_polars().write_csv(out)
    elif ending == ".parquet":
        weights = None if scores.weights is None else scores.weights.tolist()
        notes = [note.to_dict() for note in scores.notes]
        about = {"policy": scores.policy.to_dict(), "notes": notes, "weights": weights}
        scores.to_polars().write_parquet(out, metadata={_KEY: json.dumps(about)})
    else:
        raise UsageError(f"scores are kept as .parquet or .csv, not as {ending or 'a file without ending'}")
    return out.getvalue()


def holds_scores(data: bytes) -> bool:
    """Whether these are the bytes of kept scores, rather than of some other table of numbers."""
    if data.startswith(_PARQUET):
        return True
    head = data[:4096].decode("utf-8-sig", "replace").partition("\n")[0]
    return [name.strip(' "\r').lower() for name in head.split(",")[:2]] == ["system", "query"]


def read_scores(path: str | Path | BinaryIO) -> Scores:
    """Scores from a file that was saved before, or from a CSV with columns system, query and one per measure."""
    source = Path(path) if isinstance(path, (str, Path)) else path
    origin = str(path) if isinstance(path, (str, Path)) else str(getattr(path, "name", "the scores"))
    try:
        about, frame = _load(source)
    except FileNotFoundError:
        raise DataError("there is no such file", origin) from None
    except (OSError, pl.exceptions.PolarsError, UnicodeDecodeError) as problem:
        raise DataError(f"cannot be read as scores ({str(problem).splitlines()[0]})", origin) from None
    if frame.columns[:2] != ["system", "query"] or len(frame.columns) < 3:
        raise DataError(
            "scores have the columns system, query and one per measure",
            origin,
            [f"columns: {', '.join(frame.columns)}"],
        )
    try:
        measures = tuple(parse(name) for name in frame.columns[2:])
        values = frame.select(pl.col(frame.columns[2:]).cast(pl.Float64)).to_numpy()
    except (RankgaugeError, pl.exceptions.PolarsError) as problem:
        raise DataError(f"a column is not a measure with numbers: {problem}", origin) from None
    systems, queries = (tuple(frame[name].unique(maintain_order=True).to_list()) for name in ("system", "query"))
    place = {name: {key: at for at, key in enumerate(keys)} for name, keys in (("s", systems), ("q", queries))}
    cube = np.full((len(systems), len(queries), len(measures)), np.nan)
    rows = [place["s"][name] for name in frame["system"]], [place["q"][name] for name in frame["query"]]
    _refuse_repeated(frame, origin)
    cube[rows] = values
    notes: tuple[Note, ...] = () if "policy" in about else (Note(UNRECORDED, f"not recorded in {origin}"),)
    notes += tuple(
        Note(
            note["kind"], note["text"], note["count"], note.get("system"), note.get("measure"), tuple(note["examples"])
        )
        for note in about.get("notes", ())
    )
    policy = Policy(**about["policy"]) if "policy" in about else DEFAULT
    weights = None if about.get("weights") is None else np.array(about["weights"], np.float64)
    return Scores(systems, queries, measures, cube, policy, notes, weights=weights)


def _refuse_repeated(frame: pl.DataFrame, origin: str) -> None:
    repeated = frame.select("system", "query").is_duplicated()
    if repeated.any():
        some = frame.with_row_index("row", offset=1).filter(repeated).select("row", "system", "query").head(4)
        places = [f"row {row}: {system}, {query}" for row, system, query in some.iter_rows()]
        raise DataError("a system has two rows for a query", origin, places, "Keep one of them.")


def _load(source: Path | BinaryIO) -> tuple[dict[str, Any], pl.DataFrame]:
    with source.open("rb") if isinstance(source, Path) else contextlib.nullcontext(source) as file:
        data = file.read()
    if data.startswith(_PARQUET):
        about = json.loads(pl.read_parquet_metadata(io.BytesIO(data)).get(_KEY, "{}"))
        return about, pl.read_parquet(io.BytesIO(data))
    return {}, pl.read_csv(data, schema_overrides={"system": pl.String, "query": pl.String})
