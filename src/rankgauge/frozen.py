"""Frozen dataclasses that cost little to define.

The standard decorator compiles seven methods for every frozen class, 1 ms each time on a slow machine, and fifty such
classes stand between the start of a process and its first score. Here it compiles `__init__` alone; all else is shared.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NoReturn


def _frozen(*, frozen: Literal[True], eq: bool = True, repr: bool = True) -> Callable[[type], type]:  # noqa: A002, ARG001
    """As dataclasses.dataclass, of which only the frozen kind is made here."""

    def made(cls: type) -> type:
        shared = {"__setattr__": _set_once, "__delattr__": _refuse}
        shared |= {"__repr__": _repr} if repr else {}
        shared |= {"__eq__": _eq, "__hash__": _hash} if eq else {}
        for name, method in shared.items():
            if name not in vars(cls):
                setattr(cls, name, method)
        return dataclasses.dataclass(eq=False, repr=False)(cls)

    return made


if TYPE_CHECKING:  # what is checked are standard dataclasses
    from dataclasses import dataclass
else:
    dataclass = _frozen


def _set_once(self: Any, name: str, value: Any) -> None:
    """Fields are set by `__init__`, and never again."""
    if name in self.__dict__ or name not in self.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    self.__dict__[name] = value


def _refuse(self: Any, name: str) -> NoReturn:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _repr(self: Any) -> str:
    shown = (f"{at.name}={getattr(self, at.name)!r}" for at in dataclasses.fields(self) if at.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _compared(self: Any) -> tuple[Any, ...]:
    return tuple(getattr(self, at.name) for at in dataclasses.fields(self) if at.compare)


def _eq(self: Any, other: object) -> bool:
    return _compared(self) == _compared(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(_compared(self))


__all__ = ["dataclass"]
