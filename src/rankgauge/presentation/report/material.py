"""What a page shows: the scores, the collection behind them, and analyses, computed where they are not given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from rankgauge.analysis.agreement import Agreement, agreement
from rankgauge.analysis.compare.compare import compare
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.discriminate import Discrimination, discriminate
from rankgauge.analysis.robust.result import Robustness
from rankgauge.analysis.robust.robust import robust
from rankgauge.analysis.score_table import Measures, position, scores_from
from rankgauge.analysis.stability.result import Stability
from rankgauge.analysis.stability.study import stability
from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.data.run import Run
from rankgauge.data.sources import is_spark
from rankgauge.errors import AnalysisError, MeasureError, UsageError
from rankgauge.evaluation.evaluate import Progress, evaluate, list_runs, settle_call
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.measure import Measure

# Pairs grow with the square of the systems; 435 are enough for a curve.
MOST_SYSTEMS = 30
CURVES = 5
MOST_ROBUST = 100
GAINS = ("linear", "exp")
DISCOUNTS = ("log2", "zipf", "linear", "none", "rbp(0.8)")
AXES = ("discount", "gain")
Result = TypeVar("Result")


@dataclass(frozen=True)
class PageSettings:
    """What a user chooses about a page."""

    baseline: str | None = None
    confidence: float = 0.95
    seed: int = 7
    title: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Query → text."""
    command: str = ""
    explorer: str = ""
    """Where the page of `explore` is, seen from this page."""


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


@dataclass(frozen=True)
class Material:
    """Everything a page may show; what is None is left out."""

    scores: Scores
    settings: PageSettings
    comparison: Comparison | None = None
    """None where there is only one system."""
    stability: Stability | None = None
    discrimination: Discrimination | None = None
    variants: Scores | None = None
    """The same runs under other gains and discounts."""
    agreement: Agreement | None = None
    """Between the variants."""
    orders: Agreement | None = None
    """Between the requested measures."""
    robust: Robustness | None = None
    """Whether the choice of gain and discount matters, for the first measure."""
    judgments: Judgments | None = None
    runs: Mapping[str, Run] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    """Analyses that these scores do not allow, with the reason."""


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
        return _evaluated(scores, runs, measures, policy, like, only, progress)
    if (judgments is None) != (runs is None):
        given, lacking = ("runs", "judgments") if judgments is None else ("judgments", "runs")
        raise UsageError(f"scores come with {given} but without {lacking}\nGive both, or neither.")
    known = scores_from(scores, None, measures, policy=policy, like=like, only=only)
    if judgments is None:
        return Collected(known)
    return _with_collection(known, _judgments_of(judgments), list_runs(runs), progress)


def _evaluated(
    judgments: Any,
    runs: Any,
    measures: Measures | None,
    policy: Policy | None,
    like: str | None,
    only: Iterable[str] | None,
    progress: Progress | None,
) -> Collected:
    asked, rule = settle_call("nDCG@10" if measures is None else measures, policy, like)
    members = runs.values() if isinstance(runs, Mapping) else runs if isinstance(runs, (list, tuple)) else [runs]
    if is_spark(judgments) or any(map(is_spark, members)):
        # Rankings in Spark tables are too large to look into.
        scores, variants = evaluate_variants(judgments, runs, asked, rule, only=only, progress=progress)
        return Collected(scores, variants, judgments, runs)
    judged, listed = _judgments_of(judgments), list_runs(runs)
    if only is not None:
        judged = judged.only(only)
    scores, variants = evaluate_variants(judged, listed, asked, rule, progress=progress)
    return Collected(scores, variants, judged, listed, {run.name: run for run in listed})


def _with_collection(scores: Scores, judged: Judgments, runs: Sequence[Run], progress: Progress | None) -> Collected:
    named = {run.name: run for run in runs}
    if not named.keys() >= set(scores.systems):
        return Collected(scores, None, judged, None, named)
    listed = [named[system] for system in scores.systems]
    lead, rule = scores.measures[:1], scores.policy
    _, variants = evaluate_variants(judged, listed, lead, rule, only=scores.queries, progress=progress)
    return Collected(scores, variants, judged, listed, named)


def _judgments_of(judgments: Any) -> Judgments:
    return judgments if isinstance(judgments, Judgments) else Judgments(judgments)


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
) -> tuple[Scores, Scores | None]:
    """Evaluate the requested measures, and the first of them under other gains and discounts.

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
    return every.select(asked), every.select(grid) if len(grid) > 1 else None


def spelled_option(measure: Measure, option: str) -> str:
    return measure.definition.options[option].spell(measure.settings[option])


def gather(
    data: Collected,
    settings: PageSettings,
    comparison: Comparison | None = None,
    study: Stability | None = None,
    discrimination: Discrimination | None = None,
) -> Material:
    """Compute the analyses that are not given, where there are enough scores for them."""
    scores, variants = data.scores, data.variants
    confidence, seed = settings.confidence, settings.seed
    if settings.baseline is not None:
        position(settings.baseline, scores.systems, "baseline")
    systems, several = len(scores.systems), len(scores.queries) > 2
    left_out: list[str] = []

    def tried(name: str, compute: Callable[[], Result]) -> Result | None:
        try:
            return compute()
        except AnalysisError as problem:
            left_out.append(f"{name} is left out: {problem}")
            return None

    if comparison is None and systems > 1:
        comparison = compare(scores, baseline=settings.baseline, confidence=confidence, seed=seed)
    if study is None and several and systems > 1:
        study = tried("stability", lambda: _study(data, confidence))
    if discrimination is None and several and systems > 2:
        curves, top = _curves(scores, variants), min(MOST_SYSTEMS, systems)
        discrimination = tried("discriminative power", lambda: discriminate(curves, top=top, seed=seed))
    among_variants = tried("agreement", lambda: agreement(variants)) if variants is not None and systems > 1 else None
    among_asked = tried("agreement", lambda: agreement(scores)) if len(scores.measures) > 1 and systems > 1 else None
    if comparison is not None:
        settings = replace(settings, confidence=comparison.confidence, seed=comparison.seed)
    return Material(
        scores,
        settings,
        comparison,
        stability=study,
        discrimination=discrimination,
        variants=variants,
        agreement=among_variants,
        orders=among_asked,
        robust=_robust(data) if systems > 1 else None,
        judgments=data.judgments if data.lists else None,
        runs=data.lists,
        left_out=tuple(left_out),
    )


def _robust(data: Collected) -> Robustness | None:
    """Verdicts on the first measure where it has a gain and a discount; over the discount alone for raw scores."""
    scores = data.scores
    if data.runs is None or not isinstance(data.judgments, Judgments) or len(scores.systems) > MOST_ROBUST:
        return None
    for over in ("both", "discount"):
        try:
            return robust(
                data.judgments,
                data.runs,
                scores.measures[0],
                over=over,
                all_pairs=True,
                samples=0,
                policy=scores.policy,
                only=scores.queries,
            )
        except (AnalysisError, UsageError):  # another measure, or more grades than gains can be considered for
            continue
    return None


def _study(data: Collected, confidence: float) -> Stability:
    """As the command `stability` does: without the queries on which a measure is undefined, unless the policy says so."""
    scores = data.scores
    barren = any(note.kind == "no-relevant-documents" for note in scores.notes)
    if not barren or data.runs is None or scores.policy.undefined is not None:
        return stability(scores, confidence=confidence)
    rule, queries = scores.policy, scores.queries
    return stability(data.judgments, data.runs, scores.measures, policy=rule, only=queries, confidence=confidence)


def _curves(scores: Scores, variants: Scores | None) -> Scores:
    """A few measures worth a curve: the requested ones, or the variants of a single one."""
    if len(scores.measures) > 1 or variants is None:
        return scores.select(scores.measures[:CURVES])
    return variants.select(variants.measures[:CURVES])
