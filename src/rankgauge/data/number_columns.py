"""Columns of numbers out of a table in a file, for score()."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from rankgauge.errors import DataError, did_you_mean


def read_table(path: str | Path) -> pl.DataFrame:
    """A CSV, TSV or Parquet table as it is; ids stay text because nothing is guessed but numbers."""
    source = Path(path)
    try:
        if source.suffix == ".parquet":
            return pl.read_parquet(source)
        separator = "\t" if source.suffix in {".tsv", ".tab"} else ","
        return pl.read_csv(source, separator=separator, infer_schema=False)
    except FileNotFoundError:
        raise DataError("there is no such file", str(path)) from None
    except (OSError, pl.exceptions.PolarsError) as problem:
        raise DataError(f"cannot be read as a table ({str(problem).splitlines()[0]})", str(path)) from None


def number_column(frame: pl.DataFrame, name: str, origin: str) -> list[float]:
    """One column as numbers; the first row that holds none is named."""
    text = text_column(frame, name, origin)
    numbers = text.str.strip_chars().cast(pl.Float64, strict=False)
    odd = (numbers.is_null() | ~numbers.is_finite().fill_null(False)).arg_true()
    if len(odd):
        place = int(odd[0])
        raise DataError(
            f"column {name!r}: {len(odd):,} of {len(text):,} cells are not finite numbers",
            origin,
            [f"line {place + 2}: {text[place]!r}"],
            "Leave these rows out, or give them a number.",
        )
    return numbers.to_list()


def text_column(frame: pl.DataFrame, name: str, origin: str) -> pl.Series:
    if name not in frame.columns:
        raise DataError(
            f"there is no column {name!r}",
            origin,
            [f"columns: {', '.join(frame.columns)}"],
            did_you_mean(name, frame.columns),
        )
    return frame[name].cast(pl.String)


def only_column(path: str | Path) -> list[float]:
    """The numbers of a file with one column, with or without a heading."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError:
        raise DataError("there is no such file", str(path)) from None
    except (OSError, UnicodeDecodeError):
        raise DataError("cannot be read as a column of numbers", str(path)) from None
    numbers = []
    for at, line in enumerate(lines, 1):
        cell = line.strip()
        if not cell:
            continue
        try:
            numbers.append(float(cell))
        except ValueError:
            if at > 1:
                raise DataError(
                    f"{cell[:40]!r} is not a number",
                    str(path),
                    [f"line {at}"],
                    "Give one number a line, or use --file with columns.",
                ) from None
    return numbers
