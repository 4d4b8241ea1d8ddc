"""The columns of a table, whatever they are called: which is what, and ids and numbers made of them.

Ids become text or whole numbers, other numbers float64; rows that cannot be used become faults. A table may hold several
runs, distinguished by a `system` column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from rankgauge.data.faults import duplicates, some_ids
from rankgauge.data.table import NAMES, PEOPLE, THINGS, Lines, Pairs, RowTable, Wanted, kept_best, key
from rankgauge.errors import DataError, did_you_mean
from rankgauge.tables.notes import NOUNS, SHOWN, Note, clip, noted, quoted, share


class Picked(NamedTuple):
    """Positions of the columns that matter; ranks replace scores where there are none."""

    query: int
    document: int
    number: int | None
    """None where every row counts as 1."""
    is_rank: bool = False
    system: int | None = None
    remarks: tuple[Note, ...] = ()
    nouns: tuple[str, str] = NOUNS

    def roles(self, number: str) -> dict[str, int]:
        """The position of each column by its role, the number under this name."""
        roles = {"query": self.query, "document": self.document}
        if self.number is not None:
            roles[number] = self.number
        return roles if self.system is None else {**roles, "system": self.system}


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
    query, document = places["query"][0], places["document"][0]
    at, is_rank = _number_among(columns, places, wanted, origin)
    if at in {query, document}:
        message = f"column {clip(columns[at])!r} holds ids, not numbers"
        raise noted("wrong-column", message, origin, hint="Name another.").error()
    remarks = []
    for role in ("query", "document", "value"):
        if role == "value" and (at is None or wanted.column is not None or wanted.number != "value"):
            continue
        if len(places[role]) > 1:
            taken, *others = (clip(columns[place]) for place in places[role])
            message = f"column {taken!r} is taken as the {role}, not {' or '.join(map(repr, others))}"
            remarks.append(noted("several-columns", message, origin, len(others), line=None))
    if at is None:
        remarks.append(noted("no-values", "no column of judged values; every row counts as 1", origin, line=None))
    system = places["system"][0] if places["system"] and wanted.number == "score" else None
    is_user, is_item = key(columns[query]) in map(key, PEOPLE), key(columns[document]) in map(key, THINGS)
    nouns = "user" if is_user else NOUNS[0], "item" if is_item else NOUNS[1]
    return Picked(query, document, at, is_rank, system, tuple(remarks), nouns)


_TIMES = {"timestamp", "time", "date", "datetime", "ts"}
"""Columns beside user and item that say nothing of how much the item is liked."""


def _number_among(
    columns: Sequence[str], places: dict[str, list[int]], wanted: Wanted, origin: str
) -> tuple[int | None, bool]:
    """The place of the number, None if there is none, and whether it is a rank."""
    value, score, rank = (places[role] for role in ("value", "score", "rank"))
    if wanted.column is not None:
        return _column(columns, wanted.column, origin), False
    if wanted.number == "score":
        if score or rank:
            return (score or rank)[0], not score
        if value:
            because = f"column {clip(columns[value[0]])!r}, no score or rank"
            raise looks_like("a run", "judgments", because, origin)
        raise _unknown(columns, "score", places, wanted, origin)
    is_of_beir = score and not (rank or places["system"]) and key(columns[score[0]]) == "score"
    if value or is_of_beir:
        return (value or score)[0], False
    if score or rank:
        raise looks_like("judgments", "a run", "a score or rank, not a grade", origin)
    others = set(range(len(columns))) - {at for found in places.values() for at in found}
    if {key(columns[at]) for at in others} - _TIMES:
        raise _unknown(columns, "value", places, wanted, origin)
    return None, False


def _column(columns: Sequence[str], name: str, origin: str) -> int:
    """The place of a column that the user named."""
    for spell in (str, key):
        if (known := spell(name)) in (words := list(map(spell, columns))):
            return words.index(known)
    hint = clip(did_you_mean(name, columns), 300)
    raise noted("unknown-column", f"no column {clip(name)!r}", origin, hint=hint).error()


def looks_like(wanted: str, other: str, because: str, origin: str) -> DataError:
    """Judgments and run swapped, the commonest slip on the command line."""
    expected = f"{wanted} {'is' if wanted == 'a run' else 'are'} expected here"
    message = f"this looks like {other} ({because}), but {expected}"
    return noted("wrong-kind", message, origin, hint="Judgments come first, then runs.").error()


def _places(columns: Sequence[str], role: str) -> list[int]:
    """Columns that can play a role, the surest first: a name spelled as listed goes before a similar one."""
    found: list[int] = []
    for spell in (str.casefold, key):
        words = [spell(column) for column in columns]
        found += [at for name in NAMES[role] for at, word in enumerate(words) if word == spell(name)]
    return list(dict.fromkeys(found))


def _unknown(columns: Sequence[str], role: str, places: dict[str, list[int]], wanted: Wanted, origin: str) -> DataError:
    import shlex

    kind, names = "Judgments" if wanted.number == "value" else "Run", NAMES[role]
    if role == "score":
        names += NAMES["rank"]
    taken = {at for found in places.values() for at in found}
    free = [name for at, name in enumerate(columns) if at not in taken]
    # Columns that nothing is known of, in the roles that are open, both in order.
    is_known = places[wanted.number] or places["rank"] or wanted.column is not None
    open_roles = [name for name in ("query", "document") if not places[name]] + [wanted.number] * (not is_known)
    call = dict(zip(open_roles, map(clip, free), strict=False)) or {role: "NAME"}
    in_python = ", ".join(f"{name}={column!r}" for name, column in call.items())
    in_words = shlex.quote(",".join(f"{name}={column}" for name, column in call.items()))
    hint = (
        f"Say which it is, as in {kind}(table, {in_python}) or --columns {in_words}, "
        f"or call it one of {', '.join(names)}; the first line of a file names the columns."
    )
    query = clip(columns[places["query"][0]]) if places["query"] else ""
    if call == {"score": "NAME"}:
        rank = f"rank=table.groupby({query!r}).cumcount() + 1 (pandas)"
        hint = f"Add one of {', '.join(names)}; of rows in order, {rank}."
    if role == "document" and query and len(free) > 1 and all(map(str.isdigit, free)):
        stacked = f"{kind}(matrix.stack().dropna().rename({wanted.number!r}))"
        hint = f"A matrix with a column for each document, indexed by {query!r}, is {stacked} (pandas)."
    if role == "document" and query and kind == "Judgments" and places["value"]:
        label = clip(columns[places["value"][0]])
        sizes = f"Judgments(table[{label!r}], group_sizes=table.groupby({query!r}, sort=False).size())"
        hint += f" Labels without documents, the rows of each query together, are {sizes}."
    message = f"no column for the {'judged value' if role == 'value' else role}"
    listed = (f"columns: {clip(', '.join(columns), 300)}",)
    return noted("unknown-columns", message, origin, places=listed, hint=hint).error()


_WHOLE_IDS = (pl.String, pl.Categorical, pl.Enum, pl.Boolean)
_FIT = (pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32)
"""Whole numbers that fit into 64 bits with a sign."""


def to_frame(data: Any, origin: str) -> pl.DataFrame:
    """A Polars frame of anything that speaks Arrow."""
    if isinstance(data, pl.DataFrame):
        return data
    if isinstance(data, pl.LazyFrame):
        return data.collect()
    is_pandas = hasattr(data, "columns") and hasattr(data, "to_dict")
    for make in (pl.DataFrame, _column_by_column)[: 1 + is_pandas]:
        try:
            return make(data)
        except Exception as problem:  # noqa: BLE001 - other people's conversions may raise anything
            reason = (str(problem).splitlines() or [type(problem).__name__])[0]
    message = f"cannot be read as an Arrow table ({clip(reason, 200)})"
    raise DataError(message, origin, hint="Make ids text and numbers numeric.")


def _column_by_column(data: Any) -> pl.DataFrame:
    """A pandas frame without Arrow, or with columns of mixed types that Arrow refuses."""
    names, made = [str(name) for name in data.columns], []
    for at, name in enumerate(names):
        cells = [None if cell is None or cell != cell else cell for cell in data.iloc[:, at].tolist()]  # noqa: PLR0124 - nan
        if any(isinstance(cell, str) for cell in cells):  # then whole numbers among them become text
            cells = [str(cell) if isinstance(cell, int) and not isinstance(cell, bool) else cell for cell in cells]
        alias = name if names.index(name) == at else f"{name}#{at}"
        try:
            made.append(pl.Series(alias, cells))
        except (TypeError, OverflowError, pl.exceptions.PolarsError):
            made.append(pl.Series(alias, cells, dtype=pl.Object))  # another mixture is refused if it is needed
    return pl.DataFrame(made)


def frame_table(frame: pl.DataFrame, wanted: Wanted, origin: str) -> RowTable:
    """The columns that matter, under the names query, document, value or score, and system where there is one."""
    picked, number = pick(frame.columns, wanted, origin), wanted.number
    given = {role: frame.to_series(at) for role, at in picked.roles(number).items()}
    table = pl.DataFrame([_cast(column, role, origin).alias(role) for role, column in given.items()])
    if picked.number is None:
        table = table.insert_column(2, pl.Series(number, [1.0]).new_from_index(0, len(table)))
    if picked.is_rank:
        table = table.with_columns(-table[number])
    faults, sound = [], np.ones(len(table), np.bool_)
    for role, column in given.items():
        is_number, name, bad = role == number, f"column {clip(column.name)!r}", table[role].is_null()
        if table[role].dtype == pl.String:
            bad |= table[role] == ""
        if is_number and picked.is_rank:
            bad |= table[role] > 0
            if not column.dtype.is_integer():
                bad |= table[role] != table[role].floor()
        count = int(bad.sum())
        if not count:
            continue
        sound &= ~bad.to_numpy()
        if is_number:
            kind = "bad-rank" if picked.is_rank else "not-a-number"
            meant = "rank, a whole number from 0 on," if picked.is_rank else role
            what = f"{'has' if count == 1 else 'have'} no number as {meant} ({name})"
        else:
            kind, what = "empty-cells", f"{'lacks' if count == 1 else 'lack'} the {role} ({name} is empty)"
        rows, others = bad.arg_true().head(SHOWN).to_list(), [other for other in ("query", "document") if other != role]
        places = tuple(
            f"row {row}: {role} {quoted(column[row])} of "
            + ", ".join(f"{other} {clip(str(table[other][row]))}" for other in others)
            for row in rows
        )
        message, hint = f"{share(count, len(table), 'row')} {what}", "Fill the cells, or leave the rows out."
        faults.append(noted(kind, message, origin, count, places, rows[0], hint))
    return RowTable(
        number,
        origin,
        table.filter(sound) if faults else table,
        lines=lambda pairs: rows_holding(pairs, table),
        faults=tuple(faults),
        unit="row",
        remarks=picked.remarks,
        whole=given["query"].dtype.is_integer(),
        nouns=picked.nouns,
    )


def failed(number: str, finding: Note) -> RowTable:
    """A table of which nothing can be used."""
    empty = pl.DataFrame(schema={"query": pl.String(), "document": pl.String(), number: pl.Float64()})
    return RowTable(number, finding.origin or "", empty, faults=(finding,))


def _cast(column: pl.Series, role: str, origin: str) -> pl.Series:
    """Ids as text or, if they are whole numbers, as 64 bits; numbers as float64, null where a text is not a number."""
    kind = column.dtype
    is_text, why = kind in _WHOLE_IDS or kind == pl.Null, f"does not hold ids ({kind})"
    if role in {"value", "score"}:
        if is_text or kind.is_numeric():
            plain = column.cast(pl.String) if isinstance(kind, (pl.Categorical, pl.Enum)) else column
            return plain.cast(pl.Float64, strict=False)
        why = f"is not numeric ({kind})"
    elif kind in _FIT and role != "system":
        return column.cast(pl.Int64)
    elif kind.is_float():
        why = f"holds decimal numbers ({kind}) where ids are expected"
    elif is_text or kind.is_integer() or kind.is_temporal():
        try:
            return column.cast(pl.String)
        except pl.exceptions.PolarsError as problem:
            why = f"cannot be converted to text ({str(problem).splitlines()[0]})"
    name = clip(column.name)
    how = f", as in table.astype({{{name!r}: 'Int64'}}) with pandas" if kind.is_float() else ""
    raise noted("wrong-type", f"column {name!r} {why}", origin, hint=f"Cast the column first{how}.").error()


def rows_holding(pairs: Pairs, table: pl.DataFrame) -> Lines:
    """Rows, from 0, that hold the pairs."""
    texts = table.select(pl.col("query", "document").cast(pl.String))
    return {
        (query, document): ((texts["query"] == query) & (texts["document"] == document)).arg_true().to_list()
        for query, document in pairs
    }


def settled(table: RowTable, duplicates: str) -> RowTable:
    """One system only, more than which is a fault; and one row for each document of a query if only the best counts."""
    if "system" in table.rows.columns:
        names, found = list(split(table)), table.faults
        if len(names) > 1:
            message = f"this holds the runs of {len(names):,} systems ({some_ids(names)})"
            hint = f"Take all with read_runs, or name one, as in PATH:{clip(names[0])} or part={clip(names[0])!r}."
            found = (*found, noted("several-runs", message, table.origin, hint=hint))
        table = table._replace(rows=table.rows.drop("system"), faults=found)
    return keep_best(table) if duplicates == "best" else table


def split(table: RowTable) -> dict[str, RowTable]:
    """One table per system, in order of appearance. Without lines, because every system may hold the same pair."""
    if "system" not in table.rows.columns:
        return {}
    parts = table.rows.partition_by("system", maintain_order=True, include_key=False, as_dict=True)
    return {name: table._replace(rows=part, lines=None) for (name,), part in parts.items()}


def keep_best(table: RowTable) -> RowTable:
    """Rows keep the order of first appearance; a remark counts those that gave way."""
    if not table.rows[table.number].is_finite().all():
        return table  # a number that is none must be named, not hidden behind a better row
    groups = table.rows.group_by("query", "document", maintain_order=True)
    counted = groups.len().filter(pl.col("len") > 1)
    pairs = [(str(query), str(document)) for query, document, _ in counted.head(SHOWN).iter_rows()]
    found = duplicates(pairs, int((counted["len"] - 1).sum()), len(table.rows), table)
    if found is None:
        return table
    return table._replace(rows=groups.agg(pl.col(table.number).max()), remarks=(*table.remarks, kept_best(found)))
