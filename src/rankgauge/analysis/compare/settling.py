"""The p-values of the whole family, adjusted together and sharpened until no verdict hangs on chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.analysis.compare.evidence import Evidence
from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.statistics.corrections import adjust
from rankgauge.arrays import Flags, Floats

# A pair is refined once; whoever's place in the order then becomes open gets a turn as well.
ROUNDS = 4


@dataclass(frozen=True, slots=True)
class Settled:
    """One entry per pair of all tables; `at_limit` marks those whose p-value could not be told from α."""

    p: Floats
    adjusted: Floats
    at_limit: Flags


def settle(evidence: Sequence[Evidence], design: Design) -> Settled:
    """Adjusting is monotone, so adjusted bounds are bounds of the adjusted p-values: where they lie on either side of
    α the pair is refined, and where nothing finer can be had it counts as not found.
    """
    refined = [np.zeros(len(table.p.p), dtype=bool) for table in evidence]
    at_limit = _open(evidence, design)
    for _ in range(ROUNDS):
        if not at_limit.any() or not _refine(evidence, refined, at_limit):
            break
        at_limit = _open(evidence, design)
    values = _family(evidence, "p")
    highest = _adjusted(_family(evidence, "high"), design, len(evidence))
    adjusted = _adjusted(values, design, len(evidence))
    return Settled(np.concatenate([table.p.p for table in evidence]), np.where(at_limit, highest, adjusted), at_limit)


def _refine(evidence: Sequence[Evidence], refined: list[Flags], at_limit: Flags) -> bool:
    """Sharpen the open pairs, or, if all of them are as sharp as can be, the pairs that may stand before them."""
    ends = np.cumsum([len(flags) for flags in refined])[:-1]
    wanted = [flags & ~done for flags, done in zip(np.split(at_limit, ends), refined, strict=True)]
    if not any(flags.any() for flags in wanted):
        low, high = (np.concatenate([getattr(table.p, name) for table in evidence]) for name in ("low", "high"))
        near = (low < high) & (low <= high[at_limit].max()) & (high >= low[at_limit].min())
        wanted = [flags & ~done for flags, done in zip(np.split(near, ends), refined, strict=True)]
    changed = False
    for at, (table, places) in enumerate(zip(evidence, wanted, strict=True)):
        finer = table.refine(np.flatnonzero(places)) if places.any() and table.family is None else None
        refined[at] |= places
        if finer is not None:
            table.p.put(np.flatnonzero(places), finer)
            changed = True
    return changed


def _open(evidence: Sequence[Evidence], design: Design) -> Flags:
    low, high = (_adjusted(_family(evidence, name), design, len(evidence)) for name in ("low", "high"))
    flags: Flags = (low < design.alpha) & (high >= design.alpha)
    return flags


def _family(evidence: Sequence[Evidence], name: str) -> Floats:
    return np.concatenate([getattr(table.p if table.family is None else table.family, name) for table in evidence])


def _adjusted(p: Floats, design: Design, tables: int) -> Floats:
    if design.judged_together:
        # These p-values already hold for all pairs of one table: what is left is the number of tables.
        return np.minimum(p * design.factor(tables), 1.0)
    return adjust(p, design.correction)
