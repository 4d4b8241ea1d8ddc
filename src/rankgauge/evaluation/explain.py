"""A number that explains itself: one query rank by rank, adding up to what evaluate() says, or two such side by side;
and where two measures part over many rankings: what each rank and each kind of document adds to either.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from itertools import islice, zip_longest
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.data.door import exists
from rankgauge.data.judgments import Judgments, Run, table_of
from rankgauge.data.match import match_runs, prepared, ranks_of_all, taking_part
from rankgauge.data.policy import Policy
from rankgauge.data.table import Table as Rows
from rankgauge.errors import AnalysisError, MeasureError, UsageError, did_you_mean, plural
from rankgauge.evaluation.columns import Ruled, decided
from rankgauge.evaluation.evaluate import are_aligned, list_runs, settle_one
from rankgauge.evaluation.notes import Names, refuse
from rankgauge.evaluation.presets import PRESETS, preset
from rankgauge.evaluation.setting import Setting, words_of
from rankgauge.kernels.cumulated import best_dcg, best_weights, expected_weight, gains_of, ndcg
from rankgauge.kernels.hits import Hits, Pool
from rankgauge.kernels.ranks import spearman
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure
from rankgauge.measures.other_names import Description, description_of
from rankgauge.tables import Plain, Shown, plain
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
class Line:
    """One rank: the document there and, for sums of gain times weight, its parts and the ideal beside it."""

    rank: int
    document: str
    score: float
    value: float | None
    """What it counts; None where nobody judged it."""
    tied: tuple[int, int]
    """The first and the last rank of the documents with its score."""
    relevance: float | None = None
    gain: float | None = None
    weight: float | None = None
    ideal_gain: float | None = None
    running: float = 0.0
    """The value of the measure on the list cut after this rank."""

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


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
            parts: tuple[Cell, ...] = ()
            if line.gain is not None and line.weight is not None:
                parts = (line.relevance, line.gain, line.weight, line.gain * line.weight, line.ideal_gain)
            rows.append((line.rank, line.document, line.score, line.value, *parts, line.running))
        said = f"= {self.value!r}" if self.value == self.value else "is undefined and left out"
        notes = [f"{self.measure} {said} (ties={self.ties})"]
        if is_sum:
            best = _IDEALS[str(self.measure.settings.get("ideal", "judged"))]
            notes.append(f"term = gain · weight; ideal = the gain at this rank in {best}")
        if self.ideal is not None:
            notes.append(f"the sum of terms is divided by the ideal sum, {self.ideal!r}")
        tied = [f"{first}–{last}" for first, last in sorted({line.tied for line in self.lines}) if first != last]
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
            one, two = (line and (line.document, line.running, line.weight, line.gain) for line in pair)
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
            left, right = ((x.document, x.value, x.running) if x else (None,) * 3 for x in (one, two))
            rows.append((rank, *left, *right, two.running - one.running if one and two else None))
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
        ours, theirs = Setting(*settle_one(measure, None, None)), Setting(*settle_one(measure, policy, like))
        decisions = tuple((str(change), words_of(change)) for change in theirs.changes_from(ours))
        tool = "" if like is None else f"{like}: {preset(like).told}"
        return replace(description_of(theirs.measure), decisions=decisions, tool=tool)
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    first = {"measure": measure, "run": run, "policy": policy, "like": like}
    if versus is None:
        if query is None:
            raise UsageError("name a query to explain, or what to contrast all queries with (versus)")
        return _explained(judged, str(query), **first)
    second = first | _changed(versus, policy)
    if query is None:
        return _partings(judged, first, second)
    return Contrast(*(_explained(judged, str(query), **side) for side in (first, second)))


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
    # One query cut out of all; its values have the same bits alone. A second one holds the highest value of the
    # collection, to which measures such as ERR relate all grades.
    hits, pool = ruled.seen_by(chosen), ruled.pool(ties)
    hits = hits.keep(hits.query == code)
    hits = replace(hits, query=np.zeros_like(hits.query), retrieved=np.array([hits.retrieved[code], 0]))
    value, highest = pool.value[slice(*pool.start[code : code + 2])], pool.value.max(keepdims=True, initial=-np.inf)
    pool = Pool(np.concatenate([value, highest]), np.array([0, len(value), len(value) + 1]))
    missing = ruled.match.hits.retrieved[code : code + 1] == 0
    found = float(_decided_or_refused(hits, pool, missing, chosen, rule, runs[0].name, [query])[0])
    lines = []
    for line in _with_parts(chosen, hits, pool, _listed(ruled, rows, code, ties)):
        # A tie group counts as a whole while its order is open.
        so_far = chosen.compute(hits.top(line.tied[1] if ties == "mean" else line.rank), pool)[:1]
        lines.append(replace(line, running=float(decided(so_far, chosen, rule, missing, pool)[0][0])))
    ideal = None
    if chosen.definition.kernel is ndcg:
        ideal = float(best_dcg(hits, pool, cutoff=chosen.cutoff, **chosen.settings)[0])  # type: ignore[arg-type]
    return Explanation(chosen, runs[0].name, query, found, ties, ideal, tuple(lines))


def listed_under(judgments: Judgments, run: Run, query: str, ties: str, policy: Policy) -> list[Line]:
    """The documents of a query in the order that the policy gives them."""
    return _listed(*_of_query(judgments, run, query, policy), ties)


def _of_query(judgments: Judgments, run: Run, query: str, policy: Policy) -> tuple[Ruled, Rows, int]:
    """One query of a run, matched as `evaluate` matches all of them; its rows; and its code."""
    judged, rows = prepared(judgments), table_of(run.table)
    code = int(judged.codes([query])[0])
    if code == len(judged.queries):
        raise UsageError(f"query {query!r} is not judged; " + did_you_mean(query, judged.queries))
    if query not in rows.queries:
        return Ruled(next(iter(match_runs(judgments, [run], policy))), policy), rows.part(0, 0), code
    at = list(rows.queries).index(query)
    rows = taking_part(rows.part(at, at + 1), policy)._replace(place=0)
    return Ruled(judged.match(rows, policy), policy), rows, code


def _listed(ruled: Ruled, rows: Rows, code: int, ties: str) -> list[Line]:
    """What the policy leaves of a list: hits at the ranks that it gave them, between them what nobody judged."""
    hits = ruled.hits(ties)
    count = int(hits.retrieved[code])
    if not count:
        return []
    rank, tie, _ = ranks_of_all(rows, ruled.policy)
    row, value = np.full(count, -1), np.full(count, np.nan)
    row[hits.rank - 1], value[hits.rank - 1] = hits.row, hits.value
    unjudged = np.delete(np.argsort(rank), rank[ruled.match.hits.row] - 1)
    row[row < 0] = unjudged[: np.count_nonzero(row < 0)]
    first, last = np.searchsorted(tie[row], tie[row]) + 1, np.searchsorted(tie[row], tie[row], "right")
    ids, values = rows.ids.texts(row), [None if math.isnan(one) else one for one in value.tolist()]
    spans = zip(first.tolist(), last.tolist(), strict=True)
    return list(map(Line, range(1, count + 1), ids, rows.number[row].tolist(), values, spans))


def _with_parts(measure: Measure, hits: Hits, pool: Pool, lines: list[Line]) -> list[Line]:
    """The lines with their relevance, gain, weight and ideal gain, for measures that are sums of gain times weight."""
    count = len(lines)
    if not count or not {"relevance", "gain", "discount"} <= set(measure.definition.options):
        return lines
    curves, cutoff = measure.settings, measure.cutoff if isinstance(measure.cutoff, int) else None

    def gains(value: Floats, query: Ints, among: Pool) -> Floats:
        return gains_of(value, query, among, curves["relevance"], curves["gain"])

    value = np.array([np.nan if line.value is None else line.value for line in lines])
    judged = np.flatnonzero(~np.isnan(value))
    relevance, gain, zeros = np.full(count, np.nan), np.zeros(count), np.zeros(count, np.int64)
    relevance[judged] = curves["relevance"](value[judged], zeros[judged], pool)
    gain[judged] = gains(value[judged], zeros[judged], pool)
    rank, tied = np.arange(1, count + 1), np.array([line.tied for line in lines])
    first, last = tied.T if hits.is_tied else (rank, rank)
    weight = expected_weight(Hits(zeros, rank, value, first, last, hits.retrieved), cutoff, curves["discount"])

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
    parts = zip(lines, *(column.tolist() for column in (relevance, gain, weight, ideal)), strict=True)
    return [
        replace(line, relevance=None if line.value is None else one, gain=gain, weight=weight, ideal_gain=best)
        for line, one, gain, weight, best in parts
    ]


SAME = 1e-12
_OF_RANKING = ("system", "query", "first", "second", "difference", "parting_rank")


@dataclass(frozen=True)
class Parting:
    """One ranking under both: its values, and the first rank at which the values so far differ (None: they never do)."""

    system: str
    query: str
    first: float
    second: float
    difference: float
    rank: int | None


@dataclass(frozen=True)
class Portion(Plain):
    """What some ranks, or some documents, add to the mean value of either; all of a kind add up to the means."""

    _json_names: ClassVar = {"name": "part"}

    name: str
    first: float
    second: float
    difference: float


@dataclass(frozen=True)
class Partings(Shown):
    """Where two measures part (`by_rank`), on which documents (`by_document`), and how much, ranking by ranking.

    `rho` is Spearman's correlation of the two over the rankings; rankings without a value under both are `left_out`.
    """

    names: tuple[str, str]
    rankings: tuple[Parting, ...]
    left_out: int
    by_rank: tuple[Portion, ...]
    by_document: tuple[Portion, ...]
    rho: float

    def __repr__(self) -> str:
        first, second = self.names
        return visible(
            f"Partings({first} and {second} on {plural(len(self.rankings), 'ranking')}: {self.difference:+.4f})"
        )

    @property
    def difference(self) -> float:
        """The mean of the second less that of the first."""
        return sum(one.difference for one in self.rankings) / len(self.rankings)

    def largest(self, count: int = 3) -> tuple[Parting, ...]:
        """The rankings on which they differ most."""
        return tuple(sorted(self.rankings, key=lambda one: -abs(one.difference))[:count])

    def table(self) -> Table:
        count, several = len(self.rankings), len({one.system for one in self.rankings}) > 1
        means = [sum(getattr(one, side) for one in self.rankings) / count for side in ("first", "second")]
        rows: list[tuple[Cell, ...]] = [("mean", *means, means[1] - means[0])]
        rows += map(astuple, (*self.by_rank, *self.by_document))
        apart = [one for one in self.rankings if abs(one.difference) > SAME]
        higher = sum(one.difference > 0 for one in apart)
        lower, equal = len(apart) - higher, count - len(apart)
        notes = [
            f"the second is higher on {higher:,}, lower on {lower:,}, equal on {equal:,}; ρ {self.rho:.3f}",
            "ranks: what the documents there add to the mean; below them, what documents add by how they were judged",
        ]
        if parted := sorted(one.rank for one in apart if one.rank is not None):
            middle = parted[(len(parted) - 1) // 2]
            where = "at rank 1" if middle == 1 else f"in the first {middle} ranks"
            notes.append(f"on half of the rankings that differ, the first difference is {where}")
        if apart:
            most = [f"{one.system} " * several + f"{one.query} {one.difference:+.4f}" for one in self.largest()]
            notes.append(f"largest differences: {', '.join(most)}")
        if self.left_out:
            notes.append(f"left out, without a value under both: {plural(self.left_out, 'ranking')}")
        columns = (Column("part"), number("first"), number("second"), number("difference", signed=True))
        caption = f"{self.names[0]} (first) versus {self.names[1]} (second) on {plural(count, 'ranking')}"
        return Table(columns, tuple(rows), caption, tuple(notes))

    def ranking_table(self) -> Table:
        """Every ranking: for other programs."""
        columns = (*map(Column, _OF_RANKING[:2]), *map(number, _OF_RANKING[2:]))
        return Table(columns, tuple(map(astuple, self.rankings)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "first": self.names[0],
            "second": self.names[1],
            "difference": self.difference,
            "rho": self.rho,
            "by_rank": plain(self.by_rank),
            "by_document": plain(self.by_document),
            "rankings": [dict(zip(_OF_RANKING, astuple(one), strict=True)) for one in self.rankings],
            "left_out": self.left_out,
        }


EDGES = (1, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
"""The last rank of every band."""
FEW = 10
"""So many different judged values are shown one by one; more are shown by their place in the best order."""


def _band(at: int, last: int | None = None) -> str:
    """The ranks of a band, no deeper than `last`."""
    low = 1 + EDGES[at - 1] if at else 1
    if at == len(EDGES):
        return f"{low}–"
    high = min(EDGES[at], last or EDGES[at])
    return f"{low}" if low == high else f"{low}–{high}"


class _Side(NamedTuple):
    """One measure on all rankings: values, what each rank adds [ranks, rankings], and who is at which rank."""

    measure: Measure
    names: list[tuple[str, str]]
    value: Floats
    added: Floats
    ranking: Ints
    rank: Ints
    judged: Floats
    place: Ints
    """Among all that were judged for the query, the best being 1; equals share the best of theirs."""


def _partings(judged: Judgments, first: dict[str, Any], second: dict[str, Any]) -> Partings:
    """Two ways of evaluating, each the measure, run, policy and preset of `explain`, over all judged queries."""
    sides = [_side(judged, **call) for call in (first, second)]
    both = ~(np.isnan(sides[0].value) | np.isnan(sides[1].value))
    chosen = np.flatnonzero(both)
    if not len(chosen):
        raise AnalysisError("no query has a value under both, so there is nothing to contrast")

    def portion(name: str, added: Sequence[Floats]) -> Portion:
        one, two = (float(one[..., chosen].sum()) / len(chosen) for one in added)
        return Portion(name, one, two, two - one)

    ranks = max(len(side.added) for side in sides)
    by_rank = []
    for at, low in enumerate((0, *EDGES[:-1])):
        if low < ranks:
            name = f"rank{'s' * (min(EDGES[at], ranks) > low + 1)} {_band(at, ranks)}"
            by_rank.append(portion(name, [side.added[low : EDGES[at]] for side in sides]))
    below = portion("below", [side.value - side.added.sum(axis=0) for side in sides])
    if max(abs(below.first), abs(below.second)) > SAME:
        by_rank.append(below)

    running = [np.cumsum(np.pad(side.added, ((0, ranks - len(side.added)), (0, 0))), axis=0) for side in sides]
    apart = np.abs(running[1] - running[0]) > SAME
    rankings = []
    for at in chosen.tolist():
        rank = int(apart[:, at].argmax()) + 1 if apart[:, at].any() else None
        one, two = (float(side.value[at]) for side in sides)
        rankings.append(Parting(*sides[0].names[at], one, two, two - one, rank))

    # By judged value, or where these are too many by their place in the best order; then what nobody judged.
    graded = len(np.unique(np.concatenate([side.judged for side in sides]))) <= FEW
    found: dict[str, list[float]] = {}
    unjudged = []
    for which, side in enumerate(sides):
        gained, counted = side.added[side.rank - 1, side.ranking], both[side.ranking]
        kinds = -side.judged if graded else np.searchsorted(EDGES, side.place)
        for kind in np.unique(kinds).tolist():
            label = f"judged {-kind:g}" if graded else f"{_band(kind)} best"
            found.setdefault(label, [0.0, 0.0])[which] = float(gained[counted & (kinds == kind)].sum()) / len(chosen)
        unjudged.append(float(side.added[:, both].sum() - gained[counted].sum()) / len(chosen))
    if max(map(abs, unjudged)) > SAME:
        found["unjudged"] = unjudged

    names = [str(side.measure) for side in sides]
    if names[0] == names[1]:  # what else differs, if anything does
        words = {"like": second["like"], "policy": second["policy"], "run": sides[1].names[0][0]}
        names[1] += next((f" ({words[name]})" for name in words if first[name] is not second[name]), "")
    return Partings(
        names=(names[0], names[1]),
        rankings=tuple(rankings),
        left_out=len(both) - len(chosen),
        by_rank=tuple(by_rank),
        by_document=tuple(Portion(label, one, two, two - one) for label, (one, two) in found.items()),
        rho=spearman(*(side.value[both] for side in sides)),
    )


def _side(judged: Judgments, measure: str | Measure, run: Any, policy: Policy | None, like: str | None) -> _Side:
    chosen, rule = settle_one(measure, policy, like)
    runs = list_runs(run, judged)
    names: list[tuple[str, str]] = []
    values, additions, found = [], [], []
    for one, match in zip(runs, match_runs(judged, runs, rule), strict=True):
        ruled = Ruled(match, rule)
        hits, pool = ruled.seen_by(chosen), ruled.pool(ruled.ties_of(chosen))
        missing = match.hits.retrieved == 0
        values.append(_decided_or_refused(hits, pool, missing, chosen, rule, one.name, match.queries))
        deepest = min(int(hits.rank.max(initial=1)), chosen.deepest or EDGES[-1], EDGES[-1])
        so_far = [np.zeros(hits.queries)]
        so_far += [np.nan_to_num(chosen.compute(hits.top(rank), pool)) for rank in range(1, deepest + 1)]
        additions.append(np.diff(so_far, axis=0))
        seen = hits.keep(hits.rank <= deepest)
        levels = np.unique(pool.value)
        in_pool, own = (
            (1 + len(levels)) * query - np.searchsorted(levels, value, "right")
            for query, value in ((pool.query, pool.value), (seen.query, seen.value))
        )
        place = 1 + np.searchsorted(in_pool, own) - pool.start[seen.query]
        found.append((seen.query + len(names), seen.rank, seen.value, place))
        names += [(one.name, query) for query in match.queries]
    ranks = max(map(len, additions))
    added = np.concatenate([np.pad(part, ((0, ranks - len(part)), (0, 0))) for part in additions], axis=1)
    return _Side(chosen, names, np.concatenate(values), added, *map(np.concatenate, zip(*found, strict=True)))


def _decided_or_refused(
    hits: Hits, pool: Pool, missing: Flags, measure: Measure, rule: Policy, system: str, queries: Sequence[str]
) -> Floats:
    """The value of each query as the policy wants it, which may be an error."""
    value, undefined = decided(measure.compute(hits, pool)[: len(queries)], measure, rule, missing, pool)
    refuse(system, rule, Names.where(missing, queries), [(measure, Names.where(undefined, queries))])
    return value
