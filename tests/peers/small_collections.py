"""Random small collections: ties, unjudged documents, missing and unjudged queries, grades of every kind."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

Rows = dict[str, dict[str, float]]
GRADES = ((0, 1), (0, 0, 1, 2, 3), (-1, 0, 0, 1, 2, 4), (-2, 0, 1, 1), (0,))
DOCUMENTS = np.array([f"d{n}" for n in range(16)])


def small_collections(count: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
    """Judgments and a run of one to six queries each.

    Scores have few decimals, so that most collections have ties and single precision makes no difference. Every
    query has a judgment that is not negative: where it has none, pytrec_eval reads memory it never wrote.
    """
    rng = np.random.default_rng(seed)
    for _ in range(count):
        judged: Rows = {}
        run: Rows = {}
        grades, decimals = GRADES[rng.integers(len(GRADES))], int(rng.integers(0, 3))
        for query in map(str, rng.permutation(6)[: rng.integers(1, 7)]):
            if rng.random() < 0.9:
                values = rng.choice(grades, rng.integers(1, 12))
                values[0] = abs(values[0])
                judged[query] = dict(zip(rng.permutation(DOCUMENTS).tolist(), values.tolist(), strict=False))
            if rng.random() < 0.85:
                scores = rng.normal(0, 1, rng.integers(1, 14)).round(decimals)
                run[query] = dict(zip(rng.permutation(DOCUMENTS).tolist(), scores.tolist(), strict=False))
        if judged.keys() & run.keys():
            yield judged, run
