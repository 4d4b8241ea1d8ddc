"""Every exception of the package.

RankgaugeError (a ValueError)
├── MeasureError       the text or an option of a measure
├── DataError          a user's table: file, line, query, document
├── PolicyError        the data need a decision that the policy refuses to take
├── AnalysisError      the scores cannot answer the question asked
├── UsageError         an argument of a function or command
│   └── OptionError    an option with a value that it cannot have
└── MissingExtraError  an optional package is not installed
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

_LONG = 240
"""Characters of a user's text that a message shows."""


class RankgaugeError(ValueError):
    """Something the user can fix; the message says what, where and how."""


class FileText(str):
    """Text from a file, which faults in it name."""

    __slots__ = ("origin",)
    origin: str

    def __new__(cls, text: str, origin: str) -> Self:
        made = super().__new__(cls, text)
        made.origin = origin
        return made


class MeasureError(RankgaugeError):
    """A fault in a measure; with `source` and `position` the fault is shown under a caret."""

    def __init__(self, message: str, source: str | None = None, position: int = 0, hint: str | None = None) -> None:
        self.source, self.position, self.hint = source, position, hint
        lines = [f"{source.origin}: {message}" if isinstance(source, FileText) else message]
        if source is not None:
            shown, place = near(source, position)
            lines += ["    " + _one_line(shown), "    " + " " * place + "^"]
        if hint:
            lines.append(hint)
        super().__init__("\n".join(lines))


class DataError(RankgaugeError):
    """A fault in a table. `places` are lines such as 'line 481: query 19335, document D120'."""

    note: Any = None
    """What a reader found, where faults are collected."""

    def __init__(
        self, message: str, origin: str | None = None, places: Iterable[str] = (), hint: str | None = None
    ) -> None:
        self.message, self.origin, self.places, self.hint = message, origin, list(places), hint
        head = f"{origin}: {message}" if origin else message
        lines = [head, *("    " + place for place in self.places)]
        if hint:
            lines.append(hint)
        super().__init__("\n".join(lines))


class PolicyError(RankgaugeError):
    """The policy says `error` and the case it forbids was met."""


class AnalysisError(RankgaugeError):
    """Too few systems or queries, a constant matrix, or another question without an answer."""


class UsageError(RankgaugeError):
    """An argument has a value that cannot be used."""


class OptionError(UsageError):
    """An option has a value that cannot be used; `words` say {option} for its name, which the shell spells --name."""

    def __init__(self, name: str, words: str) -> None:
        super().__init__(words.replace("{option}", name, 1))
        self.name, self.words = name, words


class MissingExtraError(RankgaugeError, ImportError):
    """An optional package is missing; the message names the install line."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(
            f"{what} needs packages that are not installed.\nInstall them with: pip install 'rankgauge[{extra}]'"
        )


def nearest(word: str, known: Iterable[str], cutoff: float = 0.55) -> str | None:
    """The known word most like this one, whatever its case, or None when nothing is near."""
    import difflib

    spelled = {candidate.lower(): candidate for candidate in known}
    found = difflib.get_close_matches(str(word).lower(), spelled, n=1, cutoff=cutoff)
    return spelled[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.55) -> str:
    """A closing sentence: the nearest word, or all of them when none is near."""
    known = list(known)
    close = nearest(word, known, cutoff)
    return f"did you mean {close!r}?" if close else "known: " + ", ".join(known)


def plural(count: int, noun: str) -> str:
    """'1 row', '2 rows', '3 queries'."""
    if count == 1:
        return f"1 {noun}"
    return f"{count:,} {many(noun)}"


def many(noun: str) -> str:
    """'rows', 'queries'."""
    return f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"


def near(text: str, position: int) -> tuple[str, int]:
    """The part of a long text around a position, and the position in it: a fault must not fill the screen."""
    if len(text) <= _LONG:
        return text, position
    begin = max(0, position - _LONG // 2)
    left, right = "…" * (begin > 0), "…" * (begin + _LONG < len(text))
    return f"{left}{text[begin : begin + _LONG]}{right}", position - begin + len(left)


def shortened(word: str) -> str:
    """A word for a message, which has room for its beginning only."""
    return word if len(word) <= _LONG else f"{word[:_LONG]}…"


def _one_line(text: str) -> str:
    # One character for one character, so that the caret keeps its place.
    return "".join(" " if character.isspace() else character for character in text)
