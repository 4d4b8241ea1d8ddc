"""judges(): do judges agree, and does it matter for the verdicts?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgauge.analysis.compare.evidence import examine, settle
from rankgauge.analysis.compare.options import Design, checked_share
from rankgauge.analysis.judging.consequences import Consequences, consequences_of
from rankgauge.analysis.judging.judges_result import Judge, Judges
from rankgauge.analysis.judging.labels import MOST_NOMINAL, LabelAgreement, agreement_of, labels_of
from rankgauge.analysis.score_table import Measures, complete_queries, names_of
from rankgauge.arrays import Floats, Ints
from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.data.read.file import system_name
from rankgauge.data.run import Run
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.evaluate import evaluate, list_runs
from rankgauge.evaluation.scores import Scores
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
    """Compare judgments with those of a reference: the labels and, where runs are given, what follows for the systems.

    `judge` is one set of judgments, a list, or a dict of names to them. Intervals are over queries. With `rel`, labels
    are compared as "at least rel or not", and binary measures count as relevant what is; `grades` names the scale, the grades that occur by default; `common` cuts all
    judges to the documents that all of them have. All pairs of systems are compared, or those with `baseline`, by
    `test` and `correction` as in `compare`.

    >>> found = judges({"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 1}}, {"me": {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}})
    >>> found["me"].agreement.documents, round(found["me"].agreement["agreement"].value, 3)
    (3, 0.667)
    """
    checked_share(confidence, "confidence", "0.95")
    everyone = _named(reference, judge)
    frames = {name: _frame(judgments, only, name) for name, judgments in everyone.items()}
    if common:
        frames = _common(frames)
    notes = _notes(frames, rel)
    cut = frames if rel is None else {name: _binary(frame, rel) for name, frame in frames.items()}
    scale = _scale(cut.values(), grades)
    names = list(cut)
    labels = labels_of(list(cut.values()))
    agreements = [agreement_of(labels.of([0, at]), scale, confidence) for at in range(1, len(names))]
    consequences: Sequence[tuple[Consequences, ...]] = [()] * len(agreements)
    given: tuple[Note, ...] = ()
    if runs is not None:
        design = _Comparing(baseline, test, correction, confidence, seed)
        rule = policy or Policy()
        if rel is not None and rule.rel is None:
            rule = replace(rule, rel=rel)
        work = _Work(list_runs(runs), measures, rule, like, design)
        consequences, given = work.of_all(frames, progress)
    elif measures is not None or baseline is not None or policy not in (None, Policy()) or like is not None:
        raise UsageError("measures, baseline, policy and like are about runs\nGive runs, or leave them out.")
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
        notes=(*notes, *_different(agreements, names), *given),
    )


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
        from rankgauge.data.matching import prepared

        prepared(part, as_dicts=False)  # refuses them, and says where they are
    return frame


def _common(frames: dict[str, pl.DataFrame]) -> dict[str, pl.DataFrame]:
    """Everybody's judgments of the documents that everybody judged."""
    keys = ["query", "document"]
    shared = next(iter(frames.values())).select(keys)
    for frame in frames.values():
        shared = shared.join(frame.select(keys), on=keys, how="semi")
    return {name: frame.join(shared, on=keys, how="semi", maintain_order="left") for name, frame in frames.items()}


def _binary(frame: pl.DataFrame, rel: float) -> pl.DataFrame:
    import polars as pl

    return frame.with_columns((pl.col("value") >= rel).cast(pl.Float64).alias("value"))


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
        text = f"{some(barren)}: no grade of {rel:g} or more; every document counts as not relevant"
        return [Note("nothing-relevant", text, len(barren), examples=tuple(barren))] if barren else []
    known = set(frames[reference]["value"].to_list())
    strange = [name for name in others if not set(frames[name]["value"].to_list()) <= known]
    notes = []
    coarse = [name for name in others if len(known) > 2 >= frames[name]["value"].n_unique() and name not in strange]
    if coarse:
        text = f"{some(coarse)}: two grades at most where {reference} has {len(known)}, which lowers agreement"
        notes.append(Note("coarse-scale", text, len(coarse), examples=tuple(coarse)))
    if strange:
        text = f"{some(strange)}: grades that {reference} never gives; --rel N compares 'N or more, or not' instead"
        notes.append(Note("other-scale", text, len(strange), examples=tuple(strange)))
    distinct = len({value for frame in frames.values() for value in frame["value"].unique().to_list()})
    if distinct > MOST_NOMINAL:
        text = f"{distinct:,} distinct grades: κ, nominal α and AC1 say nothing and are left out"
        notes.append(Note("many-grades", text, distinct))
    return notes


def _different(agreements: Sequence[LabelAgreement], names: Sequence[str]) -> list[Note]:
    counts = [found.documents for found in agreements]
    if len(set(counts)) < 2:
        return []
    text = (
        f"judges are held against {names[0]} on different documents ({min(counts):,} to {max(counts):,}), and coefficients "
        "depend on the documents; --common cuts all judges to those that all have"
    )
    return [Note("different-documents", text, len(counts))]


@dataclass(frozen=True)
class _Comparing:
    """How verdicts are made."""

    baseline: str | None
    test: str
    correction: str
    confidence: float
    seed: int

    def design(self, scores: Scores) -> Design:
        return Design(
            systems=scores.systems,
            measures=names_of(scores),
            baseline=self.baseline,
            all_pairs=self.baseline is None,
            test=self.test,
            correction=self.correction,
            confidence=self.confidence,
            seed=self.seed,
        )


class _Work:
    """The same runs evaluated with one judge after the other."""

    def __init__(
        self, runs: Sequence[Run], measures: Measures | None, policy: Policy | None, like: str | None, how: _Comparing
    ) -> None:
        # Read once, evaluated for every judge.
        self.runs = [run if run.table.mapping() is not None else Run(run.table.load(), name=run.name) for run in runs]
        self.how = how
        self.settings: dict[str, Any] = {
            "measures": "nDCG@10" if measures is None else measures,
            "policy": policy,
            "like": like,
        }
        self._whole: Scores | None = None
        """Under all judgments of the reference."""
        self._policy = ""

    def of_all(
        self, frames: Mapping[str, pl.DataFrame], progress: Progress | None
    ) -> tuple[list[tuple[Consequences, ...]], tuple[Note, ...]]:
        reference, *others = frames
        found = []
        for at, name in enumerate(others):
            found.append(self._of(frames[reference], frames[name], (reference, name)))
            if progress is not None:
                progress(at + 1, len(others))
        return found, (Note("policy", self._policy),)

    def _of(self, reference: pl.DataFrame, judge: pl.DataFrame, names: tuple[str, str]) -> tuple[Consequences, ...]:
        """Both cut to the documents that both have."""
        keys = ["query", "document"]
        first = reference.join(judge.select(keys), on=keys, how="semi", maintain_order="left")
        second = judge.join(reference.select(keys), on=keys, how="semi", maintain_order="left")
        is_whole = len(first) == len(reference)
        before = self._whole if is_whole and self._whole is not None else self._evaluated(first, names[0])
        if is_whole:
            self._whole = before
        self._policy = before.remarks()[0]
        after = self._evaluated(second, names[1])
        order = [after.queries.index(query) for query in before.queries]
        design = self.how.design(before)
        parts = []
        for k, measure in enumerate(design.measures):
            cubes = np.stack((before.values[:, :, k], after.values[:, order, k]))
            kept = complete_queries(cubes.reshape(-1, cubes.shape[2]), measure)
            values = (np.ascontiguousarray(cubes[0][:, kept]), np.ascontiguousarray(cubes[1][:, kept]))
            decided = (self._decided(values[0], measure, design), self._decided(values[1], measure, design))
            parts.append(consequences_of(measure, before.systems, values, design.pairs, decided, self.how.confidence))
        return tuple(parts)

    def _evaluated(self, frame: pl.DataFrame, name: str) -> Scores:
        scores = evaluate(Judgments(frame, name=name), self.runs, **self.settings)
        if len(scores.systems) < 2:
            raise AnalysisError("consequences need at least two runs; give another one, or none for the labels alone")
        return scores

    @staticmethod
    def _decided(values: Floats, measure: str, design: Design) -> Ints:
        """+1, 0, -1: what `compare` says of every pair."""
        draws = design.draws(1, values.shape[1])
        evidence = examine(values, measure, design, tables=1, draws=draws)
        p = settle([evidence], design).adjusted
        is_found = (p < design.alpha) & (evidence.direction * evidence.sample.mean > 0)
        return np.where(is_found, np.sign(evidence.sample.mean), 0).astype(np.int64)
