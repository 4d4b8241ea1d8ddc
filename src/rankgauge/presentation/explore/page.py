"""One self-contained HTML file: data, engine and page, under a content policy, and what it shows without scripts."""

from __future__ import annotations

import base64
import hashlib
import html
import math
from collections.abc import Mapping

from rankgauge.analysis.compare.compare import compare
from rankgauge.errors import many, plural
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation.drawing.canvas import Axis
from rankgauge.presentation.explore.robust import Robust
from rankgauge.presentation.explore.weights import DEPTH
from rankgauge.presentation.report.page import asset, rendered
from rankgauge.tables.notes import document_of, shortened
from rankgauge.tables.table import Estimate

ENGINE = ("exact.js", "engine.js", "trust.js", "breaking.js")
"""What computes; tests run it in Node, and large collections in a worker."""
PAGE = ("dom.js", "state.js", "controls.js", "board.js", "pair.js", "page.js")
"""What draws."""
START = 'if (typeof DecompressionStream !== "undefined") document.documentElement.classList.add("starting");'
"""Before anything is shown: a browser that can do more does not lay out the static page first."""


def page_bytes(title: str, opening: Mapping[str, str], data: str) -> bytes:
    """The file; the same input gives the same bytes."""
    engine, script = ("".join(asset("explore", name) for name in names) for names in (ENGINE, PAGE))
    css = asset("explore", "page.css")
    policy = content_policy([START, engine, script], css)
    parts = {"css": css, "start": START, "data": data, "engine": engine, "script": script}
    return rendered("explore", title=title, policy=policy, depth=DEPTH, **opening, **parts)


def content_policy(scripts: list[str], css: str) -> str:
    """Nothing may be loaded or sent; only these scripts and this style run, and a worker made of them."""
    allowed = " ".join(map(_hashed, scripts))
    rules = ("default-src 'none'", f"script-src {allowed}", f"style-src {_hashed(css)}", "worker-src blob:")
    return "; ".join((*rules, "base-uri 'none'", "form-action 'none'"))


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


_COLOR = "#176a90"
_WIDTH = 320


def opening_of(scores: Scores, confidence: float, robust: Robust) -> dict[str, str]:
    """What the page shows before its scripts run, or without them: texts, and the leaderboard as HTML."""
    name = str(scores.measures[0])
    means = {system: row[name] for system, row in scores.mean().items()}
    order = sorted(means, key=lambda system: math.inf if math.isnan(means[system]) else -means[system])
    found = scores.intervals(confidence=confidence)
    intervals = {system: found[system][name] for system in order}
    shown = shortened(name, 80)
    texts = {"sentence": _sentence(scores, order[0], confidence), "robust": robust.sentence(shown)}
    return {"measure": shown, **nouns_of(scores), **texts, "board": _board(order, intervals, confidence)}


def nouns_of(scores: Scores) -> dict[str, str]:
    """What the page calls queries and documents."""
    return {"query": scores.about.noun, "queries": many(scores.about.noun), "document": document_of(scores.about.noun)}


def _sentence(scores: Scores, leader: str, confidence: float) -> str:
    others = len(could_be_first(scores, confidence)) - 1
    queries = plural(len(scores.queries), scores.about.noun)
    rest = "and no other system could be first"
    if others > 0:
        rest = f"but {others:,} other{'s' if others > 1 else ''} could also be first"
    return f"{leader} leads under {shortened(str(scores.measures[0]), 80)}, {rest} on {queries}."


def could_be_first(scores: Scores, confidence: float) -> set[str]:
    """The systems that no other one is found to beat; `verdicts` in trust.js has the same rule."""
    if len(scores.systems) < 2:
        return set(scores.systems)
    pairs = compare(scores, all_pairs=True, test="t", correction="holm", confidence=confidence).parts[0].pairs
    beaten = {pair.system for pair in pairs if pair.verdict == "worse"}
    return set(scores.systems) - beaten - {pair.baseline for pair in pairs if pair.verdict == "better"}


def _board(order: list[str], intervals: dict[str, Estimate], confidence: float) -> str:
    """Best first; the chart is SVG with attributes for colors, so that it needs no stylesheet."""
    ends = [end for one in intervals.values() for end in (one.low, one.value, one.high) if math.isfinite(end)]
    at = Axis(min(ends, default=0.0), max(ends, default=1.0), 6, _WIDTH - 6).at

    def bar(one: Estimate) -> str:
        if math.isnan(one.value):
            return ""
        words = f"{one.value:.4f}" + (f" [{one.low:.4f}, {one.high:.4f}]" if math.isfinite(one.low) else "")
        ends = (one.low, one.high) if math.isfinite(one.low) else (one.value, one.value)
        return (
            f'<svg width="{_WIDTH}" height="14" role="img" aria-label="{words}">'
            f'<line x1="{at(ends[0]):.1f}" x2="{at(ends[1]):.1f}" y1="7" y2="7" stroke="{_COLOR}" stroke-width="2"/>'
            f'<circle cx="{at(one.value):.1f}" cy="7" r="3.5" fill="{_COLOR}"/></svg>'
        )

    rows = "".join(
        f"<tr><td>{place}</td><td><bdi>{html.escape(shortened(system, 120))}</bdi></td>"
        f'<td align="right">{intervals[system].value:.4f}</td><td>{bar(intervals[system])}</td></tr>'
        for place, system in enumerate(order, 1)
    )
    heads = f"<th>rank</th><th>system</th><th>mean</th><th>{100 * confidence:g}% interval</th>"
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div class="scroll" role="region" aria-label="Leaderboard" tabindex="0">{table}</div>'
