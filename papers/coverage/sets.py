"""Are plans kept by one given set of systems? Sets of 7 and of 21, the same ones on other topics.

    python papers/coverage/sets.py [--sets 15] [--trials 30]

The table of recompute.py draws other systems each time. A user has one set, and how close its undecided systems truly are
does not change with the topics. So here the systems stay: for every undecided pair the plan is made, and the chance that
it settles the pair follows from the pair's true difference. Beside the product's rule stand two that name no number where
the chance of a wrong sign is large. Populations are halved, so that a rule chosen on one half is seen on the other.
Writes papers/coverage/results/sets.md.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from populations import CONTROL, Matrix, Population, populations
from scipy.special import ndtr, ndtri

from rankgauge.analysis.compare.statistics.corrections import t_quantile
from rankgauge.analysis.compare.statistics.power import assured_queries, sign_errors
from rankgauge.analysis.compare.statistics.shrinkage import scatter_of
from rankgauge.evaluation.intervals import moments

RESULTS = Path(__file__).parent / "results"
SIZES, COUNTS = (40, 100), (7, 21)
RULES = {"every undecided pair": 1.0, "sign wrong with at most 25 %": 0.25, "sign wrong with at most 15 %": 0.15}
# A set with fewer plans says little about its share.
FEWEST_PLANS = 15
ALONE = "clef2015 nDCG@10"


def settled(values: Matrix, queries: int, trials: int, random: np.random.Generator) -> Matrix:
    """Rows: the chance that the sign is wrong, and the true chance that the plan settles the pair; nan without a plan."""
    one, other = np.triu_indices(len(values), 1)
    true = values[one] - values[other]
    deviation = true.std(axis=1)
    effect = np.abs(true.mean(axis=1)) / np.where(deviation > 0, deviation, 1.0)
    found = []
    for _ in range(trials):
        drawn = values[:, random.integers(0, values.shape[1], queries)]
        sample = moments(drawn[one] - drawn[other])
        with np.errstate(divide="ignore", invalid="ignore"):
            seen = sample.mean / sample.deviation
        is_open = np.abs(seen) * np.sqrt(queries) < t_quantile(np.array([queries]), 0.05)[0]
        if not is_open.any():
            continue
        asked = assured_queries(moments((drawn[one] - drawn[other])[is_open]), 0.05, scatter_of(drawn)).queries
        number = np.maximum(asked, queries + 1)
        shift, limit = effect[is_open] * np.sqrt(number), ndtri(0.975)
        chance = ndtr(shift - limit) + ndtr(-shift - limit)
        found.append(np.column_stack([sign_errors(seen[is_open], sample.queries[is_open]), chance]))
    return np.concatenate(found) if found else np.empty((0, 2))


def kept(plans: Matrix, limit: float) -> tuple[float, float]:
    """The share of a set's plans that is kept, nan where these are few, and the share of its open pairs with a plan."""
    named = (plans[:, 0] <= limit) & ~np.isnan(plans[:, 1])
    share = float(plans[named, 1].mean()) if named.sum() >= FEWEST_PLANS else float("nan")
    return share, float(named.mean()) if len(named) else float("nan")


def sets_of(population: Population, count: int, sets: int) -> list[Matrix]:
    if len(population.values) <= count:
        return [population.values] if len(population.values) == count else []
    draws = (np.random.default_rng((count, number)).permutation(len(population.values)) for number in range(sets))
    return [population.values[order[:count]] for order in draws]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=15)
    parser.add_argument("--trials", type=int, default=30)
    asked = parser.parse_args()
    cells: dict[tuple[int, int, str], list[Matrix]] = {}
    names: list[str] = []
    for population in populations():
        if population.name == CONTROL:
            continue
        names.append(population.name)
        for count in COUNTS:
            for number, values in enumerate(sets_of(population, count, asked.sets)):
                for queries in SIZES:
                    # The only set of a population makes up for it by more draws.
                    trials = asked.trials * (10 if len(population.values) == count else 1)
                    random = np.random.default_rng((len(names), count, number, queries))
                    plans = settled(values, queries, trials, random)
                    cells.setdefault((count, queries, population.name), []).append(plans)
        print(population.name, file=sys.stderr, flush=True)
    (RESULTS / "sets.md").write_text("\n".join(page(cells, names, asked.sets, asked.trials)) + "\n", encoding="utf-8")


def page(cells: dict[tuple[int, int, str], list[Matrix]], names: list[str], sets: int, trials: int) -> Iterator[str]:
    yield "# Are plans kept by one given set of systems?\n"
    yield f"Written by `papers/coverage/sets.py --sets {sets} --trials {trials}`: {sets} random sets of systems of every population that has more"
    yield f"systems, each with {trials} draws of n topics. *Kept* is the share of a set's plans for undecided pairs that settle"
    yield "the pair (promised: 80 %), by the true difference; the mean over the sets, then the 10 % and 90 % points. *Named* is the"
    yield f"share of undecided pairs that get a number. A set needs {FEWEST_PLANS} plans to count. The halves are every second population;"
    yield "CLEF eHealth 2015, one set of seven, is in neither.\n"
    yield "| systems | n | a number for | populations | sets | named | kept | 10–90 % of the sets | within 75–85 % | below 75 % |"
    yield "|---:|---:|---|---|---:|---:|---:|---:|---:|---:|"
    others = [name for name in names if name != ALONE]
    halves = {"first half": others[::2], "second half": others[1::2], "CLEF eHealth": [ALONE]}
    for count in COUNTS:
        for queries in SIZES:
            for rule, limit in RULES.items():
                for half, members in halves.items():
                    found = [kept(plans, limit) for name in members for plans in cells.get((count, queries, name), [])]
                    if found:
                        yield f"| {count} | {queries} | {rule} | {half} | {_cells(np.array(found))} |"


def _cells(found: Matrix) -> str:
    known = found[~np.isnan(found[:, 0])]
    shares, low, high = known[:, 0], *np.quantile(known[:, 0], [0.1, 0.9])
    inside = (shares >= 0.75) & (shares <= 0.85)
    spread = [f"{low:.0%} to {high:.0%}", f"{inside.mean():.0%}", f"{(shares < 0.75).mean():.0%}"]
    if len(known) == 1:
        spread = ["–"] * 3
    named = float(np.nanmean(found[:, 1]))
    return " | ".join([str(len(known)), f"{named:.0%}", f"{shares.mean():.1%}", *spread])


if __name__ == "__main__":
    main()
