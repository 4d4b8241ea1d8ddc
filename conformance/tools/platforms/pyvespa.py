"""pyvespa: VespaEvaluator's own computation on lists as they are; nDCG with grades, the others with sets."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from given import Case, lists
from vespa.evaluation import VespaEvaluator

TOOLS = ("pyvespa",)
PACKAGE = "pyvespa"
NAMES = {"AP@k": "map@{k}", "RR@k": "mrr@{k}", "P@k": "precision@{k}", "R@k": "recall@{k}", "Hit@k": "accuracy@{k}"}


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    given, k = lists(case), case["k"]

    def value(name: str, *, graded: bool) -> float:
        relevant: dict[str, Any] = {
            one.query: dict.fromkeys(one.grades, 1.0) if graded else set(one.relevant) for one in given
        }
        cutoffs = {f"{measure}_at_k": [k] for measure in ("accuracy", "precision_recall", "mrr", "ndcg", "map")}
        evaluator = VespaEvaluator(
            queries={one.query: one.query for one in given},
            relevant_docs=relevant,
            vespa_query_fn=lambda text, top: {"yql": text, "hits": top},
            app=None,
            **cutoffs,
        )
        names = evaluator.queries_ids
        by_name = {one.query: one for one in given}
        if graded:  # its constructor takes grades from 0 to 1 only, its formula any
            evaluator.relevant_docs = {one.query: one.grades for one in given}
        hits = [list(zip(by_name[q].documents, by_name[q].scores, strict=True)) for q in names]
        return evaluator._compute_metrics(hits)[name.format(k=k)]  # noqa: SLF001 - what it computes, without a server

    found = {ours: partial(value, theirs, graded=False) for ours, theirs in NAMES.items()}
    found["nDCG-binary@k"] = partial(value, "ndcg@{k}", graded=False)
    return found | {"nDCG@k": partial(value, "ndcg@{k}", graded=True)}
