"""Draw the charts in docs/ from simulated collections.

Run with `python tools/make_charts.py`; writes docs/images/*.svg. Everything is seeded, so a second run draws the same.
"""

from __future__ import annotations

from pathlib import Path

import rankgauge

IMAGES = Path(__file__).parents[1] / "docs" / "images"
MEASURES = ["nDCG@10", "nDCG@100", "RR@10"]


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    collection = rankgauge.simulate(systems=12, queries=50, seed=7)
    scores = rankgauge.evaluate(collection.judgments(), collection.runs(), MEASURES)
    optimum = rankgauge.optimize(collection.judgments(), collection.runs(), "nDCG@20", folds=0)
    for name, chart in {
        "stability": rankgauge.plot.stability(rankgauge.stability(scores)),
        "agreement": rankgauge.plot.agreement(rankgauge.agreement(scores)),
        "optimal-discount": rankgauge.plot.optimal_discount(optimum),
    }.items():
        rankgauge.plot.save(chart, IMAGES / f"{name}.svg")
        print(f"docs/images/{name}.svg")


if __name__ == "__main__":
    main()
