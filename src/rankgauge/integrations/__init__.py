"""Adapters for the tools that people already use; each loads its library when it is first used.

`lightgbm` and `xgboost` give metrics for training, `sklearn` a scorer, `sentence_transformers` an evaluator,
`ir_measures` a provider, `pyterrier` scores from an experiment, and `log_scores` records scores in MLflow.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rankgauge.integrations.ir_measures_provider import ir_measures
    from rankgauge.integrations.lightgbm_metric import lightgbm
    from rankgauge.integrations.mlflow_log import log_scores
    from rankgauge.integrations.pyterrier_results import pyterrier
    from rankgauge.integrations.sentence_evaluator import sentence_transformers
    from rankgauge.integrations.sklearn_scorer import sklearn
    from rankgauge.integrations.xgboost_metric import xgboost

_HOMES = {
    "ir_measures": "ir_measures_provider",
    "lightgbm": "lightgbm_metric",
    "log_scores": "mlflow_log",
    "pyterrier": "pyterrier_results",
    "sentence_transformers": "sentence_evaluator",
    "sklearn": "sklearn_scorer",
    "xgboost": "xgboost_metric",
}

__all__ = ["ir_measures", "lightgbm", "log_scores", "pyterrier", "sentence_transformers", "sklearn", "xgboost"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
