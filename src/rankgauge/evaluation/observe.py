"""Looks at matched data and notes what a reader of the numbers should know."""

from __future__ import annotations

import numpy as np

from rankgauge.data.findings import Finding
from rankgauge.data.policy import Policy
from rankgauge.evaluation.notes import SHOWN, Note, plural, some
from rankgauge.evaluation.plan import Plan
from rankgauge.kernels.counting import judged as judged_share
from rankgauge.kernels.hits import Ints, Pool
from rankgauge.measures.measure import Measure


def about_table(remark: Finding, system: str | None = None) -> Note:
    """What the reader of a file remarked."""
    return Note(remark.kind, f"{remark.origin}: {remark.message}", remark.count, system, examples=remark.places)


def about_run(plan: Plan, system: str, measures: tuple[Measure, ...], missing: Ints) -> list[Note]:
    """Missing queries, queries nobody judged, unjudged documents in the top k."""
    names = plan.match.queries
    notes = []
    if len(missing):
        absent = [names[query] for query in missing]
        counted = "left out" if plan.policy.missing == "drop" else "counted as 0"
        text = f"{system}: {plural(len(absent), 'judged query')} missing from the run, {counted} ({some(absent)})"
        notes.append(Note("missing-queries", text, len(absent), system, examples=tuple(absent[:SHOWN])))
    foreign = plan.match.foreign
    if foreign:
        text = f"{system}: {plural(len(foreign), 'query')} of the run without judgments, ignored ({some(foreign)})"
        notes.append(Note("unjudged-queries", text, len(foreign), system, examples=tuple(foreign[:SHOWN])))
    return notes + _unjudged_documents(plan, system, measures)


def _unjudged_documents(plan: Plan, system: str, measures: tuple[Measure, ...]) -> list[Note]:
    """Once per cutoff, the share of documents above it that nobody judged."""
    if plan.policy.unjudged == "drop":
        return []
    notes = []
    hits = plan.under(plan.policy.ties or "document")
    answered = hits.retrieved > 0
    for cutoff in dict.fromkeys(measure.cutoff for measure in measures if isinstance(measure.cutoff, int)):
        share = judged_share(hits, plan.match.pool, cutoff=cutoff)
        returned = np.minimum(hits.retrieved, cutoff)
        unjudged = returned[answered] * (1 - share[answered])
        count = round(float(unjudged.sum()))
        if count:
            part = count / returned.sum()
            text = f"{system}: {part:.1%} of the documents in the top {cutoff} are unjudged (Judged@{cutoff} = {np.mean(share[answered]):.4f})"
            notes.append(Note("unjudged-documents", text, count, system, f"Judged@{cutoff}"))
    return notes


def about_all(pool: Pool, names: list[str], measures: tuple[Measure, ...], policy: Policy) -> list[Note]:
    """Negative grades and queries on which a measure is undefined: facts of the judgments, so said once."""
    notes = []
    negative = int(np.sum(pool.value < 0))
    if negative:
        text = f"{plural(negative, 'judged value')} below 0, counted as 0 by graded measures and as not relevant"
        notes.append(Note("negative-values", text, negative))
    best = np.zeros(pool.queries)
    filled = pool.judged > 0
    best[filled] = pool.value[pool.start[:-1][filled]]
    barren = [names[query] for query in np.flatnonzero(best <= 0)]
    if barren:
        rule = {policy.undefined or measure.definition.undefined for measure in measures}
        counted = "counted as 0" if rule == {"zero"} else "left out where a measure is undefined"
        text = f"{plural(len(barren), 'query')} without a relevant document, {counted} ({some(barren)})"
        notes.append(Note("no-relevant-documents", text, len(barren), examples=tuple(barren[:SHOWN])))
    return notes
