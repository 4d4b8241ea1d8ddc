"""The columns of a table, whatever they are called: which is what, and ids and numbers made of them.

Ids become text or whole numbers, other numbers float64; rows that cannot be used become faults. A table may hold several
runs, distinguished by a `system` column.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rankgauge.data.faults import UnreadableError, duplicates, some_ids
from rankgauge.data.table import NAMES, PEOPLE, THINGS, FrameTable, Lines, Pairs, Wanted, kept_best, key
from rankgauge.errors import DataError, did_you_mean
from rankgauge.tables.notes import NOUNS, SHOWN, Note, clip, noted, quoted, share


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
    at, is_rank = _numbers(columns, places, wanted, origin)
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
    is_user, is_item = (key(name) in map(key, known) for name, known in ((query, PEOPLE), (document, THINGS)))
    return "user" if is_user else NOUNS[0], "item" if is_item else NOUNS[1]


Number = tuple[int | None, bool]
"""Position of the number, None if there is none, and whether it is a rank."""
_TIMES = {"timestamp", "time", "date", "datetime", "ts"}
"""Columns beside user and item that say nothing of how much the item is liked."""


def _numbers(columns: Sequence[str], places: dict[str, list[int]], wanted: Wanted, origin: str) -> Number:
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


_WHOLE_IDS = (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
_FIT = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
"""Whole numbers that fit into 64 bits with a sign."""


def to_frame(data: Any, origin: str) -> pl.DataFrame:
    """A Polars frame of anything that speaks Arrow."""
    if isinstance(data, pl.DataFrame):
        return data
    if isinstance(data, pl.LazyFrame):
        return data.collect()
    try:
        return pl.DataFrame(data)
    except Exception as problem:  # noqa: BLE001 - other people's conversions may raise anything
        if hasattr(data, "columns") and hasattr(data, "to_dict"):
            return _column_by_column(data, origin)
        raise _foreign(problem, origin) from None


def holds_lists(frame: pl.DataFrame, known: Collection[str]) -> bool:
    """Whether each row is a query, under one of the `known` names, with its documents in a list."""
    plain = [name for name, kind in frame.schema.items() if not isinstance(kind, pl.List)]
    return len(plain) < frame.width and not is_header(plain) and any(key(name) in known for name in plain)


def frame_table(frame: pl.DataFrame, wanted: Wanted, origin: str) -> FrameTable:
    """The columns that matter, under the names query, document, value or score, and system where there is one."""
    picked = pick(frame.columns, wanted, origin)
    roles = _roles(picked, wanted.number)
    columns = {role: frame.to_series(at) for role, at in roles.items()}
    cast: dict[str, pl.Series] = {}
    for role, column in columns.items():
        made = _number(column, picked.is_rank) if role == wanted.number else _ids(column, role)
        if isinstance(made, str):
            message = f"column {clip(frame.columns[roles[role]])!r} {made}"
            name, is_float = clip(frame.columns[roles[role]]), column.dtype.is_float()
            how = f", as in table.astype({{{name!r}: 'Int64'}}) with pandas" if is_float else ""
            raise UnreadableError(noted("wrong-type", message, origin, hint=f"Cast the column first{how}."))
        cast[role] = made.alias(role)
    table = pl.DataFrame(list(cast.values()))
    if picked.number is None:
        table = table.insert_column(2, pl.Series(wanted.number, [1.0]).new_from_index(0, len(table)))
    faults, sound = _faults(table, columns, wanted.number, origin, is_rank=picked.is_rank)
    kept = table if sound is None else table.filter(sound)
    whole = columns["query"].dtype.is_integer()
    find = lambda pairs: rows_holding(pairs, table)  # noqa: E731
    return FrameTable(kept, wanted.number, origin, find, "row", tuple(faults), picked.remarks, whole, picked.nouns)


def owned(table: FrameTable, given: pl.DataFrame) -> FrameTable:
    """The table with numbers of its own: those of a pandas frame may change under our hands.

    What was cast, as ranks are, is new already: no column given has its type.
    """
    lent = (column for column in table.rows if column.dtype.is_numeric() and column.dtype in given.dtypes)
    return replace(
        table, rows=table.rows.with_columns(pl.Series(column.name, column.to_numpy().copy()) for column in lent)
    )


def failed(number: str, finding: Note) -> FrameTable:
    """A table of which nothing can be used."""
    empty = pl.DataFrame(schema={"query": pl.String(), "document": pl.String(), number: pl.Float64()})
    return FrameTable(empty, number, finding.origin or "", faults=(finding,))


def _roles(picked: Picked, number: str) -> dict[str, int]:
    roles = {"query": picked.query, "document": picked.document}
    if picked.number is not None:
        roles[number] = picked.number
    return roles if picked.system is None else {**roles, "system": picked.system}


def _ids(column: pl.Series, role: str) -> pl.Series | str:
    """Ids as text or, if they are whole numbers, as 64 bits; or why they cannot be."""
    kind = column.dtype
    if kind in _FIT and role != "system":
        return column.cast(pl.Int64)
    if kind.is_float():
        return f"holds decimal numbers ({kind}) where ids are expected"
    if not (kind in _WHOLE_IDS or kind.is_integer() or kind.is_temporal() or kind == pl.Null):
        return f"does not hold ids ({kind})"
    try:
        return column.cast(pl.String)
    except pl.exceptions.PolarsError as problem:
        return f"cannot be converted to text ({str(problem).splitlines()[0]})"


def _number(column: pl.Series, is_rank: bool) -> pl.Series | str:  # noqa: FBT001 - private, one call
    """Numbers as float64, null where a text is not a number."""
    kind = column.dtype
    if not (kind.is_numeric() or kind in _WHOLE_IDS or kind == pl.Null):
        return f"is not numeric ({kind})"
    try:
        if kind in {pl.Categorical, pl.Enum}:
            column = column.cast(pl.String)
        if is_rank and kind.is_integer():
            return column * -1.0
        number = column.cast(pl.Float64, strict=False)
    except pl.exceptions.PolarsError as problem:
        return f"cannot be converted to numbers ({str(problem).splitlines()[0]})"
    return -number if is_rank else number


def _faults(
    table: pl.DataFrame, given: dict[str, pl.Series], number: str, origin: str, *, is_rank: bool
) -> tuple[list[Note], pl.Series | None]:
    """Empty cells, texts that are not numbers, broken ranks; and which rows are sound (None: all)."""
    bad: dict[str, pl.Series] = {}
    for role in table.columns:
        column = table[role]
        is_text = column.dtype == pl.String
        if column.null_count() or (is_text and bool((column == "").any())):
            bad[role] = column.is_null() | (column == "").fill_null(False) if is_text else column.is_null()
    if is_rank and not _are_ranks(given[number]):
        ranks = table[number].to_numpy()
        broken = (ranks > 0) | (ranks != np.floor(ranks))
        if broken.any():
            rows = pl.Series(broken) & table[number].is_not_null()
            bad[number] = rows | bad.get(number, rows)
    faults = [
        _fault(role, rows, table, given[role], origin, is_number=role == number, is_rank=is_rank)
        for role, rows in bad.items()
        if rows.any()
    ]
    if not faults:
        return [], None
    sound = pl.Series([True]).new_from_index(0, len(table))
    for rows in bad.values():
        sound &= ~rows
    return faults, sound


def _are_ranks(given: pl.Series) -> bool:
    """Whether one look shows that all are whole and none is below 0, as in most tables."""
    least: Any = given.min() if given.dtype.is_integer() else None
    return least is not None and bool(least >= 0)


def _fault(
    role: str, rows: pl.Series, table: pl.DataFrame, given: pl.Series, origin: str, *, is_number: bool, is_rank: bool
) -> Note:
    """Why these rows cannot be used."""
    count, column = int(rows.sum()), f"column {clip(given.name)!r}"
    if is_number:
        kind = "bad-rank" if is_rank else "not-a-number"
        wanted = "rank, a whole number from 0 on," if is_rank else role
        what = f"{'has' if count == 1 else 'have'} no number as {wanted} ({column})"
    else:
        kind, what = "empty-cells", f"{'lacks' if count == 1 else 'lack'} the {role} ({column} is empty)"
    first = rows.arg_true().head(SHOWN).to_list()
    others = [name for name in ("query", "document") if name != role]
    places = tuple(
        f"row {row}: {role} {quoted(given[row])} of "
        + ", ".join(f"{name} {clip(str(table[name][row]))}" for name in others)
        for row in first
    )
    message = f"{share(count, len(table), 'row')} {what}"
    return noted(kind, message, origin, count, places, first[0], "Fill the cells, or leave the rows out.")


def rows_holding(pairs: Pairs, table: pl.DataFrame) -> Lines:
    """Rows, from 0, that hold the pairs."""
    texts = table.select(pl.col("query", "document").cast(pl.String))
    found: Lines = {}
    for query, document in pairs:
        holds = (pl.col("query") == query) & (pl.col("document") == document)
        found[query, document] = texts.select(holds.arg_true()).to_series().to_list()
    return found


def _column_by_column(data: Any, origin: str) -> pl.DataFrame:
    """A pandas frame without Arrow, or with columns of mixed types that Arrow refuses."""
    try:
        names = [str(name) for name in data.columns]
        columns = [[_plain(cell) for cell in data.iloc[:, at].tolist()] for at in range(len(names))]
        made = [_series(name, column) for name, column in zip(_distinct(names), columns, strict=True)]
        return pl.DataFrame(made)
    except Exception as problem:  # noqa: BLE001 - other people's conversions may raise anything
        raise _foreign(problem, origin) from None


def _series(name: str, cells: list[Any]) -> pl.Series:
    """Whole numbers among texts become text; other mixtures stay unchanged, and are refused if needed."""
    if any(isinstance(cell, str) for cell in cells):
        cells = [str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else cell for cell in cells]
    try:
        return pl.Series(name, cells)
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        return pl.Series(name, cells, dtype=pl.Object)


def _plain(cell: Any) -> Any:
    return None if cell is None or cell != cell else cell  # noqa: PLR0124 - nan


def _distinct(names: list[str]) -> list[str]:
    return [name if names.index(name) == at else f"{name}#{at}" for at, name in enumerate(names)]


def _foreign(problem: Exception, origin: str) -> DataError:
    first = (str(problem).splitlines() or [type(problem).__name__])[0]
    message = f"cannot be read as an Arrow table ({clip(first, 200)})"
    return DataError(message, origin, hint="Make ids text and numbers numeric.")


def only_system(table: FrameTable) -> FrameTable:
    """The table without its column of systems; more than one system is a fault."""
    if "system" not in table.rows.columns:
        return table
    names = table.rows["system"].unique(maintain_order=True).to_list()
    bare = replace(table, rows=table.rows.drop("system"))
    if len(names) < 2:
        return bare
    message = f"this holds the runs of {len(names):,} systems ({some_ids(names)})"
    hint = f"Take all with read_runs, or name one, as in PATH:{clip(names[0])} or part={clip(names[0])!r}."
    finding = noted("several-runs", message, table.origin, hint=hint)
    return replace(bare, faults=(*bare.faults, finding))


def split(table: FrameTable) -> dict[str, FrameTable]:
    """One table per system, in order of appearance. Without lines, because every system may hold the same pair."""
    parts = table.rows.partition_by("system", maintain_order=True, include_key=False)
    names = table.rows["system"].unique(maintain_order=True).to_list()
    return {name: replace(table, rows=part, lines=None) for name, part in zip(names, parts, strict=True)}


def one_of(table: FrameTable, system: str) -> FrameTable:
    """The rows of one system."""
    part = table.rows.filter(pl.col("system") == system).drop("system")
    if not len(part):
        known = table.rows["system"].unique(maintain_order=True).to_list()
        raise DataError(f"no system {clip(system)!r}", table.origin, hint=clip(did_you_mean(system, known), 300))
    return replace(table, rows=part, lines=None)


def repeated(table: FrameTable) -> tuple[list[tuple[str, str]], int]:
    """The first repeated pairs, and how many rows repeat one."""
    counted = table.rows.group_by("query", "document", maintain_order=True).len().filter(pl.col("len") > 1)
    pairs = [(str(query), str(document)) for query, document, _ in counted.head(SHOWN).iter_rows()]
    return pairs, int((counted["len"] - 1).sum())


def keep_best(table: FrameTable) -> FrameTable:
    """Rows keep the order of first appearance; a remark counts those that gave way."""
    if not table.rows[table.number].is_finite().all():
        return table  # a number that is none must be named, not hidden behind a better row
    pairs, count = repeated(table)
    found = duplicates(pairs, count, len(table.rows), table)
    if found is None:
        return table
    kept = table.rows.group_by("query", "document", maintain_order=True).agg(pl.col(table.number).max())
    return replace(table, rows=kept, remarks=(*table.remarks, kept_best(found)))
