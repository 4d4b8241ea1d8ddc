"""How processor time and memory grow, function by function, in steps of ten: `python bench/growth.py` prints the table.

One quantity grows from the base (ten systems × a hundred queries × a hundred documents × one measure), all else stays.
Each call has a process of its own; a series ends where a call takes longer than LONGEST seconds. The exponent is that
of the last step: 0 for no growth, 1 for a straight line, 2 for a square; n log n shows as up to 1.15.
"""

from __future__ import annotations

import argparse
import math
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

BASE = {"rows": 100, "queries": 100, "systems": 10, "measures": 1}
"""`rows` are those of one query in one run."""
MOST = {"rows": 10_000, "queries": 10_000, "systems": 10_000, "measures": 100}
LONGEST, LINEAR = 20.0, 1.15
MOST_SECONDS = 200
"""Seconds of the processor after which a call is ended."""
NOISE = 0.5
"""Seconds below which a step says nothing about growth: loading takes as long."""


def _measures(count: int) -> str:
    return " ".join(f"nDCG@{k}" for k in range(1, count + 1))


def _collection(size: dict[str, int]) -> tuple[Any, dict[str, Any]]:
    """Frames: judgments of a tenth of the documents, and runs in the order of their scores."""
    import polars as pl

    draw = np.random.default_rng(7)
    queries, rows = size["queries"], size["rows"]
    judged = max(1, rows // 10)
    query, document = np.repeat(np.arange(queries), judged), np.tile(np.arange(judged) * 10, queries)
    grades = pl.DataFrame({"query": query, "document": document, "value": draw.integers(0, 4, len(query))})
    at, order = np.repeat(np.arange(queries), rows), np.tile(np.arange(rows), queries)
    runs = {
        f"s{number}": pl.DataFrame(
            {"query": at, "document": (order * 7 + number) % rows, "score": -order.astype(float)}
        )
        for number in range(size["systems"])
    }
    return grades, runs


def _scores(size: dict[str, int]) -> Any:
    from rankgauge import Scores

    shape = size["systems"], size["queries"], size["measures"]
    names = [f"nDCG@{k}" for k in range(1, size["measures"] + 1)]
    systems = [f"system{at}" for at in range(size["systems"])]
    return Scores.from_matrix(np.random.default_rng(7).beta(2, 2, shape), systems, measures=names)


def _on_scores(name: str, **options: Any) -> Callable[[dict[str, int]], Any]:
    import rankgauge

    def call(size: dict[str, int]) -> Callable[[], Any]:
        scores = _scores(size)
        return lambda: getattr(rankgauge, name)(scores, **options)

    return call


def _on_collection(name: str, **options: Any) -> Callable[[dict[str, int]], Any]:
    import rankgauge

    def call(size: dict[str, int]) -> Callable[[], Any]:
        grades, runs = _collection(size)
        measures = _measures(size["measures"]) if name == "evaluate" else "nDCG@10"
        return lambda: getattr(rankgauge, name)(grades, runs, measures, **options)

    return call


def _report(size: dict[str, int]) -> Callable[[], Any]:
    import tempfile

    import rankgauge

    grades, runs = _collection(size)
    page = Path(tempfile.mkdtemp()) / "page.html"
    return lambda: rankgauge.report(page, grades, runs, _measures(size["measures"]))


FUNCTIONS: dict[str, tuple[tuple[str, ...], Callable[[], Callable[[dict[str, int]], Any]]]] = {
    "evaluate": (("rows", "queries", "systems", "measures"), lambda: _on_collection("evaluate")),
    "compare": (("queries", "systems", "measures"), lambda: _on_scores("compare")),
    "compare, all pairs": (("queries", "systems", "measures"), lambda: _on_scores("compare", all_pairs=True)),
    "discriminate": (("queries", "systems", "measures"), lambda: _on_scores("discriminate")),
    "stability": (("queries", "systems", "measures"), lambda: _on_scores("stability")),
    "optimize": (("rows", "queries", "systems"), lambda: _on_collection("optimize")),
    "report": (("rows", "queries", "systems", "measures"), lambda: _report),
}


def child(function: str, size: dict[str, int]) -> None:
    """Prints processor seconds of the call, and the peak of memory in megabytes; or why it is refused."""
    from rankgauge.errors import RankgaugeError

    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
    call = FUNCTIONS[function][1]()(size)
    start = time.process_time()
    try:
        call()
    except RankgaugeError as problem:
        print("refused", str(problem).splitlines()[0])
        return
    print(time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def series(function: str, growing: str) -> str:
    """One row of the table."""
    cells, last, exponent = [], None, None
    amount = BASE[growing]
    while amount <= MOST[growing]:
        size = BASE | {growing: amount}
        words = [sys.executable, __file__, "--child", function, *(f"{k}={v}" for k, v in size.items())]
        said = subprocess.run(words, capture_output=True, text=True, check=False).stdout
        if said.startswith("refused"):
            cells.append(f"{amount:,}: {said.strip()}")
            break
        if not said:
            cells.append(f"{amount:,}: more than {MOST_SECONDS} s")
            break
        seconds, memory = map(float, said.split())
        cells.append(f"{amount:,}: {seconds:.2f} s, {memory:,.0f} MB")
        if last is not None and seconds > NOISE:
            exponent = math.log10(seconds / max(last, 0.01))
        last, amount = seconds, amount * 10
        if seconds > LONGEST:
            break
    shown = "flat" if exponent is None else f"{exponent:.2f}" + (" (worse than n log n)" if exponent > LINEAR else "")
    return f"| {function} | {growing} | {'; '.join(cells)} | {shown} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--function", choices=FUNCTIONS, action="append")
    chosen = parser.parse_args()
    if chosen.child:
        function, *words = chosen.child
        child(function, {name: int(amount) for name, amount in (word.split("=") for word in words)})
        return
    print("| function | what grows | processor time and peak memory | exponent of the last step |\n|---|---|---|---|")
    for function in chosen.function or FUNCTIONS:
        for growing in FUNCTIONS[function][0]:
            print(series(function, growing), flush=True)


if __name__ == "__main__":
    main()
