"""What an option may be is read from its annotation, once for every function, constructor and command.

`Literal` names the choices and `Annotated[int, Bounds(1)]` the range. Where an annotation contains `Any`, the value is data,
which its reader examines.
"""

from __future__ import annotations

import functools
import inspect
import math
import numbers
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from os import PathLike
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

from rankgauge.errors import OptionError, UsageError, did_you_mean, shortened

F = TypeVar("F", bound=Callable[..., Any])
MOST = 2**53
"""The largest number that is counted to: beyond it, floats skip whole numbers."""
_REFUSED: Any = object()
_LISTS = (Iterable, Collection, Sequence, list, tuple)
_NOUNS: dict[Any, tuple[str, str]] = {
    bool: ("True or False", ""),
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    str: ("text", "texts"),
    PathLike: ("a path", "paths"),
    Mapping: ("a dict", "dicts"),
    Iterable: ("a list", "lists"),
    Callable: ("a function", "functions"),
}
"""How messages call a value of this type: one, and several."""


class Checked(NamedTuple):
    """In an annotation: what examines a value, given the option's name too, and returns it as it is to be used."""

    by: Callable[[str, Any], Any]


class Bounds(NamedTuple):
    """The range of a number; the ends in `without` do not belong to it."""

    low: float = -math.inf
    high: float = math.inf
    without: tuple[float, ...] = ()
    noun: str = ""
    """What such a number is, as in "a share"."""
    such_as: str = ""

    def __contains__(self, value: Any) -> bool:
        return bool(self.low <= value <= self.high) and value not in self.without

    def words(self, value: Any = 0) -> str:
        """The range, for a message about this value."""
        if self.low == -math.inf:
            return ""
        if self.high == math.inf or (self.high == MOST and not (_is_number(value) and value > MOST)):
            return f" above {self.low:g}" if self.without else f" of at least {self.low:g}"
        if len(self.without) == 2:
            return f" between {self.low:g} and {self.high:g}"
        return f" from {self.low:g} to {'below ' if self.without else ''}{self.high:,}"


class Kind(NamedTuple):
    """One thing that an option may be."""

    base: Any
    choices: tuple[Any, ...] = ()
    bounds: Bounds = Bounds()
    items: tuple[Kind, ...] = ()
    """What the members of a list may be; empty for anything."""

    def taken(self, value: Any) -> Any:
        """The value, if it is of this kind: numbers as Python's own, lists as such."""
        base = self.base
        if self.choices:
            return value if isinstance(value, base) and value in self.choices else _REFUSED
        if base is bool:
            is_numpy = type(value).__module__ == "numpy" and type(value).__name__ in {"bool", "bool_"}
            return bool(value) if isinstance(value, bool) or is_numpy else _REFUSED
        if base is int or base is float:
            return self._number(value)
        if base is Callable:
            return value if callable(value) else _REFUSED
        if base is Iterable:
            return self._list(value)
        return value if isinstance(value, base) else _REFUSED

    def _number(self, value: Any) -> Any:
        if not _is_number(value) or value not in self.bounds:
            return _REFUSED
        try:
            number = float(value)
        except OverflowError:  # a whole number beyond all floats
            return int(value) if self.base is int else _REFUSED
        if not math.isfinite(number) or (self.base is int and not number.is_integer()):
            return _REFUSED
        return value if type(value) in {int, self.base} else self.base(value)

    def _list(self, value: Any) -> Any:
        are_names = any(one.base is str for one in self.items)
        listed = None if isinstance(value, Mapping) and not are_names else members(value)  # names may be keys of a dict
        if listed is None:
            return _REFUSED
        found = [taken(self.items, member) for member in listed] if self.items else listed
        return _REFUSED if any(one is _REFUSED for one in found) else found

    def words(self, value: Any) -> str:
        """What a message about this value says that it must be."""
        bounds = self.bounds
        if self.choices:
            return " or ".join(map(repr, self.choices))
        noun = bounds.noun or (_NOUNS[self.base][0] if self.base in _NOUNS else f"a {self.base.__name__}")
        if noun == "a number" and bounds.high == math.inf and isinstance(value, float) and not math.isfinite(value):
            noun = "a finite number"
        several = " or ".join(_NOUNS[one.base][1] + one.bounds.words() for one in self.items if one.base in _NOUNS)
        such_as = f", such as {bounds.such_as}" if bounds.such_as else ""
        return f"{noun}{' of ' if several else ''}{several}{bounds.words(value)}{such_as}"


def members(value: Any) -> list[Any] | None:
    """What a list, an iterator or an array holds; None for a text, and for an array without dimensions."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        return None
    try:
        return list(value)
    except TypeError:
        return None


def taken(kinds: Collection[Kind], value: Any) -> Any:
    """The value as the first kind that it fits takes it."""
    return next((found for kind in kinds if (found := kind.taken(value)) is not _REFUSED), _REFUSED)


class Parameter(NamedTuple):
    """One parameter of a function or constructor, as its annotation says; data have no `kinds`."""

    name: str
    default: Any
    kinds: tuple[Kind, ...]
    check: Checked | None = None

    def settled(self, value: Any) -> Any:
        """The value to use, or the error that refuses this one."""
        if value is self.default:
            return value
        if self.check is not None:
            return self.check.by(self.name, value)
        found = taken(self.kinds, value) if self.kinds else value
        if found is _REFUSED:
            raise OptionError(self.name, refusal(self.kinds, value))
        return found


def refusal(kinds: Collection[Kind], value: Any) -> str:
    """Why a value is none of these, for a message with {option} where its name is."""
    kinds = [kind for kind in kinds if kind.base is not NoneType]
    words = [str(one) for kind in kinds for one in kind.choices]
    if words and (isinstance(value, str) or len(kinds) == 1):
        return f"unknown {{option}} {shown(value)}; {did_you_mean(value if isinstance(value, str) else '', words)}"
    items = next((kind.items for kind in kinds if kind.items), ())
    if items and isinstance(value, (list, tuple)):
        odd = next(one for one in value if taken(items, one) is _REFUSED)
        return f"{{option}} has {shown(odd)}; each must {_must(items, odd)}."
    return f"{{option}} is {shown(value)}; it must {_must(kinds, value)}."


def _must(kinds: Collection[Kind], value: Any) -> str:
    """Be a number between 0 and 1; where it is a number, lie between them."""
    words = " or ".join(kind.words(value) for kind in kinds)
    is_outside = _is_number(value) and words.startswith("a number between")
    return f"lie{words.removeprefix('a number')}" if is_outside else f"be {words}"


def shown(value: Any) -> str:
    """A value as Python writes it, on one line, short enough for a message."""
    if isinstance(value, float):
        return str(float(value))
    try:
        return shortened(" ".join(repr(value).split()))
    except (ValueError, RecursionError):  # thousands of digits; nested without end
        return f"a {type(value).__name__} that is too large to show"


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


@functools.cache
def parameter(function: Callable[..., Any], name: str) -> Parameter | None:
    """A parameter by name; its annotation is read when it is first needed, and loads no more than it names."""
    declared = _declared(function).get(name)
    if declared is None or declared.kind is declared.VAR_KEYWORD:
        return None
    hint = declared.annotation
    if isinstance(hint, str):
        known = vars(sys.modules[function.__module__])
        try:
            hint = eval(hint, known)  # noqa: S307 - our own text
        except NameError:
            hint = eval(hint, known, _PublicNames(known))  # noqa: S307
    return Parameter(name, declared.default, *_read(hint))


@functools.cache
def _declared(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters


class _PublicNames(dict[str, Any]):
    """Classes that a module imports for type checkers only."""

    def __missing__(self, name: str) -> Any:
        package = sys.modules["rankgauge"]
        for module in (package, package.results):
            if name in module.__all__:
                return getattr(module, name)
        raise KeyError(name)


def _read(hint: Any, bounds: Bounds = Bounds()) -> tuple[tuple[Kind, ...], Checked | None]:  # noqa: B008 - immutable
    """What an annotation allows, and what else checks it; nothing where that is anything."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        found = {type(one): one for one in hint.__metadata__}
        kinds, _ = _read(hint.__origin__, found.get(Bounds, bounds))
        return kinds, found.get(Checked)
    if origin in {Union, UnionType}:
        parts = [_read(one, bounds) for one in arguments]
        if ((), None) in parts:  # data, which may be anything
            return (), None
        check = next((one for _, one in parts if one is not None), None)
        every = [kind for kinds, _ in parts for kind in kinds] if all(kinds for kinds, _ in parts) else []
        return tuple(sorted(every, key=lambda kind: kind.base is Iterable)), check  # a dict is one before it is a list
    if origin is Literal:
        return (Kind(type(arguments[0]), arguments),), None
    if origin in _LISTS:
        return (Kind(Iterable, items=_read(arguments[0])[0]),), None
    base = origin or hint
    is_data = not isinstance(base, type) or base in {Any, object, inspect.Parameter.empty}
    return (() if is_data else (Kind(base, bounds=bounds),)), None


def choices(function: Callable[..., Any], name: str) -> tuple[str, ...]:
    """The words that a parameter may be."""
    found = parameter(function, name)
    return () if found is None else tuple(one for kind in found.kinds for one in kind.choices)


class _Examiners(dict[str, Callable[[Any], Any] | None]):
    """By the name of a parameter, what examines its value; None where that may be anything."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __missing__(self, name: str) -> Callable[[Any], Any] | None:
        one = parameter(self._function, name)
        self[name] = one.settled if one is not None and (one.kinds or one.check) else None
        return self[name]


def checked(function: F) -> F:
    """The function, method or constructor, whose options are examined before it runs."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if code.co_flags & inspect.CO_VARARGS else ""
    examine = _Examiners(function)

    @functools.wraps(function)
    def call(*data: Any, **options: Any) -> Any:
        found = list(data)
        try:
            for at, value in enumerate(data):
                settled = examine[names[at] if at < len(names) else rest]
                if settled is not None:
                    found[at] = settled(value)
            for name, value in options.items():
                settled = examine[name]
                if settled is not None:
                    options[name] = settled(value)
            return function(*found, **options)
        except RecursionError as fault:
            raise UsageError("what was given is nested too deeply") from fault

    return call  # type: ignore[return-value]


Count = Annotated[int, Bounds(1, MOST)]
Size = Annotated[int, Bounds(0, MOST)]
Seed = Annotated[int, Bounds(0)]
Level = Annotated[float, Bounds(0, 1, without=(0, 1), such_as="0.95")]
Margin = Annotated[float, Bounds(0, without=(0,), noun="a difference", such_as="0.01")]
Above0 = Annotated[float, Bounds(0, without=(0,))]
