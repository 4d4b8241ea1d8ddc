"""Where and why two measures part, over many rankings: what each rank and each kind of document adds to either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.data.judgments import Judgments
from rankgauge.data.match import match_runs
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, plural
from rankgauge.evaluation.columns import Ruled, decided
from rankgauge.evaluation.evaluate import list_runs, settle_one
from rankgauge.evaluation.notes import Names, refuse
from rankgauge.kernels.hits import Hits, Pool
from rankgauge.kernels.ranks import spearman
from rankgauge.measures.measure import Measure
from rankgauge.tables import Plain, Shown, plain
from rankgauge.tables.notes import visible
from rankgauge.tables.table import Cell, Column, Table, number

SHOWN = 3
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

    def largest(self, count: int = SHOWN) -> tuple[Parting, ...]:
        """The rankings on which they differ most."""
        return tuple(sorted(self.rankings, key=lambda one: -abs(one.difference))[:count])

    def table(self) -> Table:
        columns = (Column("part"), number("first"), number("second"), number("difference", signed=True))
        means = [sum(getattr(one, side) for one in self.rankings) / len(self.rankings) for side in ("first", "second")]
        rows: list[tuple[Cell, ...]] = [("mean", *means, means[1] - means[0])]
        rows += map(astuple, (*self.by_rank, *self.by_document))
        first, second = self.names
        caption = f"{first} (first) versus {second} (second) on {plural(len(self.rankings), 'ranking')}"
        return Table(columns, tuple(rows), caption, tuple(self._remarks()))

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

    def _remarks(self) -> list[str]:
        apart = [one for one in self.rankings if abs(one.difference) > SAME]
        higher = sum(one.difference > 0 for one in apart)
        equal = len(self.rankings) - len(apart)
        remarks = [
            f"the second is higher on {higher:,}, lower on {len(apart) - higher:,}, equal on {equal:,}; ρ {self.rho:.3f}",
            "ranks: what the documents there add to the mean; below them, what documents add by how they were judged",
        ]
        parted = sorted(one.rank for one in apart if one.rank is not None)
        if parted:
            middle = parted[(len(parted) - 1) // 2]
            where = "at rank 1" if middle == 1 else f"in the first {middle} ranks"
            remarks.append(f"on half of the rankings that differ, the first difference is {where}")
        if apart:
            several = len({one.system for one in self.rankings}) > 1
            named = [(f"{one.system} " if several else "") + one.query for one in self.largest()]
            most = [f"{name} {one.difference:+.4f}" for name, one in zip(named, self.largest(), strict=True)]
            remarks.append(f"largest differences: {', '.join(most)}")
        if self.left_out:
            remarks.append(f"left out, without a value under both: {plural(self.left_out, 'ranking')}")
        return remarks


def _band(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first}–{last}"


EDGES = (1, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
"""The last rank of every band."""
_LOWS = (1, *(edge + 1 for edge in EDGES))
_BANDS = [*map(_band, _LOWS, EDGES), f"{_LOWS[-1]}–"]
FEW = 10
"""So many different judged values are shown one by one; more are shown by their place in the best order."""


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


def partings(judged: Judgments, first: dict[str, Any], second: dict[str, Any]) -> Partings:
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
    for low, high in zip(_LOWS, np.minimum(EDGES, ranks).tolist(), strict=False):
        if low <= ranks:
            name = ("rank " if low == high else "ranks ") + _band(low, high)
            by_rank.append(portion(name, [side.added[low - 1 : high] for side in sides]))
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

    names = [str(side.measure) for side in sides]
    if names[0] == names[1]:  # what else differs, if anything does
        words = {"like": second["like"], "policy": second["policy"], "run": sides[1].names[0][0]}
        names[1] += next((f" ({words[name]})" for name in words if first[name] is not second[name]), "")
    return Partings(
        names=(names[0], names[1]),
        rankings=tuple(rankings),
        left_out=len(both) - len(chosen),
        by_rank=tuple(by_rank),
        by_document=_by_document(sides, both),
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
        values.append(decided_or_refused(hits, pool, missing, chosen, rule, one.name, match.queries))
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


def decided_or_refused(
    hits: Hits, pool: Pool, missing: Flags, measure: Measure, rule: Policy, system: str, queries: Sequence[str]
) -> Floats:
    """The value of each query as the policy wants it, which may be an error."""
    value, undefined = decided(measure.compute(hits, pool)[: len(queries)], measure, rule, missing, pool)
    refuse(system, rule, Names.where(missing, queries), [(measure, Names.where(undefined, queries))])
    return value


def _by_document(sides: Sequence[_Side], both: Flags) -> tuple[Portion, ...]:
    """By judged value, or where these are too many by their place in the best order; then what nobody judged."""
    graded = len(np.unique(np.concatenate([side.judged for side in sides]))) <= FEW
    found: dict[str, list[float]] = {}
    unjudged = []
    for at, side in enumerate(sides):
        gained, counted = side.added[side.rank - 1, side.ranking], both[side.ranking]
        kinds = -side.judged if graded else np.searchsorted(EDGES, side.place).astype(np.float64)
        for kind in np.unique(kinds).tolist():
            label = f"judged {-kind:g}" if graded else f"{_BANDS[int(kind)]} best"
            found.setdefault(label, [0.0, 0.0])[at] = float(gained[counted & (kinds == kind)].sum()) / both.sum()
        unjudged.append(float(side.added[:, both].sum() - gained[counted].sum()) / both.sum())
    if max(map(abs, unjudged)) > SAME:
        found["unjudged"] = unjudged
    return tuple(Portion(label, one, two, two - one) for label, (one, two) in found.items())
