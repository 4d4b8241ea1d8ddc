"""Pairs of systems as a matrix, and one pair as a table of cutoffs and grades."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

from rankgauge.analysis.robust.result import Corners, Robustness, RobustPair
from rankgauge.presentation.drawing.canvas import DOWN, EVEN, UP, WIDTH, label, short, svg, typeset
from rankgauge.tables.notes import shortened

COLORS = {"robust": "#0072b2", "depends": "#d55e00", "open": "#a67c00", "equal": "#8b95a1"}
MEANINGS = {
    "robust": "robust: the same winner whatever you choose",
    "depends": "depends: other measures turn it around",
    "open": "open: not decided",
    "equal": "equal: no measure tells them apart",
}
LONGEST = 26
# With more systems than this a cell is too small to point at.
POINTED = 16


def robust_matrix(found: Robustness, name: Callable[[str], str], words: str) -> str:
    """Systems by mean, best first; a cell for every pair below the diagonal, colored by its verdict."""
    rows = by_mean(found)
    place = {system: at for at, system in enumerate(rows)}
    size, left = max(6.0, min(22.0, (WIDTH - 200) / len(rows))), 190.0
    # Names stay readable where cells are narrow.
    tall = max(size, 12.0)
    pairs: dict[tuple[int, int], RobustPair] = {}
    for pair in found.pairs:
        low, high = sorted((place[pair.system], place[pair.baseline]))
        pairs[high, low] = pair
    few = len(rows) <= POINTED
    marks = _pointed(pairs, rows, size, left, name) if few else _merged(pairs, len(rows), (size, tall), left)
    small = min(12, int(tall - 1))
    names = [
        label(left - 6, (at + 0.5) * tall + small / 3, shortened(name(system), LONGEST), anchor="end", size=small)
        for at, system in enumerate(rows)
    ]
    key = []
    for at, word in enumerate(word for word in COLORS if found.counts[word]):
        # Beside the triangle; where that is wide, in the empty half above it.
        x, y = min(left + len(rows) * size + 20, WIDTH - 300), 6 + 20 * at
        key.append(
            f'<rect class="m-{word}" x="{short(x)}" y="{short(y)}" width="12" height="12" fill="{COLORS[word]}"/>'
        )
        key.append(label(x + 18, y + 11, MEANINGS[word]))
    return svg(WIDTH, max(len(rows) * tall + 8, 90), words, *marks, *names, *key)


def by_mean(found: Robustness) -> list[str]:
    """The systems by their mean under the measure, best first."""
    means = found.means
    return sorted(found.systems, key=lambda system: -means[system])


def _pointed(
    pairs: dict[tuple[int, int], RobustPair], rows: Sequence[str], size: float, left: float, name: Callable[[str], str]
) -> list[str]:
    marks = []
    for (row, column), pair in sorted(pairs.items()):
        title = f"{name(rows[column])} / {name(rows[row])}: {pair.verdict}"
        if pair.witness:
            title += f"; the other wins under {pair.witness}"
        shape = f'x="{short(left + column * size)}" y="{short(row * size)}" width="{short(size - 1)}" height="{short(size - 1)}"'
        marks.append(
            f'<rect class="m-{pair.verdict}" {shape} fill="{COLORS[pair.verdict]}"><title>{html.escape(shortened(title, 300))}</title></rect>'
        )
    return marks


def _merged(pairs: dict[tuple[int, int], RobustPair], count: int, cell: tuple[float, float], left: float) -> list[str]:
    """One shape for each verdict; neighbors in a row are one rectangle."""
    ways: dict[str, list[str]] = {word: [] for word in COLORS}
    size, tall = cell
    for row in range(count):
        start = 0
        while start < row:
            word = pairs[row, start].verdict if (row, start) in pairs else ""
            end = start + 1
            while end < row and (row, end) in pairs and pairs[row, end].verdict == word:
                end += 1
            if word:
                wide = (end - start) * size
                ways[word].append(
                    f"M{short(left + start * size)} {short(row * tall)}h{short(wide)}v{short(tall - 0.5)}h{short(-wide)}z"
                )
            start = end
    return [f'<path class="m-{word}" d="{"".join(way)}" fill="{COLORS[word]}"/>' for word, way in ways.items() if way]


def corner_scales(found: Corners) -> tuple[list[str], list[str], float]:
    """The names of cutoffs and of grades, and the largest difference."""
    tops = [f"{cutoff}" for cutoff in found.cutoffs] or ["discount of the measure"]
    heads = [f"grade ≥ {threshold:g}" for threshold in found.thresholds] or ["gain of the measure"]
    return tops, heads, max((abs(value) for row in found.differences for value in row), default=0.0) or 1.0


def corner_cells(found: Corners, words: str) -> str:
    """Differences at cutoffs × grade thresholds: blue where the system is ahead, orange where the baseline is."""
    tops, heads, most = corner_scales(found)
    left, size = 150.0, 26.0
    wide = min((WIDTH - left) / len(tops), 90.0)
    parts = []
    for across, (top, row) in enumerate(zip(tops, found.differences, strict=True)):
        x = left + across * wide
        for at, value in enumerate(row):
            y = (len(heads) - 1 - at) * size
            even = abs(value) <= 1e-12
            kind, color = ("even", EVEN) if even else ("up", UP) if value > 0 else ("down", DOWN)
            strength = 0.25 if even else 0.15 + 0.5 * abs(value) / most
            title = typeset(f"cutoff {top}, {heads[at]}: {value:+.4f}")
            parts.append(
                f'<rect class="{kind}" x="{short(x)}" y="{short(y)}" width="{short(wide - 1)}" height="{size - 1:g}" fill="{color}" '
                f'fill-opacity="{strength:.2f}"><title>{title}</title></rect>'
            )
            if wide >= 46:
                number = "0" if even else typeset(f"{value:+.3f}")
                parts.append(label(x + wide / 2, y + 17, number, anchor="middle", size=12, dark=True))
        if wide >= 22 or across % 5 == 0:
            parts.append(label(x + wide / 2, len(heads) * size + 14, top, anchor="middle", size=11))
    parts += [label(left - 6, (len(heads) - 1 - at) * size + 17, head, anchor="end") for at, head in enumerate(heads)]
    bottom = len(heads) * size + 32
    parts.append(label(left, bottom, "cutoff: all ranks down to it count equally"))
    return svg(WIDTH, bottom + 6, words, *parts)
