"""Does the choice of measure matter? The verdict over all gains and discounts, then a grid of named ones as illustration."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rankgauge.analysis.agreement import Agreement
from rankgauge.analysis.compare.wording import Focus, brief
from rankgauge.analysis.robust.result import FAMILY, Robustness, corner_sentence
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.measure import Measure
from rankgauge.presentation.drawing.cells import corner_cells, robust_matrix
from rankgauge.presentation.drawing.curves import level_curves
from rankgauge.presentation.report.collect import AXES, spelled_option
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.page import Section, common_beginning, figure, scrolled, table_html
from rankgauge.tables.notes import shortened
from rankgauge.tables.table import Cell, Column, Table, number

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


def measure_choice_sections(material: Material, focus: Focus | None) -> list[Section]:
    """`focus` is None where there is only one system."""
    parts: list[str | Table] = []
    answers, hints = [], []
    if material.robust is not None and focus is not None:
        parts += robust_parts(material.robust, focus)
        answers.append(robust_answer(material.robust, focus))
        hints.append(robust_hint(material.robust))
    scores = material.variants
    if scores is not None and len(scores.measures) > 1:
        found = found_variants(scores, material.agreement)
        hint = _grid_hint(scores, alone=focus is None)
        answers += [] if focus is None else [answer(found)]
        parts += ["<h3>Some measures by name</h3>", f'<p class="hint">{html.escape(hint)}</p>'] if parts else []
        hints = hints or [hint]
        parts.append(grid_html(found, alone=focus is None))
    if material.orders is not None:
        requested = found_variants(material.scores, material.orders)
        answers = answers or [answer(requested)]
        table = variant_table(requested)
        parts += ["<h3>The requested measures</h3>", table] if parts else [table]
        hints = hints or [
            "Kendall's τ-b between the order of the systems under each measure and under the first (1 = same order)."
        ]
    if not parts:
        return []
    title = "Does the choice of measure matter?" if focus is not None else "The mean under other gains and discounts"
    return [Section("variants", title, parts, "".join(answers[:1]), " ".join(hints), label="Measure")]


def _grid_hint(scores: Scores, *, alone: bool) -> str:
    if alone:
        return "The mean under other gains (what a judged value is worth) and discounts (what a rank is worth)."
    return (
        "Each cell shows Kendall's τ-b between the order of the systems under this gain and discount and their order under "
        f"{scores.measures[0]} (1 = same order), and the winner with its mean; ≠ marks a different winner."
    )


def robust_hint(found: Robustness) -> str:
    """The certified sentence, and what was considered."""
    if not found.counts["robust"] + found.counts["equal"]:
        return f"{found.summary} Considered: {FAMILY[found.over]}."
    return f"{found.summary} This is proved for {FAMILY[found.over]}, not tried on examples."


def robust_answer(found: Robustness, focus: Focus) -> str:
    """Yes or no for the pair of the page."""
    wanted = {focus.first, focus.second}
    pair = next((pair for pair in found.pairs if {pair.system, pair.baseline} == wanted), None)
    names = f"{brief(focus.first)} and {brief(focus.second)}"
    if pair is None or pair.verdict == "open":
        return f"Not known for {names}."
    if pair.verdict == "depends":
        witness = f", as under {shortened(pair.witness, 120)}" if pair.witness else ""
        return f"Yes: which of {names} wins depends on it{witness}."
    if pair.verdict == "equal":
        return f"No: no measure of this kind tells {names} apart."
    return f"No: {brief(str(pair.winner))} is never behind, whatever gain and discount you choose."


def robust_parts(found: Robustness, focus: Focus) -> list[str | Table]:
    """The matrix of the systems, and the corners of the pair that the page is about."""
    parts: list[str | Table] = []
    if len(found.systems) > 2:
        words = ", ".join(f"{count:,} {word}" for word, count in found.counts.items() if count)
        beginning = common_beginning(found.systems)
        said = f"Matrix of {len(found.systems)} systems: {words}"
        parts.append(figure(robust_matrix(found, lambda name: name.removeprefix(beginning), said)))
    corners = found.corners(focus.first, focus.second)
    explanation = (
        f"{shortened(corners.system, 60)} against {shortened(corners.baseline, 60)} when all ranks down to a cutoff, and "
        f"all grades from a threshold on, count equally: {corner_sentence(corners)}. Every gain and discount is a mixture "
        f"of these, in a proportion that depends on the {found.noun}."
    )
    parts.append(f'<p class="hint">{html.escape(explanation)}</p>')
    parts.append(figure(corner_cells(corners, corner_sentence(corners))))
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
    wins = Counter(variant.winner for variant in found)
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
    names = ("discount \\ gain", *(_head(gain, "gain") for gain in gains))
    heads = "".join(f'<th scope="col" align="left">{name}</th>' for name in names)
    rows = []
    for discount in discounts:
        cells = (_cell(places.get((discount, gain)), found[0], alone=alone) for gain in gains)
        rows.append(f'<tr><th scope="row" align="left">{_head(discount, "discount")}</th>{"".join(cells)}</tr>')
    return scrolled("grid", heads, rows, padding=6)


def variant_table(found: Sequence[Variant]) -> Table:
    """The same as a list, for measures that do not form a grid."""
    columns = (Column("measure"), number("τ", 3), Column("winner"), number("mean of the winner"))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (str(variant.measure), variant.tau, shortened(variant.winner, 120), variant.mean) for variant in found
    )
    return Table(columns, rows, marked=frozenset({0}))


def _varies(measure: Measure, asked: Measure) -> bool:
    if measure.definition is not asked.definition or not set(AXES) <= set(measure.definition.options):
        return False
    return measure(**{axis: asked.settings[axis] for axis in AXES}) == asked


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


def discrimination_sections(material: Material) -> list[Section]:
    found = material.discrimination
    if found is None:
        return []
    columns = (Column("measure"), number("discriminative power", 3), number("required difference"))
    rows = tuple((measure.measure, measure.power, measure.required_difference) for measure in found.parts)
    few = len(found.systems) < len(material.scores.systems)
    which = f"the best {len(found.systems)} systems" if few else f"all {len(found.systems)} systems"
    best = max(found.parts, key=lambda one: one.power)
    answer = f"{best.measure}: {best.power:.1%} of the {found.pairs:,} pairs of {which}."
    if len(found.parts) > 1 and len({one.power for one in found.parts}) == 1:
        answer = f"None: each separates {best.power:.1%} of the {found.pairs:,} pairs of {which}."
    hint = f"Share of the pairs that a measure separates at α = {found.alpha:g}. A curve that falls earlier separates more pairs."
    # Curves along the axis would be an empty chart.
    flat = max(max(one.asl, default=0.0) for one in found.parts) < found.alpha / 10
    drawing = "" if flat else figure(level_curves(found, "achieved significance levels of all pairs"))
    body = table_html(Table(columns, rows), sortable=True)
    title = "Which measure separates systems best?"
    return [Section("discrimination", title, (drawing, body), answer, hint, label="Separation")]
