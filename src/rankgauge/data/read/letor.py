"""Learning-to-rank text (LETOR, SVMlight): `grade qid:ID 1:0.5 2:3 … # document`; each feature can act as a run.

Without `qid:` a file beside it (`.query`, as LightGBM reads) says how many rows each query has. Without a document in
the comment, documents are numbered within their query. A feature that a row leaves out is 0, as SVMlight defines.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from rankgauge.arrays import Floats, Ints
from rankgauge.data.columns import failed
from rankgauge.data.read.bytes import Content, Source, text_lines, without_packing
from rankgauge.data.read.delimited import RowBook, number_of
from rankgauge.data.table import RowTable, Wanted
from rankgauge.errors import DataError, did_you_mean
from rankgauge.tables.notes import clip, noted

_DOCUMENT = re.compile(r"\s*(?:doc_?id\s*[=:]\s*)?(\S+)", re.IGNORECASE)
_MOST = 10_000
"""Features that can be taken as runs all at once: each is a system with every row of the file."""
_DIGITS = 15
"""Of the number of rows of a query."""
_EXPECTED = "A line is: grade qid:ID feature:value … # document."


@dataclass(frozen=True)
class Letor:
    """Judgments, and of each feature the rows that have it, with its values."""

    table: RowTable
    features: dict[str, tuple[Ints, Floats]]

    def run(self, feature: str) -> RowTable:
        """The documents with one feature as their score."""
        if self.table.faults:
            return failed("score", self.table.faults[0])._replace(faults=self.table.faults)
        if feature not in self.features:
            hint = clip(did_you_mean(feature, list(self.features)[:_MOST]), 300)
            message = f"no feature {clip(feature)!r}"
            raise noted("unknown-feature", message, self.table.origin, hint=hint).error()
        score, (rows, values) = np.zeros(len(self.table.rows)), self.features[feature]
        score[rows] = values
        frame = self.table.rows.select("query", "document").with_columns(score=pl.Series(score, dtype=pl.Float64))
        return RowTable("score", self.table.origin, frame, self.table.lines)

    def limited(self) -> Letor:
        """Itself, where every feature can be taken as a run; otherwise the line that has the feature too many is named."""
        if len(self.features) <= _MOST:
            return self
        row = np.partition([rows[0] for rows, _ in self.features.values()], _MOST)[_MOST]
        pair = self.table.rows.select("query", "document").row(int(row))
        line = self.table.find_lines([pair])[pair][0]
        message = f"this holds {len(self.features):,} features, and at most {_MOST:,} are taken as runs at once"
        place, first = f"line {line}: feature {_MOST + 1:,}", next(iter(self.features))
        hint = f"Name one, as in PATH:{first} or part={first!r}."
        raise noted("too-many-features", message, self.table.origin, 1, (place,), line, hint).error()


def read(source: Source, content: Content, wanted: Wanted) -> RowTable:
    """The judgments, or the run that one feature makes."""
    letor = parse(source, content)
    if wanted.number == "value":
        return letor.table
    first = next(iter(letor.features), "1")
    if letor.table.faults or wanted.column is not None or len(letor.features) == 1:
        return letor.run((wanted.column or first).removeprefix("feature-"))
    letor.limited()
    message = f"this holds {len(letor.features):,} features, each of which can act as a run"
    hint = f"Name one, as in PATH:{first} or part={first!r}, or take all with read_runs."
    raise noted("several-runs", message, source.origin, hint=hint).error()


def parse(source: Source, content: Content, sizes: list[int] | None = None) -> Letor:
    """Every row, with its features; `sizes` are the rows of each query, where no file beside it has them."""
    sizes = _sizes(source) if sizes is None else sizes
    owners = None if sizes is None else (str(number) for number, size in enumerate(sizes, 1) for _ in range(size))
    book, counted = RowBook("value", source.origin), Counter[str]()
    found, row = defaultdict[str, tuple[Any, Any]](lambda: (array("q"), array("d"))), 0
    for at, raw in text_lines(content.bytes):
        try:
            body, _, comment = raw.decode().partition("#")
        except UnicodeDecodeError:
            book.wrong(at, kind="not-utf8")
            continue
        words = body.split()
        if not words:
            continue
        if len(words) > 1 and words[1].startswith("qid:"):
            query, features = words[1].removeprefix("qid:"), words[2:]
        else:
            query, features = "" if owners is None else next(owners, "0"), words[1:]
        pairs = dict(filter(None, map(_pair, features)))
        if not query or len(pairs) < len(features):
            odd = next((word for word in features if _pair(word) is None), None)
            why = "duplicate feature" if odd is None else f"{clip(odd)!r} is not feature:value"
            book.wrong(at, f"{clip(' '.join(words))}  ({why if query else 'no qid:'})")
            continue
        counted[query] += 1
        named = _DOCUMENT.match(comment)
        if book.add(at, query, named.group(1) if named else str(counted[query]), words[0]):
            for name, value in pairs.items():
                rows, values = found[name]
                rows.append(row)
                values.append(value)
            row += 1
    if sizes is not None and sum(sizes) != book.rows:
        message = f"the sizes of the queries add up to {sum(sizes):,}, but there are {book.rows:,} rows"
        hint = "Check that the two files belong together."
        raise noted("wrong-sizes", message, source.origin, hint=hint).error()
    # By number, however many digits it has: Python converts a few thousand at most.
    order = sorted(found, key=lambda name: (len(name.lstrip("0")), name.lstrip("0"), name))
    return Letor(book.table(_EXPECTED), {name: (np.array(found[name][0]), np.array(found[name][1])) for name in order})


def _pair(word: str) -> tuple[str, float] | None:
    feature, sign, text = word.partition(":")
    value = number_of(text)
    return (feature, value) if sign and feature.isascii() and feature.isdigit() and value is not None else None


def _sizes(source: Source) -> list[int] | None:
    """Rows per query from the file beside this one, if there is one."""
    for ending in (".query", ".group"):
        beside = Path(without_packing(str(source.path)) + ending)
        if not beside.is_file():
            continue
        words = Source(beside).load().bytes.tobytes().split()
        if all(word.isdigit() and len(word) <= _DIGITS for word in words):
            return [int(word) for word in words]
        message = "this is not a list of the number of rows per query"
        raise noted("wrong-sizes", message, str(beside), hint="Give one whole number per line.").error()
    return None


def runs_in(source: Source) -> dict[str, RowTable]:
    """The run of each feature, built when it is needed: hundreds share one sparse matrix. None of a file with faults."""
    letor = parse(source, source.load())
    if letor.table.faults:
        return {}
    for what, found in (
        ("rows", len(letor.table.rows)),
        ("features, each of which would be a run", len(letor.features)),
    ):
        if not found:
            raise DataError(f"contains no {what}", source.origin, hint=_EXPECTED)
    features = letor.limited().features
    return {f"feature-{one}": RowTable("score", source.origin, partial(letor.run, one)) for one in features}
