"""Real scores that stand for a population: systems × topics, drawn from with replacement."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

import rankgauge

Matrix = NDArray[np.float64]
MATRICES = ("gt4ireval/adhoc3", "simIReff/web2010ap", "simIReff/web2010p20", "simIReff/web2010rr")
MORE_MATRICES = ("trec-web/adhoc7_ap", "trec-web/web2010_ndcg20", "trec-web/web2011_ndcg20")


@dataclass(frozen=True)
class Population:
    """`coarse` marks scores with few values, such as P@10: tests and intervals have the hardest time there."""

    name: str
    values: Matrix
    coarse: bool = False

    @property
    def means(self) -> Matrix:
        return self.values.mean(axis=1)

    def draw(self, random: np.random.Generator, queries: int) -> Matrix:
        """Scores on queries drawn with replacement, always the same queries for all systems."""
        return self.values[:, random.integers(0, self.values.shape[1], queries)]

    def alike(self) -> Population:
        """The same systems with every mean moved to that of all: scatter as it is, and no true difference."""
        return Population(self.name, self.values - self.means[:, None] + self.values.mean(), self.coarse)


def populations() -> Iterator[Population]:
    """Those in the folder that RANKGAUGE_DATA names, then a simulated one as a control."""
    folder = Path(os.environ["RANKGAUGE_DATA"])
    for name in (*MATRICES, *MORE_MATRICES):
        values = np.genfromtxt(folder / "gtheory" / f"{name}.csv", delimiter=",", skip_header=1).T
        yield Population(Path(name).name, values, coarse=name.endswith(("p20", "rr")))
    for number in (1, 2, 4, 5):
        rounds = folder / "trec-covid-rounds"
        yield from _evaluated(
            f"covid{number}", rounds / f"round{number}.qrels.gz", rounds / f"round{number}.runs.parquet"
        )
    random = np.random.default_rng(11)
    shape = (40, 50)
    values = 0.05 * random.normal(size=(40, 1)) + 0.1 * random.normal(size=50) + 0.15 * random.normal(size=shape)
    yield Population("normal (control)", values)


def _evaluated(name: str, judged: Path, runs: Path) -> Iterator[Population]:
    table = pl.read_parquet(runs)
    each = {str(system): part.drop("system") for (system,), part in table.partition_by("system", as_dict=True).items()}
    judgments = rankgauge.read_judgments(judged)
    scores = rankgauge.evaluate(judgments, each, ["nDCG@10", "P@5"])
    for measure, coarse in (("nDCG@10", False), ("P@5", True))[: 2 if name == "covid5" else 1]:
        values = scores.matrix(measure)
        # Systems that are copies of another say nothing new, and a pair of them has no scatter at all.
        distinct = np.unique(np.round(values, 9), axis=0)
        yield Population(f"{name} {measure}", distinct[~np.isnan(distinct).any(axis=1)], coarse)
