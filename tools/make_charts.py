"""Draws the charts that the pages in docs/ show, from simulated collections.

Run with `python tools/make_charts.py`; writes docs/images/*.svg. Everything is seeded: a second run draws the same.
"""

from __future__ import annotations

from pathlib import Path

import rankgauge
from rankgauge.presentation.charts.agreement import agreement_chart
from rankgauge.presentation.charts.optimum import discount_chart
from rankgauge.presentation.charts.stability import stability_chart
from rankgauge.presentation.charts.style import save_chart

IMAGES = Path(__file__).parents[1] / "docs" / "images"
MEASURES = ["nDCG@10", "nDCG@100", "RR@10"]


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    collection = rankgauge.simulate(systems=12, queries=50, seed=7)
    scores = rankgauge.evaluate(collection.judgments(), collection.runs(), MEASURES)
    optimum = rankgauge.optimize(collection.judgments(), collection.runs(), "nDCG@20", folds=0)
    for name, chart in {
        "stability": stability_chart(rankgauge.stability(scores)),
        "agreement": agreement_chart(rankgauge.agreement(scores)),
        "optimal-discount": discount_chart(optimum),
    }.items():
        save_chart(chart, IMAGES / f"{name}.svg")
        print(f"docs/images/{name}.svg")


if __name__ == "__main__":
    main()
