"""Charts of an optimum: weights by rank, gains by cutoff, Φ by queries, relevant documents by rank.

Kanoulas & Aslam 2009, Figures 2, 4 and 5 and Table 2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rankgauge.analysis.optimize.gains_by_cutoff import GainsByCutoff
from rankgauge.analysis.optimize.result import BEST, Optimum, Outcome
from rankgauge.analysis.optimize.search.form import with_queries
from rankgauge.analysis.optimize.search.weighting import named_discount, named_gain
from rankgauge.errors import UsageError
from rankgauge.measures import parse
from rankgauge.presentation.charts.curves import across_queries
from rankgauge.presentation.charts.style import (
    HEIGHT,
    INK,
    PALETTE,
    WIDTH,
    altair_for,
    drawn,
    finished,
    levels,
    strokes,
    styled,
)
from rankgauge.presentation.drawing.curves import needs, query_counts
from rankgauge.tables.notes import shortened

NAMED = ("log2", "zipf", "linear")
MOST_QUERIES = 2000
# Of Φ for one query: closer curves are one line on the page.
SAME_CURVE = 0.001


def discount_chart(found: Optimum, *, title: str = "") -> Any:
    """The optimal discount as dots beside the start and the named ones, each summing to 1; the recommended one is bold.

    Where gains were searched, they are a second panel.
    """
    alt = altair_for(found, Optimum, "rankgauge.optimize")
    ranks = len(found.discount)
    curves = _curves(found)
    labels, bold = list(curves), _recommended(found, curves)
    x = alt.X("rank:Q", title="rank", scale=_rank_scale(alt, ranks), axis=alt.Axis(tickCount=8, format="~d"))
    root = alt.Scale(type="sqrt", nice=False, zero=True)
    y = alt.Y("weight:Q", title="share of the total weight", scale=root, axis=alt.Axis(tickCount=6, format="~p"))
    tips = [alt.Tooltip("measure:N", title="discount"), alt.Tooltip("rank:Q"), alt.Tooltip("weight:Q", format=".3%")]
    layers = []
    for label, weights in reversed(curves.items()):
        shares = enumerate(_to_one(weights).tolist(), 1)
        curve = drawn([{"measure": label, "rank": rank, "weight": weight} for rank, weight in shares])
        # An optimum has a weight for each rank and nothing between them.
        if label == "optimum":
            marks = curve.mark_point(filled=True, size=60 if bold == label else 36, opacity=1)
            layers.append(marks.encode(x=x, y=y, tooltip=tips, color=strokes(labels)["color"]))
        else:
            marks = curve.mark_line(strokeWidth=3.5 if bold == label else 1.5)
            layers.append(marks.encode(x=x, y=y, tooltip=tips, **strokes(labels)))
    kind = "non-increasing" if found.constrained else "unconstrained"
    subtitle = f"{_size(found)}; {kind}; square-root scale; dots: optimum; recommended (bold): {bold}"
    heading = title or f"The {BEST[found.objective]} discount of {shortened(found.start.measure, 60)}"
    if "gain" not in found.over or len(found.gain) < 2:
        return finished(alt.layer(*layers), heading, subtitle)
    chart = alt.layer(*layers).properties(width=WIDTH, height=HEIGHT, title=alt.Title(heading, subtitle=subtitle))
    return styled(
        alt.hconcat(chart, _gain_panel(alt, found)).resolve_scale(color="independent", strokeDash="independent")
    )


def _gain_panel(alt: Any, found: Optimum) -> Any:
    """The gain of each grade relative to the lowest, beside the usual ones."""
    grades = tuple(grade for grade, _ in found.gain)
    named = {name: named_gain(name, grades) for name in ("linear", "exp")}
    labels = ["optimum", *named]
    x = alt.X("grade:O", title="grade", axis=alt.Axis(labelAngle=0))
    y = alt.Y("gain:Q", title="gain", scale=alt.Scale(zero=True))
    tips = [alt.Tooltip("measure:N", title="gain"), alt.Tooltip("grade:O"), alt.Tooltip("gain:Q", format=".3f")]

    def curve(label: str, values: Any) -> Any:
        worth = [(f"{grade:g}", float(value) / float(values[0])) for grade, value in zip(grades, values, strict=True)]
        return drawn([{"measure": label, "grade": grade, "gain": value} for grade, value in worth])

    lines = [
        curve(name, values).mark_line(strokeWidth=1.5).encode(x=x, y=y, tooltip=tips, **strokes(labels))
        for name, values in named.items()
    ]
    dots = curve("optimum", [value for _, value in found.gain]).mark_point(filled=True, size=60, opacity=1)
    layers = [*lines, dots.encode(x=x, y=y, tooltip=tips, color=strokes(labels)["color"])]
    return alt.layer(*layers).properties(
        width=220, height=HEIGHT, title=alt.Title("and gain", subtitle="relative to the lowest grade")
    )


def _recommended(found: Optimum, curves: dict[str, Any]) -> str:
    """The label of the curve that is recommended; it joins the curves if it is none of them."""
    name = next((one.name for one in found.candidates if one.measure == found.recommendation), "optimum")
    if name == "start":
        return next(label for label in curves if label.strip(")").endswith("start"))
    if name in curves:
        return name
    measure = parse(found.recommendation)
    ranks = np.arange(1, len(found.discount) + 1, dtype=np.float64)
    weights = np.asarray(measure.settings["discount"](ranks, measure.cutoff), np.float64)
    own = _to_one(weights)
    same = (label for label, one in curves.items() if np.allclose(_to_one(one), own, rtol=1e-6))
    label = next(same, shortened(name, 40))
    curves.setdefault(label, weights)
    return label


def queries_chart(found: Optimum, *, title: str = "") -> Any:
    """Φ or Eρ² by queries for the start, the optimum and the recommendation; horizontal lines are targets."""
    alt = altair_for(found, Optimum, "rankgauge.optimize")
    if not found.aim.is_coefficient:
        raise UsageError("power has no curve by the number of queries; optimize for phi or erho")
    shown, names = _apart(_compared(found))
    reach = _reach(found, shown)
    labels = [_label(one, name) for one, name in zip(shown, names, strict=True)]
    x, name = across_queries(alt, reach), f"{found.aim.words.split()[0]} {found.aim.sign}"
    y = alt.Y("value:Q", title=name, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(tickCount=5))
    tips = [alt.Tooltip("measure:N"), alt.Tooltip("queries:Q"), alt.Tooltip("value:Q", format=".3f")]
    lines = []
    for label, one in zip(labels, shown, strict=True):
        points = [(count, with_queries(one.value, count)) for count in query_counts(reach, 120)]
        curve = drawn([{"measure": label, "queries": count, "value": value} for count, value in points])
        marks = curve.mark_line(strokeWidth=2, interpolate="monotone")
        lines.append(marks.encode(x=x, y=y, tooltip=tips, **strokes(labels)))
    targets = levels([{"target": target, "text": f"{target:g}"} for target, _ in found.start.queries_needed], "target")
    heading = title or f"Queries needed by {shortened(found.start.measure, 60)} and by its optimum"
    subtitle = f"{_size(found)}; estimated on these queries, not on unseen ones"
    return finished(alt.layer(*targets, *lines), heading, subtitle)


def relevant_chart(found: Optimum, *, title: str = "") -> Any:
    """How often there is a relevant document at each rank, by grade."""
    alt = altair_for(found, Optimum, "rankgauge.optimize")
    grades = [f"grade {grade:g}" for grade, _ in found.gain]
    # In the order of the stack, the best grade at the bottom.
    rows = [
        {"grade": label, "rank": rank, "share": share, "order": -at}
        for at, (label, shares) in enumerate(zip(grades, found.relevant_by_rank, strict=True))
        for rank, share in enumerate(shares, 1)
    ]
    ranks = len(found.discount)
    colors = alt.Scale(domain=grades[::-1], range=[PALETTE[at % len(PALETTE)] for at in range(len(grades))])
    share = "share of lists with a relevant document"
    chart = drawn(rows).encode(
        x=alt.X("rank:Q", title="rank", scale=alt.Scale(domain=[0.5, ranks + 0.5], nice=False)),
        y=alt.Y("sum(share):Q", title=share, stack="zero", axis=alt.Axis(format="~p")),
        color=alt.Color("grade:N", title=None, scale=colors),
        order=alt.Order("order:Q"),
        tooltip=[alt.Tooltip("grade:N"), alt.Tooltip("rank:Q"), alt.Tooltip("share:Q", format=".2%")],
    )
    bars = chart.mark_bar(binSpacing=0, width={"band": 1} if ranks <= 50 else max(1.0, WIDTH / ranks))
    return finished(bars, title or "Relevant documents by rank", _size(found))


def gain_chart(found: GainsByCutoff, *, title: str = "") -> Any:
    """The optimal gain of each grade relative to the lowest grade; dashed lines are the linear gain."""
    alt = altair_for(found, GainsByCutoff, "rankgauge.optimize with cutoffs")
    grades = found.grades[1:]
    labels = [f"grade {grade:g}" for grade in grades]
    linear = named_gain("linear", found.grades)
    rows = [
        {"measure": label, "cutoff": row.cutoff, "gain": row.gain[at], "words": f"{row.gain[at]:.2f}"}
        for row in found.rows
        for at, label in enumerate(labels, 1)
    ]
    x = alt.X("cutoff:O", title="cutoff", axis=alt.Axis(labelAngle=0))
    y = alt.Y("gain:Q", title="gain relative to the lowest grade", scale=alt.Scale(zero=True))
    tips = [alt.Tooltip("measure:N", title="grade"), alt.Tooltip("cutoff:O"), alt.Tooltip("gain:Q", format=".3f")]
    layers = []
    for at in range(1, len(found.grades)):
        worth = linear[at] / linear[0]
        color, text = PALETTE[(at - 1) % len(PALETTE)], f"linear: {worth:g}"
        layers += levels([{"gain": worth, "text": text}], "gain", color, opacity=0.8)
    base = drawn(rows).encode(x=x, y=y)
    layers.append(base.mark_line(strokeWidth=2.5).encode(tooltip=tips, **strokes(labels)))
    layers.append(base.mark_point(filled=True, size=50, opacity=1).encode(color=strokes(labels)["color"]))
    layers.append(base.mark_text(dy=-10, fontSize=11, color=INK).encode(text="words:N"))
    subtitle = f"with the discount of {shortened(found.measure, 60)}; dashed: linear gain"
    return finished(alt.layer(*layers), title or "The most dependable gains by cutoff", subtitle)


def _curves(found: Optimum) -> dict[str, Any]:
    """Label → weights; a start that equals a named discount is drawn once."""
    start = np.array(found.start_discount)
    named = {name: named_discount(name, len(start)) for name in NAMED}
    own = next((name for name, one in named.items() if np.allclose(_to_one(one), _to_one(start), rtol=1e-9)), None)
    label = f"{own} (start)" if own else "start"
    others = {name: one for name, one in named.items() if name != own}
    return {"optimum": np.array(found.discount), label: start, **others}


def _to_one(weights: Any) -> Any:
    return weights / weights.sum()


def _rank_scale(alt: Any, ranks: int) -> Any:
    """Logarithmic if the first ranks would otherwise be too close to the edge."""
    if ranks > 30:
        return alt.Scale(type="log", domain=[1, ranks], nice=False)
    return alt.Scale(domain=[1, max(2, ranks)], nice=False)


def _size(found: Optimum) -> str:
    return f"{found.systems} systems on {found.query_count} queries"


def _apart(shown: list[Outcome]) -> tuple[list[Outcome], list[str]]:
    """Outcomes whose curves can be told apart, and their names; one that lies on another shares its curve."""
    kept: list[Outcome] = []
    names: list[str] = []
    for one in shown:
        at = next((at for at, other in enumerate(kept) if abs(other.value - one.value) < SAME_CURVE), None)
        if at is None:
            kept.append(one)
            names.append(one.name)
        else:
            names[at] += f" and {one.name}"
    return kept, names


def _label(one: Outcome, name: str) -> str:
    if not one.queries_needed:
        return name
    return needs(name, *one.queries_needed[-1], "g")


def _compared(found: Optimum) -> list[Outcome]:
    shown = [found.start, found.optimum]
    if found.recommendation not in {one.measure for one in shown}:
        shown.append(next(one for one in found.candidates if one.measure == found.recommendation))
    return [one for one in shown if math.isfinite(one.value)]


def _reach(found: Optimum, shown: list[Outcome]) -> int:
    needed = [queries for one in shown for _, queries in one.queries_needed if math.isfinite(queries)]
    return int(min(MOST_QUERIES, max(10, found.query_count, 1.2 * max(needed, default=0))))
