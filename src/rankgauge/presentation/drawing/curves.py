"""Curves over queries and over pairs of systems: dependability and achieved significance levels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rankgauge.analysis.discriminate import Discrimination, MeasureDiscrimination
from rankgauge.analysis.stability.result import MeasureStability, Stability
from rankgauge.errors import many
from rankgauge.presentation.drawing.canvas import WIDTH, Axis, label, legend, line, log_ticks, path, svg, ticks
from rankgauge.tables.notes import NOUNS

HEIGHT = 260
LEFT, RIGHT, TOP, BOTTOM = 52, 60, 12, 40
# Beyond this, a pair is far from any level in use.
HIGHEST = 0.15


def dependability_curves(study: Stability, words: str) -> str:
    """Φ against the number of queries, on a logarithmic scale; targets across, the present number upright."""
    reach = max(one.curve_end("dependability") for one in study.parts)
    across, up = Axis(1, reach, LEFT, WIDTH - RIGHT, log=True), Axis(0, 1, HEIGHT - BOTTOM, TOP)
    parts = _axes(up, ticks(0, 1, 5), across, log_ticks(1, reach))
    for target in study.options.reach:
        parts += _guide(up.at(target), f"{target:g}")
    for queries in sorted({one.query_count for one in study.parts}):
        x = across.at(queries)
        parts += [line(x, TOP, x, HEIGHT - BOTTOM, "guide")]
        away, anchor = (-4, "end") if x > WIDTH - RIGHT - 60 else (4, "start")
        parts += [label(x + away, HEIGHT - BOTTOM - 6, f"now {queries:,}", anchor=anchor, size=11)]
    bands, lines = [], []
    for at, one in enumerate(study.parts):
        curve = one.curve(sorted({*query_counts(reach, 60), one.query_count}), "dependability")
        known = [p for p in zip(curve.queries, curve.low, curve.high, strict=True) if not math.isnan(p[1])]
        if known:
            around = [(across.at(q), up.at(high)) for q, _, high in known]
            around += [(across.at(q), up.at(low)) for q, low, _ in reversed(known)]
            bands.append(path(around, at, filled=True))
        lines.append(path([(across.at(q), up.at(v)) for q, v in zip(curve.queries, curve.value, strict=True)], at))
    names = [_legend(one) for one in study.parts]
    parts += _axis_names(f"{many(study.parts[0].noun)} (logarithmic scale)", "dependability Φ")
    return _with_legend(names, words, *parts, *bands, *lines)


def needs(name: str, target: float, queries: float, form: str = "", noun: str = NOUNS[0]) -> str:
    """How many queries a measure needs to reach a target, for the legend."""
    counted = f"{queries:{form}} {many(noun)}" if math.isfinite(queries) else f"no number of {many(noun)}"
    return f"{name}: {counted} for {target:g}"


def query_counts(reach: int, steps: int) -> list[int]:
    """Steps grow with the number of queries: the curve bends at the left."""
    counts: list[int] = np.unique(np.round(np.geomspace(1, reach, steps)).astype(int)).tolist()
    return counts


def _legend(one: MeasureStability) -> str:
    reach = one.options.reach
    return (
        needs(one.measure, reach[-1], one.queries_needed(reach[-1]).value, ",.0f", one.noun) if reach else one.measure
    )


def level_curves(found: Discrimination, words: str) -> str:
    """The significance level of every pair, largest first; the lower a curve, the more pairs its measure separates."""
    top = max(HIGHEST, 2 * found.alpha)
    starts = [first_below(one, top) for one in found.parts]
    first = first_pair(found, top)
    across, up = Axis(first, found.pairs, LEFT, WIDTH - RIGHT), Axis(0, top, HEIGHT - BOTTOM, TOP)
    whole = [value for value in ticks(first, found.pairs) if value == int(value)]
    parts = [*_axes(up, ticks(0, top, 4), across, whole), *_guide(up.at(found.alpha), f"α = {found.alpha:g}")]
    lines = [
        path(_falling(one, start, across, up, top), at)
        for at, (one, start) in enumerate(zip(found.parts, starts, strict=True))
    ]
    parts += _axis_names("pairs of systems, by decreasing level", "achieved significance level")
    return _with_legend([f"{one.measure}: {one.power:.1%}" for one in found.parts], words, *parts, *lines)


def first_below(one: MeasureDiscrimination, top: float) -> int:
    """The last pair above `top`, so that the curve enters from the upper edge."""
    return max(sum(asl >= top for asl in one.asl), 1)


def first_pair(found: Discrimination, top: float) -> int:
    """Where the axis begins: later if no measure separates the first pairs."""
    start = min(first_below(one, top) for one in found.parts) // 10 * 10
    return start if start > found.pairs / 4 else 0


def _falling(one: MeasureDiscrimination, start: int, across: Axis, up: Axis, top: float) -> list[tuple[float, float]]:
    """The pairs below `top`; of pairs with one level, the first and the last are enough."""
    levels = [min(asl, top) for asl in one.asl]
    kept = [
        at
        for at in range(start - 1, len(levels))
        if at in {start - 1, len(levels) - 1} or levels[at - 1] != levels[at] or levels[at + 1] != levels[at]
    ]
    return [(across.at(at + 1), up.at(levels[at])) for at in kept]


def _axes(up: Axis, rows: Sequence[float], across: Axis, columns: Sequence[float]) -> list[str]:
    """A line and a number for each of `rows`, a number below for each of `columns`."""
    parts = []
    for value in rows:
        y = up.at(value)
        parts += [line(LEFT, y, WIDTH - RIGHT, y), label(LEFT - 6, y + 4, f"{value:g}", anchor="end")]
    return parts + [label(across.at(one), HEIGHT - BOTTOM + 16, f"{one:,.0f}", anchor="middle") for one in columns]


def _guide(y: float, words: str) -> list[str]:
    dashed = line(LEFT, y, WIDTH - RIGHT, y, "guide", dash="4 3")
    return [dashed, label(WIDTH - RIGHT + 4, y + 4, words, size=11)]


def _axis_names(across: str, up: str) -> list[str]:
    below = label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, across, anchor="middle")
    return [below, label(14, (HEIGHT - BOTTOM) / 2, up, anchor="middle", turn=True)]


def _with_legend(names: Sequence[str], words: str, *parts: str) -> str:
    below, height = legend(names, LEFT, HEIGHT + 14, WIDTH - LEFT)
    return svg(WIDTH, HEIGHT + height + 4, words, *parts, below)
