"""Names for kernels; knows no tables.

`measures.nDCG @ 10` and `measures.parse("nDCG@10")` are the same value; `measures.catalogue()` lists them all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgauge.measures.catalogue import BY_NAME, DEFINITIONS, bare
from rankgauge.measures.grammar import parse, parse_all, read_measure
from rankgauge.measures.measure import Definition, Measure, define

if TYPE_CHECKING:
    from rankgauge.measures.other_names import Description

__all__ = ["Definition", "Measure", "catalogue", "define", "describe", "parse", "parse_all", "read_measure"]


def catalogue() -> tuple[Definition, ...]:
    """Every definition, in the order help prints them."""
    return DEFINITIONS


def describe(measure: str | Measure) -> Description:
    """Describe a measure in words: formula, range, source, cutoff, and the options in force.

    >>> describe("nDCG(gain=exp)@10").title
    'normalized discounted cumulative gain'
    """
    from rankgauge.measures.other_names import description_of

    return description_of(parse(measure) if isinstance(measure, str) else measure)


def __getattr__(name: str) -> Measure:
    if name in BY_NAME:
        return bare(name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
