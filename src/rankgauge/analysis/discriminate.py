"""How many pairs of systems can a measure separate? Discriminative power by the paired bootstrap (Sakai 2006).

Every pair gets an achieved significance level (ASL): the share of resamples of its centred differences whose |t|
reaches the observed one. All pairs and measures share the same resamples of the queries.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rankgauge.analysis.compare.statistics.ranks import ranks_from_means
from rankgauge.analysis.compare.statistics.tests import paired_differences, squared_t
from rankgauge.analysis.score_table import Measures, check_pairs, checked_table, evaluation_notes, names_of, scores_from
from rankgauge.arrays import Floats
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, many, plural
from rankgauge.evaluation.intervals import moments
from rankgauge.kernels.resampling import CELLS, ROUNDING, Progress, centre, count_blocks, studentised
from rankgauge.tables import ByMeasure, Plain
from rankgauge.tables.notes import NOUNS, Note, gathered
from rankgauge.tables.table import Cell, Column, Table, number

# Pairs times samples in one matrix product: small arrays stay in the cache, and the product in one thread; on a busy
# machine starting threads costs far more than the product. With many queries the product is the greater part, and
# larger ones are faster: these are the extra cells for each query.
PAIR_CELLS = 8_000
CELLS_PER_QUERY = 100


@dataclass(frozen=True, slots=True)
class MeasureDiscrimination(Plain):
    """ASL of all pairs in descending order (the ASL curve), the pairs in that order, and what they add up to.

    `required_difference` is the difference of means that was enough for significance in every pair.
    """

    _json_names: ClassVar = {"measure": None, "pairs": None}

    measure: str
    power: float
    required_difference: float
    asl: tuple[float, ...]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, repr=False)
class Discrimination(ByMeasure[MeasureDiscrimination]):
    """Power of every measure on the same systems, queries and resamples; `dropped` queries lack some score.

    `notes` says how the scores were computed.
    """

    _json_names: ClassVar = {
        "parts": "measures",
        "query_count": "queries",
        "systems": None,
        "system_count": "systems",
        "noun": None,
    }
    _json_also: ClassVar = ("system_count", "pairs")

    systems: tuple[str, ...]
    query_count: int
    dropped: int
    samples: int
    alpha: float
    seed: int
    parts: tuple[MeasureDiscrimination, ...]
    notes: tuple[Note, ...] = ()
    noun: str = NOUNS[0]
    """What a reader calls a query."""

    @property
    def system_count(self) -> int:
        return len(self.systems)

    @property
    def pairs(self) -> int:
        return len(self.systems) * (len(self.systems) - 1) // 2

    def table(self) -> Table:
        """The measures, most discriminating first."""
        columns = (Column("measure"), number("power"), number("pairs separated"), number("required difference"))
        rows: list[tuple[Cell, ...]] = [
            (found.measure, found.power, round(found.power * self.pairs), found.required_difference)
            for found in sorted(self.parts, key=lambda found: -found.power)
        ]
        used = f"{len(self.systems)} systems, {self.pairs:,} pairs, {plural(self.query_count, self.noun)}"
        caption = f"discriminative power at α = {self.alpha:g}: {used}"
        method = f"paired bootstrap, {self.samples:,} samples, seed {self.seed}; p-values are not corrected"
        gaps = (f"{many(self.noun)} without a score for some system or measure, left out: {self.dropped:,}",)
        notes = (method, *(gaps if self.dropped else ()), *gathered(self.notes))
        return Table(columns, tuple(rows), caption, notes)

    def pair_table(self) -> Table:
        """The achieved significance level of every pair, in the order of the ASL curve: for other programs."""
        columns = (Column("measure"), Column("system"), Column("baseline"), number("asl"))
        rows = tuple(
            (found.measure, *pair, asl)
            for found in self.parts
            for pair, asl in zip(found.pairs, found.asl, strict=True)
        )
        return Table(columns, rows)

    def __repr__(self) -> str:
        return "Discrimination(" + ", ".join(f"{found.measure}: {found.power:.3f}" for found in self.parts) + ")"


def discriminate(
    scores: Any,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    top: int | None = None,
    samples: int = 1000,
    alpha: float = 0.05,
    seed: int = 7,
    add_one: bool = False,
    progress: Progress | None = None,
) -> Discrimination:
    """Measure what share of all pairs of systems each measure separates, by Sakai's paired bootstrap."""
    table = scores_from(scores, runs, measures, policy=policy, like=like, only=only)
    cube = checked_table(table, "discriminative power")
    complete = _complete(cube)
    chosen = _best(complete, top)
    check_pairs(len(chosen), "keep the best with top=1000 (--top 1000)")
    names = tuple(table.systems[i] for i in chosen)
    found = []
    for k, measure in enumerate(names_of(table)):
        asl, required = achieved_levels(
            complete[chosen, :, k], samples=samples, alpha=alpha, seed=seed, add_one=add_one
        )
        found.append(_measure(measure, asl, required, names, alpha))
        if progress is not None:
            progress(k + 1, len(table.measures))
    kept = complete.shape[1]
    return Discrimination(
        names, kept, cube.shape[1] - kept, samples, alpha, seed, tuple(found), evaluation_notes(table), table.about.noun
    )


def achieved_levels(
    values: Floats, *, samples: int, alpha: float, seed: int, add_one: bool = False
) -> tuple[Floats, float]:
    """ASL of all pairs of rows (in the order of np.triu_indices), and the difference required at alpha.

    For the latter each pair takes the ceil(alpha·samples)-th largest |t| and the mean difference of that resample; the
    largest over the pairs is what any pair needs.
    """
    first, second = np.triu_indices(len(values), 1)
    asl, required = np.empty(len(first)), 0.0
    counts, block = _Resamples(values.shape[1], samples, seed), max(1, 4 * CELLS // values.shape[1])
    for start in range(0, len(first), block):
        chosen = slice(start, start + block)
        differences = paired_differences(values[first[chosen]], values[second[chosen]])
        observed = squared_t(moments(differences)) * (1.0 - ROUNDING)
        asl[chosen], reached = counts.levels(centre(differences), observed, max(1, math.ceil(alpha * samples - 1e-9)))
        required = max(required, float(reached.max()))
    return ((asl + 1.0) / (samples + 1.0) if add_one else asl / samples), required


class _Resamples:
    """The bootstrap samples of one call, kept while they fit into memory and drawn again for each use where not."""

    def __init__(self, queries: int, samples: int, seed: int) -> None:
        self.queries, self.samples, self.seed = queries, samples, seed
        self.kept = list(self._draw()) if queries * samples <= 16 * CELLS else None

    def levels(self, centred: Floats, observed: Floats, place: int) -> tuple[Floats, Floats]:
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

    def _studentised(self, centred: Floats) -> tuple[Floats, Floats]:
        present = np.ones(centred.shape, dtype=bool)
        parts = [studentised(centred, present, counts) for counts in self.kept or self._draw()]
        if len(parts) == 1:
            return parts[0]
        means, squared = zip(*parts, strict=True)
        return np.concatenate(means, axis=1), np.concatenate(squared, axis=1)

    def _draw(self) -> Iterator[Floats]:
        return count_blocks(self.queries, self.samples, self.seed)


def _complete(cube: Floats) -> Floats:
    complete = cube[:, ~np.isnan(cube).any(axis=2).any(axis=0)]
    if complete.shape[1] < 2:
        raise AnalysisError(
            f"only {complete.shape[1]} of {cube.shape[1]} queries have a score of every system on every measure, "
            "and two are needed. Leave out the system or measure that misses most, or count missing queries as 0."
        )
    return complete


def _best(cube: Floats, top: int | None) -> list[int]:
    if top is None:
        return list(range(len(cube)))
    standing = ranks_from_means(cube.mean(axis=1).T).mean(axis=0)
    return sorted(np.argsort(standing, kind="stable")[:top].tolist())


def _measure(measure: str, asl: Floats, required: float, systems: Sequence[str], alpha: float) -> MeasureDiscrimination:
    first, second = np.triu_indices(len(systems), 1)
    order = np.argsort(-asl, kind="stable")
    pairs = tuple((systems[first[i]], systems[second[i]]) for i in order)
    return MeasureDiscrimination(measure, float(np.mean(asl < alpha)), required, tuple(asl[order].tolist()), pairs)
