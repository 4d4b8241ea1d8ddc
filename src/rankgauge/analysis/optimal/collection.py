"""optimize(): judgments and runs in, the most dependable nDCG out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rankgauge.analysis.fractional.grades import RankedGrades
from rankgauge.analysis.optimal.optimize import optimize_grades
from rankgauge.analysis.optimal.result import Optimum
from rankgauge.analysis.optimal.search import Progress
from rankgauge.analysis.optimal.weighting import Weighting
from rankgauge.data.judgments import Judgments
from rankgauge.data.matching import match
from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError
from rankgauge.evaluation.evaluate import list_runs, settle_call
from rankgauge.evaluation.plan import Plan
from rankgauge.kernels.cumulated import gains_of, ndcg, weights_to
from rankgauge.measures.measure import Measure

MOST_GRADES = 100


def optimize(
    judgments: Any,
    runs: Any,
    measure: str | Measure = "nDCG@20",
    *,
    over: str = "discount",
    constrained: bool = True,
    folds: int = 5,
    repeats: int = 4,
    targets: Sequence[float] = (0.9, 0.95),
    seed: int = 7,
    policy: Policy | None = None,
    progress: Progress | None = None,
) -> Optimum:
    """The discount, the gain or both under which the fewest queries say which system is better.

    `measure` is the nDCG to start from, with a cutoff. The optimum is a measure again; `recommendation` is the one to
    use on queries that were not seen, and often the start itself.
    """
    (chosen,), rule = settle_call(measure, policy, None)
    if chosen.definition.kernel is not ndcg or not isinstance(chosen.cutoff, int):
        raise UsageError(f"{chosen} cannot be optimised; name an nDCG with a cutoff, as in nDCG@20")
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    grades = ranked_grades(judged, runs, chosen, rule)
    discount, gain = chosen.settings["discount"], chosen.settings["gain"]
    start = Weighting(
        weights_to(chosen.cutoff, chosen.cutoff, discount),
        np.asarray(gain(np.array(grades.grades))),
        str(discount),
        str(gain),
    )
    return optimize_grades(
        grades,
        start,
        over=over,
        constrained=constrained,
        folds=folds,
        repeats=repeats,
        targets=targets,
        seed=seed,
        spell=lambda found: str(chosen(gain=found.gain_text, discount=found.discount_text)),
        progress=progress,
    )


def ranked_grades(judgments: Judgments, runs: Any, measure: Measure, policy: Policy) -> RankedGrades:
    """Which grade stood at which rank, down to the measure's cutoff, for every system and query."""
    ties = policy.ties or measure.definition.ties
    if ties == "mean":
        raise UsageError('a search needs one order of the documents; use another rule than ties="mean"')
    plans = [Plan(match(judgments, run, policy), policy) for run in list_runs(runs)]
    pool, relevance = plans[0].match.pool, measure.settings["relevance"]

    def worth(value: np.ndarray[Any, np.dtype[np.float64]], query: np.ndarray[Any, np.dtype[np.int64]]) -> Any:
        return gains_of(value, query, pool, relevance, lambda found: found)

    judged = worth(pool.value, pool.query)
    levels = np.unique(judged[judged > 0])
    if len(levels) > MOST_GRADES:
        raise UsageError(
            f"{len(levels):,} different grades were judged; a search over more than {MOST_GRADES} makes no sense"
        )
    depth = int(measure.cutoff or 0)
    codes = np.zeros((len(plans), pool.queries, depth), np.int16)
    for system, plan in enumerate(plans):
        hits = plan.under(ties)
        shown = hits.keep(hits.rank <= depth)
        found = worth(shown.value, shown.query)
        codes[system, shown.query, shown.rank - 1] = np.where(found > 0, np.searchsorted(levels, found) + 1, 0)
    counts = np.zeros((pool.queries, len(levels)), np.int64)
    np.add.at(counts, (pool.query[judged > 0], np.searchsorted(levels, judged[judged > 0])), 1)
    return RankedGrades(codes, tuple(levels.tolist()), counts)
