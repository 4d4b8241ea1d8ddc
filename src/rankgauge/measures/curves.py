"""Options of measures: how their values are written, the kinds of options, and the curves that an option may be.

value    = NUMBER | WORD [ "(" argument { "," argument } ")" ]
argument = NUMBER | WORD | NUMBER ":" NUMBER | WORD "=" ( NUMBER | WORD )
"""

from __future__ import annotations

import contextlib
import math
import numbers
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, TypeGuard, TypeVar, get_args

import numpy as np

from rankgauge.errors import MeasureError, did_you_mean, shortened
from rankgauge.kernels import curves

T = TypeVar("T")
Argument = float | str | tuple[float, float] | tuple[str, float | str]
"""Of a curve: a number, a word, a pair as in 1:0.6, or a setting as in quartiles=hinges."""
Arguments = tuple[Any, ...]
"""As they are read; checked ones are Argument."""
_DEEPEST = 10**12
_MOST_DIGITS = 20
"""Of a number that is shown because it is too large."""


class Call(NamedTuple):
    """A word of a text with its arguments, as in `zipf(1.2)`; without brackets there are none."""

    name: str
    arguments: tuple[Argument, ...] = ()


def spell(argument: Argument) -> str:
    """The shortest text that reads back as the same number, word, pair or setting."""
    if isinstance(argument, tuple):
        return ("=" if _is_setting(argument) else ":").join(map(spell, argument))
    if isinstance(argument, str):
        return argument
    return str(int(argument)) if argument == int(argument) and abs(argument) < 1e15 else repr(float(argument))


def word_of(value: Any) -> str:
    """The word that a value is, or its text."""
    return value.name if isinstance(value, Call) else str(value)


def _is_setting(argument: Any) -> bool:
    return isinstance(argument, tuple) and len(argument) == 2 and isinstance(argument[0], str)


def is_pair(argument: Any) -> TypeGuard[tuple[float, float]]:
    return isinstance(argument, tuple) and not _is_setting(argument)


def _show(value: Any) -> str:
    if isinstance(value, Call):
        return repr(value.name)
    return spell(value) if _is_setting(value) else shortened(repr(value))


_TOKENS = r"""(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![A-Za-z_0-9.])
      | (?P<word>[A-Za-z_][A-Za-z0-9_-]*|'[^']*'|"[^"]*")
      | (?P<sign>[(){},=@:])"""


class Reader:
    """A text with a position; every complaint points at the character it is about."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0

    def fault(self, message: str, position: int | None = None, hint: str | None = None) -> MeasureError:
        return MeasureError(message, self.source, self.position if position is None else position, hint)

    def skip_blanks(self) -> int:
        """The position of what comes after them."""
        while not self.at_end and self.source[self.position].isspace():
            self.position += 1
        return self.position

    @property
    def at_end(self) -> bool:
        return self.position >= len(self.source)

    def peek(self) -> tuple[str, str]:
        """The kind and text of the next token; blanks are skipped, the position stays before the token."""
        self.skip_blanks()
        if self.at_end:
            return "end", ""
        match = re.compile(_TOKENS, re.VERBOSE).match(self.source, self.position)  # mostly, no text needs it
        if match is None:
            raise self.fault(f"unexpected {self.source[self.position]!r}")
        return str(match.lastgroup), match.group()

    def takes(self, sign: str) -> bool:
        """Move past this sign if it comes next."""
        self.skip_blanks()
        found = self.source.startswith(sign, self.position)
        self.position += found
        return found

    def expect(self, sign: str, where: str) -> None:
        if not self.takes(sign):
            raise self.fault(f"expected {sign!r} {where}")

    def checked(self, position: int, make: Callable[[], T]) -> T:
        """Run a check; its complaint is shown under a caret at this position."""
        try:
            return make()
        except MeasureError as fault:
            message = str(fault).removesuffix(f"\n{fault.hint}")
            raise MeasureError(message, self.source, position, fault.hint) from None

    def token(self, what: str, *kinds: str) -> Any:
        """The next token, which is of one of these kinds: a number, or the text of a word, which may be quoted."""
        kind, text = self.peek()
        if kind not in kinds:
            raise self.fault(f"expected {what}")
        begin = self.position
        self.position += len(text)
        return self.checked(begin, lambda: number_of(text)) if kind == "number" else text.strip("'\"")

    def plain(self) -> float | str:
        """NUMBER | WORD"""
        found: float | str = self.token("a number or a word", "number", "word")
        return found

    def value(self) -> float | Call:
        """NUMBER | WORD [ "(" argument { "," argument } ")" ]"""
        name = self.plain()
        if isinstance(name, str):
            return Call(name, tuple(self.in_brackets(self.argument, f"after the arguments of {name}")))
        return name

    def in_brackets(self, read: Callable[[], T], where: str) -> list[T]:
        """[ "(" [ item { "," item } ] ")" ]"""
        found: list[T] = []
        if self.takes("(") and not self.takes(")"):
            found.append(read())
            while self.takes(","):
                found.append(read())
            self.expect(")", where)
        return found

    def argument(self) -> Argument:
        """NUMBER | WORD | NUMBER ":" NUMBER | WORD "=" ( NUMBER | WORD )"""
        first = self.plain()
        if isinstance(first, str):
            return (first, self.plain()) if self.takes("=") else first
        return (first, self.token("a number after ':'", "number")) if self.takes(":") else first


def number_of(text: str) -> float:
    """A number that is finite; of thousands of digits a message shows the beginning."""
    try:
        number = float(text)
    except ValueError:
        raise MeasureError(f"{shortened(text)} is not a number") from None
    if math.isinf(number):
        shown = text if len(text) <= _MOST_DIGITS else f"{text[:_MOST_DIGITS]}…"
        raise MeasureError(f"{shown} is too large a number")
    return number


def read_text(value: Any) -> Any:
    """What a text given in Python says, as one number or call; anything else is returned."""
    if not isinstance(value, str):
        return value
    reader = Reader(value)
    found = reader.value()
    if reader.peek()[0] != "end":
        raise reader.fault("unexpected text after the value")
    return found


class Option(NamedTuple):
    """One option of a measure, or what may follow its @."""

    words: str
    default: Any
    check: Callable[[str, Any], Any]
    """Turns (name of the option, value) into the value's canonical form, or says what is accepted."""
    spell: Callable[[Any], str] = spell
    choices: tuple[str, ...] = ()
    """What it may be, each with its meaning."""
    is_whole: bool = False


def real(
    words: str,
    default: float | None = None,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    above: float = -math.inf,
    below: float = math.inf,
) -> Option:
    """A number from `low` to `high`, both included, and between `above` and `below`, which are not."""

    def check(name: str, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise MeasureError(f"{name} is a number, not {_show(value)}")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not (above < number < below and low <= number <= high):
            limits = {"greater than": above, "at least": low, "less than": below, "at most": high}
            bounds = " and ".join(f"{words} {bound:g}" for words, bound in limits.items() if math.isfinite(bound))
            spelled = spell(number) if math.isfinite(number) else number
            raise MeasureError(f"{name}={spelled} is out of bounds: it must be {bounds or 'finite'}")
        return number

    return Option(words, default, check)


def whole(words: str) -> Option:
    """A whole number of documents."""

    def check(name: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or value % 1 != 0:
            raise MeasureError(f"{name} is a whole number, not {_show(value)}")
        number = int(value)  # type: ignore[call-overload]
        if number < 1:
            raise MeasureError(f"{name}={_show(number)} is below 1, the smallest that makes sense")
        if number > _DEEPEST:
            raise MeasureError(f"{name}={_show(number)} is above {_DEEPEST:,}; leave it out to count every document")
        return number

    return Option(words, None, check, is_whole=True)


def choice(words: str, names: tuple[str, ...], number: Option | None = None) -> Option:
    """One of a few words, by default the first; or a number, where that may be one."""

    def check(name: str, value: Any) -> Any:
        if number is not None and not isinstance(value, (str, Call)):
            return number.check(name, value)
        word = word_of(value)
        if word not in names:
            raise MeasureError(f"unknown {name} {word!r}", hint=did_you_mean(word, names))
        return word

    return Option(words, names[0], check, choices=names)


def reals(number: Option, default: tuple[float, ...]) -> Option:
    """Several numbers, written as at(0.2, 0.5, 0.8)."""

    def check(name: str, value: Any) -> tuple[float, ...]:
        value = read_text(value)
        if isinstance(value, Call) and value.name == "at":
            value = value.arguments
        if isinstance(value, Call) or not isinstance(value, (Sequence, np.ndarray)) or not len(value):
            raise MeasureError(f"{name} is a list of numbers, as in {name}=at(0.2, 0.5, 0.8), not {_show(value)}")
        return tuple(number.check(name, one) for one in value)

    return Option(number.words, default, check, lambda value: f"at({', '.join(map(spell, value))})")


class Curve(curves.Bound):
    """What kernels call, printed as users write it."""

    def __str__(self) -> str:
        return self.name + (f"({', '.join(map(spell, self.arguments))})" if self.arguments else "")


def fixed(*kinds: Option, required: int = 0) -> Callable[[str, str, Arguments], Arguments]:
    """Arguments that are options of their own; those at the end that are their defaults are left out."""

    def check(option: str, name: str, given: Arguments) -> Arguments:
        if not required <= len(given) <= len(kinds):
            few = f"{required} to {len(kinds)}" if required < len(kinds) else required or "no"
            raise MeasureError(f"{option}={name} takes {few} argument{'s' * (len(kinds) != 1)}, not {len(given)}")
        found = [kind.check(f"the argument of {name}", one) for kind, one in zip(kinds, given, strict=False)]
        while found and found[-1] == kinds[len(found) - 1].default:
            found.pop()
        return tuple(found)

    return check


def _numbers(_option: str, name: str, given: Arguments) -> tuple[float, ...]:
    """One number or more, none below 0; the sizes of tiers grow."""
    if not given:
        raise MeasureError(f"{name}(…) needs at least one number, as in {name}(1, 2)")
    for one in given:
        if not isinstance(one, (int, float)) or not math.isfinite(one) or one < 0:
            shown = ":".join(f"{part:g}" for part in one) if is_pair(one) else _show(one)
            raise MeasureError(f"{name}(…) takes numbers that are not negative, not {shown}")
    if name == "tiers" and not all(size == int(size) and size > last for last, size in pairwise((0, *given))):
        raise MeasureError("tiers(…) takes growing whole numbers, as in tiers(10, 25, 50)")
    return tuple(map(float, given))


def _pairs(left: str, _option: str, name: str, given: Arguments) -> tuple[tuple[float, float], ...]:
    """Pairs of a grade or rank, which grow, and a number; those of steps begin at the first rank."""
    if not given or not all(map(is_pair, given)):
        raise MeasureError(f"{name}(…) takes pairs {left}:number, as in {name}(1:1, 4:0.6)")
    if any(b[0] <= a[0] for a, b in pairwise(given)):
        raise MeasureError(f"{name}(…) needs each {left} greater than the one before")
    if any(value < 0 for _, value in given):
        raise MeasureError(f"{name}(…) takes numbers that are not negative")
    if left == "rank" and (given[0][0] != 1 or any(rank != int(rank) for rank, _ in given)):
        raise MeasureError("steps(…) takes whole ranks from 1 on, as in steps(1:1, 4:0.6)")
    return tuple((float(a), float(b)) for a, b in given)


_KNOTS = "knots(0:0, 10:0.5, 40:1)"
_QUANTILES = "quantiles(0.5:0, 0.9:0.8, 1:1)"


def _points(example: str, _option: str, name: str, given: Arguments) -> tuple[tuple[float, float], ...]:
    if not all(map(is_pair, given)):
        raise MeasureError(f"{name}(…) takes pairs value:relevance, as in {example}")
    if fault := curves.fault_of(given):
        raise MeasureError(f"{name}(…): {fault}")
    if name == "quantiles" and not all(0 <= place <= 1 for place, _ in given):
        raise MeasureError(f"quantiles(…) takes quantiles between 0 and 1, as in {_QUANTILES}")
    return tuple((float(x), float(v)) for x, v in given)


_BOX_PLOT = {
    "quartiles": choice("how quartiles are computed", get_args(curves.Quartiles)),
    "whisker": choice("where the whisker ends", get_args(curves.Whisker)),
    "reach": real("box lengths to the fence", default=curves.PAPER.reach, low=0),
}


def _phi_arguments(_option: str, _name: str, given: Arguments) -> Arguments:
    """The preset unless it is the paper's, then the settings that differ from it, in their order."""
    words = [one for one in given if isinstance(one, str)]
    named = dict(one for one in given if _is_setting(one))
    if len(words) + len(named) != len(given) or len(words) > 1 or not set(words) <= curves.PRESETS.keys():
        raise MeasureError(
            f"phi takes one word, {' or '.join(curves.PRESETS)}, and settings, "
            "as in phi(authors) or phi(quartiles=hinges, reach=1.5)"
        )
    for name, value in named.items():
        if name not in _BOX_PLOT:
            raise MeasureError(f"phi has no setting {name!r}", hint=did_you_mean(name, _BOX_PLOT))
        named[name] = _BOX_PLOT[name].check(name, value)
    own = curves.box_plot(*words)
    differing = [name for name in _BOX_PLOT if name in named and named[name] != getattr(own, name)]
    return (*(word for word in words if word != "paper"), *((name, named[name]) for name in differing))


class Family(NamedTuple):
    """A function that a curve may be, and the check of its arguments: (name of the option, of the family, arguments)."""

    function: Callable[..., Any]
    words: str
    check: Callable[[str, str, Arguments], Arguments] = fixed()
    reach: Callable[[Arguments], int] = lambda _: 0


def curve(
    words: str, families: Mapping[str, Family], *, array: str | None = None, table: str | None = None, context: int = 0
) -> Option:
    """A curve of one of these families, by default the first, or a Python function.

    A bare array means the family `array`, a mapping the family `table`. A user's function does not want to see the last
    `context` of the arguments that kernels pass.
    """

    def check(option: str, value: Any) -> Curve:
        if isinstance(value, Curve):
            return value
        if callable(value):
            return of_function(option, value)
        value = read_text(value)
        with contextlib.suppress(TypeError, ValueError, OverflowError):  # of what is no number
            if table is not None and isinstance(value, Mapping):
                value = Call(table, tuple(sorted((float(key), float(one)) for key, one in value.items())))
            elif array is not None and isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, Call):
                value = Call(array, tuple(map(float, value)))
        if not isinstance(value, Call):
            raise MeasureError(f"{option} cannot be {_show(value)}", hint="known: " + ", ".join(families))
        return of_family(option, value)

    def of_family(option: str, call: Call) -> Curve:
        family = families.get(call.name)
        if family is None:
            raise MeasureError(f"unknown {option} {call.name!r}", hint=did_you_mean(call.name, families))
        arguments = family.check(option, *call)
        return Curve(call.name, family.function, arguments, family.reach(arguments))

    def of_function(option: str, function: Any) -> Curve:
        points = getattr(function, "knots", None)
        if points is not None and "knots" in families:
            # A fitted relevance function is written by its control points, so that it reads back. Points that coincide
            # cannot be written; the function itself serves.
            with contextlib.suppress(MeasureError):
                return of_family(option, Call("knots", tuple(points)))
        name = getattr(function, "__name__", "function")
        return Curve(f"<{name}>", lambda *given: function(*given[: len(given) - context]), (), None)

    first, family = next(iter(families.items()))
    choices = (one.words if one.words.startswith(name) else f"{name} = {one.words}" for name, one in families.items())
    return Option(words, Curve(first, family.function), check, str, tuple(choices))


_SIGNED = "the judged value; negative values count"
RELEVANCES = {
    "identity": Family(curves.identity, "the judged value; negative values count as 0"),
    "signed": Family(curves.signed, f"{_SIGNED} as they are"),
    "bounded": Family(curves.signed, f"{_SIGNED} as they are, and nDCG is undefined where its ideal is not above 0"),
    "balanced": Family(
        curves.signed,
        f"{_SIGNED} as they are, and nDCG is undefined where they add up to 0 and 0 where its ideal is 0",
    ),
    "phi": Family(
        curves.phi,
        "phi, phi(authors), phi(quartiles=hinges, whisker=observed, reach=1.5): interpolated from the judged values of "
        "the query",
        _phi_arguments,
    ),
    "knots": Family(curves.knots, f"{_KNOTS}: a curve through points value:relevance", partial(_points, _KNOTS)),
    "quantiles": Family(
        curves.quantiles,
        f"{_QUANTILES}: a curve through points quantile:relevance, query by query",
        partial(_points, _QUANTILES),
    ),
    "tiers": Family(
        curves.tiers,
        "tiers(10, 25, 50): 3 for the top ten of a query, 2 for the next 15, …; ties share the mean tier",
        _numbers,
    ),
}
GAINS = {
    "linear": Family(curves.linear, "v"),
    "exp": Family(curves.exp, "2^v − 1"),
    "binary": Family(
        curves.binary,
        "binary, binary(2): 1 above 0, or from this relevance on, else 0",
        fixed(real("threshold", above=0)),
    ),
    "same": Family(np.ones_like, "1 for every judged document, whatever its grade"),
    "power": Family(curves.power, "v^b", fixed(real("b", above=0), required=1)),
    "levels": Family(curves.levels, "levels(g1, g2, …): the gains of grades 1, 2, …", _numbers),
    "table": Family(
        curves.table,
        "table(1:3, 2:9): gains of some grades; the others keep their own value",
        partial(_pairs, "grade"),
    ),
}
DISCOUNTS = {
    "log2": Family(curves.log2, "1 / log2(r + 1)"),
    "jk": Family(
        curves.jk,
        "1 / max(1, log_b r): the original form of 2002",
        fixed(real("b", above=1), required=1),
    ),
    "zipf": Family(
        curves.zipf,
        "zipf, zipf(s), zipf(s, c): (r + c)^−s, by default s = 1 and c = 0",
        fixed(real("s", default=1.0, low=0), real("c", default=0.0, low=0)),
    ),
    "linear": Family(curves.straight, "(k + 1 − r) / k; needs a cutoff k"),
    "rbp": Family(curves.rbp, "p^(r − 1)", fixed(real("p", above=0, below=1), required=1)),
    "none": Family(curves.none, "1 at every rank"),
    "weights": Family(curves.weights, "weights(w1, w2, …): as given, 0 beyond the last", _numbers, len),
    "steps": Family(
        curves.steps,
        "steps(1:1, 4:0.6): from rank 1 weight 1, from rank 4 weight 0.6",
        partial(_pairs, "rank"),
        lambda pairs: int(pairs[-1][0]),
    ),
}
