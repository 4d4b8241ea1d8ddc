"""A forest plot in the cells of a table: differences with their intervals on one scale, which the head shows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from rankgauge.analysis.compare.verdicts import Pair
from rankgauge.presentation.drawing.canvas import DOWN, RULE, SOFT, UP, Scale, short, ticks, typeset

WIDTH = 150
EDGE = 8
COLORS = {"better": UP, "worse": DOWN}


@dataclass(frozen=True)
class Forest:
    """The scale of all rows; `zone` is the margin within which systems count as equivalent."""

    scale: Scale
    zone: float | None

    @classmethod
    def of(cls, pairs: Iterable[Pair], zone: float | None) -> Forest:
        ends = [0.0, *([-zone, zone] if zone else [])]
        ends += [end for pair in pairs for end in (pair.low, pair.difference, pair.high) if math.isfinite(end)]
        return cls(Scale(min(ends), max(ends) if max(ends) > min(ends) else min(ends) + 1.0, EDGE, WIDTH - EDGE), zone)

    def axis(self) -> str:
        """Numbers for the head of the table."""
        marks = []
        for value in ticks(self.scale.low, self.scale.high, 3):
            words = typeset(f"{value:{'+' if value else ''}g}")
            x = self.scale.at(value)
            anchor = "start" if x < 16 else "end" if x > WIDTH - 16 else "middle"
            marks.append(
                f'<text x="{short(x)}" y="10" font-size="11" text-anchor="{anchor}" fill="{SOFT}">{words}</text>'
            )
        return f'<svg class="interval" width="{WIDTH}" height="13" viewBox="0 0 {WIDTH} 13" aria-hidden="true">{"".join(marks)}</svg>'

    def row(self, pair: Pair) -> str:
        """A dot for the difference on a line for its interval; the title holds the numbers."""
        if math.isnan(pair.difference):
            return ""
        color, words = COLORS.get(pair.verdict, SOFT), f"{pair.difference:+.4f}"
        at, bar = self.scale.at, ""
        if math.isfinite(pair.low):
            words += f" [{pair.low:+.4f}, {pair.high:+.4f}]"
            bar = f'<line class="bar" x1="{short(at(pair.low))}" y1="8" x2="{short(at(pair.high))}" y2="8" stroke="{color}" stroke-width="2"/>'
        dot = f'<circle cx="{short(at(pair.difference))}" cy="8" r="3.5" fill="{color}"/>'
        return self._svg(pair.verdict, f"{bar}{dot}", typeset(words))

    def zero(self) -> str:
        """The row of the reference itself."""
        return self._svg("reference", "", "")

    def _svg(self, kind: str, inside: str, words: str) -> str:
        x = short(self.scale.at(0.0))
        guide = f'<line class="guide" x1="{x}" y1="0" x2="{x}" y2="16" stroke="{RULE}"/>'
        zone = ""
        if self.zone:
            left, right = self.scale.at(-self.zone), self.scale.at(self.zone)
            zone = f'<rect class="zone" x="{short(left)}" width="{short(right - left)}" height="16" fill="{RULE}" fill-opacity="0.2"/>'
        said = f'role="img" aria-label="{words}"><title>{words}</title>' if words else 'aria-hidden="true">'
        return f'<svg class="interval {kind}" width="{WIDTH}" height="16" viewBox="0 0 {WIDTH} 16" {said}{zone}{guide}{inside}</svg>'
