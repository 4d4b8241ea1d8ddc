"""Which columns of a score matrix hold names of queries rather than scores of a system."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rankgauge.errors import DataError
from rankgauge.frozen import dataclass

ROW_NAMES = frozenset((
    "", "id", "no", "nr", "num", "number", "index", "row", "rownames", "unnamed_0", "query", "query_id", "queryid",
    "query_number", "qid", "topic", "topic_id", "topicid", "topic_number", "tid", "title", "user", "user_id", "request",
))  # fmt: skip
SYSTEM_NAMES = frozenset(("system", "system_id", "run", "run_id", "runid", "model", "engine", "method"))
GAPS = frozenset(("", "na", "n/a", "nan", "null", "none", "-", "?"))


@dataclass(frozen=True)
class MatrixColumn:
    name: str | None
    cells: tuple[str, ...]

    @property
    def key(self) -> str | None:
        """The name as the lists above spell it: `Query-ID` and `query id` are `query_id`."""
        return None if self.name is None else re.sub(r"[\W_]+", "_", self.name.strip().lower()).strip("_")

    def has_id_name(self) -> bool:
        return self.key in ROW_NAMES | SYSTEM_NAMES

    def is_text(self) -> bool:
        words = sum(not is_number(cell) and not is_missing(cell) for cell in self.cells)
        return 2 * words > len(self.cells)


def leading_ids(columns: Sequence[MatrixColumn], origin: str, names: frozenset[str]) -> tuple[int, ...]:
    """Places of the columns at the front that hold names; a column that may be either is refused."""
    count = 0
    while count < len(columns) and (columns[count].key in names or columns[count].is_text()):
        count += 1
    if count == len(columns):
        # No column holds numbers: the cells are at fault, as with decimal commas.
        return (0,) if columns[0].key in names else ()
    for column in columns[count:]:
        if column.key in names:
            raise DataError(
                f"column {column.name!r} is called like an id but stands among the systems",
                origin,
                hint=f"Put it first, or say ids=[{column.name!r}] (--ids {column.name}), or ids=False (--ids none) if it is a system.",
            )
    if count:
        return tuple(range(count))
    first, others = columns[0], [cell for column in columns[1:] for cell in column.cells]
    if not looks_numbered(first.cells, others):
        return ()
    if first.name is None and not any(_is_whole(cell) for cell in others if float_or_none(cell) not in {0.0, 1.0}):
        return (0,)
    raise DataError(
        "the first column may be a system or the numbers of the queries",
        origin,
        [f"{first.name or 'first column'}: {', '.join(first.cells[:4])}, …"],
        "Say which: ids=True (--ids first) if it numbers the queries, ids=False (--ids none) if it is a system.",
    )


def looks_numbered(cells: Sequence[str], others: Sequence[str]) -> bool:
    """Different whole numbers, either all above every other number of the table, or three or more that only rise."""
    if not all_whole(cells):
        return False
    numbers = [float(cell) for cell in cells]
    if len(set(numbers)) < max(2, len(numbers)):
        return False
    rest = [number for number in map(float_or_none, others) if number is not None]
    return (len(numbers) > 2 and numbers == sorted(numbers)) or (bool(rest) and min(numbers) > max(rest))


def all_whole(cells: Sequence[str]) -> bool:
    return all(_is_whole(cell) for cell in cells)


def is_missing(cell: str) -> bool:
    return cell.lower() in GAPS


def is_number(cell: str) -> bool:
    return float_or_none(cell) is not None


def float_or_none(cell: str) -> float | None:
    if is_missing(cell) or "_" in cell:
        return None
    try:
        return float(cell)
    except ValueError:
        return None


def _is_whole(cell: str) -> bool:
    number = float_or_none(cell)
    return number is not None and number.is_integer()
