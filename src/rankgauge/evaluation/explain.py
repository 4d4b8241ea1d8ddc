"""A number that explains itself: one query, rank by rank, adding up to what evaluate() says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rankgauge.data import listed as ranked
from rankgauge.data.judgments import Judgments
from rankgauge.data.listed import RankedDocument
from rankgauge.data.matching import match
from rankgauge.data.policy import Policy
from rankgauge.data.run import Run
from rankgauge.errors import UsageError
from rankgauge.evaluation.counted.facts import Names, refuse_missing, refuse_undefined
from rankgauge.evaluation.counted.plan import Plan
from rankgauge.evaluation.counted.run import decide
from rankgauge.evaluation.evaluate import list_runs, settle_one
from rankgauge.frozen import dataclass
from rankgauge.kernels.formulas.cumulated import best_weights, gains_of, ideal_dcg, ndcg, weights_to
from rankgauge.kernels.hits import Hits, Pool
from rankgauge.measures.measure import Measure
from rankgauge.tables.shown import Shown
from rankgauge.tables.table import Cell, Column, Table, number

SHOWN = 30


@dataclass(frozen=True)
class Line:
    """One rank: the document there and, for sums of gain times weight, its parts and the ideal beside it.

    `running` is the value of the measure on the list cut after this rank.
    """

    found: RankedDocument
    running: float
    relevance: float | None = None
    gain: float | None = None
    weight: float | None = None
    ideal_gain: float | None = None


@dataclass(frozen=True)
class Explanation(Shown):
    """Why a measure has its value on one query."""

    measure: Measure
    system: str
    query: str
    value: float
    ties: str
    lines: tuple[Line, ...]
    ideal: float | None = None
    """The DCG of the best order, where the measure divides by it."""

    def table(self) -> Table:
        is_sum = any(line.gain is not None for line in self.lines)
        columns = [number("rank"), Column("document"), number("score"), number("judged", 2)]
        if is_sum:
            columns += [
                number("relevance", 3),
                number("gain", 3),
                number("weight", 3),
                number("term", 3),
                number("ideal", 3),
            ]
        columns.append(number("so far"))
        tied = any(line.found.first != line.found.last for line in self.lines)
        deepest = self.measure.cutoff if isinstance(self.measure.cutoff, int) else SHOWN
        shown = self.lines[: min(SHOWN, deepest)]
        rows = [self._row(line, is_sum=is_sum) for line in shown]
        said = f"= {self.value!r}" if self.value == self.value else "is undefined and left out"
        notes = [f"{self.measure} {said} (ties={self.ties})"]
        if is_sum:
            notes.append("term = gain · weight; ideal = the gain at this rank in the best order of everything judged")
        if self.ideal is not None:
            notes.append(f"the sum of terms is divided by the ideal sum, {self.ideal!r}")
        if tied:
            spans = sorted(
                {(line.found.first, line.found.last) for line in self.lines if line.found.first != line.found.last}
            )
            notes.append(
                "equal scores at ranks "
                + ", ".join(f"{first}–{last}" for first, last in spans[:8])
                + (" …" if len(spans) > 8 else "")
            )
        if len(self.lines) > len(shown):
            notes.append(f"{len(self.lines) - len(shown):,} further ranks are not shown")
        return Table(
            tuple(columns), tuple(rows), f"{self.measure} of {self.system} on query {self.query}", tuple(notes)
        )

    def _row(self, line: Line, *, is_sum: bool) -> tuple[Cell, ...]:
        found = line.found
        head: tuple[Cell, ...] = (found.rank, found.document, found.score, found.value)
        if not is_sum:
            return (*head, line.running)
        product = None if line.gain is None or line.weight is None else line.gain * line.weight
        return (*head, line.relevance, line.gain, line.weight, product, line.ideal_gain, line.running)

    def to_dict(self) -> dict[str, Any]:
        return {
            "measure": str(self.measure),
            "system": self.system,
            "query": self.query,
            "value": self.value,
            "ties": self.ties,
            "ideal": self.ideal,
            "ranks": [
                {
                    "rank": line.found.rank,
                    "document": line.found.document,
                    "score": line.found.score,
                    "value": line.found.value,
                    "tied": [line.found.first, line.found.last],
                    "relevance": line.relevance,
                    "gain": line.gain,
                    "weight": line.weight,
                    "ideal_gain": line.ideal_gain,
                    "running": line.running,
                }
                for line in self.lines
            ],
        }


def explain(
    measure: str | Measure,
    judgments: Any,
    run: Any,
    query: str,
    *,
    policy: Policy | None = None,
    like: str | None = None,
) -> Explanation:
    """The value of a measure on one query, rank by rank.

    >>> from rankgauge import evaluate
    >>> judged, run = {"q": {"a": 2, "b": 1}}, {"q": {"b": 0.9, "x": 0.8, "a": 0.7}}
    >>> explain("nDCG", judged, run, "q").value == evaluate(judged, run, "nDCG").mean()["run"]["nDCG"]
    True
    """
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    one = _only_run(list_runs(run))
    chosen, rule = settle_one(measure, policy, like)
    ties = rule.ties or chosen.definition.ties
    listed = listed_under(judged, one, query, ties, rule)
    code = judged.queries.index(query)
    plan = Plan(match(judged, one, rule), rule)
    hits, pool = _alone(plan.under(ties), plan.match.pool, code)
    missing = hits.retrieved[:1] == 0
    refuse_missing(one.name, Names.of([query] * int(missing.sum())), rule)

    def value_to(rank: int) -> float:
        # A tie group counts as a whole while its order is open.
        values = chosen.compute(hits.top(rank), pool)[:1]
        return float(decide(values, chosen, rule, missing, pool)[0][0])

    parts = _parts(chosen, hits, pool, listed)
    open_ties = ties == "mean"
    lines = tuple(
        Line(found, value_to(found.last if open_ties else found.rank), *part)
        for found, part in zip(listed, parts, strict=True)
    )
    values, undefined = decide(chosen.compute(hits, pool)[:1], chosen, rule, missing, pool)
    refuse_undefined(chosen, Names.of([query] * int(undefined.sum())), rule)
    value = float(values[0])
    return Explanation(chosen, one.name, query, value, ties, lines, _ideal(chosen, pool))


def _alone(hits: Hits, pool: Pool, code: int) -> tuple[Hits, Pool]:
    """One query cut out of all; its values have the same bits alone.

    A second one holds the highest value of the collection, to which measures such as ERR relate all grades.
    """
    mine = hits.keep(hits.query == code)
    value = pool.value[pool.start[code] : pool.start[code + 1]]
    retrieved = np.array([hits.retrieved[code], 0])
    alone = replace(mine, query=np.zeros(len(mine.query), np.int64), retrieved=retrieved)
    highest = pool.value.max(keepdims=True, initial=-np.inf)
    return alone, Pool(np.concatenate([value, highest]), np.array([0, len(value), len(value) + 1]))


def _only_run(runs: list[Run]) -> Run:
    if len(runs) > 1:
        names = ", ".join(run.name for run in runs[:3]) + (", …" if len(runs) > 3 else "")
        raise UsageError(f"one run is explained at a time, and there are {len(runs):,}: {names}\nName one of them.")
    return runs[0]


def listed_under(judgments: Judgments, run: Run, query: str, ties: str, policy: Policy) -> list[RankedDocument]:
    """The documents in the order that the policy gives them, by the same steps as Plan."""
    listed = ranked.ranked_list(judgments, run, query, given_order=ties == "order", single=policy.precision == "single")
    if ties in {"worst", "best"}:
        listed = ranked.by_relevance(listed, best=ties == "best")
    if policy.depth is not None:
        listed = ranked.down_to(listed, policy.depth)
    return ranked.condensed(listed) if policy.unjudged == "drop" else listed


def _parts(measure: Measure, hits: Hits, pool: Pool, listed: list[RankedDocument]) -> list[tuple[float | None, ...]]:
    """Relevance, gain, weight and ideal gain of each rank, for measures that are sums of gain times weight."""
    if not {"relevance", "gain", "discount"} <= set(measure.definition.options):
        return [()] * len(listed)
    curves = measure.settings
    cutoff = measure.cutoff if isinstance(measure.cutoff, int) else None
    weights = weights_to(len(listed), cutoff, curves["discount"])
    spread = np.concatenate(([0.0], np.cumsum(weights)))
    value = np.array([np.nan if found.value is None else found.value for found in listed])
    judged = ~np.isnan(value)
    zeros = np.zeros(int(judged.sum()), np.int64)
    relevance, gain = np.zeros(len(listed)), np.zeros(len(listed))
    relevance[judged] = curves["relevance"](value[judged], zeros, pool)
    gain[judged] = gains_of(value[judged], zeros, pool, curves["relevance"], curves["gain"])
    gains = gains_of(pool.value, pool.query, pool, curves["relevance"], curves["gain"])
    best = np.sort(gains[: pool.start[1]])[::-1]
    within = len(best_weights(len(best), cutoff, curves["discount"]))
    ideal = np.zeros(max(len(listed), within))
    ideal[:within] = best[:within]
    open_ties = hits.is_tied
    return [
        (
            float(relevance[at]) if judged[at] else None,
            float(gain[at]),
            float(
                (spread[found.last] - spread[found.first - 1]) / (found.last - found.first + 1)
                if open_ties
                else weights[at]
            ),
            float(ideal[at]),
        )
        for at, found in enumerate(listed)
    ]


def _ideal(measure: Measure, pool: Pool) -> float | None:
    if measure.definition.kernel is not ndcg:
        return None
    return float(ideal_dcg(pool, cutoff=measure.cutoff, **measure.settings)[0])  # type: ignore[arg-type]
