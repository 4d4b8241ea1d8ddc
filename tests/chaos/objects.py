"""One of every public object, made from dicts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import rankgauge


def made(more: str = "") -> tuple[dict[str, dict[str, float]], dict[str, dict[str, dict[str, float]]]]:
    """Judgments of twelve queries and four runs; every name ends in `more`."""
    draw = np.random.default_rng(3)
    names = [f"d{at}{more}" for at in range(12)]
    judged = {f"q{q}{more}": {name: int(draw.integers(4)) for name in names[:9]} for q in range(12)}
    return judged, {
        f"s{s}{more}": {
            q: {name: float(grades.get(name, 0) + draw.normal() * (1 + s)) for name in names}
            for q, grades in judged.items()
        }
        for s in range(4)
    }


def public(folder: Path, more: str = "") -> dict[str, Callable[[], Any]]:
    """What makes each of them."""
    judged, runs = made(more)
    first, query = runs[f"s0{more}"], f"q1{more}"
    again = {query: {name: min(3, grade + 1) for name, grade in grades.items()} for query, grades in judged.items()}
    table = {query: {name: float(grade) for name, grade in grades.items()} for query, grades in judged.items()}

    def scores() -> Any:
        return rankgauge.evaluate(judged, runs, "nDCG@5 AP")

    def queries() -> Any:
        path = folder / "queries.csv"
        path.write_text("query,segment\n" + "".join(f'"{one}",a\n' for one in judged), newline="")
        return rankgauge.read_queries(path)

    return {
        "Measure": lambda: scores().measures[0],
        "Policy": lambda: rankgauge.Policy(ties="mean"),
        "Judgments": lambda: rankgauge.Judgments(judged),
        "Run": lambda: rankgauge.Run(first),
        "Queries": queries,
        "Scores": scores,
        "agreement": lambda: rankgauge.agreement(scores()),
        "check": lambda: rankgauge.check(judged, runs),
        "compare": lambda: rankgauge.compare(judged, runs, measures="nDCG@5"),
        "compare gate": lambda: rankgauge.compare(judged, runs, measures="nDCG@5").gate("nDCG@5 < 0.1"),
        "discriminate": lambda: rankgauge.discriminate(scores()),
        "explain": lambda: rankgauge.explain("nDCG@5", judged, first, query),
        "exposure": lambda: rankgauge.exposure(runs, history=judged),
        "holes": lambda: rankgauge.holes(judged, runs),
        "judges": lambda: rankgauge.judges(judged, again, runs),
        "optimize": lambda: rankgauge.optimize(judged, runs, folds=2, repeats=1),
        "reconcile": lambda: rankgauge.reconcile(0.5, judged, first, "nDCG@5"),
        "RelevanceFunction": lambda: rankgauge.RelevanceFunction(((0.0, 0.0), (1.0, 1.0))),
        "relevance": lambda: rankgauge.relevance(table),
        "robust": lambda: rankgauge.robust(judged, runs),
        "sample": lambda: rankgauge.sample(judged, queries=3),
        "score": lambda: rankgauge.score("rankDCG", [3, 1, 2], [0.5, 0.2, 0.1]),
        "simulate": lambda: rankgauge.simulate(2, 3),
        "stability": lambda: rankgauge.stability(scores()),
    }
