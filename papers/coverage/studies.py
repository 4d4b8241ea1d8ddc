"""What is counted on one population: coverages of intervals, sizes of tests, kept promises of plans and gates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from populations import Matrix, Population

from rankgauge import compare, stability
from rankgauge.analysis.compare.ledger import weight
from rankgauge.analysis.compare.statistics.agreeing import t_quantile
from rankgauge.analysis.compare.statistics.corrections import adjust
from rankgauge.analysis.compare.statistics.max_t import max_t
from rankgauge.analysis.compare.statistics.ranks import rank_intervals, ranks_from_means
from rankgauge.analysis.compare.statistics.shares import flipped
from rankgauge.analysis.compare.statistics.tests import bootstrap_test, t_test, wilcoxon_test
from rankgauge.analysis.stability.reliability import dependability_ratio, generalizability_ratio
from rankgauge.analysis.stability.variance import VarianceComponents, effects

FAMILY = 20
LOOKS = 200


@dataclass(frozen=True)
class Share:
    """How often something happened; `trials` are independent draws of queries."""

    what: str
    value: float
    trials: int


def compared(population: Population, queries: int, trials: int, seed: int) -> Iterator[Share]:
    """Intervals and verdicts of 20 systems against a baseline, as the product gives them."""
    random, held = np.random.default_rng(seed), defaultdict(float)
    truth = population.means
    for trial in range(trials):
        chosen = random.permutation(len(truth))[: FAMILY + 1]
        drawn, true = population.draw(random, queries)[chosen], truth[chosen]
        deviation = np.std(population.values[chosen] - population.values[chosen[0]], axis=1)
        gaps = (true - true[0])[1:]
        with np.errstate(invalid="ignore"):
            sizes = np.where(deviation[1:] > 0, gaps / deviation[1:], 0.0)
        usual = compare(drawn, test="t", interval_for="pair")
        for key, low, high, aim in (
            ("mean, 95 %", *_systems(usual), true),
            ("difference, 95 %", *_pairs(usual, "low", "high"), gaps),
            ("effect size, 95 %", *_pairs(usual, "effect_low", "effect_high"), sizes),
        ):
            held[key] += float(np.mean((low <= aim) & (aim <= high)))
        rows = drawn[1:] - drawn[0]
        error = rows.std(axis=1, ddof=1) / np.sqrt(queries)
        limit = max_t(rows, alpha=0.05, samples=1_000, seed=trial).critical
        together = np.all(np.abs(rows.mean(axis=1) - gaps) <= limit * error + 1e-12)
        held["20 differences together, max-t"] += bool(together)
        found = compare(drawn)
        low, high = _pairs(found, "low", "high")
        held["20 differences together, Holm-step intervals"] += bool(np.all((low <= gaps) & (gaps <= high)))
        sides = np.where(low > 0, "better", np.where(high < 0, "worse", "undecided"))
        wrong = [pair.verdict != side for pair, side in zip(found.parts[0].pairs, sides, strict=True)]
        held["contradictions of verdict and interval"] += float(np.mean(wrong))
    yield from (Share(key, held[key] / trials, trials) for key in held)


def tested(population: Population, queries: int, trials: int, seed: int) -> Iterator[Share]:
    """False alarms where no system truly differs: single pairs, and families of 20."""
    random, alike = np.random.default_rng(seed), population.alike()
    alarms: dict[str, list[float]] = defaultdict(list)
    tests: dict[str, Callable[[Matrix], Matrix]] = {
        "sign-flip test": lambda rows: flipped(rows).p,
        "t test": t_test,
        "bootstrap test": lambda rows: bootstrap_test(rows, samples=500, seed=seed),
        "wilcoxon test (of means)": wilcoxon_test,
    }
    for _ in range(trials):
        chosen = random.permutation(len(alike.values))[: FAMILY + 1]
        drawn = alike.draw(random, queries)[chosen]
        rows = drawn[1:] - drawn[0]
        for name, test in tests.items():
            alarms[name].append(float(np.mean(test(rows) < 0.05)))
        alarms["sign-flip test, 20 pairs, Holm (family)"].append(float(adjust(flipped(rows).p, "holm").min() < 0.05))
        both = max_t(rows, alpha=0.05, samples=1_000, seed=seed).p.p
        alarms["max-t, 20 pairs (family)"].append(float(both.min() < 0.05))
    yield from (Share(name, float(np.mean(found)), trials) for name, found in alarms.items())


def ranked(population: Population, queries: int, trials: int, seed: int) -> Iterator[Share]:
    """How often a rank interval holds the true rank: over systems, and for the system where it does so least."""
    random, truth = np.random.default_rng(seed), ranks_from_means(population.means[None])[0]
    held = np.zeros(len(truth))
    for _ in range(trials):
        found = rank_intervals(population.draw(random, queries))
        held += (found.low <= truth) & (truth <= found.high)
    yield Share("rank, over systems", float(held.mean() / trials), trials)
    yield Share("rank, the worst system", float(held.min() / trials), trials)


def stable(population: Population, queries: int, trials: int, seed: int) -> Iterator[Share]:
    """Φ and Eρ² (and so the queries needed, which follow from the same ratio) for both questions, and Arteaga's."""
    random, values = np.random.default_rng(seed), population.values
    coefficients = {"Φ": (dependability_ratio, "absolute"), "Eρ²": (generalizability_ratio, "relative")}
    held: dict[str, int] = defaultdict(int)
    for _ in range(trials):
        these = population.draw(random, queries)
        others = these[random.integers(0, len(values), len(values))]
        for label, drawn, options, fixed in (
            ("these systems", these, {}, True),
            ("other systems too", others, {"systems": "others"}, False),
            ("other systems too, Arteaga", others, {"interval": "arteaga"}, False),
        ):
            found = stability(drawn, **options).parts[0]
            for sign, (ratio, name) in coefficients.items():
                one, aim = getattr(found, name).ratio, ratio(_truth(values, fixed=fixed))
                held[f"{sign} and queries needed, {label}"] += one.low <= aim <= one.high
    yield from (Share(name, count / trials, trials) for name, count in held.items())


def planned(population: Population, queries: int, trials: int, seed: int, most: int = 20_000) -> Iterator[Share]:
    """Undecided pairs, given the queries that the plan asks for: how many are then settled, how many the wrong way?"""
    random, truth = np.random.default_rng(seed), population.means
    settled, wrong, asked, signs = 0, 0, 0, []
    for _ in range(trials):
        a, b = random.permutation(len(truth))[:2]
        drawn = population.draw(random, queries)
        pair = compare(drawn[[b, a]], test="t").parts[0].pairs[0]
        signs.append((pair.sign_error, (truth[a] - truth[b]) * pair.difference < 0))
        if pair.verdict != "undecided" or pair.queries_needed is None:
            continue
        asked += 1
        places = random.integers(0, population.values.shape[1], min(pair.queries_needed, most))
        later = population.values[a, places] - population.values[b, places]
        found = t_test(later[None])[0] < 0.05
        settled += found
        wrong += found and later.mean() * (truth[a] - truth[b]) < 0
    if asked:
        yield Share("settled by the queries of the plan", settled / asked, asked)
        yield Share("settled the wrong way", wrong / asked, asked)
    expected, seen = np.mean(np.array(signs, dtype=float), axis=0)
    yield Share("sign error promised", float(expected), trials)
    yield Share("sign error seen", float(seen), trials)


def gated(population: Population, queries: int, trials: int, seed: int) -> Iterator[Share]:
    """Harmless changes: one check, five runs in one gate, and 200 looks on the same queries, with and without ledger."""
    random, alike = np.random.default_rng(seed), population.alike()
    alarms: dict[str, list[bool]] = defaultdict(list)
    for _ in range(trials):
        drawn = alike.draw(random, queries)
        order = random.permutation(len(drawn))
        runs = compare(drawn[order[:6]], test="t")
        alarms["gate, 5 runs"].append(runs.gate("score < baseline").outcome == "fail")
        # Each look is a commit: another system that is truly as good as the baseline, on the same queries. The whole
        # interval below 0 fails; the intervals are those of `Gate`, for all looks at once.
        places = 1 + random.integers(0, len(drawn) - 1, LOOKS)
        rows = drawn[order[places]] - drawn[order[0]]
        scatter = rows.std(axis=1, ddof=1)
        copies = scatter <= 1e-12  # of the baseline, but for rounding
        t = np.where(copies, 0.0, rows.mean(axis=1) / np.where(copies, 1.0, scatter / np.sqrt(queries)))
        shares = np.array([weight(number) for number in range(1, LOOKS + 1)])
        for name, tails in (("without", np.full(LOOKS, 0.05)), ("with", 0.05 * shares)):
            limits = t_quantile(np.full(LOOKS, queries), tails)
            alarms[f"gate, 200 looks {name} a ledger"].append(bool((t < -limits).any()))
    yield from (Share(name, float(np.mean(found)), trials) for name, found in alarms.items())


def _pairs(found: object, low: str, high: str) -> tuple[Matrix, Matrix]:
    pairs = found.parts[0].pairs  # type: ignore[attr-defined]
    return np.array([getattr(p, low) for p in pairs]), np.array([getattr(p, high) for p in pairs])


def _systems(found: object) -> tuple[Matrix, Matrix]:
    systems = found.parts[0].systems  # type: ignore[attr-defined]
    return np.array([s.low for s in systems]), np.array([s.high for s in systems])


def _truth(values: Matrix, *, fixed: bool) -> VarianceComponents:
    """Components of the population itself: its topics are all there are, and with `fixed` its systems are given."""
    systems, topics = values.shape
    parts, degrees = effects(values), systems - 1 if fixed else systems
    residual = float((parts.residual**2).sum()) / (degrees * topics)
    query = float((parts.query**2).sum()) / topics - (residual / systems if fixed else 0.0)
    return VarianceComponents(float((parts.system**2).sum()) / degrees, query, residual)
