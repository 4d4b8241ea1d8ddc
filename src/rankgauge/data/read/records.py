"""Any small table with named columns, whole: names and rows of plain Python values, each with its line."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge.data.read import json
from rankgauge.data.read.csv_parquet import PARQUET, broken_quotes, cells, scan_parquet, sound_parquet, text_rows
from rankgauge.data.read.file import Source, decoded
from rankgauge.data.read.json import Members
from rankgauge.data.read.trec import binary
from rankgauge.data.tables.faults import UnreadableError
from rankgauge.errors import plural
from rankgauge.tables.notes import clip, noted

IsHeader = Callable[[Sequence[str]], bool]


@dataclass(frozen=True)
class Records:
    """Columns by name; `lines` holds the line of each row, where rows have lines."""

    columns: dict[str, list[Any]]
    lines: list[int] | None = None


def read_records(source: Source, is_header: IsHeader, bare: tuple[str, ...]) -> Records:
    """A table whose first line `is_header`; without one, text of the `bare` columns, the last taking what remains."""
    content = source.load()
    head = content.head()
    if head.startswith(PARQUET):
        with sound_parquet(source.origin):
            return Records(scan_parquet(content).collect().to_dict(as_series=False))
    if b"\0" in head:
        raise UnreadableError(binary(source.origin, head))
    text = decoded(content.bytes, source.origin)
    if text.lstrip().startswith(("{", "[")):
        return _json(text, source.origin)
    lines = [(at, line) for at, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise UnreadableError(noted("empty", "the file is empty", source.origin))
    separator = next((sign for sign in "\t,;" if is_header(cells(lines[0][1], sign))), None)
    return _bare(lines, bare) if separator is None else _delimited(text, separator, source.origin)


def _delimited(text: str, separator: str, origin: str) -> Records:
    found, at = [], 0
    try:
        for at, row in text_rows(text, separator):
            found.append((at, row))
    except csv.Error as problem:
        raise broken_quotes(problem, origin, at) from None
    (_, names), *rows = found
    for at, row in rows:
        if len(row) != len(names):
            place = f"line {at}: {clip(separator.join(row))}  ({plural(len(row), 'field')})"
            message = f"a line does not have {len(names)} fields"
            hint = f"The first line names {clip(', '.join(names), 200)}."
            raise UnreadableError(noted("wrong-fields", message, origin, 1, (place,), at, hint))
    columns = {name: [row[n] for _, row in rows] for n, name in enumerate(names)}
    return Records(columns, [at for at, _ in rows])


def _bare(lines: list[tuple[int, str]], names: tuple[str, ...]) -> Records:
    """`id TAB text`, or `id text`, or ids alone."""
    sign = "\t" if any("\t" in line for _, line in lines) else None
    parts = [line.strip().split(sign, len(names) - 1) for _, line in lines]
    columns = {name: [part[n].strip() if n < len(part) else None for part in parts] for n, name in enumerate(names)}
    return Records(columns, [at for at, _ in lines])


def _json(text: str, origin: str) -> Records:
    """[records], one record a line, {…: [records]}, {id: record} or {id: text}."""
    try:
        tree = json.parse(text)
    except (ValueError, RecursionError) as problem:
        lines = [(at, line) for at, line in enumerate(text.splitlines(), start=1) if line.strip()]
        try:
            return _together([json.parse(line) for _, line in lines], origin, [at for at, _ in lines])
        except (ValueError, RecursionError):
            raise json.broken(problem, origin) from None
    if isinstance(tree, Members):
        inner = [part for _, part in tree if isinstance(part, list) and not isinstance(part, Members)]
        if len(inner) == 1:
            tree = inner[0]
        elif all(isinstance(part, Members) for _, part in tree):
            tree = [Members([("id", name), *part]) for name, part in tree]
        elif all(isinstance(part, str) for _, part in tree):
            tree = [Members([("id", name), ("text", part)]) for name, part in tree]
        else:
            tree = [tree]
    return _together(tree, origin, None)


def _together(records: Any, origin: str, lines: list[int] | None) -> Records:
    if not isinstance(records, list) or not all(isinstance(record, Members) for record in records):
        raise UnreadableError(noted("not-records", "this JSON has no records with named columns", origin))
    dicts = [dict(record) for record in records]
    names = list(dict.fromkeys(name for record in dicts for name in record))
    return Records({name: [record.get(name) for record in dicts] for name in names}, lines)
