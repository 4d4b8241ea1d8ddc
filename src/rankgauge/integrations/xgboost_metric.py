"""A metric for XGBoost: stop training on the measure that you will report, with your rule for ties."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError
from rankgauge.integrations.list_metric import ColumnNames, ListMetric
from rankgauge.signature import checked
from rankgauge.verbs import Measures

_NAMES = ColumnNames("XGBoost's label", "XGBoost's predt", "XGBoost's group_ptr")
# XGBoost joins names and values to one line of text and splits it again at blanks and colons.
_SAFE = str.maketrans({" ": None, ":": "="})


@checked
def xgboost(
    measures: Measures = "nDCG@10",
    *,
    policy: Policy | None = None,
    like: str | None = None,
) -> XGBoostMetric:
    """Return a metric: `custom_metric` of `xgboost.train` and `xgboost.cv`.

    Values are those of `rankgauge.score` on the lists that `qid` or `group` describes. Weights are not used. For early
    stopping, tell XGBoost that more is better: `EarlyStopping(rounds, maximize=True)`.
    """
    return XGBoostMetric(measures, policy, like)


class XGBoostMetric(ListMetric):
    """(predt, dtrain) → [(name, value)]"""

    def __call__(self, predt: Any, dtrain: Any = None) -> list[tuple[str, float]]:
        if not hasattr(dtrain, "get_uint_info"):
            raise UsageError(
                "XGBRanker(eval_metric=…) calls a metric with the documents of one query, not with a DMatrix\n"
                "Use xgboost.train(…, custom_metric=…), which passes all queries."
            )
        pointers = np.asarray(dtrain.get_uint_info("group_ptr")).astype(np.int64)
        if len(pointers) < 2:
            raise UsageError(
                "The DMatrix has no groups, so XGBoost knows no lists\n"
                "Give the query of each row: DMatrix(X, label=…, qid=…), or dtrain.set_group(…)."
            )
        means = self.means(dtrain.get_label(), predt, np.diff(pointers), _NAMES)
        names = (str(measure).translate(_SAFE) for measure in self.measures)
        return list(zip(names, means, strict=True))
