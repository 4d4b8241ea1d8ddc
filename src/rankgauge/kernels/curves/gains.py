"""Relevance to gain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rankgauge.errors import MeasureError

if TYPE_CHECKING:
    from rankgauge.arrays import Floats


def exp(relevance: Floats) -> Floats:
    """2 ** relevance - 1: Burges et al. 2005."""
    if np.any(relevance >= 1024):
        raise MeasureError(
            f"gain=exp of relevance {relevance.max():g} is beyond double precision.\n"
            "Use gain=linear, or relevance=phi for raw scores."
        )
    return np.exp2(relevance) - 1


def binary(relevance: Floats, threshold: float | None = None) -> Floats:
    """1 from the threshold on, or above 0."""
    return (relevance > 0 if threshold is None else relevance >= threshold).astype(np.float64)


def same(relevance: Floats) -> Floats:
    """1 for every judged document, whatever its grade."""
    return np.ones_like(relevance)


def power(relevance: Floats, exponent: float) -> Floats:
    """relevance ** exponent."""
    return relevance**exponent


def levels(relevance: Floats, *given: float) -> Floats:
    """The gains of grades 1, 2, …; grade 0 gains nothing."""
    grade = relevance.astype(np.int64)
    if np.any(grade != relevance):
        odd = relevance[grade != relevance][0]
        raise MeasureError(f"gain=levels(…) needs whole grades, but a relevance of {odd:g} was judged.")
    if len(grade) and grade.max() > len(given):
        raise MeasureError(
            f"gain=levels(…) names {len(given)} gains, but grade {grade.max()} was judged.\n"
            f"Give the gains of grades 1 to {grade.max()}."
        )
    return np.concatenate(([0.0], given))[grade]


def table(relevance: Floats, *entry: tuple[float, float]) -> Floats:
    """(grade, gain) pairs; a grade that is not listed gains its own value, as in trec_eval."""
    gain = relevance.astype(np.float64, copy=True)
    for grade, value in entry:
        gain[relevance == grade] = value
    return gain
