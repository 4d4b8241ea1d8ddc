"""A simulated collection with everything that makes engines differ, and every measure of the catalogue."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import polars as pl

from rankgauge import measures, simulate
from rankgauge.errors import MeasureError
from rankgauge.measures.measure import Measure

FURTHER = """nDCG(gain=exp, discount=zipf(1.3))@20 nDCG(relevance=phi, gain=exp) nDCG(discount=jk(3), gain=power(0.7))
    nDCG(discount=weights(3, 2, 0.5)) ERR(max=query) RBP(p=0.95) AP(rel=2) nDCG(gain=levels(1, 7))@5000
    ERR(relevance=phi) RBP(relevance=knots(0:0, 1:0.3, 3:1))"""


@dataclass(frozen=True)
class Awkward:
    judgments: dict[str, dict[str, float]]
    runs: dict[str, dict[str, dict[str, float]]]

    @property
    def judged(self) -> pl.DataFrame:
        return _frame(self.judgments, "value")

    @property
    def returned(self) -> pl.DataFrame:
        """All runs in one table, rows in no order."""
        parts = [_frame(run, "score").with_columns(system=pl.lit(name)) for name, run in self.runs.items()]
        return pl.concat(parts).sample(fraction=1, shuffle=True, seed=1)


def awkward(seed: int = 3, systems: int = 3, queries: int = 60) -> Awkward:
    """Ties by rounding, unjudged documents, negative grades, barren queries, missing and foreign ones, a rare top grade."""
    random = np.random.default_rng(seed)
    drawn = simulate(systems, queries, documents=60, seed=seed)
    judgments = {
        query: {name: float(grade) for name, grade in grades.items() if random.random() < 0.6}
        for query, grades in drawn.judgments().items()
    }
    names = list(judgments)
    for name in names:
        if name != names[7]:  # the top grade stands in one query only, so that other buckets must be told of it
            judgments[name] = {document: min(grade, 1.0) for document, grade in judgments[name].items()}
        first = next(iter(judgments[name]))
        judgments[name][first] = -1.0 if random.random() < 0.2 else judgments[name][first]
    judgments[names[3]] = dict.fromkeys(judgments[names[3]], 0.0)
    del judgments[names[5]]  # in the runs only
    runs = {
        system: {
            query: {name: round(score, 1) for name, score in found.items()}
            for query, found in run.items()
            if random.random() > 0.1
        }
        for system, run in drawn.runs(depth=50).items()
    }
    return Awkward(judgments, runs)


def every_measure() -> tuple[Measure, ...]:
    """Each definition without a cutoff and with some, where it has them, and curves of every family."""
    found: list[Measure] = []
    for definition in measures.catalogue():
        cutoffs = [None] if definition.cutoff is None else [None, 5, 20] if definition.cuts_ranks else [0.3]
        for cutoff in cutoffs:
            measure = Measure(definition) if cutoff is None else Measure(definition) @ cutoff
            try:
                found.append(measure.complete())
            except MeasureError:
                continue
    return (*found, *measures.parse_all(FURTHER))


def _frame(rows: dict[str, dict[str, float]], number: str) -> pl.DataFrame:
    flat = [(query, document, float(value)) for query, found in rows.items() for document, value in found.items()]
    return pl.DataFrame(flat, orient="row", schema={"query": pl.String, "document": pl.String, number: pl.Float64})


def same(one, other) -> bool:
    """Whether two Scores agree to the last bit, in whatever order they name queries and systems."""
    if set(one.queries) != set(other.queries) or set(one.systems) != set(other.systems):
        return False
    systems = [other.systems.index(name) for name in one.systems]
    place = {name: at for at, name in enumerate(other.queries)}
    queries = [place[name] for name in one.queries]
    return one.values.tobytes() == other.values[systems][:, queries].tobytes()


def told(notes) -> set[tuple[object, ...]]:
    """Notes without their examples, which follow the order of the queries."""
    return {(note.kind, note.system, note.measure, note.count, note.text.split(" (q")[0]) for note in notes}
