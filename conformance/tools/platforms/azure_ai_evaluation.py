"""Azure AI Evaluation: DocumentRetrievalEvaluator, whose fixed k of 3 is set to the case's."""

from __future__ import annotations

from collections.abc import Callable

from azure.ai.evaluation import DocumentRetrievalEvaluator
from given import Case, List, each

TOOLS = ("azure-ai-evaluation",)
PACKAGE = "azure-ai-evaluation"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    k = case["k"]

    def ndcg(one: List) -> float:
        labels = list(one.grades.values())
        evaluator = DocumentRetrievalEvaluator(
            ground_truth_label_min=min(0, *labels), ground_truth_label_max=max(1, *labels)
        )
        evaluator.k = k
        evaluator._threshold_metrics |= {f"ndcg@{k}": 0.5, f"xdcg@{k}": 50.0}  # noqa: SLF001 - it asks for one by name
        found = evaluator(
            retrieval_ground_truth=[{"document_id": d, "query_relevance_label": g} for d, g in one.grades.items()],
            retrieved_documents=[
                {"document_id": d, "relevance_score": s} for d, s in zip(one.documents, one.scores, strict=True)
            ],
        )
        return found["document_retrieval_properties"][f"ndcg@{k}"]

    return each(case, nDCG_k=ndcg)
