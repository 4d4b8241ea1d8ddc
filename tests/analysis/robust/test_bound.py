from __future__ import annotations

import numpy as np

import rankgauge
from analysis.robust.family_points import random_collection, scored
from rankgauge.analysis.robust.bound import lower_bounds


def test_a_bound_is_never_above_a_difference_inside_the_box():
    draw = np.random.default_rng(5)
    for _ in range(40):
        p, q = draw.normal(size=(6, 3, 4)), draw.random((3, 4)) * 4 + 0.1
        p -= 0.9 * (p / q).sum(axis=1).min(axis=1)[:, None, None] * q / 3  # near 0 at the least corner
        mixed = draw.dirichlet(np.full(4, 0.5), 500).T
        inside = ((p @ mixed) / (q @ mixed)).sum(axis=1).min(axis=1)
        assert np.all(lower_bounds(p, q).low <= inside + 1e-12)


def test_a_pair_may_depend_though_no_corner_says_so():
    made = rankgauge.simulate(systems=12, queries=50, seed=7)
    runs = made.runs()
    found = rankgauge.robust(made.judgments(), {name: runs[name] for name in ("system-05", "system-03")}, "nDCG@10")
    assert min(min(row) for row in found.corners("system-03", "system-05").differences) >= -1e-12
    assert found.pairs[0].verdict == "depends"
    assert found.pairs[0].witness_difference < 0


def test_queries_that_lack_the_highest_grades_leave_few_pairs_open():
    verdicts = []
    for seed in range(40):
        judged, runs = random_collection(np.random.default_rng(seed), grades=(1, 2, 3))
        if any(value > 0 for row in judged.values() for value in row.values()):
            listed = [rankgauge.Run(scored(run), name=name) for name, run in runs.items()]
            verdicts.append(rankgauge.robust(judged, listed, "nDCG@3", samples=0).pairs[0].verdict)
    # Tiny collections tie exactly along whole edges of the family; with a simplex of gains most of them stay open.
    assert verdicts.count("open") <= 3
