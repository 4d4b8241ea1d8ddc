"""Spark tables under one set of names: whatever the columns are called, however many tables the runs are.

Everything is said in SQL expressions, so that nothing of pyspark is needed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from rankgauge.data.about import about_absent
from rankgauge.data.columns import Picked, Wanted, has_system, pick
from rankgauge.data.judgments import Judgments
from rankgauge.data.run import Run
from rankgauge.data.tables.table import is_spark
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.notes import about_table
from rankgauge.tables.notes import NOUNS, Note

Frame = Any
"""A Spark DataFrame, classic or of Spark Connect."""
Entry = tuple[str | None, Any]
"""A system's name, unless the table has a column for it, and a Spark table or a Run."""
_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "decimal", "boolean")


@dataclass(frozen=True)
class Tables:
    """Columns query, document, value; and system, query, document, score or rank. `systems`: those named beforehand."""

    session: Any
    judged: Frame
    runs: Frame
    systems: tuple[str, ...] | None
    notes: tuple[Note, ...]
    nouns: tuple[str, str] = NOUNS


def tables_of(judgments: Any, entries: Sequence[Entry], only: Collection[str] | None = None) -> Tables:
    """Tables of which at least one is Spark's; the others are sent to the same session. `only` these queries count."""
    session = next(data.sparkSession for data in (judgments, *(data for _, data in entries)) if is_spark(data))
    if not is_spark(judgments):
        table = (judgments if isinstance(judgments, Judgments) else Judgments(judgments)).table.load()
        judgments, nouns = session.createDataFrame(table.data.to_arrow()), table.nouns
    else:
        nouns = pick(judgments.columns, Wanted("value"), "judgments").nouns
    judged, notes = _selected(judgments, Wanted("value"), "judgments", None)
    parts, systems = [], []
    for name, data in entries:
        frame = session.createDataFrame(data.to_polars().to_arrow()) if isinstance(data, Run) else data
        part, remarks = _selected(frame, Wanted("score"), name or "run", name)
        parts.append(part)
        notes += remarks
        systems.append(name or (None if has_system(frame.columns) else "run"))
    runs = reduce(lambda one, other: one.unionByName(other), _alike(parts))
    if only is not None:
        judged, runs, remarks = _chosen(session, judged, runs, only)
        notes += remarks
    named = _distinct([system for system in systems if system is not None])
    given = tuple(named) if len(named) == len(entries) else None
    return Tables(session, judged, runs, given, tuple(notes), nouns)


def _selected(frame: Frame, wanted: Wanted, origin: str, system: str | None) -> tuple[Frame, list[Note]]:
    """Ids as text and numbers as double; a column of texts stays, so that a worker can say which row is not a number."""
    found = pick(frame.columns, wanted, origin)
    if system is not None and found.system is not None:
        raise _two_names(system)
    number = "rank" if found.is_rank else wanted.number
    column, kind = ("1", "int") if found.number is None else frame.dtypes[found.number]
    if kind != "string" and not kind.startswith(_NUMBERS):
        raise DataError(f"column {column!r} is not numeric ({kind})", origin, hint="Cast it to double.")
    expressions = [
        f"cast({_quoted(frame.columns[at])} as string) as {role}"
        for role, at in (("query", found.query), ("document", found.document))
    ]
    if found.number is None:
        expressions.append(f"cast(1 as double) as {number}")
    else:
        expressions.append(f"{_quoted(column)} as {number}" if kind == "string" else _double(column, number))
    if wanted.number == "score":
        expressions.append(f"{_system(frame, found, system)} as system")
    return frame.selectExpr(*expressions), [about_table(remark, system) for remark in found.remarks]


def with_system(frame: Frame, given: str | None, name: str) -> Frame:
    """The table with a column for its system, its own or, if that is missing, a name."""
    if not has_system(frame.columns):
        return frame.selectExpr("*", f"{_text(given or name)} as system")
    if given is not None:
        raise _two_names(given)
    return frame


def _two_names(system: str) -> UsageError:
    return UsageError(f"the table of {system!r} has a column 'system' already; give it without a name")


def _system(frame: Frame, found: Picked, name: str | None) -> str:
    if found.system is not None:
        return f"cast({_quoted(frame.columns[found.system])} as string)"
    return _text(name or "run")


def _text(word: str) -> str:
    """A literal made of hexadecimal digits, which no sign in the word can break."""
    return f"cast(X'{word.encode().hex()}' as string)"


def _alike(parts: list[Frame]) -> list[Frame]:
    """The same columns in every table: scores if one has scores, as text if they are text in one."""
    numbers = {part.dtypes[2] for part in parts}
    if len(numbers) == 1:
        return parts
    kind = "string" if "string" in {kind for _, kind in numbers} else "double"
    number = "score" if "score" in {name for name, _ in numbers} else "rank"
    return [
        part.selectExpr(
            "query",
            "document",
            f"cast({'-' * (part.columns[2] != number)}{part.columns[2]} as {kind}) as {number}",
            "system",
        )
        for part in parts
    ]


def _chosen(session: Any, judged: Frame, runs: Frame, only: Collection[str]) -> tuple[Frame, Frame, list[Note]]:
    """The rows of some queries, and a note of those that nobody judged."""
    if isinstance(only, str):
        raise UsageError(f"only={only!r} is one text; give a list of query ids")
    wanted = session.createDataFrame([(str(query),) for query in dict.fromkeys(only)], "query string")
    absent = [row["query"] for row in wanted.join(judged, "query", "left_anti").collect()]
    some = [row["query"] for row in judged.select("query").limit(200).collect()] if absent else []
    remarks = about_absent(absent, len(set(map(str, only))), some, "judgments")
    left = [frame.join(wanted.hint("broadcast"), "query", "left_semi") for frame in (judged, runs)]
    return left[0], left[1], [about_table(remark) for remark in remarks]


def _distinct(names: list[str]) -> list[str]:
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise DataError(f"two runs are called {repeated[0]!r}", hint="Give a dict of names, or a column 'system'.")
    return names


def _double(column: str, name: str) -> str:
    return f"cast({_quoted(column)} as double) as {name}"


def _quoted(column: str) -> str:
    return "`" + column.replace("`", "``") + "`"


@dataclass(frozen=True)
class Survey:
    """What must be known before the work is cut into buckets; `queries` and `id_length` are estimates."""

    systems: tuple[str, ...]
    rows: int
    queries: int
    id_length: float
    highest: float


def survey(tables: Tables) -> Survey:
    """One pass over each table; an empty table or an unnamed system is refused."""
    judged = tables.judged.selectExpr(
        "count(*) as rows",
        "approx_count_distinct(query) as queries",
        "avg(octet_length(query)) as id_length",
        "max(try_cast(value as double)) as highest",
    ).collect()[0]
    if not judged["rows"]:
        raise DataError("contains no judgments", "judgments", hint="The table has no rows.")
    rows = {row["system"]: row["count"] for row in tables.runs.groupBy("system").count().collect()}
    if None in rows:
        raise DataError(
            "column 'system' has empty cells", "runs", hint="Name the system of every row, or leave the rows out."
        )
    systems = tables.systems or tuple(sorted(rows))
    empty = [system for system in systems if system not in rows]
    if empty or not systems:
        raise DataError(
            "contains no documents", empty[0] if empty else "runs", hint="The table has no rows that count."
        )
    highest = judged["highest"]
    return Survey(
        systems,
        judged["rows"] + sum(rows.values()),
        judged["queries"],
        judged["id_length"] or 0.0,
        # Not a number among the values is found, with its place, by the worker that meets it.
        0.0 if highest is None or highest - highest != 0 else highest,
    )
