"""Scales, axes and marks. Colors are attributes, so they need no stylesheet; classes let a stylesheet change them."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 960
UP, DOWN, EVEN, SOFT, RULE, INK = "#1b7ca8", "#c2560c", "#c8ced6", "#5b6672", "#8b95a1", "#1f2933"
# After Okabe & Ito; the classes c0 to c4 have other colors on dark pages.
COLORS = ("#0072b2", "#c24e00", "#00805d", "#b3478a", "#8a6700")


@dataclass(frozen=True)
class Axis:
    """Numbers to positions, linear or logarithmic."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def at(self, value: float) -> float:
        low, high, here = (math.log(x) if self.log else x for x in (self.low, self.high, value))
        return self.start + (here - low) * (self.end - self.start) / ((high - low) or 1.0)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers within the span: multiples of 1, 2 or 5 times a power of ten."""
    if not (math.isfinite(low) and math.isfinite(high)) or high <= low:
        return [low] if math.isfinite(low) else []
    rough = (high - low) / most
    size = 10.0 ** math.floor(math.log10(rough))
    step = next((size * factor for factor in (1, 2, 5) if size * factor >= rough * (1 - 1e-9)), 10 * size)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [float(f"{step * at:.12g}") for at in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2, 5, 10, 20, …"""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [value for power in powers for one in (1, 2, 5) if low <= (value := one * 10.0**power) <= high]


def typeset(text: str) -> str:
    """A hyphen before a number that is no part of a word becomes a minus sign."""
    return "".join(
        "−"
        if letter == "-"
        and text[at + 1 : at + 2].isdigit()
        and not (text[at - 1 : at].isalnum() or text[at - 1 : at] in {"_", ".", "-"})
        else letter
        for at, letter in enumerate(text)
    )


def line(x1: float, y1: float, x2: float, y2: float, kind: str = "grid", *, dash: str = "") -> str:
    colors = {"grid": "#dfe4ea", "axis": RULE, "guide": RULE}
    style = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<line class="{kind}" x1="{short(x1)}" y1="{short(y1)}" x2="{short(x2)}" y2="{short(y2)}" '
        f'stroke="{colors.get(kind, UP)}"{style}/>'
    )


def label(
    x: float, y: float, words: str, *, anchor: str = "start", size: int = 12, turn: bool = False, dark: bool = False
) -> str:
    """`dark` is for words on a colored ground."""
    turned = f' transform="rotate(-90 {short(x)} {short(y)})"' if turn else ""
    kind = ' class="dark"' if dark else ""
    return (
        f'<text{kind} x="{short(x)}" y="{short(y)}" text-anchor="{anchor}" font-size="{size}" '
        f'fill="{INK if dark else SOFT}"{turned}>{html.escape(words)}</text>'
    )


def box(x: float, y: float, width: float, height: float, kind: str, title: str = "", more: str = "") -> str:
    color = {"up": UP, "down": DOWN}.get(kind, EVEN)
    words = f"<title>{html.escape(title)}</title>" if title else ""
    return (
        f'<rect class="{kind}" x="{short(x)}" y="{short(y)}" width="{short(width)}" height="{short(height)}" '
        f'fill="{color}"{more}>{words}</rect>'
    )


def path(points: Sequence[tuple[float, float]], color: int, *, filled: bool = False) -> str:
    """A line through the points, or an area around them."""
    way = "M" + "L".join(f"{short(x)} {short(y)}" for x, y in points)
    paint = COLORS[color % len(COLORS)]
    kind = f"c{color % len(COLORS)}"
    if filled:
        return f'<path class="{kind} band" d="{way}Z" fill="{paint}" fill-opacity="0.12"/>'
    dash = f' stroke-dasharray="{(color // len(COLORS)) * 3 + 4} 3"' if color >= len(COLORS) else ""
    return f'<path class="{kind} line" d="{way}" fill="none" stroke="{paint}" stroke-width="2"{dash}/>'


def short(number: float) -> str:
    """At most one decimal: a tenth of a pixel cannot be seen."""
    text = f"{number:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"


def svg(width: float, height: float, words: str, *parts: str) -> str:
    """A picture with a description for those who cannot see it."""
    said = html.escape(words, quote=True)
    return (
        f'<svg class="drawn" viewBox="0 0 {short(width)} {short(height)}" width="{short(width)}" height="{short(height)}" '
        f'role="img" aria-label="{said}" font-family="system-ui, Helvetica, Arial, sans-serif">{"".join(parts)}</svg>'
    )


def legend(names: Sequence[str], x: float, y: float, width: float) -> tuple[str, float]:
    """Lines and names in rows below a chart, and the height that they take."""
    parts, here, row = [], x, 0
    for at, name in enumerate(names):
        size = 34 + 6.7 * len(name)
        if here > x and here + size > x + width:
            here, row = x, row + 1
        top = y + 18 * row
        parts.append(path([(here, top - 4), (here + 20, top - 4)], at) + label(here + 26, top, name))
        here += size + 14
    return "".join(parts), 18.0 * (row + 1)
