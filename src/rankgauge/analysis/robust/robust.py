"""robust(): does one system beat the other whatever gain and discount you choose?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, cast

import numpy as np

from rankgauge.analysis.robust.classes import Classes, merged
from rankgauge.analysis.robust.counts import Collection, read_counts
from rankgauge.analysis.robust.family import free_parts, named
from rankgauge.analysis.robust.result import FAMILY, Robustness, RobustPair, Significance, counted, summary_sentence
from rankgauge.analysis.robust.verdicts import Judged, judge, named_means, paired_t, stays_robust
from rankgauge.analysis.robust.witness import Witness, find_witnesses
from rankgauge.analysis.score_table import evaluation_notes, position
from rankgauge.arrays import Floats, Ints
from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError
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
    """Which differences hold under every gain and every discount?

    For an nDCG or DCG, `over` says what varies: every discount that never rises with the rank, every gain that never
    falls with the grade, or both. A pair is robust if the mean of one system is never below the other's; this is proved.
    It depends if a measure turns the order around; this measure is named, and confirmed by evaluating it. Where `budget`
    boxes are not enough for either, the pair is open. Every system is compared with `baseline` (the first by default), or
    all pairs are. `samples` resamples of the queries show how often the winner stays robust (200 for up to 100 pairs).

    >>> found = robust({"q": {"a": 1}}, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"a": 1, "b": 2}}}, "nDCG@2")
    >>> found.pairs[0].verdict, found.pairs[0].winner
    ('robust', 'x')
    """
    for name, value in (("budget", budget), ("samples", samples)):
        if value is not None and (isinstance(value, bool) or value != int(value) or value < 0):
            raise UsageError(f"{name} is {value}; it must be a whole number of at least 0")
    collection = read_counts(
        judgments, runs, measure, over, policy=policy, like=like, only=only, weights=weights, progress=progress
    )
    systems = collection.scores.systems
    reference = None if all_pairs and baseline is None else systems[0] if baseline is None else baseline
    pairs = _pairs(systems, baseline, all_pairs=all_pairs)
    found, witnesses, classes = _judged(collection, over, pairs, budget, progress)
    shares = _resampled(collection, pairs, found, samples, seed, progress)
    return _result(collection, over, pairs, found, witnesses, classes, shares, reference)


def _pairs(systems: Sequence[str], baseline: str | None, *, all_pairs: bool) -> Ints:
    """Rows (system, what it is compared with): the baseline, else the earlier of the two."""
    first = 0 if baseline is None else position(baseline, systems, "baseline")
    order = np.array([first, *(at for at in range(len(systems)) if at != first)])
    subtracted, system = np.triu_indices(len(order), 1)
    pairs = np.column_stack([order[system], order[subtracted]])
    return pairs if all_pairs else pairs[: len(order) - 1]


def _judged(
    collection: Collection, over: str, pairs: Ints, budget: int | None, progress: Progress | None
) -> tuple[list[Judged], list[Witness | None], Classes]:
    counts, free = collection.counts, free_parts(collection.measure, over)
    classes = merged(counts)
    candidates = named(collection.measure, free, counts.best.shape[1], counts.grades)
    means = named_means(classes, candidates) if candidates else np.zeros((len(classes.found), 1))
    between = means[pairs[:, 0]] - means[pairs[:, 1]]
    own = _own_means(collection)
    difference = own[pairs[:, 0]] - own[pairs[:, 1]]
    found = judge(classes, pairs, difference, between, budget, progress)
    witnesses = find_witnesses(collection, free, candidates, pairs, found, difference, between)
    # A pair without a measure to show for it is not decided.
    found = [
        one._replace(verdict="open") if one.verdict == "depends" and witness is None else one
        for one, witness in zip(found, witnesses, strict=True)
    ]
    return found, witnesses, classes


def _own_means(collection: Collection) -> Floats:
    name = str(collection.measure)
    return np.array([row[name] for row in collection.scores.mean().values()])


def _resampled(
    collection: Collection,
    pairs: Ints,
    found: Sequence[Judged],
    samples: int | None,
    seed: int,
    progress: Progress | None,
) -> dict[int, float]:
    """For every robust pair, the share of resamples in which it stays so."""
    if samples is None:
        samples = SAMPLES if len(pairs) <= MOST_SAMPLED_PAIRS else 0
    places = [at for at, one in enumerate(found) if one.verdict == "robust"]
    if not samples or not places:
        return {}
    signs = [found[at].sign for at in places]
    shares = stays_robust(collection.counts, pairs[places], signs, samples, seed, progress)
    return dict(zip(places, shares.tolist(), strict=True))


def _result(
    collection: Collection,
    over: str,
    pairs: Ints,
    found: Sequence[Judged],
    witnesses: Sequence[Witness | None],
    classes: Classes,
    shares: Mapping[int, float],
    reference: str | None,
) -> Robustness:
    scores, measure, counts = collection.scores, str(collection.measure), collection.counts
    p, own = paired_t(scores.matrix(), pairs), _own_means(collection)
    listed = []
    for at, (system, baseline) in enumerate(pairs.tolist()):
        one, witness = found[at], witnesses[at]
        names = (scores.systems[system], scores.systems[baseline])
        listed.append(
            RobustPair(
                system=names[0],
                baseline=names[1],
                verdict=one.verdict,
                winner=names[0 if one.sign > 0 else 1] if one.verdict == "robust" else None,
                difference=float(own[system] - own[baseline]),
                witness=None if witness is None else witness.measure,
                witness_difference=None if witness is None else witness.difference,
                witness_holds="" if witness is None else witness.holds,
                resampled=shares.get(at),
                p=float(p[at]),
            )
        )
    tally = counted([one.verdict for one in found])
    return Robustness(
        measure=measure,
        over=cast("Literal['discount', 'gain', 'both']", over),
        query_count=len(scores.queries),
        systems=scores.systems,
        means=dict(zip(scores.systems, own.tolist(), strict=True)),
        baseline=reference,
        counts=tally,
        significance=_significance(listed),
        pairs=tuple(listed),
        summary=summary_sentence(measure, over, listed, tally),
        notes=_notes(collection, over, listed),
        cutoffs=tuple(range(1, counts.best.shape[1] + 1)) if over != "gain" else (),
        thresholds=counts.grades,
        at_corners=_corner_means(collection, classes),
    )


def _significance(pairs: Sequence[RobustPair]) -> Significance:
    cells = [(pair.verdict == "robust", pair.p < ALPHA) for pair in pairs]
    return Significance(*(cells.count(cell) for cell in ((True, True), (True, False), (False, True), (False, False))))


def _notes(collection: Collection, over: str, pairs: Sequence[RobustPair]) -> tuple[Note, ...]:
    both = _significance(pairs)
    cutoff = "" if over == "gain" else f", down to rank {collection.measure.cutoff}"
    texts = [
        Note("family", f"considered: {FAMILY[over]}{cutoff}"),
        Note(
            "robust-and-significant",
            f"robust and significant (paired t test of each pair alone, p < {ALPHA:g}): {both.both:,}; only robust: "
            f"{both.robust_only:,}; only significant: {both.significant_only:,}; neither: {both.neither:,}",
        ),
    ]
    if any(pair.resampled is not None for pair in pairs):
        texts.append(Note("resampled", "resampled: share of resamples of the queries in which the winner stays robust"))
    return (
        *texts,
        *collection.notes[: len(collection.notes) - len(collection.scores.notes)],
        *evaluation_notes(collection.scores),
    )


def _corner_means(collection: Collection, classes: Classes) -> Floats:
    """Means under plain cutoffs and grade thresholds; a class without such a grade uses the highest that it has."""
    scores = collection.scores
    weights = np.ones(len(scores.queries)) if scores.weights is None else scores.weights
    whole = float(weights[~np.isnan(scores.matrix()[0])].sum())
    level = np.minimum(np.arange(classes.grades)[None, :], classes.tops[:, None] - 1)[:, None, :]
    found = np.take_along_axis(classes.found, level[None], axis=3)
    best = np.take_along_axis(classes.best, level, axis=2)
    return np.asarray((found / best).sum(axis=1)) / whole
