"""Options of measures: each kind checks a value given in Python or text, and spells it canonically.

Texts are read, and arguments spelled, by `tokens`, which a measure without options does not load.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from rankgauge.errors import MeasureError, did_you_mean

if TYPE_CHECKING:
    from rankgauge.measures.tokens import Call

    class Parameter(Protocol):
        """One option of a measure."""

        @property
        def default(self) -> Any: ...

        @property
        def words(self) -> str: ...

        def check(self, name: str, value: Any) -> Any:
            """The value in its canonical form, or a MeasureError that says what is accepted."""

        def spell(self, value: Any) -> str: ...


@dataclass(frozen=True)
class Real:
    """A number between two bounds; `open_low` and `open_high` leave the bounds themselves out."""

    words: str
    default: float | None = None
    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False

    def check(self, name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise MeasureError(f"{name} is a number, not {_show(value)}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        above = number > self.low if self.open_low else number >= self.low
        below = number < self.high if self.open_high else number <= self.high
        if not (math.isfinite(number) and above and below):
            spelled = self.spell(number) if math.isfinite(number) else number
            raise MeasureError(f"{name}={spelled} is {self._bounds()}")
        return number

    def spell(self, value: float) -> str:
        from rankgauge.measures.tokens import spell_number

        return spell_number(value)

    def _bounds(self) -> str:
        left = f"{'greater than' if self.open_low else 'at least'} {self.low:g}"
        right = f"{'less than' if self.open_high else 'at most'} {self.high:g}"
        bounds = [text for text, bound in ((left, self.low), (right, self.high)) if math.isfinite(bound)]
        return "out of bounds: it must be " + (" and ".join(bounds) or "finite")


@dataclass(frozen=True)
class Whole:
    """A whole number from `low` on."""

    words: str
    default: int | None = None
    low: int = 1
    high: int = 10**12

    def check(self, name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or value % 1 != 0:
            raise MeasureError(f"{name} is a whole number, not {_show(value)}")
        number = int(value)  # type: ignore[call-overload]
        if number < self.low:
            raise MeasureError(f"{name}={_show(number)} is below {self.low}, the smallest that makes sense")
        if number > self.high:
            raise MeasureError(f"{name}={_show(number)} is above {self.high:,}; leave it out to count every document")
        return number

    def spell(self, value: int) -> str:
        return str(value)


@dataclass(frozen=True)
class Choice:
    """One of a few words, by default the first."""

    words: str
    names: tuple[str, ...]

    @property
    def default(self) -> str:
        return self.names[0]

    def check(self, name: str, value: Any) -> str:
        from rankgauge.measures.tokens import word_of

        word = word_of(value)
        if word not in self.names:
            raise MeasureError(f"unknown {name} {word!r}", hint=did_you_mean(word, self.names))
        return word

    def spell(self, value: str) -> str:
        return value


@dataclass(frozen=True)
class RealOrWord:
    """A number, or a word that says where to find it, by default the first."""

    number: Real
    names: tuple[str, ...]

    @property
    def words(self) -> str:
        return self.number.words

    @property
    def default(self) -> str:
        return self.names[0]

    def check(self, name: str, value: Any) -> float | str:
        kind = Choice(self.words, self.names) if isinstance(value, str) or _is_call(value) else self.number
        return kind.check(name, value)

    def spell(self, value: float | str) -> str:
        return value if isinstance(value, str) else self.number.spell(value)


@dataclass(frozen=True)
class Reals:
    """Several numbers, written as at(0.2, 0.5, 0.8)."""

    number: Real
    default: tuple[float, ...]

    @property
    def words(self) -> str:
        return self.number.words

    def check(self, name: str, value: Any) -> tuple[float, ...]:
        from rankgauge.measures.tokens import Call, read_value

        if isinstance(value, str):
            value = read_value(value)
        if isinstance(value, Call) and value.name == "at":
            value = value.arguments
        if isinstance(value, (str, Call)) or not isinstance(value, (Sequence, np.ndarray)) or not len(value):
            raise MeasureError(f"{name} is a list of numbers, as in {name}=at(0.2, 0.5, 0.8), not {_show(value)}")
        return tuple(self.number.check(name, number) for number in value)

    def spell(self, value: tuple[float, ...]) -> str:
        return f"at({', '.join(map(self.number.spell, value))})"


@dataclass(frozen=True)
class Family:
    """A function that a curve may be, with its arguments: that of `zipf` with (exponent, shift)."""

    function: Callable[..., Any]
    words: str
    arguments: tuple[Parameter, ...] = ()
    required: int = 0
    many: Callable[[tuple[Any, ...]], tuple[Any, ...]] | None = None
    """Checks any number of arguments together; families with a fixed list of arguments have none."""
    reach: Callable[[tuple[Any, ...]], int] = lambda _: 0


@dataclass(frozen=True)
class Curve:
    """A function of one value with its arguments bound; prints as users write it."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    reach: int | None = 0
    """From this rank on the curve keeps one direction; None when nobody knows (a user's function)."""

    def __call__(self, *context: Any) -> Any:
        return self.function(*context, *self.arguments)

    def __str__(self) -> str:
        if not self.arguments:
            return self.name
        from rankgauge.measures.tokens import spell_argument

        return f"{self.name}({', '.join(map(spell_argument, self.arguments))})"

    @property
    def is_custom(self) -> bool:
        """A Python function of the user's: it has a name but no text that reads back."""
        return self.name.startswith("<")


@dataclass(frozen=True)
class CurveOption:
    """An option whose value is a curve of one of these families, an array, or a Python function."""

    words: str
    default: Curve
    load: Callable[[], Mapping[str, Family]]
    """Gives the families by name; most calls ask for the default alone."""
    array: str | None = None
    """The family that a bare array means."""
    context: int = 0
    """How many of the arguments that kernels pass a user's function does not want to see."""

    @property
    def families(self) -> Mapping[str, Family]:
        return self.load()

    def check(self, name: str, value: Any) -> Curve:
        if isinstance(value, Curve):
            return value
        if callable(value):
            return self._fitted(name, value) or self._custom(value)
        from rankgauge.measures.tokens import Call, read_value

        if isinstance(value, str):
            value = read_value(value)
        if isinstance(value, Call):
            return self._named(name, value)
        if isinstance(value, Mapping) and self.array == "levels":
            return self._named(name, Call("table", tuple(sorted((float(k), float(v)) for k, v in value.items()))))
        if self.array is not None and isinstance(value, (Sequence, np.ndarray)):
            return self._named(name, Call(self.array, tuple(float(number) for number in value)))
        raise MeasureError(f"{name} cannot be {_show(value)}", hint="known: " + ", ".join(self.families))

    def spell(self, value: Curve) -> str:
        return str(value)

    def _named(self, name: str, call: Call) -> Curve:
        family = self.families.get(call.name)
        if family is None:
            raise MeasureError(f"unknown {name} {call.name!r}", hint=did_you_mean(call.name, self.families))
        if family.many is not None:
            arguments = family.many(call.arguments)
        else:
            if not family.required <= len(call.arguments) <= len(family.arguments):
                raise MeasureError(f"{name}={call.name} takes {_count(family)}, not {len(call.arguments)}")
            pairs = zip(family.arguments, call.arguments, strict=False)
            arguments = tuple(kind.check(f"the argument of {call.name}", given) for kind, given in pairs)
            defaults = tuple(kind.default for kind in family.arguments)
            while arguments and arguments[-1] == defaults[len(arguments) - 1]:
                arguments = arguments[:-1]
        return Curve(call.name, family.function, arguments, family.reach(arguments))

    def _fitted(self, name: str, function: Any) -> Curve | None:
        """A fitted relevance function is written by its control points, so that it reads back."""
        points = getattr(function, "knots", None)
        if points is None or "knots" not in self.families:
            return None
        from rankgauge.measures.tokens import Call

        try:
            return self._named(name, Call("knots", tuple(points)))
        except MeasureError:
            return None  # points that coincide cannot be written; the function itself serves

    def _custom(self, function: Callable[..., Any]) -> Curve:
        def call(*context: Any) -> Any:
            return function(*context[: len(context) - self.context])

        return Curve(f"<{getattr(function, '__name__', 'function')}>", call, (), None)


def _count(family: Family) -> str:
    most = len(family.arguments)
    if most == 0:
        return "no arguments"
    few = f"{family.required} to {most}" if family.required < most else str(most)
    return f"{few} argument{'s' if most > 1 else ''}"


def _show(value: Any) -> str:
    return repr(value.name if _is_call(value) else value)


def _is_call(value: Any) -> bool:
    from rankgauge.measures.tokens import Call

    return isinstance(value, Call)
