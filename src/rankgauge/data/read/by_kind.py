"""From a file to a table: look what it is, and hand it to the reader of its kind."""

from __future__ import annotations

import polars as pl

from rankgauge.data.read import delimited, json, letor, parquet, trec
from rankgauge.data.read.detect import Form, detect
from rankgauge.data.read.file import Source
from rankgauge.data.tables.columns import Wanted, has_system
from rankgauge.data.tables.frames import failed
from rankgauge.data.tables.table import FrameTable
from rankgauge.tables.notes import Note, noted


def read_table(source: Source, wanted: Wanted) -> FrameTable:
    """Columns query, document and the number, and `system` where the file has several runs."""
    content = source.load()
    if not len(content.bytes):
        return failed(wanted.number, _empty(source.origin))
    form = detect(source.name, content.head())
    if form.kind == "trec":
        return trec.read(source, content, wanted.number) if wanted.column is None else _no_columns(source, wanted)
    if form.kind == "delimited":
        return delimited.read(source, content, wanted, form.separator)
    if form.kind == "parquet":
        return parquet.read(source, content, wanted)
    if form.kind in {"column", "binary"}:
        odd = _column(source.origin, wanted) if form.kind == "column" else trec.binary(source.origin, content.head())
        return failed(wanted.number, odd)
    read = {"json": json.read, "jsonl": json.read_lines, "letor": letor.read}[form.kind]
    return read(source, content, wanted)


def form_of(source: Source) -> Form:
    """The kind of a file from its first lines, without reading it all."""
    return detect(source.name, source.head())


def tag_of(source: Source) -> str | None:
    """What the sixth field of a TREC run says at its beginning: who made it."""
    if form_of(source).kind != "trec":
        return None
    lines = (line.split() for line in source.head().splitlines())
    words = next((words for words in lines if words and not words[0].startswith(b"#")), [])
    return words[5].decode(errors="replace") if len(words) > 5 else None


def may_hold_several(source: Source, form: Form) -> bool:
    """Whether the file names systems; decided from the names of its columns where these can be had cheaply."""
    if form.kind == "delimited":
        return has_system(delimited.header(source.head(), form.separator)[0])
    if form.kind == "parquet":
        return has_system(parquet.columns(source.load()))
    if form.kind == "jsonl":
        return any(has_system(names) for names in json.names(source.head()))
    return form.kind == "json"


def _empty(origin: str) -> Note:
    return noted("empty", "the file is empty", origin, hint="Check that it was written to the end.")


def _column(origin: str, wanted: Wanted) -> Note:
    if wanted.number == "value":
        hint = "Labels alone need the rows of each query: Judgments(labels, group_sizes=...), or --group-sizes FILE."
    else:
        hint = "Predictions alone are evaluated beside judgments that have as many rows, in the same order."
    return noted("one-column", "this is a column of numbers, without queries and documents", origin, hint=hint)


def _no_columns(source: Source, wanted: Wanted) -> FrameTable:
    message = f"TREC text has no columns to choose {wanted.column!r} from"
    return failed(wanted.number, noted("unknown-column", message, source.origin, hint="Name the file alone."))


def rank_column(source: Source) -> pl.Series | None:
    """The ranks that a run states beside its scores; they order nothing, but disagreement is worth a note."""
    content = source.load()
    form = detect(source.name, content.head())
    if form.kind == "trec":
        return trec.ranks(content)
    if form.kind not in {"delimited", "parquet"}:
        return None
    table = read_table(source, Wanted("score", "rank"))
    return None if table.faults or "system" in table.rows.columns else table.rows["score"]
