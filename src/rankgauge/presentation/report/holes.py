"""Trust in the judgments of the page's pair: what unjudged documents could change, and what people and a judge say apart."""

from __future__ import annotations

import html
import math
from typing import Any

from rankgauge.analysis.compare.compare import compare
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.statistics.judged import RANDOM, PairJudge
from rankgauge.analysis.compare.tables import percent
from rankgauge.analysis.compare.verdicts import Pair
from rankgauge.analysis.compare.wording import Focus, brief
from rankgauge.analysis.judging.holes import holes
from rankgauge.analysis.judging.holes_result import Holes, PairHoles
from rankgauge.analysis.score_table import scores_from
from rankgauge.errors import MeasureError, PolicyError, UsageError, plural
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation.report.collect import Collected
from rankgauge.presentation.report.material import Material, PageSettings
from rankgauge.presentation.report.page import Section, table_html, text_html
from rankgauge.tables.table import Column, Table, number

TO_JUDGE = 10


def judged_comparison(data: Collected, settings: PageSettings, judge: Any) -> Comparison:
    """The comparison of few human queries beside the judge's; `judge` is judgments of the same runs, or scores."""
    scores = data.scores
    if isinstance(judge, Scores) or data.runs is None:
        other = scores_from(judge, None, scores.measures)
    else:
        other = scores_from(judge, data.runs, scores.measures, policy=scores.policy)
    return compare(scores, judge=other, baseline=settings.baseline, confidence=settings.confidence, seed=settings.seed)


def trust_sections(material: Material, focus: Focus) -> list[Section]:
    """Holes where the rankings are known, and three differences where a judge had a say."""
    judged = _judge_section(focus.pair, focus.found.measure, material.settings.confidence)
    return [*judged, *_holes_section(material, focus.second, focus.first)]


def _judge_section(pair: Pair, measure: str, confidence: float) -> list[Section]:
    judge = pair.judge
    if judge is None:
        return []
    alone = judge.human_only
    human, every = plural(judge.human_queries, "query"), plural(judge.queries, "query")
    columns = (Column("source"), *(number(name, signed=True) for name in ("difference", "low", "high")))
    rows = (
        (f"people alone ({human})", alone.difference, alone.low, alone.high),
        (f"judge alone ({every})", judge.judge_only, None, None),
        ("both together", pair.difference, *pair.alone),
    )
    hint = (
        f"{measure}, {brief(pair.system)} − {brief(pair.baseline)}. The judge's differences on all queries correct those of "
        f"the human queries; a constant error of the judge cancels. It {RANDOM}. "
        f"{percent(confidence)} intervals of this pair alone."
    )
    table = table_html(Table(columns, rows, marked=frozenset({2})))
    worth = f"<p>{_worth(judge)}</p>"
    return [Section("judge", "What people and the judge say", "", hint, (table, worth), label="Judge", opened=True)]


def _worth(judge: PairJudge) -> str:
    if math.isnan(judge.correlation) or math.isnan(judge.effective_queries):
        return "The judge's differences, or those of people, do not vary: nothing says how well they go together."
    helps = "" if judge.effective_queries >= judge.human_queries else ": the judge does not help here"
    return (
        f"On the human queries the differences correlate with {judge.correlation:.2f}. Together they are worth about "
        f"{judge.effective_queries:.0f} human queries{helps}."
    )


def _holes_section(material: Material, baseline: str, challenger: str) -> list[Section]:
    found = _holes(material, baseline, challenger)
    if found is None:
        return []
    pair = found.pairs[0]
    hint = (
        f"An unjudged document among the first of either ranking may have any grade from 0 to {found.max_grade:g}. "
        "Bounds that no grades can pass; no model is involved."
    )
    parts: list[str | Table] = []
    if pair.holes:
        parts += [_spans(pair, found.confidence), f"<p>{html.escape(_advice(pair))}</p>", *_next(found)]
    return [
        Section(
            "holes", "Could unjudged documents change this?", _answer(found, pair), hint, tuple(parts), label="Unjudged"
        )
    ]


def _answer(found: Holes, pair: PairHoles) -> str:
    changes = pair.holes and not (pair.verdict_settled and pair.sign_settled)
    return f"{'Yes' if changes else 'No'}. {found.summary}"


def _holes(material: Material, baseline: str, challenger: str) -> Holes | None:
    runs = [material.runs[name] for name in (baseline, challenger) if name in material.runs]
    if material.judgments is None or len(runs) < 2 or len(material.scores.queries) < 2:
        return None
    scores = material.scores
    try:
        return holes(
            material.judgments,
            runs,
            scores.measures[0],
            policy=scores.policy,
            only=scores.queries,
            confidence=material.settings.confidence,
        )
    except (MeasureError, PolicyError, UsageError):
        return None  # a measure or a policy without bounds


def _spans(pair: PairHoles, confidence: float) -> Table:
    columns = (Column("what may vary"), *(number(name, signed=True) for name in ("low", "high")))
    level = f"{100 * confidence:g}% interval"
    rows = (
        ("grades of unjudged documents", pair.low, pair.high),
        (f"queries ({level})", pair.interval_low, pair.interval_high),
        ("both together", pair.lowest_limit, pair.highest_limit),
    )
    return Table(columns, rows, marked=frozenset({2}))


def _advice(pair: PairHoles) -> str:
    return f"Unjudged documents: ±{pair.labels_half_width:.4f}, queries: ±{pair.queries_half_width:.4f}: {pair.advice}."


def _next(found: Holes) -> list[str]:
    """The first documents to judge, as a list that can be opened."""
    listed = found.next(TO_JUDGE) if found.worklist else ()
    useful = [one for one in listed if one.score > 0]
    if not useful:
        return []
    items = "".join(f"<li>{text_html(one.query)}: {text_html(one.document)}</li>" for one in useful)
    return [f"<details><summary>Judge these next (query: document)</summary><ol>{items}</ol></details>"]
