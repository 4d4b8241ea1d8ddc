"""Names for kernels; knows no tables.

`measures.nDCG @ 10` and `measures.parse("nDCG@10")` are the same value; `measures.catalogue()` lists them all.
"""

from __future__ import annotations

from rankgauge.measures.catalogue import BY_NAME, DEFINITIONS, bare
from rankgauge.measures.custom import define
from rankgauge.measures.grammar import parse, parse_all
from rankgauge.measures.measure import Definition, Measure
from rankgauge.measures.saved import read_measure

__all__ = ["Definition", "Measure", "catalogue", "define", "parse", "parse_all", "read_measure"]


def catalogue() -> tuple[Definition, ...]:
    """Every definition, in the order help prints them."""
    return DEFINITIONS


def __getattr__(name: str) -> Measure:
    if name in BY_NAME:
        return bare(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
