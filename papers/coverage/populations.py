"""Real scores that stand for a population: systems × topics, drawn from with replacement."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

import rankgauge

Matrix = NDArray[np.float64]
MATRICES = ("gt4ireval/adhoc3", "simIReff/web2010ap", "simIReff/web2010p20", "simIReff/web2010rr")
MORE_MATRICES = ("trec-web/adhoc7_ap", "trec-web/web2010_ndcg20", "trec-web/web2011_ndcg20")
ROUNDS = (1, 2, 4, 5)
CONTROL = "normal (control)"


@dataclass(frozen=True)
class Population:
    """Scores of all topics there are: what is true of the systems is known."""

    name: str
    values: Matrix

    @property
    def means(self) -> Matrix:
        return self.values.mean(axis=1)

    def draw(self, random: np.random.Generator, queries: int) -> Matrix:
        """Scores on queries drawn with replacement, always the same queries for all systems."""
        return self.values[:, random.integers(0, self.values.shape[1], queries)]

    def alike(self) -> Population:
        """The same systems with every mean moved to that of all: scatter as it is, and no true difference."""
        return Population(self.name, self.values - self.means[:, None] + self.values.mean())


def populations() -> Iterator[Population]:
    """Those in the folder that RANKGAUGE_DATA names, the example in the package, and a control."""
    folder = Path(os.environ["RANKGAUGE_DATA"])
    for name in (*MATRICES, *MORE_MATRICES):
        values = np.genfromtxt(folder / "gtheory" / f"{name}.csv", delimiter=",", skip_header=1).T
        yield Population(Path(name).name, values)
    rounds = folder / "trec-covid-rounds"
    for number in ROUNDS:
        systems = pl.read_parquet(rounds / f"round{number}.runs.parquet").partition_by("system", as_dict=True)
        runs = {str(system): part.drop("system") for (system,), part in systems.items()}
        measures = ("nDCG@10", "P@5") if number == 5 else ("nDCG@10",)
        yield from _evaluated(f"covid{number}", rounds / f"round{number}.qrels.gz", runs, measures)
    for name, judged, runs in (
        ("covid3", folder / "trec-covid-round3" / "qrels.txt.gz", folder / "trec-covid-round3" / "runs"),
        ("clef2015", next((folder / "clef-ehealth-2015").glob("qrels*")), folder / "clef-ehealth-2015" / "runs"),
        ("dl21", folder / "judges" / "dl21" / "human.qrels.gz", folder / "judges" / "dl21" / "runs"),
    ):
        yield from _evaluated(name, judged, sorted(runs.iterdir()), ("nDCG@10",))
    example = rankgauge.examples.load()
    yield from _evaluated("example", example.judgments, example.runs, ("nDCG@10",))
    random = np.random.default_rng(11)
    shape = (40, 50)
    values = 0.05 * random.normal(size=(40, 1)) + 0.1 * random.normal(size=50) + 0.15 * random.normal(size=shape)
    yield Population(CONTROL, values)


def _evaluated(name: str, judgments: Any, runs: Any, measures: tuple[str, ...]) -> Iterator[Population]:
    scores = rankgauge.evaluate(judgments, runs, list(measures))
    for measure in measures:
        values = scores.matrix(measure)
        # Systems that are copies of another say nothing new, and a pair of them has no scatter at all.
        distinct = np.unique(np.round(values[:, ~np.isnan(values).any(axis=0)], 9), axis=0)
        yield Population(f"{name} {measure}", distinct)
