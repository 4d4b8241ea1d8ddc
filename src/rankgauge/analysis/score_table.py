"""What an analysis asks of scores, evaluated here or read from a file, and which of them take part."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.scores import Scores
from rankgauge.tables.notes import UNRECORDED, Note

Matrix = NDArray[np.float64]
Positions = NDArray[np.intp]


class ScoreTable(Protocol):
    """Named systems, queries and measures, and for every measure a matrix systems × queries; nan = left out."""

    @property
    def systems(self) -> Sequence[str]: ...

    @property
    def queries(self) -> Sequence[str]: ...

    @property
    def measures(self) -> Sequence[Any]: ...

    def matrix(self, measure: Any, /) -> Matrix: ...


def evaluation_notes(scores: ScoreTable) -> tuple[Note, ...]:
    """How these scores were made, for printing under what is made of them; nothing for scores made elsewhere."""
    if not isinstance(scores, Scores):
        return ()
    policy, *_ = scores.remarks()
    # Analyses count every query once; what scores say of their own means would be untrue of them.
    apart = {"weights", UNRECORDED}
    return (Note("policy", policy), *(note for note in scores.notes if note.kind not in apart))


def complete_queries(values: Matrix, measure: str) -> Positions:
    """Queries with a score for every system; a gap for one leaves the query out for all, so that means compare."""
    if values.ndim != 2:
        raise UsageError(f"{measure}: scores must be a matrix, systems × queries, not an array of shape {values.shape}")
    if np.isinf(values).any():
        system, query = np.argwhere(np.isinf(values))[0]
        raise AnalysisError(f"{measure}: the score of system {system + 1} on query {query + 1} is infinite")
    systems, queries = values.shape
    if systems < 2:
        raise AnalysisError(f"{measure}: systems to compare: {systems}; at least 2 are needed\nAdd another run.")
    complete = np.flatnonzero(~np.isnan(values).any(axis=0))
    if len(complete) < 2:
        gaps = queries - len(complete)
        because = f" ({gaps} of {queries} lack a score for some system)" if gaps else ""
        raise AnalysisError(
            f"{measure}: queries to use: {len(complete)}{because}; at least 2 are needed\nAdd queries or fill the gaps."
        )
    return complete


def best_systems(values: Matrix, drop: float, measure: str) -> Positions:
    """Systems that stay when this share of them, the worst by mean and rounded up, is left out; in their own order."""
    if not 0 <= drop < 1:
        raise UsageError(f"drop must be a share from 0 to below 1, not {drop!r}\nUse 0.25 for the worst quarter.")
    systems = len(values)
    # The guard keeps a share such as 0.07 of 100 systems from being rounded up by its last bit.
    left_out = math.ceil(systems * drop - 1e-9)
    if systems - left_out < 2:
        raise AnalysisError(
            f"{measure}: without the worst {left_out} of {systems} systems fewer than 2 are left\nDrop a smaller share."
        )
    best_first = np.argsort(-values.mean(axis=1), kind="stable")
    return np.sort(best_first[: systems - left_out])
