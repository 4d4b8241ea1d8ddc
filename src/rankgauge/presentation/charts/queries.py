"""Queries: the differences of two systems on each of them, and the value of one accumulated rank by rank."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.data.about import Queries, read_queries
from rankgauge.errors import UsageError
from rankgauge.evaluation.explain import Contrast, Explanation
from rankgauge.presentation.charts.style import INK, LINE, MARK, RULE, altair_for, drawn, load_altair, styled
from rankgauge.presentation.drawing.bars import binned
from rankgauge.presentation.drawing.canvas import DOWN, UP
from rankgauge.tables.notes import shortened

LONGEST = 200
MANY_QUERIES = 2000
WIDTH, HEIGHT = 900, 220


def by_change(queries: Sequence[str], differences: Floats) -> Ints:
    """Places of queries, largest gain first, equal ones by id; queries without a difference are left out."""
    kept = np.flatnonzero(~np.isnan(differences)).tolist()
    named = np.array(sorted(kept, key=queries.__getitem__), dtype=np.int64)
    return named[np.argsort(-differences[named], kind="stable")]


def query_texts(queries: Any) -> Mapping[str, str]:
    """Query → text, from Queries, a file, a table, or a mapping; empty where the text is the id itself."""
    if queries is None:
        return {}
    if isinstance(queries, Mapping) and all(isinstance(text, str) for text in queries.values()):
        return {str(query): text for query, text in queries.items()}
    known = _known(queries)
    texts = {query: known.text(query) or "" for query in known.ids}
    return {query: "" if text == query else text for query, text in texts.items()}


def query_column(queries: Any, name: str) -> Mapping[str, str | None]:
    """Query → its cell in a column, from Queries, a file or a table."""
    if queries is None or (isinstance(queries, Mapping) and all(isinstance(text, str) for text in queries.values())):
        raise UsageError(f"by={name!r} needs the queries that have this column\nGive them as queries=….")
    return _known(queries).column(name)


def _known(queries: Any) -> Queries:
    if isinstance(queries, (str, os.PathLike)):
        queries = read_queries(os.fspath(queries))
    return queries if isinstance(queries, Queries) else Queries(queries)


def changes_chart(changes: Sequence[tuple[str, float]], measure: str, texts: Mapping[str, str], *, title: str) -> Any:
    """One bar per query, or a histogram above MANY_QUERIES, where bars would be thinner than a pixel."""
    chart = _histogram(changes, measure) if len(changes) > MANY_QUERIES else _bars(changes, measure, texts)
    return styled(chart.properties(width=WIDTH, height=HEIGHT, title=title))


def _bars(changes: Sequence[tuple[str, float]], measure: str, texts: Mapping[str, str]) -> Any:
    """Best query first; the parameter `wanted` holds a word to highlight."""
    alt = load_altair()
    rows = [_bar(place, query, value, texts) for place, (query, value) in enumerate(changes, 1)]
    wanted = alt.param(name="wanted", value="")
    seen = "wanted === '' || indexof(lower(datum.query + ' ' + datum.text), wanted) >= 0"
    # A bar of height 0 is invisible, but a tie keeps its place on the axis.
    bare = alt.Axis(labels=False, ticks=False, grid=False, domain=False)
    spaced = alt.Scale(paddingInner=0.1)
    bars = (
        drawn(rows)
        .mark_bar()
        .encode(
            x=alt.X("place:O", title="queries, sorted by difference", axis=bare, scale=spaced),
            y=alt.Y("difference:Q", title=f"Δ {measure}", axis=alt.Axis(format="+~g", tickCount=6)),
            color=alt.Color("kind:N", scale=alt.Scale(domain=["better", "worse"], range=[UP, DOWN]), legend=None),
            opacity=alt.condition(seen, alt.value(1.0), alt.value(0.15)),
            description=alt.Description("words:N"),
            tooltip=[alt.Tooltip("query:N"), alt.Tooltip("text:N"), alt.Tooltip("difference:Q", format="+.4f")],
        )
    )
    zero = drawn([{"zero": 0}]).mark_rule(color=INK).encode(y="zero:Q")
    return alt.layer(bars.add_params(wanted), zero)


def _bar(place: int, query: str, value: float, texts: Mapping[str, str]) -> dict[str, Any]:
    shown, text = shortened(query, 80), shortened(texts.get(query, ""), LONGEST)
    words = ": ".join(part for part in (shown, text) if part) + f" {value:+.4f}"
    kind = "better" if value >= 0 else "worse"
    return {"place": place, "difference": value, "query": shown, "text": text, "kind": kind, "words": words}


def _histogram(changes: Sequence[tuple[str, float]], measure: str) -> Any:
    """How many queries changed by how much."""
    alt = load_altair()
    kinds = {"up": "better", "down": "worse", "even": "tie"}
    bins = binned([value for _, value in changes])
    step = bins[0].high - bins[0].low
    # Ties have no width: a narrow bar over 0.
    rows = []
    for one in sorted(bins, key=lambda one: one.kind == "even"):
        wider = step / 4 if one.kind == "even" else 0
        span = {"low": one.low - wider, "high": one.high + wider}
        rows.append({**span, "queries": one.queries, "kind": kinds[one.kind]})
    colors = alt.Scale(domain=["better", "worse", "tie"], range=[UP, DOWN, RULE])
    return (
        drawn(rows)
        .mark_bar()
        .encode(
            x=alt.X("low:Q", bin="binned", title=f"Δ {measure}"),
            x2="high:Q",
            y=alt.Y("queries:Q", title="queries"),
            color=alt.Color("kind:N", scale=colors, legend=None),
            tooltip=[alt.Tooltip("low:Q", format="+.3f"), alt.Tooltip("high:Q", format="+.3f"), "queries:Q"],
        )
    )


def explanation_chart(result: Explanation | Contrast) -> Any:
    """The value up to each rank."""
    alt = altair_for(result, (Explanation, Contrast), "rankgauge.explain with judgments and a run")
    sides = [result.first, result.second] if isinstance(result, Contrast) else [result]
    names = [f"{side.measure} of {side.system}, ties={side.ties}" for side in sides]
    names = [f"{name} ({at})" if names.count(name) > 1 else name for at, name in enumerate(names, 1)]
    deepest = max((int(side.measure.cutoff) for side in sides if isinstance(side.measure.cutoff, int)), default=30)
    rows = []
    for side, name in zip(sides, names, strict=True):
        for line in side.lines[: min(deepest, 100)]:
            judged = {"document": line.document, "judged": line.value}
            rows.append({"rank": line.rank, "value": line.running, **judged, "side": name})
    colors = alt.Scale(domain=names, range=[LINE, MARK])
    legend = alt.Legend(title=None, orient="bottom", columns=1, labelLimit=500)
    chart = (
        drawn(rows)
        .mark_line(interpolate="step-after", point=True, strokeWidth=2)
        .encode(
            x=alt.X("rank:Q", title="rank", axis=alt.Axis(tickMinStep=1, format="d")),
            y=alt.Y("value:Q", title="value up to this rank"),
            color=alt.Color("side:N", sort=names, scale=colors, legend=legend),
            tooltip=["rank:Q", "document:N", "judged:Q", alt.Tooltip("value:Q", format=".4f")],
        )
    )
    what = "Values up to each rank" if len(sides) > 1 else f"{sides[0].measure} of {shortened(sides[0].system, 60)}"
    return styled(chart.properties(width=520, height=260, title=f"{what}, query {shortened(sides[0].query, 60)}"))
