"""Columns of numbers about the same items: from vectors, matrices, files or tables, checked and cut into lists.

For learning to rank also labels and predictions as such columns, with the number of rows of each query beside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rankgauge.arrays import LARGEST, Floats, Ints
from rankgauge.data.door import is_frame
from rankgauge.data.read.bytes import Source
from rankgauge.data.table import RowTable
from rankgauge.errors import DataError, UsageError, did_you_mean, plural
from rankgauge.tables.notes import clip


def aligned(truth: ArrayLike, predicted: ArrayLike) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both columns as vectors of one length, finite, with the kind of number they came with."""
    left, right = numbers(truth, "truth", LARGEST), numbers(predicted, "predicted")
    if len(left) != len(right):
        message = f"truth has {len(left):,} items and predicted {len(right):,}"
        raise DataError(message, hint="Give one value of each for every item, in the same order.")
    return left, right


def _array(column: Any) -> NDArray[Any]:
    """A column as an array, in which what is masked is a gap (None)."""
    try:
        array = np.asarray(column)
    except ValueError:
        raise DataError(
            "rows of different lengths are no matrix", hint="Give one column, and groups beside it."
        ) from None
    if type(column).__name__ == "MaskedArray" and (mask := np.ma.getmaskarray(column)).any():
        array = array.astype(object)
        array[mask] = None
    return array


def numbers(column: ArrayLike, name: str, largest: float = np.finfo(np.float64).max) -> NDArray[Any]:
    """A column as a vector of finite numbers that are not farther from 0 than `largest`."""
    given = _array(column)
    if given.ndim != 1:
        raise DataError(f"{name} has shape {given.shape}; give one column", hint="Several lists at once need groups.")
    if given.size == 0:
        return np.zeros(0)
    vector = given
    if given.dtype.kind not in "biuf":  # objects such as Decimal; text is refused, even where it spells numbers
        if given.dtype.kind not in "OUST":
            raise DataError(f"{name} holds values of type {given.dtype}", hint="Both columns must hold numbers.")
        vector = np.array([as_number(value) for value in given])
        text = [place for place, value in enumerate(given) if isinstance(value, str | bytes)]
        if text:
            place = next((place for place in text if np.isnan(vector[place])), text[0])
            places = [f"item {place + 1}: {str(given[place])!r:.40}"]
            message = f"{name} holds text where numbers are needed"
            raise DataError(message, None, places, "Convert the column to numbers.")
    if vector.dtype.kind != "f" or (float(vector.max()) <= largest and float(vector.min()) >= -largest):
        return vector
    odd = np.flatnonzero(~np.isfinite(vector))
    if odd.size:
        message = f"{name}: {odd.size:,} of {given.size:,} values are not finite numbers"
        places = [f"item {place + 1}: {given[place]}" for place in odd[:3]]
        raise DataError(message, places=places, hint="Leave these items out of both columns, or give them a value.")
    place = int(np.abs(vector).argmax())
    places, hint = [f"item {place + 1}: {vector[place]}"], f"Give values between {-largest:g} and {largest:g}."
    raise DataError(f"{name} has a value too large to add up", places=places, hint=hint)


def as_number(value: Any) -> float:
    """A cell as a number; nan where it is none, as gaps are."""
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
    origin, lines, is_file, columns = "the table", None, isinstance(table, (str, PathLike)), table
    if is_file:
        from rankgauge.data.read.small import read_columns

        source = Source(table)
        origin = source.origin
        columns, lines = read_columns(source, lambda cells: len(cells) > 1 or cells[0] in wanted, ("",))
    elif is_frame(table):
        from rankgauge.data.columns import to_frame

        columns = {column.name: column.to_numpy() for column in to_frame(table, origin)}
    elif not isinstance(table, Mapping):
        raise UsageError(f"file is {type(table).__name__}; give a path or a table")
    for name in wanted:
        if name not in columns:
            places = [f"columns: {clip(', '.join(columns), 300)}"]
            raise DataError(f"there is no column {name!r}", origin, places, did_you_mean(name, columns))
    labels = None if groups is None else columns[groups]
    if is_file:  # where cells have no types yet
        labels = None if labels is None else [None if cell == "" else cell for cell in labels]
        columns = {name: _numbers_in(columns[name], name, origin, lines) for name in (truth, *predicted)}
    return columns[truth], {name: columns[name] for name in predicted}, labels


def column_of(given: Any, name: str) -> NDArray[Any]:
    """A vector, or the numbers of a file with one column."""
    if isinstance(given, (str, PathLike)):
        return file_column(given)
    column = _array(given)  # predict() of some libraries returns a matrix of one column
    return numbers(column.ravel() if column.ndim == 2 and 1 in column.shape else column, name)


_MEANT_AS_NUMBER = re.compile(r"[-+.\s]*\d|[-+]?(?:nan|n/?a|null|none|true|false)\s*$", re.IGNORECASE)
"""What a first line says that is not a heading but a number in a form that is not read, as 1_000 or 1,5, or a gap."""


def file_column(path: str | PathLike[str] | Source) -> Floats:
    """The numbers of a file with one column, with or without a heading."""
    from rankgauge.data.read.small import read_columns

    source = path if isinstance(path, Source) else Source(path)
    columns, lines = read_columns(source, lambda _: False, ("",))
    if len(columns) != 1:
        places = [f"columns: {clip(', '.join(columns), 300)}"]
        message = f"has {len(columns)} columns; one is needed"
        raise DataError(message, source.origin, places, "Name the columns: file=….")
    ((name, cells),) = columns.items()
    if lines is not None:
        # A blank line may be a missing number: without it, two columns of one length could be paired wrongly.
        blank = next((at for at, line in enumerate(lines, start=1) if at != line), None)
        if blank is not None:
            hint = "Give each item its number on a line of its own, without blank lines between."
            raise DataError("a line is blank", source.origin, [f"line {blank}"], hint)
        if np.isnan(as_number(cells[0])) and not _MEANT_AS_NUMBER.match(cells[0]):
            cells, lines = cells[1:], lines[1:]
        if not cells:
            raise DataError("contains no numbers, only a heading", source.origin)
    return _numbers_in(cells, name, source.origin, lines)


def _numbers_in(cells: Sequence[Any], name: str, origin: str, lines: Sequence[int] | None) -> Floats:
    """Cells of a file as numbers; the first ones that are not are shown."""
    made = np.array([as_number(cell) for cell in cells], np.float64)
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
        if left.shape != right.shape:
            message = f"truth has shape {left.shape} and predicted {right.shape}"
            raise DataError(message, hint="Rows are queries; both matrices have one shape.")
        rows, width = left.shape
        return ItemLists(*aligned(left.ravel(), right.ravel()), np.arange(rows + 1) * width, range(1, rows + 1))
    left, right = aligned(left, right)
    if not len(left):
        raise DataError("there are no items", hint="Give at least one item.")
    if groups is None:
        return ItemLists(left, right, np.array([0, len(left)]), ["all"], is_one=True)
    labels, name_all = _array(groups), "Name the group of every item."
    if labels.shape != left.shape:
        raise DataError(f"groups has {labels.size:,} entries and truth {len(left):,}", hint=name_all)
    if labels.dtype.kind not in "biu":
        known = [] if labels.dtype.kind == "U" else labels.tolist()
        is_gap = [one is None or (not isinstance(one, str) and str(one) in {"nan", "<NA>", "NaT"}) for one in known]
        if any(is_gap):
            places = [f"item {at}" for at, is_one in enumerate(is_gap, start=1) if is_one][:3]
            message = f"{sum(is_gap):,} of {labels.size:,} items have no group"
            raise DataError(message, places=places, hint=name_all)
        try:
            labels = labels.astype(str)
        except UnicodeDecodeError as problem:
            places = [f"item {known.index(problem.object) + 1}: {problem.object!r:.40}"]
            hint = "Convert the column to text."
            raise DataError("groups holds bytes that are not text", None, places, hint) from None
    # Neighbors of one label are looked up together: text is sorted only once for each stretch.
    starts = np.flatnonzero(np.concatenate(([True], labels[1:] != labels[:-1])))
    lengths = np.diff(starts, append=len(labels))
    names, first, code = np.unique(labels[starts], return_index=True, return_inverse=True)
    by_appearance = np.argsort(first)
    code = np.argsort(by_appearance)[code]
    sizes = np.bincount(code, lengths, len(names)).astype(np.int64)
    if len(names) < len(starts):
        order = np.argsort(np.repeat(code, lengths), kind="stable")
        left, right = left[order], right[order]
    return ItemLists(left, right, np.concatenate(([0], np.cumsum(sizes))), names[by_appearance].tolist())


def labels_table(labels: Any, group_sizes: Any, origin: str) -> RowTable:
    """Judged values in order: a vector, a file of one column, or a learning-to-rank file without query ids.

    Queries and their documents are numbered from 1 on.
    """
    import polars as pl

    given = column_of(group_sizes, "group_sizes")
    if len(given) == 0 or np.any((given < 0) | (given != np.floor(given))):
        raise UsageError("group_sizes are whole numbers, the number of rows of each query")
    sizes = list(map(int, given))
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
    query, document = np.repeat(np.arange(len(sizes)), sizes), np.concatenate([np.arange(size) for size in sizes])
    ids = {role: pl.Series(at + 1).cast(pl.String) for role, at in (("query", query), ("document", document))}
    return RowTable("value", origin, pl.DataFrame({**ids, "value": values.astype(np.float64)}), unit="row")
