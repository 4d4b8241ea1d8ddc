"""The classes of results, for annotations and isinstance; the functions of rankgauge return them."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge.analysis.agreement import Agreement
    from rankgauge.analysis.churn import Churn, QueryChurn
    from rankgauge.analysis.compare.collections import (
        AcrossCollections,
        CollectionDifference,
        MeasureAcross,
        PooledPair,
    )
    from rankgauge.analysis.compare.evidence import SystemSummary
    from rankgauge.analysis.compare.gate import Gate, GateCheck, GateResult, Rule
    from rankgauge.analysis.compare.result import Comparison, PairDifferences, QueryDifference
    from rankgauge.analysis.compare.slices import Slice, Slices, SmallSlice
    from rankgauge.analysis.compare.statistics.judged import HumanMeasurePlan, HumanOnly, HumanQueryPlan, PairJudge
    from rankgauge.analysis.compare.statistics.power import MeasurePlan, QueryPlan
    from rankgauge.analysis.compare.statistics.shrinkage import PairBayes
    from rankgauge.analysis.compare.verdicts import MeasureComparison, Pair
    from rankgauge.analysis.discriminate import Discrimination, MeasureDiscrimination
    from rankgauge.analysis.judging.consequences import Consequences, Favor, Shift, Verdicts
    from rankgauge.analysis.judging.holes_result import Holes, PairHoles
    from rankgauge.analysis.judging.judges_result import Judge, Judges
    from rankgauge.analysis.judging.labels import Coefficient, LabelAgreement
    from rankgauge.analysis.judging.next import ToJudge
    from rankgauge.analysis.judging.sample import QuerySample
    from rankgauge.analysis.optimize.compromise import Compromise, Served
    from rankgauge.analysis.optimize.gains_by_cutoff import GainAt, GainsByCutoff
    from rankgauge.analysis.optimize.holdout import Candidate, HeldOut
    from rankgauge.analysis.optimize.result import Ascent, Optimum, Outcome
    from rankgauge.analysis.predictions import ScoredColumns
    from rankgauge.analysis.relevance import RelevanceByQuery
    from rankgauge.analysis.robust.result import Corners, Robustness, RobustPair, Significance
    from rankgauge.analysis.simulate import SimulatedCollection, SimulatedScores
    from rankgauge.analysis.stability.reliability import Reliability, ReliabilityCurve, StabilityOptions
    from rankgauge.analysis.stability.result import MeasureStability, Stability
    from rankgauge.analysis.stability.variance import MeanSquares, VarianceComponents
    from rankgauge.data.check import Checkup
    from rankgauge.evaluation.chance import Chance
    from rankgauge.evaluation.explain.explanation import Contrast, Explanation
    from rankgauge.evaluation.explain.partings import Parting, Partings, Portion
    from rankgauge.evaluation.means import Means
    from rankgauge.evaluation.reconcile.reconcile import DecisionStep, NumberExplanation, Reconciliation
    from rankgauge.evaluation.score import ScoredLists
    from rankgauge.evaluation.segments import Segments
    from rankgauge.measures.description import Description
    from rankgauge.tables.notes import Note
    from rankgauge.tables.table import Estimate, Table

_HOMES = {
    "AcrossCollections": "analysis.compare.collections",
    "Agreement": "analysis.agreement",
    "Ascent": "analysis.optimize.result",
    "Candidate": "analysis.optimize.holdout",
    "Chance": "evaluation.chance",
    "Checkup": "data.check",
    "Churn": "analysis.churn",
    "Coefficient": "analysis.judging.labels",
    "CollectionDifference": "analysis.compare.collections",
    "Comparison": "analysis.compare.result",
    "Compromise": "analysis.optimize.compromise",
    "Consequences": "analysis.judging.consequences",
    "Contrast": "evaluation.explain.explanation",
    "Corners": "analysis.robust.result",
    "DecisionStep": "evaluation.reconcile.reconcile",
    "Description": "measures.description",
    "Discrimination": "analysis.discriminate",
    "Estimate": "tables.table",
    "Explanation": "evaluation.explain.explanation",
    "Favor": "analysis.judging.consequences",
    "GainAt": "analysis.optimize.gains_by_cutoff",
    "GainsByCutoff": "analysis.optimize.gains_by_cutoff",
    "Gate": "analysis.compare.gate",
    "GateCheck": "analysis.compare.gate",
    "GateResult": "analysis.compare.gate",
    "HeldOut": "analysis.optimize.holdout",
    "Holes": "analysis.judging.holes_result",
    "HumanMeasurePlan": "analysis.compare.statistics.judged",
    "HumanOnly": "analysis.compare.statistics.judged",
    "HumanQueryPlan": "analysis.compare.statistics.judged",
    "Judge": "analysis.judging.judges_result",
    "Judges": "analysis.judging.judges_result",
    "LabelAgreement": "analysis.judging.labels",
    "MeanSquares": "analysis.stability.variance",
    "Means": "evaluation.means",
    "MeasureAcross": "analysis.compare.collections",
    "MeasureComparison": "analysis.compare.verdicts",
    "MeasureDiscrimination": "analysis.discriminate",
    "MeasurePlan": "analysis.compare.statistics.power",
    "MeasureStability": "analysis.stability.result",
    "Note": "tables.notes",
    "NumberExplanation": "evaluation.reconcile.reconcile",
    "Optimum": "analysis.optimize.result",
    "Outcome": "analysis.optimize.result",
    "Pair": "analysis.compare.verdicts",
    "PairBayes": "analysis.compare.statistics.shrinkage",
    "PairDifferences": "analysis.compare.result",
    "PairHoles": "analysis.judging.holes_result",
    "PairJudge": "analysis.compare.statistics.judged",
    "Parting": "evaluation.explain.partings",
    "Partings": "evaluation.explain.partings",
    "Portion": "evaluation.explain.partings",
    "PooledPair": "analysis.compare.collections",
    "QueryChurn": "analysis.churn",
    "QueryDifference": "analysis.compare.result",
    "QueryPlan": "analysis.compare.statistics.power",
    "QuerySample": "analysis.judging.sample",
    "Reconciliation": "evaluation.reconcile.reconcile",
    "RelevanceByQuery": "analysis.relevance",
    "Reliability": "analysis.stability.reliability",
    "ReliabilityCurve": "analysis.stability.reliability",
    "RobustPair": "analysis.robust.result",
    "Robustness": "analysis.robust.result",
    "Rule": "analysis.compare.gate",
    "ScoredColumns": "analysis.predictions",
    "ScoredLists": "evaluation.score",
    "Segments": "evaluation.segments",
    "Served": "analysis.optimize.compromise",
    "Shift": "analysis.judging.consequences",
    "Significance": "analysis.robust.result",
    "SimulatedCollection": "analysis.simulate",
    "SimulatedScores": "analysis.simulate",
    "Slice": "analysis.compare.slices",
    "Slices": "analysis.compare.slices",
    "SmallSlice": "analysis.compare.slices",
    "Stability": "analysis.stability.result",
    "StabilityOptions": "analysis.stability.reliability",
    "SystemSummary": "analysis.compare.evidence",
    "Table": "tables.table",
    "ToJudge": "analysis.judging.next",
    "VarianceComponents": "analysis.stability.variance",
    "Verdicts": "analysis.judging.consequences",
}

__all__ = [
    "AcrossCollections",
    "Agreement",
    "Ascent",
    "Candidate",
    "Chance",
    "Checkup",
    "Churn",
    "Coefficient",
    "CollectionDifference",
    "Comparison",
    "Compromise",
    "Consequences",
    "Contrast",
    "Corners",
    "DecisionStep",
    "Description",
    "Discrimination",
    "Estimate",
    "Explanation",
    "Favor",
    "GainAt",
    "GainsByCutoff",
    "Gate",
    "GateCheck",
    "GateResult",
    "HeldOut",
    "Holes",
    "HumanMeasurePlan",
    "HumanOnly",
    "HumanQueryPlan",
    "Judge",
    "Judges",
    "LabelAgreement",
    "MeanSquares",
    "Means",
    "MeasureAcross",
    "MeasureComparison",
    "MeasureDiscrimination",
    "MeasurePlan",
    "MeasureStability",
    "Note",
    "NumberExplanation",
    "Optimum",
    "Outcome",
    "Pair",
    "PairBayes",
    "PairDifferences",
    "PairHoles",
    "PairJudge",
    "Parting",
    "Partings",
    "PooledPair",
    "Portion",
    "QueryChurn",
    "QueryDifference",
    "QueryPlan",
    "QuerySample",
    "Reconciliation",
    "RelevanceByQuery",
    "Reliability",
    "ReliabilityCurve",
    "RobustPair",
    "Robustness",
    "Rule",
    "ScoredColumns",
    "ScoredLists",
    "Segments",
    "Served",
    "Shift",
    "Significance",
    "SimulatedCollection",
    "SimulatedScores",
    "Slice",
    "Slices",
    "SmallSlice",
    "Stability",
    "StabilityOptions",
    "SystemSummary",
    "Table",
    "ToJudge",
    "VarianceComponents",
    "Verdicts",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"rankgauge.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
