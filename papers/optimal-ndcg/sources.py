"""Where the collections come from: TREC-COVID rounds 1 to 5, files named by whoever holds others, and simulations."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge import Run
from rankgauge.analysis.optimize.ranked_grades import RankedGrades, read_collection
from rankgauge.analysis.simulate import SimulatedCollection, Strengths, simulate

RANKS = 100
ROUNDS = (1, 2, 3, 4, 5)


@dataclass(frozen=True)
class Source:
    """Judgments and runs of one collection; `digest` is a hash of the files, so that a page can say what it was made from."""

    name: str
    judgments: Path
    runs: tuple[Path, ...]

    @property
    def digest(self) -> str:
        found = hashlib.sha256()
        for path in (self.judgments, *self.runs):
            found.update(path.read_bytes())
        return found.hexdigest()[:12]

    def grades(self, ranks: int = RANKS) -> RankedGrades:
        """The ranked grades of every system in every query that has a relevant document."""
        return read_collection(self.judgments, self._runs(), f"nDCG@{ranks}").grades.with_relevant()

    def _runs(self) -> Any:
        if len(self.runs) > 1 or self.runs[0].suffix != ".parquet":
            return list(self.runs)
        import polars as pl

        parts = pl.read_parquet(self.runs[0]).partition_by("system", as_dict=True)
        return [Run(part.drop("system"), name=str(name)) for (name,), part in sorted(parts.items())]


def rounds() -> list[Source]:
    """TREC-COVID rounds 1 to 5, if RANKGAUGE_DATA names the folder that holds them."""
    named = os.environ.get("RANKGAUGE_DATA")
    if not named:
        return []
    third, others = Path(named) / "trec-covid-round3", Path(named) / "trec-covid-rounds"
    found = {
        number: Source(f"round {number}", others / f"round{number}.qrels.gz", (others / f"round{number}.runs.parquet",))
        for number in ROUNDS
    }
    found[3] = Source("round 3", third / "qrels.txt.gz", tuple(sorted((third / "runs").glob("*.gz"))))
    return [found[number] for number in ROUNDS if found[number].judgments.is_file()]


def named(words: Sequence[str]) -> Source:
    """`--collection NAME QRELS RUNS…`"""
    name, judgments, *runs = words
    return Source(name, Path(judgments), tuple(map(Path, runs)))


@dataclass(frozen=True)
class Plan:
    """A simulated collection of the size of one of the paper's; everything else is our choice, and printed on the page."""

    name: str
    systems: int
    queries: int
    relevant: float
    high: float
    strengths: Strengths
    lift: float = 0.25


# The 50 queries of TREC 12 are those with three grades: the paper leaves the other 50 out (its footnote 1).
PLANS = (
    Plan("size of TREC 9", 105, 50, 25.0, 0.35, Strengths()),
    Plan("size of TREC 10", 97, 50, 45.0, 0.25, Strengths(system=0.45)),
    Plan("size of TREC 12", 78, 50, 35.0, 0.2, Strengths(base=0.9, query=0.55)),
)
SEEDS = range(1, 11)
FRESH = 200  # further queries for the same systems, which no search sees: the known truth


def simulated(plan: Plan) -> Iterator[tuple[RankedGrades, RankedGrades]]:
    """For every seed, the collection that is searched, and the same systems on fresh queries."""
    for seed in SEEDS:
        whole = _grades_of(
            simulate(
                plan.systems,
                plan.queries + FRESH,
                documents=200,
                relevant=plan.relevant,
                high=plan.high,
                strengths=plan.strengths,
                lift=plan.lift,
                seed=seed,
            )
        )
        searched = np.arange(whole.queries) < plan.queries
        yield whole.select(searched), whole.select(~searched)


def _grades_of(collection: SimulatedCollection) -> RankedGrades:
    """The best documents of every system as grades; dictionaries of millions of documents would only take time."""
    order = np.argsort(-collection.scores, axis=2, kind="stable")[:, :, :RANKS]
    codes = np.take_along_axis(collection.grades[None], order, axis=2)
    pool = np.stack([(collection.grades == grade).sum(axis=1) for grade in (1, 2)], axis=1)
    return RankedGrades(codes, (1.0, 2.0), pool)
