"""A provider for ir_measures, so that it and PyTerrier compute with our ties and policies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import isnan
from typing import Any, Self

import ir_measures as library
from ir_measures.providers.base import Any as Anything
from ir_measures.util import CalcResults, Metric, QrelsConverter, RunConverter

from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.errors import MeasureError
from rankgauge.evaluation.evaluate import evaluate, settle_call
from rankgauge.measures.catalogue import BY_NAME
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure
from rankgauge.signature import checked


@checked
def ir_measures(*, policy: Policy | None = None, like: str | None = None) -> RankgaugeProvider:
    """Return a provider; in a `with` block, everything that uses ir_measures, such as `pt.Experiment`, takes it."""
    settle_call("nDCG@10", policy, like)
    return RankgaugeProvider(policy, like)


def _ours(measure: Any) -> tuple[Measure, bool]:
    """The measure here, and whether it leaves unjudged documents out; an error if we have no such measure."""
    judged_only = bool(measure.params.get("judged_only", False))
    return parse(str(measure(judged_only=False) if judged_only else measure)), judged_only


class RankgaugeProvider(library.Provider):  # type: ignore[misc]
    """Every measure of ir_measures that is in our catalogue."""

    NAME = "rankgauge"
    SUPPORTED_MEASURES = [  # noqa: RUF012 - as ir_measures has it
        type(measure)(**{name: Anything() for name in measure.SUPPORTED_PARAMS})
        for measure in dict.fromkeys(library.measures.registry.values())
        if measure.NAME in BY_NAME
    ]

    def __init__(self, policy: Policy | None, like: str | None) -> None:
        super().__init__()
        self.policy, self.like = policy, like

    def supports(self, measure: Any) -> bool:
        try:
            return bool(super().supports(measure) and _ours(measure))
        except MeasureError:
            return False

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> RankgaugeEvaluator:
        return RankgaugeEvaluator(self, list(measures), QrelsConverter(qrels).as_dict_of_dict())

    def __enter__(self) -> Self:
        library.DefaultPipeline.providers.insert(0, self)
        return self

    def __exit__(self, *_: object) -> None:
        library.DefaultPipeline.providers.remove(self)


class RankgaugeEvaluator(library.Evaluator):  # type: ignore[misc]
    """Values are ours to the last bit, and queries that the policy leaves out stay out."""

    def __init__(self, provider: RankgaugeProvider, measures: list[Any], qrels: dict[str, dict[str, int]]) -> None:
        super().__init__(measures, set(qrels))
        self._provider, self._judgments = provider, Judgments(qrels)
        self._asked: tuple[dict[Any, Measure], dict[Any, Measure]] = {}, {}
        for theirs in measures:
            ours, judged_only = _ours(theirs)
            self._asked[judged_only][theirs] = ours

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        return iter(self.calc(run).per_query)

    iter_calc = _iter_calc  # ir_measures would add zeros for what the policy leaves out

    def calc_aggregate(self, run: Any) -> Any:
        return self.calc(run).aggregated

    def calc(self, run: Any) -> Any:
        rows, policy, like = RunConverter(run).as_dict_of_dict(), self._provider.policy, self._provider.like
        found = CalcResults({}, [])
        for asked, rule in zip(self._asked, (policy, replace(policy or Policy(), unjudged="drop")), strict=True):
            if asked:
                ours = list(dict.fromkeys(asked.values()))
                scores = evaluate(self._judgments, {"run": rows}, ours, policy=rule, like=like)
                means, columns = list(scores.mean()["run"].values()), scores.values[0].T.tolist()
                for theirs, at in ((theirs, ours.index(measure)) for theirs, measure in asked.items()):
                    found.aggregated[theirs] = means[at]
                    values = zip(scores.queries, columns[at], strict=True)
                    found.per_query.extend(Metric(query, theirs, value) for query, value in values if not isnan(value))
        return found
