"""Judgments and runs in, the most dependable nDCG out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from rankgauge.analysis.optimize.compromise import Compromise, compromise_of
from rankgauge.analysis.optimize.gains_by_cutoff import GainsByCutoff, gain_at
from rankgauge.analysis.optimize.grade_table import Table, read_table
from rankgauge.analysis.optimize.optimize import optimize_grades
from rankgauge.analysis.optimize.ranked_grades import RankedGrades, common_grades
from rankgauge.analysis.optimize.result import Optimum
from rankgauge.analysis.optimize.search.search import Progress
from rankgauge.analysis.optimize.search.weighting import Weighting
from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError
from rankgauge.evaluation.evaluate import list_runs, settle_call
from rankgauge.kernels.formulas.cumulated import ndcg, weights_to
from rankgauge.measures.measure import Measure

ROUND = (5, 10, 20, 50, 100, 200, 500)


class Question(NamedTuple):
    """A collection, read, and the nDCG to start from."""

    table: Table
    measure: Measure

    @property
    def start(self) -> Weighting:
        return weighting_of(self.measure, self.table.grades)

    def spell(self, found: Weighting) -> str:
        return str(self.measure(gain=found.gain_text, discount=found.discount_text))

    def optimum(self, **chosen: Any) -> Optimum:
        """See `optimize_grades` for what there is to choose."""
        found = optimize_grades(self.table.grades, self.start, spell=self.spell, **chosen)
        told = {note.kind for note in self.table.notes}  # and with the names of queries
        told |= {"no-hits-below"} if "cutoff-beyond-lists" in told else set()
        return replace(found, notes=(*(note for note in found.notes if note.kind not in told), *self.table.notes))

    def gains_by_cutoff(
        self, cutoffs: Sequence[int] | None = None, *, constrained: bool, seed: int, progress: Progress | None
    ) -> GainsByCutoff:
        rows, wanted = [], self.cutoffs(cutoffs or ROUND)
        for done, cutoff in enumerate(wanted, 1):
            grades = self.table.grades.cut(cutoff)
            start = weighting_of(self.measure @ cutoff, grades)
            rows.append(gain_at(cutoff, grades, start, constrained=constrained, seed=seed))
            if progress:
                progress("cutoffs", done, len(wanted))
        grades = self.table.grades
        return GainsByCutoff(str(self.measure), grades.grades, tuple(rows), constrained, seed, self.table.notes)

    def cutoffs(self, given: Sequence[int]) -> list[int]:
        """Those up to the measure's own, which is one of them where they are only a proposal."""
        deepest = int(self.measure.cutoff or 0)
        if given is ROUND:
            return [*(cutoff for cutoff in ROUND if cutoff < deepest), deepest]
        wanted = sorted(set(given))
        if wanted[0] < 1 or wanted[-1] > deepest:
            raise UsageError(f"cutoffs lie between 1 and {deepest}, that of {self.measure}; not {wanted}")
        return wanted


def optimize(
    judgments: Any,
    runs: Any,
    measure: str | Measure = "nDCG@10",
    *,
    over: str = "discount",
    constrained: bool = True,
    folds: int = 5,
    repeats: int = 4,
    targets: Sequence[float] = (0.9, 0.95),
    seed: int = 7,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> Optimum:
    """The discount, the gain or both under which the fewest queries say which system is better.

    `measure` is the nDCG to start from, with a cutoff. The optimum is a measure again; `recommendation` is the one to
    use on queries that were not seen, and often the start itself. `folds=0` leaves out the trial on unseen queries.
    """
    asked = question(judgments, runs, measure, policy=policy, like=like, only=only, progress=progress)
    return asked.optimum(
        over=over,
        constrained=constrained,
        folds=folds,
        repeats=repeats,
        targets=targets,
        seed=seed,
        progress=progress,
    )


def gains_by_cutoff(
    judgments: Any,
    runs: Any,
    measure: str | Measure = "nDCG@100",
    *,
    cutoffs: Sequence[int] | None = None,
    constrained: bool = True,
    seed: int = 7,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> GainsByCutoff:
    """What each grade is worth at the most dependable gain, cutoff by cutoff; the discount stays the measure's.

    Without `cutoffs`, round numbers up to that of the measure.
    """
    asked = question(judgments, runs, measure, policy=policy, like=like, only=only, progress=progress)
    return asked.gains_by_cutoff(cutoffs, constrained=constrained, seed=seed, progress=progress)


def compromise(
    collections: Mapping[str, tuple[Any, Any]],
    measure: str | Measure = "nDCG@20",
    *,
    cutoffs: Sequence[int] | None = None,
    over: str = "discount",
    relative: bool = True,
    seed: int = 7,
    policy: Policy | None = None,
    like: str | None = None,
    progress: Progress | None = None,
) -> Compromise:
    """One gain or discount to standardise on: it suits best the collection (or the cutoff) that it suits least.

    `collections` are names with (judgments, runs). Each counts by its Φ over that of its own optimum, or with
    `relative=False` by its Φ alone, which the weakest collection decides. With `cutoffs`, every collection counts once
    at each of them.
    """
    asked = {name: question(*pair, measure, policy=policy, like=like) for name, pair in collections.items()}
    if not asked:
        raise UsageError("no collection is given; one or more are needed")
    first = next(iter(asked.values()))
    wanted = first.cutoffs(cutoffs or [int(first.measure.cutoff or 0)])
    shared = common_grades([one.table.grades for one in asked.values()])
    tables = {
        name if cutoffs is None else f"{name}@{cutoff}": grades.cut(cutoff)
        for name, grades in zip(asked, shared, strict=True)
        for cutoff in wanted
    }
    start = weighting_of(first.measure @ wanted[-1], shared[0])
    spell = first._replace(measure=first.measure @ wanted[-1]).spell
    return compromise_of(tables, start, over=over, relative=relative, seed=seed, spell=spell, progress=progress)


def weighting_of(measure: Measure, grades: RankedGrades) -> Weighting:
    """The gain of every grade and the weight of every rank under this nDCG."""
    cutoff = int(measure.cutoff or 0)
    discount, gain = measure.settings["discount"], measure.settings["gain"]
    worth = np.asarray(gain(np.array(grades.grades)), np.float64)
    return Weighting(weights_to(cutoff, cutoff, discount), worth, str(discount), str(gain))


def question(
    judgments: Any,
    runs: Any,
    measure: str | Measure,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> Question:
    """Reads the collection once, so that several things can be asked of it."""
    chosen, rule = settle_call(measure, policy, like)
    if len(chosen) != 1 or chosen[0].definition.kernel is not ndcg or not isinstance(chosen[0].cutoff, int):
        names = " ".join(map(str, chosen))
        raise UsageError(f"{names} cannot be optimised; name an nDCG with a cutoff, as in nDCG@20")
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    if only is not None:
        judged = judged.only(only)
    # Where nDCG is 0/0 no weighting says anything: such queries never take part.
    rule = rule if rule.undefined == "error" else replace(rule, undefined="drop")
    return Question(read_table(judged, list_runs(runs), chosen[0], rule, progress), chosen[0])
