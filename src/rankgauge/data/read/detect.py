"""What kind of file this is: by its ending, else by its first lines."""

from __future__ import annotations

import csv
import json
import re
from typing import Literal

from rankgauge.data.read.file import UTF16, without_marks
from rankgauge.data.tables.columns import is_header
from rankgauge.frozen import dataclass

Kind = Literal["trec", "delimited", "json", "jsonl", "parquet", "letor", "column", "binary"]
PARQUET = b"PAR1"
_FEATURE = re.compile(r"\d+:[-+.\deE]+")
_KINDS: dict[str, Kind] = {
    ".trec": "trec",
    ".run": "trec",
    ".qrels": "trec",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".letor": "letor",
    ".svmlight": "letor",
    ".libsvm": "letor",
}
_NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*")
_FEW = 1 << 11
_SEPARATORS = {".csv": ",;\t|", ".tsv": "\t"}


@dataclass(frozen=True)
class Form:
    """A kind of file; for delimited text also the separator."""

    kind: Kind
    separator: str = ""


def detect(name: str, head: bytes) -> Form:
    """`name` is the file's name without .gz or .zst, `head` the beginning of its content."""
    if head.startswith(PARQUET) or name.endswith((".parquet", ".pq")):
        return Form("parquet")
    if head.startswith(UTF16) or b"\0" in head:
        return Form("binary")
    known = next((kind for ending, kind in _KINDS.items() if name.endswith(ending)), None)
    if known is not None:
        return Form(known)
    return _look(name, _first_lines(without_marks(head).decode(errors="replace")))


def _first_lines(text: str) -> list[str]:
    """Lines that are not blank: a few if these will do, else all."""
    for part in (text[:_FEW], text):
        lines = [line for line in part.splitlines() if line.strip()]
        if sum(not line.startswith("#") for line in lines) > 2:
            break
    return lines


def _look(name: str, lines: list[str]) -> Form:
    """What the first lines that are not blank look like; the name only says which signs may separate."""
    first = lines[0] if lines else ""
    if first.lstrip().startswith(("{", "[")) or name.endswith(".json"):
        return Form("jsonl" if _is_record(first) and len(lines) > 1 else "json")
    separators = next((signs for ending, signs in _SEPARATORS.items() if name.endswith(ending)), "\t,;")
    separator = next((sign for sign in separators if sign in first and is_header(cells(first, sign))), None)
    if separator is not None:
        return Form("delimited", separator)
    if _is_letor(lines):
        return Form("letor")
    if lines and all(map(_NUMBER.fullmatch, lines[:20])):
        return Form("column")
    # A .tsv without a header is TREC text with tabs, as MS MARCO writes it; a .csv without one lacks its names.
    return Form("delimited", ",") if name.endswith(".csv") and "," in first else Form("trec")


def cells(line: str, separator: str) -> list[str]:
    """The cells of one line; quotes keep separators."""
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:
        return []


def _is_record(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _is_letor(lines: list[str]) -> bool:
    """`grade qid:7 1:0.3 …`, or `grade 1:0.3 …` with the queries in a file beside it."""
    bodies = (line.partition("#")[0].split() for line in lines)
    words = next((body for body in bodies if body), [])
    return len(words) > 1 and (words[1].startswith("qid:") or all(map(_FEATURE.fullmatch, words[1:4])))
