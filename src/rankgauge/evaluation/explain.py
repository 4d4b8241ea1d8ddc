"""A number that explains itself: one query rank by rank, adding up to what evaluate() says, or two such side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice, zip_longest
from typing import Any, ClassVar

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.data.door import exists
from rankgauge.data.judgments import Judgments, Run, table_of
from rankgauge.data.match import match_runs, prepared, ranks_of_all, taking_part
from rankgauge.data.policy import Policy
from rankgauge.data.table import Table as Rows
from rankgauge.errors import MeasureError, UsageError, did_you_mean
from rankgauge.evaluation.columns import Ruled, decided
from rankgauge.evaluation.evaluate import are_aligned, list_runs, settle_one
from rankgauge.evaluation.partings import Partings, decided_or_refused, partings
from rankgauge.evaluation.presets import PRESETS, preset
from rankgauge.evaluation.setting import Setting, words_of
from rankgauge.kernels.cumulated import best_dcg, best_weights, gains_of, ndcg, weights_to
from rankgauge.kernels.hits import Hits, Pool
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure
from rankgauge.measures.other_names import Description, description_of
from rankgauge.tables import Shown
from rankgauge.tables.notes import visible
from rankgauge.tables.table import Cell, Column, Table, number

SHOWN = 30
_IDEALS = {
    "judged": "the best order of everything judged",
    "returned": "the best order of the returned documents",
    "top": "the best order of the documents down to the cutoff",
    "answered": "the best order of everything judged, as far as the list goes",
    "uncut": "the best order of everything judged, not cut",
    "ones": "a list where every document gains 1",
}


@dataclass(frozen=True)
class RankedDocument:
    """A retrieved document; `value` is what it counts, None where nobody judged it; `first` and `last` span its tie."""

    rank: int
    document: str
    score: float
    value: float | None
    first: int
    last: int


@dataclass(frozen=True)
class Line:
    """One rank: the document there and, for sums of gain times weight, its parts and the ideal beside it.

    `running` is the value of the measure on the list cut after this rank.
    """

    found: RankedDocument
    relevance: float | None
    gain: float | None
    weight: float | None
    ideal_gain: float | None
    running: float

    def to_dict(self) -> dict[str, Any]:
        found, own = dict(vars(self.found)), dict(vars(self))
        del own["found"]
        tied = [found.pop("first"), found.pop("last")]
        return {**found, "tied": tied, **own}


@dataclass(frozen=True)
class Explanation(Shown):
    """Why a measure has its value on one query."""

    _json_names: ClassVar = {"lines": "ranks"}

    measure: Measure
    system: str
    query: str
    value: float
    ties: str
    ideal: float | None
    """The DCG of the best order, where the measure divides by it."""
    lines: tuple[Line, ...]

    def __repr__(self) -> str:
        return visible(f"Explanation({self.measure} of {self.system} on query {self.query}: {self.value:.4f})")

    def table(self) -> Table:
        is_sum = any(line.gain is not None for line in self.lines)
        columns = [number("rank"), Column("document"), number("score"), number("judged", 2)]
        columns += [number(name, 3) for name in ("relevance", "gain", "weight", "term", "ideal") if is_sum]
        rows: list[tuple[Cell, ...]] = []
        for line in self.lines[: _shown(self)]:
            row: list[Cell] = [line.found.rank, line.found.document, line.found.score, line.found.value]
            if line.gain is not None and line.weight is not None:
                row += [line.relevance, line.gain, line.weight, line.gain * line.weight, line.ideal_gain]
            rows.append((*row, line.running))
        said = f"= {self.value!r}" if self.value == self.value else "is undefined and left out"
        notes = [f"{self.measure} {said} (ties={self.ties})"]
        if is_sum:
            best = _IDEALS[str(self.measure.settings.get("ideal", "judged"))]
            notes.append(f"term = gain · weight; ideal = the gain at this rank in {best}")
        if self.ideal is not None:
            notes.append(f"the sum of terms is divided by the ideal sum, {self.ideal!r}")
        spans = sorted({(line.found.first, line.found.last) for line in self.lines})
        tied = [f"{first}–{last}" for first, last in spans if first != last]
        if tied:
            notes.append(f"equal scores at ranks {', '.join(tied[:8])}" + (" …" if len(tied) > 8 else ""))
        if len(self.lines) > len(rows):
            notes.append(f"{len(self.lines) - len(rows):,} further ranks are not shown")
        caption = f"{self.measure} of {self.system} on query {self.query}"
        return Table((*columns, number("so far")), tuple(rows), caption, tuple(notes))


@dataclass(frozen=True)
class Contrast(Shown):
    """The same query under another measure, another policy or another run."""

    _json_names: ClassVar = {"parting": "parting_rank"}
    _json_also: ClassVar = ("difference", "parting")

    first: Explanation
    second: Explanation

    @property
    def difference(self) -> float:
        return self.second.value - self.first.value

    @property
    def parting(self) -> int | None:
        """The first rank at which the documents or their weights or values so far differ; None if they never do."""
        for rank, pair in enumerate(zip_longest(self.first.lines, self.second.lines), 1):
            one, two = (line and (line.found.document, line.running, line.weight, line.gain) for line in pair)
            if one != two:
                return rank
        return None

    def table(self) -> Table:
        sides = (self.first, self.second)
        names = [f"{side.system} {side.measure}" for side in sides]
        seen = (number("judged", 2), number("so far"))
        difference = number("difference", signed=True)
        columns = (number("rank"), Column("document"), *seen, Column("versus"), *seen, difference)
        rows: list[tuple[Cell, ...]] = []
        lines = zip_longest(*(side.lines for side in sides))
        for rank, (one, two) in enumerate(islice(lines, max(map(_shown, sides))), 1):
            cells: list[Cell] = [rank]
            for line in (one, two):
                cells += [None] * 3 if line is None else [line.found.document, line.found.value, line.running]
            rows.append((*cells, None if one is None or two is None else two.running - one.running))
        parting = "they never differ" if self.parting is None else f"they differ from rank {self.parting}"
        notes = (
            *(f"{name} (ties={side.ties}): {side.value!r}" for name, side in zip(names, sides, strict=True)),
            f"{parting}; difference {self.difference:+.6g}",
        )
        return Table(columns, tuple(rows), f"query {self.first.query}: {names[0]} versus {names[1]}", notes)


def _shown(side: Explanation) -> int:
    cutoff = side.measure.cutoff
    return min(SHOWN, cutoff) if isinstance(cutoff, int) else SHOWN


def explain(
    measure: str | Measure,
    judgments: Any = None,
    run: Any = None,
    query: str | int | None = None,
    *,
    versus: Any = None,
    policy: Policy | None = None,
    like: str | None = None,
) -> Explanation | Contrast | Partings | Description:
    """Explain the value of a measure on one query, rank by rank, or how it differs from another over all queries."""
    if judgments is None and run is None and query is None and versus is None:
        return _described(measure, policy, like)
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    first = {"measure": measure, "run": run, "policy": policy, "like": like}
    if versus is None:
        if query is None:
            raise UsageError("name a query to explain, or what to contrast all queries with (versus)")
        return _explained(judged, str(query), **first)
    second = first | _changed(versus, policy)
    if query is None:
        return partings(judged, first, second)
    return Contrast(*(_explained(judged, str(query), **side) for side in (first, second)))


def _described(measure: str | Measure, policy: Policy | None, like: str | None) -> Description:
    """The measure as it would be computed, and each decision that departs from ours."""
    ours, theirs = Setting(*settle_one(measure, None, None)), Setting(*settle_one(measure, policy, like))
    tool = "" if like is None else f"{like}: {preset(like).told}"
    decisions = tuple((str(change), words_of(change)) for change in theirs.changes_from(ours))
    return replace(description_of(theirs.measure), decisions=decisions, tool=tool)


def _changed(versus: Any, policy: Policy | None) -> dict[str, Any]:
    """What `versus` changes: the preset, the policy, the run or the measure."""
    if isinstance(versus, str) and "=" in versus and versus.partition("=")[0] in vars(Policy()):
        versus = Policy.read(versus)
    if isinstance(versus, Policy):
        return {"policy": versus.over(policy or Policy())}
    if isinstance(versus, str) and versus in PRESETS:
        return {"like": versus}
    if not isinstance(versus, (str, Measure)) or (isinstance(versus, str) and exists(versus)):
        return {"run": versus}
    try:
        return {"measure": parse(versus) if isinstance(versus, str) else versus}
    except MeasureError as problem:
        kinds = f"a preset ({', '.join(PRESETS)}), a policy such as ties=mean, a run file or a measure"
        raise UsageError(f"versus {versus} is none of {kinds}.\n{problem}") from None


def _explained(
    judged: Judgments, query: str, measure: str | Measure, run: Any, policy: Policy | None, like: str | None
) -> Explanation:
    runs = list_runs(run, judged)
    if len(runs) > 1:
        names = ", ".join(run.name for run in runs[:3]) + (", …" if len(runs) > 3 else "")
        raise UsageError(f"one run is explained at a time, and there are {len(runs):,}: {names}\nName one of them.")
    chosen, rule = settle_one(measure, policy, like, aligned=are_aligned(runs))
    ruled, rows, code = _of_query(judged, runs[0], query, rule)
    ties = ruled.ties_of(chosen)
    listed = _listed(ruled, rows, code, ties)
    hits, pool = _alone(ruled.seen_by(chosen), ruled.pool(ties), code)
    missing = ruled.match.hits.retrieved[code : code + 1] == 0
    value = decided_or_refused(hits, pool, missing, chosen, rule, runs[0].name, [query])
    running = []
    for found in listed:  # a tie group counts as a whole while its order is open
        so_far = chosen.compute(hits.top(found.last if ties == "mean" else found.rank), pool)[:1]
        running.append(float(decided(so_far, chosen, rule, missing, pool)[0][0]))
    lines = tuple(Line(*cells) for cells in zip(listed, *_parts(chosen, hits, pool, listed), running, strict=True))
    ideal = None
    if chosen.definition.kernel is ndcg:
        ideal = float(best_dcg(hits, pool, cutoff=chosen.cutoff, **chosen.settings)[0])  # type: ignore[arg-type]
    return Explanation(chosen, runs[0].name, query, float(value[0]), ties, ideal, lines)


def listed_under(judgments: Judgments, run: Run, query: str, ties: str, policy: Policy) -> list[RankedDocument]:
    """The documents of a query in the order that the policy gives them."""
    return _listed(*_of_query(judgments, run, query, policy), ties)


def _of_query(judgments: Judgments, run: Run, query: str, policy: Policy) -> tuple[Ruled, Rows, int]:
    """One query of a run, matched as `evaluate` matches all of them; its rows; and its code."""
    judged, rows = prepared(judgments), table_of(run.table)
    if query not in judged.queries:
        raise UsageError(f"query {query!r} is not judged; " + did_you_mean(query, judged.queries))
    code = list(judged.queries).index(query)
    if query not in rows.queries:
        return Ruled(next(iter(match_runs(judgments, [run], policy))), policy), rows.part(0, 0), code
    at = list(rows.queries).index(query)
    rows = replace(taking_part(rows.part(at, at + 1), policy), place=0)
    return Ruled(judged.match(rows, policy), policy), rows, code


def _listed(ruled: Ruled, rows: Rows, code: int, ties: str) -> list[RankedDocument]:
    """What the policy leaves of a list: hits at the ranks that it gave them, between them what nobody judged."""

    def of_query(hits: Hits) -> list[tuple[int, int, float]]:
        mine = hits.keep(hits.query == code)
        row = [] if mine.row is None else mine.row.tolist()
        return list(zip(mine.rank.tolist(), row, mine.value.tolist(), strict=True))

    rank, first, _ = ranks_of_all(rows, ruled.policy)
    hits, judged = ruled.hits(ties), {row for _, row, _ in of_query(ruled.match.hits)}
    found = {at: (row, value) for at, row, value in of_query(hits)}
    others = iter([row for row in np.argsort(rank).tolist() if row not in judged])
    listed = [found.get(at) or (next(others), None) for at in range(1, int(hits.retrieved[code]) + 1)]
    spans: dict[int, list[int]] = {}
    for at, (row, _) in enumerate(listed, 1):
        spans.setdefault(int(first[row]), []).append(at)
    ids = rows.ids.texts(np.array([row for row, _ in listed], np.int64))
    documents = []
    for at, (document, (row, value)) in enumerate(zip(ids, listed, strict=True), 1):
        span = spans[int(first[row])]
        documents.append(RankedDocument(at, document, float(rows.number[row]), value, span[0], span[-1]))
    return documents


def _alone(hits: Hits, pool: Pool, code: int) -> tuple[Hits, Pool]:
    """One query cut out of all; its values have the same bits alone.

    A second one holds the highest value of the collection, to which measures such as ERR relate all grades.
    """
    mine = hits.keep(hits.query == code)
    value = pool.value[pool.start[code] : pool.start[code + 1]]
    retrieved = np.array([hits.retrieved[code], 0])
    alone = replace(mine, query=np.zeros(len(mine.query), np.int64), retrieved=retrieved)
    highest = pool.value.max(keepdims=True, initial=-np.inf)
    return alone, Pool(np.concatenate([value, highest]), np.array([0, len(value), len(value) + 1]))


def _parts(measure: Measure, hits: Hits, pool: Pool, listed: list[RankedDocument]) -> list[list[Any]]:
    """Relevance, gain, weight and ideal gain at all ranks, for measures that are sums of gain times weight."""
    count = len(listed)
    if not {"relevance", "gain", "discount"} <= set(measure.definition.options):
        return [[None] * count] * 4
    curves, cutoff = measure.settings, measure.cutoff if isinstance(measure.cutoff, int) else None

    def gains(value: Floats, query: Ints, among: Pool) -> Floats:
        return gains_of(value, query, among, curves["relevance"], curves["gain"])

    value = np.array([np.nan if found.value is None else found.value for found in listed])
    judged = np.flatnonzero(~np.isnan(value))
    relevance, gain, zeros = np.full(count, np.nan), np.zeros(count), np.zeros(len(judged), np.int64)
    relevance[judged] = curves["relevance"](value[judged], zeros, pool)
    gain[judged] = gains(value[judged], zeros, pool)
    weight = weights_to(count, cutoff, curves["discount"])
    if hits.is_tied:
        first, last = (np.array([getattr(found, name) for found in listed]) for name in ("first", "last"))
        spread = np.concatenate(([0.0], np.cumsum(weight)))
        weight = (spread[last] - spread[first - 1]) / (last - first + 1)

    # The gain at each rank of the order that the measure divides by.
    kind = str(curves.get("ideal", "judged"))
    returned = int(hits.retrieved[0]) if cutoff is None else min(int(hits.retrieved[0]), cutoff)
    if kind in {"returned", "top"}:
        pool = (hits if kind == "returned" or cutoff is None else hits.settled().top(cutoff)).pool()
    best = np.sort(gains(pool.value, pool.query, pool)[: pool.start[1]])[::-1]
    if kind == "ones":
        best = np.full(returned if cutoff is None else cutoff, float(np.any(best > 0)))
    elif kind == "answered":
        best = best[:returned]
    else:
        best = best[: len(best_weights(len(best), None if kind == "uncut" else cutoff, curves["discount"]))]
    ideal = np.pad(best[:count], (0, max(0, count - len(best))))
    known = [None if np.isnan(one) else of for one, of in zip(value, relevance.tolist(), strict=True)]
    return [known, gain.tolist(), weight.tolist(), ideal.tolist()]
