"""The scores of a page, the same runs under other gains and discounts, and the collection behind them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rankgauge.analysis.score_table import Measures, scores_from
from rankgauge.data.door import is_spark
from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.policy import Policy
from rankgauge.errors import MeasureError, UsageError
from rankgauge.evaluation.evaluate import Progress, evaluate, list_runs, settle_call
from rankgauge.evaluation.scores import Scores
from rankgauge.measures import parse
from rankgauge.measures.measure import Measure

GAINS = ("linear", "exp")
DISCOUNTS = ("log2", "zipf", "linear", "none", "rbp(0.8)")
AXES = ("discount", "gain")


@dataclass(frozen=True)
class Collected:
    """Scores, the same runs under other gains and discounts, and the collection, where it is known."""

    scores: Scores
    variants: Scores | None = None
    judgments: Any = None
    runs: Any = None
    """In the order of the systems; None where the runs are unknown or do not cover the systems."""
    lists: Mapping[str, Run] = field(default_factory=dict)
    """The runs whose rankings can be shown."""
    judged: Scores | None = None
    """The share of judged documents in the rankings."""


def collect(
    scores: Any,
    runs: Any,
    measures: Measures | None,
    *,
    judgments: Any = None,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> Collected:
    """Evaluate judgments and runs, or take scores with the collection they came from."""
    if judgments is None and runs is not None and not isinstance(scores, Scores):
        asked, rule = settle_call("nDCG@10" if measures is None else measures, policy, like)
        return _evaluated(scores, runs, asked, rule, only, progress)
    if (judgments is None) != (runs is None):
        given, lacking = ("runs", "judgments") if judgments is None else ("judgments", "runs")
        raise UsageError(f"scores come with {given} but without {lacking}\nGive both, or neither.")
    known = scores_from(scores, None, measures, policy=policy, like=like, only=only)
    if judgments is None:
        return Collected(known)
    judged = judgments_of(judgments)
    return _with_collection(known, judged, list_runs(runs, judged), progress)


def _evaluated(
    judgments: Any,
    runs: Any,
    asked: Sequence[Measure],
    rule: Policy,
    only: Iterable[str] | None,
    progress: Progress | None,
) -> Collected:
    if any_spark(judgments, runs):
        # Rankings in Spark tables are too large to look into.
        scores, variants, judged = evaluate_variants(judgments, runs, asked, rule, only=only, progress=progress)
        return Collected(scores, variants, judgments, runs, judged=judged)
    whole = judgments_of(judgments)
    known, listed = judgments_of(whole, only), list_runs(runs, whole)
    scores, variants, judged = evaluate_variants(known, listed, asked, rule, progress=progress)
    return Collected(scores, variants, known, listed, {run.name: run for run in listed}, judged)


def _with_collection(scores: Scores, known: Judgments, runs: Sequence[Run], progress: Progress | None) -> Collected:
    named = {run.name: run for run in runs}
    if not named.keys() >= set(scores.systems):
        return Collected(scores, None, known, None, named)
    listed = [named[system] for system in scores.systems]
    lead, rule = scores.measures[:1], scores.policy
    _, variants, judged = evaluate_variants(known, listed, lead, rule, only=scores.queries, progress=progress)
    return Collected(scores, variants, known, listed, named, judged)


def any_spark(judgments: Any, runs: Any) -> bool:
    """Whether anything is a table in Spark."""
    members = runs.values() if isinstance(runs, Mapping) else runs if isinstance(runs, (list, tuple)) else [runs]
    return is_spark(judgments) or any(map(is_spark, members))


def judgments_of(judgments: Any, only: Iterable[str] | None = None) -> Judgments:
    known = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    return known if only is None else known.only(only)


def variants_of(measure: Measure) -> list[Measure]:
    """The measure, then the same with every named gain and discount; empty if it has neither option."""
    if not set(AXES) <= set(measure.definition.options):
        return []
    grid = [
        measure(gain=gain, discount=discount)
        for gain in dict.fromkeys((*GAINS, measure.settings["gain"]))
        for discount in dict.fromkeys((*DISCOUNTS, measure.settings["discount"]))
        if discount != "linear" or measure.cutoff
    ]
    return list(dict.fromkeys([measure, *grid]))


def evaluate_variants(
    judgments: Any,
    runs: Any,
    asked: Sequence[Measure],
    policy: Policy,
    *,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> tuple[Scores, Scores | None, Scores]:
    """Evaluate the requested measures, the first of them under other gains and discounts, and the share of judged documents.

    Raw judged values may be too large for 2^value; the grid then leaves out that gain.
    """
    grid = variants_of(asked[0])

    def evaluated() -> Scores:
        measures = list(dict.fromkeys([*asked, *grid]))
        return evaluate(judgments, runs, measures, policy=policy, only=only, progress=progress)

    try:
        every = evaluated()
    except MeasureError:
        # If the fault is in a requested measure, it is raised again.
        grid = [measure for measure in grid if measure == asked[0] or spelled_option(measure, "gain") != "exp"]
        every = evaluated()
    # Apart from the others: what is noted of unjudged documents follows from the measures asked for.
    judged = evaluate(judgments, runs, _judged_share(asked[0]), policy=policy, only=only)
    return every.select(asked), every.select(grid) if len(grid) > 1 else None, judged


def _judged_share(measure: Measure) -> Measure:
    """Judged@k, as deep as the measure looks; to 10 where it has no end."""
    return parse(f"Judged@{measure.cutoff if isinstance(measure.cutoff, int) else 10}")


def spelled_option(measure: Measure, option: str) -> str:
    return measure.definition.options[option].spell(measure.settings[option])
