"""What the scores of one measure say about every pair, before the family of comparisons is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from rankgauge.analysis.compare.options import NORMAL_FROM, USUAL_SAMPLES, Design, Draws
from rankgauge.analysis.compare.statistics.families import (
    FAMILY_TESTS,
    complete_queries,
    randomised_tukey_test,
    tukey_critical,
    tukey_test,
    two_way,
)
from rankgauge.analysis.compare.statistics.judged import Combined, combine_all, notes_on
from rankgauge.analysis.compare.statistics.ranks import RankIntervals, rank_intervals
from rankgauge.analysis.compare.statistics.shares import Bounded, Refine, exactly, finer_flips, flipped, sampled
from rankgauge.analysis.compare.statistics.shrinkage import PairBayes, Scatter, pair_posteriors, scatter_of
from rankgauge.analysis.compare.statistics.tests import (
    MOST_EXACT_FLIPS,
    bootstrap_test,
    effect_errors,
    effect_sizes,
    equivalence_test,
    paired_differences,
    sign_flip_test,
    t_test,
    wilcoxon_direction,
    wilcoxon_test,
)
from rankgauge.analysis.score_table import few_queries, names_of, position
from rankgauge.arrays import Floats, Ints
from rankgauge.errors import AnalysisError, plural
from rankgauge.evaluation.intervals import Intervals, Moments, linearized, mean_interval, moments
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.resampling import Progress
from rankgauge.tables import Plain
from rankgauge.tables.notes import Note

FEW_QUERIES = "95% intervals held in 89 to 98% of cases, and 20 comparisons raised a false alarm in 1 to 9%"


@dataclass(frozen=True, slots=True)
class SystemSummary(Plain):
    """One system's mean over its queries, and its rank among the systems; both with their intervals."""

    _json_names: ClassVar = {"deviation": None, "query_count": "queries"}

    name: str
    mean: float
    low: float
    high: float
    deviation: float
    query_count: int
    rank: int
    rank_low: int
    rank_high: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """Arrays with one entry per pair; `noise` is the standard deviation of a difference, `direction` its sign, as the
    test sees them: Tukey's tests take the noise from all systems, Wilcoxon's test the sign from the ranks.

    `p` are of each pair alone, and `refine` makes some of them sharper. `family` and `critical`, the |t| beyond which a
    pair is a finding, exist where a method judges all pairs of the table at once.
    """

    measure: str
    queries: int
    systems: tuple[SystemSummary, ...]
    ranks: RankIntervals
    sample: Moments
    interval: Intervals
    p: Bounded
    refine: Refine | None
    family: Bounded | None
    critical: float
    p_equivalence: Floats
    effect: Floats
    effect_error: Floats
    noise: Floats
    direction: Floats
    wins: Ints
    losses: Ints
    notes: tuple[Note, ...]
    scatter: Scatter | None = None
    """How much true differences scatter, where there are enough systems to say."""
    judged: tuple[Combined, ...] | None = None
    """Where a judge of more queries has a say."""
    bayes: list[PairBayes | None] | None = None
    """How likely each is the better one, where that was asked."""
    limits: Floats | None = None
    """The |t| beyond which each pair is a finding, where near copies have a limit of their own."""
    differences: Floats | None = None
    """Pairs × queries, until all tables have been held together."""

    @property
    def freedom(self) -> Ints:
        """Degrees of freedom of each pair's t."""
        if self.judged is None:
            return self.sample.queries - 1
        return np.array([one.freedom for one in self.judged])


@dataclass(frozen=True, slots=True)
class JudgeScores:
    """A judge's scores, systems × queries: on the human queries, in their order, and on all it has."""

    on_human: Floats
    everywhere: Floats
    left_out: int
    """Human queries that the judge lacks."""


def examine(
    values: Floats,
    measure: str,
    design: Design,
    *,
    tables: int,
    draws: Draws | None,
    weights: Floats | None = None,
    progress: Progress | None = None,
    judge: JudgeScores | None = None,
) -> Evidence:
    """The evidence in `values`, systems × queries; `tables` is how many such tables are judged together."""
    first, second = design.pairs.T
    differences = paired_differences(values[first], values[second])
    wins, losses = (np.count_nonzero(there, axis=1) for there in (differences > 0.0, differences < 0.0))
    if weights is not None:
        values = linearized(values, weights)
        differences = paired_differences(values[first], values[second])
    sample, stages = moments(differences), 3 if design.interval == "bootstrap" else 1
    bounds = _interval(differences, sample, design, shared(progress, 0, stages))
    of_means, progress = shared(progress, stages - 1, stages), shared(progress, stages // 2, stages)
    family: Bounded | None = None
    critical, refine = float("nan"), None
    if design.test in FAMILY_TESTS:
        study = two_way(complete_queries(values))
        p = family = _family_p(values, design, draws, progress)
        critical = tukey_critical(study, len(values), design.alpha / design.factor(tables))
        effect, noise = study.effect_sizes[first, second], np.full(len(p.p), np.sqrt(2.0 * study.residual_mean_square))
    else:
        p, effect = _paired_p(differences, design, tables, draws, progress), effect_sizes(sample)
        noise, refine = sample.deviation, _finer(values, design)
    unasked, ranks = np.full(len(differences), np.nan), ranks_of(values, design)
    found = Evidence(
        measure=measure,
        queries=values.shape[1],
        systems=summarise(values, design, ranks, of_means),
        ranks=ranks,
        sample=sample,
        interval=bounds,
        p=p,
        refine=refine,
        family=family,
        critical=critical,
        p_equivalence=equivalence_test(differences, design.equivalence) if design.equivalence else unasked,
        effect=effect,
        effect_error=effect_errors(differences, sample, effect),
        noise=noise,
        direction=wilcoxon_direction(differences) if design.test == "wilcoxon" else np.sign(sample.mean),
        wins=wins,
        losses=losses,
        notes=_notes(values, measure, design),
        scatter=scatter_of(values),
        bayes=_posteriors(values, sample, design) if design.bayes else None,
        differences=differences if design.correction == "max-t" else None,
    )
    return found if judge is None else _with_judge(found, differences, judge, design)


def _posteriors(values: Floats, sample: Moments, design: Design) -> list[PairBayes | None]:
    study = two_way(complete_queries(values))
    return pair_posteriors(sample, study, margin=design.equivalence or 0.0, confidence=design.confidence)


def _with_judge(found: Evidence, human: Floats, judge: JudgeScores, design: Design) -> Evidence:
    """The same pairs with the combined differences; wins, ties and losses stay those of the human queries."""
    first, second = design.pairs.T
    on_human, everywhere = (
        paired_differences(scores[first], scores[second]) for scores in (judge.on_human, judge.everywhere)
    )
    combined = combine_all(human, on_human, everywhere, design.confidence)
    difference, margin, error, p = np.array(
        [(one.difference, one.margin(design.confidence), one.error, one.p) for one in combined]
    ).T.copy()
    counts = np.array([one.judge.human_queries for one in combined])
    sample = Moments(counts, difference, found.sample.deviation)
    effect = effect_sizes(sample)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect_error = np.sqrt(np.square(error / sample.deviation) + np.square(effect) / (2.0 * (counts - 1)))
    equivalent = [one.p_equivalence(design.equivalence) if design.equivalence else np.nan for one in combined]
    return replace(
        found,
        sample=sample,
        interval=Intervals(difference, difference - margin, difference + margin, counts),
        p=exactly(p),
        p_equivalence=np.array(equivalent),
        effect=effect,
        effect_error=effect_error,
        direction=np.sign(difference),
        notes=(*found.notes, *notes_on(combined, design.named_pairs, found.measure, judge.left_out)),
        judged=combined,
    )


def _interval(rows: Floats, sample: Moments, design: Design, progress: Progress | None) -> Intervals:
    return mean_interval(
        rows,
        confidence=design.confidence,
        method=design.interval,
        seed=design.seed,
        progress=progress,
        sample=sample,
    )


def ranks_of(values: Floats, design: Design) -> RankIntervals:
    return rank_intervals(values, confidence=design.confidence, pairs=design.pairs)


def summarise(
    values: Floats, design: Design, ranks: RankIntervals, progress: Progress | None = None
) -> tuple[SystemSummary, ...]:
    """Mean and rank of every system, in the order given."""
    sample = moments(values)
    bounds = _interval(values, sample, design, progress)
    of_means = (bounds.mean, bounds.low, bounds.high, sample.deviation, sample.queries)
    columns = (*of_means, ranks.rank, ranks.low, ranks.high)
    rows = zip(design.systems, *(column.tolist() for column in columns), strict=True)
    return tuple(SystemSummary(*row) for row in rows)


def _paired_p(
    differences: Floats, design: Design, tables: int, draws: Draws | None, progress: Progress | None
) -> Bounded:
    if draws is None:
        if design.test != "sign-flip":
            return exactly(t_test(differences) if design.test == "t" else wilcoxon_test(differences))
        found = flipped(differences)
        if progress is not None:
            progress(1, 1)
        return found
    test = sign_flip_test if design.test == "sign-flip" else bootstrap_test
    again = draws.finer if draws.finer > draws.first else 0
    p = test(differences, samples=draws.first, seed=design.seed, progress=_part(progress, 0, draws.first + again))
    found = sampled(p, draws.first)
    # Near the limit of significance, or too near the smallest p that the first sample can give to decide.
    close = p <= max(4.0 * design.alpha / design.factor(tables), 10.0 / (1 + draws.first))
    if again and close.any():
        # Valid because the second sample is drawn afresh: whoever is let in by the first must pass the second.
        remaining = _part(progress, draws.first, draws.first + again)
        finer = test(differences[close], samples=again, seed=design.seed + 1, progress=remaining)
        found.put(np.flatnonzero(close), sampled(finer, again))
    if design.test == "sign-flip":
        exact = np.count_nonzero(np.nan_to_num(differences), axis=1) <= MOST_EXACT_FLIPS
        found.low[exact] = found.high[exact] = found.p[exact]
    if progress is not None:
        progress(draws.first + again, draws.first + again)
    return found


def _finer(values: Floats, design: Design) -> Refine | None:
    """Sharper p-values for pairs at the limit: a finer lattice for sign flips, more samples for the bootstrap."""

    def refine(places: Ints) -> Bounded | None:
        first, second = design.pairs[places].T
        differences = paired_differences(values[first], values[second])
        if design.test == "sign-flip":
            return finer_flips(differences)
        samples = design.most_samples(values.shape[1])
        return sampled(bootstrap_test(differences, samples=samples, seed=design.seed + 2), samples)

    return refine if design.samples is None and design.test in {"sign-flip", "bootstrap"} else None


def shared(progress: Progress | None, part: int, parts: int) -> Progress | None:
    """Progress of one of several parts of equal weight, whatever each of them counts in."""
    if progress is None or parts == 1:
        return progress
    return lambda done, total: progress(part * USUAL_SAMPLES + USUAL_SAMPLES * done // total, parts * USUAL_SAMPLES)


def _part(progress: Progress | None, before: int, total: int) -> Progress | None:
    return None if progress is None else lambda done, _: progress(before + done, total)


def _family_p(values: Floats, design: Design, draws: Draws | None, progress: Progress | None) -> Bounded:
    first, second = design.pairs.T
    if draws is None:
        return exactly(tukey_test(values)[first, second])
    p = randomised_tukey_test(values, samples=draws.finer, seed=design.seed, progress=progress)
    return sampled(p[first, second], draws.finer)


def _notes(values: Floats, measure: str, design: Design) -> tuple[Note, ...]:
    gaps, queries, notes = int(np.isnan(values).any(axis=0).sum()), values.shape[1], []
    if design.test == "sign-flip" and design.samples is None and queries >= NORMAL_FROM:
        text = f"with {queries:,} queries, sign-flip p-values are those of the normal limit"
        notes.append(Note("normal-limit", text, queries))
    notes += few_queries(values, FEW_QUERIES)
    if gaps:
        of_pairs = "each pair uses the queries that both systems have"
        rule = "the test leaves them out" if design.test in FAMILY_TESTS else of_pairs
        text = f"{measure}: {gaps} of {queries} queries lack a score for some system; {rule}."
        notes.append(Note("missing-scores", text, gaps, measure=measure))
    return tuple(notes)


def beside(human: Scores, judge: Scores) -> tuple[Scores, list[JudgeScores]]:
    """The human scores on the queries that the judge has, too, and for every measure the judge's."""
    places = {query: at for at, query in enumerate(judge.queries)}
    common = [query for query in human.queries if query in places]
    if not common:
        raise AnalysisError("the judge has none of the human queries; are their ids written the same way?")
    if len(common) == len(judge.queries):
        raise AnalysisError("every query has human judgments: leave the judge out")
    systems = [position(system, judge.systems, "system of the judge") for system in human.systems]
    on_human, left_out = [places[query] for query in common], len(human.queries) - len(common)
    matrices = [np.ascontiguousarray(judge.matrix(measure)[systems]) for measure in names_of(human)]
    found = [JudgeScores(values[:, on_human], values, left_out) for values in matrices]
    return replace(human.only(common) if left_out else human, notes=(*_holes(human), *human.notes)), found


def _holes(human: Scores) -> list[Note]:
    """People must have judged the first documents of the compared runs; where they have not, `holes` says how far it matters."""
    counts = [note.count for note in human.notes if note.kind == "unjudged-documents"]
    if not counts:
        return []
    text = (
        f"people left documents unjudged in {plural(len(counts), 'run')} (up to {max(counts):,} each), which count as not "
        "relevant; `rankgauge holes` shows what they could change"
    )
    return [Note("human-holes", text, max(counts))]
