"""Lists with tie groups, and everything that may become of them."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
from hypothesis import strategies as st

from rankgauge.kernels.hits import Hits, Pool, pool_of

grades = st.sampled_from([None, None, -1, 0, 1, 1, 2])
groups = st.lists(st.lists(grades, min_size=1, max_size=4), min_size=1, max_size=3).filter(
    lambda gs: sum(map(len, gs)) <= 6
)


def open_hits(tie_groups) -> Hits:
    """One query whose groups of documents (None = unjudged) are tied among themselves."""
    rows, above = [], 0
    for group in tie_groups:
        rows += [
            (above + at, grade, above + 1, above + len(group)) for at, grade in enumerate(group, 1) if grade is not None
        ]
        above += len(group)
    rank, value, first, last = (np.array(column) for column in zip(*rows, strict=True)) if rows else (np.empty(0),) * 4
    whole = [column.astype(np.int64) for column in (rank, first, last)]
    return Hits(
        np.zeros(len(rows), np.int64), whole[0], value.astype(np.float64), whole[1], whole[2], np.array([above])
    )


def settled_hits(order) -> Hits:
    return open_hits([[grade] for grade in order])


def orders(tie_groups):
    """Every order of the list that the ties allow."""
    for chosen in product(*(list(permutations(group)) for group in tie_groups)):
        yield [grade for group in chosen for grade in group]


def pool_for(hits: Hits, *others: float) -> Pool:
    value = np.concatenate((hits.value, np.array(others, np.float64)))
    return pool_of(np.zeros(len(value), np.int64), value, 1)


def mean_over_orders(tie_groups, of) -> float:
    values = [of(settled_hits(order)) for order in orders(tie_groups)]
    return sum(values) / len(values)


def stacked(parts: list[Hits]) -> Hits:
    """Lists of one query each as the queries of one run."""
    names = ("rank", "value", "first", "last", "retrieved")
    query = np.repeat(np.arange(len(parts)), [len(part.rank) for part in parts])
    return Hits(query, *(np.concatenate([getattr(part, name) for part in parts]) for name in names))
