"""Columns of numbers about the same items: from vectors, matrices, files or tables, checked and cut into lists.

For learning to rank also labels and predictions as such columns, with the number of rows of each query beside them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankgauge.arrays import LARGEST, Floats, Ints
from rankgauge.data.read.bytes import Source
from rankgauge.errors import DataError, UsageError, did_you_mean, plural
from rankgauge.tables.notes import clip

if TYPE_CHECKING:
    from rankgauge.data.table import FrameTable


def aligned(truth: ArrayLike, predicted: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both columns as vectors of one length, finite, with the kind of number they came with."""
    columns = numbers(truth, "truth", LARGEST), numbers(predicted, "predicted")
    lengths = tuple(map(len, columns))
    if lengths[0] != lengths[1]:
        message = f"truth has {lengths[0]:,} items and predicted {lengths[1]:,}"
        raise DataError(message, hint="Give one value of each for every item, in the same order.")
    return columns


def _are_within(column: NDArray[Any], largest: float) -> bool:
    """Whether all are finite and not farther from 0 than `largest`, without a copy of the column."""
    if column.dtype.kind != "f":
        return True
    if largest < math.inf:
        return float(column.min()) >= -largest and float(column.max()) <= largest
    # A finite sum has finite parts; finite parts may still have a sum beyond all numbers.
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(column.sum()))


def _array(column: Any) -> NDArray[Any]:
    """A column as an array, in which what is masked is a gap (None)."""
    if isinstance(column, (np.ndarray, list, tuple)) and type(column).__name__ != "MaskedArray":
        return np.asarray(column)
    array = np.asarray(column)
    if isinstance(column, np.ma.MaskedArray) and np.ma.getmaskarray(column).any():
        array = array.astype(object)
        array[np.ma.getmaskarray(column)] = None
    return array


def numbers(column: ArrayLike, name: str, largest: float = math.inf) -> NDArray[Any]:
    """A column as a vector of finite numbers that are not farther from 0 than `largest`."""
    given = _array(column)
    if given.ndim != 1:
        raise DataError(f"{name} has shape {given.shape}; give one column", hint="Several lists at once need groups.")
    if given.size == 0:
        return np.zeros(0)
    vector = given if given.dtype.kind in "biuf" else _converted(given, name)
    if _are_within(vector, largest):
        return vector
    odd = np.flatnonzero(~np.isfinite(vector))
    if odd.size:
        message = f"{name}: {odd.size:,} of {given.size:,} values are not finite numbers"
        places = [f"item {place + 1}: {given[place]}" for place in odd[:3]]
        raise DataError(message, places=places, hint="Leave these items out of both columns, or give them a value.")
    if largest < math.inf:
        place = int(np.abs(vector).argmax())
        places, hint = [f"item {place + 1}: {vector[place]}"], f"Give values between {-largest:g} and {largest:g}."
        raise DataError(f"{name} has a value too large to add up", places=places, hint=hint)
    return vector


def _converted(given: NDArray[Any], name: str) -> Floats:
    """Objects such as Decimal as numbers, None and other gaps as nan; text is refused, even where it spells numbers."""
    if given.dtype.kind not in "OUST":
        raise DataError(f"{name} holds values of type {given.dtype}", hint="Both columns must hold numbers.")
    text = [place for place, value in enumerate(given) if isinstance(value, str | bytes)]
    if text:
        place = next((place for place in text if np.isnan(_number(given[place]))), text[0])
        places = [f"item {place + 1}: {str(given[place])!r:.40}"]
        raise DataError(f"{name} holds text where numbers are needed", None, places, "Convert the column to numbers.")
    return np.array([_number(value) for value in given])


def _number(value: Any) -> float:
    if isinstance(value, str) and "_" in value:
        return float("nan")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def table_columns(table: Any, truth: Any, predicted: Sequence[Any], groups: Any) -> tuple[Any, dict[str, Any], Any]:
    """Columns of a table by name: a path (any text format, Parquet, JSON; "-" is standard input), a frame or a dict."""
    wanted = [truth, *predicted, *([] if groups is None else [groups])]
    if not all(isinstance(name, str) for name in wanted):
        raise UsageError("with a file, truth, predicted and groups are names of columns")
    origin, lines, columns = _columns(table, wanted)
    for name in wanted:
        if name not in columns:
            places = [f"columns: {clip(', '.join(columns), 300)}"]
            raise DataError(f"there is no column {name!r}", origin, places, did_you_mean(name, columns))
    if lines is _NOT_TEXT:
        labels = None if groups is None else columns[groups]
        return columns[truth], {name: columns[name] for name in predicted}, labels
    labels = None if groups is None else [None if cell == "" else cell for cell in columns[groups]]
    left, *right = (_numbers_in(columns[name], name, origin, lines) for name in (truth, *predicted))
    return left, dict(zip(predicted, right, strict=True)), labels


def column_of(given: Any, name: str) -> NDArray[Any]:
    """A vector, or the numbers of a file with one column."""
    if isinstance(given, (str, PathLike)):
        return file_column(given)
    column = np.asarray(given)  # predict() of some libraries returns a matrix of one column
    return numbers(column.ravel() if column.ndim == 2 and 1 in column.shape else given, name)


def file_column(path: str | PathLike[str] | Source) -> Floats:
    """The numbers of a file with one column, with or without a heading."""
    from rankgauge.data.read.json import read_records

    source = path if isinstance(path, Source) else Source(path)
    found = read_records(source, lambda _: False, ("",))
    if len(found.columns) != 1:
        message = f"has {len(found.columns)} columns; one is needed"
        raise DataError(
            message, source.origin, [f"columns: {clip(', '.join(found.columns), 300)}"], "Name the columns: file=…."
        )
    (name, cells), lines = next(iter(found.columns.items())), found.lines
    if lines is not None:
        _refuse_blanks(lines, source.origin)
        if np.isnan(_number(cells[0])) and not _MEANT_AS_NUMBER.match(cells[0]):
            cells, lines = cells[1:], lines[1:]
        if not cells:
            raise DataError("contains no numbers, only a heading", source.origin)
    return _numbers_in(cells, name, source.origin, lines)


_MEANT_AS_NUMBER = re.compile(r"[-+.\s]*\d|[-+]?(?:nan|n/?a|null|none|true|false)\s*$", re.IGNORECASE)
"""What a first line says that is not a heading but a number in a form that is not read, as 1_000 or 1,5, or a gap."""


def _refuse_blanks(lines: list[int], origin: str) -> None:
    """A blank line may be a missing number: without it, two columns of one length could be paired wrongly."""
    blank = next((at for at, line in enumerate(lines, start=1) if at != line), None)
    if blank is not None:
        hint = "Give each item its number on a line of its own, without blank lines between."
        raise DataError("a line is blank", origin, [f"line {blank}"], hint)


_NOT_TEXT: list[int] = []
"""For tables in memory, whose cells have types already."""


def _columns(table: Any, wanted: Sequence[str]) -> tuple[str, list[int] | None, Mapping[str, Any]]:
    """Where the columns are from, the line of each row, and the columns."""
    from rankgauge.data.door import is_frame

    if isinstance(table, Mapping):
        return "the table", _NOT_TEXT, table
    if is_frame(table):
        from rankgauge.data.columns import to_frame

        frame = to_frame(table, "the table")
        return "the table", _NOT_TEXT, {name: frame[name].to_numpy() for name in frame.columns}
    if not isinstance(table, (str, PathLike)):
        raise UsageError(f"file is {type(table).__name__}; give a path or a table")
    from rankgauge.data.read.json import read_records

    source = Source(table)
    found = read_records(source, lambda cells: len(cells) > 1 or cells[0] in wanted, ("",))
    return source.origin, found.lines, found.columns


def _numbers_in(cells: Sequence[Any], name: str, origin: str, lines: list[int] | None) -> Floats:
    """Cells of a file as numbers; the first ones that are not are shown."""
    made = np.array([_number(cell) for cell in cells], np.float64)
    odd = np.flatnonzero(~np.isfinite(made))
    if len(odd):
        what = f"column {name!r}: " if name else ""
        places = [f"{f'line {lines[at]}' if lines else f'row {at + 1}'}: {str(cells[at])[:40]!r}" for at in odd[:3]]
        message = f"{what}{len(odd):,} of {len(cells):,} cells are not finite numbers"
        raise DataError(message, origin, places, "Remove these rows, or give them a number.")
    return made


@dataclass(frozen=True)
class ItemLists:
    """Flat columns in which every list is one stretch; `offsets` says where lists begin, and where the last ends."""

    truth: NDArray[Any]
    predicted: NDArray[Any]
    offsets: Ints
    names: Sequence[object]
    is_one: bool = False
    """Whether this is one list, given without groups."""
    kept: dict[Hashable, Any] | None = None
    """What was computed from everything but the predictions, where other predictions will follow."""

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What does not depend on the predictions."""
        if self.kept is None:
            return make()
        if key not in self.kept:
            self.kept[key] = make()
        return self.kept[key]


def lists_of(truth: Any, predicted: Any, groups: Any = None) -> ItemLists:
    """Rows of matrices, the stretches or scattered items of `groups` in order of appearance, or one list of all."""
    left, right = _array(truth), _array(predicted)
    if left.ndim == 2 and groups is None:
        return _rows(left, right)
    left, right = aligned(left, right)
    if not len(left):
        raise DataError("there are no items", hint="Give at least one item.")
    if groups is None:
        return ItemLists(left, right, np.array([0, len(left)]), ["all"], is_one=True)
    labels = _array(groups)
    if labels.shape != left.shape:
        message = f"groups has {labels.size:,} entries and truth {len(left):,}"
        raise DataError(message, hint="Name the group of every item.")
    return _grouped(left, right, _named(labels))


def _rows(truth: NDArray[Any], predicted: NDArray[Any]) -> ItemLists:
    if truth.shape != predicted.shape:
        message = f"truth has shape {truth.shape} and predicted {predicted.shape}"
        raise DataError(message, hint="Rows are queries; both matrices have one shape.")
    rows, width = truth.shape
    return ItemLists(*aligned(truth.ravel(), predicted.ravel()), np.arange(rows + 1) * width, range(1, rows + 1))


def _named(labels: NDArray[Any]) -> NDArray[Any]:
    """Labels as whole numbers or text; a gap is nobody's group."""
    if labels.dtype.kind in "biu":
        return labels
    gaps = [place for place, label in enumerate(labels.tolist()) if _is_gap(label)] if labels.dtype.kind != "U" else []
    if gaps:
        message, places = f"{len(gaps):,} of {labels.size:,} items have no group", [f"item {at + 1}" for at in gaps[:3]]
        raise DataError(message, places=places, hint="Name the group of every item.")
    try:
        return labels.astype(str)
    except UnicodeDecodeError as problem:
        places = [f"item {labels.tolist().index(problem.object) + 1}: {problem.object!r:.40}"]
        raise DataError("groups holds bytes that are not text", None, places, "Convert the column to text.") from None


def _is_gap(label: object) -> bool:
    return label is None or (not isinstance(label, str) and str(label) in {"nan", "<NA>", "NaT"})


def _grouped(truth: NDArray[Any], predicted: NDArray[Any], labels: NDArray[Any]) -> ItemLists:
    """Neighbours of one label are looked up together: text is sorted only once for each stretch."""
    starts = np.flatnonzero(np.concatenate(([True], labels[1:] != labels[:-1])))
    lengths = np.diff(starts, append=len(labels))
    names, first, code = np.unique(labels[starts], return_index=True, return_inverse=True)
    by_appearance = np.argsort(first)
    appearance = np.empty_like(by_appearance)
    appearance[by_appearance] = np.arange(len(names))
    code = appearance[code]
    sizes = np.bincount(code, lengths, len(names)).astype(np.int64)
    if len(names) < len(starts):
        order = np.argsort(np.repeat(code, lengths), kind="stable")
        truth, predicted = truth[order], predicted[order]
    return ItemLists(truth, predicted, np.concatenate(([0], np.cumsum(sizes))), names[by_appearance].tolist())


def labels_table(labels: Any, group_sizes: Any, origin: str) -> FrameTable:
    """Judged values in order: a vector, a file of one column, or a learning-to-rank file without query ids.

    Queries and their documents are numbered from 1 on.
    """
    sizes = _sizes(group_sizes)
    if isinstance(labels, (str, PathLike)):
        from rankgauge.data.read.kind import form_of
        from rankgauge.data.read.letor import parse

        source = Source(labels)
        if form_of(source).kind == "letor":
            return parse(source, source.load(), sizes).table.load()
        labels = file_column(labels)
    values = numbers(labels, "labels")
    if sum(sizes) != len(values):
        message = f"the group sizes add up to {sum(sizes):,}, but there are {plural(len(values), 'label')}"
        raise DataError(message, origin, hint="Give the number of rows of each query, in order.")
    import polars as pl

    from rankgauge.data.table import FrameTable

    query = np.repeat(np.arange(1, len(sizes) + 1), sizes)
    document = np.concatenate([np.arange(1, size + 1) for size in sizes] or [np.empty(0, np.int64)])
    ids = {name: pl.Series(ids).cast(pl.String) for name, ids in (("query", query), ("document", document))}
    return FrameTable(pl.DataFrame({**ids, "value": values.astype(np.float64)}), "value", origin, unit="row")


def _sizes(given: Any) -> list[int]:
    column = column_of(given, "group_sizes")
    if len(column) == 0 or np.any((column < 0) | (column != np.floor(column))):
        raise UsageError("group_sizes are whole numbers, the number of rows of each query")
    return [int(size) for size in column]
