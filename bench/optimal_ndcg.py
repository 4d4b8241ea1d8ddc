"""The optimal discount of 105 systems × 50 queries × 100 ranks beside SLSQP on all ranks, and 126 × 50 × 1,000.

    python bench/optimal_ndcg.py

Starts are timed one by one, rivals in between, so that all see the same machine.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from rankgauge.analysis.optimize.optimize import optimize_grades
from rankgauge.analysis.optimize.ranked_grades import RankedGrades
from rankgauge.analysis.optimize.search.ascent import climb
from rankgauge.analysis.optimize.search.form import LinearFractional, discount_form
from rankgauge.analysis.optimize.search.search import starting_points
from rankgauge.analysis.optimize.search.weighting import Question, named_weighting

Floats = NDArray[np.float64]

SEED = 1
STARTS = 4  # of nine: numeric gradients take their time


def collection(systems: int, queries: int, ranks: int, seed: int = SEED) -> RankedGrades:
    """Systems of some skill, queries of some ease; relevant documents thin out down the list."""
    random = np.random.default_rng(seed)
    skill, ease = random.normal(0, 0.6, (systems, 1)), random.normal(0, 0.8, queries)
    logit = (skill + ease + random.normal(0, 0.5, (systems, queries)))[..., None] + 0.4
    chance = 1 / (1 + np.exp(-logit + 0.75 * np.log1p(np.arange(ranks))))
    grade = np.where(random.random(chance.shape) < 0.3, 2, 1)
    codes = (grade * (random.random(chance.shape) < chance)).astype(np.int8)
    pool = np.stack([1.3 * (codes == level).sum(axis=2).max(axis=0) + 2 for level in (1, 2)], axis=1).astype(np.int64)
    return RankedGrades(codes, (1.0, 2.0), pool)


def on_all_ranks(form: LinearFractional, start: Floats, *, analytic: bool) -> float:
    """What one would write first: every rank a variable, N - 1 inequalities keep the discount from rising."""
    size = form.size
    falling = np.eye(size)[:-1] - np.eye(size)[1:]

    def loss(weights: Floats) -> Any:
        if not analytic:
            return -form.value(weights)
        slope = form.slope(weights)
        return -slope.value, slope.lost - slope.gained

    found = minimize(
        loss,
        start / start.sum(),
        jac=analytic or None,
        method="SLSQP",
        bounds=[(0.0, 1.0)] * size,
        constraints=[
            {"type": "eq", "fun": lambda weights: weights.sum() - 1, "jac": np.ones_like},
            {"type": "ineq", "fun": lambda weights: falling @ weights, "jac": lambda _: falling},
        ],
        options={"maxiter": 500, "ftol": 1e-12},
    )
    return -float(found.fun)


def timed(call: Callable[[], Any]) -> tuple[float, float, Any]:
    """Seconds on the clock, seconds of computing (all threads), and what came of it."""
    begun, computed = time.perf_counter(), time.process_time()
    found = call()
    return time.perf_counter() - begun, time.process_time() - computed, found


def small() -> None:
    grades = collection(105, 50, 100)
    start = named_weighting(grades)
    form = discount_form(grades, start.gain)
    points = starting_points(grades, Question(start, ("discount",), seed=SEED))[:STARTS]
    climb(form, points[0].discount)  # the first call imports SciPy
    methods: dict[str, Callable[[Floats], Any]] = {
        "climb": lambda discount: climb(form, discount),
        "SLSQP, all ranks, analytic gradient": lambda discount: on_all_ranks(form, discount, analytic=True),
        "SLSQP, all ranks, numeric gradient": lambda discount: on_all_ranks(form, discount, analytic=False),
    }
    seconds: dict[str, list[float]] = {name: [] for name in methods}
    computing: dict[str, list[float]] = {name: [] for name in methods}
    values: dict[str, list[float]] = {name: [] for name in methods}
    gaps = []
    for point in points:
        for name, method in methods.items():
            took, computed, found = timed(lambda method=method, point=point: method(point.discount))  # type: ignore[misc]
            seconds[name].append(took)
            computing[name].append(computed)
            values[name].append(found.value if name == "climb" else found)
            if name == "climb":
                gaps.append(found.gap)
    print(f"105 × 50 × 100, {len(points)} starts; largest gap {max(gaps):.1e}")
    for name in methods:
        for label, took in (("clock", np.array(seconds[name])), ("computing", np.array(computing[name]))):
            print(f"  {name:36s} {label:9s} min {took.min():.3f}  median {np.median(took):.3f}  max {took.max():.3f} s")
        print(f"  {'':36s} Φ {min(values[name]):.9f} .. {max(values[name]):.9f}")
    for label, times in (("clock", seconds), ("computing", computing)):
        ratio = np.array(times["SLSQP, all ranks, numeric gradient"]) / np.array(times["climb"])
        print(f"  numeric gradient / climb by {label}: median {np.median(ratio):.1f}, least {ratio.min():.1f}")


def large() -> None:
    grades = collection(126, 50, 1000)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    form = discount_form(grades, np.array([1.0, 2.0]))
    print(f"126 × 50 × 1,000, memory of the process before {before / 1024:.0f} MB")
    for name in ("log2", "zipf", "none"):
        took, _, peak = timed(lambda name=name: climb(form, named_weighting(grades, name).discount))  # type: ignore[misc]
        print(f"  from {name:5s} {took:.2f} s  Φ {peak.value:.9f}  gap {peak.gap:.1e}")
    took, _, found = timed(lambda: optimize_grades(grades, folds=2, repeats=1))
    print(f"  nine starts and two folds {took:.1f} s  Φ {found.optimum.dependability:.9f}  gap {found.gap:.1e}")
    print(f"  most memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    small()
    large()
