"""JSON in the shapes people use, and one record a line.

{query: {document: number}} · {query: [documents in order]} · {query: [records]} · [records] · {…, "anything": [records]}
A record names its columns; instead of a document it may hold the documents of its query in one of the shapes above, as
golden questions do: records that name a query and list its relevant or retrieved documents, as RAG tools write them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

from rankgauge.data.columns import Picked, pick
from rankgauge.data.read.bytes import Content, Source, decoded, text_lines
from rankgauge.data.read.delimited import RowBook, below, id_of
from rankgauge.data.table import NAMES, RowTable, Wanted, key, listed_without_values
from rankgauge.errors import DataError
from rankgauge.tables.notes import NOUNS, Note, clip, noted, quoted

_QUERY, _DOCUMENT = (tuple(map(key, NAMES[role])) for role in ("query", "document"))
ASKED = (*_QUERY, "questionid", "id", "question", "userinput")
"""Names of a query in a record that holds its documents, the surest first."""
_LISTS = {
    "value": (
        *("expectedids", "expected", "relevantids", "relevant", "goldids", "gold", "referenceids"),
        *("relevantdocs", "relevantdocids", "relevantdocuments", "expecteddocids", "groundtruthids"),
        *("referencecontextids", "referencecontexts"),
        *("relevantcontexts", "relevantchunks", "expectedcontexts", "expectedchunks", "groundtruthcontexts"),
        *("expectedid", "relevantid", "goldid", "relevantdocid", "expecteddocid"),
        "groundtruth",  # the least sure: for Ragas these are answers
    ),
    "score": (
        *("retrievedids", "retrieved", "results", "hits", "retrieveddocids", "returned"),
        *("retrieveddocs", "retrieveddocuments", "retrievedcontextids", "retrievedcontexts", "retrievedchunks"),
        *("contexts", "chunks", "matches", "sources", "sourcedocuments", "documents", "docs"),
    ),
}
"""Usual names of the fields with relevant and with retrieved documents."""
_NUMBERS = {
    number: {key(name) for role in roles for name in NAMES[role]}
    for number, roles in {"score": ("score", "rank"), "value": ("value", "score", "rank")}.items()
}
"""How a number of a listed document may be called."""
_NO_LIST = "no-list"
"""Kind of the fault that records list documents, and nothing says in which field."""
_EXPECTED = "JSON is {query: {document: number}}, {query: [documents]}, or records with named columns."
_SEVERAL = re.compile(r"[\s,;|]")
"""What separates ids that are written into one text."""
_SCORES = (False, True)
_LONG = 4000
"""Digits of a whole number that Python reads."""


class Members(list[tuple[str, Any]]):
    """The members of a JSON object in order, repeated names included: a dict would drop them silently."""


_DECODER = json.JSONDecoder(object_pairs_hook=Members)
_PATIENT = json.JSONDecoder(
    object_pairs_hook=Members, parse_int=lambda digits: int(digits) if len(digits) < _LONG else float(digits)
)


def parse(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # a whole number of thousands of digits: beyond all floats
        return _PATIENT.decode(text)


def read(source: Source, content: Content, wanted: Wanted) -> RowTable:
    """A whole file of JSON."""
    text = decoded(content.bytes, source.origin)
    try:
        tree = parse(text)
    except (ValueError, RecursionError) as problem:
        raise broken(problem, source.origin) from None
    return _Book(wanted, source.origin, source.path.resolve(), lambda path: line_of(text, path)).all_of(tree)


def read_lines(source: Source, content: Content, wanted: Wanted) -> RowTable:
    """One record a line."""
    book = _Book(wanted, source.origin, source.path.resolve())
    for at, line in text_lines(content.bytes):
        if not line.strip():
            continue
        try:
            record = parse(line.decode())
        except UnicodeDecodeError:
            book.wrong(at, kind="not-utf8")
        except (ValueError, RecursionError) as problem:
            book.wrong(at, f"{clip(line.decode().strip())}  ({_reason(problem)})")
        else:
            book.record(record, at)
    return book.rows_of_all()


def read_objects(rows: Sequence[Any], wanted: Wanted, origin: str, given: Any) -> RowTable:
    """Records in memory, as a file of JSON would hold them; `given` is what they were handed over in."""

    def members(tree: Any) -> Any:
        if isinstance(tree, Mapping):
            return Members((str(name), members(cell)) for name, cell in tree.items())
        return [members(cell) for cell in tree] if isinstance(tree, (list, tuple)) else tree

    return _Book(wanted, origin, given, lambda _: None).all_of(members(rows))


def broken(problem: Exception, origin: str) -> DataError:
    line = problem.lineno if isinstance(problem, json.JSONDecodeError) else None
    places = () if line is None else (f"line {line}: {_reason(problem)}",)
    message = "this is not JSON" if line is not None else f"this JSON cannot be read ({_reason(problem)})"
    return noted("not-json", message, origin, 1, places, line, _EXPECTED).error()


def _reason(problem: Exception) -> str:
    return problem.msg if isinstance(problem, json.JSONDecodeError) else clip(str(problem) or type(problem).__name__)


_SIGN = re.compile(r"\S|\Z")


def line_of(text: str, path: tuple[int, ...]) -> int | None:
    """The line on which a value begins, which parsers do not say.

    The path to it has the place of each member or element within what holds it, from the outside in and from 0.
    """

    def word(at: int) -> int:
        return next(_SIGN.finditer(text, at)).start()

    def behind(at: int) -> int:
        return word(_PATIENT.raw_decode(text, at)[1])

    at = word(0)
    for step in path:
        is_object = text[at] == "{"
        for number in range(step + 1):
            at = behind(at) if number else at
            if text[at] not in "[{,":  # what holds nothing, or its end
                return None
            at = word(at + 1)
            if is_object:
                at = word(behind(at) + 1)
    return 1 + text.count("\n", 0, at)


Shape = tuple[tuple[str, ...], Picked | Note, int | None]
"""The names of a record, with that of its query where that is given from outside; what they say; and the place of the
document, or of a list of them. Looked up once for all records that have the same names."""


def _shape(names: tuple[str, ...], wanted: Wanted, origin: str, *, is_inside: bool) -> Shape:
    if is_inside and not {*_QUERY}.intersection(map(key, names)):
        names = (*names, "query")
    if is_inside and wanted.column not in names:  # it named the list that this is in
        wanted = wanted._replace(column=None)
    try:
        picked = pick(names, wanted, origin)
    except DataError as fault:
        return names, fault.note, next((at for at, name in enumerate(names) if key(name) in _DOCUMENT), None)
    return names, picked, picked.document


class _Book(RowBook):
    """Takes what was parsed, in any of the shapes."""

    def __init__(self, wanted: Wanted, origin: str, given: Any, line_of: Callable[[Any], int | None] = int) -> None:
        super().__init__(wanted.number, origin, line_of=line_of, noun="row")
        self.wanted, self.given = wanted, given
        self.shapes: dict[tuple[tuple[str, ...], bool], Shape] = {}
        self.refused: Note | None = None
        self.unnamed = 0
        """Rows without the names that a record needs; if all are, the names are the fault and not the rows."""
        self.are_listed = False
        """Relevant documents are listed without values."""
        self.asked: str | None = None
        """The field that names the query in records with lists: the same in all of them."""
        self.answered: set[str] = set()
        """Queries whose documents are in a list of their record."""
        self.fields: dict[str, bool] = {}
        """The fields that list documents, and whether each was named or has a usual name."""
        self.misfits: list[tuple[str, Any, str]] = []
        """Cells that are no lists: a fault where other records list documents in the same field."""
        self.kind: tuple[bool, bool] | None = None
        """Whether numbers are ranks, and whether they are written out: the same in all rows."""
        self.is_deep = any("." in (name or "") for name in (wanted.column, wanted.query, wanted.document))

    def rows_of_all(self) -> RowTable:
        # Where other records have the list, one without it is a query that failed.
        is_listless = self.refused is not None and self.refused.kind == _NO_LIST and not any(self.fields.values())
        if self.refused is not None and (self.unnamed == self.rows or is_listless):
            raise self.refused.error()
        for name, place, text in self.misfits:
            if name in self.fields:
                self.wrong(place, text)
        picked = next((picked for _, picked, _ in self.shapes.values() if isinstance(picked, Picked)), None)
        remarks, nouns = ((), NOUNS) if picked is None else (picked.remarks, picked.nouns)
        if self.are_listed:  # which also says that there is no column of values
            kept = [note for note in remarks if note.kind != "no-values"]
            remarks = (*kept, listed_without_values(self.origin))
        lists = (next(iter(self.fields)), self.given) if self.fields else None
        return self.table(_EXPECTED, remarks=remarks)._replace(nouns=nouns, lists=lists)

    def all_of(self, tree: Any) -> RowTable:
        """The table of a whole tree."""
        records: Iterable[tuple[Any, Any]] = ()
        if isinstance(tree, Members):
            # A query named by a column, as against {query: documents}.
            if any(key(name) in _QUERY and not isinstance(cell, list) for name, cell in tree):
                records = [((), tree)]
            else:
                above = _part_of(tree, self.wanted)
                tree = tree[above[0]][1] if above else tree
                holders = [at for at, (_, part) in enumerate(tree) if type(part) is list]
                if len(holders) == 1 < len(tree):
                    records = (((*above, holders[0], at), record) for at, record in enumerate(tree[holders[0]][1]))
                else:
                    for at, (query, part) in enumerate(tree):
                        self.documents(query, part, (*above, at))
        elif isinstance(tree, list):
            records = (((at,), record) for at, record in enumerate(tree))
        else:
            self.wrong((), quoted(tree))
        for place, record in records:
            self.record(record, place)
        return self.rows_of_all()

    def documents(self, query: Any, part: Any, place: Any) -> None:
        """The documents of one query: with numbers, in order, or as records."""
        if isinstance(part, Members) and any(isinstance(c, list) and _is_known(name, self.wanted) for name, c in part):
            rest = [(name, query if name == "query_id" else cell) for name, cell in part]
            self.record(Members(rest if ("query_id", query) in rest else [*rest, ("query_id", query)]), place)
        elif isinstance(part, Members):
            if part and self._is_of_kind(place, _SCORES):
                self.add_list(place, query, [document for document, _ in part], [number for _, number in part])
        elif isinstance(part, list):
            self._list(query, part, place)
        else:
            what = "a list of documents is" if isinstance(part, str) else "documents are"
            self.wrong(place, f"query {clip(str(query))}: {quoted(part)} where {what} expected")

    def _list(self, query: Any, part: list[Any], place: Any) -> None:
        """Documents in order: without a score their order counts; without a value, what is listed is relevant."""
        numbers = range(-1, -len(part) - 1, -1) if self.number == "score" else [1] * len(part)
        numbered = [isinstance(one, Members) and not _NUMBERS[self.number].isdisjoint(_keys(one)) for one in part]
        if any(numbered) and not all(numbered):
            at = numbered.index(False)
            cells = _keys(part[at]) if isinstance(part[at], Members) else {"id": part[at]}
            document = next((cells[name] for name in (*_DOCUMENT, "id") if name in cells), None)
            pair = f"query {clip(str(query))}, document {clip(str(document))}"
            self.wrong(below(place, at), f"{pair} has no {self.number}, unlike others of its list")
            return
        self.are_listed |= bool(part) and self.number == "value" and not any(numbered)
        if not any(isinstance(one, Members) for one in part):
            self.add_list(place, query, part, numbers)
            return
        for at, element in enumerate(part):
            if isinstance(element, Members):
                more = [] if numbered[at] else [(self.number, numbers[at])]
                made = Members([*element, *_document_of(element), *more])
                self.record(made, below(place, at), query, is_placed=not numbered[at])
            else:
                self.add(below(place, at), query, element, numbers[at], is_rank=False)

    def _is_of_kind(self, place: Any, kind: tuple[bool, bool]) -> bool:
        """The first number that is written out decides between scores and ranks, the first row between values and none."""
        if self.kind is None:
            self.kind, self.is_rank = kind, kind[0]
        if kind == self.kind:
            return True
        if kind[0] != self.kind[0]:
            wrong = "a rank here, a score elsewhere" if kind[0] else "a score here, a rank elsewhere"
        else:
            wrong = "a value here, none elsewhere" if kind[1] else "no value here, one elsewhere"
        self.wrong(place, wrong)
        return False

    def record(self, record: Any, place: Any, query: Any = None, *, is_placed: bool = False) -> None:
        """One row, or one query with its documents; `is_placed` where its place in a list is its number."""
        if not isinstance(record, Members):
            self.wrong(place, f"{quoted(record)} where a record is expected")
            return
        if self.is_deep:
            record = Members([*record, *_inner(record)])
        names, cells = tuple([name for name, _ in record]), [cell for _, cell in record]
        if (names, query is None) not in self.shapes:
            shape = _shape(names, self.wanted, self.origin, is_inside=query is not None)
            self.shapes[names, query is None] = shape
        if len(set(names)) < len(names):  # nobody knows which of the two is meant
            twice = next(name for at, name in enumerate(names) if name in names[:at])
            self.wrong(place, f"{quoted(twice)} stands twice in a record")
            return
        names, picked, document = self.shapes[names, query is None]
        if len(names) > len(cells):
            cells.append(query)
        is_list = document is None or isinstance(cells[document], list)
        if is_list and query is None and self._holds_documents(names, cells, place):
            return
        if isinstance(picked, Note):
            self._refuse(record, place, query, names, picked)
        elif is_list or is_placed or self._is_of_kind(place, (picked.is_rank, picked.number is not None)):
            system = "" if picked.system is None else cells[picked.system] or None
            number = 1 if picked.number is None else cells[picked.number]
            is_rank = False if is_placed else None  # a list is no id
            self.add(place, cells[picked.query], cells[picked.document], number, system, is_rank=is_rank)

    def _holds_documents(self, names: Sequence[str], cells: list[Any], place: Any) -> bool:
        """Whether the record holds the documents of its query inside it; they are taken then."""
        at, (field, query) = _holder(names, cells, self.wanted), asked(names, cells, self.wanted.query)
        if field is None or (at is None and not any(isinstance(cell, list) for cell in cells)):
            return False
        self.asked = self.asked or (field if id_of(query) is not None else None)
        if id_of(query) is None:
            self.wrong(place, f"query {quoted(query)}", "bad-id")
        elif key(field) != key(self.asked or field):
            self.wrong(place, f"has the query in {clip(field)!r}, elsewhere in {clip(str(self.asked))!r}")
        elif at is None:
            return False
        else:
            if str(query) in self.answered and self.number == "score":  # which no ranking is
                line = self.line_of(place)
                text = f"query {clip(str(query))} has more than one list of retrieved documents"
                hint = (
                    "Give every record an id of its own, or name the field that holds it, as in --columns query=FIELD."
                )
                places = () if line is None else (f"line {line}",)
                raise noted("repeated-query", text, self.origin, 1, places, line, hint).error()
            self.answered.add(str(query))
            self.fields.setdefault(names[at], _is_known(names[at], self.wanted))
            documents = cells[at]
            is_text = isinstance(documents, str) and key(names[at]).endswith("ids") and _SEVERAL.search(documents)
            if isinstance(documents, (str, int)) and not is_text:  # one document without brackets
                documents = [documents]
            if documents is not None:  # a failed query has none, and counts as missing from the run
                self.documents(query, documents, below(place, at))
        return True

    def _refuse(self, record: Members, place: Any, query: Any, names: tuple[str, ...], refused: Note) -> None:
        """A record that names too little."""
        no_list = _no_list(record, self.wanted, self.origin) if query is None else None
        if no_list is not None:
            refused = no_list
        elif any(_inner(record)):  # said with the fields of the objects in it
            opened = tuple(name for name, _ in _opened(record))
            deeper = _shape(opened, self.wanted, self.origin, is_inside=query is not None)[1]
            refused = deeper if isinstance(deeper, Note) else refused
        self.refused = self.refused or refused
        if no_list is None:
            self.unnamed += 1
            self.wrong(place, f"{refused.text} in {clip(', '.join(names))}")
            return
        _, found = asked([name for name, _ in record], [cell for _, cell in record], self.wanted.query)
        for name, cell in record:
            if cell is not None and _is_known(name, self.wanted):
                said = f"query {clip(str(found))}: {quoted(cell)} where a list of documents is expected"
                self.misfits.append((name, place, said))


def asked(names: Iterable[str], cells: Iterable[Any], named: str | None = None) -> tuple[str | None, Any]:
    """The field that names the query, that which the user named or the surest that is filled, and what is in it."""
    known = {key(str(name)): (str(name), cell) for name, cell in zip(names, cells, strict=True)}
    there = [known[name] for name in (ASKED if named is None else (key(named),)) if name in known]
    return next((found for found in there if found[1] is not None), there[0] if there else (None, None))


def _holder(names: Sequence[str], cells: Sequence[Any], wanted: Wanted) -> int | None:
    """The field with the documents: the one named, one with a usual name, or the only list."""
    if wanted.column is not None:
        return next((at for at, name in enumerate(names) if name == wanted.column), None)
    keys = list(map(key, names))
    usual = [keys.index(name) for name in _LISTS[wanted.number] if name in keys]
    # A text is the id of a document where the name says so; else it may be the answer in words.
    kept = [at for at in usual if keys[at].endswith(("id", "ids")) or not isinstance(cells[at], (str, int, float))]
    kept = [at for at in kept if not (_is_object(cells[at]) and any(isinstance(cell, list) for _, cell in cells[at]))]
    if kept:
        return kept[0]
    other = _LISTS["score" if wanted.number == "value" else "value"]
    inside = [at for at, cell in enumerate(cells) if isinstance(cell, list) and not _is_object(cell)]
    return inside[0] if len(inside) == 1 and keys[inside[0]] not in other else None


def _is_known(name: str, wanted: Wanted) -> bool:
    """Whether a field is the one that was named or has a usual name, rather than being the only list."""
    return name == wanted.column if wanted.column is not None else key(name) in _LISTS[wanted.number]


def _part_of(tree: Members, wanted: Wanted) -> tuple[int, ...]:
    """The path to {query: documents} that a file keeps beside other things, under the name given or a usual one."""
    at = next((at for at, (name, _) in enumerate(tree) if name == wanted.column), None)
    if wanted.column is None:
        lists = [_is_object(cell) and all(isinstance(rows, list) for _, rows in cell) for _, cell in tree]
        keys = [key(name) if is_list else "" for (name, _), is_list in zip(tree, lists, strict=True)]
        at = next((keys.index(name) for name in _LISTS[wanted.number] if name in keys), None)
    return (at,) if at is not None and len(tree) > 1 and isinstance(tree[at][1], Members) else ()


def _is_object(cell: Any) -> TypeGuard[Members]:
    return isinstance(cell, Members) and bool(cell)


def _inner(record: Iterable[tuple[str, Any]], above: str = "") -> Iterator[tuple[str, Any]]:
    """What lies in objects within a record, under the path that leads there: `output.retrieved_ids`."""
    for name, cell in record:
        if _is_object(cell):
            yield from _inner(cell, f"{above}{name}.")
        elif above:
            yield f"{above}{name}", cell


def _opened(record: Members) -> list[tuple[str, Any]]:
    """A record with the fields of its objects in their place."""
    return [*((name, cell) for name, cell in record if not _is_object(cell)), *_inner(record)]


def _no_list(record: Members, wanted: Wanted, origin: str) -> Note | None:
    """That a query has lists, and none of them is known to be the one that is wanted."""
    lists = [name for name, cell in _opened(record) if isinstance(cell, list)]
    if not lists or not set(ASKED).intersection(key(name) for name, _ in record):
        return None
    option, kind = ("column", "relevant") if wanted.number == "value" else ("part", "retrieved")
    text = f"no field {clip(wanted.column)!r}" if wanted.column else f"no field is known to list the {kind} documents"
    other = _LISTS["score" if wanted.number == "value" else "value"]
    likely = [name for name in lists if key(name.rpartition(".")[2]) not in other]
    fields = clip(", ".join(likely or [name for name, _ in record]), 200)
    example = clip(likely[0]) if likely else "FIELD"
    one_of = "one of " if len(likely) > 1 else ""
    said = f"Name {one_of}{fields}," if likely else f"The fields are {fields}. Name one,"
    return noted(_NO_LIST, text, origin, hint=f"{said} as in FILE:{example} or {option}={example!r}.")


def _document_of(document: Members) -> list[tuple[str, Any]]:
    """The id of an object in a list where it is called `id` or lies in its metadata."""
    known = _keys(document)
    if not known.keys().isdisjoint(_DOCUMENT):
        return []
    inside = known.get("metadata")
    deeper = _keys(inside) if _is_object(inside) else {}
    found = [cells[name] for cells in (known, deeper) for name in (*_DOCUMENT, "id") if cells.get(name) is not None]
    return [("document", found[0])] if found else []


def _keys(record: Members) -> dict[str, Any]:
    return {key(name): cell for name, cell in record}


def records_of(text: str, origin: str) -> tuple[list[dict[str, Any]], list[int] | None]:
    """Records with the line of each, if it has one: [records], one a line, {…: [records]}, {id: record} or {id: text}."""
    places: list[int] | None = None
    try:
        tree = parse(text)
    except (ValueError, RecursionError) as problem:
        lines = {at: line for at, line in enumerate(text.splitlines(), start=1) if line.strip()}
        try:
            tree, places = list(map(parse, lines.values())), list(lines)
        except (ValueError, RecursionError):
            raise broken(problem, origin) from None
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
    if not isinstance(tree, list) or not all(isinstance(record, Members) for record in tree):
        raise noted("not-records", "this JSON has no records with named columns", origin).error()
    return list(map(dict, tree)), places
