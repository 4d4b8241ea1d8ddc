"""A metric for LightGBM: stop training on the measure that you will report, with your rule for ties."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError
from rankgauge.integrations.list_metric import LOWER_IS_BETTER, ColumnNames, ListMetric
from rankgauge.signature import checked
from rankgauge.verbs import Measures

_TRAIN = ColumnNames("LightGBM's label", "LightGBM's preds", "LightGBM's group")
_RANKER = ColumnNames("LightGBM's y_true", "LightGBM's y_pred", "LightGBM's group")

Evaluated = tuple[str, float, bool]


@checked
def lightgbm(
    measures: Measures = "nDCG@10",
    *,
    policy: Policy | None = None,
    like: str | None = None,
) -> LightGBMMetric:
    """Return a metric: `feval` of `lightgbm.train` and `lightgbm.cv`, and `eval_metric` of `LGBMRanker.fit`.

    Values are those of `rankgauge.score` on the lists that `group` describes. Weights are not used.

    >>> lightgbm("nDCG(gain=exp)@10").label_gain(3)
    [0.0, 1.0, 3.0, 7.0]
    """
    return LightGBMMetric(measures, policy, like)


class LightGBMMetric(ListMetric):
    """One object for both ways in which LightGBM calls a metric."""

    def __call__(self, y_true: Any, y_pred: Any, weight: Any = None, group: Any = None) -> list[Evaluated]:  # noqa: ARG002 - LightGBM counts the parameters
        """(preds, eval_data) from `train` and `cv`; (y_true, y_pred, weight, group) from `LGBMRanker`."""
        if hasattr(y_pred, "get_group"):
            preds, data = y_true, y_pred
            group = data.get_group()
            if group is None:
                raise _no_group("The Dataset", "Dataset(X, label=…, group=…)")
            means = self.means(data.get_label(), preds, group, _TRAIN)
        elif group is None:
            raise _no_group("The data", "fit(X, y, group=…, eval_group=[…])")
        else:
            means = self.means(y_true, y_pred, group, _RANKER)
        return [
            (str(measure), mean, measure.definition.name not in LOWER_IS_BETTER)
            for measure, mean in zip(self.measures, means, strict=True)
        ]

    def label_gain(self, highest: int = 30) -> list[float]:
        """LightGBM's parameter `label_gain`: the gain of each label up to the highest, as the first measure has it.

        LightGBM's objective lambdarank then optimizes with the gain that is reported.
        """
        curves = [measure.settings["gain"] for measure in self.measures if "gain" in measure.settings]
        if not curves:
            raise UsageError(f"label_gain needs a measure with a gain, such as nDCG; {self!r} has none")
        gains: Floats = np.asarray(curves[0](np.arange(highest + 1, dtype=np.float64)), np.float64)
        return gains.tolist()


def _no_group(what: str, example: str) -> UsageError:
    return UsageError(f"{what} has no group, so LightGBM knows no lists\nGive the size of each list: {example}.")
