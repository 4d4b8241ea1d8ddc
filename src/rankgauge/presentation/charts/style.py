"""The house style of charts, how they are saved, and the chart of a relevance function; the only file that imports
Altair.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rankgauge.analysis.relevance import RelevanceFunction
from rankgauge.errors import MissingExtraError, UsageError

# The background is transparent, so every colour has to be seen on white and on a dark page.
INK, SOFT, RULE = "#66727f", "#6b7785", "#8b95a1"
# After Okabe & Ito: told apart with any kind of colour vision, the yellows darkened to be seen on white.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a67c00", "#7a5195")
LINE, MARK = PALETTE[:2]
_MARK = re.compile(r'<(path)((?: [\w-]+="[^"]*")* aria-label="([^"]*)"(?: [\w-]+="[^"]*")*)/>')
_CLIP = re.compile(r'(?<=url\(#)clip\d+(?=\))|(?<=<clipPath id=")clip\d+(?=")')
ENDINGS = (".svg", ".png", ".json")


def relevance_chart(function: RelevanceFunction, scores: npt.ArrayLike = (), *, title: str = "") -> Any:
    """The curve of a relevance function with its knots; scores, if given, stand as ticks on the axis below it."""
    alt = load_altair()
    ticks = np.unique(np.asarray(scores, dtype=np.float64))
    ticks = ticks[np.isfinite(ticks)]
    reach = _reach(function, ticks)
    x = alt.X(
        "score:Q",
        title="score",
        axis=alt.Axis(tickCount=7),
        scale=alt.Scale(zero=False, nice=False, domain=list(reach)),
    )
    y = alt.Y("relevance:Q", title="relevance", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    grid = _grid(function, reach)
    curve = alt.Chart(_rows(grid, function(grid))).mark_line(color=LINE, strokeWidth=2.5).encode(x=x, y=y)
    points = np.array(function.knots)
    dots = alt.Chart(_rows(points[:, 0], points[:, 1])).mark_point(color=MARK, filled=True, size=60, opacity=1)
    layers = [curve, dots.encode(x=x, y=y, tooltip=["score:Q", "relevance:Q"])]
    if len(ticks):
        rug = alt.Chart(_rows(ticks, function(ticks))).mark_tick(color=SOFT, thickness=1, size=10, yOffset=-6)
        layers.insert(0, rug.encode(x=x, y=alt.datum(0), tooltip=["score:Q", "relevance:Q"]))
    legend = "dots: knots; ticks on the axis: scores" if len(ticks) else "dots: knots"
    meaning = str(function).splitlines()[0].split(": ")[-1]
    heading = alt.Title(title or "Relevance of a score", subtitle=[meaning, legend])
    return styled(alt.layer(*layers).properties(width=420, height=260, title=heading))


def styled(chart: Any) -> Any:
    """The house style: quiet axes, a title at the left, the legend below, no background."""
    fonts = {
        "labelColor": SOFT,
        "titleColor": INK,
        "labelFontSize": 11,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    }
    return (
        chart.configure(padding=12, font="Helvetica, Arial, sans-serif", background="transparent")
        .configure_view(stroke=None)
        .configure_axis(grid=True, gridColor=RULE, gridOpacity=0.2, domainColor=RULE, tickColor=RULE, **fonts)
        .configure_title(anchor="start", color=INK, fontSize=14, subtitleColor=SOFT, subtitleFontSize=11, offset=12)
        .configure_header(labelColor=INK, labelFontSize=12, titleFontSize=12, titleColor=INK)
        .configure_legend(orient="bottom", labelLimit=0, symbolStrokeWidth=2.5, **fonts)
    )


def save_chart(chart: Any, path: str | Path) -> None:
    """Write a chart as .svg, .png or .json (its Vega-Lite specification), by the ending of the file."""
    Path(path).write_bytes(chart_bytes(chart, path))


def chart_bytes(chart: Any, path: str | Path) -> bytes:
    """What a file of this name would hold."""
    ending = check_ending(path)
    if ending == ".json":
        return (json.dumps(chart.to_dict(), indent=1, ensure_ascii=False) + "\n").encode()
    if ending == ".svg":
        return svg(chart.to_dict()).encode()
    png: bytes = _vl_convert().vegalite_to_png(chart.to_dict(), scale=2)
    return png


def check_ending(path: str | Path) -> str:
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise UsageError(
            f"{path}: a chart cannot be saved as {ending or 'a file without ending'!r}; known: {', '.join(ENDINGS)}"
        )
    return ending


def _reach(function: RelevanceFunction, ticks: npt.NDArray[np.float64]) -> tuple[float, float]:
    seen = np.concatenate((ticks, [x for x, _ in function.knots]))
    low, high = float(seen.min()), float(seen.max())
    room = 0.03 * (high - low) or 1.0
    return low - room, high + room


def _grid(function: RelevanceFunction, reach: tuple[float, float]) -> npt.NDArray[np.float64]:
    # The knots stand on the grid, and a point just before each, so that a step is drawn upright.
    knots = np.array([x for x, _ in function.knots])
    return np.unique(np.concatenate((np.linspace(reach[0], reach[1], 301), knots, np.nextafter(knots, -np.inf))))


def _rows(scores: npt.NDArray[np.float64], relevance: npt.NDArray[np.float64]) -> Any:
    pairs = zip(scores.tolist(), relevance.tolist(), strict=True)
    return load_altair().InlineData(values=[{"score": score, "relevance": value} for score, value in pairs])


def load_altair() -> Any:
    try:
        import altair as alt
    except ImportError:
        raise MissingExtraError("a chart", "report") from None
    return alt


def _vl_convert() -> Any:
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError("a chart as a picture", "report") from None
    return vl_convert


def specification(chart: Any) -> dict[str, Any]:
    """The Vega-Lite specification, with a transparent background so that a page's own shows through."""
    return {**chart.to_dict(), "background": None}


def svg(specification: dict[str, Any], name: str = "chart") -> str:
    """A static picture whose colours are attributes, so that it survives a strict content policy; what its marks say to
    screen readers becomes their tooltip. `name` keeps its ids apart from those of other pictures on a page.
    """
    text: str = _vl_convert().vegalite_to_svg(specification)
    # Vega counts clips through the life of the process, so the same chart would not give the same bytes.
    ids: dict[str, str] = {}
    text = _CLIP.sub(lambda clip: ids.setdefault(clip[0], f"{name}-clip{len(ids) + 1}"), text)
    return _MARK.sub(_with_title, text)


def _with_title(mark: re.Match[str]) -> str:
    # An attribute may hold a bare <, an element may not.
    words = mark[3].replace("<", "&lt;")
    return f"<{mark[1]}{mark[2]}><title>{words}</title></{mark[1]}>"


def javascript() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script, from the installed package."""
    bundle: str = _vl_convert().javascript_bundle()
    return bundle
