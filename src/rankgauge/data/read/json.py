"""JSON in the shapes people use, and one record a line.

{query: {document: number}} · {query: [documents in order]} · {query: [records]} · [records] · {…, "anything": [records]}
A record names its columns; instead of a document it may hold the documents of its query in one of the shapes above.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rankgauge.data.read import golden
from rankgauge.data.read.file import BOM, Content, Source, decoded, text_lines
from rankgauge.data.read.json_places import line_of
from rankgauge.data.read.rows import RowBook
from rankgauge.data.tables.columns import NAMES, Picked, key, pick
from rankgauge.data.tables.faults import UnreadableError
from rankgauge.data.tables.table import FrameTable, Wanted, listed_without_values
from rankgauge.tables.notes import NOUNS, Note, clip, noted, quoted

_QUERY = set(map(key, NAMES["query"]))
_DOCUMENT = set(map(key, NAMES["document"]))
_EXPECTED = "JSON is {query: {document: number}}, {query: [documents]}, or records with named columns."


class Members(list[tuple[str, Any]]):
    """The members of a JSON object in order, repeated names included: a dict would drop them silently."""

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self]


def _number(digits: str) -> float:
    """A whole number that Python would not read, for it has thousands of digits: beyond all floats."""
    return int(digits) if len(digits) < _LONG else float(digits)


_LONG = 4000
_DECODER = json.JSONDecoder(object_pairs_hook=Members)
_PATIENT = json.JSONDecoder(object_pairs_hook=Members, parse_int=_number)


def parse(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        return _PATIENT.decode(text)


def read(source: Source, content: Content, wanted: Wanted) -> FrameTable:
    """A whole file of JSON."""
    text = decoded(content.bytes, source.origin)
    try:
        tree = parse(text)
    except (ValueError, RecursionError) as problem:
        raise broken(problem, source.origin) from None
    book = RowBook(wanted.number, source.origin, line_of=lambda path: line_of(text, path), noun="row")
    walker = _Walker(wanted, book, source.path.resolve())
    walker.top(tree)
    return walker.table()


def read_lines(source: Source, content: Content, wanted: Wanted) -> FrameTable:
    """One record a line."""
    walker = _Walker(wanted, RowBook(wanted.number, source.origin, noun="row"), source.path.resolve())
    for at, line in text_lines(content.bytes):
        if not line.strip():
            continue
        try:
            record = parse(line.decode())
        except UnicodeDecodeError:
            walker.book.not_utf8(at)
            continue
        except (ValueError, RecursionError) as problem:
            walker.book.wrong_fields(at, f"{clip(line.decode().strip())}  ({_reason(problem)})")
            continue
        walker.record(record, at)
    return walker.table()


def read_objects(rows: Sequence[Any], wanted: Wanted, origin: str, given: Any) -> FrameTable:
    """Records in memory, as a file of JSON would hold them; `given` is what they were handed over in."""
    walker = _Walker(wanted, RowBook(wanted.number, origin, line_of=lambda _: None, noun="row"), given)
    walker.top(_members(rows))
    return walker.table()


def _members(tree: Any) -> Any:
    if isinstance(tree, Mapping):
        return Members((str(name), _members(cell)) for name, cell in tree.items())
    if isinstance(tree, (list, tuple)):
        return [_members(cell) for cell in tree]
    return tree


def names(head: bytes) -> Iterator[list[str]]:
    """The names in each whole record at the beginning of a file."""
    for line in head.removeprefix(BOM).splitlines():
        try:
            record = parse(line.decode())
        except (ValueError, RecursionError):
            continue
        if isinstance(record, Members):
            yield record.names


def broken(problem: Exception, origin: str) -> UnreadableError:
    line = problem.lineno if isinstance(problem, json.JSONDecodeError) else None
    places = () if line is None else (f"line {line}: {_reason(problem)}",)
    message = "this is not JSON" if line is not None else f"this JSON cannot be read ({_reason(problem)})"
    return UnreadableError(noted("not-json", message, origin, 1, places, line, _EXPECTED))


def _reason(problem: Exception) -> str:
    return problem.msg if isinstance(problem, json.JSONDecodeError) else clip(str(problem) or type(problem).__name__)


@dataclass(frozen=True)
class _Shape:
    """What the names of a record say; looked up once for all records that have the same names."""

    names: tuple[str, ...]
    picked: Picked | Note
    needs_query: bool
    """The record is below its query, and does not repeat it."""
    document: int | None
    """The place of the document; there may be a list of them."""
    repeated: str | None
    """A name that stands twice: nobody knows which of the two is meant."""


def _shape(names: tuple[str, ...], wanted: Wanted, origin: str, *, is_inside: bool) -> _Shape:
    repeated = next((name for at, name in enumerate(names) if name in names[:at]), None)
    needs_query = is_inside and not _QUERY.intersection(map(key, names))
    names = (*names, "query") if needs_query else names
    if is_inside and wanted.column not in names:  # it named the list that this is in
        wanted = replace(wanted, column=None)
    try:
        picked = pick(names, wanted, origin)
    except UnreadableError as fault:
        document = next((at for at, name in enumerate(names) if key(name) in _DOCUMENT), None)
        return _Shape(names, fault.note, needs_query, document, repeated)
    return _Shape(names, picked, needs_query, picked.document, repeated)


class _Walker:
    """Goes through parsed JSON and puts every row into the book."""

    def __init__(self, wanted: Wanted, book: RowBook, given: Any) -> None:
        self.wanted, self.book, self.given = wanted, book, given
        self.shapes: dict[tuple[tuple[str, ...], bool], _Shape] = {}
        self.refused: Note | None = None
        self.are_listed = False
        """Relevant documents are listed without values."""
        self.unnamed = 0
        """Rows without the names that a record needs; if all are, the names are the fault and not the rows."""
        self.answered: set[str] = set()
        """Queries whose documents are in a list of their record."""
        self.is_known = False
        """The list was named, or has a usual name."""
        self.field: str | None = None
        """The first field that lists documents."""
        self.is_deep = any("." in (name or "") for name in (wanted.column, wanted.query, wanted.document))

    def table(self) -> FrameTable:
        # Where other records have the list, one without it is a query that failed.
        is_listless = self.refused is not None and self.refused.kind == golden.NO_LIST and not self.is_known
        if self.refused is not None and (self.unnamed == self.book.rows or is_listless):
            raise UnreadableError(self.refused)
        picked = next((shape.picked for shape in self.shapes.values() if isinstance(shape.picked, Picked)), None)
        remarks, nouns = ((), NOUNS) if picked is None else (picked.remarks, picked.nouns)
        if self.are_listed:  # which also says that there is no column of values
            kept = [note for note in remarks if note.kind != "no-values"]
            remarks = (*kept, listed_without_values(self.book.origin))
        lists = None if self.field is None else (self.field, self.given)
        return replace(self.book.table(_EXPECTED, remarks=remarks), nouns=nouns, lists=lists)

    def top(self, tree: Any) -> None:
        if isinstance(tree, Members) and _is_record(tree):
            self.record(tree, ())
        elif isinstance(tree, Members):
            part = golden.part_of(tree, self.wanted)
            self._mapping(part if isinstance(part, Members) else tree)
        elif isinstance(tree, list):
            for at, record in enumerate(tree):
                self.record(record, (at,))
        else:
            self.book.wrong_fields((), quoted(tree))

    def _mapping(self, tree: Members) -> None:
        holders = [(at, name, part) for at, (name, part) in enumerate(tree) if type(part) is list]
        if len(holders) == 1 < len(tree):
            at, _, records = holders[0]
            for n, record in enumerate(records):
                self.record(record, (at, n))
            return
        for at, (query, part) in enumerate(tree):
            self.documents(query, part, (at,))

    def documents(self, query: Any, part: Any, place: Any) -> None:
        """The documents of one query: with numbers, in order, or as records."""
        if isinstance(part, Members) and any(
            isinstance(cell, list) and golden.is_known(name, self.wanted) for name, cell in part
        ):
            rest = [(name, cell) for name, cell in part if name != "query_id"]
            self.record(Members([("query_id", query), *rest]), place)
        elif isinstance(part, Members):
            self.book.add_all(query, part, [_below(place, at) for at in range(len(part))])
        elif isinstance(part, list):
            for at, element in enumerate(part):
                if isinstance(element, Members):
                    more = golden.lacking(element, self.wanted.number, at)
                    self.are_listed |= ("value", 1) in more
                    self.record(Members([*element, *more]), _below(place, at), query)
                elif self.wanted.number == "score":
                    # The book turns ranks into scores where a file has ranks only; here the order is the rank.
                    self.book.add(_below(place, at), query, element, at + 1 if self.book.is_rank else -(at + 1))
                else:
                    self.are_listed = True
                    self.book.add(_below(place, at), query, element, 1)
        else:
            self.book.wrong_fields(place, f"query {clip(str(query))}: {quoted(part)} where documents are expected")

    def record(self, record: Any, place: Any, query: Any = None) -> None:
        """One row, or one query with its documents."""
        if not isinstance(record, Members):
            self.book.wrong_fields(place, f"{quoted(record)} where a record is expected")
            return
        if self.is_deep:
            record = Members([*record, *golden.inner(record)])
        names, cells = tuple([name for name, _ in record]), [cell for _, cell in record]
        shape = (names, query is None)
        if shape not in self.shapes:
            self.shapes[shape] = _shape(names, self.wanted, self.book.origin, is_inside=query is not None)
        found = self.shapes[shape]
        if found.repeated is not None:
            self.book.wrong_fields(place, f"{quoted(found.repeated)} stands twice in a record")
            return
        if found.needs_query:
            cells.append(query)
        picked, lists = found.picked, found.document is None or isinstance(cells[found.document], list)
        if isinstance(picked, Picked) and picked.is_rank == self.book.is_rank and not lists:
            system = "" if picked.system is None else cells[picked.system] or None
            number = 1 if picked.number is None else cells[picked.number]
            self.book.add(place, cells[picked.query], cells[picked.document], number, system)
        elif not (lists and query is None and self._nested(found.names, cells, place)):
            self._unusual(record, place, query, found)

    def _unusual(self, record: Members, place: Any, query: Any, found: _Shape) -> None:
        """The first record, which decides between ranks and scores; or one that names too little."""
        if isinstance(found.picked, Note):
            refused = golden.no_list(record, self.wanted, self.book.origin) if query is None else None
            refused = refused or self._deeper(record, query) or found.picked
            self.refused = self.refused or refused
            if refused.kind == golden.NO_LIST:
                return
            self.unnamed += 1
            self.book.wrong_fields(place, f"{refused.text} in {clip(', '.join(found.names))}")
        elif self.book.rows:
            self.book.wrong_fields(place, "a rank here, a score elsewhere")
        else:
            self.book.is_rank = found.picked.is_rank
            self.record(record, place, query)

    def _deeper(self, record: Members, query: Any) -> Note | None:
        """What a record lacks, said with the fields of the objects in it; None where there are none."""
        if not any(golden.inner(record)):
            return None
        names = tuple(name for name, _ in golden.opened(record))
        picked = _shape(names, self.wanted, self.book.origin, is_inside=query is not None).picked
        return picked if isinstance(picked, Note) else None

    def _nested(self, names: Sequence[str], cells: list[Any], place: Any) -> bool:
        """Whether the record holds the documents of its query inside it; they are taken then."""
        at, query = golden.holder(names, cells, self.wanted), golden.query_of(names, cells, self.wanted.query)
        if at is None or query is None:
            return False
        if str(query) in self.answered and self.wanted.number == "score":
            raise UnreadableError(golden.answered_twice(query, self.book.line_of(place), self.book.origin))
        self.answered.add(str(query))
        self.is_known |= golden.is_known(names[at], self.wanted)
        self.field = self.field or names[at]
        if isinstance(cells[at], (str, int)):  # one document without brackets
            self.documents(query, [cells[at]], _below(place, at))
        elif cells[at] is not None:  # a failed query has none, and counts as missing from the run
            self.documents(query, cells[at], _below(place, at))
        return True


def _is_record(tree: Members) -> bool:
    """A query named by a column, as against {query: documents}."""
    return any(key(name) in _QUERY and not isinstance(cell, list) for name, cell in tree)


def _below(place: Any, at: int) -> Any:
    """The path one step further in; a line number stays unchanged."""
    return (*place, at) if isinstance(place, tuple) else place
