"""One small collection in every form that a reader knows."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa

JUDGED = {
    "007": {"d1": 2, "7": 0, "a,b": 1, "é": 3, "x": -1},
    "7": {"d1": 1, "d2": 0.5, '"q"': 1},
    "q 3": {"d9": 0},
    "q4": {"d1": 1, "d2": 1},
}
SCORED = {
    "007": {"é": 0.1 + 0.2, "d1": 1e-300, "a,b": 0.1 + 0.2, "u": 1e300, "7": -2.5},
    "7": {"d2": 1.0, "d1": 1.0, '"q"': 1.0000000000000002, "u": 0.3333333333333333},
    "q 3": {"d9": 5, "d1": 4},
    "q9": {"d1": 1},
}
MEASURES = "nDCG@3 nDCG AP RR@2 P@2 Judged@3"

# TREC text cannot hold blanks inside ids.
BARE = str.maketrans(" ", "_")


def bare(rows):
    return {query.translate(BARE): documents for query, documents in rows.items()}


def triples(rows):
    return [(query, document, number) for query, documents in rows.items() for document, number in documents.items()]


def delimited(rows, names, separator, quoting=csv.QUOTE_MINIMAL, end="\n"):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end)
    writer.writerow(names)
    writer.writerows(triples(rows))
    return out.getvalue()


def records(rows, names):
    return [dict(zip(names, triple, strict=True)) for triple in triples(rows)]


def trec(rows, number):
    if number == "value":
        return "".join(f"{q} 0 {d} {n}\n" for q, d, n in triples(rows))
    return "".join(f"{q} Q0 {d} {at} {n!r} tag\n" for at, (q, d, n) in enumerate(triples(rows)))


def parquet(rows, names):
    out = io.BytesIO()
    columns = zip(names, zip(*triples(rows), strict=True), strict=True)
    pl.DataFrame({name: pl.Series(cells, strict=False) for name, cells in columns}).write_parquet(out)
    return out.getvalue()


def zstandard(data: bytes) -> bytes:
    return pa.compress(data, codec="zstd", asbytes=True)


def nested(rows, number):
    name = "rating" if number == "value" else "score"
    inner = [
        {"query": q, "ratings": [{"docId": d, name: f"{n!r}"} for d, n in documents.items()]}
        for q, documents in rows.items()
    ]
    return json.dumps({"name": "ours", "type": "IMPORT", "all": inner}, indent=2)


def files(number: str) -> dict[str, Callable[[dict], str | bytes]]:
    """File name to what writes it; TREC text stands apart, for it cannot hold every id."""
    name = "grade" if number == "value" else "score"
    usual, beir, users = (
        ("query_id", "doc_id", name),
        ("query-id", "corpus-id", "score"),
        ("user_id", "item_id", "rating" if number == "value" else "score"),
    )
    return {
        "plain.csv": lambda rows: delimited(rows, usual, ","),
        "quoted.csv": lambda rows: delimited(rows, users, ",", csv.QUOTE_ALL),
        "windows.csv": lambda rows: "\ufeff" + delimited(rows, usual, ",", end="\r\n"),
        "german.csv": lambda rows: delimited(rows, usual, ";"),
        "beir.tsv": lambda rows: delimited(rows, beir, "\t"),
        "unknown_ending": lambda rows: delimited(rows, usual, "\t"),
        "packed.csv.gz": lambda rows: gzip.compress(delimited(rows, usual, ",").encode()),
        "packed.csv.zst": lambda rows: zstandard(delimited(rows, usual, ",").encode()),
        "table.parquet": lambda rows: parquet(rows, usual),
        "parquet_by_content": lambda rows: parquet(rows, usual),
        "dicts.json": json.dumps,
        "dicts_by_content": lambda rows: json.dumps(rows, ensure_ascii=False, indent=1),
        "list.json": lambda rows: json.dumps(records(rows, usual), indent=1),
        "lines.jsonl": lambda rows: "\n".join(map(json.dumps, records(rows, usual))),
        "lines_by_content.txt": lambda rows: "\n\n".join(map(json.dumps, records(rows, users))) + "\n",
        "lines.json.gz": lambda rows: gzip.compress("\n".join(map(json.dumps, records(rows, usual))).encode()),
        "nested.json": lambda rows: nested(rows, number),
    }


def trec_files(number: str) -> dict[str, Callable[[dict], str | bytes]]:
    return {
        "plain.trec": lambda rows: trec(rows, number),
        "tabs.txt": lambda rows: trec(rows, number).replace(" ", "\t"),
        "ragged": lambda rows: "# comment\n" + trec(rows, number).replace(" ", "  \t"),
        "windows.txt": lambda rows: "\ufeff" + trec(rows, number).replace("\n", "\r\n"),
        "packed.gz": lambda rows: gzip.compress(trec(rows, number).encode()),
        "packed.zst": lambda rows: zstandard(trec(rows, number).encode()),
        "packed_ragged.zst": lambda rows: zstandard(trec(rows, number).replace(" ", " \t").encode()),
    }


def write(path: Path, data: str | bytes) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path
