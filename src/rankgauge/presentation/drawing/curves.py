"""Curves over queries and over pairs of systems: dependability and achieved significance levels."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rankgauge.analysis.discriminate import Discrimination, MeasureDiscrimination
from rankgauge.analysis.stability.result import MeasureStability, Stability
from rankgauge.presentation.drawing.canvas import WIDTH, Scale, label, legend, line, log_ticks, path, svg, ticks

HEIGHT = 260
LEFT, RIGHT, TOP, BOTTOM = 52, 60, 12, 40
# Beyond this, a pair is far from any level in use.
HIGHEST = 0.15


def dependability_curves(study: Stability, words: str) -> str:
    """Φ against the number of queries, on a logarithmic scale; targets across, the present number upright."""
    reach = max(one.curve_end("dependability") for one in study.parts)
    across, up = Scale(1, reach, LEFT, WIDTH - RIGHT, log=True), Scale(0, 1, HEIGHT - BOTTOM, TOP)
    parts = [_levels(up, ticks(0, 1, 5)), *_upright(across, log_ticks(1, reach), "{:,.0f}")]
    for target in study.options.reach:
        parts += [line(LEFT, up.at(target), WIDTH - RIGHT, up.at(target), "guide", dash="4 3")]
        parts += [label(WIDTH - RIGHT + 4, up.at(target) + 4, f"{target:g}", size=11)]
    for queries in sorted({one.query_count for one in study.parts}):
        x = across.at(queries)
        parts += [line(x, TOP, x, HEIGHT - BOTTOM, "guide")]
        near = x > WIDTH - RIGHT - 60
        parts += [
            label(
                x + (-4 if near else 4),
                HEIGHT - BOTTOM - 6,
                f"now {queries:,}",
                anchor="end" if near else "start",
                size=11,
            )
        ]
    bands, lines = [], []
    for at, one in enumerate(study.parts):
        steps = np.unique(np.round(np.geomspace(1, reach, 60)).astype(int)).tolist()
        curve = one.curve(sorted({*steps, one.query_count}), "dependability")
        known = [p for p in zip(curve.queries, curve.low, curve.high, strict=True) if not math.isnan(p[1])]
        if known:
            around = [(across.at(q), up.at(high)) for q, _, high in known]
            around += [(across.at(q), up.at(low)) for q, low, _ in reversed(known)]
            bands.append(path(around, at, filled=True))
        lines.append(path([(across.at(q), up.at(v)) for q, v in zip(curve.queries, curve.value, strict=True)], at))
    names = [_needs(one) for one in study.parts]
    parts += [label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "queries (logarithmic scale)", anchor="middle")]
    parts += [label(14, (HEIGHT - BOTTOM) / 2, "dependability Φ", anchor="middle", turn=True)]
    below, height = legend(names, LEFT, HEIGHT + 14, WIDTH - LEFT)
    return svg(WIDTH, HEIGHT + height + 4, words, *parts, *bands, *lines, below)


def _needs(one: MeasureStability) -> str:
    if not one.options.reach:
        return one.measure
    target = one.options.reach[-1]
    needed = one.queries_needed(target).value
    counted = f"{needed:,.0f} queries" if math.isfinite(needed) else "no number of queries"
    return f"{one.measure}: {counted} for {target:g}"


def level_curves(found: Discrimination, words: str) -> str:
    """The significance level of every pair, largest first; the lower a curve, the more pairs its measure separates."""
    top = max(HIGHEST, 2 * found.alpha)
    starts = [max(sum(asl >= top for asl in one.asl), 1) for one in found.parts]
    first = min(starts) // 10 * 10
    first = first if first > found.pairs / 4 else 0
    across, up = Scale(first, found.pairs, LEFT, WIDTH - RIGHT), Scale(0, top, HEIGHT - BOTTOM, TOP)
    parts = [
        _levels(up, ticks(0, top, 4)),
        *_upright(across, [t for t in ticks(first, found.pairs) if t == int(t)], "{:,.0f}"),
    ]
    parts += [line(LEFT, up.at(found.alpha), WIDTH - RIGHT, up.at(found.alpha), "guide", dash="4 3")]
    parts += [label(WIDTH - RIGHT + 4, up.at(found.alpha) + 4, f"α = {found.alpha:g}", size=11)]
    lines = [
        path(_falling(one, start, across, up, top), at)
        for at, (one, start) in enumerate(zip(found.parts, starts, strict=True))
    ]
    parts += [label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "pairs of systems, by decreasing level", anchor="middle")]
    parts += [label(14, (HEIGHT - BOTTOM) / 2, "achieved significance level", anchor="middle", turn=True)]
    names = [f"{one.measure}: {one.power:.1%}" for one in found.parts]
    below, height = legend(names, LEFT, HEIGHT + 14, WIDTH - LEFT)
    return svg(WIDTH, HEIGHT + height + 4, words, *parts, *lines, below)


def _falling(one: MeasureDiscrimination, start: int, across: Scale, up: Scale, top: float) -> list[tuple[float, float]]:
    """The pairs below `top`; of pairs with one level, the first and the last are enough."""
    levels = [min(asl, top) for asl in one.asl]
    kept = [
        at
        for at in range(start - 1, len(levels))
        if at in {start - 1, len(levels) - 1} or levels[at - 1] != levels[at] or levels[at + 1] != levels[at]
    ]
    return [(across.at(at + 1), up.at(levels[at])) for at in kept]


def _levels(scale: Scale, values: Sequence[float]) -> str:
    return "".join(
        line(LEFT, scale.at(value), WIDTH - RIGHT, scale.at(value))
        + label(LEFT - 6, scale.at(value) + 4, f"{value:g}", anchor="end")
        for value in values
    )


def _upright(scale: Scale, values: Sequence[float], form: str) -> list[str]:
    return [label(scale.at(value), HEIGHT - BOTTOM + 16, form.format(value), anchor="middle") for value in values]
