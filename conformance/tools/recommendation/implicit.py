"""implicit: ranking_metrics_at_k with a model that gives the lists back."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from given import CannotGiveError, Case, lists
from implicit.evaluation import ranking_metrics_at_k
from scipy.sparse import csr_matrix

TOOLS = ("implicit",)
PACKAGE = "implicit"
NAMES = {"nDCG@k": "ndcg", "AP@k": "map", "P@k": "precision"}


class _Lists:
    """A model whose recommendations are the lists of the case; an id of -1 ends one."""

    def __init__(self, lists: np.ndarray) -> None:
        self.lists = lists

    def recommend(self, users: Any, _rows: Any, N: int = 10, **_: Any) -> tuple[np.ndarray, np.ndarray]:
        found = self.lists[np.asarray(users), :N]
        return found, np.zeros(found.shape)


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    given = lists(case)
    if any(len(set(one.documents)) < len(one.documents) for one in given):
        raise CannotGiveError("a document twice in a list")
    names = {
        name: at for at, name in enumerate(dict.fromkeys(d for one in given for d in (*one.documents, *one.grades)))
    }
    rows = np.full((len(given), max(case["k"], *(len(one.documents) for one in given))), -1, np.int32)
    for at, one in enumerate(given):
        rows[at, : len(one.documents)] = [names[document] for document in one.documents]
    cells = [(at, names[document]) for at, one in enumerate(given) for document in one.relevant]
    test = csr_matrix((np.ones(len(cells)), tuple(zip(*cells, strict=True)) or ([], [])), (len(given), len(names)))

    def value(name: str) -> float:
        empty = csr_matrix(test.shape)
        found = ranking_metrics_at_k(_Lists(rows), empty, test, K=case["k"], show_progress=False, num_threads=1)
        return found[name]

    return {ours: partial(value, theirs) for ours, theirs in NAMES.items()}
