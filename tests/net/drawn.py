"""Random collections, the same on every machine, and every form in which somebody may hand them over."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import polars as pl

T = TypeVar("T")
Rows = list[tuple[str, str, float]]


class Draw:
    """Built on `random()` alone, which is promised to stay as it is."""

    def __init__(self, seed: object) -> None:
        self._next = random.Random(str(seed)).random

    def below(self, most: int) -> int:
        return int(self._next() * most)

    def between(self, least: int, most: int) -> int:
        return least + self.below(most - least + 1)

    def chance(self, share: float) -> bool:
        return self._next() < share

    def choice(self, members: Sequence[T]) -> T:
        return members[self.below(len(members))]

    def sample(self, members: Sequence[T], count: int) -> list[T]:
        left = list(members)
        return [left.pop(self.below(len(left))) for _ in range(count)]

    def shuffled(self, members: Sequence[T]) -> list[T]:
        return self.sample(members, len(members))


class Collection(NamedTuple):
    judged: Rows
    run: Rows


GRADES = ([0, 1], [0, 1, 2, 3], [1], [-1, 0, 1, 2], [0, 0.5, 1, 2.5], [0], [0, 1, 1, 4])


def collection(draw: Draw, grades: Sequence[float] | None = None, *, foreign: bool = True) -> Collection:
    """Ties, missing and foreign queries, queries without relevant documents, scattered rows."""
    queries = [f"q{at}" for at in range(draw.between(1, 5))]
    documents = [f"d{at}" for at in range(draw.choice([3, 8, 14, 25]))] + queries[:1] * draw.below(2)
    grades = grades or draw.choice(GRADES)
    judged = [
        (q, d, float(draw.choice(grades)))
        for q in queries
        for d in draw.sample(documents, draw.between(1, len(documents)))
    ]
    return Collection(*scattered(draw, judged, run_on(draw, queries, documents, foreign=foreign)))


def run_on(draw: Draw, queries: Sequence[str], documents: Sequence[str], *, foreign: bool = True) -> Rows:
    levels = draw.choice([2, 5, 10**6])
    answered = [q for q in queries if draw.chance(0.9)] or list(queries)
    others = [f"x{at}" for at in range(draw.choice([0, 0, 2]) if foreign else 0)]
    return [
        (q, d, draw.below(levels) / draw.choice([1, 3, 7]) - draw.choice([0, 1]))
        for q in [*answered, *others]
        for d in draw.sample(documents, draw.between(1, len(documents)))
    ]


def scattered(draw: Draw, judged: Rows, run: Rows) -> tuple[Rows, Rows]:
    how = draw.choice(["as drawn", "sorted", "scattered"])
    if how == "sorted":
        run = sorted(run, key=lambda row: (row[0], -row[2]))
    if how == "scattered":
        judged, run = draw.shuffled(judged), draw.shuffled(run)
    return judged, run


def by_query(rows: Rows) -> dict[str, dict[str, float]]:
    made: dict[str, dict[str, float]] = {}
    for query, document, number in rows:
        made.setdefault(query, {})[document] = number
    return made


def in_order(rows: Rows) -> dict[str, list[str]]:
    """The documents of each query, best first; of judgments, those that are relevant."""
    return {
        query: [document for document, _ in sorted(found.items(), key=lambda one: -one[1])]
        for query, found in by_query(rows).items()
    }


def relevant(rows: Rows) -> dict[str, list[str]]:
    return {query: [d for d, value in found.items() if value > 0] for query, found in by_query(rows).items()}


def frame(rows: Rows, number: str) -> pl.DataFrame:
    return pl.DataFrame(rows, schema={"query": pl.String, "document": pl.String, number: pl.Float64}, orient="row")


class Arrow:
    """Speaks Arrow, and nothing else."""

    def __init__(self, given: pl.DataFrame) -> None:
        self._frame = given

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame.__arrow_c_stream__(requested_schema)


def zstandard(data: bytes) -> bytes:
    import pyarrow as pa

    return pa.compress(data, codec="zstd", asbytes=True)


def trec(rows: Rows, number: str) -> bytes:
    if number == "value":
        return "".join(f"{q} 0 {d} {n:g}\n" for q, d, n in rows).encode()
    return "".join(f"{q} Q0 {d} {at} {n!r} tag\n" for at, (q, d, n) in enumerate(rows, 1)).encode()


def whole(rows: Rows) -> Rows:
    """With ids that are whole numbers."""
    return [(q.replace("x", "9").lstrip("q"), d.lstrip("dq"), n) for q, d, n in rows]


def once(rows: Rows) -> Rows:
    return list({(q, d): (q, d, n) for q, d, n in rows}.values())


def _pandas(rows: Rows, number: str) -> Any:
    return frame(rows, number).to_pandas()


def _ids_as_numbers(rows: Rows) -> list[tuple[int, int, float]]:
    return [(int(q), int(d), n) for q, d, n in once(whole(rows))]


def _whole_frame(rows: Rows, number: str) -> pl.DataFrame:
    return pl.DataFrame(_ids_as_numbers(rows), schema=["user_id", "item_id", number], orient="row")


def _whole_dicts(rows: Rows, _: str) -> dict[int, dict[int, float]]:
    made: dict[int, dict[int, float]] = {}
    for query, document, value in _ids_as_numbers(rows):
        made.setdefault(query, {})[document] = value
    return made


def _golden(rows: Rows, number: str) -> list[dict[str, Any]]:
    lists = relevant(rows) if number == "value" else in_order(rows)
    return [{"id": q, "expected_ids" if number == "value" else "retrieved_ids": d} for q, d in lists.items()]


MEMORY: dict[str, Callable[[Rows, str], Any]] = {
    "dict": lambda rows, _: by_query(rows),
    "lists": lambda rows, number: relevant(rows) if number == "value" else in_order(rows),
    "pairs": lambda rows, number: (
        {q: list(found.items()) for q, found in by_query(rows).items()} if number == "score" else list(rows)
    ),
    "tuples": lambda rows, _: list(rows),
    "records": lambda rows, number: frame(rows, number).to_dicts(),
    "golden records": _golden,
    "polars": frame,
    "lazy": lambda rows, number: frame(rows, number).lazy(),
    "arrow": lambda rows, number: Arrow(frame(rows, number)),
    "pyarrow": lambda rows, number: frame(rows, number).to_arrow(),
    "pandas": _pandas,
    "pandas nullable": lambda rows, number: _pandas(rows, number).astype(
        {"query": "string", "document": "string", number: "Float64"}
    ),
    "pandas categorical": lambda rows, number: _pandas(rows, number).astype(
        {"query": "category", "document": "category"}
    ),
    "pandas index": lambda rows, number: _pandas(rows, number).set_index(["query", "document"])[number],
    "whole": _whole_frame,
    "whole dict": _whole_dicts,
    "whole pandas": lambda rows, number: (
        _whole_frame(rows, number).to_pandas().astype({"user_id": "Int64", "item_id": "Int32"})
    ),
}


def _parquet(rows: Rows, number: str) -> bytes:
    import io

    out = io.BytesIO()
    frame(rows, number).write_parquet(out)
    return out.getvalue()


def _json_lines(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def _nested(rows: Rows, number: str) -> bytes:
    name = "rating" if number == "value" else "score"
    every = [
        {"query": q, "ratings": [{"docId": d, name: n} for d, n in found.items()]}
        for q, found in by_query(rows).items()
    ]
    return json.dumps({"name": "ours", "all": every}, indent=1).encode()


FILES: dict[str, Callable[[Rows, str], bytes]] = {
    "trec": trec,
    "trec.gz": lambda rows, number: gzip.compress(trec(rows, number), mtime=0),
    "trec.zst": lambda rows, number: zstandard(trec(rows, number)),
    "ragged.trec": lambda rows, number: (
        b"# ragged\n\n" + trec(rows, number).replace(b" ", b" \t ").replace(b"\n", b"\r\n")
    ),
    "ranks.txt": lambda rows, number: (
        trec(rows, number)
        if number == "value"
        else "".join(
            f"{q}\t{d}\t{at}\n" for q, found in in_order(rows).items() for at, d in enumerate(found, 1)
        ).encode()
    ),
    "csv": lambda rows, number: frame(rows, number).write_csv().encode(),
    "semicolon.csv": lambda rows, number: b"\xef\xbb\xbf" + frame(rows, number).write_csv(separator=";").encode(),
    "tsv": lambda rows, number: frame(rows, number).write_csv(separator="\t").encode(),
    "csv.gz": lambda rows, number: gzip.compress(frame(rows, number).write_csv().encode(), mtime=0),
    "parquet": _parquet,
    "jsonl": lambda rows, number: _json_lines(frame(rows, number).to_dicts()),
    "jsonl.zst": lambda rows, number: zstandard(_json_lines(frame(rows, number).to_dicts())),
    "golden.jsonl": lambda rows, number: _json_lines(_golden(rows, number)),
    "json": lambda rows, _: json.dumps(by_query(rows)).encode(),
    "lists.json": lambda rows, number: json.dumps(relevant(rows) if number == "value" else in_order(rows)).encode(),
    "records.json": lambda rows, number: json.dumps(frame(rows, number).to_dicts(), indent=1).encode(),
    "nested.json": _nested,
}
KINDS = [*MEMORY, *FILES]


def handed_over(rows: Rows, number: str, kind: str, name: str = "") -> Any:
    """The rows as something that somebody has; files are written here and now."""
    if kind in MEMORY:
        return MEMORY[kind](rows, number)
    path = Path(f"{name or number}.{kind}")
    path.write_bytes(FILES[kind](rows, number))
    return str(path)
