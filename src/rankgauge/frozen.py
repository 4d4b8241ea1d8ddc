"""Frozen dataclasses that cost little to define.

The rule: a class that is loaded on the way to a first score (in data, evaluation, kernels, measures, tables) takes its
`dataclass` from here; everything else takes the standard one.

The standard decorator compiles seven methods for every frozen class. Some fifty such classes are defined before a process
has its first score, and with the standard decorator a small evaluation took 342 ms of processor time from start to end
instead of 285 ms (medians of 25 alternating runs). Here the methods are shared, and the one that is compiled for a class,
`__init__`, which sets all fields at once, waits until the class is first used.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NoReturn


def _frozen(*, frozen: Literal[True], eq: bool = True, repr: bool = True) -> Callable[[type], type]:  # noqa: A002, ARG001
    """As dataclasses.dataclass, for the frozen kind alone."""

    def made(cls: type) -> type:
        shared: dict[str, Any] = {"__setattr__": _refuse_set, "__delattr__": _refuse_delete}
        shared |= {"__repr__": _repr} if repr else {}
        shared |= {"__eq__": _eq, "__hash__": _hash} if eq else {}
        for name, method in shared.items():
            if name not in vars(cls):
                setattr(cls, name, method)
        fields = _fields(cls)
        cls.__dataclass_fields__ = fields  # type: ignore[attr-defined]
        cls.__match_args__ = tuple(fields)  # type: ignore[attr-defined, misc]
        cls.__init__ = _Init(cls)  # type: ignore[misc]
        names = [name for name, field in fields.items() if field.compare]
        cls._compared = staticmethod(attrgetter(*(names or ["__class__"])))  # type: ignore[attr-defined]
        return cls

    return made


if TYPE_CHECKING:  # what is checked are standard dataclasses
    from dataclasses import dataclass
else:
    dataclass = _frozen

_UNSET = object()


def _fields(cls: type) -> dict[str, dataclasses.Field[Any]]:
    """Those of the bases and of the class, in their order; a default stays an attribute of the class."""
    found: dict[str, dataclasses.Field[Any]] = {}
    for base in reversed(cls.__mro__[1:]):
        found |= getattr(base, "__dataclass_fields__", {})
    for name, kind in inspect.get_annotations(cls).items():
        if kind.startswith("ClassVar"):
            continue
        default = cls.__dict__.get(name, dataclasses.MISSING)
        field = default if isinstance(default, dataclasses.Field) else dataclasses.field(default=default)
        if field is default:
            if field.default is dataclasses.MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, field.default)
        field.name, field.type = name, kind
        field._field_type = dataclasses._FIELD  # type: ignore[attr-defined, union-attr]  # noqa: SLF001 - what marks it for fields()
        found[name] = field
    return found


class _Init:
    """Stands for `__init__` until somebody asks for it."""

    __slots__ = ("cls",)

    def __init__(self, cls: type) -> None:
        self.cls = cls

    def __get__(self, made: Any, owner: type) -> Any:
        init = self.cls.__init__ = _init(self.cls)  # type: ignore[misc]
        return init.__get__(made, owner)


def _init(cls: type) -> Any:
    """`def __init__(self, a, b=default): self.__dict__.update(a=a, b=b)`, and `__post_init__` where there is one."""
    fields = dataclasses.fields(cls)
    known: dict[str, Any] = {"_unset": _UNSET}
    taken, held = [], []
    for field in fields:
        value, default = field.name, f"_default_{field.name}"
        if field.default_factory is not dataclasses.MISSING:
            known[default] = field.default_factory
            value = f"{default}() if {field.name} is _unset else {field.name}"
            taken.append(f"{field.name}=_unset")
        elif field.default is not dataclasses.MISSING:
            known[default] = field.default
            taken.append(f"{field.name}={default}")
        else:
            taken.append(field.name)
        held.append(f"{field.name}={value}")
    after = "\n self.__post_init__()" if hasattr(cls, "__post_init__") else ""
    source = f"def __init__(self, {', '.join(taken)}):\n self.__dict__.update({', '.join(held)}){after}"
    exec(source, known)  # noqa: S102 - names of fields only
    made = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    made.__annotations__ = {field.name: field.type for field in fields} | {"return": None}
    return made


def _refuse_set(self: Any, name: str, value: Any) -> NoReturn:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_delete(self: Any, name: str) -> NoReturn:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _repr(self: Any) -> str:
    shown = (f"{at.name}={getattr(self, at.name)!r}" for at in dataclasses.fields(self) if at.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _eq(self: Any, other: Any) -> bool:
    if other is self:
        return True
    return self._compared(self) == self._compared(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(self._compared(self))


__all__ = ["dataclass"]
