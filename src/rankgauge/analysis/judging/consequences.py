"""What follows from taking one judge instead of another: for the order of systems, for verdicts, for differences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rankgauge.analysis.agreement import order_levels
from rankgauge.analysis.compare.evidence import examine
from rankgauge.analysis.compare.options import Design
from rankgauge.analysis.compare.statistics.corrections import holm, t_quantile
from rankgauge.analysis.compare.statistics.tests import paired_differences, t_test
from rankgauge.analysis.compare.verdicts import settle
from rankgauge.analysis.score_table import complete_queries, names_of
from rankgauge.arrays import Floats, Ints
from rankgauge.data.judgments import Judgments, Run
from rankgauge.errors import AnalysisError
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.intervals import mean_interval, moments
from rankgauge.evaluation.means import remarks
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.ranks import kendall_tau, tau_ap
from rankgauge.kernels.resampling import Progress
from rankgauge.tables import Plain

if TYPE_CHECKING:
    import polars as pl

SAME_KIND = 0.10
"""Two judges of one kind shift about 5% of the pairs by more than chance."""
FAVORED = 5


@dataclass(frozen=True, slots=True)
class Verdicts(Plain):
    """How many pairs keep their verdict under the other judge; a lost one was decided before, a gained one is now."""

    same: int
    lost: int
    gained: int
    reversed: int


@dataclass(frozen=True, slots=True)
class Shift(Plain):
    """How far differences of pairs move: |D_judge - D_reference| over pairs."""

    median: float
    q95: float
    rms: float


@dataclass(frozen=True, slots=True)
class Favor(Plain):
    """How much better a system fares under the judge than under the reference, relative to the mean system."""

    system: str
    value: float
    low: float
    high: float
    p: float
    p_holm: float


@dataclass(frozen=True, slots=True)
class Consequences(Plain):
    """One measure under two judges. `told_apart` counts pairs decided under the reference and under the judge.

    `beyond_chance` counts, of the `pairs_that_differ`, those whose difference the judge shifts by more than chance.
    `judging_error` is what one of two judges of the same kind adds to a difference, `noise_floor` the smallest
    difference that this cannot explain; it means nothing where `is_systematic`.
    """

    _json_names: ClassVar = {"measure": None, "is_systematic": "systematic"}
    _json_also: ClassVar = ("is_systematic",)

    measure: str
    systems: int
    pairs: int
    queries: int
    tau_b: float
    tau_ap: float
    verdicts: Verdicts
    told_apart: tuple[int, int]
    correlation_of_differences_median: float
    shift: Shift
    judging_error: float
    noise_floor: float
    beyond_chance: int
    pairs_that_differ: int
    favours: tuple[Favor, ...]
    """The systems most affected, and all that are significantly."""

    @property
    def beyond_chance_share(self) -> float:
        return self.beyond_chance / self.pairs_that_differ if self.pairs_that_differ else 0.0

    @property
    def is_systematic(self) -> bool:
        """Whether the judge shifts more pairs than two judges of one kind would."""
        return self.beyond_chance_share > SAME_KIND


def consequences_of(
    measure: str,
    systems: tuple[str, ...],
    values: tuple[Floats, Floats],
    pairs: Ints,
    decided: tuple[Ints, Ints],
    confidence: float,
) -> Consequences:
    """From systems × queries under the reference and under the judge, and the verdicts (+1, 0, -1) of the pairs."""
    first, second = pairs.T
    reference, judge = (paired_differences(one[first], one[second]) for one in values)
    means = [order_levels(one.mean(axis=1)) for one in values]
    error = judge - reference
    sample = moments(error)
    differ = sample.deviation > 0
    limit = mean_interval(error, confidence=confidence)
    beyond = differ & ((limit.low > 0) | (limit.high < 0))
    moved = np.abs(judge.mean(axis=1) - reference.mean(axis=1))
    n, tau_b = values[0].shape[1], kendall_tau(*means)
    judging_error = _median(sample.deviation[differ]) / math.sqrt(2 * n) if differ.any() else 0.0
    return Consequences(
        measure=measure,
        systems=len(systems),
        pairs=len(pairs),
        queries=n,
        tau_b=tau_b,
        tau_ap=math.nan if math.isnan(tau_b) else tau_ap(*means),
        verdicts=_verdicts(*decided),
        told_apart=(int(np.count_nonzero(decided[0])), int(np.count_nonzero(decided[1]))),
        correlation_of_differences_median=_median(correlations(reference, judge)),
        shift=Shift(float(np.median(moved)), float(np.quantile(moved, 0.95)), float(np.sqrt(np.mean(moved**2)))),
        judging_error=judging_error,
        noise_floor=float(t_quantile(np.array(n), 1.0 - confidence)) * judging_error,
        beyond_chance=int(np.count_nonzero(beyond)),
        pairs_that_differ=int(np.count_nonzero(differ)),
        favours=_favours(systems, *values, confidence),
    )


def correlations(first: Floats, second: Floats) -> Floats:
    """Row by row over queries; nan where either does not vary."""
    x, y = (rows - rows.mean(axis=1, keepdims=True) for rows in (first, second))
    spread = np.sqrt(np.square(x).sum(axis=1) * np.square(y).sum(axis=1))
    varies = (moments(first).deviation > 0) & (moments(second).deviation > 0)
    return np.divide((x * y).sum(axis=1), spread, out=np.full(len(x), np.nan), where=varies & (spread > 0))


def _verdicts(reference: Ints, judge: Ints) -> Verdicts:
    was, now = reference != 0, judge != 0
    kinds = (reference == judge, was & ~now, ~was & now, reference * judge < 0)
    return Verdicts(*(int(np.count_nonzero(kind)) for kind in kinds))


def _favours(systems: tuple[str, ...], reference: Floats, judge: Floats, confidence: float) -> tuple[Favor, ...]:
    apart = (judge - judge.mean(axis=0)) - (reference - reference.mean(axis=0))
    # A judge that is the reference moves nothing, but for rounding.
    apart[np.abs(apart) < 1e-15] = 0.0
    interval = mean_interval(apart, confidence=confidence)
    p = t_test(apart)
    adjusted = holm(p)
    order = np.argsort(-np.abs(interval.mean), kind="stable")
    return tuple(
        Favor(systems[at], *(float(one[at]) for one in (interval.mean, interval.low, interval.high, p, adjusted)))
        for place, at in enumerate(order.tolist())
        if place < FAVORED or adjusted[at] < 1 - confidence
    )


def _median(values: Floats) -> float:
    known = values[~np.isnan(values)]
    return float(np.median(known)) if len(known) else math.nan


def shared_rows(frame: pl.DataFrame, other: pl.DataFrame) -> pl.DataFrame:
    """Judgments of the documents that another judge has judged, too."""
    keys = ["query", "document"]
    return frame.join(other.select(keys), on=keys, how="semi", maintain_order="left")


class RunsUnderJudges:
    """The same runs evaluated with one judge after the other; settings are those of `evaluate` and of a comparison."""

    def __init__(self, runs: Sequence[Run], evaluation: dict[str, Any], comparison: dict[str, Any]) -> None:
        self.runs, self.evaluation, self.comparison = runs, evaluation, comparison
        self.policy = ""
        self._whole: Scores | None = None
        """Under all judgments of the reference."""

    def of_each(
        self, frames: Mapping[str, pl.DataFrame], progress: Progress | None
    ) -> Iterator[tuple[Consequences, ...]]:
        """What each judge means for the systems, the first of `frames` being the reference."""
        reference, *judges = frames.items()
        for at, judge in enumerate(judges, 1):
            yield self.consequences(reference, judge)
            if progress is not None:
                progress(at, len(judges))

    def consequences(
        self, reference: tuple[str, pl.DataFrame], judge: tuple[str, pl.DataFrame]
    ) -> tuple[Consequences, ...]:
        """Both cut to the documents that both have."""
        (first_name, first), (second_name, second) = reference, judge
        shared = shared_rows(first, second)
        is_whole = len(shared) == len(first)
        before = self._whole if is_whole and self._whole is not None else self._evaluated(shared, first_name)
        if is_whole:
            self._whole = before
        self.policy = remarks(before)[0]
        after = self._evaluated(shared_rows(second, first), second_name)
        order = [after.queries.index(query) for query in before.queries]
        design = Design(systems=before.systems, measures=names_of(before), **self.comparison)
        parts = []
        for k, measure in enumerate(design.measures):
            cubes = np.stack((before.values[:, :, k], after.values[:, order, k]))
            kept = complete_queries(cubes.reshape(-1, cubes.shape[2]), measure)
            values = (np.ascontiguousarray(cubes[0][:, kept]), np.ascontiguousarray(cubes[1][:, kept]))
            decided = (_decided(values[0], measure, design), _decided(values[1], measure, design))
            parts.append(consequences_of(measure, before.systems, values, design.pairs, decided, design.confidence))
        return tuple(parts)

    def _evaluated(self, frame: pl.DataFrame, name: str) -> Scores:
        scores = evaluate(Judgments(frame, name=name), self.runs, **self.evaluation)
        if len(scores.systems) < 2:
            raise AnalysisError("consequences need at least two runs; give another one, or none for the labels alone")
        return scores


def _decided(values: Floats, measure: str, design: Design) -> Ints:
    """+1, 0, -1: what `compare` says of every pair."""
    evidence = examine(values, measure, design, tables=1, draws=design.draws(1, values.shape[1]))
    p = settle([evidence], design).adjusted
    is_found = (p < design.alpha) & (evidence.direction * evidence.sample.mean > 0)
    return np.where(is_found, np.sign(evidence.sample.mean), 0).astype(np.int64)
