"""Does the choice of measure change the order? Gains across, discounts down, τ and the winner in each cell."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rankgauge.analysis.agreement import Agreement
from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.data.run import Run
from rankgauge.errors import MeasureError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.measure import Measure
from rankgauge.tables.table import Cell, Column, Table, number, shortened

GAINS = ("linear", "exp")
DISCOUNTS = ("log2", "zipf", "linear", "none", "rbp(0.8)")
AXES = ("discount", "gain")
WORDS = {
    "linear gain": "the value itself",
    "exp gain": "2^value − 1",
    "log2 discount": "1 / log2(rank + 1)",
    "zipf discount": "1 / rank",
    "linear discount": "falls to 0 below the cutoff",
    "none discount": "every rank counts the same",
    "rbp(0.8) discount": "0.8^(rank − 1)",
}


@dataclass(frozen=True)
class Variant:
    """One measure of the grid: who wins under it, and how far its order agrees with that of the measure asked for."""

    measure: Measure
    winner: str
    mean: float
    tau: float


def variants_of(measure: Measure) -> list[Measure]:
    """The measure itself, then under every named gain and discount and its own; empty where it has none."""
    if not set(AXES) <= set(measure.definition.options):
        return []
    grid = [
        measure(gain=gain, discount=discount)
        for gain in dict.fromkeys((*GAINS, measure.settings["gain"]))
        for discount in dict.fromkeys((*DISCOUNTS, measure.settings["discount"]))
        if discount != "linear" or measure.cutoff
    ]
    return list(dict.fromkeys([measure, *grid]))


def evaluate_variants(
    judgments: Judgments,
    runs: Sequence[Run],
    asked: Sequence[Measure],
    policy: Policy,
    *,
    only: Iterable[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Scores, Scores | None]:
    """Scores of the measures asked for, and of the first of them under other gains and discounts.

    Raw judged values may be too large for 2^value; then the grid has to do without that gain.
    """
    grid = variants_of(asked[0])
    try:
        every = evaluate(
            judgments, runs, list(dict.fromkeys([*asked, *grid])), policy=policy, only=only, progress=progress
        )
    except MeasureError:
        # An error of the measures asked for comes up again.
        grid = [measure for measure in grid if measure == asked[0] or _spelled(measure, "gain") != "exp"]
        every = evaluate(
            judgments, runs, list(dict.fromkeys([*asked, *grid])), policy=policy, only=only, progress=progress
        )
    return every.select(asked), every.select(grid) if len(grid) > 1 else None


def found_variants(scores: Scores, agreement: Agreement | None) -> list[Variant]:
    """Winner, mean and τ to the first measure; without an agreement (one system) τ is nan."""
    means = scores.mean()
    found = []
    for place, measure in enumerate(scores.measures):
        best = max(scores.systems, key=lambda system: _known(means[system][str(measure)]))
        tau = float("nan") if agreement is None else float(agreement.tau[0][place])
        found.append(Variant(measure, best, means[best][str(measure)], tau))
    return found


def _known(mean: float) -> float:
    return mean if mean == mean else float("-inf")  # noqa: PLR0124 - nan


def answer(found: Sequence[Variant]) -> str:
    """Who wins, in a sentence."""
    wins: dict[str, int] = {}
    for variant in found:
        wins[variant.winner] = wins.get(variant.winner, 0) + 1
    first, least = found[0], min((variant.tau for variant in found[1:] if variant.tau == variant.tau), default=None)
    name = shortened(first.winner, 60)
    if len(wins) == 1:
        text = f"No: {name} wins under all {len(found)}."
    else:
        others = ", ".join(
            f"{shortened(system, 60)} {count}"
            for system, count in sorted(wins.items(), key=lambda win: (-win[1], win[0]))
            if system != first.winner
        )
        text = f"Yes: {name} wins under {wins[first.winner]} of {len(found)}, {others}."
    return text if least is None else f"{text} The least τ is {least:.3f}."


def grid_html(found: Sequence[Variant], *, alone: bool = False) -> str | Table:
    """A grid where the measures differ in nothing but gain and discount, else a list; `alone`: means instead of τ."""
    asked = found[0].measure
    places = {
        tuple(_spelled(variant.measure, axis) for axis in AXES): variant
        for variant in found
        if _varies(variant.measure, asked)
    }
    if len(places) < len(found):
        return variant_table(found)
    discounts, gains = (list(dict.fromkeys(place[at] for place in places)) for at in (0, 1))
    heads = "".join(f'<th align="left">{_head(gain, "gain")}</th>' for gain in gains)
    rows = "".join(
        f'<tr><th align="left">{_head(discount, "discount")}</th>'
        + "".join(_cell(places.get((discount, gain)), found[0], alone=alone) for gain in gains)
        + "</tr>"
        for discount in discounts
    )
    return (
        '<div class="scroll"><table class="grid" cellpadding="6"><thead><tr><th align="left">discount \\ gain</th>'
        f"{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def variant_table(found: Sequence[Variant]) -> Table:
    """The same as a list, for measures that share no grid."""
    columns = (Column("measure"), number("τ", 3), Column("winner"), number("its mean"))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (str(variant.measure), variant.tau, shortened(variant.winner, 120), variant.mean) for variant in found
    )
    return Table(columns, rows, marked=frozenset({0}))


def _varies(measure: Measure, asked: Measure) -> bool:
    if not set(AXES) <= set(measure.definition.options):
        return False
    return (
        measure(**{axis: asked.settings[axis] for axis in AXES}) == asked
        if measure.definition is asked.definition
        else False
    )


def _spelled(measure: Measure, axis: str) -> str:
    return measure.definition.options[axis].spell(measure.settings[axis])


def _head(name: str, axis: str) -> str:
    words: Mapping[str, str] = WORDS
    told = words.get(f"{name} {axis}", "")
    text = html.escape(shortened(name, 60))
    return f'{text} <span class="soft">{html.escape(told)}</span>' if told else text


def _cell(variant: Variant | None, asked: Variant, *, alone: bool) -> str:
    if variant is None:
        return "<td>–</td>"
    kind = "asked" if variant is asked else "other" if variant.winner != asked.winner else "same"
    name = html.escape(shortened(variant.winner, 60))
    if alone:
        inside = f"<b>{variant.mean:.4f}</b>"
    else:
        tau = "undefined" if variant.tau != variant.tau else f"{variant.tau:.3f}"
        mark = "≠ " if kind == "other" else ""
        inside = f'τ <b>{tau}</b><br>{mark}<bdi>{name}</bdi> <span class="soft">{variant.mean:.4f}</span>'
    told = ' <span class="soft">(asked for)</span>' if kind == "asked" else ""
    return f'<td class="{kind}" title="{html.escape(str(variant.measure), quote=True)}">{inside}{told}</td>'
