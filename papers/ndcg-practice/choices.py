"""Measures beside each other on five real collections: how reliable, how telling, how much is judged."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "optimal-ndcg")]

from errors import power_errors  # noqa: E402
from kept import kept  # noqa: E402
from sources import Source, rounds  # noqa: E402

from rankgauge import evaluate  # noqa: E402
from rankgauge.analysis.optimize.search.form import queries_needed  # noqa: E402
from rankgauge.analysis.optimize.search.objective import dependability  # noqa: E402
from rankgauge.kernels.ranks import kendall_tau  # noqa: E402

Floats = NDArray[np.float64]
MEASURES = (
    "nDCG@3",
    "nDCG@5",
    "nDCG@10",
    "nDCG@20",
    "nDCG@100",
    "nDCG(gain=exp)@10",
    "nDCG(discount=zipf)@10",
    "nDCG(discount=none)@10",
    "AP@100",
    "RR@10",
    "P@10",
    "R@100",
    "ERR@10",
    "RBP(p=0.8)@100",
    "Judged@10",
    "Judged@100",
)
HALVINGS, TOP, SEED = 50, 30, 7


def choices() -> dict[str, Any]:
    """By collection and measure."""
    programs = [HERE / "choices.py", HERE.parent / "optimal-ndcg" / "sources.py"]
    return {
        source.name: kept(
            f"choices-{source.name.replace(' ', '-')}", [*programs, source.digest], lambda one=source: study_of(one)
        )
        | {"data": source.digest}
        for source in rounds()
    }


def study_of(source: Source) -> dict[str, Any]:
    scores = evaluate(source.judgments, source._runs(), MEASURES)  # noqa: SLF001 - a neighbor
    usual = scores.matrix("nDCG@10")
    found: dict[str, Any] = {}
    for name in map(str, scores.measures):
        values = scores.matrix(name)
        if name.startswith("Judged"):
            found[name] = {"mean": float(np.nanmean(values)), "least": float(np.nanmin(np.nanmean(values, axis=1)))}
            continue
        phi = dependability(values)
        errors = power_errors(np.stack([values, usual], axis=2), TOP, 500, SEED)
        found[name] = {
            "phi": phi,
            "needed": queries_needed(phi, 0.95),
            "power": _power(values),
            "power_error": errors["share"][0],
            "tau": kendall_tau(values.mean(axis=1), usual.mean(axis=1)),
            "halves": _halves(values, np.mean),
        }
    found["nDCG@10"]["halves_of_medians"] = _halves(usual, np.median)
    return {"systems": len(scores.systems), "queries": len(scores.queries), "measures": found}


def _power(values: Floats) -> float:
    """Share of the pairs of the best 30 systems whose difference a paired t-test finds at 0.05."""
    from scipy.stats import t as student

    kept_ = values[np.argsort(-values.mean(axis=1), kind="stable")[:TOP]]
    one, two = np.triu_indices(len(kept_), 1)
    apart = kept_[one] - kept_[two]
    error = np.maximum(apart.std(axis=1, ddof=1), 1e-150) / np.sqrt(values.shape[1])
    return float((np.abs(apart.mean(axis=1)) / error > student.ppf(0.975, values.shape[1] - 1)).mean())


def _halves(values: Floats, summary: Any) -> float:
    """τ-b between the orders of systems on two halves of the queries, mean over random halvings."""
    random = np.random.default_rng(SEED)
    found = []
    for _ in range(HALVINGS):
        order = random.permutation(values.shape[1])
        half = len(order) // 2
        found.append(
            kendall_tau(summary(values[:, order[:half]], axis=1), summary(values[:, order[half : 2 * half]], axis=1))
        )
    return float(np.mean(found))


if __name__ == "__main__":
    import json

    print(json.dumps(choices(), indent=1))
