"""sample(): which queries should people judge? A random part of those that a machine judged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from rankgauge.data.judgments import Judgments
from rankgauge.errors import UsageError, plural
from rankgauge.tables import Shown
from rankgauge.tables.table import Column, Table


@dataclass(frozen=True, repr=False)
class QuerySample(Shown):
    """Queries drawn at random, in the order of the judgments."""

    _json_names: ClassVar = {"among": "queries_judged"}
    _json_also: ClassVar = ("summary",)

    seed: int
    among: int
    queries: tuple[str, ...]

    @property
    def summary(self) -> str:
        return f"{plural(len(self.queries), 'query')} of {self.among:,}, drawn at random with seed {self.seed}"

    def table(self) -> Table:
        """The queries under each other."""
        note = "people judge these; then compare HUMAN RUN... --judge, which holds for queries drawn at random"
        return Table((Column("query"),), tuple((query,) for query in self.queries), self.summary, (note,))

    def wide_table(self) -> Table:
        """The queries alone, as --only reads them."""
        return Table((Column("query"),), tuple((query,) for query in self.queries))

    def __repr__(self) -> str:
        return f"QuerySample({self.summary})"


def sample(judgments: Any, *, queries: int, seed: int = 7) -> QuerySample:
    """Draw queries at random for people to judge, from those that `judgments` (mostly a machine's) have."""
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    known = judged.queries
    if queries > len(known):
        raise UsageError(f"{plural(queries, 'query')} cannot be drawn: there are {len(known):,} judged ones.")
    drawn = np.sort(np.random.default_rng(seed).choice(len(known), queries, replace=False))
    return QuerySample(seed, len(known), tuple(known[at] for at in drawn))
