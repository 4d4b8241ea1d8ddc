"""Where and why two measures part, over many rankings: what each rank and each kind of document adds to either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.match import Match, match_runs
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, plural
from rankgauge.evaluation.columns import Ruled, decided
from rankgauge.evaluation.evaluate import list_runs, settle_one
from rankgauge.evaluation.notes import Names, refuse_missing, refuse_undefined
from rankgauge.kernels.hits import Pool
from rankgauge.kernels.ranks import spearman
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import visible
from rankgauge.tables.shown import Plain, Shown, plain
from rankgauge.tables.table import Cell, Column, Table, number

SHOWN = 3
SAME = 1e-12


class _Differs:
    first: float
    second: float

    @property
    def difference(self) -> float:
        return self.second - self.first


@dataclass(frozen=True)
class Parting(_Differs):
    """One ranking under both: its values, and the first rank at which the values so far differ (None: they never do)."""

    system: str
    query: str
    first: float
    second: float
    rank: int | None


@dataclass(frozen=True)
class Portion(_Differs, Plain):
    """What some ranks, or some documents, add to the mean value of either; all of a kind add up to the means."""

    _json_names: ClassVar = {"name": "part"}
    _json_also: ClassVar = ("difference",)

    name: str
    first: float
    second: float


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
        rows += [(one.name, one.first, one.second, one.difference) for one in (*self.by_rank, *self.by_document)]
        return Table(columns, tuple(rows), self._caption(), tuple(self._remarks()))

    def ranking_table(self) -> Table:
        """Every ranking: for other programs."""
        names = ("first", "second", "difference", "parting_rank")
        columns = (Column("system"), Column("query"), *map(number, names))
        rows = tuple((one.system, one.query, one.first, one.second, one.difference, one.rank) for one in self.rankings)
        return Table(columns, rows)

    def to_dict(self) -> dict[str, Any]:
        each = self.ranking_table()
        names = [column.name for column in each.columns]
        return {
            "first": self.names[0],
            "second": self.names[1],
            "difference": self.difference,
            "rho": self.rho,
            "by_rank": plain(self.by_rank),
            "by_document": plain(self.by_document),
            "rankings": [dict(zip(names, row, strict=True)) for row in each.rows],
            "left_out": self.left_out,
        }

    def _caption(self) -> str:
        return f"{self.names[0]} (first) versus {self.names[1]} (second) on {plural(len(self.rankings), 'ranking')}"

    def _remarks(self) -> list[str]:
        apart = [one for one in self.rankings if abs(one.difference) > SAME]
        higher = sum(one.difference > 0 for one in apart)
        equal = len(self.rankings) - len(apart)
        remarks = [
            f"the second is higher on {higher:,}, lower on {len(apart) - higher:,}, equal on {equal:,}; ρ {self.rho:.3f}",
            "ranks: what the documents there add to the mean; below them, what documents add by how they were judged",
        ]
        if apart:
            parted = sorted(one.rank for one in apart if one.rank is not None)
            if parted:
                remarks.append(_first_apart(parted))
            most = ", ".join(f"{self._called(one)} {one.difference:+.4f}" for one in self.largest())
            remarks.append(f"largest differences: {most}")
        if self.left_out:
            remarks.append(f"left out, without a value under both: {plural(self.left_out, 'ranking')}")
        return remarks

    def _called(self, one: Parting) -> str:
        several = len({other.system for other in self.rankings}) > 1
        return f"{one.system} {one.query}" if several else one.query


def _first_apart(ranks: Sequence[int]) -> str:
    """At which rank the two part, for half of the rankings on which they differ; `ranks` are sorted."""
    middle = ranks[(len(ranks) - 1) // 2]
    where = "at rank 1" if middle == 1 else f"in the first {middle} ranks"
    return f"on half of the rankings that differ, the first difference is {where}"


EDGES = (1, 3, 5, 10, 20, 50, 100, 200, 500, 1000)  # the last rank of every band
FEW = 10  # different judged values that are shown one by one; more are shown by their place in the best order


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


def partings(judged: Judgments, first: dict[str, Any], second: dict[str, Any]) -> Partings:
    """Two ways of evaluating, each the measure, run, policy and preset of `explain`, over all judged queries."""
    sides = [_side(judged, **call) for call in (first, second)]
    one, two = sides
    both = ~(np.isnan(one.value) | np.isnan(two.value))
    if not both.any():
        raise AnalysisError("no query has a value under both, so there is nothing to contrast")
    ranks = max(len(side.added) for side in sides)
    where = tuple(
        Portion(label, *(_mean(side.added[low - 1 : high], both) for side in sides))
        for low, high, label in _bands(ranks)
    )
    rest = [_mean((side.value - side.added.sum(axis=0))[None], both) for side in sides]
    if max(map(abs, rest)) > SAME:
        where = (*where, Portion("below", *rest))
    return Partings(
        names=_titles(first, second, sides),
        rankings=tuple(_parting(at, one, two) for at in np.flatnonzero(both).tolist()),
        left_out=int(np.sum(~both)),
        by_rank=where,
        by_document=_why(sides, both),
        rho=spearman(one.value[both], two.value[both]),
    )


def _side(judged: Judgments, measure: str | Measure, run: Any, policy: Policy | None, like: str | None) -> _Side:
    chosen, rule = settle_one(measure, policy, like)
    runs = list_runs(run, judged)
    parts = [_of_run(*one, chosen, rule) for one in zip(runs, match_runs(judged, runs, rule), strict=True)]
    ranks = max(len(part.added) for part in parts)
    first = np.cumsum([0, *(len(part.value) for part in parts)])
    return _Side(
        chosen,
        [name for part in parts for name in part.names],
        np.concatenate([part.value for part in parts]),
        np.concatenate([_padded(part.added, ranks) for part in parts], axis=1),
        np.concatenate([part.ranking + at for part, at in zip(parts, first[:-1], strict=True)]),
        *(np.concatenate([getattr(part, name) for part in parts]) for name in ("rank", "judged", "place")),
    )


def _of_run(run: Run, matched: Match, measure: Measure, rule: Policy) -> _Side:
    plan = Ruled(matched, rule)
    hits, pool = plan.seen_by(measure), plan.pool(plan.ties_of(measure))
    queries = len(matched.queries)
    missing = hits.retrieved[:queries] == 0
    refuse_missing(run.name, Names.where(missing, matched.queries), rule)
    value, undefined = decided(measure.compute(hits, pool)[:queries], measure, rule, missing, pool)
    refuse_undefined(measure, Names.where(undefined, matched.queries), rule)
    deepest = int(hits.rank.max(initial=1))
    if measure.deepest is not None:
        deepest = min(deepest, measure.deepest)
    deepest = min(deepest, EDGES[-1])
    so_far = np.zeros((deepest + 1, queries))
    for rank in range(1, deepest + 1):
        so_far[rank] = np.nan_to_num(measure.compute(hits.top(rank), pool)[:queries])
    seen = hits.keep((hits.rank <= deepest) & (hits.query < queries))
    place = _places(seen.query, seen.value, pool)
    names = [(run.name, query) for query in matched.queries]
    return _Side(measure, names, value, np.diff(so_far, axis=0), seen.query, seen.rank, seen.value, place)


def _places(query: Ints, value: Floats, pool: Pool) -> Ints:
    """Each document's place among all that were judged for its query, the best being 1; equals share the best of theirs."""
    place = np.ones(len(query), np.int64)
    for one in np.unique(query).tolist():
        mine = query == one
        falling = pool.value[pool.start[one] : pool.start[one + 1]]
        place[mine] = 1 + np.searchsorted(-falling, -value[mine], side="left")
    return place


def _why(sides: Sequence[_Side], both: Any) -> tuple[Portion, ...]:
    """By judged value, or where these are too many by their place in the best order; then what nobody judged."""
    graded = len(np.unique(np.concatenate([side.judged for side in sides]))) <= FEW
    found: dict[str, list[float]] = {}
    for at, side in enumerate(sides):
        gained = side.added[side.rank - 1, side.ranking]
        counted = both[side.ranking]
        kinds = -side.judged if graded else np.searchsorted(EDGES, side.place).astype(np.float64)
        for kind in np.unique(kinds).tolist():
            mine = counted & (kinds == kind)
            label = f"judged {-kind:g}" if graded else f"{_band(int(kind))} best"
            found.setdefault(label, [0.0, 0.0])[at] = float(gained[mine].sum()) / both.sum()
        unjudged = float(side.added[:, both].sum() - gained[counted].sum()) / both.sum()
        found.setdefault("unjudged", [0.0, 0.0])[at] = unjudged
    if max(map(abs, found["unjudged"])) <= SAME:
        del found["unjudged"]
    else:
        found["unjudged"] = found.pop("unjudged")
    return tuple(Portion(label, *pair) for label, pair in found.items())


def _band(at: int) -> str:
    if at >= len(EDGES):
        return f"{EDGES[-1] + 1}–"
    low = EDGES[at - 1] + 1 if at else 1
    return f"{low}" if low == EDGES[at] else f"{low}–{EDGES[at]}"


def _bands(ranks: int) -> list[tuple[int, int, str]]:
    """(first rank, last rank, label)"""
    lows = (1, *(edge + 1 for edge in EDGES))
    bands = [(low, min(edge, ranks)) for low, edge in zip(lows, EDGES, strict=False) if low <= ranks]
    return [(low, high, f"rank {low}" if low == high else f"ranks {low}–{high}") for low, high in bands]


def _parting(at: int, one: _Side, two: _Side) -> Parting:
    system, query = one.names[at]
    ranks = max(len(one.added), len(two.added))
    running = [_padded(side.added[:, [at]], ranks)[:, 0].cumsum() for side in (one, two)]
    apart = np.flatnonzero(np.abs(running[1] - running[0]) > SAME)
    first, second = float(one.value[at]), float(two.value[at])
    return Parting(system, query, first, second, int(apart[0]) + 1 if len(apart) else None)


def _padded(added: Floats, ranks: int) -> Floats:
    return np.pad(added, ((0, ranks - len(added)), (0, 0)))


def _mean(added: Floats, both: Any) -> float:
    return float(added[:, both].sum()) / int(both.sum())


def _titles(first: dict[str, Any], second: dict[str, Any], sides: Sequence[_Side]) -> tuple[str, str]:
    """The measures; where they are the same, what else differs."""
    titles = [str(side.measure) for side in sides]
    if titles[0] == titles[1]:
        changed = next(name for name in ("like", "policy", "run") if first[name] is not second[name])
        words = {"like": second["like"], "policy": second["policy"], "run": sides[1].names[0][0]}
        titles[1] = f"{titles[1]} ({words[changed]})"
    return titles[0], titles[1]
