"""What a reader should know beside the numbers: oddities that were counted and named, and faults that stop the work."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rankgauge.errors import DataError, plural

SHOWN = 3
NOUNS = ("query", "document")
"""What notes are about, unless the columns say that these are users and items."""
LOUD = "TIES DECIDE THIS NUMBER: "
"""How a note begins that must not be folded away among others."""
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
_NUMBER = r"(?<![\w@.])(\d+(?:[.,]\d+)*%?)(?!\w)"
UNRECORDED = "policy-unknown"
"""Kind of the note for scores whose policy nobody recorded."""


@dataclass(frozen=True)
class Note:
    """One observation: about a system or a measure, or about a place in a file."""

    kind: str
    text: str
    count: int = 0
    system: str | None = None
    measure: str | None = None
    examples: tuple[str, ...] = ()
    """Bare names for programs, where the text has them already; else the places serve."""
    severity: float = 0.0
    """How much it matters among notes of its kind; where that is equal, the count decides."""
    origin: str | None = None
    """The file or table it is about."""
    places: tuple[str, ...] = ()
    """Lines such as 'line 481: query 19335, document D120'."""
    line: int | None = None
    """The first line concerned, where the table has lines."""
    hint: str | None = None

    @classmethod
    def of(cls, error: DataError, kind: str = "unreadable") -> Note:
        """An error raised elsewhere, as a note."""
        text = str(error).splitlines()[0].removeprefix(f"{error.origin}: ")
        return noted(kind, text, error.origin, 1, tuple(error.places), hint=error.hint)

    def __str__(self) -> str:
        return self.text

    def error(self) -> DataError:
        """A fault, to be raised."""
        error = DataError(self.text, self.origin, self.shown(), self.hint)
        error.note = self
        return error

    def shown(self) -> list[str]:
        """The places, and how many more there are."""
        rest = self.count - len(self.places)
        is_cut = self.places and rest > 0 and not self.examples
        return [*self.places, f"… and {rest:,} more"] if is_cut else list(self.places)

    def to_dict(self) -> dict[str, Any]:
        about = {"system": self.system, "measure": self.measure, "file": self.origin, "line": self.line}
        return {
            "kind": self.kind,
            **{name: value for name, value in about.items() if value is not None},
            "count": self.count,
            "examples": list(self.examples or self.places),
            **({} if self.hint is None else {"hint": self.hint}),
            "text": self.text,
        }


def noted(
    kind: str,
    text: str,
    origin: str | None = None,
    count: int = 1,
    places: tuple[str, ...] = (),
    line: int | None = None,
    hint: str | None = None,
    examples: tuple[str, ...] = (),
) -> Note:
    """A note about a place in a file or table."""
    return Note(kind, text, count, None, None, examples, 0.0, origin, places, line, hint)


class Tally:
    """Counts faults of one kind and remembers where the first few are."""

    def __init__(self, kind: str) -> None:
        self.kind, self.count = kind, 0
        self.places: list[str] = []
        self.line: int | None = None

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

    def note(self, text: str, origin: str, hint: str | None = None) -> Note:
        return noted(self.kind, text, origin, self.count, tuple(self.places), self.line, hint)


def quoted(given: object) -> str:
    """What a user gave, as Python writes it, short enough for a message."""
    try:
        return clip(repr(given))
    except RecursionError:
        return "something that is nested too deeply"


def clip(text: str, width: int = 60) -> str:
    """A user's text for a message: one line, no control characters, not too long."""
    text = visible(text)
    return text if len(text) <= width else text[: width - 1] + "…"


def shortened(text: str, limit: int) -> str:
    """One visible line of at most `limit` characters; the rest is an ellipsis."""
    return clip(" ".join(text.split()), limit)


def visible(text: str) -> str:
    """One line without control characters, which could move a terminal's cursor, turn the text round or break a row;
    joiners, of which emoji and some scripts are made, stay.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in _JOINERS else "\N{REPLACEMENT CHARACTER}" for one in text)


def document_of(noun: str) -> str:
    """What a reader calls a document who calls a query by this noun: users have items."""
    return "item" if noun == "user" else NOUNS[1]


def with_article(noun: str) -> str:
    """'a document', 'an item'."""
    return f"an {noun}" if noun[0] in "aeio" else f"a {noun}"


def share(count: int, whole: int, noun: str) -> str:
    """'3 of 12,000 rows'."""
    return f"{count:,} of {plural(whole, noun)}"


def some(names: Sequence[str]) -> str:
    """The first few names and an ellipsis for the rest."""
    return ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")


def gathered(notes: Sequence[Note]) -> list[str]:
    """Notes as lines, one for each kind; loud ones come first, in a line of their own."""
    groups: dict[tuple[bool, str], list[Note]] = {}
    for note in notes:
        groups.setdefault((not note.text.startswith(LOUD), note.kind), []).append(note)
    return [LOUD * (not group[0]) + _line(groups[group]) for group in sorted(groups, key=lambda group: group[0])]


def _line(group: Sequence[Note]) -> str:
    """A few notes of one kind in full, what they share said once; of many, the range of counts and the gravest."""
    texts = [note.text.removeprefix(LOUD) for note in group]
    systems, measures = ({getattr(note, name) for note in group} - {None} for name in ("system", "measure"))
    if len(group) <= SHOWN or not (systems or measures):
        return _said_once(group, texts)
    at = min(range(len(group)), key=lambda at: (-group[at].severity, -group[at].count))
    kind, said = group[at].kind.replace("-", " "), group[at].text.removeprefix(f"{group[at].system}: ")
    for usual, noun in (("queries", "user"), ("documents", "item")):  # where the note speaks of users and items
        kind = kind.replace(usual, f"{noun}s") if re.search(rf"\b{noun}s?\b", said) else kind
    counts = sorted(note.count for note in group)
    each = f"{counts[0]:,} to {counts[-1]:,}" if counts[0] < counts[-1] else f"{counts[0]:,}"
    about = f" ({next(iter(measures))})" if len(measures) == 1 else ""
    where = plural(len(systems), "system") if systems else plural(len(measures), "measure")
    return f"{kind}{about} in {where}, {each} each; most: {texts[at]}"


def _said_once(group: Sequence[Note], texts: Sequence[str]) -> str:
    """'a and b: 12% and 15% of the documents …' where only numbers differ, and these are no ids; else one by one."""
    systems = [note.system or "" for note in group]
    rest = [text.removeprefix(f"{system}: ") for text, system in zip(texts, systems, strict=True)]
    pieces = [re.split(_NUMBER, text) for text in rest]
    differ = len(set(rest)) > 1 and any(note.examples for note in group)
    if differ or len(set(systems)) < len(group) or set(rest) & set(texts) or len({(*p[::2],) for p in pieces}) > 1:
        told = [texts[0], *rest[1:]] if len(set(systems)) == 1 else texts
        return (" " if texts[0].endswith(".") else "; ").join(dict.fromkeys(told))
    words = [part[0] if len(set(part)) == 1 else _and(part) for part in zip(*pieces, strict=True)]
    return f"{_and(systems)}: {''.join(words)}"


def _and(names: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
