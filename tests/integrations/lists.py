"""Small learning-to-rank data: lists of documents with grades and features that say something about them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Lists(NamedTuple):
    features: np.ndarray
    grades: np.ndarray
    sizes: np.ndarray

    @property
    def groups(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.sizes)), self.sizes)


def ranked_lists(sizes=None, seed: int = 3) -> Lists:
    """Forty lists of many lengths unless `sizes` says otherwise; the first has no relevant document."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 30, 40) if sizes is None else np.asarray(sizes)
    grades = rng.integers(0, 5, lengths.sum())
    grades[: lengths[0]] = 0
    noise = rng.normal(0, 2, (len(grades), 4))
    noise[:, 0] += grades
    return Lists(noise, grades, lengths)
