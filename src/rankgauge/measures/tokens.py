"""Characters to tokens and values: the part of the grammar below measures.

value    = NUMBER | WORD [ "(" argument { "," argument } ")" ]
argument = NUMBER | WORD | NUMBER ":" NUMBER | WORD "=" ( NUMBER | WORD )
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache
from typing import TypeVar

from rankgauge.errors import MeasureError
from rankgauge.measures.curves import Argument, Call

T = TypeVar("T")
_MOST_DIGITS = 20
"""Of a whole number that anyone means, and of one that is shown."""

_GRAMMAR = r"""(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![A-Za-z_0-9.])
      | (?P<word>[A-Za-z_][A-Za-z0-9_-]*)
      | (?P<quoted>'[^']*'|"[^"]*")
      | (?P<sign>[(){},=@:])
      | (?P<blank>\s+)"""


@cache
def _token() -> re.Pattern[str]:
    return re.compile(_GRAMMAR, re.VERBOSE)


class Reader:
    """A text with a position; every complaint points at the character it is about."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0

    def fault(self, message: str, position: int | None = None, hint: str | None = None) -> MeasureError:
        return MeasureError(message, self.source, self.position if position is None else position, hint)

    def skip_blanks(self) -> None:
        while self.position < len(self.source) and self.source[self.position].isspace():
            self.position += 1

    @property
    def at_end(self) -> bool:
        return self.position >= len(self.source)

    def peek(self) -> tuple[str, str]:
        """The kind and text of the next token; blanks are skipped, the position stays before the token."""
        self.skip_blanks()
        if self.at_end:
            return "end", ""
        match = _token().match(self.source, self.position)
        if match is None:
            raise self.fault(f"unexpected {self.source[self.position]!r}")
        return str(match.lastgroup), match.group()

    def take(self) -> str:
        _, text = self.peek()
        self.position += len(text)
        return text

    def takes(self, sign: str) -> bool:
        """Move past this sign if it comes next."""
        self.skip_blanks()
        found = self.source.startswith(sign, self.position)
        self.position += found
        return found

    def checked(self, position: int, make: Callable[[], T]) -> T:
        """Run a check; its complaint is shown under a caret at this position."""
        try:
            return make()
        except MeasureError as fault:
            message = str(fault).removesuffix(f"\n{fault.hint}")
            raise MeasureError(message, self.source, position, fault.hint) from None

    def expect(self, sign: str, where: str) -> None:
        if not self.takes(sign):
            raise self.fault(f"expected {sign!r} {where}")

    def number(self, what: str) -> float:
        kind, text = self.peek()
        if kind != "number":
            raise self.fault(f"expected {what}")
        if math.isinf(float(text)):
            raise self.fault(f"{_short(text)} is too large a number")
        self.take()
        return float(text)

    def word(self, what: str) -> str:
        """WORD | a quoted text"""
        kind, text = self.peek()
        if kind not in {"word", "quoted"}:
            raise self.fault(f"expected {what}")
        self.take()
        return text.strip("'\"")

    def value(self) -> float | Call:
        """NUMBER | WORD [ "(" argument { "," argument } ")" ]"""
        if self.peek()[0] == "number":
            return self.number("a number")
        name = self.word("a number or a word")
        arguments: list[Argument] = []
        if self.takes("(") and not self.takes(")"):
            arguments.append(self.argument())
            while self.takes(","):
                arguments.append(self.argument())
            self.expect(")", f"after the arguments of {name}")
        return Call(name, tuple(arguments))

    def argument(self) -> Argument:
        """NUMBER | WORD | NUMBER ":" NUMBER | WORD "=" ( NUMBER | WORD )"""
        if self.peek()[0] != "number":
            word = self.word("a number or a word")
            return (word, self._plain()) if self.takes("=") else word
        number = self.number("a number")
        return (number, self.number("a number after ':'")) if self.takes(":") else number

    def _plain(self) -> float | str:
        """NUMBER | WORD"""
        return self.number("a number") if self.peek()[0] == "number" else self.word("a number or a word")


def read_value(text: str) -> float | Call:
    """The whole text as one value."""
    reader = Reader(text)
    value = reader.value()
    if reader.peek()[0] != "end":
        raise reader.fault("unexpected text after the value")
    return value


def whole(digits: str) -> int:
    """Digits as a number. Of thousands of them int() raises an error that is not ours."""
    if len(digits) > _MOST_DIGITS:
        raise MeasureError(f"{_short(digits)} is too large a number")
    return int(digits)


def finite(text: str) -> float:
    """A number as text; what lies beyond all floating-point numbers is refused."""
    number = float(text)
    if math.isinf(number):
        raise MeasureError(f"{_short(text)} is too large a number")
    return number


def _short(text: str) -> str:
    return text if len(text) <= _MOST_DIGITS else f"{text[:_MOST_DIGITS]}…"
