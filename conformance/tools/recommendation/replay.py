"""RePlay: its metrics on pandas tables; the ground truth holds what is relevant."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd
from given import Case, lists
from replay.metrics import MAP, MRR, NDCG, HitRate, Precision, Recall

TOOLS = ("replay",)
PACKAGE = "replay-rec"
CLASSES = {"nDCG@k": NDCG, "AP@k": MAP, "RR@k": MRR, "P@k": Precision, "R@k": Recall, "Hit@k": HitRate}


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    given = lists(case)
    returned = [
        row for one in given for row in zip([one.query] * len(one.documents), one.documents, one.scores, strict=True)
    ]
    recommended = pd.DataFrame(returned, columns=["query_id", "item_id", "rating"])
    relevant = [(one.query, name) for one in given for name in one.relevant]
    truth = pd.DataFrame(relevant, columns=["query_id", "item_id"])

    def value(kind: Any) -> float:
        (found,) = kind(case["k"])(recommended, truth).values()
        return found

    return {name: partial(value, kind) for name, kind in CLASSES.items()}
