"""The options of a comparison, examined once: what is compared with what, by which test."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rankgauge.analysis.compare.statistics.families import FAMILY_TESTS
from rankgauge.analysis.score_table import check_pairs, position
from rankgauge.arrays import Ints
from rankgauge.errors import UsageError
from rankgauge.kernels.resampling import lattice_cost
from rankgauge.tables.notes import Note

TESTS_OF_MEANS = ("sign-flip", "bootstrap", "t")
SAMPLED_TESTS = ("sign-flip", "bootstrap", "randomised-tukey")
USUAL_SAMPLES, MOST_SAMPLES = 10_000, 1_000_000
# Samples times queries: a few seconds.
MOST_DRAWN = 200_000_000
# Additions on the lattice of sign flips: two seconds.
MOST_LATTICE = 2e9
# Additions for one pair: a millisecond. Samples fine enough to decide one of thousands of pairs take longer.
EASY_LATTICE = 1e6
# From this many queries on, the sign-flip test may take its normal limit; bounds say how far that can be off.
NORMAL_FROM = 20_000
TUKEY = "{} takes one error for all pairs: a pair that scatters more than the others is found too often"
CAUTIONS = {
    "wilcoxon": "wilcoxon tests whether the differences are symmetric about 0, not their mean: where they are skewed it"
    " finds a difference between equal means in up to 31% of cases",
    **{test: TUKEY.format(test) for test in FAMILY_TESTS},
}
BAYES = (
    "probabilities: true means of the systems are normal with an unknown variance, so noisy differences shrink"
    " towards 0; they need no correction for many comparisons"
)


@dataclass(frozen=True, slots=True)
class Draws:
    """Samples for every pair, and for those whose p-value came near the limit."""

    first: int
    finer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Which systems are compared on which measures, and how; `rankgauge.compare` explains the fields."""

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    baseline: str | None = None
    all_pairs: bool = False
    test: str = "sign-flip"
    correction: str = ""
    confidence: float = 0.95
    seed: int = 7
    equivalence: float | None = None
    samples: int | None = None
    interval: str = "t"
    interval_for: str = "verdict"
    correction_within: str = "all"
    bayes: bool = False

    def __post_init__(self) -> None:
        if self.correction == "max-t" and self.test not in TESTS_OF_MEANS:
            raise UsageError(f"max-t is about means, and {self.test} is not\nUse sign-flip, bootstrap or t.")
        if self.baseline is not None:
            position(self.baseline, self.systems, "baseline")
        if self.all_pairs:
            check_pairs(len(self.systems), "name a baseline")

    def corrected(self, tables: int, *, judge: bool) -> Design:
        """With the correction that is usual for this many tables of scores, unless one was named.

        Max-t where there is something to resample together: several means on the same queries, not combined with a judge's.
        """
        if self.correction:
            return self
        slices = tables // len(self.measures)
        together = len(self.pairs) * (len(self.measures) if self.correction_within == "all" else 1)
        if slices * together == 1:
            return replace(self, correction="none")
        apart = together == 1 or judge or self.test not in TESTS_OF_MEANS
        return replace(self, correction="holm" if apart else "max-t")

    @property
    def judged_together(self) -> bool:
        """Whether the p-values of one table already hold for all its pairs."""
        return self.test in FAMILY_TESTS or self.correction == "max-t"

    def family(self, tables: int) -> int:
        """Of this many tables of scores (measures × slices), how many are corrected together."""
        return tables // len(self.measures) if self.correction_within == "measure" else tables

    @property
    def alpha(self) -> float:
        return 1.0 - self.confidence

    @property
    def reference(self) -> str | None:
        """The baseline of the result: the first system unless another is named; none among all pairs unless named."""
        return self.systems[0] if self.baseline is None and not self.all_pairs else self.baseline

    @property
    def pairs(self) -> Ints:
        """Rows (system, what it is compared with): the baseline, else the earlier of the two, is subtracted."""
        first = 0 if self.baseline is None else self.systems.index(self.baseline)
        order = np.array([first, *(i for i in range(len(self.systems)) if i != first)])
        if not self.all_pairs:
            return np.column_stack([order[1:], np.full(len(order) - 1, first)])
        subtracted, system = np.triu_indices(len(order), 1)
        return np.column_stack([order[system], order[subtracted]])

    @property
    def named_pairs(self) -> list[tuple[str, str]]:
        return [(self.systems[system], self.systems[other]) for system, other in self.pairs.tolist()]

    def draws(self, tables: int, queries: int) -> Draws | None:
        """Samples of the test over this many tables of scores (measures × slices); None for a test without samples.

        The smallest p-value is 1/(1+samples), and a correction multiplies it by up to `factor`. By default,
        pairs that come near the limit are sampled again, 20 times finer than that limit.
        """
        if self.test not in SAMPLED_TESTS or (self.samples is None and self._by_lattice(tables, queries)):
            return None
        first = USUAL_SAMPLES if self.samples is None else self.samples
        finer = math.ceil(20.0 * self.factor(tables) / self.alpha)
        cells = queries * len(self.systems) if self.test in FAMILY_TESTS else queries
        return Draws(first, first if self.samples is not None else max(first, min(finer, self.most_samples(cells))))

    def notes(self, draws: Draws | None, tables: int) -> list[Note]:
        """What the method chosen cannot show."""
        notes = [Note("bayes", BAYES)] if self.bayes else []
        factor = self.repeats(tables) if self.correction == "max-t" else self.factor(tables)
        if draws is None or factor / (1 + draws.finer) < self.alpha:
            return notes
        smallest, enough = min(1.0, factor / (1 + draws.finer)), math.ceil(20.0 * factor / self.alpha)
        limit = f"{draws.finer:,} samples cannot give an adjusted p below {smallest:.2g}, so pairs stay undecided"
        return [*notes, Note("few-samples", f"{limit}; use {enough:,}, or another test.", draws.finer)]

    @property
    def cautions(self) -> list[Note]:
        """When not to use a test, said where it was chosen."""
        return [Note("test-caution", f"{CAUTIONS[self.test]}.")] if self.test in CAUTIONS else []

    def most_samples(self, cells: int) -> int:
        """Samples that a few seconds allow, when each draws so many numbers."""
        return max(USUAL_SAMPLES, min(MOST_SAMPLES, MOST_DRAWN // cells))

    def _by_lattice(self, tables: int, queries: int) -> bool:
        """Whether sign flips need no samples: their distribution is computed, unless that would take too long, and with
        very many queries it is normal.
        """
        each = lattice_cost(queries)
        is_short = each <= EASY_LATTICE or tables * len(self.pairs) * each <= MOST_LATTICE
        return self.test == "sign-flip" and (is_short or queries >= NORMAL_FROM)

    def factor(self, tables: int) -> int:
        """The largest factor that the correction puts on a p-value; Tukey's tests correct within a table themselves."""
        if self.correction == "none":
            return 1
        return tables if self.test in FAMILY_TESTS else tables * len(self.pairs)

    def repeats(self, tables: int) -> int:
        """How many families of pairs, each judged together, these tables are: max-t takes in all measures of a slice."""
        if self.correction == "max-t" and self.correction_within == "all":
            return tables // len(self.measures)
        return 1 if self.correction == "none" else tables
