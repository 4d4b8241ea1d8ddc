"""Where the collections come from: three simulated ones of the paper's sizes, and TREC-COVID round 3 where it is at hand."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rankgauge.analysis.optimize.ranked_grades import RankedGrades, read_collection
from rankgauge.analysis.simulate import SimulatedCollection, Strengths, simulate

RANKS = 100
FRESH = 400  # further queries for the same systems, which no optimiser sees


@dataclass(frozen=True)
class Plan:
    """The paper's sizes, and what makes the three collections differ."""

    name: str
    systems: int
    queries: int
    seed: int
    relevant: float = 25.0
    high: float = 0.35
    strengths: Strengths = Strengths()  # noqa: RUF009 - it cannot be changed


PLANS = (
    Plan("like TREC 9 (web)", 105, 50, 9),
    Plan("like TREC 10 (web)", 97, 50, 10, relevant=45.0, high=0.25, strengths=Strengths(system=0.45)),
    Plan("like TREC 12 (robust)", 78, 100, 12, relevant=35.0, high=0.2, strengths=Strengths(base=0.9, query=0.55)),
)


def simulated(plan: Plan) -> tuple[RankedGrades, RankedGrades]:
    """The collection that is analysed, and the same systems on queries that are not."""
    whole = grades_of(
        simulate(
            plan.systems,
            plan.queries + FRESH,
            relevant=plan.relevant,
            high=plan.high,
            strengths=plan.strengths,
            seed=plan.seed,
        )
    )
    analysed = np.arange(whole.queries) < plan.queries
    return whole.select(analysed), whole.select(~analysed)


def grades_of(collection: SimulatedCollection) -> RankedGrades:
    """The best documents of every system as grades; dictionaries of five million documents would only take time."""
    order = np.argsort(-collection.scores, axis=2, kind="stable")[:, :, :RANKS]
    codes = np.take_along_axis(collection.grades[None], order, axis=2)
    pool = np.stack([(collection.grades == grade).sum(axis=1) for grade in (1, 2)], axis=1)
    return RankedGrades(codes, (1.0, 2.0), pool)


def trec_covid() -> RankedGrades | None:
    """TREC-COVID round 3, if RANKGAUGE_DATA names the folder that holds it."""
    named = os.environ.get("RANKGAUGE_DATA")
    folder = Path(named) / "trec-covid-round3" if named else None
    if folder is None or not folder.is_dir():
        return None
    return read_collection(folder / "qrels.txt.gz", sorted((folder / "runs").glob("*.gz")), f"nDCG@{RANKS}").grades
