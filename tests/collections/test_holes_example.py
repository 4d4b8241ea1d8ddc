"""Bounds of unjudged documents on the collection in the package: whatever grades they get, the means stay inside."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

import rankgauge

NAMES = ("random-forest", "lambdamart", "ridge", "feature-91")


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("measure", ["nDCG@10", "nDCG(gain=exp)@5", "P(rel=2)@5"])
def test_real_labellings_stay_inside(depth: int, measure: str) -> None:
    """Every document that a shallow pool left unjudged gets the grade that it really has, and then grades at random."""
    example = rankgauge.examples.load()
    runs = {name: example.runs[name] for name in NAMES}
    tops = [run.sort("score", descending=True).group_by("query").head(depth) for run in list(runs.values())[:2]]
    pooled = pl.concat(top.select("query", "document") for top in tops).unique()
    pool = example.judgments.join(pooled, on=["query", "document"], how="semi")
    bounded = rankgauge.holes(pool, runs, measure, all_pairs=True)
    holes = [(one.query, one.document) for one in bounded.worklist]
    assert len(holes) > 300
    grades = {(query, document): grade for query, document, grade in example.judgments.rows()}
    highest, draw = int(pool["grade"].max()), np.random.default_rng(0)
    ways: list[Callable[[tuple[str, str]], int]] = [
        grades.__getitem__,
        lambda _: int(draw.integers(0, highest + 1)),
        lambda _: highest,
    ]
    for way in ways:
        filled: dict[str, dict[str, int]] = {}
        for query, document, value in [*pool.rows(), *((*pair, way(pair)) for pair in holes)]:
            filled.setdefault(query, {})[document] = value
        means = rankgauge.evaluate(filled, runs, measure).mean()
        for pair in bounded.pairs:
            difference = means[pair.system][measure] - means[pair.baseline][measure]
            assert pair.low - 1e-12 <= difference <= pair.high + 1e-12
            assert pair.low < pair.high
