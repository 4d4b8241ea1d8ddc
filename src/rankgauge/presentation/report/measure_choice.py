"""Does the choice of measure matter? The verdict over all gains and discounts, then a grid of named ones as illustration."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from rankgauge.analysis.agreement import Agreement
from rankgauge.analysis.robust.result import Robustness
from rankgauge.analysis.robust.wording import FAMILY, corner_sentence
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.measure import Measure
from rankgauge.presentation.charts.robust import corners_chart, matrix_chart
from rankgauge.presentation.report.material import AXES, Material, spelled_option
from rankgauge.presentation.report.page import Picture, Section
from rankgauge.presentation.report.verdict import challenger_of
from rankgauge.tables.table import Cell, Column, Table, number, shortened

WORDS = {
    "linear gain": "the judged value",
    "exp gain": "2^value − 1",
    "log2 discount": "1 / log2(rank + 1)",
    "zipf discount": "1 / rank",
    "linear discount": "falls to 0 just below the cutoff",
    "none discount": "every rank has the same weight",
    "rbp(0.8) discount": "0.8^(rank − 1)",
}


@dataclass(frozen=True)
class Variant:
    """One measure of the grid: its winner, and how well its order of the systems agrees with the requested one."""

    measure: Measure
    winner: str
    mean: float
    tau: float


def measure_choice_sections(material: Material) -> list[Section]:
    alone = len(material.scores.systems) == 1
    parts: list[str | Table | Picture] = [*robust_parts(material)]
    hints = [] if material.robust is None else [robust_hint(material.robust)]
    scores = material.variants
    if scores is not None and len(scores.measures) > 1:
        found = found_variants(scores, material.agreement)
        hint = (
            "The mean under other gains (what a judged value is worth) and discounts (what a rank is worth)."
            if alone
            else f"{answer(found)} Each cell shows Kendall's τ-b between the order of the systems under this gain and "
            f"discount and their order under {scores.measures[0]} (1 = same order), and the winner with its mean; "
            "≠ marks a different winner."
        )
        if parts:
            parts += ["<h3>Some measures by name</h3>", f'<p class="hint">{html.escape(hint)}</p>']
        else:
            hints.append(hint)
        parts.append(grid_html(found, alone=alone))
    if material.orders is not None:
        table = variant_table(found_variants(material.scores, material.orders))
        parts += ["<h3>The requested measures</h3>", table] if parts else [table]
        order = (
            "Kendall's τ-b between the order of the systems under each measure and under the first (1 = same order)."
        )
        hints = hints or [order]
    return [Section("variants", "Does the choice of measure matter?", " ".join(hints), tuple(parts))] if parts else []


def robust_hint(found: Robustness) -> str:
    """The certified sentence, and what was considered."""
    return f"{found.summary} This is proved for {FAMILY[found.over]}, not tried on examples."


def robust_parts(material: Material) -> list[str | Table | Picture]:
    """The matrix of the systems, and the corners of the pair that the page is about."""
    found, comparison = material.robust, material.comparison
    if found is None or comparison is None:
        return []
    parts: list[str | Table | Picture] = []
    if len(found.systems) > 2:
        words = ", ".join(f"{count:,} {word}" for word, count in found.counts.items() if count)
        parts.append(Picture(matrix_chart(found), f"Matrix of {len(found.systems)} systems: {words}"))
    part = comparison.parts[0]
    baseline = comparison.baseline or part.systems[0].name
    corners = found.corners(challenger_of(part, baseline), baseline)
    explanation = (
        f"{shortened(corners.system, 60)} against {shortened(corners.baseline, 60)} when all ranks down to a cutoff, and "
        f"all grades from a threshold on, count alike: {corner_sentence(corners)}. Every gain and discount is a mixture "
        "of these, in a proportion that depends on the query."
    )
    parts.append(f'<p class="hint">{html.escape(explanation)}</p>')
    parts.append(Picture(corners_chart(corners), corner_sentence(corners)))
    return parts


def found_variants(scores: Scores, agreement: Agreement | None) -> list[Variant]:
    """Winner, mean and τ to the first measure; τ is nan without an agreement (one system)."""
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
    """Whether the winner depends on the measure, in a sentence."""
    wins: dict[str, int] = {}
    for variant in found:
        wins[variant.winner] = wins.get(variant.winner, 0) + 1
    first, least = found[0], min((variant.tau for variant in found[1:] if variant.tau == variant.tau), default=None)
    name = shortened(first.winner, 60)
    if len(wins) == 1:
        text = f"No: {name} wins under all {len(found)} measures."
    else:
        others = ", ".join(
            f"{shortened(system, 60)} under {count}"
            for system, count in sorted(wins.items(), key=lambda win: (-win[1], win[0]))
            if system != first.winner
        )
        text = f"Yes: {name} wins under {wins[first.winner]} of {len(found)}, {others}."
    return text if least is None else f"{text} The lowest τ is {least:.3f}."


def grid_html(found: Sequence[Variant], *, alone: bool = False) -> str | Table:
    """A grid if the measures differ only in gain and discount, else a list; for one system (`alone`) with means only."""
    asked = found[0].measure
    places = {
        tuple(spelled_option(variant.measure, axis) for axis in AXES): variant
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
    """The same as a list, for measures that do not form a grid."""
    columns = (Column("measure"), number("τ", 3), Column("winner"), number("mean of the winner"))
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


def _head(name: str, axis: str) -> str:
    meaning = WORDS.get(f"{name} {axis}", "")
    text = html.escape(shortened(name, 60))
    return f'{text} <span class="soft">{html.escape(meaning)}</span>' if meaning else text


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
    label = ' <span class="soft">(requested)</span>' if kind == "asked" else ""
    return f'<td class="{kind}" title="{html.escape(str(variant.measure), quote=True)}">{inside}{label}</td>'
