"""What the examination of a table found: a fault that stops the work, or a remark that only informs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from rankgauge.errors import DataError, plural
from rankgauge.tables.table import visible

SHOWN = 3


@dataclass(frozen=True)
class Finding:
    """One kind of oddity in one table. `places` are lines such as 'line 481: query 19335, document D120'."""

    kind: str
    message: str
    origin: str | None = None
    count: int = 1
    places: tuple[str, ...] = ()
    line: int | None = None
    """The first line concerned, where the table has lines."""
    hint: str | None = None
    examples: tuple[str, ...] = ()
    """Bare names for programs, where the message has them already; else the places serve."""

    @classmethod
    def of(cls, error: DataError, kind: str = "unreadable") -> Finding:
        """An error raised elsewhere, as a finding."""
        whole = str(error).splitlines()[0]
        message = whole.removeprefix(f"{error.origin}: ")
        return cls(kind, message, error.origin, 1, tuple(error.places), hint=error.hint)

    def error(self) -> DataError:
        return DataError(self.message, self.origin, self.shown(), self.hint)

    def refuse(self) -> NoReturn:
        raise self.error()

    def shown(self) -> list[str]:
        """The places, and how many more there are."""
        rest = self.count - len(self.places)
        is_cut = self.places and rest > 0 and not self.examples
        return [*self.places, f"… and {rest:,} more"] if is_cut else list(self.places)

    def at(self, origin: str) -> Finding:
        return replace(self, origin=origin)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "file": self.origin,
            "line": self.line,
            "message": self.message,
            "count": self.count,
            "examples": list(self.examples or self.places),
            "hint": self.hint,
        }


@dataclass
class Tally:
    """Counts faults of one kind and remembers where the first few are."""

    kind: str
    count: int = 0
    places: list[str] = field(default_factory=list)
    line: int | None = None

    def add(self, line: int | None, place: str) -> None:
        self.count += 1
        if self.count == 1:
            self.line = line
        if self.count <= SHOWN:
            self.places.append(place)

    @property
    def is_open(self) -> bool:
        """Whether another place would still be shown; finding places may be costly."""
        return self.count < SHOWN

    def finding(self, message: str, origin: str, hint: str | None = None) -> Finding:
        return Finding(self.kind, message, origin, self.count, tuple(self.places), self.line, hint)


def clip(text: str, width: int = 60) -> str:
    """A user's text for a message: one line, no control characters, not too long."""
    text = visible(text)
    return text if len(text) <= width else text[: width - 1] + "…"


def share(count: int, whole: int, noun: str) -> str:
    """'3 of 12,000 rows'."""
    return f"{count:,} of {plural(whole, noun)}"
