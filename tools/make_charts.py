"""Draw the charts in docs/ from simulated collections, and the speeds of the README from docs/performance.md.

Run with `python tools/make_charts.py`; writes docs/images/*.svg. Everything is seeded, so a second run draws the same.
"""

from __future__ import annotations

import re
from pathlib import Path

import altair as alt

import rankgauge

IMAGES = Path(__file__).parents[1] / "docs" / "images"
MEASURES = ["nDCG@10", "nDCG@100", "RR@10"]


def measured() -> dict[str, float]:
    """Seconds of each tool for one large TREC file, as the page on performance has them (W3)."""
    page = (IMAGES.parent / "performance.md").read_text(encoding="utf-8")
    section = page.partition("\n### W3\n")[2].partition("\n### ")[0]
    rows = re.findall(r"^\| (\w+) \| ([\d.]+) \|", section, re.MULTILINE)
    return {tool: float(seconds) for tool, seconds in rows}


def speed() -> alt.LayerChart:
    """Bars for measured(), with the seconds at their ends; drawn on white, because a README may be dark."""
    rows = [{"tool": tool, "seconds": seconds, "ours": tool == "rankgauge"} for tool, seconds in measured().items()]
    base = alt.Chart(alt.Data(values=rows)).encode(
        y=alt.Y(
            "tool:N", sort=None, title=None, axis=alt.Axis(labelFontSize=13, domain=False, ticks=False, labelPadding=8)
        ),
        x=alt.X("seconds:Q", title="seconds, whole process", axis=alt.Axis(grid=False, labelFontSize=11)),
    )
    color = alt.condition("datum.ours", alt.value("#e8710a"), alt.value("#9db4d6"))
    bars = base.mark_bar(height=20).encode(color=color)
    ends = base.mark_text(align="left", dx=5, fontSize=13).encode(text=alt.Text("seconds:Q", format=".1f"))
    return (bars + ends).properties(width=560, height=120, background="white").configure_view(stroke=None)


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
    speed().save(IMAGES / "speed.svg")
    print("docs/images/speed.svg")


if __name__ == "__main__":
    main()
