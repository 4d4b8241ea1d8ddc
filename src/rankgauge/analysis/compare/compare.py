"""compare(): is the difference between two systems real, or could other queries reverse it?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, overload

import numpy as np

from rankgauge.analysis.churn import Churn, churn_of
from rankgauge.analysis.compare.collections import AcrossCollections, compare_collections
from rankgauge.analysis.compare.evidence import JudgeScores, beside, examine, summarise
from rankgauge.analysis.compare.options import Design, Draws
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.slices import Slice, Slices, SmallSlice, groups_of, labels_of
from rankgauge.analysis.compare.statistics.shrinkage import pair_posteriors
from rankgauge.analysis.compare.statistics.tests import paired_differences
from rankgauge.analysis.compare.statistics.tukey import complete_queries, two_way
from rankgauge.analysis.compare.verdicts import MeasureComparison, conclude
from rankgauge.analysis.compare.wording import Focus, alone_summary, next_step, summary_sentence
from rankgauge.analysis.robust.robust import robust as robust_verdicts
from rankgauge.analysis.score_table import Measures, checked_table, evaluation_notes, names_of, scores_from
from rankgauge.data.policy import Policy
from rankgauge.data.queries import Queries, read_queries
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.intervals import linearized, moments
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.resampling import Progress
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

NOT_COVERED = "not covered"
BAYES_METHOD = (
    "probabilities: true means of the systems are normal with an unknown variance, so noisy differences shrink"
    " towards 0; they need no correction for many comparisons"
)
CAUTIONS = {
    "wilcoxon": "wilcoxon tests whether the differences are symmetric about 0, not their mean: where they are skewed it"
    " finds a difference between equal means in up to 29% of cases",
    "tukey": "tukey takes one error for all pairs: a pair that scatters more than the others is found too often",
    "randomised-tukey": "randomised-tukey takes one error for all pairs: a pair that scatters more than the others is"
    " found too often",
}


@overload
def compare(
    scores: None, runs: Any, *, only: Iterable[str] | None = None, cutoff: int | None = None, depth: int | None = None
) -> Churn: ...


@overload
def compare(
    *,
    collections: Mapping[str, Any],
    measures: Measures | None = None,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    baseline: str | None = None,
    correction: str = "holm",
    correction_within: str = "all",
    confidence: float = 0.95,
    equivalence: float | None = None,
    progress: Progress | None = None,
) -> AcrossCollections: ...


@overload
def compare(
    scores: Any,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    test: str | None = None,
    correction: str = "holm",
    correction_within: str = "all",
    confidence: float = 0.95,
    seed: int = 7,
    equivalence: float | None = None,
    samples: int | None = None,
    interval: str = "t",
    interval_for: str = "verdict",
    by: str | Mapping[str, Any],
    queries: Any = None,
    robust: bool = False,
    bayes: bool = False,
    judge: Any = None,
    progress: Progress | None = None,
) -> Slices: ...


@overload
def compare(
    scores: Any,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    test: str | None = None,
    correction: str = "holm",
    correction_within: str = "all",
    confidence: float = 0.95,
    seed: int = 7,
    equivalence: float | None = None,
    samples: int | None = None,
    interval: str = "t",
    interval_for: str = "verdict",
    by: None = None,
    queries: Any = None,
    robust: bool = False,
    bayes: bool = False,
    judge: Any = None,
    progress: Progress | None = None,
) -> Comparison: ...


def compare(
    scores: Any = None,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    test: str | None = None,
    correction: str = "holm",
    correction_within: str = "all",
    confidence: float = 0.95,
    seed: int = 7,
    equivalence: float | None = None,
    samples: int | None = None,
    interval: str = "t",
    interval_for: str = "verdict",
    by: str | Mapping[str, Any] | None = None,
    queries: Any = None,
    robust: bool = False,
    bayes: bool = False,
    judge: Any = None,
    cutoff: int | None = None,
    depth: int | None = None,
    collections: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> Comparison | Slices | Churn | AcrossCollections:
    """Test whether systems differ: every system against a baseline (the first by default), or all pairs.

    `scores` is Scores, a saved file or matrix, an array (systems × queries), a frame, or judgments followed by `runs`
    and `measures` as in `evaluate`. All measures take part, and the correction runs over pairs × measures, or with
    `correction_within="measure"` over the pairs of each. A query without a score is left out of every pair that needs
    it. Sign flips are computed, not sampled, unless `samples` is
    given or there are too many queries; other tests draw 10,000 samples, and more where a p-value is near the limit.
    Intervals are at the level that decides (`interval_for="verdict"`), so none contradicts its verdict; "pair" gives
    those of each pair alone. Systems that differ by less than `equivalence` count as equally good.

    With `bayes`, each pair has the probability that it differs by `equivalence` or more, shrunk over systems.
    With `robust`, each pair says whether its order holds under every gain and discount; see `robust`.
    With `by`, the queries are compared slice by slice: `by` maps queries to labels, or names a column of `queries`.
    `judge`, for few queries judged by people among many judged by a machine: scores of the same systems and measures
    under the machine's judgments or, with `runs`, those judgments. Differences then rest on both and `test` is the t
    test; otherwise it is the sign-flip test unless another is named.
    `collections` instead of scores: two or more by name, each scores or (judgments, runs); differences from the baseline
    are averaged over them with random effects.
    With None instead of scores, two runs are compared without judgments: how their top `cutoff` documents changed,
    in lists of at most `depth` documents.

    >>> found = compare([[0.1, 0.2, 0.3], [0.1, 0.2, 0.3]])
    >>> found["score"].pairs[0].p
    1.0
    """
    if collections is not None:
        if any(given is not None and given is not False for given in (scores, runs, test, by, judge, bayes, robust)):
            raise UsageError("collections go with measures, a baseline, a correction and equivalence, and nothing else")
        return compare_collections(
            collections,
            measures,
            policy=policy,
            like=like,
            only=only,
            baseline=baseline,
            correction=correction,
            confidence=confidence,
            equivalence=equivalence,
            progress=progress,
        )
    if scores is None:
        if any(given is not None for given in (by, measures, policy, like, judge)):
            raise UsageError("measures, policy, like, by and judge need judgments or scores")
        return churn_of(runs, only=only, cutoff=10 if cutoff is None else cutoff, depth=depth)
    if cutoff is not None or depth is not None:
        raise UsageError(
            "cutoff and depth are for comparing without judgments\nSet them as in nDCG@10 or Policy(depth=…)."
        )
    settings: dict[str, Any] = {"policy": policy, "like": like, "only": only, "progress": progress}
    table = scores_from(scores, runs, measures, **settings)
    if judge is not None:
        refuse_with_judge(test, interval, by)
        chosen = runs is not None and not isinstance(judge, Scores)
        other = (
            scores_from(judge, runs, measures, **settings) if chosen else scores_from(judge, None, measures, only=only)
        )
        table, judged = beside(table, other)
    if baseline == "best" and baseline not in table.systems:
        baseline = _best(table)
    design = Design(
        systems=table.systems,
        measures=names_of(table),
        baseline=baseline,
        all_pairs=all_pairs,
        test=test or ("sign-flip" if judge is None else "t"),
        correction=correction,
        confidence=confidence,
        seed=seed,
        equivalence=equivalence,
        samples=samples,
        interval=interval,
        interval_for=interval_for,
        correction_within=correction_within,
    )
    checked_table(table, "a comparison", least=1 if by is None and judge is None and not bayes else 2)
    _refuse_mixed(runs, by=by, judge=judge, bayes=bayes, robust=robust)
    if len(table.systems) == 1:
        return _alone(table, design)
    if by is None:
        found = _compared([table], design, progress, None if judge is None else judged)[0]
        found = with_bayes(found) if bayes else found
        return with_robust_words(found, scores, runs, policy, like) if robust else found
    column, labels = _labels(by, queries)
    return _sliced(table, design, column, labels_of(labels, table.queries, column), progress)


def _refuse_mixed(runs: Any, *, by: Any, judge: Any, bayes: bool, robust: bool) -> None:
    if bayes and (judge is not None or by is not None):
        raise UsageError("bayes is about one set of queries and one judge\nLeave out by and judge, or bayes.")
    if robust and (runs is None or by is not None):
        raise UsageError("robust verdicts need judgments and runs, and no by\nLeave out one of them.")


def _best(table: Scores) -> str:
    """The system with the highest mean on the first measure."""
    means = {system: row[str(table.measures[0])] for system, row in table.mean().items()}
    return max(means, key=lambda system: -math.inf if math.isnan(means[system]) else means[system])


def _labels(by: str | Mapping[str, Any], queries: Any) -> tuple[str, Mapping[str, Any]]:
    if isinstance(by, Mapping):
        return "label", by
    if not isinstance(by, str):
        raise UsageError(f"by is a mapping of queries to labels or the name of a column, not {type(by).__name__}")
    if queries is None:
        raise UsageError(f"by={by!r} needs the queries that have this column\nGive them as queries=….")
    from os import PathLike

    if isinstance(queries, (str, PathLike)):
        queries = read_queries(queries)  # type: ignore[arg-type]
    about = queries if isinstance(queries, Queries) else Queries(queries)
    return by, about.column(by)


def _sliced(
    table: Scores, design: Design, column: str, labels: Sequence[str | None], progress: Progress | None
) -> Slices:
    large, small = groups_of(labels, column)
    overall = _compared([table], design, progress)[0]
    parts = [table.only([table.queries[place] for place in places]) for places in large.values()]
    return Slices(
        column,
        tuple(
            Slice(value, len(large[value]), found)
            for value, found in zip(large, _compared(parts, design, progress), strict=True)
        ),
        tuple(SmallSlice(value, 1) for value in small),
        sum(label is None for label in labels),
        overall,
    )


def _compared(
    tables: Sequence[Scores],
    design: Design,
    progress: Progress | None,
    judge: Sequence[JudgeScores] | None = None,
) -> list[Comparison]:
    """One comparison for each table of scores; the correction runs over all of them together."""
    # Contiguous rows: the last bit of a sum must not depend on how the cube happens to lie in memory.
    matrices = [
        (np.ascontiguousarray(table.values[:, :, k]), measure, table.weights)
        for table in tables
        for k, measure in enumerate(design.measures)
    ]
    draws = design.draws(len(matrices), max(len(table.queries) for table in tables))
    evidence = [
        examine(
            values,
            measure,
            design,
            tables=design.family(len(matrices)),
            draws=draws,
            weights=weights,
            progress=_share(progress, i, len(matrices)),
            judge=judge[i] if judge else None,
        )
        for i, (values, measure, weights) in enumerate(matrices)
    ]
    conclusion = conclude(evidence, design)
    found = conclusion.parts
    each = len(design.measures)
    warnings = _too_few(design, draws, design.family(len(matrices)))
    comparisons = [
        Comparison(
            baseline=design.reference,
            test=design.test,
            correction=design.correction,
            confidence=design.confidence,
            seed=design.seed,
            samples=None if draws is None else draws.first,
            finer_samples=None if draws is None else draws.finer,
            interval=design.interval,
            interval_for=design.interval_for,
            interval_confidence=max(conclusion.levels),
            equivalence=design.equivalence,
            summary=summary_sentence(
                found[at : at + each],
                baseline=design.reference,
                confidence=conclusion.levels[at],
                equivalence=design.equivalence,
            ),
            next_step="",
            notes=(
                *warnings,
                *dict.fromkeys(note for part in evidence[at : at + each] for note in part.notes),
                *_caution(design),
                *_about(table),
            ),
            parts=tuple(found[at : at + each]),
            scores=table,
            correction_within=design.correction_within,
        )
        for at, table in zip(range(0, len(matrices), each), tables, strict=True)
    ]
    return [replace(one, next_step=next_step(Focus.of(one))) for one in comparisons]


def _alone(table: Scores, design: Design) -> Comparison:
    """One system: nothing is compared, but a rule with a fixed number can be judged."""
    parts = alone(table, design)
    return Comparison(
        baseline=None,
        test=design.test,
        correction=design.correction,
        confidence=design.confidence,
        seed=design.seed,
        samples=None,
        finer_samples=None,
        interval=design.interval,
        interval_for=design.interval_for,
        interval_confidence=design.confidence,
        equivalence=design.equivalence,
        summary=alone_summary(parts, design.confidence),
        next_step="Give a second run to compare with.",
        notes=_about(table),
        parts=parts,
        scores=table,
    )


def _about(scores: Scores) -> tuple[Note, ...]:
    """How the scores were computed, and what of it a comparison does not follow."""
    notes = []
    unusual = [str(measure) for measure in scores.measures if measure.definition.aggregate != "mean"]
    if unusual:
        text = f"{', '.join(unusual)}: compared by the arithmetic mean over queries"
        notes.append(Note("arithmetic-mean", text, len(unusual), examples=tuple(unusual)))
    if scores.weights is not None:
        notes.append(Note("weights", "means, intervals and tests are weighted by query; wins and losses are counted"))
    return (*notes, *evaluation_notes(scores))


def _caution(design: Design) -> list[Note]:
    """When not to use a test, said where it was chosen."""
    return [Note("test-caution", f"{CAUTIONS[design.test]}.")] if design.test in CAUTIONS else []


def _too_few(design: Design, draws: Draws | None, tables: int) -> list[Note]:
    factor = design.factor(tables)
    if draws is None or factor / (1 + draws.finer) < design.alpha:
        return []
    smallest, enough = min(1.0, factor / (1 + draws.finer)), math.ceil(20.0 * factor / design.alpha)
    limit = f"{draws.finer:,} samples cannot give an adjusted p below {smallest:.2g}, so pairs stay undecided"
    return [Note("few-samples", f"{limit}; use {enough:,}, or another test.", draws.finer)]


def _share(progress: Progress | None, part: int, parts: int) -> Progress | None:
    if progress is None:
        return None
    return lambda done, total: progress(part * total + done, parts * total)


def refuse_with_judge(test: str | None, interval: str, by: Any) -> None:
    """What has no form for human and machine judgments together."""
    if test not in {None, "t"}:
        raise UsageError(f"the {test} test cannot take a judge; only the t test can\nLeave test out, or judge.")
    if interval != "t":
        raise UsageError(
            f"{interval} intervals cannot take a judge; only t intervals can\nLeave interval out, or judge."
        )
    if by is not None:
        raise UsageError("slices cannot take a judge\nLeave by out, or judge.")


def alone(table: Scores, design: Design) -> tuple[MeasureComparison, ...]:
    """Every measure with its one system and no pair."""
    found = []
    for measure in table.measures:
        values = np.ascontiguousarray(table.matrix(measure))
        values = values if table.weights is None else linearized(values, table.weights)
        found.append(MeasureComparison(str(measure), summarise(values, design), (), math.nan))
    return tuple(found)


def with_bayes(found: Comparison) -> Comparison:
    """The same comparison; each pair has the probability that it differs by the margin of equivalence or more."""
    parts = tuple(_with_posteriors(part, found, at) for at, part in enumerate(found.parts))
    return replace(found, parts=parts, notes=(Note("bayes", BAYES_METHOD), *found.notes))


def _with_posteriors(part: MeasureComparison, found: Comparison, at: int) -> MeasureComparison:
    values = _values(found.scores, at)
    places = {name: row for row, name in enumerate(found.scores.systems)}
    first, second = ([places[getattr(pair, side)] for pair in part.pairs] for side in ("system", "baseline"))
    posteriors = pair_posteriors(
        moments(paired_differences(values[first], values[second])),
        two_way(complete_queries(values)),
        margin=found.equivalence or 0.0,
        confidence=found.confidence,
    )
    pairs = (replace(pair, bayes=one) for pair, one in zip(part.pairs, posteriors, strict=True))
    return replace(part, pairs=tuple(pairs))


def _values(scores: Scores, at: int) -> np.ndarray:
    values = np.ascontiguousarray(scores.values[:, :, at])
    return values if scores.weights is None else linearized(values, scores.weights)


def with_robust_words(
    found: Comparison, judgments: Any, runs: Any, policy: Policy | None, like: str | None
) -> Comparison:
    """The same comparison; each pair says whether every gain and discount agrees, and a note counts both questions."""
    parts, notes = [], []
    for part, measure in zip(found.parts, found.scores.measures, strict=True):
        words = _robust_words(judgments, runs, measure, policy, like, found.scores.queries)
        if isinstance(words, str):
            notes.append(Note("not-covered", f"{part.measure}: no robust verdict: {words}", measure=part.measure))
            words = {}
        pairs = tuple(
            replace(pair, robust=words.get(frozenset((pair.system, pair.baseline)), NOT_COVERED)) for pair in part.pairs
        )
        parts.append(replace(part, pairs=pairs))
        if words:
            notes.append(_robust_count(parts[-1]))
    return replace(found, parts=tuple(parts), notes=(*notes, *found.notes))


def _robust_words(
    judgments: Any, runs: Any, measure: Measure, policy: Policy | None, like: str | None, only: Sequence[str]
) -> dict[frozenset[str], str] | str:
    try:
        found = robust_verdicts(
            judgments, runs, measure, all_pairs=True, samples=0, policy=policy, like=like, only=only
        )
    except (AnalysisError, UsageError) as problem:
        return str(problem).splitlines()[0]
    return {frozenset((pair.system, pair.baseline)): pair.verdict for pair in found.pairs}


def _robust_count(part: MeasureComparison) -> Note:
    cells = [(pair.robust == "robust", pair.verdict in {"better", "worse"}) for pair in part.pairs]
    both, one, other, none = (
        cells.count(cell) for cell in ((True, True), (True, False), (False, True), (False, False))
    )
    text = f"robust and significant: {both:,}; only robust: {one:,}; only significant: {other:,}; neither: {none:,}"
    return Note("robust-and-significant", f"{part.measure}: {text}", len(cells), measure=part.measure)
