"""What was odd but legal: counted, named, and printed with the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rankgauge.frozen import dataclass

SHOWN = 3
LOUD = "TIES DECIDE THIS NUMBER: "
"""How a note begins that must not be folded away among others."""
UNRECORDED = "policy-unknown"
"""Kind of the note that stands where nobody wrote down how scores were made."""


@dataclass(frozen=True)
class Note:
    """One observation about the data behind some scores."""

    kind: str
    text: str
    count: int = 0
    system: str | None = None
    measure: str | None = None
    examples: tuple[str, ...] = ()
    severity: float = 0.0
    """How much it matters among notes of its kind; where that is alike, the count decides."""

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


def gathered(notes: Sequence[Note]) -> list[str]:
    """Notes as lines; a kind that many systems share becomes one line with the range of counts and the gravest.

    Of loud notes, the gravest stand in full beside it.
    """
    groups: dict[tuple[str, str | None], list[Note]] = {}
    for note in notes:
        groups.setdefault((note.kind, note.measure), []).append(note)
    lines = []
    for (kind, measure), group in groups.items():
        if len(group) <= SHOWN:
            lines += [note.text for note in group]
            continue
        gravest = sorted(group, key=lambda note: (-note.severity, -note.count))
        counts = sorted(note.count for note in group)
        each = f"{counts[0]:,} to {counts[-1]:,}" if counts[0] < counts[-1] else f"{counts[0]:,}"
        about = f" ({measure})" if measure else ""
        loud = [note.text for note in gravest if note.text.startswith(LOUD)][:SHOWN]
        line = f"{kind.replace('-', ' ')}{about} in {len(group)} systems, {each} each"
        lines += [*loud, line] if loud else [f"{line}; most: {gravest[0].text}"]
    return lines
