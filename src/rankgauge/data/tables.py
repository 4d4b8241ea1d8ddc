"""Where the rows of judgments and runs live: plain dicts, a Polars frame, or a file not yet read.

Every table answers three questions: which frame are you, which mapping (if you are one), and on which lines does a
(query, document) pair stand. Polars is imported only by those who need a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rankgauge.errors import DataError

if TYPE_CHECKING:
    import polars as pl

Rows = Mapping[str, Mapping[str, float]]
Pairs = Iterable[tuple[str, str]]
Lines = dict[tuple[str, str], list[int]]


class Table(Protocol):
    """Rows of (query, document, number); `number` is the name of the third column."""

    @property
    def number(self) -> str: ...

    @property
    def origin(self) -> str: ...

    def frame(self) -> pl.DataFrame: ...

    def mapping(self) -> Rows | None: ...

    def find_lines(self, pairs: Pairs) -> Lines: ...


@dataclass(frozen=True)
class FrameTable:
    """Columns query, document and the number, checked and cast."""

    data: pl.DataFrame
    number: str
    origin: str
    lines: Callable[[Pairs], Lines] | None = None

    def frame(self) -> pl.DataFrame:
        return self.data

    def mapping(self) -> None:
        return None

    def find_lines(self, pairs: Pairs) -> Lines:
        return self.lines(pairs) if self.lines else {}


@dataclass(frozen=True)
class FileTable:
    """A file that is read when its rows are first needed, and again when they are needed again."""

    read: Callable[[], FrameTable]
    number: str
    origin: str
    keep: bool = False

    @cached_property
    def _kept(self) -> FrameTable:
        return self.read()

    def frame(self) -> pl.DataFrame:
        return (self._kept if self.keep else self.read()).frame()

    def mapping(self) -> None:
        return None

    def find_lines(self, pairs: Pairs) -> Lines:
        return (self._kept if self.keep else self.read()).find_lines(pairs)


@dataclass(frozen=True)
class DictTable:
    """{query: {document: number}}; ids that are not text are turned into text."""

    data: Rows
    number: str
    origin: str

    @classmethod
    def of(cls, data: Mapping[Any, Any], number: str, origin: str) -> DictTable:
        first = (next(iter(documents), "") for documents in data.values())
        if not all(isinstance(key, str) for key in chain(data, first)):
            data = {
                str(query): {str(document): value for document, value in rows.items()} for query, rows in data.items()
            }
        return cls(data, number, origin)

    def mapping(self) -> Rows:
        return self.data

    def frame(self) -> pl.DataFrame:
        import polars as pl

        size, number = flatten(self.data, self.number, self.origin)
        queries = pl.Series("query", list(self.data), pl.String)
        return pl.DataFrame(
            {
                "query": queries.gather(np.repeat(np.arange(len(size)), size)),
                "document": pl.Series(list(chain.from_iterable(self.data.values())), dtype=pl.String),
                self.number: number,
            }
        )

    def find_lines(self, pairs: Pairs) -> Lines:  # noqa: ARG002 - dicts have no lines
        return {}


def flatten(
    rows: Rows, number: str, origin: str
) -> tuple[np.ndarray[Any, np.dtype[np.int64]], np.ndarray[Any, np.dtype[np.float64]]]:
    """How many documents each query has, and all numbers one after the other."""
    size = np.fromiter(map(len, rows.values()), np.int64, len(rows))
    try:
        numbers = np.fromiter(chain.from_iterable(map(dict.values, rows.values())), np.float64, int(size.sum()))  # type: ignore[arg-type]
    except TypeError:
        numbers = np.fromiter(_checked(rows, number, origin), np.float64, int(size.sum()))
    except ValueError:
        list(_checked(rows, number, origin))
        raise
    return size, numbers


def _checked(rows: Rows, number: str, origin: str) -> Iterable[float]:
    """Each number; or, for mappings that are not dicts and for values that are no numbers, the slow way with a clear error."""
    for query, documents in rows.items():
        for document, value in documents.items():
            try:
                yield float(value)
            except (TypeError, ValueError):
                raise DataError(
                    f"{number} {value!r} of query {query}, document {document} is not a number", origin
                ) from None
