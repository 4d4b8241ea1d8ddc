"""The curve of a relevance function."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rankgauge.analysis.relevance_function import RelevanceFunction
from rankgauge.arrays import Floats
from rankgauge.presentation.charts.style import LINE, MARK, SOFT, altair_for, drawn, finished

_DECIMALS = re.compile(r"\d+\.\d+")


def relevance_chart(function: RelevanceFunction, scores: ArrayLike = (), *, title: str = "") -> Any:
    """The curve of a relevance function with its knots; given scores are ticks on the axis."""
    alt = altair_for(function, RelevanceFunction, "rankgauge.relevance")
    ticks = np.unique(np.asarray(scores, dtype=np.float64))
    ticks = ticks[np.isfinite(ticks)]
    reach = _reach(function, ticks)
    across = alt.Scale(zero=False, nice=False, domain=list(reach))
    x = alt.X("score:Q", title="score", axis=alt.Axis(tickCount=7), scale=across)
    y = alt.Y("relevance:Q", title="relevance", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    grid = _grid(function, reach)
    curve = _curve(grid, function(grid)).mark_line(color=LINE, strokeWidth=2.5).encode(x=x, y=y)
    points = np.array(function.knots)
    dots = _curve(points[:, 0], points[:, 1]).mark_point(color=MARK, filled=True, size=60, opacity=1)
    layers = [curve, dots.encode(x=x, y=y, tooltip=["score:Q", "relevance:Q"])]
    if len(ticks):
        rug = _curve(ticks, function(ticks)).mark_tick(color=SOFT, thickness=1, size=10, yOffset=-6)
        layers.insert(0, rug.encode(x=x, y=alt.datum(0), tooltip=["score:Q", "relevance:Q"]))
    legend = "dots: knots; ticks on the axis: scores" if len(ticks) else "dots: knots"
    words = str(function).splitlines()[0].split(": ")[-1]
    meaning = _DECIMALS.sub(lambda found: f"{float(found[0]):.4g}", words)
    return finished(alt.layer(*layers), title or "Relevance of a score", [meaning, legend], width=420, height=260)


def _reach(function: RelevanceFunction, ticks: Floats) -> tuple[float, float]:
    seen = np.concatenate((ticks, [x for x, _ in function.knots]))
    low, high = float(seen.min()), float(seen.max())
    room = 0.03 * (high - low) or 1.0
    return low - room, high + room


def _grid(function: RelevanceFunction, reach: tuple[float, float]) -> Floats:
    # The grid contains the knots, and a point just before each, so that steps are vertical.
    knots = np.array([x for x, _ in function.knots])
    return np.unique(np.concatenate((np.linspace(reach[0], reach[1], 301), knots, np.nextafter(knots, -np.inf))))


def _curve(scores: Floats, relevance: Floats) -> Any:
    pairs = zip(scores.tolist(), relevance.tolist(), strict=True)
    return drawn([{"score": score, "relevance": value} for score, value in pairs])
