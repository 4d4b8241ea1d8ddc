"""What kind of file this is, by its ending or its first lines, and the reader for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import polars as pl

from rankgauge.data.columns import failed, has_system, is_header
from rankgauge.data.read import delimited, trec
from rankgauge.data.read.bytes import BOM, UTF16, Content, Source, damages, refuse_marks, without_marks
from rankgauge.data.read.delimited import PARQUET, cells
from rankgauge.data.table import Piece, RowTable, Wanted
from rankgauge.errors import DataError
from rankgauge.tables.notes import noted

Kind = Literal["trec", "delimited", "json", "jsonl", "parquet", "letor", "column", "binary"]
_FEATURE = re.compile(r"\d+:[-+.\deE]+")
_KINDS: dict[str, Kind] = {
    **dict.fromkeys((".trec", ".run", ".qrels"), "trec"),
    **dict.fromkeys((".jsonl", ".ndjson"), "jsonl"),
    **dict.fromkeys((".letor", ".svmlight", ".libsvm"), "letor"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
}
_NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*")
_SEPARATORS = {".csv": ",;\t|", ".tsv": "\t"}


@dataclass(frozen=True)
class Form:
    """A kind of file; for delimited text also the separator."""

    kind: Kind
    separator: str = ""


def read_table(source: Source, wanted: Wanted) -> RowTable:
    """Columns query, document and the number, and `system` where the file has several runs; with its faults in it."""
    try:
        content = source.load()
        form = detect(source.name, content.head())
        _refuse(source.origin, content, form, wanted)
        if form.kind == "trec":
            return trec.read(source, content, wanted.number)
        if form.kind == "delimited":
            return delimited.read_delimited(source, content, wanted, form.separator)
        if form.kind == "parquet":
            return delimited.read_parquet(source, content, wanted)
        from rankgauge.data.read import json as as_json
        from rankgauge.data.read import letor

        read = {"json": as_json.read, "jsonl": as_json.read_lines, "letor": letor.read}[form.kind]
        return read(source, content, wanted)
    except DataError as fault:
        if fault.note is None:
            raise
        return failed(wanted.number, fault.note)


def _refuse(origin: str, content: Content, form: Form, wanted: Wanted) -> None:
    """What no reader can make a table of."""
    odd = None
    if not len(content.bytes):
        odd = noted("empty", "the file is empty", origin, hint="Check that it was written to the end.")
    elif form.kind == "binary":
        odd = trec.binary(origin, content.head())
    elif form.kind == "trec" and wanted.column is not None:
        message = f"TREC text has no columns to choose {wanted.column!r} from"
        odd = noted("unknown-column", message, origin, hint="Name the file alone.")
    elif form.kind == "column":
        hint = {
            "value": "Labels alone need the rows of each query: Judgments(labels, group_sizes=...), or --group-sizes FILE.",
            "score": "Predictions alone are evaluated beside judgments that have as many rows, in the same order.",
        }[wanted.number]
        odd = noted("one-column", "this is a column of numbers, without queries and documents", origin, hint=hint)
    if odd is not None:
        raise odd.error()
    if form.kind in {"trec", "delimited", "letor"}:
        refuse_marks(content.bytes, origin)


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


def parts_of(source: Source, number: str, size: int) -> Iterator[Piece] | None:
    """Parts of about `size` bytes; None for what cannot be cut: other formats, scattered queries, what can be read only once."""
    if source.is_stream or not source.path.is_file():
        return None
    try:
        head, blocks = source.head(), source.blocks(size)
    except damages():
        return None
    if not head or detect(source.name, head).kind != "trec" or trec.are_scattered(head):
        return None
    layout = trec.layout_of(head, number)
    texts = trec.parts_of_plain(source.path, size) if blocks is None else trec.parts_of_blocks(blocks)
    return (partial(trec.read_piece, text, layout, number) for text in texts)


def may_hold_several(source: Source, form: Form) -> bool:
    """Whether the file names systems; decided from the names of its columns where these can be had cheaply."""
    if form.kind == "delimited":
        return has_system(delimited.header(source.head(), form.separator))
    if form.kind == "parquet":
        return has_system(delimited.parquet_columns(source))
    if form.kind == "jsonl":
        return any(has_system(_object(line) or ()) for line in source.head().removeprefix(BOM).splitlines())
    return form.kind == "json"


def rank_column(source: Source) -> pl.Series | None:
    """The ranks that a run states beside its scores; they order nothing, but disagreement is worth a note."""
    content = source.load()
    kind = detect(source.name, content.head()).kind
    if kind == "trec":
        return trec.ranks(content)
    if kind not in {"delimited", "parquet"}:
        return None
    table = read_table(source, Wanted("score", "rank"))
    return None if table.faults or "system" in table.rows.columns else table.rows["score"]


def detect(name: str, head: bytes) -> Form:
    """`name` is the file's name without .gz or .zst, `head` the beginning of its content."""
    known = next((kind for ending, kind in _KINDS.items() if name.endswith(ending)), None)
    if head.startswith(PARQUET) or known == "parquet":
        known = "parquet"
    elif head.startswith(UTF16) or b"\0" in head:
        known = "binary"
    if known is not None:
        return Form(known)
    # What the first lines look like; the name only says which signs may separate.
    lines = [line for line in without_marks(head).decode(errors="replace").splitlines() if line.strip()]
    first = lines[0] if lines else ""
    if first.lstrip().startswith(("{", "[")) or name.endswith(".json"):
        return Form("jsonl" if len(lines) > 1 and _object(first) is not None else "json")
    separators = next((signs for ending, signs in _SEPARATORS.items() if name.endswith(ending)), "\t,;")
    separator = next((sign for sign in separators if sign in first and is_header(cells(first, sign))), None)
    if separator is not None:
        return Form("delimited", separator)
    words = next((words for words in (line.partition("#")[0].split() for line in lines) if words), [])
    # `grade qid:7 1:0.3 …`, or `grade 1:0.3 …` with the queries in a file beside it.
    if len(words) > 1 and (words[1].startswith("qid:") or all(map(_FEATURE.fullmatch, words[1:4]))):
        return Form("letor")
    if lines and all(map(_NUMBER.fullmatch, lines[:20])):
        return Form("column")
    # A .tsv without a header is TREC text with tabs, as MS MARCO writes it; a .csv without one lacks its names.
    return Form("delimited", ",") if name.endswith(".csv") and "," in first else Form("trec")


def _object(line: str | bytes) -> dict[str, Any] | None:
    """The object of JSON that a line is."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
