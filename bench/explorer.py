"""The explorer beside the report: file sizes, time until ready, time of a move.

TREC-COVID round 3 (79 systems × 40 queries, from RANKGAUGE_DATA) and a simulated collection of 10 systems × 5,000
queries, in headless Chromium: python bench/explorer.py [--quick]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rankgauge

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from browser.chromium import Tab, browser, found

MOVES, OPENINGS = 40, 9
READY = "document.body?.dataset.ready !== undefined"
MOVE = """
(async () => {
  const times = { compute: [], draw: [] };
  for (let n = 0; n < MOVES; n++) {
    Object.assign(explorer.state, { fam: "zipf", par: (50 + n) / 100 });
    explorer.render();
    times.compute.push(explorer.timing.compute); times.draw.push(explorer.timing.draw);
    await new Promise((done) => setTimeout(done, 0));
  }
  return { compute: Math.min(...times.compute), draw: Math.min(...times.draw) };
})()
""".replace("MOVES", str(MOVES))
LIMITS = {"TREC-COVID round 3": (350, 500, 2.0), "10 × 5,000": (3000, 2000, 15.0)}
"""Kilobytes, milliseconds until ready, milliseconds of computing a move."""


def collections(*, quick: bool) -> Iterator[tuple[str, Any, Any]]:
    if "RANKGAUGE_DATA" in os.environ:
        folder = Path(os.environ["RANKGAUGE_DATA"]) / "trec-covid-round3"
        yield "TREC-COVID round 3", folder / "qrels.txt.gz", sorted((folder / "runs").glob("*.gz"))
    simulated = rankgauge.simulate(systems=10, queries=200 if quick else 5000, seed=7)
    yield "10 × 5,000", simulated.judgments(), simulated.runs()


def measure(address: str, page: Path, ready: str) -> dict[str, float]:
    """The best of a few openings, each in a tab of its own, and the fastest of 40 moves."""
    opened, moves = [], {}
    for _ in range(OPENINGS):
        tab = Tab(address)
        begin = time.perf_counter()
        tab.open(page.as_uri())
        tab.wait(ready)
        opened.append(1000 * (time.perf_counter() - begin))
        if ready == READY:
            opened[-1] = float(tab.run("document.body.dataset.ready"))
            moves = tab.run(MOVE)
        tab.close()
    return {"kB": page.stat().st_size / 1000, "ready": min(opened), **moves}


def main() -> int:
    program, missed = found(), 0
    if program is None:
        print("Chromium is needed: make system")
        return 2
    print(
        f"{'collection':<20} {'page':<9} {'written s':>9} {'kB':>7} {'ready ms':>9} {'compute ms':>11} {'draw ms':>8}"
    )
    with tempfile.TemporaryDirectory() as folder, browser(program) as address:
        for name, judged, runs in collections(quick="--quick" in sys.argv):
            begin = time.perf_counter()
            page = rankgauge.explore(Path(folder) / "explorer.html", judged, runs)
            written = time.perf_counter() - begin
            one = measure(address, page, READY)
            row = (one["kB"], one["ready"], one["compute"])
            late = ["size", "ready", "compute"]
            beyond = [what for what, value, most in zip(late, row, LIMITS[name], strict=True) if value > most]
            missed += len(beyond)
            print(
                f"{name:<20} {'explorer':<9} {written:>9.1f} {row[0]:>7.0f} {row[1]:>9.0f} {row[2]:>11.2f} {one['draw']:>8.2f}"
                + (f"  beyond its limit: {', '.join(beyond)}" if beyond else "")
            )
            begin = time.perf_counter()
            page = rankgauge.report(Path(folder) / "report.html", judged, runs)
            written = time.perf_counter() - begin
            one = measure(address, page, "document.readyState === 'complete'")
            print(f"{name:<20} {'report':<9} {written:>9.1f} {one['kB']:>7.0f} {one['ready']:>9.0f}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
