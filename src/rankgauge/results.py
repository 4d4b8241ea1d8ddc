"""The classes of results, for annotations and isinstance; the functions of rankgauge return them."""
# ruff: noqa: I001, PLC0414 - a name that is imported as itself is one that type checkers pass on

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

# For type checkers; a test holds these lines against the table below.
if TYPE_CHECKING:
    from rankgauge.analysis.agreement import Agreement as Agreement
    from rankgauge.analysis.chance import Chance as Chance
    from rankgauge.analysis.churn import Churn as Churn, QueryChurn as QueryChurn
    from rankgauge.analysis.compare.collections import (
        AcrossCollections as AcrossCollections,
        CollectionDifference as CollectionDifference,
        MeasureAcross as MeasureAcross,
        PooledPair as PooledPair,
    )
    from rankgauge.analysis.compare.evidence import SystemSummary as SystemSummary
    from rankgauge.analysis.compare.gate import (
        Gate as Gate,
        GateCheck as GateCheck,
        GateResult as GateResult,
        Rule as Rule,
    )
    from rankgauge.analysis.compare.result import (
        Comparison as Comparison,
        PairDifferences as PairDifferences,
        QueryDifference as QueryDifference,
    )
    from rankgauge.analysis.compare.slices import Slice as Slice, Slices as Slices, SmallSlice as SmallSlice
    from rankgauge.analysis.compare.statistics.judged import (
        HumanMeasurePlan as HumanMeasurePlan,
        HumanOnly as HumanOnly,
        HumanQueryPlan as HumanQueryPlan,
        PairJudge as PairJudge,
    )
    from rankgauge.analysis.compare.statistics.power import MeasurePlan as MeasurePlan, QueryPlan as QueryPlan
    from rankgauge.analysis.compare.statistics.shrinkage import PairBayes as PairBayes
    from rankgauge.analysis.compare.verdicts import MeasureComparison as MeasureComparison, Pair as Pair
    from rankgauge.analysis.discriminate import (
        Discrimination as Discrimination,
        MeasureDiscrimination as MeasureDiscrimination,
    )
    from rankgauge.analysis.exposure import Exposure as Exposure, SystemExposure as SystemExposure
    from rankgauge.analysis.judging.consequences import (
        Consequences as Consequences,
        Favor as Favor,
        Shift as Shift,
        Verdicts as Verdicts,
    )
    from rankgauge.analysis.judging.holes_result import Holes as Holes, PairHoles as PairHoles, ToJudge as ToJudge
    from rankgauge.analysis.judging.judges_result import Judge as Judge, Judges as Judges
    from rankgauge.analysis.judging.labels import Coefficient as Coefficient, LabelAgreement as LabelAgreement
    from rankgauge.analysis.judging.sample import QuerySample as QuerySample
    from rankgauge.analysis.optimize.compromise import Compromise as Compromise, Served as Served
    from rankgauge.analysis.optimize.gains_by_cutoff import GainAt as GainAt, GainsByCutoff as GainsByCutoff
    from rankgauge.analysis.optimize.holdout import Candidate as Candidate, HeldOut as HeldOut
    from rankgauge.analysis.optimize.result import Ascent as Ascent, Optimum as Optimum, Outcome as Outcome
    from rankgauge.analysis.predictions import ScoredColumns as ScoredColumns, ScoredLists as ScoredLists
    from rankgauge.analysis.reconcile.reconcile import (
        DecisionStep as DecisionStep,
        NumberExplanation as NumberExplanation,
        Reconciliation as Reconciliation,
    )
    from rankgauge.analysis.relevance import RelevanceByQuery as RelevanceByQuery
    from rankgauge.analysis.robust.result import (
        Corners as Corners,
        Robustness as Robustness,
        RobustPair as RobustPair,
        Significance as Significance,
    )
    from rankgauge.analysis.simulate import (
        SimulatedCollection as SimulatedCollection,
        SimulatedScores as SimulatedScores,
    )
    from rankgauge.analysis.stability.reliability import (
        Reliability as Reliability,
        ReliabilityCurve as ReliabilityCurve,
        StabilityOptions as StabilityOptions,
    )
    from rankgauge.analysis.stability.result import MeasureStability as MeasureStability, Stability as Stability
    from rankgauge.analysis.stability.variance import (
        MeanSquares as MeanSquares,
        VarianceComponents as VarianceComponents,
    )
    from rankgauge.data.check import Checkup as Checkup
    from rankgauge.evaluation.explain import (
        Contrast as Contrast,
        Explanation as Explanation,
        Parting as Parting,
        Partings as Partings,
        Portion as Portion,
    )
    from rankgauge.evaluation.means import Means as Means, Segments as Segments
    from rankgauge.measures.other_names import Description as Description
    from rankgauge.tables.notes import Note as Note
    from rankgauge.tables.table import Estimate as Estimate, Table as Table

_NAMES = {
    "analysis.agreement": "Agreement",
    "analysis.chance": "Chance",
    "analysis.churn": "Churn QueryChurn",
    "analysis.compare.collections": "AcrossCollections CollectionDifference MeasureAcross PooledPair",
    "analysis.compare.evidence": "SystemSummary",
    "analysis.compare.gate": "Gate GateCheck GateResult Rule",
    "analysis.compare.result": "Comparison PairDifferences QueryDifference",
    "analysis.compare.slices": "Slice Slices SmallSlice",
    "analysis.compare.statistics.judged": "HumanMeasurePlan HumanOnly HumanQueryPlan PairJudge",
    "analysis.compare.statistics.power": "MeasurePlan QueryPlan",
    "analysis.compare.statistics.shrinkage": "PairBayes",
    "analysis.compare.verdicts": "MeasureComparison Pair",
    "analysis.discriminate": "Discrimination MeasureDiscrimination",
    "analysis.exposure": "Exposure SystemExposure",
    "analysis.judging.consequences": "Consequences Favor Shift Verdicts",
    "analysis.judging.holes_result": "Holes PairHoles ToJudge",
    "analysis.judging.judges_result": "Judge Judges",
    "analysis.judging.labels": "Coefficient LabelAgreement",
    "analysis.judging.sample": "QuerySample",
    "analysis.optimize.compromise": "Compromise Served",
    "analysis.optimize.gains_by_cutoff": "GainAt GainsByCutoff",
    "analysis.optimize.holdout": "Candidate HeldOut",
    "analysis.optimize.result": "Ascent Optimum Outcome",
    "analysis.predictions": "ScoredColumns ScoredLists",
    "analysis.reconcile.reconcile": "DecisionStep NumberExplanation Reconciliation",
    "analysis.relevance": "RelevanceByQuery",
    "analysis.robust.result": "Corners Robustness RobustPair Significance",
    "analysis.simulate": "SimulatedCollection SimulatedScores",
    "analysis.stability.reliability": "Reliability ReliabilityCurve StabilityOptions",
    "analysis.stability.result": "MeasureStability Stability",
    "analysis.stability.variance": "MeanSquares VarianceComponents",
    "data.check": "Checkup",
    "evaluation.explain": "Contrast Explanation Parting Partings Portion",
    "evaluation.means": "Means Segments",
    "measures.other_names": "Description",
    "tables.notes": "Note",
    "tables.table": "Estimate Table",
}
_HOMES = {name: f"rankgauge.{module}" for module, names in _NAMES.items() for name in names.split()}
if not TYPE_CHECKING:
    __all__ = sorted(_HOMES)  # noqa: PLE0605 - the names are known when it runs


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_HOMES)
