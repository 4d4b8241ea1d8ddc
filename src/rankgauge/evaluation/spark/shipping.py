"""Measures on their way to a worker: as text, with the values of their curves as this machine computes them.

log2, exp2 and powers may differ in the last bit between processors and versions of NumPy. So gains of whole grades and
weights of ranks are computed once and travel along; what a table lacks, the worker computes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.errors import MeasureError
from rankgauge.measures.curves import Curve
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure

_FIRST = {"gain": 0, "discount": 1}
"""Options that are curves over whole numbers, and the number at which their tables begin."""
_LENGTH = {"gain": 32, "discount": 4096}


@dataclass(frozen=True)
class Shipped:
    """A measure as text, and a table for each of its curves."""

    text: str
    tables: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, eq=False)
class Tabled:
    """A function whose values at whole numbers from `first` on are known."""

    function: Callable[..., Any]
    table: Floats
    first: int

    def __call__(self, at: Floats, *context: Any) -> Floats:
        found = np.array(self.function(at, *context), np.float64)
        known = (at >= self.first) & (at < self.first + len(self.table)) & (at == np.floor(at))
        found[known] = self.table[at[known].astype(np.int64) - self.first]
        return found


def ship(measure: Measure) -> Shipped:
    """The measure with its tables."""
    curves = {name: curve for name, curve in measure.settings.items() if name in _FIRST and isinstance(curve, Curve)}
    tables = ((name, _table(name, curve, measure.cutoff)) for name, curve in curves.items())
    return Shipped(str(measure), tuple((name, table) for name, table in tables if table))


def _table(name: str, curve: Curve, cutoff: float | None) -> bytes:
    length = _LENGTH[name] if cutoff is None or name == "gain" else min(_LENGTH[name], int(cutoff))
    at = np.arange(length, dtype=np.float64) + _FIRST[name]
    try:
        return np.asarray(curve(at) if name == "gain" else curve(at, cutoff), np.float64).tobytes()
    except MeasureError:  # a curve that is not defined at all these grades; the worker sees only those that occur
        return b""


def unpack(shipped: Shipped) -> Measure:
    """The measure, its curves looking values up first."""
    measure = parse(shipped.text)
    options = dict(measure.options)
    for name, table in shipped.tables:
        curve = measure.settings[name]
        function = Tabled(curve.function, np.frombuffer(table, np.float64), _FIRST[name])
        options[name] = replace(curve, function=function)
    return replace(measure, options=tuple(options.items()))


def arithmetic() -> str:
    """A fingerprint of the functions whose last bits may differ between machines."""
    at = np.linspace(0.001, 40, 4001)
    seen = [np.log2(at), np.log(at), np.exp2(at), np.exp(-at), at**0.7, 0.8**at, np.sqrt(at)]
    return hashlib.blake2b(np.stack(seen).tobytes(), digest_size=8).hexdigest()
