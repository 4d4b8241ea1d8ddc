"""The table of all coverages and error rates, with what lies outside its promise marked."""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from pathlib import Path

import numpy as np
from populations import CONTROL
from tally import Row
from trust import write_figures

RESULTS = Path(__file__).parent / "results"
SIZES = (20, 40, 100)
# What is promised for n >= 40, by (what, method); methods of before, and figures that only inform, promise nothing.
PROMISED: dict[tuple[str, str], tuple[float, float]] = {
    ("interval of one mean", "now: t"): (0.93, 0.97),
    ("interval of one difference", "now: t"): (0.93, 0.97),
    ("interval of one effect size", "now: t"): (0.92, 0.98),
    ("20 intervals together", "now: max-t"): (0.93, 0.98),
    ("interval and verdict contradict each other", "now: max-t"): (0.0, 0.0),
    ("interval and verdict contradict each other", "Holm: at the level that decides"): (0.0, 0.0),
    ("false alarms of one test", "sign-flip"): (0.035, 0.065),
    ("false alarms of one test", "t"): (0.035, 0.065),
    ("false alarms of one test", "bootstrap"): (0.035, 0.065),
    ("a false alarm among 20", "max-t"): (0.03, 0.06),
    ("rank, over systems", "now: simultaneous comparisons"): (0.95, 1.0),
    ("rank, the worst system", "now: simultaneous comparisons"): (0.93, 1.0),
    ("Φ and queries needed, these systems", "now: jackknife"): (0.93, 0.98),
    ("Eρ² and queries needed, these systems", "now: jackknife"): (0.93, 0.98),
    ("Φ and queries needed, other systems too", "now: jackknife, or a warning"): (0.90, 1.0),
    ("Eρ² and queries needed, other systems too", "now: jackknife, or a warning"): (0.90, 1.0),
    ("settled by the queries of the plan", "now: two systems alone"): (0.75, 0.85),
    ("settled by the queries of the plan", "now: among 20 systems"): (0.75, 0.85),
    ("settled by the queries of the plan", "now: among 7 systems, others each time"): (0.75, 0.85),
    ("gate at its limit, one run", "wrong fail"): (0.0, 0.05),
    ("gate at its limit, one run", "wrong pass"): (0.0, 0.05),
    ("gate fails, five harmless runs", "now: one level for all"): (0.0, 0.05),
    ("gate fails once in 200 harmless looks", "now: ledger"): (0.0, 0.05),
}
HEAD = """# Coverages and error rates on real collections

Written by `papers/coverage/recompute.py --trials {trials}` in {minutes} minutes of one processor. Every cell is the mean over the
{count} populations below and in brackets the lowest and the highest of them; the standard error of a mean is at most
{error:.1f} points, that of one population about {one:.1f}. *Before* is how version 0.1 did it, on the same draws. A promise is for
n ≥ 40. † marks a mean outside it by more than two standard errors, * one or more populations outside it by more than two
of theirs; these are listed below. With fewer than 21 systems, "20" are as many as there are. *Or a warning*: the interval held the
truth, or the product had said that a system far from the rest decides it.

Populations (systems × topics): {names}.
"""
MATTERS = """
## Single populations outside the promise, n ≥ 40

{listed}

## The control

Normal scores of the same size, drawn the same way: where they are outside too, it is the number of trials or the method;
where they are inside, it is the data. {control}
"""


def write(rows: Sequence[Row], trials: int, seconds: float, shapes: str) -> None:
    """After every round, so that a long computation can be looked at, or ended, at any time."""
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / "coverage.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow([field.name for field in fields(Row)])
        table.writerows([one if not isinstance(one, float) else f"{one:.6g}" for one in astuple(row)] for row in rows)
    (RESULTS / "README.md").write_text("\n".join(_page(rows, trials, seconds, shapes)) + "\n")
    real = [row for row in rows if row.population != CONTROL]
    write_figures(real, trials, PROMISED, _outside_alone(real))


def _page(rows: Sequence[Row], trials: int, seconds: float, shapes: str) -> Iterator[str]:
    real = [row for row in rows if row.population != CONTROL]
    names = list(dict.fromkeys(row.population for row in real))
    promised = [row for row in real if (row.what, row.method) in PROMISED]
    one = float(np.median([row.error for row in promised]))
    yield HEAD.format(
        trials=trials,
        minutes=round(seconds / 60),
        count=len(names),
        error=100 * max(_error(part) for part in _groups(promised).values()),
        one=100 * one,
        names=shapes,
    )
    yield "| what | how | promised | n = 20 | n = 40 | n = 100 |"
    yield "|---|---|---|---|---|---|"
    groups = _groups(real)
    for what, method in _in_order(real):
        cells = (_cell(groups.get((what, method, queries), []), PROMISED.get((what, method))) for queries in SIZES)
        yield f"| {what} | {method} | {_promise(PROMISED.get((what, method)))} | {' | '.join(cells)} |"
    control = [row for row in rows if row.population == CONTROL and row.queries >= 40 and _outside(row)]
    said = "; ".join(f"{r.what} ({r.method}) {r.share:.1%} ± {r.error:.1%} (n = {r.queries})" for r in control)
    yield MATTERS.format(
        listed="\n".join(_outside_alone(real)) or "None.", control=f"Outside: {said}." if said else "None is outside."
    )


def _outside_alone(real: Iterable[Row]) -> list[str]:
    outside = [row for row in real if row.queries >= 40 and _outside(row)]
    return [
        f"- {what} ({method}): {', '.join(f'{r.population} {r.share:.1%} ± {r.error:.1%} (n = {r.queries})' for r in part)}"
        for (what, method), part in _by(outside, lambda row: (row.what, row.method)).items()
    ]


def _by(rows: Iterable[Row], key: object) -> dict[object, list[Row]]:
    found: dict[object, list[Row]] = defaultdict(list)
    for row in rows:
        found[key(row)].append(row)  # type: ignore[operator]
    return found


def _groups(rows: Iterable[Row]) -> dict[object, list[Row]]:
    return _by(rows, lambda row: (row.what, row.method, row.queries))


def _in_order(rows: Iterable[Row]) -> list[tuple[str, str]]:
    """What belongs together side by side, before above now."""
    methods: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        if row.method not in methods[row.what]:
            methods[row.what].append(row.method)
    return [(what, one) for what, found in methods.items() for one in sorted(found)]


def _error(part: Sequence[Row]) -> float:
    """Of the mean over populations, each drawn by itself."""
    return math.sqrt(sum(row.error**2 for row in part)) / len(part)


def _promise(limits: tuple[float, float] | None) -> str:
    return "–" if limits is None else f"{100 * limits[0]:g}–{100 * limits[1]:g} %"


def _outside(row: Row) -> bool:
    limits = PROMISED.get((row.what, row.method))
    return limits is not None and not limits[0] - 2 * row.error <= row.share <= limits[1] + 2 * row.error


def _cell(part: Sequence[Row], limits: tuple[float, float] | None) -> str:
    if not part:
        return "–"
    shares = [row.share for row in part]
    mean, error = float(np.mean(shares)), _error(part)
    mark = "†" if limits and not limits[0] - 2 * error <= mean <= limits[1] + 2 * error else ""
    star = "\\*" if any(_outside(row) for row in part) else ""
    return f"{100 * mean:.1f} % ({100 * min(shares):.1f}–{100 * max(shares):.1f}){mark}{star}"
