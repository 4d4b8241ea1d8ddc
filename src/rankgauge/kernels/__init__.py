"""Arithmetic on arrays; NumPy only. One module per family of measures: hits in, one number per query out."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def late(name: str) -> Callable[..., Any]:
    """The function of this name, as in "cascade.err"; its module is loaded when it is first called."""
    module, _, function = name.partition(".")

    def kernel(*given: Any, **options: Any) -> Any:
        return getattr(import_module(f"{__name__}.{module}"), function)(*given, **options)

    return kernel
