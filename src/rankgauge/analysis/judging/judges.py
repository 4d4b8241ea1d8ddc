"""judges(): do judges agree, and does it matter for the verdicts?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.analysis.judging.consequences import Consequences, RunsUnderJudges, shared_rows
from rankgauge.analysis.judging.judges_result import Judge, Judges
from rankgauge.analysis.judging.labels import MOST_NOMINAL, LabelAgreement, Labels, agreement_of, labels_of
from rankgauge.analysis.judging.tops import loaded
from rankgauge.analysis.score_table import Measures
from rankgauge.arrays import Floats
from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.data.read.bytes import system_name
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.kernels.resampling import Progress
from rankgauge.tables.notes import Note, some

if TYPE_CHECKING:
    import polars as pl


def judges(
    reference: Any,
    judge: Any,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    baseline: str | None = None,
    test: str = "t",
    correction: str = "none",
    confidence: float = 0.95,
    seed: int = 7,
    rel: float | None = None,
    grades: Iterable[float] | None = None,
    common: bool = False,
    progress: Progress | None = None,
) -> Judges:
    """Compare judgments with those of a reference."""
    everyone = _named(reference, judge)
    frames = {name: _frame(judgments, only, name) for name, judgments in everyone.items()}
    if common:
        frames = _common(frames)
    notes = _notes(frames, rel)
    labels, scale = _labelled(frames, rel, grades)
    names = list(frames)
    agreements = [agreement_of(labels.of([0, at]), scale, confidence) for at in range(1, len(names))]
    consequences: list[tuple[Consequences, ...]] = [()] * len(agreements)
    policies = []
    if runs is not None:
        rule = policy or Policy()
        rule = rule if rel is None or rule.rel is not None else replace(rule, rel=rel)
        evaluation = {"measures": "nDCG@10" if measures is None else measures, "policy": rule, "like": like}
        pairs = {"baseline": baseline, "all_pairs": baseline is None}
        comparison = {**pairs, "test": test, "correction": correction, "confidence": confidence, "seed": seed}
        work = RunsUnderJudges(loaded(runs), evaluation, comparison)
        consequences = list(work.of_each(frames, progress))
        policies = [Note("policy", work.policy)]
    return Judges(
        reference=names[0],
        confidence=confidence,
        test=None if runs is None else test,
        correction=None if runs is None else correction,
        baseline=baseline,
        listed=tuple(
            Judge(name, agreement, found)
            for name, agreement, found in zip(names[1:], agreements, consequences, strict=True)
        ),
        together=agreement_of(labels.of(range(len(names))), scale, confidence) if len(names) > 2 else None,
        notes=(*notes, *_different(agreements, names), *policies),
    )


def _labelled(
    frames: Mapping[str, pl.DataFrame], rel: float | None, grades: Iterable[float] | None
) -> tuple[Labels, Floats]:
    """Everybody's labels and their scale; with `rel`, "at least rel or not"."""
    cut = list(frames.values())
    if rel is not None:
        cut = [frame.with_columns(value=(frame["value"] >= rel).cast(float)) for frame in cut]
    return labels_of(cut), _scale(cut, grades)


def _named(reference: Any, judge: Any) -> dict[str, Judgments]:
    """The reference first, then each judge, under names that differ."""
    first = _judgments(reference, "reference")
    if isinstance(judge, Mapping) and judge and not _is_judgments(judge):
        others = [(str(name), _judgments(one, str(name))) for name, one in judge.items()]
    else:
        several = list(judge) if isinstance(judge, (list, tuple)) else [judge]
        others = [(name_of(one, f"judge {at}"), _judgments(one, f"judge {at}")) for at, one in enumerate(several, 1)]
    if not others:
        raise UsageError("no judge to compare with the reference; give at least one")
    found = {name_of(reference, "reference"): first}
    for name, one in others:
        if name in found:
            raise UsageError(f"two judges are called {name!r}\nName them, as in NAME=PATH or {{name: judgments}}.")
        found[name] = one
    return found


def _is_judgments(data: Mapping[Any, Any]) -> bool:
    """Whether this maps queries to documents, rather than names to judgments."""
    first = next(iter(data.values()))
    return isinstance(first, Mapping) and not isinstance(next(iter(first.values()), None), Mapping)


def _judgments(data: Any, name: str) -> Judgments:
    return data if isinstance(data, Judgments) else Judgments(data, name=name)


def name_of(data: Any, otherwise: str) -> str:
    """What judgments are called: after their file, or as they were named."""
    if isinstance(data, Judgments):
        name = otherwise if data.name == "judgments" else data.name
    else:
        name = str(data) if isinstance(data, (str, PathLike)) else otherwise
    return system_name(name).removesuffix(".qrels")


def _frame(judgments: Judgments, only: Iterable[str] | None, name: str) -> pl.DataFrame:
    part = judgments if only is None else judgments.only(only)
    frame = part.to_polars()
    if not len(frame):
        raise AnalysisError(f"{name} has no judgments")
    if frame.select("query", "document").is_duplicated().any():
        from rankgauge.data.match import prepared

        prepared(part)  # refuses them, and says where they are
    return frame


def _common(frames: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Everybody's judgments of the documents that everybody judged."""
    shared = reduce(shared_rows, frames.values())
    return {name: shared_rows(frame, shared) for name, frame in frames.items()}


def _scale(frames: Iterable[pl.DataFrame], grades: Iterable[float] | None) -> Floats:
    seen = np.unique(np.concatenate([frame["value"].to_numpy().astype(np.float64) for frame in frames]))
    if grades is None:
        return seen
    named = np.unique(np.array(list(grades), np.float64))
    odd = np.setdiff1d(seen, named)
    if len(odd):
        raise UsageError(
            f"a grade of {odd[0]:g} was given, which is not among {', '.join(f'{one:g}' for one in named)}"
        )
    return named


def _notes(frames: Mapping[str, pl.DataFrame], rel: float | None) -> list[Note]:
    """Scales that cannot be compared grade by grade."""
    reference, *others = frames
    if rel is not None:
        barren = [name for name in frames if not (frames[name]["value"] >= rel).any()]
        return _about(barren, "nothing-relevant", f"no grade of {rel:g} or more; every document counts as not relevant")
    known = set(frames[reference]["value"].to_list())
    strange = [name for name in others if not set(frames[name]["value"].to_list()) <= known]
    coarse = [name for name in others if len(known) > 2 >= frames[name]["value"].n_unique() and name not in strange]
    few = f"two grades at most where {reference} has {len(known)}, which lowers agreement"
    other = f"grades that {reference} never gives; --rel N compares 'N or more, or not' instead"
    notes = [*_about(coarse, "coarse-scale", few), *_about(strange, "other-scale", other)]
    distinct = len({value for frame in frames.values() for value in frame["value"].unique().to_list()})
    if distinct > MOST_NOMINAL:
        text = f"{distinct:,} distinct grades: κ, nominal α and AC1 say nothing and are left out"
        notes.append(Note("many-grades", text, distinct))
    return notes


def _about(names: Sequence[str], kind: str, text: str) -> list[Note]:
    return [Note(kind, f"{some(names)}: {text}", len(names), examples=tuple(names))] if names else []


def _different(agreements: Sequence[LabelAgreement], names: Sequence[str]) -> list[Note]:
    counts = [found.documents for found in agreements]
    if len(set(counts)) < 2:
        return []
    text = (
        f"judges are held against {names[0]} on different documents ({min(counts):,} to {max(counts):,}), and coefficients "
        "depend on the documents; --common cuts all judges to those that all have"
    )
    return [Note("different-documents", text, len(counts))]
