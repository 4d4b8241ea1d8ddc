"""A part of the queries: which, and the judgments of these alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from rankgauge.data.checks import alike
from rankgauge.data.files import Source
from rankgauge.data.findings import SHOWN, Finding, clip
from rankgauge.data.tables import DictTable, FileTable, FrameTable, Table
from rankgauge.errors import UsageError, plural


def chosen_queries(text: str) -> list[str]:
    """Ids from a file that holds one a line, or that has a column of them; else from the text, between commas."""
    from pathlib import Path

    try:
        is_file = Path(text).exists()
    except (OSError, ValueError):  # too long or odd for a name, so a list of ids
        is_file = False
    ids = _listed(Source(text)) if is_file or text == "-" else [part.strip() for part in text.split(",")]
    ids = [query for query in dict.fromkeys(ids) if query]
    if not ids:
        raise UsageError(f"{clip(text)!r} names no queries; give ids between commas, or a file with one a line")
    return ids


def _listed(source: Source) -> list[str]:
    from rankgauge.data.formats.records import read_records
    from rankgauge.data.queries import Queries, is_header

    found = read_records(source, is_header, ("id",))
    if isinstance(found, Finding):
        found.refuse()
    if list(found.columns) == ["id"]:
        return [str(cell).partition("\t")[0].strip() for cell in found.columns["id"]]
    return list(Queries(found.columns, name=source.origin, lines=found.lines).ids)


def part_of(table: Table, wanted: Collection[str]) -> Table:
    """The rows of these queries, taken when they are asked for; chosen queries without judgments are remarked on."""
    rows = table.mapping()
    if rows is not None:
        kept = {query: documents for query, documents in rows.items() if query in wanted}
        return DictTable(kept, table.number, table.origin, _remarks(list(rows), wanted, table.origin))

    def read() -> FrameTable:
        import polars as pl

        whole = table.load()
        judged = whole.data["query"].unique(maintain_order=True).to_list()
        remarks = _remarks(judged, wanted, table.origin)
        part = whole.data.filter(pl.col("query").is_in(list(wanted)))
        return replace(whole, data=part, remarks=(*whole.remarks, *remarks))

    return FileTable(read, table.number, table.origin, table.unit)


def _remarks(judged: Sequence[str], wanted: Collection[str], origin: str) -> tuple[Finding, ...]:
    known = set(judged)
    return about_absent([query for query in wanted if query not in known], len(wanted), judged, origin)


def about_absent(absent: Sequence[str], wanted: int, judged: Sequence[str], origin: str) -> tuple[Finding, ...]:
    """Chosen queries that nobody judged; if that is all that were wanted, an error. `judged` may be some of them."""
    if not absent:
        return ()
    absent = sorted(absent)
    some = ", ".join(map(clip, absent[:SHOWN])) + (" …" if len(absent) > SHOWN else "")
    message = f"{plural(len(absent), 'chosen query')} without judgments, left out ({some})"
    if len(absent) == wanted:
        near = tuple(f"nearest: {a!r} was chosen, {b!r} is judged" for a, b in alike(absent, judged))
        message = f"no chosen query is judged ({some})"
        Finding(
            "no-query-in-common", message, origin, len(near), near, hint="Query ids must be spelled alike."
        ).refuse()
    return (Finding("chosen-unjudged", message, origin, len(absent), tuple(map(clip, absent[:SHOWN]))),)
