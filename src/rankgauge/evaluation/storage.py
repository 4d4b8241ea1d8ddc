"""Scores kept in a file, to come back to: Parquet with everything that made them, or a plain CSV of the numbers."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.errors import DataError, RankgaugeError, UsageError
from rankgauge.evaluation.notes import Note
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.grammar import parse

_KEY = "rankgauge"


def scores_bytes(scores: Scores, ending: str) -> bytes:
    """The file's content; `ending` is .parquet or .csv."""
    own = [str(measure) for measure in scores.measures if measure.is_custom]
    if own:
        raise UsageError(f"{own[0]} holds a Python function, which no file can keep; leave it out before saving")
    out = io.BytesIO()
    if ending == ".csv":
        scores.to_polars().write_csv(out)
    elif ending == ".parquet":
        weights = None if scores.weights is None else scores.weights.tolist()
        notes = [note.to_dict() for note in scores.notes]
        about = {"policy": scores.policy.to_dict(), "notes": notes, "weights": weights}
        scores.to_polars().write_parquet(out, metadata={_KEY: json.dumps(about)})
    else:
        raise UsageError(f"scores are kept as .parquet or .csv, not as {ending or 'a file without ending'}")
    return out.getvalue()


def read_scores(path: str | Path) -> Scores:
    """Scores from a file that was saved before, or from a CSV with columns system, query and one per measure."""
    source = Path(path)
    try:
        about, frame = _load(source)
    except FileNotFoundError:
        raise DataError("there is no such file", str(path)) from None
    except (OSError, pl.exceptions.PolarsError, UnicodeDecodeError) as problem:
        raise DataError(f"cannot be read as scores ({str(problem).splitlines()[0]})", str(path)) from None
    if frame.columns[:2] != ["system", "query"] or len(frame.columns) < 3:
        raise DataError(
            "scores have the columns system, query and one per measure",
            str(path),
            [f"columns: {', '.join(frame.columns)}"],
        )
    try:
        measures = tuple(parse(name) for name in frame.columns[2:])
        values = frame.select(pl.col(frame.columns[2:]).cast(pl.Float64)).to_numpy()
    except (RankgaugeError, pl.exceptions.PolarsError) as problem:
        raise DataError(f"a column is not a measure with numbers: {problem}", str(path)) from None
    systems, queries = (tuple(frame[name].unique(maintain_order=True).to_list()) for name in ("system", "query"))
    place = {name: {key: at for at, key in enumerate(keys)} for name, keys in (("s", systems), ("q", queries))}
    cube = np.full((len(systems), len(queries), len(measures)), np.nan)
    rows = [place["s"][name] for name in frame["system"]], [place["q"][name] for name in frame["query"]]
    cube[rows] = values
    notes = tuple(
        Note(
            note["kind"], note["text"], note["count"], note.get("system"), note.get("measure"), tuple(note["examples"])
        )
        for note in about.get("notes", ())
    )
    policy = Policy(**about["policy"]) if "policy" in about else DEFAULT
    weights = None if about.get("weights") is None else np.array(about["weights"], np.float64)
    return Scores(systems, queries, measures, cube, policy, notes, weights=weights)


def _load(source: Path) -> tuple[dict[str, Any], pl.DataFrame]:
    ids = {"system": pl.String, "query": pl.String}
    if source.suffix == ".parquet":
        about = json.loads(pl.read_parquet_metadata(source).get(_KEY, "{}"))
        return about, pl.read_parquet(source)
    return {}, pl.read_csv(source, schema_overrides=ids)
