"""One measure for several collections: how well it serves each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades, Stages, require_enough
from rankgauge.analysis.optimize.search.form import Order, scores_of
from rankgauge.analysis.optimize.search.mixture import cells_of, lowest_levels, slopes_everywhere, value_and_slopes
from rankgauge.analysis.optimize.search.newton import on_simplex
from rankgauge.analysis.optimize.search.objective import dependability
from rankgauge.analysis.optimize.search.search import Trial, as_weighting, search
from rankgauge.analysis.optimize.search.starts import CHOICES, Over
from rankgauge.analysis.optimize.search.steps import Steps, levelled, steps_of, weights_of
from rankgauge.analysis.optimize.search.weighting import Weighting, check_weighting, measure_text, named_weighting
from rankgauge.arrays import Floats
from rankgauge.errors import AnalysisError, UsageError, did_you_mean
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Column, Table, number


@dataclass(frozen=True)
class Served:
    """How one collection fares: Φ for one query under the common measure and under its own optimum."""

    name: str
    dependability: float
    own_optimum: float

    @property
    def efficiency(self) -> float:
        return self.dependability / self.own_optimum


@dataclass(frozen=True, repr=False)
class Compromise(Shown):
    """The common measure. `worst` is the smallest efficiency, or the smallest Φ where values count as they are."""

    measure: str
    over: tuple[str, ...]
    relative: bool
    discount: tuple[float, ...]
    steps: Steps
    gain: tuple[tuple[float, float], ...]
    served: tuple[Served, ...]
    worst: float
    gap: float
    seed: int

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "over": list(self.over),
            "relative": self.relative,
            "discount": list(self.discount),
            "gain": {f"{grade:g}": value for grade, value in self.gain},
            "collections": {
                one.name: {
                    "dependability_per_query": one.dependability,
                    "own_optimum": one.own_optimum,
                    "efficiency": one.efficiency,
                }
                for one in self.served
            },
            "worst": self.worst,
            "gap": self.gap,
            "seed": self.seed,
        }

    def table(self) -> Table:
        columns = (Column("collection"), number("Φ"), number("own optimum"), number("efficiency"))
        rows = tuple((one.name, one.dependability, one.own_optimum, one.efficiency) for one in self.served)
        least = "efficiency, Φ over that of the own optimum" if self.relative else "Φ"
        notes = (
            f"common measure: {self.measure}",
            f"the smallest {least}, is as large as possible: {self.worst:.4f} (gap {self.gap:.0e})",
        )
        caption = f"one {' and '.join(self.over)} for {len(self.served)} collections or cutoffs"
        return Table(columns, rows, caption, notes)

    def __repr__(self) -> str:
        return f"Compromise({self.measure}; worst {self.worst:.4f})"


GAP = 1e-8
ROUNDS = 40
FEW = 14  # vertices of the first round


def compromise_of(
    collections: Mapping[str, RankedGrades],
    start: Weighting | None = None,
    *,
    over: str = "discount",
    relative: bool = True,
    seed: int = 0,
    spell: Callable[[Weighting], str] = measure_text,
    progress: Stages | None = None,
) -> Compromise:
    """The non-increasing discount, the non-decreasing gain, or both, that suit best the collection they suit least.

    Collections may differ in everything but their grades; one with fewer ranks uses the first weights. To weigh
    several cutoffs of one collection, give it several times, cut. `start` (default: linear gain, log2) has what is not
    searched, for the longest of them.
    """
    judged = {name: grades.with_relevant() for name, grades in collections.items()}
    searched = _checked(judged, over)
    longest = max(judged.values(), key=lambda grades: grades.ranks)
    start = start or named_weighting(longest)
    check_weighting(start, longest)
    own = []
    for done, grades in enumerate(judged.values(), 1):
        own.append(search(grades, _cut(start, grades.ranks), searched, seed=seed)[0])
        if progress:
            progress("collections", done, len(judged))
    scales = np.array([trial.value if relative else 1.0 for trial in own])
    if scales.min() <= 0:
        raise AnalysisError(
            "in one of the collections no measure separates the systems; leave it out, or use relative=False"
        )
    problem = _Problem(tuple(judged.values()), scales, start, searched)
    best = max((_climb(problem, *point) for point in _starts(own, start)), key=lambda peak: peak.worst)
    return _result(judged, own, problem, best, spell, relative=relative, seed=seed)


class _Problem(NamedTuple):
    collections: tuple[RankedGrades, ...]
    scales: Floats
    start: Weighting
    over: Over

    @property
    def ranks(self) -> int:
        return len(self.start.discount)


class _Peak(NamedTuple):
    discount: Floats
    gain: Floats
    worst: float
    gap: float


def _climb(problem: _Problem, discount: Floats, gain: Floats) -> _Peak:
    ends = np.unique(np.round(np.geomspace(1, problem.ranks, min(FEW, problem.ranks))).astype(np.intp))
    shares = levelled(discount, ends) if "discount" in problem.over else np.ones(1)
    levels = np.diff(gain, prepend=0.0) / gain[-1] if "gain" in problem.over else np.ones(1)
    best = _Peak(discount, gain, -np.inf, np.inf)
    for _ in range(ROUNDS):
        shares, levels = _epigraph(problem, ends, shares, levels)
        discount = weights_of(ends, shares, problem.ranks) if "discount" in problem.over else discount
        gain = levels.cumsum() if "gain" in problem.over else gain
        values, gap, wanted = _first_order(problem, discount, gain)
        peak = _Peak(discount, gain, float(values.min()), gap)
        stalled = peak.worst <= best.worst + 1e-12 and peak.gap >= best.gap / 2
        best = peak if peak.worst > best.worst - 1e-12 else best
        if gap <= GAP or stalled or "discount" not in problem.over:
            break
        ends, shares = _joined(ends, shares, wanted)
    return best


def _epigraph(problem: _Problem, ends: Order, shares: Floats, levels: Floats) -> tuple[Floats, Floats]:
    """SLSQP in shares, levels and the level τ that every collection must reach."""
    from scipy.optimize import minimize

    cells = [cells_of(grades, ends, problem.start, problem.over) for grades in problem.collections]
    cut = len(shares)

    def reached(point: Floats) -> tuple[Floats, Floats]:
        values, slopes = [], []
        for cell, scale in zip(cells, problem.scales, strict=True):
            value, of_shares, of_levels = value_and_slopes(cell, point[:cut], point[cut:-1])
            values.append(max(value / scale, -1e3) - point[-1])
            slopes.append(np.concatenate((of_shares / scale, of_levels / scale, [-1.0])))
        return np.array(values), np.array(slopes)

    first = np.concatenate((shares, levels, [0.0]))
    first[-1] = reached(first)[0].min()
    sums = np.zeros((2, len(first)))
    sums[0, :cut] = sums[1, cut:-1] = 1.0
    aim = -np.eye(len(first))[-1]
    found = minimize(
        lambda point: -point[-1],
        first,
        jac=lambda _: aim,
        method="SLSQP",
        bounds=[(0.0, None)] * cut + [(low, None) for low in lowest_levels(cells)] + [(None, None)],
        constraints=(
            {"type": "eq", "fun": lambda point: sums @ point - 1.0, "jac": lambda _: sums},
            {"type": "ineq", "fun": lambda point: reached(point)[0], "jac": lambda point: reached(point)[1]},
        ),
        options={"ftol": 1e-14, "maxiter": 300},
    )
    return on_simplex(found.x[:cut]), on_simplex(found.x[cut:-1])


def _first_order(problem: _Problem, discount: Floats, gain: Floats) -> tuple[Floats, float, Floats]:
    """Values, the rise of the smallest one that linear prediction still sees, and the vertices it would go to."""
    from scipy.optimize import linprog

    pairs = [slopes_everywhere(grades, discount, gain, problem.over) for grades in problem.collections]
    values = np.array([value for value, _ in pairs]) / problem.scales
    slopes = np.array([slope for _, slope in pairs]) / problem.scales[:, None]
    ranks = problem.ranks if "discount" in problem.over else 0
    sums = np.zeros((2, slopes.shape[1] + 1))
    sums[0, :ranks], sums[1, ranks:-1] = 1.0, 1.0
    kept = sums.any(axis=1)
    found = linprog(
        np.append(np.zeros(slopes.shape[1]), -1.0),
        A_ub=np.hstack((-slopes, np.ones((len(values), 1)))),
        b_ub=values,
        A_eq=sums[kept],
        b_eq=np.ones(int(kept.sum())),
        bounds=[(0.0, None)] * slopes.shape[1] + [(None, None)],
    )
    return values, float(found.x[-1] - values.min()), found.x[:ranks]


def _joined(ends: Order, shares: Floats, wanted: Floats) -> tuple[Order, Floats]:
    used = shares > 1e-12
    joined = np.unique(np.concatenate((ends[used], np.flatnonzero(wanted > 1e-9) + 1, [len(wanted)])))
    kept = np.zeros(len(joined))
    kept[np.searchsorted(joined, ends[used])] = shares[used]
    return joined, kept / kept.sum()


def _starts(own: Sequence[Trial], start: Weighting) -> list[tuple[Floats, Floats]]:
    ranks = len(start.discount)
    points = [(start.discount / start.discount.sum(), start.gain)]
    for trial in own:
        padded = np.zeros(ranks)
        padded[: len(trial.discount)] = trial.discount / trial.discount.sum()
        points.append((padded, trial.gain))
    shared = np.mean([discount for discount, _ in points[1:]], axis=0)
    gains = np.mean([gain / gain.sum() for _, gain in points[1:]], axis=0)
    return [*points, (shared, gains)]


def _result(
    judged: Mapping[str, RankedGrades],
    own: Sequence[Trial],
    problem: _Problem,
    best: _Peak,
    spell: Callable[[Weighting], str],
    *,
    relative: bool,
    seed: int,
) -> Compromise:
    common = as_weighting(
        Trial("", best.discount, best.gain, best.worst, best.gap), problem.start, problem.over, problem.collections[0]
    )
    served = tuple(
        Served(name, dependability(scores_of(grades, common.discount[: grades.ranks], common.gain)), trial.value)
        for (name, grades), trial in zip(judged.items(), own, strict=True)
    )
    return Compromise(
        measure=spell(common),
        over=problem.over,
        relative=relative,
        discount=tuple(common.discount.tolist()),
        steps=steps_of(common.discount) if "discount" in problem.over else (),
        gain=tuple(zip(problem.collections[0].grades, common.gain.tolist(), strict=True)),
        served=served,
        worst=min(one.efficiency if relative else one.dependability for one in served),
        gap=best.gap,
        seed=seed,
    )


def _cut(weighting: Weighting, ranks: int) -> Weighting:
    return weighting.with_discount(weighting.discount[:ranks], weighting.discount_text)


def _checked(judged: Mapping[str, RankedGrades], over: str) -> Over:
    if over not in CHOICES:
        raise UsageError(f"over={over!r}: what should be optimised? {did_you_mean(over, CHOICES)}")
    if not judged:
        raise UsageError("no collection is given; one or more are needed")
    grades = {grades.grades for grades in judged.values()}
    if len(grades) > 1:
        raise UsageError(f"collections must share their grades, but there are {sorted(grades)}")
    for name, collection in judged.items():
        try:
            require_enough(collection)
        except AnalysisError as error:
            raise AnalysisError(f"{name}: {error}") from error
    searched = CHOICES[over]
    if len(next(iter(grades))) == 1:
        if over == "gain":
            raise AnalysisError("only one grade is used: every gain gives the same nDCG\nSearch the discount instead.")
        searched = ("discount",)
    return searched
