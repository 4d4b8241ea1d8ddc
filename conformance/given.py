"""How a case is given to a tool: as dicts, as ordered lists, or as one row per candidate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
Case = dict[str, Any]


def read(name: str) -> Any:
    return json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))


class CannotGiveError(Exception):
    """The tool's form of input cannot hold this case."""


def dicts(case: Case) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """{query: {document: grade}} and {query: {document: score}}, in file order."""
    run: dict[str, dict[str, float]] = {query: {} for query in case["run_queries"]}
    for query, document, score in case["run"]:
        if document in run[query]:
            raise CannotGiveError("a dict holds a document once")
        run[query][document] = score
    return case["judgments"], run


def pairs(case: Case) -> dict[str, tuple[list[float], list[float]]]:
    """{query: (grades, scores)} of what was returned, in file order; no judgment is grade 0."""
    found: dict[str, tuple[list[float], list[float]]] = {}
    for query, document, score in case["run"]:
        grades, scores = found.setdefault(query, ([], []))
        grades.append(case["judgments"].get(query, {}).get(document, 0))
        scores.append(score)
    return found


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else float("nan")
