"""What is counted on one population: coverages of intervals, sizes of tests, kept promises of plans and gates.

Methods whose name begins with "before" are those of version 0.1, on the same draws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from populations import Matrix, Population
from tally import Tally

from rankgauge import Scores, compare, stability
from rankgauge.analysis.compare.ledger import weight
from rankgauge.analysis.compare.statistics.corrections import adjust, t_quantile
from rankgauge.analysis.compare.statistics.families import randomised_tukey_test, tukey_test
from rankgauge.analysis.compare.statistics.max_t import max_t
from rankgauge.analysis.compare.statistics.power import pair_deviations, plan_queries, queries_needed
from rankgauge.analysis.compare.statistics.ranks import ranks_from_means
from rankgauge.analysis.compare.statistics.shares import flipped
from rankgauge.analysis.compare.statistics.tests import bootstrap_test, t_test, wilcoxon_test
from rankgauge.analysis.stability.reliability import dependability_ratio, generalizability_ratio
from rankgauge.analysis.stability.variance import VarianceComponents, effects
from rankgauge.kernels.resampling import bootstrap_means
from rankgauge.measures.measure import labeled
from rankgauge.results import Comparison, SystemSummary

FAMILY = 20
FEW = 7
LOOKS = 200
LABEL = labeled("score")
# The dear ones are counted in one trial of five.
SELDOM = 5
Study = Callable[[Population, int, int, np.random.Generator, Tally], None]


def compared(population: Population, queries: int, trials: int, random: np.random.Generator, tally: Tally) -> None:
    """Intervals and verdicts of 20 systems against a baseline, as the product gives them."""
    truth = population.means
    for trial in range(trials):
        chosen = random.permutation(len(truth))[: FAMILY + 1]
        drawn, true = population.draw(random, queries)[chosen], truth[chosen]
        deviation = np.std(population.values[chosen] - population.values[chosen[0]], axis=1)
        gaps = (true - true[0])[1:]
        with np.errstate(invalid="ignore"):
            sizes = np.where(deviation[1:] > 0, gaps / deviation[1:], 0.0)
        usual = compare(_scores(drawn), test="t", interval_for="pair")
        single = _pairs(usual, "low", "high")
        for what, (low, high), aim in (
            ("mean", _systems(usual), true),
            ("difference", single, gaps),
            ("effect size", _pairs(usual, "effect_low", "effect_high"), sizes),
        ):
            tally.add(f"interval of one {what}", "now: t", float(np.mean((low <= aim) & (aim <= high))))
        tally.add("20 intervals together", "before: of each pair alone", _all_hold(*single, gaps))
        limit = max_t(drawn[1:] - drawn[0], alpha=0.05, samples=1_000, rounds=1).limits
        margin = limit * (drawn[1:] - drawn[0]).std(axis=1, ddof=1) / np.sqrt(queries) + 1e-12
        middle = drawn[1:].mean(axis=1) - drawn[0].mean()
        tally.add("20 intervals together", "now: max-t", _all_hold(middle - margin, middle + margin, gaps))
        by_holm = compare(_scores(drawn), correction="holm")
        step = _pairs(by_holm, "low", "high")
        tally.add("20 intervals together", "Holm: at the level that decides", _all_hold(*step, gaps))
        wrong = float(np.mean(_verdicts(by_holm) != _sides(*single)))
        tally.add("interval and verdict contradict each other", "before: of each pair alone", wrong)
        wrong = float(np.mean(_verdicts(by_holm) != _sides(*step)))
        tally.add("interval and verdict contradict each other", "Holm: at the level that decides", wrong)
        if trial % SELDOM == 0:
            usual = compare(_scores(drawn))
            wrong = float(np.mean(_verdicts(usual) != _sides(*_pairs(usual, "low", "high"))))
            tally.add("interval and verdict contradict each other", "now: max-t", wrong)


def tested(population: Population, queries: int, trials: int, random: np.random.Generator, tally: Tally) -> None:
    """False alarms where no system truly differs: single pairs, and families of 20."""
    alike = population.alike()
    tests: dict[str, Callable[[Matrix], Matrix]] = {
        "bootstrap": lambda rows: bootstrap_test(rows, samples=500, seed=int(random.integers(2**31))),
        "wilcoxon, as a test of means": wilcoxon_test,
    }
    for trial in range(trials):
        chosen = random.permutation(len(alike.values))[: FAMILY + 1]
        drawn = alike.draw(random, queries)[chosen]
        rows = drawn[1:] - drawn[0]
        # What is left of a difference once means are moved is no difference.
        rows[np.abs(rows) <= 1e-12] = 0.0
        plain = t_test(rows)
        flips = _flips(rows, plain)
        tally.add("false alarms of one test", "t", float(np.mean(plain < 0.05)))
        tally.add("false alarms of one test", "sign-flip", float(np.mean(flips < 0.05)))
        tally.add("a false alarm among 20", "sign-flip, Holm", bool(adjust(flips, "holm").min() < 0.05))
        joint = np.maximum(max_t(rows, alpha=0.05, samples=1_000, rounds=1).p.p, flips)
        tally.add("a false alarm among 20", "max-t", bool(joint.min() < 0.05))
        if trial % SELDOM == 0:
            for name, test in tests.items():
                tally.add("false alarms of one test", name, float(np.mean(test(rows) < 0.05)))
            for name, p in (("tukey", tukey_test(drawn)), ("randomised-tukey", _dealt(drawn, random))):
                tally.add("a false alarm among all pairs", name, bool(p.min() < 0.05))


def ranked(population: Population, queries: int, trials: int, random: np.random.Generator, tally: Tally) -> None:
    """How often a range of ranks holds the true rank, as the product shows it beside verdicts against one baseline: over
    systems, for the system where it does so least, and for all systems at once.
    """
    truth = ranks_from_means(population.means[None])[0]
    for _ in range(trials):
        drawn, order = population.draw(random, queries), random.permutation(len(truth))
        shown = compare(_scores(drawn[order])).parts[0].systems
        again = ranks_from_means(bootstrap_means(drawn, 200, int(random.integers(2**31))).T)
        low, high = np.quantile(again, [0.025, 0.975], axis=0)
        for method, held in (
            ("before: bootstrap", (low <= truth) & (truth <= high)),
            ("now: simultaneous comparisons", _ranks_held(shown, truth, order)),
        ):
            tally.add("rank, over systems", method, held.astype(np.float64))
            tally.add("rank, the worst system", method, held.astype(np.float64))
            tally.add("all ranks together", method, bool(held.all()))


def stable(population: Population, queries: int, trials: int, random: np.random.Generator, tally: Tally) -> None:
    """Φ and Eρ² (and so the queries needed, which follow from the same ratio) for both questions, and Arteaga's."""
    values = population.values
    coefficients = {"Φ": (dependability_ratio, "absolute"), "Eρ²": (generalizability_ratio, "relative")}
    truths = {fixed: true_components(values, fixed=fixed) for fixed in (True, False)}
    for _ in range(trials):
        these = population.draw(random, queries)
        others = these[random.integers(0, len(values), len(values))]
        if len(np.unique(others, axis=0)) < 3:
            continue
        for question, drawn, systems, fixed in (
            ("these systems", these, "these", True),
            ("other systems too", others, "others", False),
        ):
            before = stability(_scores(drawn), interval="arteaga").parts[0]
            now = stability(_scores(drawn), systems=systems).parts[0]
            flagged = any(note.kind == "heavy-tailed-systems" for note in now.notes)
            for sign, (ratio, name) in coefficients.items():
                aim, what = ratio(truths[fixed]), f"{sign} and queries needed, {question}"
                old, new = getattr(before, name).ratio, getattr(now, name).ratio
                tally.add(what, f"before: {'Arteaga' if sign == 'Φ' else 'exact F'}", old.low <= aim <= old.high)
                held = new.low <= aim <= new.high
                tally.add(what, "now: jackknife", held)
                if not fixed:
                    tally.add(what, "now: jackknife, or a warning", held or flagged)


def planned(population: Population, queries: int, trials: int, random: np.random.Generator, tally: Tally) -> None:
    """Undecided pairs, given the queries that the plan asks for: how many are then settled, how many the wrong way?"""
    truth, deviations = population.means, pair_deviations(population.values)
    asked = [queries_needed(one, 0.05) for one in np.quantile(deviations, np.linspace(0.01, 0.99, 50))]
    for trial in range(trials):
        a, b = random.permutation(len(truth))[:2]
        drawn = population.draw(random, queries)
        pair = compare(_scores(drawn[[b, a]]), test="t").parts[0].pairs[0]
        gap = truth[a] - truth[b]
        tally.add("the sign is wrong", "now: as the product says", pair.sign_error)
        tally.add("the sign is wrong", "as it is", gap * pair.difference < 0)
        if len(truth) > FEW:
            _planned_among(FEW, "now: among 7 systems, others each time", population, drawn, random, tally)
        if trial % SELDOM == 0:
            _planned_among(FAMILY + 1, "now: among 20 systems", population, drawn, random, tally)
            plan = plan_queries(_scores(drawn), 0.05, power=0.8, alpha=0.05).parts[0]
            for share, enough in (
                (50, plan.queries_needed),
                (80, plan.queries_needed_80),
                (95, plan.queries_needed_95),
            ):
                tally.add("pairs that the queries to detect are for", f"now: {share} %", _enough(asked, enough))
        if pair.verdict != "undecided" or pair.queries_needed is None:
            continue
        before = queries_needed(pair.deviation, pair.difference)
        for method, number in (
            ("before: difference as observed", before),
            ("now: two systems alone", pair.queries_needed),
        ):
            if number is not None:
                later = _t(population.values[a] - population.values[b], max(number, queries + 1), random)
                tally.add("settled by the queries of the plan", method, abs(later[0]) > later[1])
                tally.add("settled the wrong way", method, abs(later[0]) > later[1] and later[0] * gap < 0)


def _planned_among(
    count: int, method: str, population: Population, drawn: Matrix, random: np.random.Generator, tally: Tally
) -> None:
    """As for two systems; but among others, which say how much systems differ."""
    chosen = random.permutation(len(drawn))[:count]
    pairs = compare(_scores(drawn[chosen]), test="t", correction="none").parts[0].pairs
    settled = []
    for pair, system in zip(pairs, chosen[1:], strict=True):
        if pair.queries_needed is not None:
            differences = population.values[system] - population.values[chosen[0]]
            t, limit = _t(differences, pair.queries_needed, random)
            settled.append(abs(t) > limit)
    if settled:
        tally.add("settled by the queries of the plan", method, float(np.mean(settled)))


def gated(population: Population, queries: int, trials: int, random: np.random.Generator, tally: Tally) -> None:
    """Harmless changes: one check, five runs in one gate, and 200 looks on the same queries, with and without ledger."""
    alike = population.alike()
    for _ in range(trials):
        drawn = alike.draw(random, queries)
        order = random.permutation(len(drawn))
        runs = compare(_scores(drawn[order[:6]]), test="t")
        bounds = np.array([pair.alone for pair in runs.parts[0].pairs])
        tally.add("gate at its limit, one run", "wrong fail", bool(bounds[0, 1] < 0))
        tally.add("gate at its limit, one run", "wrong pass", bool(bounds[0, 0] > 0))
        tally.add("gate fails, five harmless runs", "before: each run alone", bool((bounds[:, 1] < 0).any()))
        failed = runs.gate("score < baseline").outcome == "fail"
        tally.add("gate fails, five harmless runs", "now: one level for all", failed)
        # Each look is a commit: another system that is truly as good as the baseline, on the same queries. The whole
        # interval below 0 fails; the intervals are those of `Gate`, for all looks at once.
        rows = drawn[order[1 + random.integers(0, len(drawn) - 1, LOOKS)]] - drawn[order[0]]
        scatter = rows.std(axis=1, ddof=1)
        copies = scatter <= 1e-12  # of the baseline, but for rounding
        t = np.where(copies, 0.0, rows.mean(axis=1) / np.where(copies, 1.0, scatter / np.sqrt(queries)))
        shares = np.array([weight(number) for number in range(1, LOOKS + 1)])
        for method, tails in (("before: no ledger", np.full(LOOKS, 0.05)), ("now: ledger", 0.05 * shares)):
            limits = t_quantile(np.full(LOOKS, queries), tails)
            tally.add("gate fails once in 200 harmless looks", method, bool((t < -limits).any()))


def _scores(values: Matrix) -> Scores:
    return Scores.from_matrix(values, measures=LABEL, rows="systems")


def _ranks_held(
    shown: Sequence[SystemSummary], truth: NDArray[np.int64], order: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Of the systems as the population has them; the comparison had them in another order, and so another baseline."""
    held = np.empty(len(truth), dtype=np.bool_)
    held[order] = [one.rank_low <= true <= one.rank_high for one, true in zip(shown, truth[order], strict=True)]
    return held


def _verdicts(found: Comparison) -> NDArray[np.str_]:
    return np.array([pair.verdict for pair in found.parts[0].pairs])


def _all_hold(low: Matrix, high: Matrix, aim: Matrix) -> bool:
    return bool(np.all((low <= aim) & (aim <= high)))


def _sides(low: Matrix, high: Matrix) -> Matrix:
    return np.where(low > 0, "better", np.where(high < 0, "worse", "undecided"))


def _dealt(drawn: Matrix, random: np.random.Generator) -> Matrix:
    return randomised_tukey_test(drawn, samples=300, seed=int(random.integers(2**31)))


def _flips(rows: Matrix, plain: Matrix) -> Matrix:
    """p of sign flips; where the t test is nowhere near a finding neither are they, and its p stands for theirs."""
    p, near = plain.copy(), plain < 0.25
    p[near] = flipped(rows[near]).p
    return p


def _enough(asked: list[int | None], given: int | None) -> float:
    """The share of pairs, over the quantiles of their scatter, that need no more than what the plan says."""
    return float(np.mean([one is not None and given is not None and one <= given for one in asked]))


def _t(differences: Matrix, number: int, random: np.random.Generator) -> tuple[float, float]:
    """t of `number` topics drawn with replacement, and its limit: counts are drawn, so a million cost as much as ten."""
    counts = random.multinomial(number, np.full(len(differences), 1 / len(differences)))
    mean = float(counts @ differences) / number
    variance = float(counts @ np.square(differences - mean)) / (number - 1)
    limit = float(t_quantile(np.array([number]), 0.05)[0])
    return (mean / np.sqrt(variance / number) if variance > 0 else 0.0), limit


def _pairs(found: object, low: str, high: str) -> tuple[Matrix, Matrix]:
    pairs = found.parts[0].pairs  # type: ignore[attr-defined]
    return np.array([getattr(p, low) for p in pairs]), np.array([getattr(p, high) for p in pairs])


def _systems(found: object) -> tuple[Matrix, Matrix]:
    systems = found.parts[0].systems  # type: ignore[attr-defined]
    return np.array([s.low for s in systems]), np.array([s.high for s in systems])


def true_components(values: Matrix, *, fixed: bool) -> VarianceComponents:
    """Components of the population itself: its topics are all there are, and with `fixed` its systems are given."""
    systems, topics = values.shape
    parts, degrees = effects(values), systems - 1 if fixed else systems
    residual = float((parts.residual**2).sum()) / (degrees * topics)
    query = float((parts.query**2).sum()) / topics - (residual / systems if fixed else 0.0)
    return VarianceComponents(float((parts.system**2).sum()) / degrees, query, residual)
