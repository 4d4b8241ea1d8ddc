"""Which neighbors in the leaderboard are not told apart, as the bars of a critical-difference diagram."""

from __future__ import annotations

from dataclasses import dataclass

from rankgauge.analysis.compare.verdicts import MeasureComparison
from rankgauge.analysis.compare.wording import ranked
from rankgauge.presentation.drawing.canvas import SOFT

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
