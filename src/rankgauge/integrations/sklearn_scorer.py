"""A scorer for scikit-learn that gets the groups of the test rows through metadata routing."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.metrics import make_scorer

from rankgauge.data.policy import Policy
from rankgauge.data.vectors import numbers
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.evaluate import settle_one
from rankgauge.evaluation.score import score_lists
from rankgauge.signature import checked
from rankgauge.verbs import OneMeasure

_ROUTE = (
    "Give params={'groups': groups} to cross_validate, or groups=groups to fit of a search, "
    "where groups has the query of every row."
)


@checked
def sklearn(measure: OneMeasure = "nDCG@10", *, policy: Policy | None = None, like: str | None = None) -> Any:
    """Return a scorer for `cross_validate`, `GridSearchCV` and everything else that takes `scoring`.

    Rows with the same value in `groups` form one list; the score is `rankgauge.score` on them. Metadata routing must be
    on: `sklearn.set_config(enable_metadata_routing=True)`.
    """
    settle_one(measure, policy, like)
    if not get_config()["enable_metadata_routing"]:
        raise UsageError(
            "scikit-learn passes groups to scorers only with metadata routing\n"
            "Turn it on first: sklearn.set_config(enable_metadata_routing=True)."
        )
    return make_scorer(_grouped_score, measure=measure, policy=policy, like=like).set_score_request(groups=True)


def _grouped_score(y_true: Any, y_pred: Any, *, groups: Any = None, **settings: Any) -> float:
    truth, predicted = numbers(y_true, "scikit-learn's y"), numbers(y_pred, "scikit-learn's y_pred")
    if groups is None:
        raise UsageError(f"scikit-learn passed no groups to the scorer\n{_ROUTE}")
    labels = np.asarray(groups)
    if labels.shape != truth.shape:
        raise DataError(f"scikit-learn's groups has {labels.size:,} entries and y {len(truth):,}", hint=_ROUTE)
    return score_lists(settings.pop("measure"), truth, predicted, labels, **settings).value
