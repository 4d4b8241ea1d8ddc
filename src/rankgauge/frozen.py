"""Frozen dataclasses that cost little to define.

The rule: a class that is loaded on the way to a first score (in data, evaluation, kernels, measures, tables) takes
`dataclass`, `field` and `replace` from here; everything else takes the standard ones, which also work on these classes.

The standard decorator compiles seven methods for every frozen class. Some fifty such classes are defined before a process
has its first score, and with the standard decorator a small evaluation took 342 ms of processor time from start to end
instead of 285 ms (medians of 25 alternating runs). Here the methods are shared, and the one that is compiled for a class,
`__init__`, which sets all fields at once, waits until the class is used often enough to be worth it.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NoReturn

_UNSET: Any = object()
_OFTEN = 64
"""From so many objects on, compiling `__init__` is worth its time."""


class _Field:
    """What a class says of one of its fields."""

    __slots__ = ("compare", "default", "default_factory", "kind", "repr")

    def __init__(
        self,
        default: Any = _UNSET,
        default_factory: Any = _UNSET,
        *,
        repr: bool = True,  # noqa: A002
        compare: bool = True,
    ) -> None:
        self.default, self.default_factory, self.repr, self.compare = default, default_factory, repr, compare
        self.kind = ""

    def __set_name__(self, owner: Any, name: str) -> None:
        """The class keeps the description apart; of its attributes, the default alone stays."""
        if "_described" not in owner.__dict__:
            owner._described = {}  # noqa: SLF001
        owner._described[name] = self  # noqa: SLF001
        if self.default is _UNSET:
            delattr(owner, name)
        else:
            setattr(owner, name, self.default)


def _frozen(*, frozen: Literal[True], eq: bool = True, repr: bool = True) -> Callable[[type], type]:  # noqa: A002, ARG001
    """As dataclasses.dataclass, for the frozen kind alone."""

    def made(cls: type) -> type:
        own = cls.__dict__
        for name, method in (*_METHODS, *(_TEXT if repr else ()), *(_EQUALITY if eq else ())):
            if name not in own:
                setattr(cls, name, method)
        for late in _LATE:
            setattr(cls, late.name, late)
        cls.__init__ = _Init(cls)  # type: ignore[misc]
        return cls

    return made


def _replace(made: Any, /, **changes: Any) -> Any:
    """As dataclasses.replace."""
    return made.__class__(**{name: getattr(made, name) for name in made._known_fields} | changes)  # noqa: SLF001


if TYPE_CHECKING:  # what is checked are standard dataclasses
    from dataclasses import dataclass, field, replace
else:
    dataclass, field, replace = _frozen, _Field, _replace


def _fields(cls: Any) -> dict[str, _Field]:
    """Those of the bases and of the class, in their order."""
    found: dict[str, _Field] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= getattr(base, "_known_fields", {})
    own = cls.__dict__
    described = own.get("_described", {})
    for name, kind in cls.__annotations__.items():
        if not kind.startswith("ClassVar"):
            one = found[name] = described.get(name) or _Field(own.get(name, _UNSET))
            one.kind = kind
    return found


def _compared(cls: Any) -> Callable[[Any], Any]:
    """Gives what two objects have to have in common to be equal."""
    names = [name for name, one in cls._known_fields.items() if one.compare]
    return attrgetter(*(names or ["__class__"]))


def _standard(cls: Any) -> dict[str, Any]:
    """The fields as the standard functions want them."""
    import dataclasses

    found: dict[str, Any] = {}
    for name, one in cls._known_fields.items():
        default, factory = (
            dataclasses.MISSING if given is _UNSET else given for given in (one.default, one.default_factory)
        )
        standard: Any = dataclasses.field(default=default, repr=one.repr, compare=one.compare)
        standard.default_factory, standard.name, standard.type = factory, name, one.kind
        standard._field_type = dataclasses._FIELD  # type: ignore[attr-defined]  # noqa: SLF001 - what marks it for fields()
        found[name] = standard
    return found


class _Late:
    """An attribute of a class that is made when somebody first asks for it: many classes are defined and never used."""

    __slots__ = ("make", "name")

    def __init__(self, name: str, make: Callable[[Any], Any]) -> None:
        self.name, self.make = name, make

    def __get__(self, made: Any, owner: type) -> Any:
        for cls in owner.__mro__:
            if cls.__dict__.get(self.name) is self:  # another thread may have been faster
                setattr(cls, self.name, self.make(cls))
        return getattr(owner, self.name)


_LATE = (
    _Late("_known_fields", _fields),
    _Late("_compared", _compared),
    _Late("__dataclass_fields__", _standard),
    _Late("__match_args__", lambda cls: tuple(cls._known_fields)),
)


class _Init:
    """Stands for `__init__` until a class has been used some times, or somebody looks at it."""

    __slots__ = ("cls", "left")

    def __init__(self, cls: type) -> None:
        self.cls, self.left = cls, _OFTEN

    def __get__(self, made: Any, owner: type) -> Any:
        self.left -= 1
        if made is not None and self.left:
            return lambda *given, **named: self._set(made, given, named)
        init = self.cls.__init__ = _init(self.cls)  # type: ignore[misc]
        return init.__get__(made, owner)

    def _set(self, made: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
        """What the compiled `__init__` does, which also says what is wrong with the arguments."""
        known: dict[str, _Field] = self.cls._known_fields  # type: ignore[attr-defined]  # noqa: SLF001
        rest = list(known)[len(given) :]
        held = dict(zip(known, given, strict=False))
        for name in rest:
            one = known[name]
            if name in named:
                held[name] = named[name]
            elif one.default is not _UNSET:
                held[name] = one.default
            elif one.default_factory is not _UNSET:
                held[name] = one.default_factory()
        if len(held) < len(known) or len(given) > len(known) or not named.keys() <= set(rest):
            _init(self.cls)(made, *given, **named)
        made.__dict__.update(held)
        if hasattr(made, "__post_init__"):
            made.__post_init__()


def _init(cls: Any) -> Any:
    """`def __init__(self, a, b=default): self.__dict__.update(a=a, b=b)`, and `__post_init__` where there is one."""
    known: dict[str, Any] = {"_unset": _UNSET}
    taken, held = [], []
    for name, one in cls._known_fields.items():
        value, default = name, f"_default_{name}"
        if one.default_factory is not _UNSET:
            known[default] = one.default_factory
            value = f"{default}() if {name} is _unset else {name}"
            taken.append(f"{name}=_unset")
        elif one.default is not _UNSET:
            known[default] = one.default
            taken.append(f"{name}={default}")
        else:
            taken.append(name)
        held.append(f"{name}={value}")
    after = "\n self.__post_init__()" if hasattr(cls, "__post_init__") else ""
    source = f"def __init__(self, {', '.join(taken)}):\n self.__dict__.update({', '.join(held)}){after}"
    exec(source, known)  # noqa: S102 - names of fields only
    made = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {name: one.kind for name, one in cls._known_fields.items()} | {"return": None}
    return made


def _refuse_set(self: Any, name: str, value: Any) -> NoReturn:  # noqa: ARG001
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: Any, name: str) -> NoReturn:  # noqa: ARG001
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _repr(self: Any) -> str:
    shown = (f"{name}={getattr(self, name)!r}" for name, one in self._known_fields.items() if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _eq(self: Any, other: Any) -> bool:
    if other is self:
        return True
    if other.__class__ is not self.__class__:
        return NotImplemented
    try:
        return bool(self._compared(self) == self._compared(other))
    except ValueError:  # of arrays, which have no truth as a whole
        names = [name for name, one in self._known_fields.items() if one.compare]
        return all(_are_equal(getattr(self, name), getattr(other, name)) for name in names)


def _are_equal(first: Any, second: Any) -> bool:
    """Arrays are equal if their shapes and numbers are; nan is as good as nan."""
    if not hasattr(first, "dtype") or not hasattr(second, "dtype"):
        return bool(first == second)
    if first.shape != second.shape:
        return False
    return bool(((first == second) | ((first != first) & (second != second))).all())  # noqa: PLR0124 - nan


def _hash(self: Any) -> int:
    return hash(self._compared(self))


_METHODS = (("__setattr__", _refuse_set), ("__delattr__", _refuse_delete))
_TEXT = (("__repr__", _repr),)
_EQUALITY = (("__eq__", _eq), ("__hash__", _hash))

__all__ = ["dataclass", "field", "replace"]
