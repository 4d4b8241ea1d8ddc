"""How long a report takes to open in a real headless Chromium.

Run with `python bench/opening_time.py PAGE...`. Every page is opened in a fresh tab several times; the median is told, in
milliseconds after navigation began: the first text on the screen, the load event (the page can be read and scrolled),
and the moment when the last chart has come alive.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from browser.chromium import Tab, browser, found

TIMES = 7
WATCH = """
new MutationObserver(() => {
  const charts = [...document.querySelectorAll('figure.chart')];
  if (charts.length && charts.every((chart) => chart.dataset.live)) window.allAlive ??= performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
TIMINGS = """(() => {
  const painted = performance.getEntriesByName('first-contentful-paint')[0];
  return [painted ? painted.startTime : null, performance.getEntriesByType('navigation')[0].loadEventEnd, window.allAlive];
})()"""


def opening(address: str, page: Path) -> list[float | None]:
    tab = Tab(address)
    tab.size(1200, 900)
    tab.ask("Page.bringToFront")
    tab.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    tab.open(page.resolve().as_uri())
    tab.wait("window.allAlive !== undefined && performance.getEntriesByName('first-contentful-paint').length > 0")
    times: list[float | None] = tab.run(TIMINGS)
    tab.close()
    return times


def main() -> None:
    program = found()
    if program is None:
        sys.exit("Chromium is not installed: `make system` installs Debian's")
    with browser(program) as address:
        for page in map(Path, sys.argv[1:]):
            opened = [opening(address, page) for _ in range(TIMES)]
            paint, load, alive = (statistics.median(part) for part in zip(*opened, strict=True))
            size = page.stat().st_size / 1e6
            print(
                f"{page.name}: {size:.1f} MB, first paint {paint:.0f} ms, loaded {load:.0f} ms, charts {alive:.0f} ms"
            )


if __name__ == "__main__":
    main()
