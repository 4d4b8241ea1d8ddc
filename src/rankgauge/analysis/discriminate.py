"""How many pairs of systems can a measure tell apart? Discriminative power by the paired bootstrap (Sakai 2006).

Every pair gets an achieved significance level (ASL): the share of resamples of its centred differences whose |t|
reaches the observed one. All pairs and measures share the same resamples of the queries.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rankgauge.analysis.compare.differences import paired_differences
from rankgauge.analysis.compare.findings import plain
from rankgauge.analysis.compare.options import checked_cube, checked_share
from rankgauge.analysis.compare.ranks import ranks_from_means
from rankgauge.analysis.compare.scores import cube_of, names_of
from rankgauge.analysis.compare.tests import squared_t
from rankgauge.analysis.score_table import ScoreTable, evaluation_notes
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.intervals import moments
from rankgauge.kernels.resampling import CELLS, ROUNDING, FloatArray, Progress, centre, count_blocks, studentised
from rankgauge.tables.notes import gathered
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Cell, Column, Table, number

# Pairs times samples in one matrix product: small arrays stay in the cache, and the product in one thread; on a busy
# machine starting threads costs far more than the product. With many queries the product is the greater part, and
# larger ones are faster: so many more cells for each query.
PAIR_CELLS = 8_000
CELLS_PER_QUERY = 100


@dataclass(frozen=True, slots=True)
class MeasureDiscrimination:
    """ASL of all pairs in descending order (the ASL curve), the pairs in that order, and what they add up to.

    `required_difference` is the difference of means that was enough for significance in every pair.
    """

    measure: str
    power: float
    required_difference: float
    asl: tuple[float, ...]
    pairs: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, object]:
        difference = plain(self.required_difference)
        return {"power": self.power, "required_difference": difference, "asl": list(self.asl)}


@dataclass(frozen=True, slots=True, repr=False)
class Discrimination(Shown):
    """Power of every measure on the same systems, queries and resamples; `dropped` queries miss some score.

    `notes` says how the scores were made.
    """

    systems: tuple[str, ...]
    queries: int
    dropped: int
    samples: int
    alpha: float
    seed: int
    measures: tuple[MeasureDiscrimination, ...]
    notes: tuple[str, ...] = ()

    @property
    def pairs(self) -> int:
        return len(self.systems) * (len(self.systems) - 1) // 2

    def to_dict(self) -> dict[str, object]:
        return {
            "systems": len(self.systems),
            "pairs": self.pairs,
            "queries": self.queries,
            "dropped": self.dropped,
            "samples": self.samples,
            "alpha": self.alpha,
            "seed": self.seed,
            "measures": {found.measure: found.to_dict() for found in self.measures},
            "notes": list(self.notes),
        }

    def table(self) -> Table:
        """The measures, most discriminating first."""
        columns = (Column("measure"), number("power"), number("pairs told apart"), number("required difference"))
        rows: list[tuple[Cell, ...]] = [
            (found.measure, found.power, round(found.power * self.pairs), found.required_difference)
            for found in sorted(self.measures, key=lambda found: -found.power)
        ]
        used = f"{len(self.systems)} systems, {self.pairs:,} pairs, {self.queries:,} queries"
        caption = f"discriminative power at α = {self.alpha:g}: {used}"
        method = f"paired bootstrap, {self.samples:,} samples, seed {self.seed}; p-values are not corrected"
        gaps = (f"queries without a score of some system or measure, left out: {self.dropped:,}",)
        return Table(columns, tuple(rows), caption, (method, *(gaps if self.dropped else ()), *self.notes))

    def pair_table(self) -> Table:
        """The achieved significance level of every pair, in the order of the ASL curve: for other programs."""
        columns = (Column("measure"), Column("system"), Column("baseline"), number("asl"))
        rows = tuple(
            (found.measure, *pair, asl)
            for found in self.measures
            for pair, asl in zip(found.pairs, found.asl, strict=True)
        )
        return Table(columns, rows)

    def __repr__(self) -> str:
        return "Discrimination(" + ", ".join(f"{found.measure}: {found.power:.3f}" for found in self.measures) + ")"


def discriminate_cube(
    values: npt.ArrayLike,
    systems: Sequence[str],
    measures: Sequence[str],
    *,
    top: int | None = None,
    samples: int = 1000,
    alpha: float = 0.05,
    seed: int = 7,
    add_one: bool = False,
    progress: Progress | None = None,
) -> Discrimination:
    """Power, required difference and ASL curve of every measure of a cube systems × queries × measures.

    `top` keeps the best systems by mean rank over the measures, so that all measures are judged on the same pairs. ASL
    is #/samples as Sakai defines it, 0 where no resample reaches the observed t; `add_one` makes it (1+#)/(1+samples).
    A query without a score in some cell is left out.
    """
    cube = checked_cube(values, systems, measures)
    checked_share(alpha, "alpha", "0.05")
    if samples < 1:
        raise UsageError(f"samples is {samples}; it must be at least 1, and 1,000 is usual.")
    complete = _complete(cube)
    chosen = _best(complete, top)
    found = []
    for k, measure in enumerate(measures):
        asl, required = achieved_levels(
            complete[chosen, :, k], samples=samples, alpha=alpha, seed=seed, add_one=add_one
        )
        found.append(_measure(measure, asl, required, [systems[i] for i in chosen], alpha))
        if progress is not None:
            progress(k + 1, len(measures))
    names, kept = tuple(systems[i] for i in chosen), complete.shape[1]
    return Discrimination(names, kept, cube.shape[1] - kept, samples, alpha, seed, tuple(found))


def achieved_levels(
    values: FloatArray, *, samples: int, alpha: float, seed: int, add_one: bool = False
) -> tuple[FloatArray, float]:
    """ASL of all pairs of rows (in the order of np.triu_indices), and the difference required at alpha.

    For the latter each pair takes the ceil(alpha·samples)-th largest |t| and the mean difference of that resample; the
    largest over the pairs is what any pair needs.
    """
    first, second = np.triu_indices(len(values), 1)
    asl, required = np.empty(len(first)), 0.0
    counts, block = _Counts(values.shape[1], samples, seed), max(1, 4 * CELLS // values.shape[1])
    for start in range(0, len(first), block):
        chosen = slice(start, start + block)
        differences = paired_differences(values[first[chosen]], values[second[chosen]])
        observed = squared_t(moments(differences)) * (1.0 - ROUNDING)
        asl[chosen], reached = counts.levels(centre(differences), observed, math.ceil(alpha * samples - 1e-9))
        required = max(required, float(reached.max()))
    return ((asl + 1.0) / (samples + 1.0) if add_one else asl / samples), required


class _Counts:
    """The bootstrap samples of one call, kept while they fit into memory and drawn again for each use where not."""

    def __init__(self, queries: int, samples: int, seed: int) -> None:
        self.queries, self.samples, self.seed = queries, samples, seed
        self.kept = list(self._draw()) if queries * samples <= 16 * CELLS else None

    def levels(self, centred: FloatArray, observed: FloatArray, place: int) -> tuple[FloatArray, FloatArray]:
        """How many t² reach the observed one, and |mean| where t² is the place-th largest; for every row."""
        found, reached = np.empty(len(centred)), np.empty(len(centred))
        step = max(1, min(max(PAIR_CELLS, CELLS_PER_QUERY * self.queries), CELLS) // self.samples)
        for start in range(0, len(centred), step):
            rows = slice(start, start + step)
            means, squared = self._studentised(centred[rows])
            found[rows] = np.count_nonzero(squared >= observed[rows, np.newaxis], axis=1)
            limit = np.partition(squared, self.samples - place, axis=1)[:, self.samples - place, np.newaxis]
            where = np.argmax(squared == limit, axis=1)
            reached[rows] = np.abs(means[np.arange(len(means)), where])
        return found, reached

    def _studentised(self, centred: FloatArray) -> tuple[FloatArray, FloatArray]:
        present = np.ones(centred.shape, dtype=bool)
        parts = [studentised(centred, present, counts) for counts in self.kept or self._draw()]
        if len(parts) == 1:
            return parts[0]
        means, squared = zip(*parts, strict=True)
        return np.concatenate(means, axis=1), np.concatenate(squared, axis=1)

    def _draw(self) -> Iterator[FloatArray]:
        return count_blocks(self.queries, self.samples, self.seed)


def asl_text(asl: float, samples: int) -> str:
    """An ASL to read: '<0.001' where none of 1,000 resamples reached the observed t."""
    return f"<{1 / samples:g}" if asl == 0.0 else f"{asl:.4g}"


def _complete(cube: FloatArray) -> FloatArray:
    complete = cube[:, ~np.isnan(cube).any(axis=2).any(axis=0)]
    if complete.shape[1] < 2:
        raise AnalysisError(
            f"only {complete.shape[1]} of {cube.shape[1]} queries have a score of every system on every measure, "
            "and two are needed. Leave out the system or measure that misses most, or count missing queries as 0."
        )
    return complete


def _best(cube: FloatArray, top: int | None) -> list[int]:
    if top is None:
        return list(range(len(cube)))
    if top < 2:
        raise UsageError(f"top is {top}; at least 2 systems are needed to make a pair.")
    standing = ranks_from_means(cube.mean(axis=1).T).mean(axis=0)
    return sorted(np.argsort(standing, kind="stable")[:top].tolist())


def _measure(
    measure: str, asl: FloatArray, required: float, systems: Sequence[str], alpha: float
) -> MeasureDiscrimination:
    first, second = np.triu_indices(len(systems), 1)
    order = np.argsort(-asl, kind="stable")
    pairs = tuple((systems[first[i]], systems[second[i]]) for i in order)
    return MeasureDiscrimination(measure, float(np.mean(asl < alpha)), required, tuple(asl[order].tolist()), pairs)


def discriminate(
    scores: ScoreTable,
    *,
    top: int | None = None,
    samples: int = 1000,
    alpha: float = 0.05,
    seed: int = 7,
    add_one: bool = False,
    progress: Progress | None = None,
) -> Discrimination:
    """What share of all pairs of systems does each measure tell apart? Sakai's paired bootstrap.

    `top` keeps the best systems by mean rank over the measures. The achieved significance level of a pair is
    #/samples, 0 where no resample reaches the observed t; `add_one` makes it (1+#)/(1+samples). A query without a score
    in some cell is left out.
    """
    found = discriminate_cube(
        cube_of(scores),
        scores.systems,
        names_of(scores),
        top=top,
        samples=samples,
        alpha=alpha,
        seed=seed,
        add_one=add_one,
        progress=progress,
    )
    return replace(found, notes=tuple(gathered(evaluation_notes(scores))))
