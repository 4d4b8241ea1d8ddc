"""The style shared by all charts, and how they are saved; the only file that imports Altair."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

from rankgauge.data.write import write_whole
from rankgauge.errors import MissingExtraError, UsageError
from rankgauge.limits import need_addresses

# The background is transparent, so every color must be visible on white and on dark pages.
INK, SOFT, RULE = "#66727f", "#6b7785", "#8b95a1"
# After Okabe & Ito: distinguishable with any kind of color vision; the yellows are darkened to be visible on white.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#a67c00", "#7a5195")
LINE, MARK = PALETTE[:2]
# Lines beyond the last color begin again with another dash.
DASHES = ([1, 0], [7, 3], [2, 2], [9, 3, 2, 3])
WIDTH, HEIGHT = 560, 300
_MARK = re.compile(r'<(path)((?: [\w-]+="[^"]*")* aria-label="([^"]*)"(?: [\w-]+="[^"]*")*)/>')
_NUMBERED = re.compile(r'(?<=url\(#)(?:clip|gradient_)\d+(?=\))|(?<= id=")(?:clip|gradient_)\d+(?=")')
ENDINGS = (".svg", ".png", ".json")
_ADDRESSES = 64_000
"""Megabytes: the engine inside vl-convert reserves a range of addresses for its own pointers."""


def styled(chart: Any) -> Any:
    """The common style: quiet axes, a title at the left, the legend below, no background."""
    fonts = {"labelColor": SOFT, "titleColor": INK, "labelFontSize": 11, "titleFontSize": 12}
    fonts |= {"titleFontWeight": "normal"}
    return _picture(
        chart.configure(padding=12, font="Helvetica, Arial, sans-serif", background="transparent")
        .configure_view(stroke=None)
        .configure_axis(grid=True, gridColor=RULE, gridOpacity=0.2, domainColor=RULE, tickColor=RULE, **fonts)
        .configure_title(anchor="start", color=INK, fontSize=14, subtitleColor=SOFT, subtitleFontSize=11, offset=12)
        .configure_header(labelColor=INK, labelFontSize=12, titleFontSize=12, titleColor=INK)
        .configure_legend(orient="bottom", labelLimit=0, symbolStrokeWidth=2.5, **fonts)
    )


def drawn(rows: list[dict[str, Any]]) -> Any:
    """A chart of these rows, to which marks are added."""
    alt = load_altair()
    return alt.Chart(alt.InlineData(values=rows))


def finished(chart: Any, title: str, subtitle: str | list[str], *, width: float = WIDTH, height: float = HEIGHT) -> Any:
    """The chart with its size and headings, in the common style."""
    heading = load_altair().Title(title, subtitle=subtitle)
    return styled(chart.properties(width=width, height=height, title=heading))


def levels(rows: list[dict[str, Any]], value: str, color: str = INK, **rule: Any) -> list[Any]:
    """Dashed lines across at `value`, each with its `text` at the right; none without rows."""
    if not rows:
        return []
    across = drawn(rows)
    lines = across.mark_rule(color=color, strokeDash=[4, 3], **rule).encode(y=f"{value}:Q")
    texts = across.mark_text(align="left", dx=4, color=color, fontSize=11)
    return [lines, texts.encode(x=load_altair().value("width"), y=f"{value}:Q", text="text:N")]


class Picture:
    """Beside Altair's classes: a chart that a notebook shows as a picture, where Altair would fetch Vega from the web."""

    def _repr_mimebundle_(self, *_: Any, **__: Any) -> dict[str, Any]:
        specification = self.to_dict()  # type: ignore[attr-defined]
        png = _vl_convert().vegalite_to_png(specification, scale=2)
        return {"image/svg+xml": svg(specification), "image/png": base64.b64encode(png).decode()}


def _picture(chart: Any) -> Any:
    kind = type(chart)
    made = kind if issubclass(kind, Picture) else type(kind.__name__, (Picture, kind), {"__module__": kind.__module__})
    object.__setattr__(chart, "__class__", made)  # Altair keeps what is assigned as a part of the specification
    return chart


def strokes(labels: list[str]) -> dict[str, Any]:
    """A color for each measure; when the colors are used up, another dash."""
    alt = load_altair()
    size = len(PALETTE)
    colors = alt.Scale(domain=labels, range=[PALETTE[at % size] for at in range(len(labels))])
    dashes = alt.Scale(domain=labels, range=[DASHES[at // size % len(DASHES)] for at in range(len(labels))])
    legend = alt.Legend(columns=3 if max(map(len, labels)) < 32 else 2, symbolType="stroke", symbolSize=300)
    return {
        "color": alt.Color("measure:N", title=None, scale=colors, legend=legend),
        "strokeDash": alt.StrokeDash("measure:N", title=None, scale=dashes, legend=legend),
    }


def expect(value: Any, kind: type | tuple[type, ...], made_by: str, *, optional: bool = False) -> None:
    """Refuse what is not the result of the function that makes it."""
    if not isinstance(value, kind) and not (optional and value is None):
        names = " or ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
        raise UsageError(f"{type(value).__name__} given where {names} is needed; give the result of {made_by}")


def altair_for(value: Any, kind: type | tuple[type, ...], made_by: str) -> Any:
    """Altair, for a chart of such a result; refuses what is not one."""
    expect(value, kind, made_by)
    return load_altair()


def save_chart(chart: Any, path: str | Path) -> None:
    """Write a chart as .svg, .png or .json (its Vega-Lite specification), chosen by the ending of the file."""
    write_whole(Path(path), chart_bytes(chart, path))


def chart_bytes(chart: Any, path: str | Path) -> bytes:
    """The contents of a file with this name."""
    ending = check_ending(path)
    if not hasattr(chart, "to_dict"):
        raise UsageError(f"{type(chart).__name__} is not a chart; give what a function of rankgauge.plot returns")
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
            f"{path}: charts cannot be saved as {ending or 'a file without ending'!r}; known: {', '.join(ENDINGS)}"
        )
    return ending


def load_altair() -> Any:
    try:
        import altair as alt
    except ImportError:
        raise MissingExtraError("a chart", "report") from None
    return alt


def _vl_convert() -> Any:
    need_addresses(_ADDRESSES, "a chart as a picture", " A chart as .json can be saved as it is.")
    try:
        import vl_convert
    except ImportError:
        raise MissingExtraError("a chart as a picture", "report") from None
    return vl_convert


def svg(specification: dict[str, Any]) -> str:
    """A static picture whose colors are attributes, so that it survives a strict content policy; the descriptions of
    its marks become tooltips.
    """
    text: str = _vl_convert().vegalite_to_svg(specification)
    # Vega numbers clips and gradients over the life of the process, so the same chart would not give the same bytes.
    ids: dict[str, str] = {}
    text = _NUMBERED.sub(lambda found: ids.setdefault(found[0], f"chart-part{len(ids) + 1}"), text)
    return _MARK.sub(_with_title, text)


def _with_title(mark: re.Match[str]) -> str:
    # An attribute may contain a bare <, an element may not.
    words = mark[3].replace("<", "&lt;")
    return f"<{mark[1]}{mark[2]}><title>{words}</title></{mark[1]}>"
