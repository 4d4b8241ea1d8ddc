"""What was odd but legal: counted, named, and printed with the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SHOWN = 3


@dataclass(frozen=True)
class Note:
    """One observation about the data behind some scores."""

    kind: str
    text: str
    count: int = 0
    system: str | None = None
    measure: str | None = None
    examples: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, Any]:
        about = {"system": self.system, "measure": self.measure}
        return {
            "kind": self.kind,
            **{name: value for name, value in about.items() if value is not None},
            "count": self.count,
            "examples": list(self.examples),
            "text": self.text,
        }


def some(names: Sequence[str]) -> str:
    """The first few names and an ellipsis for the rest."""
    return ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")


def plural(count: int, noun: str) -> str:
    """'1 query', '2 queries', '3 documents'."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {noun[:-1]}ies" if noun.endswith("y") else f"{count:,} {noun}s"


def gathered(notes: Sequence[Note]) -> list[str]:
    """Notes as lines; a kind that many systems share becomes one line with the range of counts."""
    groups: dict[tuple[str, str | None], list[Note]] = {}
    for note in notes:
        groups.setdefault((note.kind, note.measure), []).append(note)
    lines = []
    for (kind, measure), group in groups.items():
        if len(group) <= SHOWN:
            lines += [note.text for note in group]
        else:
            counts = sorted(note.count for note in group)
            about = f" ({measure})" if measure else ""
            most = max(group, key=lambda note: note.count)
            lines.append(
                f"{kind.replace('-', ' ')}{about} in {len(group)} systems, {counts[0]:,} to {counts[-1]:,} each; most: {most.text}"
            )
    return lines
