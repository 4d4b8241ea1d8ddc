"""Names for kernels; knows no tables.

`measures.nDCG @ 10` and `measures.parse("nDCG@10")` are the same value; `measures.catalogue()` lists them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rankgauge.measures.catalogue import BY_NAME, DEFINITIONS, bare
from rankgauge.measures.grammar import parse, parse_all, read_measure
from rankgauge.measures.measure import Definition, Measure, define

if TYPE_CHECKING:
    from rankgauge.measures.description import describe

__all__ = ["Definition", "Measure", "catalogue", "define", "describe", "parse", "parse_all", "read_measure"]


def catalogue() -> tuple[Definition, ...]:
    """Every definition, in the order help prints them."""
    return DEFINITIONS


def __getattr__(name: str) -> Any:
    if name in BY_NAME:
        return bare(name)
    if name == "describe":  # few calls need the words
        from rankgauge.measures.description import describe

        return describe
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
