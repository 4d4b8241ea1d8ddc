"""What the rows of the leaderboard draw: intervals on one scale, bars that join equal neighbors, wins and losses."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from rankgauge.analysis.compare.verdicts import MeasureComparison, Pair
from rankgauge.analysis.compare.wording import ranked
from rankgauge.presentation.drawing.canvas import DOWN, EVEN, RULE, SOFT, UP, Axis, short, ticks, typeset

WIDTH = 150
EDGE = 8
COLORS = {"better": UP, "worse": DOWN}


@dataclass(frozen=True)
class Forest:
    """The scale of all rows; `zone` is the margin within which systems count as equivalent."""

    scale: Axis
    zone: float | None

    @classmethod
    def of(cls, pairs: Iterable[Pair], zone: float | None) -> Forest:
        ends = [0.0, *([-zone, zone] if zone else [])]
        ends += [end for pair in pairs for end in (pair.low, pair.difference, pair.high) if math.isfinite(end)]
        return cls(Axis(min(ends), max(ends) if max(ends) > min(ends) else min(ends) + 1.0, EDGE, WIDTH - EDGE), zone)

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


# More bars beside each other are no longer read.
MOST_LANES = 6


@dataclass(frozen=True)
class Group:
    """Places from `first` to `last`, no two of which differ significantly; `lane` is where its bar is drawn."""

    first: int
    last: int
    lane: int


def groups_of(found: MeasureComparison) -> tuple[Group, ...]:
    """The largest runs of neighbors; empty unless all pairs were compared."""
    order = [system.name for system in ranked(found)]
    count = len(order)
    if len(found.pairs) < count * (count - 1) // 2 or count < 3:
        return ()
    apart = {frozenset((pair.system, pair.baseline)) for pair in found.pairs if pair.verdict in {"better", "worse"}}
    spans: list[tuple[int, int]] = []
    end = 0
    for start in range(count):
        end = max(end, start)
        while end + 1 < count and all(
            frozenset((order[at], order[end + 1])) not in apart for at in range(start, end + 1)
        ):
            end += 1
        if end > start and (not spans or end > spans[-1][1]):
            spans.append((start, end))
    free: list[int] = []
    groups = []
    for first, last in spans:
        lane = next((at for at, taken in enumerate(free) if taken < first), len(free))
        if lane == MOST_LANES:
            continue
        free[lane : lane + 1] = [last]
        groups.append(Group(first, last, lane))
    return tuple(groups)


def lanes_width(groups: tuple[Group, ...]) -> int:
    return 6 * (1 + max(group.lane for group in groups))


def lanes_svg(groups: tuple[Group, ...], place: int) -> str:
    """The piece of every bar that passes this row."""
    if not groups:
        return ""
    bars = "".join(
        f'<rect class="lane" x="{6 * group.lane + 1}" y="{"25%" if place == group.first else "0"}" width="3" '
        f'height="{"75%" if place in {group.first, group.last} else "100%"}" fill="{SOFT}"/>'
        for group in groups
        if group.first <= place <= group.last
    )
    return f'<svg class="lanes" width="{lanes_width(groups)}" height="30" aria-hidden="true">{bars}</svg>'


def balance_svg(pair: Pair, width: int = 64) -> str:
    """Wins, ties and losses as one bar."""
    total = max(pair.wins + pair.ties + pair.losses, 1)
    up, even = width * pair.wins / total, width * pair.ties / total
    parts = ((0.0, up, "up", UP), (up, even, "even", EVEN), (up + even, width - up - even, "down", DOWN))
    bars = "".join(
        f'<rect class="{kind}" x="{x:.1f}" width="{wide:.1f}" height="12" fill="{color}"/>'
        for x, wide, kind, color in parts
        if wide > 0.05
    )
    return f'<svg class="balance" width="{width}" height="12" viewBox="0 0 {width} 12" role="img" aria-label="{pair.tally}"><title>{pair.tally}</title>{bars}</svg>'
