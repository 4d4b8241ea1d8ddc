"""robust(): does one system beat the other whatever gain and discount you choose?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, cast, get_args

import numpy as np

from rankgauge.analysis.robust.classes import Classes, merged
from rankgauge.analysis.robust.counts import Basis, read_counts
from rankgauge.analysis.robust.family import Neighbors, free_parts
from rankgauge.analysis.robust.result import FAMILY, Robustness, RobustPair, Significance, summary_sentence
from rankgauge.analysis.robust.verdicts import PairVerdict, Verdict, judge, named_means, paired_t, stays_robust
from rankgauge.analysis.robust.witness import Witness, find_witnesses
from rankgauge.analysis.score_table import check_pairs, evaluation_notes, position
from rankgauge.arrays import Floats, Ints
from rankgauge.data.policy import Policy
from rankgauge.errors import many
from rankgauge.evaluation.intervals import linearized
from rankgauge.kernels.resampling import Progress
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

ALPHA = 0.05
SAMPLES, MOST_SAMPLED_PAIRS = 200, 100


def robust(
    judgments: Any,
    runs: Any,
    measure: str | Measure = "nDCG@10",
    *,
    over: str = "both",
    baseline: str | None = None,
    all_pairs: bool = False,
    budget: int | None = None,
    samples: int | None = None,
    seed: int = 7,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    weights: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Robustness:
    """Which differences hold under every gain and every discount?"""
    collection = read_counts(judgments, runs, measure, over, policy, like, only, weights, progress)
    systems = collection.scores.systems
    pairs = _pairs(systems, baseline, all_pairs=all_pairs)
    found, witnesses, classes = _judged(collection, over, pairs, budget, progress)
    if samples is None:
        samples = SAMPLES if len(pairs) <= MOST_SAMPLED_PAIRS else 0
    shares = stays_robust(collection.counts, pairs, found, samples, seed, progress)
    reference = systems[0] if baseline is None and not all_pairs else baseline
    return _result(collection, over, pairs, found, witnesses, classes, shares, reference)


def _pairs(systems: Sequence[str], baseline: str | None, *, all_pairs: bool) -> Ints:
    """Rows (system, what it is compared with): the baseline, else the earlier of the two."""
    first = 0 if baseline is None else position(baseline, systems, "baseline")
    order = np.array([first, *(at for at in range(len(systems)) if at != first)])
    if not all_pairs:
        return np.column_stack([order[1:], np.full(len(order) - 1, first)])
    check_pairs(len(order), "name a baseline")
    subtracted, system = np.triu_indices(len(order), 1)
    return np.column_stack([order[system], order[subtracted]])


def _judged(
    collection: Basis, over: str, pairs: Ints, budget: int | None, progress: Progress | None
) -> tuple[list[PairVerdict], list[Witness | None], Classes]:
    counts, free = collection.counts, free_parts(collection.measure, over)
    classes = merged(counts)
    candidates = Neighbors(collection.measure, free, counts.best.shape[1], counts.grades).found()
    means = named_means(classes, candidates) if candidates else np.zeros((len(classes.found), 1))
    between = means[pairs[:, 0]] - means[pairs[:, 1]]
    difference = collection.means[pairs[:, 0]] - collection.means[pairs[:, 1]]
    found = judge(classes, pairs, difference, between, budget, progress)
    witnesses = find_witnesses(collection, free, candidates, pairs, found, difference, between)
    # A pair without a measure to show for it is not decided.
    found = [
        one._replace(verdict="open") if one.verdict == "depends" and witness is None else one
        for one, witness in zip(found, witnesses, strict=True)
    ]
    return found, witnesses, classes


def _result(
    collection: Basis,
    over: str,
    pairs: Ints,
    found: Sequence[PairVerdict],
    witnesses: Sequence[Witness | None],
    classes: Classes,
    shares: Mapping[int, float],
    reference: str | None,
) -> Robustness:
    scores, measure, own = collection.scores, str(collection.measure), collection.means
    values = scores.matrix()
    p = paired_t(values if scores.weights is None else linearized(values, scores.weights), pairs)
    listed = []
    for at, (one, (first, second)) in enumerate(zip(found, pairs.tolist(), strict=True)):
        system, baseline, witness = scores.systems[first], scores.systems[second], witnesses[at] or Witness()
        listed.append(
            RobustPair(
                system=system,
                baseline=baseline,
                verdict=one.verdict,
                winner=(system if one.sign > 0 else baseline) if one.verdict == "robust" else None,
                difference=float(own[first] - own[second]),
                witness=witness.measure,
                witness_difference=witness.difference,
                witness_holds=witness.holds,
                resampled=shares.get(at),
                p=float(p[at]),
            )
        )
    verdicts = [pair.verdict for pair in listed]
    tally = {word: verdicts.count(word) for word in get_args(Verdict)}
    cells = [(pair.verdict == "robust", pair.p < ALPHA) for pair in listed]
    kinds = ((True, True), (True, False), (False, True), (False, False))
    significance = Significance(*(cells.count(kind) for kind in kinds))
    return Robustness(
        measure=measure,
        over=cast("Literal['discount', 'gain', 'both']", over),
        query_count=len(scores.queries),
        systems=scores.systems,
        means=dict(zip(scores.systems, own.tolist(), strict=True)),
        baseline=reference,
        counts=tally,
        significance=significance,
        pairs=tuple(listed),
        summary=summary_sentence(measure, over, listed, tally),
        notes=tuple(_notes(collection, over, significance, is_resampled=bool(shares))),
        cutoffs=tuple(range(1, collection.counts.best.shape[1] + 1)) if over != "gain" else (),
        thresholds=collection.counts.grades,
        at_corners=_corner_means(collection, classes),
        noun=scores.about.noun,
    )


def _notes(collection: Basis, over: str, both: Significance, *, is_resampled: bool) -> Iterator[Note]:
    cutoff = "" if over == "gain" else f", down to rank {collection.measure.cutoff}"
    yield Note("family", f"considered: {FAMILY[over]}{cutoff}")
    yield Note(
        "robust-and-significant",
        f"robust and significant (paired t test of each pair alone, p < {ALPHA:g}): {both.both:,}; only robust: "
        f"{both.robust_only:,}; only significant: {both.significant_only:,}; neither: {both.neither:,}",
    )
    if is_resampled:
        yield Note(
            "resampled",
            f"resampled: share of resamples of the {many(collection.scores.about.noun)} in which the winner stays robust",
        )
    yield from collection.view.left_out(collection.scores.about.noun)
    yield from evaluation_notes(collection.scores)


def _corner_means(collection: Basis, classes: Classes) -> Floats:
    """Means under plain cutoffs and grade thresholds; a class without such a grade uses the highest that it has."""
    scores = collection.scores
    weights = np.ones(len(scores.queries)) if scores.weights is None else scores.weights
    whole = float(weights[~np.isnan(scores.matrix()[0])].sum())
    level = np.minimum(np.arange(classes.grades)[None, :], classes.tops[:, None] - 1)[:, None, :]
    found = np.take_along_axis(classes.found, level[None], axis=3)
    best = np.take_along_axis(classes.best, level, axis=2)
    return np.asarray((found / best).sum(axis=1)) / whole
