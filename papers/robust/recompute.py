"""Robust verdicts against brute force, and how many pairs they decide. Writes results/README.md and numbers.json.

    python papers/robust/recompute.py [--collections 2000]

needs RANKGAUGE_DATA, the folder of collections, for TREC-COVID round 3. Brute force takes some minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import simulated
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from truth import GRADES, Collection, brute_force, contradiction

import rankgauge

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
from kept import kept  # noqa: E402

RESULTS = HERE / "results"
MEASURE = "nDCG@3"
COVID = [(10, "discount"), (10, "both"), (20, "discount"), (20, "both"), (100, "both")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--collections", type=int, default=2000)
    count = parser.parse_args().collections
    solver = Path(rankgauge.__file__).parent / "analysis" / "robust"
    behind = [*sorted(solver.glob("*.py")), *sorted(HERE.glob("*.py"))]
    truth = kept("robust-truth", [str(count), *behind], lambda: against_brute_force(count))
    numbers = {"truth": truth, "simulated": simulations(), "covid": covid()}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "numbers.json").write_text(json.dumps(numbers, indent=1) + "\n", encoding="utf-8")
    (RESULTS / "README.md").write_text(page(numbers), encoding="utf-8")
    print(f"wrote {RESULTS.name}/README.md and numbers.json")
    if truth["contradictions"]:
        sys.exit("brute force contradicts a verdict:\n" + "\n".join(truth["contradictions"]))


def against_brute_force(count: int) -> dict[str, Any]:
    """Every verdict on random collections beside the least and the largest difference that brute force finds."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    fewest = [sys.maxsize]

    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(
        seed=st.integers(0, 2**32),
        kind=st.sampled_from(sorted(GRADES)),
        over=st.sampled_from(["both", "discount", "gain"]),
    )
    def examine(seed: int, kind: str, over: str) -> None:
        random = np.random.default_rng(seed)
        collection = Collection.drawn(random, kind)
        assume(collection.grades)
        found = rankgauge.robust(collection.judged, collection.listed(), MEASURE, over=over, samples=0).pairs[0]
        worst = brute_force(collection, random, over)
        fewest[0] = min(fewest[0], worst.points)
        counts[found.verdict] += 1
        counts["both signs"] += worst.low < -1e-12 and worst.high > 1e-12
        problem = contradiction(found, worst, collection, MEASURE)
        wrong.extend([f"seed {seed}, {kind}, {over}: {problem}"] if problem else [])
        done = sum(counts[word] for word in ("robust", "depends", "open", "equal"))
        if done % 100 == 0:
            print(f"{done:,} of {count:,} collections, {len(wrong)} contradictions", flush=True)

    examine()
    return {"collections": count, "points": fewest[0], **counts, "contradictions": wrong}


def simulations() -> list[dict[str, Any]]:
    return [
        simulated.decided(grades, cutoff, over)
        for grades in simulated.GRADES
        for cutoff in simulated.CUTOFFS
        for over in ("discount", "both")
    ]


def covid() -> list[dict[str, Any]]:
    folder = Path(os.environ["RANKGAUGE_DATA"]) / "trec-covid-round3"
    rows = []
    for cutoff, over in COVID:
        found = rankgauge.robust(
            folder / "qrels.txt.gz",
            sorted((folder / "runs").iterdir()),
            f"nDCG@{cutoff}",
            over=over,
            all_pairs=True,
            samples=0,
            policy=rankgauge.Policy(ties="document"),
        )
        rows.append({"cutoff": cutoff, "over": over, **found.counts})
    return rows


def page(numbers: dict[str, Any]) -> str:
    truth = numbers["truth"]
    words = ", ".join(f"{truth.get(word, 0):,} {word}" for word in ("robust", "depends", "open", "equal"))
    made = [[row["grades"], f"@{row['cutoff']}", row["over"], *_counts(row)] for row in numbers["simulated"]]
    real = [[f"@{row['cutoff']}", row["over"], *_counts(row)] for row in numbers["covid"]]
    heads = ["robust", "depends", "open", "equal"]
    pairs = simulated.SYSTEMS * (simulated.SYSTEMS - 1) // 2 * len(simulated.SEEDS)
    return "\n".join(
        [
            "# Robust verdicts, checked",
            "",
            "Written by `python papers/robust/recompute.py`.",
            "",
            "## Against brute force",
            "",
            f"{truth['collections']:,} random collections of one to five queries with one to five grades, many of which lack",
            f"the highest; on each, at least {truth['points']:,} gains and discounts: a dense grid, random ones, and a search",
            "around the least and the largest differences.",
            "",
            f"Verdicts: {words}. Contradicted by brute force: **{len(truth['contradictions'])}**. Brute force saw both",
            f"signs in {truth.get('both signs', 0):,} collections. Every witness was confirmed by `evaluate`.",
            "",
            f"## Simulated collections ({pairs:,} pairs a row)",
            "",
            "Every query has a highest grade of its own, so that most lack the highest of all.",
            "",
            *_table(["grades", "cutoff", "what varies", *heads], made),
            "",
            "## TREC-COVID round 3 (79 systems, 40 topics, 3,081 pairs)",
            "",
            *_table(["cutoff", "what varies", *heads], real),
            "",
        ]
    )


def _counts(row: dict[str, Any]) -> list[str]:
    return [f"{row[word]:,}" for word in ("robust", "depends", "open", "equal")]


def _table(heads: list[str], rows: list[list[Any]]) -> list[str]:
    return [f"| {' | '.join(map(str, row))} |" for row in (heads, ["---"] * len(heads), *rows)]


if __name__ == "__main__":
    main()
