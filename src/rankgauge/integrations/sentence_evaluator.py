"""An evaluator for sentence-transformers: mean, interval, and whether the change since the last checkpoint is real."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.analysis.compare.result import Comparison
from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.errors import DataError, plural
from rankgauge.evaluation.evaluate import settle_call
from rankgauge.evaluation.scores import Scores
from rankgauge.integrations.checkpoint import append_metrics, metrics_of, rank_texts
from rankgauge.signature import Count, checked
from rankgauge.verbs import Measures, compare, evaluate

_BASES = (
    ("sentence_transformers.base.evaluation", "BaseEvaluator"),  # since version 6
    ("sentence_transformers.evaluation", "SentenceEvaluator"),
)
_log = logging.getLogger("rankgauge")


@checked
def sentence_transformers(
    queries: Mapping[str, str],
    corpus: Mapping[str, str],
    judgments: Any,
    measures: Measures = "nDCG@10",
    *,
    name: str = "",
    depth: Count = 100,
    batch_size: Count = 32,
    policy: Policy | None = None,
    like: str | None = None,
) -> RankingEvaluator:
    """Return an evaluator for training with sentence-transformers, from texts by id and judgments.

    Each call ranks the corpus for every query and returns the means with their 95% intervals; from the second call on,
    also the change since the last call and its p-value. `comparison` then has the verdict.
    """
    settings = {"measures": measures, "policy": policy, "like": like}
    reading = {"queries": dict(queries), "corpus": dict(corpus), "depth": depth, "batch_size": batch_size}
    return _kind()(Judgments(judgments), settings, reading, name)


def _kind() -> type[RankingEvaluator]:
    """What the trainer takes for an evaluator, where it is installed; anything else that encodes needs no more."""
    for home, name in _BASES:
        try:
            base = getattr(importlib.import_module(home), name)
        except ImportError:
            continue
        return type("RankgaugeEvaluator", (RankingEvaluator, base), {})
    return RankingEvaluator


class RankingEvaluator:
    """Keeps the scores of the last call, and their comparison with those of the call before."""

    greater_is_better = True

    def __init__(self, judgments: Judgments, settings: dict[str, Any], reading: dict[str, Any], name: str) -> None:
        silent = [query for query in judgments.queries if query not in reading["queries"]]
        if silent:
            raise DataError(f"queries has no text for {plural(len(silent), 'judged query')}", places=silent[:3])
        self._judgments, self._settings, self._reading = judgments, settings, reading
        self._calls, self._prefix = 0, f"{name}_" if name else ""
        self.scores: Scores | None = None
        self.comparison: Comparison | None = None
        self.primary_metric = f"{self._prefix}{settle_call(**settings)[0][0]}"

    def __call__(
        self, model: Any, output_path: str | None = None, epoch: int = -1, steps: int = -1
    ) -> dict[str, float]:
        self._calls += 1
        run = {f"checkpoint {self._calls}": rank_texts(model, **self._reading)}
        scores, last = evaluate(self._judgments, run, **self._settings), self.scores
        if last is not None and len(scores.queries) > 1:
            values = np.concatenate([last.values, scores.values])
            self.comparison = compare(
                replace(scores, systems=last.systems + scores.systems, values=values, bounds=None)
            )
            _log.info("%s", self.comparison.summary)
        self.scores = scores
        (found,) = metrics_of(scores, self.comparison).values()
        if output_path is not None:
            append_metrics(Path(output_path) / f"rankgauge_{self._prefix}evaluation.csv", epoch, steps, found)
        metrics = {f"{self._prefix}{name}{end}": value for name, row in found.items() for end, value in row.items()}
        if hasattr(model, "model_card_data"):
            model.model_card_data.set_evaluation_metrics(self, metrics, epoch, steps)
        return metrics
