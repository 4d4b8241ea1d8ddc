"""LlamaIndex: its retrieval metrics on the first k ids of every judged query, the mean; it refuses empty lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from given import Case, List, each
from llama_index.core.evaluation import MRR, HitRate
from llama_index.core.evaluation.retrieval.metrics import NDCG, AveragePrecision, Precision, Recall

TOOLS = ("llama-index",)
PACKAGE = "llama-index-core"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    def by(kind: Any) -> Callable[[List], float]:
        def value(one: List) -> float:
            return kind().compute(expected_ids=one.relevant, retrieved_ids=one.documents[: case["k"]]).score

        return value

    return each(
        case,
        nDCG_k=by(NDCG),
        AP_k=by(AveragePrecision),
        RR_k=by(MRR),
        P_k=by(Precision),
        R_k=by(Recall),
        Hit_k=by(HitRate),
    )
