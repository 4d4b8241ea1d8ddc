"""Is `optimize`'s advice safe? Rules of recommending, tried on topics drawn with replacement.

    python papers/coverage/recommending.py [--draws 30] [--cutoffs 20 100]

A collection's topics are the population. As many are drawn with replacement, candidates are fitted and held out on the
draw (copies of a topic stay in one fold), each rule advises one of them, and Φ of what it advises is computed on the
population, relative to that of the start. Halves of one set would be no judge: what one half has more of, the other has
less of. Writes papers/coverage/results/recommending.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import polars as pl

from rankgauge import Run, simulate
from rankgauge.analysis.optimize import holdout
from rankgauge.analysis.optimize.holdout import HeldOut, all_candidates, hold_out, lead_errors
from rankgauge.analysis.optimize.ranked_grades import RankedGrades, read_collection
from rankgauge.analysis.optimize.search.form import scores_of
from rankgauge.analysis.optimize.search.objective import PHI, dependability
from rankgauge.analysis.optimize.search.search import search
from rankgauge.analysis.optimize.search.weighting import Question, Weighting, named_weighting

RESULTS = Path(__file__).parent / "results"
RANKS = 100
DISCOUNT = ("discount",)
Rule = Callable[[HeldOut, dict[str, float]], str]


def collections() -> Iterator[tuple[str, RankedGrades, int]]:
    """Name, ranked grades of the population, and the number of topics to draw."""
    folder = Path(os.environ["RANKGAUGE_DATA"])
    for number in (1, 2, 5):
        parts = pl.read_parquet(folder / "trec-covid-rounds" / f"round{number}.runs.parquet").partition_by(
            "system", as_dict=True
        )
        runs = [Run(part.drop("system"), name=str(name)) for (name,), part in sorted(parts.items())]
        yield _read(f"round {number}", folder / "trec-covid-rounds" / f"round{number}.qrels.gz", runs)
    clef = folder / "clef-ehealth-2015"
    yield _read("CLEF 2015", next(clef.glob("qrels*")), sorted((clef / "runs").iterdir()))
    for systems, seed in ((8, 1), (30, 2), (30, 3)):
        made = simulate(systems, 200, seed=seed)
        name, grades, _ = _read(f"simulated {systems} systems, seed {seed}", made.judgments(), made.runs())
        yield name, grades, 40


def _read(name: str, judged: object, runs: object) -> tuple[str, RankedGrades, int]:
    grades = read_collection(judged, runs, f"nDCG@{RANKS}").grades.with_relevant()
    return name, grades, grades.queries


def lower_bound(times: float) -> Rule:
    """The candidate whose lead in log-odds less `times` its error is largest, if that is above 0."""

    def rule(found: HeldOut, errors: dict[str, float]) -> str:
        bounds = {one.name: _lead(found, one.name) - times * errors.get(one.name, np.inf) for one in found.candidates}
        best = max(bounds, key=lambda name: -np.inf if np.isnan(bounds[name]) else bounds[name])
        return best if bounds[best] > 0 and _worth(found, best) else "start"

    return rule


def both(times: float) -> Rule:
    """As before, and the lead of the best must be above `times` its error over topics."""

    def rule(found: HeldOut, errors: dict[str, float]) -> str:
        sure = _lead(found, found.best) > times * errors.get(found.best, np.inf)
        return found.recommended if sure else "start"

    return rule


RULES: dict[str, Rule] = {
    "before: one standard error of the folds": lambda found, _errors: found.recommended,
    "always the best on unseen": lambda found, _errors: found.best,
    "largest lower bound, 1 error": lower_bound(1.0),
    "largest lower bound, 1.5 errors": lower_bound(1.5),
    "before, and 1 error over topics": both(1.0),
    "now: before, and 1.5 errors over topics": both(1.5),
    "before, and 2 errors over topics": both(2.0),
}


def _lead(found: HeldOut, name: str) -> float:
    values = (found[name].value, found["start"].value)
    if not all(0 < value < 1 for value in values):
        return float("nan")
    return float(np.log(values[0] / (1 - values[0])) - np.log(values[1] / (1 - values[1])))


def _worth(found: HeldOut, name: str) -> bool:
    return found[name].lead > holdout.NEGLIGIBLE * abs(found["start"].value)


def _drawn(grades: RankedGrades, topics: int, random: np.random.Generator) -> tuple[RankedGrades, np.ndarray]:
    places = np.sort(random.integers(0, grades.queries, topics))
    return grades.select(places), places


def _grouped(places: np.ndarray) -> Callable[..., Iterator[tuple[np.ndarray, np.ndarray]]]:
    """Folds that keep the copies of a topic together; inner folds, of fewer queries, as they are."""
    usual = holdout.splits

    def splits(queries: int, folds: int, repeats: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        if queries != len(places):
            yield from usual(queries, folds, repeats, seed)
            return
        names = np.unique(places)
        for seen, unseen in usual(len(names), folds, repeats, seed):
            yield np.flatnonzero(np.isin(places, names[seen])), np.flatnonzero(np.isin(places, names[unseen]))

    return splits


def tried(grades: RankedGrades, topics: int, random: np.random.Generator) -> dict[str, float]:
    """Φ on the population of what every rule advises after one draw, over that of the start, less 1."""
    usual, start = holdout.splits, named_weighting(grades)
    sample, places = _drawn(grades, topics, random)
    asked = Question(start, DISCOUNT, seed=1)
    holdout.splits = _grouped(places)
    try:
        found = hold_out(sample, asked, folds=5, repeats=1)
    finally:
        holdout.splits = usual
    best = search(sample, asked, thorough=False)[0]
    fitted = all_candidates(sample, asked, asked.answered(best.discount, best.gain, sample), found.strength)
    errors = lead_errors(sample, fitted, PHI)

    def worth(one: Weighting) -> float:
        return dependability(scores_of(grades, one.discount, one.gain))

    base = worth(start)
    return {name: worth(fitted[rule(found, errors)]) / base - 1 for name, rule in RULES.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=30)
    parser.add_argument("--cutoffs", type=int, nargs="+", default=[20, 100])
    chosen = parser.parse_args()
    draws = chosen.draws
    used = [
        (f"{name} @{cutoff}", whole.cut(cutoff), topics)
        for name, whole, topics in collections()
        for cutoff in chosen.cutoffs
    ]
    cells: dict[str, dict[str, list[float]]] = {name: defaultdict(list) for name, *_ in used}
    for draw in range(draws):
        for place, (name, grades, topics) in enumerate(used):
            for rule, change in tried(grades, topics, np.random.default_rng((draw, place))).items():
                cells[name][rule].append(change)
        print(draw + 1, file=sys.stderr, flush=True)
        (RESULTS / "recommending.md").write_text("\n".join(page(cells, draw + 1)) + "\n")


def page(cells: dict[str, dict[str, list[float]]], draws: int) -> Iterator[str]:
    yield "# Is the advice of `optimize` safe?\n"
    yield f"Written by `papers/coverage/recommending.py --draws {draws}` (one repeat of 5 folds): Φ of the advised discount on the population of topics,"
    yield "relative to log2, mean ± standard error over draws of topics with replacement; † marks a mean more than 1 % below."
    yield "The rule called *now* is the product's; it comes from an earlier audit.\n"
    yield f"| collection | {' | '.join(RULES)} |"
    yield "|---" * (len(RULES) + 1) + "|"
    for name, found in cells.items():
        yield f"| {name} | {' | '.join(_cell(found[rule]) for rule in RULES)} |"
    worst = (min(float(np.mean(found[rule])) for found in cells.values()) for rule in RULES)
    yield f"| worst | {' | '.join(map(_text, worst))} |"
    share = (np.mean([np.mean(np.array(found[rule]) != 0.0) for found in cells.values()]) for rule in RULES)
    yield f"| advises a change | {' | '.join(f'{one:.0%}' for one in share)} |"


def _cell(changes: list[float]) -> str:
    return f"{_text(float(np.mean(changes)))} ± {np.std(changes) / np.sqrt(len(changes)):.1%}"


def _text(change: float) -> str:
    return f"{change:+.1%}{'†' if change < -0.01 else ''}"


if __name__ == "__main__":
    main()
