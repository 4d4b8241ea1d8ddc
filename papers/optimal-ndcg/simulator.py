"""Collections with known truth, of the sizes of the paper's three.

Relevant documents of a query are few or many (a negative binomial number), the better the grade the fewer. A system's
score for a document is its skill on this query times the document's grade, plus noise that all systems share and noise
of its own; so better systems rank relevant documents higher, at every depth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rankgauge.analysis.fractional.grades import RankedGrades

DOCUMENTS = 300
RANKS = 100
FRESH = 400  # further queries for the same systems, which no optimiser sees
GRADES = (1.0, 2.0)


@dataclass(frozen=True)
class Plan:
    """How a collection is made: the paper's sizes, and what makes the three differ."""

    name: str
    systems: int
    queries: int
    seed: int
    relevant: float = 25.0  # mean number of relevant documents, less 1
    higher: float = 0.35  # share of relevant documents with the better grade
    skill: float = 1.2  # mean, and standard deviations of system, query and their interaction
    of_system: float = 0.35
    of_query: float = 0.4
    of_both: float = 0.35


PLANS = (
    Plan("like TREC 9 (web)", 105, 50, 9),
    Plan("like TREC 10 (web)", 97, 50, 10, relevant=45.0, higher=0.25, of_system=0.45),
    Plan("like TREC 12 (robust)", 78, 100, 12, relevant=35.0, higher=0.2, skill=0.9, of_query=0.55),
)


@dataclass(frozen=True)
class Simulated:
    """The collection that is analysed, and the same systems on queries that are not."""

    plan: Plan
    grades: RankedGrades
    fresh: RankedGrades


def simulate(plan: Plan) -> Simulated:
    random = np.random.default_rng(plan.seed)
    queries = plan.queries + FRESH
    codes = np.zeros((plan.systems, queries, RANKS), dtype=np.int8)
    pool = np.zeros((queries, len(GRADES)), dtype=np.int64)
    systems, ease = random.normal(0, plan.of_system, plan.systems), random.normal(0, plan.of_query, queries)
    for query in range(queries):
        grade = _judged(plan, random)
        skill = np.maximum(0, plan.skill + systems + ease[query] + random.normal(0, plan.of_both, plan.systems))
        worth = np.where(grade > 0, 1 + 0.25 * (grade - 1), 0)
        shared = np.sqrt(0.3) * random.normal(size=DOCUMENTS)
        own = np.sqrt(0.7) * random.normal(size=(plan.systems, DOCUMENTS))
        order = np.argsort(-(skill[:, None] * worth + shared + own), axis=1)[:, :RANKS]
        codes[:, query] = grade[order]
        pool[query] = [(grade == level).sum() for level in (1, 2)]
    whole = RankedGrades(codes, GRADES, pool)
    analysed = np.arange(queries) < plan.queries
    return Simulated(plan, whole.select(analysed), whole.select(~analysed))


def _judged(plan: Plan, random: np.random.Generator) -> NDArray[np.int64]:
    shape = 1.5
    relevant = min(DOCUMENTS, 1 + int(random.negative_binomial(shape, shape / (shape + plan.relevant))))
    grade = np.zeros(DOCUMENTS, dtype=np.int64)
    grade[:relevant] = 1 + (random.random(relevant) < plan.higher)
    return grade
