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


def ranked_lists(sizes=None, seed: int = 3, *, barren: bool = True) -> Lists:
    """The first list has no relevant document if `barren`; otherwise every list has one."""
    rng = np.random.default_rng(seed)
    lengths = rng.integers(1, 30, 40) if sizes is None else np.asarray(sizes)
    grades = rng.integers(0, 5, lengths.sum())
    if barren:
        grades[: lengths[0]] = 0
    else:
        grades[np.cumsum(lengths) - 1] = 2
    noise = rng.normal(0, 2, (len(grades), 4))
    noise[:, 0] += grades
    return Lists(noise, grades, lengths)
