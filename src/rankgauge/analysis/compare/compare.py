"""compare(): is the difference between two systems real, or would other queries turn it round?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Unpack

import numpy as np
import numpy.typing as npt

from rankgauge.analysis.compare.evidence import examine
from rankgauge.analysis.compare.findings import MeasureComparison
from rankgauge.analysis.compare.options import Draws, Question, Settings, checked_cube
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.verdicts import conclude
from rankgauge.analysis.compare.wording import summary_sentence
from rankgauge.kernels.resampling import FloatArray, Progress


def compare(
    values: npt.ArrayLike,
    systems: Sequence[str],
    measures: Sequence[str],
    *,
    progress: Progress | None = None,
    **settings: Unpack[Settings],
) -> Comparison:
    """Every system against a baseline (the first, unless named), or all pairs, on a cube systems × queries × measures.

    A nan cell leaves that query out of every pair that needs it. The correction runs over all pairs and measures.

    >>> verdict = compare([[[0.1], [0.2], [0.3]], [[0.1], [0.2], [0.3]]], ["old", "new"], ["nDCG@10"])
    >>> verdict["nDCG@10"].pairs[0].p
    1.0
    """
    cube = checked_cube(values, systems, measures)
    question = Question(systems=tuple(systems), measures=tuple(measures), **settings)
    return compare_parts([cube], question, progress)[0]


def compare_parts(
    cubes: Sequence[FloatArray], question: Question, progress: Progress | None = None
) -> tuple[Comparison, ...]:
    """One comparison per cube; the correction runs over all of them together."""
    # Contiguous rows: the last bit of a sum must not depend on how the cube happens to lie in memory.
    tables = [
        (np.ascontiguousarray(cube[:, :, k]), measure) for cube in cubes for k, measure in enumerate(question.measures)
    ]
    draws = question.draws(len(tables), max(cube.shape[1] for cube in cubes))
    evidence = [
        examine(values, measure, question, tables=len(tables), draws=draws, progress=_share(progress, i, len(tables)))
        for i, (values, measure) in enumerate(tables)
    ]
    findings = conclude(evidence, question)
    each, warnings = len(question.measures), _too_few(question, draws, len(tables))
    return tuple(
        _comparison(
            question,
            draws,
            findings[i : i + each],
            [*warnings, *(note for found in evidence[i : i + each] for note in found.notes)],
        )
        for i in range(0, len(tables), each)
    )


def _comparison(
    question: Question, draws: Draws | None, findings: Sequence[MeasureComparison], notes: Sequence[str]
) -> Comparison:
    return Comparison(
        baseline=question.reference,
        test=question.test,
        correction=question.correction,
        confidence=question.confidence,
        seed=question.seed,
        samples=None if draws is None else draws.first,
        finer_samples=None if draws is None else draws.finer,
        interval=question.interval,
        equivalence=question.equivalence,
        summary=summary_sentence(
            findings, baseline=question.reference, confidence=question.confidence, equivalence=question.equivalence
        ),
        notes=tuple(notes),
        measures=tuple(findings),
    )


def _too_few(question: Question, draws: Draws | None, tables: int) -> list[str]:
    factor = question.factor(tables)
    if draws is None or factor / (1 + draws.finer) < question.alpha:
        return []
    smallest, enough = min(1.0, factor / (1 + draws.finer)), math.ceil(20.0 * factor / question.alpha)
    limit = f"{draws.finer:,} samples cannot give an adjusted p below {smallest:.2g}, so that pairs stay undecided"
    return [f"{limit}; take {enough:,}, or another test."]


def _share(progress: Progress | None, part: int, parts: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, total: progress(part * total + done, parts * total)
