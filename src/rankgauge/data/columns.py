"""Which column is what, whatever it is called."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rankgauge.data.faults import UnreadableError
from rankgauge.errors import did_you_mean
from rankgauge.tables.notes import NOUNS, Note, clip, noted

_PEOPLE, _THINGS = ("user_id", "user", "uid"), ("item_id", "item", "movie_id", "product_id", "iid")
NAMES = {
    "query": ("query_id", "query-id", "qid", "query", "topic", *_PEOPLE),
    "document": ("doc_id", "corpus-id", "docno", "docid", "document", *_THINGS),
    "value": ("grade", "relevance", "rel", "label", "rating", "value", "clicks", "relevant", "y_true"),
    "score": ("score", "prediction", "pred", "y_pred", "y_score"),
    "rank": ("rank",),
    "system": ("system",),
}
"""The names of each role, the surest first: of `qid` and `query`, the latter is mostly the words of the query."""


@dataclass(frozen=True)
class Wanted:
    """What a reader looks for: judged `value`s or the `score`s of a run, by alias or in columns named outright."""

    number: str
    column: str | None = None
    query: str | None = None
    document: str | None = None


@dataclass(frozen=True)
class Picked:
    """Positions of the columns that matter; ranks replace scores where there are none."""

    query: int
    document: int
    number: int | None
    """None where every row counts as 1."""
    is_rank: bool = False
    system: int | None = None
    remarks: tuple[Note, ...] = ()
    nouns: tuple[str, str] = NOUNS

    @property
    def used(self) -> list[int]:
        all_of = [self.query, self.document, *([] if self.number is None else [self.number])]
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


def pick(columns: Sequence[str], wanted: Wanted, origin: str) -> Picked:
    """The columns of a table; what is wrong with their names is raised."""
    places = {role: _places(columns, role) for role in NAMES}
    for role, given in (("query", wanted.query), ("document", wanted.document)):
        if given is not None:
            named = _column(columns, given, origin)
            places = {other: [at for at in found if at != named] for other, found in places.items()} | {role: [named]}
    for role in ("query", "document"):
        if not places[role]:
            raise _unknown(columns, role, places, wanted, origin)
    at, is_rank = _number(columns, places, wanted, origin)
    if at in {places["query"][0], places["document"][0]}:
        message = f"column {clip(columns[at])!r} holds ids, not numbers"
        raise UnreadableError(noted("wrong-column", message, origin, hint="Name another."))
    system = places["system"][0] if places["system"] and wanted.number == "score" else None
    remarks = [_ambiguous(columns, role, places[role], origin) for role in ("query", "document")]
    if at is None:
        remarks.append(noted("no-values", "no column of judged values; every row counts as 1", origin, line=None))
    elif wanted.column is None and wanted.number == "value":
        remarks.append(_ambiguous(columns, "value", places["value"], origin))
    kept = tuple(remark for remark in remarks if remark is not None)
    query, document = places["query"][0], places["document"][0]
    return Picked(query, document, at, is_rank, system, kept, _nouns(columns[query], columns[document]))


def _nouns(query: str, document: str) -> tuple[str, str]:
    is_user, is_item = (key(name) in map(key, known) for name, known in ((query, _PEOPLE), (document, _THINGS)))
    return "user" if is_user else NOUNS[0], "item" if is_item else NOUNS[1]


Number = tuple[int | None, bool]
"""Position of the number, None if there is none, and whether it is a rank."""
_TIMES = {"timestamp", "time", "date", "datetime", "ts"}
"""Columns beside user and item that say nothing of how much the item is liked."""


def _number(columns: Sequence[str], places: dict[str, list[int]], wanted: Wanted, origin: str) -> Number:
    if wanted.column is not None:
        return _column(columns, wanted.column, origin), False
    choose = _score if wanted.number == "score" else _value
    return choose(columns, places, wanted, origin)


def _column(columns: Sequence[str], name: str, origin: str) -> int:
    """The place of a column that the user named."""
    found = [at for at, known in enumerate(columns) if known == name]
    found = found or [at for at, known in enumerate(columns) if key(known) == key(name)]
    if found:
        return found[0]
    hint = clip(did_you_mean(name, columns), 300)
    raise UnreadableError(noted("unknown-column", f"no column {clip(name)!r}", origin, hint=hint))


def _score(columns: Sequence[str], places: dict[str, list[int]], wanted: Wanted, origin: str) -> Number:
    if places["score"]:
        return places["score"][0], False
    if places["rank"]:
        return places["rank"][0], True
    if places["value"]:
        because = f"column {clip(columns[places['value'][0]])!r}, no score or rank"
        raise looks_like("a run", "judgments", because, origin)
    raise _unknown(columns, "score", places, wanted, origin)


def _value(columns: Sequence[str], places: dict[str, list[int]], wanted: Wanted, origin: str) -> Number:
    if places["value"]:
        return places["value"][0], False
    if places["score"] and not (places["rank"] or places["system"]) and key(columns[places["score"][0]]) == "score":
        return places["score"][0], False  # qrels as BEIR writes them
    if places["score"] or places["rank"]:
        raise looks_like("judgments", "a run", "a score or rank, not a grade", origin)
    others = set(range(len(columns))) - {at for found in places.values() for at in found}
    if not {key(columns[at]) for at in others} - _TIMES:
        return None, False
    raise _unknown(columns, "value", places, wanted, origin)


def looks_like(wanted: str, other: str, because: str, origin: str) -> UnreadableError:
    """Judgments and run swapped, the commonest slip on the command line."""
    expected = f"{wanted} {'is' if wanted == 'a run' else 'are'} expected here"
    message = f"this looks like {other} ({because}), but {expected}"
    return UnreadableError(noted("wrong-kind", message, origin, hint="Judgments come first, then runs."))


def _places(columns: Sequence[str], role: str) -> list[int]:
    """Columns that can play a role, the surest first: a name spelled as listed goes before a similar one."""
    found: list[int] = []
    for spell in (str.casefold, key):
        words = [spell(column) for column in columns]
        found += [at for name in NAMES[role] for at, word in enumerate(words) if word == spell(name)]
    return list(dict.fromkeys(found))


def _unknown(
    columns: Sequence[str], role: str, places: dict[str, list[int]], wanted: Wanted, origin: str
) -> UnreadableError:
    kind = "Judgments" if wanted.number == "value" else "Run"
    names = NAMES[role] + (NAMES["rank"] if role == "score" else ())
    message = f"no column for the {'judged value' if role == 'value' else role}"
    listed = (f"columns: {clip(', '.join(columns), 300)}",)
    call = _call(columns, places, wanted) or {role: "NAME"}
    in_python = ", ".join(f"{name}={column!r}" for name, column in call.items())
    import shlex

    in_words = shlex.quote(",".join(f"{name}={column}" for name, column in call.items()))
    hint = (
        f"Say which it is, as in {kind}(table, {in_python}) or --columns {in_words}, "
        f"or call it one of {', '.join(names)}; the first line of a file names the columns."
    )
    query = clip(columns[places["query"][0]]) if places["query"] else ""
    if call == {"score": "NAME"}:
        hint = (
            f"Add one of {', '.join(names)}; of rows in order, rank=table.groupby({query!r}).cumcount() + 1 (pandas)."
        )
    free = [name for at, name in enumerate(columns) if not any(at in found for found in places.values())]
    if role == "document" and query and len(free) > 1 and all(map(str.isdigit, free)):
        stacked = f"{kind}(matrix.stack().dropna().rename({wanted.number!r}))"
        hint = f"A matrix with a column for each document, indexed by {query!r}, is {stacked} (pandas)."
    if role == "document" and query and wanted.number == "value" and places["value"]:
        label = clip(columns[places["value"][0]])
        sizes = f"Judgments(table[{label!r}], group_sizes=table.groupby({query!r}, sort=False).size())"
        hint += f" Labels without documents, the rows of each query together, are {sizes}."
    return UnreadableError(noted("unknown-columns", message, origin, places=listed, hint=hint))


def _call(columns: Sequence[str], places: dict[str, list[int]], wanted: Wanted) -> dict[str, str]:
    """Columns that nothing is known of, in the roles that are open, both in order."""
    taken = {at for found in places.values() for at in found}
    free = [clip(name) for at, name in enumerate(columns) if at not in taken]
    known = places[wanted.number] or places["rank"] or wanted.column is not None
    roles = [name for name in ("query", "document") if not places[name]] + ([] if known else [wanted.number])
    return dict(zip(roles, free, strict=False))


def _ambiguous(columns: Sequence[str], role: str, places: list[int], origin: str) -> Note | None:
    if len(places) < 2:
        return None
    taken, others = clip(columns[places[0]]), [clip(columns[at]) for at in places[1:]]
    message = f"column {taken!r} is taken as the {role}, not {' or '.join(map(repr, others))}"
    return noted("several-columns", message, origin, len(others), line=None)
