"""How a case is given to a tool: as dicts, as ordered lists, or as one row per candidate."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import MagicMock

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


class NotInstalledError(Exception):
    """A tool that is a program and not a package: where it comes from, and how to name it."""


def program(variable: str, where: str) -> str:
    """The path of a program that an environment variable names."""
    path = os.environ.get(variable, "")
    if not Path(path).is_file():
        raise NotInstalledError(f"{where}; set {variable} to its path")
    return path


def output(words: list[str]) -> str:
    """What a program prints; a program that fails refuses the case."""
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout  # noqa: S603 - the caller names it


class List(NamedTuple):
    """What a judged query is given as: documents in order, its grades, and the relevant ones."""

    query: str
    documents: list[str]
    scores: list[float]
    grades: dict[str, float]
    relevant: list[str]


def lists(case: Case) -> list[List]:
    """One for each judged query, by score descending, equal scores in file order; empty where the run has none."""
    found = []
    for query, grades in case["judgments"].items():
        rows = sorted(((row[1], row[2]) for row in case["run"] if row[0] == query), key=lambda row: -row[1])
        relevant = [document for document, grade in grades.items() if grade >= case["rel"]]
        found.append(List(query, [row[0] for row in rows], [row[1] for row in rows], grades, relevant))
    return found


def each(case: Case, **functions: Callable[[List], float]) -> dict[str, Callable[[], float]]:
    """Means over the judged queries of functions of a list; nDCG_k stands for nDCG@k."""

    def over(one: Callable[[List], float]) -> float:
        return mean([one(given) for given in lists(case)])

    return {name.replace("_k", "@k"): partial(over, one) for name, one in functions.items()}


def files(case: Case, folder: str, *, numbered: bool = False) -> tuple[str, str]:
    """TREC text: the paths of judgments and run, scores with all their digits; queries as numbers where a tool asks."""
    judged, run = Path(folder, "qrels.txt"), Path(folder, "run.txt")
    names = dict.fromkeys((*case["judgments"], *case["run_queries"]))
    name = {query: str(at) if numbered else query for at, query in enumerate(names, 1)}
    rows = [f"{name[query]} 0 {doc} {grade}\n" for query, of in case["judgments"].items() for doc, grade in of.items()]
    judged.write_text("".join(rows), encoding="utf-8")
    rows = [f"{name[query]} Q0 {doc} {at} {score!r} run\n" for at, (query, doc, score) in enumerate(case["run"], 1)]
    run.write_text("".join(rows), encoding="utf-8")
    return str(judged), str(run)


@contextmanager
def without(*modules: str) -> Iterator[None]:
    """Import metric functions of a library whose other parts need more than is installed."""
    absent = [name for name in modules if name not in sys.modules and not _is_there(name)]
    sys.modules.update({name: MagicMock() for name in absent})
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except (ModuleNotFoundError, ValueError):
        return False
