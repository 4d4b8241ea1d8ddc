"""Queries as bars: one for each, or counted by how much they changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.errors import many, plural
from rankgauge.presentation.drawing.canvas import WIDTH, Axis, box, label, line, svg, ticks, typeset
from rankgauge.tables.notes import NOUNS, shortened

HEIGHT = 230
LEFT, RIGHT, TOP, BOTTOM = 58, 8, 10, 26
BINS = 30


@dataclass(frozen=True)
class Bin:
    """Queries whose values lie between `low` and `high`; ties have a bin of their own, from 0 to 0."""

    low: float
    high: float
    queries: int

    @property
    def kind(self) -> str:
        return "even" if self.low == self.high == 0 else "up" if self.low >= 0 else "down"


def query_bars(
    values: Sequence[tuple[str, float]],
    measure: str,
    texts: Mapping[str, str],
    words: str,
    *,
    difference: bool = True,
    noun: str = NOUNS[0],
) -> str:
    """Best query first. Each bar carries the number of its query (data-at) and says which one it is."""
    numbers = [value for _, value in values]
    high, low = max([*numbers, 0.0]), min([*numbers, 0.0])
    up = Axis(low, high, HEIGHT - BOTTOM, TOP)
    step = (WIDTH - LEFT - RIGHT) / max(len(values), 1)
    zero, gap = up.at(0.0), 0.1 * step if step > 3 else 0.0
    sign = "+" if difference else ""
    bars = []
    for at, (query, value) in enumerate(values):
        text = shortened(texts.get(query, ""), 120)
        title = ": ".join(part for part in (shortened(query, 80), text) if part) + f" {typeset(f'{value:{sign}.4f}')}"
        kind = "up" if value > 0 else "down" if value < 0 else "even"
        top = min(up.at(value), zero)
        bars.append(box(LEFT + at * step + gap, top, step - 2 * gap, abs(up.at(value) - zero), kind, title))
    sides = _upright(up, f"Δ {measure}" if difference else measure, sign)
    below = label((WIDTH + LEFT) / 2, HEIGHT - 8, f"{many(noun)}, best first", anchor="middle")
    return svg(WIDTH, HEIGHT, words, *sides, *bars, line(LEFT, zero, WIDTH - RIGHT, zero, "axis"), below)


def binned(values: Sequence[float] | Floats, *, difference: bool = True) -> list[Bin]:
    """Equal steps away from 0 on both sides; ties are neither wins nor losses."""
    given = np.asarray(values, dtype=np.float64)
    reach = float(np.max(np.abs(given), initial=0.0)) or 1.0
    if not difference:
        edges = np.linspace(min(0.0, float(given.min())), reach, 2 * BINS + 1)
        counts, _ = np.histogram(given, edges)
        return list(map(Bin, edges[:-1].tolist(), edges[1:].tolist(), counts.tolist()))
    edges = np.linspace(0.0, reach, BINS + 1)
    wins, losses = (np.histogram(side, edges)[0].tolist() for side in (given[given > 0], -given[given < 0]))
    steps = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    below = [Bin(-high, -low, count) for (low, high), count in zip(steps, losses, strict=True)][::-1]
    above = [Bin(low, high, count) for (low, high), count in zip(steps, wins, strict=True)]
    return [*below, Bin(0.0, 0.0, int(np.count_nonzero(given == 0.0))), *above]


def histogram(
    values: Sequence[float] | Floats, measure: str, words: str, *, difference: bool = True, noun: str = NOUNS[0]
) -> str:
    """How many queries changed by how much; ties are gray, and in the middle."""
    bins = binned(values, difference=difference)
    most = max(one.queries for one in bins) or 1
    up = Axis(0, most, HEIGHT - BOTTOM - 14, TOP)
    step = (WIDTH - LEFT - RIGHT) / len(bins)
    sign = "+" if difference else ""
    bars, marks = [], []
    for at, one in enumerate(bins):
        span = "ties" if one.kind == "even" else f"{one.low:{sign}.3f} to {one.high:{sign}.3f}"
        title = typeset(f"{span}: {plural(one.queries, noun)}")
        x = LEFT + at * step
        bars.append(box(x + 0.5, up.at(one.queries), step - 1, up.at(0) - up.at(one.queries), one.kind, title))
        if one.kind == "even":
            marks.append(label(x + step / 2, HEIGHT - BOTTOM + 2, "ties", anchor="middle", size=11))
    marks += _below(bins, step, sign)
    sides, zero = _upright(up, many(noun), ""), up.at(0)
    marks.append(label((WIDTH + LEFT) / 2, HEIGHT - 6, f"Δ {measure}" if difference else measure, anchor="middle"))
    return svg(WIDTH, HEIGHT, words, *sides, *bars, line(LEFT, zero, WIDTH - RIGHT, zero, "axis"), *marks)


def _below(bins: Sequence[Bin], step: float, sign: str) -> list[str]:
    """Round numbers where they lie along the bars; the bin of ties is wider than its values."""
    marks = []
    for value in ticks(bins[0].low, bins[-1].high, 10):
        at = next((at for at, one in enumerate(bins) if one.low <= value <= one.high and one.high > one.low), None)
        if at is None or (sign and value == 0):
            continue
        x = LEFT + (at + (value - bins[at].low) / (bins[at].high - bins[at].low)) * step
        marks.append(
            label(x, HEIGHT - BOTTOM + 2, typeset(f"{value:{sign if value else ''}g}"), anchor="middle", size=11)
        )
    return marks


def _upright(up: Axis, name: str, sign: str) -> list[str]:
    parts = [label(14, (TOP + HEIGHT - BOTTOM) / 2, name, anchor="middle", turn=True)]
    for value in ticks(up.low, up.high, 8):
        y, words = up.at(value), typeset(f"{value:{sign if value else ''},g}")
        parts += [line(LEFT, y, WIDTH - RIGHT, y), label(LEFT - 6, y + 4, words, anchor="end")]
    return parts
