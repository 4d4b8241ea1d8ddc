"""What the scores of one measure say about every pair, before the family of comparisons is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from rankgauge.analysis.compare.options import NORMAL_FROM, Design, Draws
from rankgauge.analysis.compare.statistics.corrections import adjust
from rankgauge.analysis.compare.statistics.judged import Combined, combine_all, notes_on
from rankgauge.analysis.compare.statistics.max_t import max_t
from rankgauge.analysis.compare.statistics.ranks import rank_intervals
from rankgauge.analysis.compare.statistics.shares import (
    Bounded,
    Refine,
    exactly,
    finer_flips,
    flipped,
    nothing_finer,
    sampled,
)
from rankgauge.analysis.compare.statistics.tests import (
    MOST_EXACT_FLIPS,
    bootstrap_test,
    equivalence_test,
    paired_differences,
    sign_flip_test,
    t_test,
    wilcoxon_direction,
    wilcoxon_test,
)
from rankgauge.analysis.compare.statistics.tukey import (
    FAMILY_TESTS,
    complete_queries,
    randomised_tukey_test,
    tukey_critical,
    tukey_test,
    two_way,
)
from rankgauge.analysis.score_table import names_of, position
from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.errors import AnalysisError, plural
from rankgauge.evaluation.intervals import Intervals, Moments, linearized, mean_interval, moments
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.resampling import Progress
from rankgauge.tables.notes import Note
from rankgauge.tables.shown import Plain

# A pair is refined once; whoever's place in the order then becomes open gets a turn as well.
ROUNDS = 4


@dataclass(frozen=True, slots=True)
class SystemSummary(Plain):
    """One system's mean over its queries, and its rank among the systems; both with their intervals."""

    json_names: ClassVar = {"deviation": None, "query_count": "queries"}

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
    sample: Moments
    interval: Intervals
    p: Bounded
    refine: Refine
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
    judged: tuple[Combined, ...] | None = None
    """Where a judge of more queries has a say."""

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
    wins, losses = (np.count_nonzero(sign * differences > 0.0, axis=1) for sign in (1.0, -1.0))
    if weights is not None:
        values = linearized(values, weights)
        differences = paired_differences(values[first], values[second])
    sample = moments(differences)
    bounds = mean_interval(differences, confidence=design.confidence, method=design.interval, seed=design.seed)
    family: Bounded | None = None
    critical, refine = float("nan"), nothing_finer
    if design.test in FAMILY_TESTS:
        study = two_way(complete_queries(values))
        p = family = _family_p(values, design, draws, progress, design.pairs)
        critical = tukey_critical(study, len(values), design.alpha / design.factor(tables))
        effect, noise = study.effect_sizes[first, second], np.full(len(p.p), np.sqrt(2.0 * study.residual_mean_square))
    else:
        p, effect = _paired_p(differences, design, tables, draws, progress), _standardised(sample)
        noise, refine = sample.deviation, _finer(values, design)
    if design.correction == "max-t":
        joint = max_t(
            differences,
            alpha=design.alpha / design.factor(tables),
            samples=design.joint_samples,
            seed=design.seed,
            progress=progress,
        )
        family, critical = joint.p, joint.critical
    found = Evidence(
        measure=measure,
        queries=values.shape[1],
        systems=summarise(values, design),
        sample=sample,
        interval=bounds,
        p=p,
        refine=refine,
        family=family,
        critical=critical,
        p_equivalence=equivalence_test(differences, design.equivalence)
        if design.equivalence
        else np.full(len(differences), np.nan),
        effect=effect,
        effect_error=_effect_error(differences, sample, effect),
        noise=noise,
        direction=wilcoxon_direction(differences) if design.test == "wilcoxon" else np.sign(sample.mean),
        wins=wins,
        losses=losses,
        notes=_notes(values, measure, design),
    )
    return found if judge is None else _with_judge(found, differences, judge, design)


def _with_judge(found: Evidence, human: Floats, judge: JudgeScores, design: Design) -> Evidence:
    """The same pairs with the combined differences; wins, ties and losses stay those of the human queries."""
    first, second = design.pairs.T
    on_human, everywhere = (
        paired_differences(scores[first], scores[second]) for scores in (judge.on_human, judge.everywhere)
    )
    combined = combine_all(human, on_human, everywhere, design.confidence)
    difference, margin, error, p = (
        np.array(column)
        for column in zip(
            *((one.difference, one.margin(design.confidence), one.error, one.p) for one in combined), strict=True
        )
    )
    counts = np.array([one.judge.human_queries for one in combined])
    sample = Moments(counts, difference, found.sample.deviation)
    effect = _standardised(sample)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect_error = np.sqrt(np.square(error / sample.deviation) + np.square(effect) / (2.0 * (counts - 1)))
    equivalent = [one.p_equivalence(design.equivalence) if design.equivalence else np.nan for one in combined]
    names = [(design.systems[a], design.systems[b]) for a, b in design.pairs.tolist()]
    return replace(
        found,
        sample=sample,
        interval=Intervals(difference, difference - margin, difference + margin, counts),
        p=exactly(p),
        p_equivalence=np.array(equivalent),
        effect=effect,
        effect_error=effect_error,
        direction=np.sign(difference),
        notes=(*found.notes, *notes_on(combined, names, found.measure, judge.left_out)),
        judged=combined,
    )


def summarise(values: Floats, design: Design) -> tuple[SystemSummary, ...]:
    """Mean and rank of every system, in the order given."""
    sample = moments(values)
    bounds = mean_interval(values, confidence=design.confidence, method=design.interval, seed=design.seed)
    ranks = rank_intervals(values, confidence=design.confidence)
    return tuple(
        SystemSummary(
            name=name,
            mean=float(bounds.mean[i]),
            low=float(bounds.low[i]),
            high=float(bounds.high[i]),
            deviation=float(sample.deviation[i]),
            query_count=int(sample.queries[i]),
            rank=int(ranks.rank[i]),
            rank_low=int(ranks.low[i]),
            rank_high=int(ranks.high[i]),
        )
        for i, name in enumerate(design.systems)
    )


def _paired_p(
    differences: Floats, design: Design, tables: int, draws: Draws | None, progress: Progress | None
) -> Bounded:
    if draws is None:
        if design.test == "sign-flip":
            found = flipped(differences)
            if progress is not None:
                progress(1, 1)
            return found
        return exactly(t_test(differences) if design.test == "t" else wilcoxon_test(differences))
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


def _finer(values: Floats, design: Design) -> Refine:
    """Sharper p-values for pairs at the limit: a finer lattice for sign flips, more samples for the bootstrap."""

    def refine(places: Ints) -> Bounded | None:
        first, second = design.pairs[places].T
        differences = paired_differences(values[first], values[second])
        if design.test == "sign-flip":
            return finer_flips(differences)
        samples = design.most_samples(values.shape[1])
        return sampled(bootstrap_test(differences, samples=samples, seed=design.seed + 2), samples)

    return refine if design.samples is None and design.test in {"sign-flip", "bootstrap"} else nothing_finer


def _part(progress: Progress | None, before: int, total: int) -> Progress | None:
    return None if progress is None else lambda done, _: progress(before + done, total)


def _family_p(values: Floats, design: Design, draws: Draws | None, progress: Progress | None, pairs: Ints) -> Bounded:
    first, second = pairs.T
    if draws is None:
        return exactly(tukey_test(values)[first, second])
    p = randomised_tukey_test(values, samples=draws.finer, seed=design.seed, progress=progress)
    return sampled(p[first, second], draws.finer)


def _standardised(sample: Moments) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(sample.mean == 0.0, np.where(sample.queries > 1, 0.0, np.nan), sample.mean / sample.deviation)


def _effect_error(differences: Floats, sample: Moments, effect: Floats) -> Floats:
    """Standard error of the effect size, skew and heavy tails taken in (delta method)."""
    present = ~np.isnan(differences)
    with np.errstate(divide="ignore", invalid="ignore"):
        scaled = np.where(present, (differences - sample.mean[:, np.newaxis]) / sample.deviation[:, np.newaxis], 0.0)
        squared = np.square(scaled)
        skew, tails = ((power * squared).sum(axis=1) / sample.queries for power in (scaled, squared))
        variance = (1.0 - effect * skew + np.square(effect) * (tails - 1.0) / 4.0) / sample.queries
        error: Floats = np.sqrt(np.maximum(variance, 0.0))
    return error


def _notes(values: Floats, measure: str, design: Design) -> tuple[Note, ...]:
    gaps, notes = int(np.isnan(values).any(axis=0).sum()), []
    if design.test == "sign-flip" and design.samples is None and values.shape[1] >= NORMAL_FROM:
        text = f"with {values.shape[1]:,} queries, sign-flip p-values are those of the normal limit"
        notes.append(Note("normal-limit", text, values.shape[1]))
    if not gaps:
        return tuple(notes)
    rule = (
        "the test leaves them out"
        if design.test in FAMILY_TESTS
        else "each pair uses the queries that both systems have"
    )
    text = f"{measure}: {gaps} of {values.shape[1]} queries lack a score for some system; {rule}."
    return (*notes, Note("missing-scores", text, gaps, measure=measure))


def beside(human: Scores, judge: Scores) -> tuple[Scores, list[JudgeScores]]:
    """The human scores on the queries that the judge has, too, and for every measure the judge's."""
    places = {query: at for at, query in enumerate(judge.queries)}
    common = [query for query in human.queries if query in places]
    if not common:
        raise AnalysisError("the judge has none of the human queries; are their ids written the same way?")
    if len(common) == len(judge.queries):
        raise AnalysisError("every query has human judgments: leave the judge out")
    systems = [position(system, judge.systems, "system of the judge") for system in human.systems]
    part = human if len(common) == len(human.queries) else _cut(human, common)
    on_human = [places[query] for query in common]
    found = []
    for measure in names_of(human):
        values: Floats = np.ascontiguousarray(judge.matrix(measure)[systems])
        found.append(JudgeScores(values[:, on_human], values, len(human.queries) - len(common)))
    return _pointing_to_holes(part), found


def _cut(human: Scores, queries: list[str]) -> Scores:
    from dataclasses import replace

    return replace(human.only(queries), notes=human.notes)


def _pointing_to_holes(human: Scores) -> Scores:
    """People must have judged the first documents of the compared runs; where they have not, `holes` says how far it matters."""
    from dataclasses import replace

    counts = [note.count for note in human.notes if note.kind == "unjudged-documents"]
    if not counts:
        return human
    text = (
        f"people left documents unjudged in {plural(len(counts), 'run')} (up to {max(counts):,} each), which count as not "
        "relevant; `rankgauge holes` shows what they could change"
    )
    return replace(human, notes=(Note("human-holes", text, max(counts)), *human.notes))


@dataclass(frozen=True, slots=True)
class Settled:
    """One entry per pair of all tables; `at_limit` marks those whose p-value could not be told from α."""

    p: Floats
    adjusted: Floats
    at_limit: Flags


def settle(evidence: Sequence[Evidence], design: Design) -> Settled:
    """Adjusting is monotone, so adjusted bounds are bounds of the adjusted p-values: where they lie on either side of
    α the pair is refined, and where nothing finer can be had it counts as not found.
    """
    refined = [np.zeros(len(table.p.p), dtype=bool) for table in evidence]
    at_limit = _open(evidence, design)
    for _ in range(ROUNDS):
        if not at_limit.any() or not _refine(evidence, refined, at_limit):
            break
        at_limit = _open(evidence, design)
    values = _family(evidence, "p")
    highest = _adjusted(_family(evidence, "high"), design, len(evidence))
    adjusted = _adjusted(values, design, len(evidence))
    return Settled(np.concatenate([table.p.p for table in evidence]), np.where(at_limit, highest, adjusted), at_limit)


def _refine(evidence: Sequence[Evidence], refined: list[Flags], at_limit: Flags) -> bool:
    """Sharpen the open pairs, or, if all of them are as sharp as can be, the pairs that may stand before them."""
    ends = np.cumsum([len(flags) for flags in refined])[:-1]
    wanted = [flags & ~done for flags, done in zip(np.split(at_limit, ends), refined, strict=True)]
    if not any(flags.any() for flags in wanted):
        low, high = (np.concatenate([getattr(table.p, name) for table in evidence]) for name in ("low", "high"))
        near = (low < high) & (low <= high[at_limit].max()) & (high >= low[at_limit].min())
        wanted = [flags & ~done for flags, done in zip(np.split(near, ends), refined, strict=True)]
    changed = False
    for at, (table, places) in enumerate(zip(evidence, wanted, strict=True)):
        finer = table.refine(np.flatnonzero(places)) if places.any() and table.family is None else None
        refined[at] |= places
        if finer is not None:
            table.p.put(np.flatnonzero(places), finer)
            changed = True
    return changed


def _open(evidence: Sequence[Evidence], design: Design) -> Flags:
    low, high = (_adjusted(_family(evidence, name), design, len(evidence)) for name in ("low", "high"))
    flags: Flags = (low < design.alpha) & (high >= design.alpha)
    return flags


def _family(evidence: Sequence[Evidence], name: str) -> Floats:
    return np.concatenate([getattr(table.p if table.family is None else table.family, name) for table in evidence])


def _adjusted(p: Floats, design: Design, tables: int) -> Floats:
    if design.judged_together:
        # These p-values already hold for all pairs of one table: what is left is the number of tables.
        return np.minimum(p * design.factor(tables), 1.0)
    return adjust(p, design.correction)
