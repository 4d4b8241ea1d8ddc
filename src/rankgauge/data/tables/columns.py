"""Which column is what, whatever it is called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rankgauge.errors import did_you_mean
from rankgauge.frozen import dataclass
from rankgauge.tables.notes import Note, clip, noted

NAMES = {
    "query": ("query_id", "query-id", "qid", "query", "topic", "user_id", "user"),
    "document": ("doc_id", "corpus-id", "docno", "docid", "document", "item_id", "item"),
    "value": ("grade", "relevance", "rel", "label", "rating", "value"),
    "score": ("score",),
    "rank": ("rank",),
    "system": ("system",),
}
"""The names of each role, the surest first: of `qid` and `query`, the latter is mostly the words of the query."""


@dataclass(frozen=True)
class Wanted:
    """What a reader looks for: judged `value`s or the `score`s of a run, by alias or in a column named outright."""

    number: str
    column: str | None = None


@dataclass(frozen=True)
class Picked:
    """Positions of the columns that matter; ranks replace scores where there are none."""

    query: int
    document: int
    number: int
    is_rank: bool = False
    system: int | None = None
    remarks: tuple[Note, ...] = ()

    @property
    def used(self) -> list[int]:
        all_of = [self.query, self.document, self.number]
        return all_of if self.system is None else [*all_of, self.system]


def key(name: str) -> str:
    """`doc_id`, `doc-id`, `docId` and `DocID` are one name."""
    return "".join(character for character in name.casefold() if character not in "-_ ")


def is_header(names: Iterable[str]) -> bool:
    """Whether these words name at least a query and a document column."""
    words = {key(name) for name in names}
    return all(words & set(map(key, NAMES[role])) for role in ("query", "document"))


def has_system(names: Iterable[str]) -> bool:
    return any(key(name) in NAMES["system"] for name in names)


def pick(columns: Sequence[str], wanted: Wanted, origin: str) -> Picked | Note:
    """The columns of a table, or what is wrong with their names."""
    places = {role: _places(columns, role) for role in NAMES}
    for role in ("query", "document"):
        if not places[role]:
            return _unknown(columns, role, NAMES[role], origin)
    number = _number(columns, places, wanted, origin)
    if isinstance(number, Note):
        return number
    at, is_rank = number
    if at in {places["query"][0], places["document"][0]}:
        return noted(
            "wrong-column", f"column {clip(columns[at])!r} holds ids, not numbers", origin, hint="Name another."
        )
    system = places["system"][0] if places["system"] and wanted.number == "score" else None
    remarks = [_ambiguous(columns, role, places[role], origin) for role in ("query", "document")]
    if wanted.column is None and wanted.number == "value":
        remarks.append(_ambiguous(columns, "value", places["value"], origin))
    return Picked(
        places["query"][0],
        places["document"][0],
        at,
        is_rank,
        system,
        tuple(remark for remark in remarks if remark is not None),
    )


Number = tuple[int, bool]
"""Position of the number, and whether it is a rank."""


def _number(columns: Sequence[str], places: dict[str, list[int]], wanted: Wanted, origin: str) -> Number | Note:
    if wanted.column is None:
        choose = _score if wanted.number == "score" else _value
        return choose(columns, places, origin)
    found = [at for at, name in enumerate(columns) if name == wanted.column]
    found = found or [at for at, name in enumerate(columns) if key(name) == key(wanted.column)]
    if found:
        return found[0], False
    hint = clip(did_you_mean(wanted.column, columns), 300)
    return noted("unknown-column", f"no column {clip(wanted.column)!r}", origin, hint=hint)


def _score(columns: Sequence[str], places: dict[str, list[int]], origin: str) -> Number | Note:
    if places["score"]:
        return places["score"][0], False
    if places["rank"]:
        return places["rank"][0], True
    if places["value"]:
        because = f"column {clip(columns[places['value'][0]])!r}, no score or rank"
        return looks_like("a run", "judgments", because, origin)
    return _unknown(columns, "score", (*NAMES["score"], *NAMES["rank"]), origin)


def _value(columns: Sequence[str], places: dict[str, list[int]], origin: str) -> Number | Note:
    if places["value"]:
        return places["value"][0], False
    if places["score"] and not (places["rank"] or places["system"]):
        return places["score"][0], False  # qrels as BEIR writes them
    if places["score"] or places["rank"]:
        return looks_like("judgments", "a run", "a score or rank, not a grade", origin)
    return _unknown(columns, "judged value", NAMES["value"], origin)


def looks_like(wanted: str, other: str, because: str, origin: str) -> Note:
    """Judgments and run swapped, the commonest slip on the command line."""
    return noted(
        "wrong-kind",
        f"this looks like {other} ({because}), but {wanted} {'is' if wanted == 'a run' else 'are'} expected here",
        origin,
        hint="Judgments come first, then runs.",
    )


def _places(columns: Sequence[str], role: str) -> list[int]:
    """Columns that can play a role, the surest first: a name spelled as listed goes before a similar one."""
    found: list[int] = []
    for spell in (str.casefold, key):
        words = [spell(column) for column in columns]
        found += [at for name in NAMES[role] for at, word in enumerate(words) if word == spell(name)]
    return list(dict.fromkeys(found))


def _unknown(columns: Sequence[str], role: str, names: Sequence[str], origin: str) -> Note:
    return noted(
        "unknown-columns",
        f"no column for the {role}",
        origin,
        places=(f"columns: {clip(', '.join(columns), 300)}",),
        hint=f"Name one of them {', '.join(names)}; the first line must hold the names.",
    )


def _ambiguous(columns: Sequence[str], role: str, places: list[int], origin: str) -> Note | None:
    if len(places) < 2:
        return None
    taken, others = clip(columns[places[0]]), [clip(columns[at]) for at in places[1:]]
    message = f"column {taken!r} is taken as the {role}, not {' or '.join(map(repr, others))}"
    return noted("several-columns", message, origin, len(others), line=None)
