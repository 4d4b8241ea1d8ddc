"""The figures of docs/trust.md, written with the table that they are from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tally import Row

PAGE = Path(__file__).parents[2] / "docs" / "trust.md"
BLOCK = re.compile(r"(<!-- figures -->\n).*?(<!-- end of figures -->)", re.DOTALL)
Limits = tuple[float, float]
PLAN = "settled by the queries of the plan"
# In words: what it is, what the table calls it, how it was before, how it is now.
LINES: tuple[tuple[str, str, str | None, tuple[str, ...]], ...] = (
    ("interval of a mean", "interval of one mean", None, ("now: t",)),
    ("interval of a difference", "interval of one difference", None, ("now: t",)),
    ("20 intervals together", "20 intervals together", "before: of each pair alone", ("now: max-t",)),
    (
        "interval contradicts the verdict",
        "interval and verdict contradict each other",
        "before: of each pair alone",
        ("now: max-t",),
    ),
    (
        "false alarms of one sign-flip test, t test, bootstrap test",
        "false alarms of one test",
        None,
        ("sign-flip", "t", "bootstrap"),
    ),
    ("any false alarm among 20 (before: Holm)", "a false alarm among 20", "sign-flip, Holm", ("max-t",)),
    (
        "rank, the system where it holds least",
        "rank, the worst system",
        "before: bootstrap",
        ("now: simultaneous comparisons",),
    ),
    *(
        (
            f"{sign} and queries needed, {question}",
            f"{sign} and queries needed, {question}",
            f"before: {before}",
            (now,),
        )
        for question, now in (
            ("these systems", "now: jackknife"),
            ("other systems too", "now: jackknife, or a warning"),
        )
        for sign, before in (("Φ", "Arteaga"), ("Eρ²", "exact F"))
    ),
    ("undecided pairs settled by the plan, among 20 systems", PLAN, None, ("now: among 20 systems",)),
    ("the same, among seven systems", PLAN, None, ("now: among 7 systems, others each time",)),
    ("the same, two systems alone", PLAN, "before: difference as observed", ("now: two systems alone",)),
    (
        "gate fails, five harmless runs",
        "gate fails, five harmless runs",
        "before: each run alone",
        ("now: one level for all",),
    ),
    (
        "gate fails once in 200 harmless looks",
        "gate fails once in 200 harmless looks",
        "before: no ledger",
        ("now: ledger",),
    ),
)


def write_figures(
    rows: Sequence[Row], trials: int, promised: dict[tuple[str, str], Limits], outside: Sequence[str]
) -> None:
    """`rows` are those of the real populations; `outside` are lines about single populations."""
    table = {
        (what, method, queries): float(
            np.mean([r.share for r in rows if (r.what, r.method, r.queries) == (what, method, queries)])
        )
        for what, method, queries in dict.fromkeys((r.what, r.method, r.queries) for r in rows)
    }
    errors = [row.error for row in rows if (row.what, row.method) in promised and row.queries >= 40]
    one, count = 100 * float(np.median(errors)), len({row.population for row in rows})
    few = int(np.median([row.trials for row in rows if row.method == "now: among 20 systems"]))
    reach = (
        f"**How far this goes.** One run of {trials} trials for each population and number of queries ({trials // 2} to"
        f" {3 * trials // 2} by the cost of the question; about {few} tables for plans among 20 systems). So a share of one"
        f" population is good to about {one:.1f} points (one standard error), and a mean over the {count} populations to about"
        f" {one / count**0.5:.1f}."
    )
    text = [
        reach,
        "\n## What was promised, and what was found\n",
        "Means over the populations, with 40 and with 100 queries:\n",
        "| what | promised | before | now, n = 40 | now, n = 100 |\n|---|---:|---:|---:|---:|",
    ]
    for words, what, before, methods in LINES:
        was = "–" if before is None else _range(table[what, before, 40], table[what, before, 100])
        now = (", ".join(f"{table[what, one, n]:.1%}" for one in methods) for n in (40, 100))
        text.append(f"| {words} | {_promise(promised[what, methods[0]])} | {was} | {' | '.join(now)} |")
    text.append(
        "\nSingle populations that are outside their promise by more than two standard errors, with 40 or more queries:\n"
    )
    found = "\n".join([*text, *(outside or ["- none"])])
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda match: f"{match[1]}{found}\n{match[2]}", page), encoding="utf-8")


def _promise(limits: Limits) -> str:
    low, high = limits
    if low == high:
        return f"{low:.0%}"
    if high == 1.0:
        return f"≥ {low:.0%}"
    return f"≤ {high:.0%}" if low == 0.0 else f"{100 * low:g}–{100 * high:g}%"


def _range(one: float, other: float) -> str:
    low, high = sorted((round(100 * one), round(100 * other)))
    return f"{low}%" if low == high else f"{low}–{high}%"
