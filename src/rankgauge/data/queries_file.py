"""A file about the queries: their words, and columns to slice by."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rankgauge.data.files import load
from rankgauge.errors import DataError, UsageError, did_you_mean

IDS = ("query_id", "query-id", "qid", "_id", "id", "topic", "query", "user_id", "user")
TEXTS = ("text", "query_text", "title", "query", "keywords")


@dataclass(frozen=True)
class QueriesFile:
    """The words of each query that has any, and the other columns by name."""

    origin: str
    texts: Mapping[str, str]
    columns: Mapping[str, Mapping[str, str | None]]

    def column(self, name: str) -> Mapping[str, str | None]:
        """A free column by query; None where a cell is empty."""
        if name not in self.columns:
            hint = did_you_mean(name, self.columns) if self.columns else "it has none beside ids and words"
            raise UsageError(f"{self.origin} has no column {name!r}; {hint}")
        return self.columns[name]


def read_queries_file(path: str | Path) -> QueriesFile:
    """CSV or TSV with a heading: a column of ids, and any others."""
    origin = str(path)
    try:
        text = load(Path(path)).bytes.tobytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError("is not UTF-8 text", origin, hint="Save it as plain CSV or TSV.") from None
    head = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t" if "\t" in head else ",")
    names = next(reader, [])
    words = _named(names, TEXTS)
    identity = _named([name for name in names if name != words], IDS) or _named(names, IDS)
    if identity is None:
        columns = f"columns: {', '.join(names)}"
        raise DataError("no column for the query id", origin, [columns], f"Name one of them {', '.join(IDS)}.")
    rows: dict[str, dict[str, str]] = {}
    for cells in reader:
        if not cells:
            continue
        if len(cells) != len(names):
            fault = f"line {reader.line_num}: {len(cells)} cells"
            raise DataError(f"a row does not have the {len(names)} cells of the heading", origin, [fault])
        row = dict(zip(names, cells, strict=True))
        if row[identity] in rows:
            raise DataError("a query stands twice", origin, [f"line {reader.line_num}: query {row[identity]}"])
        rows[row[identity]] = row
    free = [name for name in names if name not in {identity, words}]
    texts = {} if words is None or words == identity else {query: row[words] for query, row in rows.items()}
    return QueriesFile(
        origin, texts, {name: {query: row[name] or None for query, row in rows.items()} for name in free}
    )


def _named(names: list[str], known: tuple[str, ...]) -> str | None:
    """The column that goes by one of these names, the surest first."""
    lowered = {name.strip().lower(): name for name in reversed(names)}
    return next((lowered[name] for name in known if name in lowered), None)
