"""What a page shows: the scores, the collection behind them, and analyses, computed where they are not given."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from rankgauge.analysis.agreement import Agreement, agreement
from rankgauge.analysis.compare.compare import compare
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.slices import Slices
from rankgauge.analysis.discriminate import Discrimination, discriminate
from rankgauge.analysis.robust.result import Robustness
from rankgauge.analysis.robust.robust import robust
from rankgauge.analysis.score_table import position, scores_from
from rankgauge.analysis.stability.result import Stability
from rankgauge.analysis.stability.study import stability
from rankgauge.data.judgments import Judgments
from rankgauge.errors import AnalysisError, UsageError, many
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation.report.collect import Collected
from rankgauge.tables.notes import document_of

# Pairs grow with the square of the systems; 435 are enough for a curve.
MOST_SYSTEMS = 30
CURVES = 5
MOST_ROBUST = 100
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
    documents: Mapping[str, str] = field(default_factory=dict)
    """Document → title or text."""
    equivalence: float | None = None
    slices: tuple[str, Mapping[str, Any]] | None = None
    """A column of the queries, and query → its value."""
    folder: Path = Path()
    """Where the page will be; files are named as seen from there."""


@dataclass(frozen=True)
class Material(Collected):
    """Everything a page may show; what is None is left out."""

    settings: PageSettings = PageSettings()
    comparison: Comparison | None = None
    """None where there is only one system."""
    stability: Stability | None = None
    discrimination: Discrimination | None = None
    agreement: Agreement | None = None
    """Between the variants."""
    orders: Agreement | None = None
    """Between the requested measures."""
    about_top: bool = False
    """Whether the page speaks about the first place, because no baseline was named."""
    slices: Slices | None = None
    files: tuple[str, ...] = ()
    """Judgments and runs that were read from files."""
    robust: Robustness | None = None
    """Whether the choice of gain and discount matters, for the first measure."""
    left_out: tuple[str, ...] = ()
    """Analyses that these scores do not allow, with the reason."""

    @property
    def query(self) -> str:
        """What the page calls a query."""
        return self.scores.about.noun

    @property
    def queries(self) -> str:
        return many(self.query)

    @property
    def document(self) -> str:
        return document_of(self.query)


def gather(
    data: Collected,
    settings: PageSettings,
    comparison: Comparison | None = None,
    study: Stability | None = None,
    discrimination: Discrimination | None = None,
) -> Material:
    """Compute the analyses that are not given, where there are enough scores for them."""
    scores, variants = data.scores, data.variants
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

    about_top = systems > 2 and (settings.baseline is None if comparison is None else comparison.baseline is None)
    if comparison is None and systems > 1:
        comparison = compare(scores, **_design(settings, systems))
    if comparison is not None:
        settings = replace(settings, confidence=comparison.confidence, seed=comparison.seed)
    # From two systems nothing can be learned about how systems differ in general.
    if study is None and several and systems > 2:
        study = tried("stability", lambda: _study(data, settings.confidence))
    if discrimination is None and several and systems > 2:
        curves, top = _curves(scores, variants), min(MOST_SYSTEMS, systems)
        discrimination = tried("discriminative power", lambda: discriminate(curves, top=top, seed=settings.seed))
    among_variants = tried("agreement", lambda: agreement(variants)) if variants is not None and systems > 1 else None
    among_asked = tried("agreement", lambda: agreement(scores)) if len(scores.measures) > 1 and systems > 1 else None
    return Material(
        **vars(data),
        settings=settings,
        comparison=comparison,
        stability=study,
        discrimination=discrimination,
        agreement=among_variants,
        orders=among_asked,
        about_top=about_top,
        slices=tried("the slices", lambda: _sliced(scores, settings, systems)),
        files=_files(data),
        robust=_robust(data) if systems > 1 else None,
        left_out=tuple(left_out),
    )


def _design(settings: PageSettings, systems: int) -> dict[str, Any]:
    """Without a baseline all pairs are compared: nobody knows beforehand who will lead, and what is chosen by the data
    must not be tested as if it had been chosen before them.
    """
    chosen: dict[str, Any] = {"baseline": settings.baseline}
    if settings.baseline is None and systems != 2:
        chosen = {"all_pairs": True} if systems <= MOST_ROBUST else {"baseline": "best"}
    return chosen | {name: getattr(settings, name) for name in ("equivalence", "confidence", "seed")}


def _sliced(scores: Scores, settings: PageSettings, systems: int) -> Slices | None:
    if settings.slices is None or systems < 2:
        return None
    column, labels = settings.slices
    lead = scores.select(scores.measures[:1])
    return replace(compare(lead, by=labels, **_design(settings, systems)), column=column)


def _files(data: Collected) -> tuple[str, ...]:
    """The files behind judgments and runs; none where something was given in memory."""
    if data.runs is None or not isinstance(data.judgments, Judgments):
        return ()
    origins = [table.origin for table in (data.judgments.table, *(run.table for run in data.runs))]
    return tuple(origins) if all(Path(origin).is_file() for origin in origins) else ()


def _robust(data: Collected) -> Robustness | None:
    """Verdicts on the first measure where it has a gain and a discount; over the discount alone for raw scores."""
    scores = data.scores
    if data.runs is None or not isinstance(data.judgments, Judgments) or len(scores.systems) > MOST_ROBUST:
        return None
    chosen: dict[str, Any] = {"all_pairs": True, "samples": 0, "policy": scores.policy, "only": scores.queries}
    for over in ("both", "discount"):
        try:
            return robust(data.judgments, data.runs, scores.measures[0], over=over, **chosen)
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


def judged_comparison(data: Collected, settings: PageSettings, judge: Any) -> Comparison:
    """The comparison of few human queries beside the judge's; `judge` is judgments of the same runs, or scores."""
    scores = data.scores
    if isinstance(judge, Scores) or data.runs is None:
        other = scores_from(judge, None, scores.measures)
    else:
        other = scores_from(judge, data.runs, scores.measures, policy=scores.policy)
    return compare(scores, judge=other, baseline=settings.baseline, confidence=settings.confidence, seed=settings.seed)
