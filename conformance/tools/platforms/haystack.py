"""Haystack: its document evaluators on the first k documents of every judged query; nDCG with grades as scores."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from given import Case, List, lists
from haystack import Document
from haystack.components.evaluators import (
    DocumentMAPEvaluator,
    DocumentMRREvaluator,
    DocumentNDCGEvaluator,
    DocumentRecallEvaluator,
)

TOOLS = ("haystack",)
PACKAGE = "haystack-ai"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    given = lists(case)

    def value(evaluator: Any, truth: Callable[[List], list[Document]]) -> float:
        retrieved = [[Document(content=name) for name in one.documents[: case["k"]]] for one in given]
        return evaluator.run(ground_truth_documents=[truth(one) for one in given], retrieved_documents=retrieved)[
            "score"
        ]

    def relevant(one: List) -> list[Document]:
        return [Document(content=name) for name in one.relevant]

    def graded(one: List) -> list[Document]:
        return [Document(content=name, score=float(grade)) for name, grade in one.grades.items()]

    return {
        "nDCG@k": partial(value, DocumentNDCGEvaluator(), graded),
        "nDCG-binary@k": partial(value, DocumentNDCGEvaluator(), relevant),
        "AP@k": partial(value, DocumentMAPEvaluator(), relevant),
        "RR@k": partial(value, DocumentMRREvaluator(), relevant),
        "R@k": partial(value, DocumentRecallEvaluator(mode="multi_hit"), relevant),
        "Hit@k": partial(value, DocumentRecallEvaluator(mode="single_hit"), relevant),
    }
