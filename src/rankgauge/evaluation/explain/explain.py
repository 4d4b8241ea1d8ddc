"""A number that explains itself: one query, rank by rank, adding up to what evaluate() says."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data import listed as ranked
from rankgauge.data.judgments import Judgments
from rankgauge.data.listed import RankedDocument
from rankgauge.data.match import match_runs
from rankgauge.data.policy import Policy
from rankgauge.data.read.bytes import Source
from rankgauge.data.run import Run
from rankgauge.errors import MeasureError, UsageError
from rankgauge.evaluation.columns import decided
from rankgauge.evaluation.evaluate import list_runs, settle_one
from rankgauge.evaluation.explain.described import described
from rankgauge.evaluation.explain.explanation import Contrast, Explanation, Line
from rankgauge.evaluation.explain.partings import Partings, partings
from rankgauge.evaluation.notes import Names, refuse_missing, refuse_undefined
from rankgauge.evaluation.ruled import Ruled
from rankgauge.evaluation.tools.presets import PRESETS
from rankgauge.kernels.cumulated import best_dcg, best_weights, gains_of, ndcg, weights_to
from rankgauge.kernels.hits import Hits, Pool
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure
from rankgauge.measures.other_names import Description


class Decided(TypedDict, total=False):
    """What holds for both sides, unless `versus` says otherwise."""

    policy: Policy | None
    like: str | None


@overload
def explain(measure: str | Measure, **options: Unpack[Decided]) -> Description: ...


@overload
def explain(
    measure: str | Measure,
    judgments: Any,
    run: Any,
    query: str | int,
    *,
    versus: None = ...,
    **options: Unpack[Decided],
) -> Explanation: ...


@overload
def explain(
    measure: str | Measure, judgments: Any, run: Any, query: str | int, *, versus: Any, **options: Unpack[Decided]
) -> Explanation | Contrast: ...


@overload
def explain(
    measure: str | Measure, judgments: Any, run: Any, query: None = ..., *, versus: Any, **options: Unpack[Decided]
) -> Partings: ...


def explain(
    measure: str | Measure,
    judgments: Any = None,
    run: Any = None,
    query: str | int | None = None,
    *,
    versus: Any = None,
    policy: Policy | None = None,
    like: str | None = None,
) -> Explanation | Contrast | Partings | Description:
    """Explain the value of a measure on one query, rank by rank, or how it differs from another over all queries."""
    if judgments is None and run is None and query is None and versus is None:
        return described(measure, policy, like)
    judged = judgments if isinstance(judgments, Judgments) else Judgments(judgments)
    first = {"measure": measure, "run": run, "policy": policy, "like": like}
    if query is None:
        if versus is None:
            raise UsageError("name a query to explain, or what to contrast all queries with (versus)")
        return partings(judged, first, first | _changed(versus, policy))
    query = str(query)
    if versus is None:
        return _explained(measure, judged, run, query, policy, like)
    pair = (_explained(judged=judged, query=query, **call) for call in (first, first | _changed(versus, policy)))
    return Contrast(*pair)


def _changed(versus: Any, policy: Policy | None) -> dict[str, Any]:
    """What `versus` changes: the preset, the policy, the run or the measure."""
    if isinstance(versus, str):
        versus = _spelled_policy(versus) or versus
    if isinstance(versus, Policy):
        return {"policy": versus.over(policy or Policy())}
    if isinstance(versus, str) and versus in PRESETS:
        return {"like": versus}
    if not isinstance(versus, (str, Measure)) or (isinstance(versus, str) and _is_file(versus)):
        return {"run": versus}
    try:
        return {"measure": parse(versus) if isinstance(versus, str) else versus}
    except MeasureError as problem:
        kinds = f"a preset ({', '.join(PRESETS)}), a policy such as ties=mean, a run file or a measure"
        raise UsageError(f"versus {versus} is none of {kinds}.\n{problem}") from None


def _spelled_policy(text: str) -> Policy | None:
    name, sign, _ = text.partition("=")
    if not sign or name not in {field.name for field in fields(Policy)}:
        return None
    return Policy.read(text)


def _is_file(text: str) -> bool:
    try:
        return Source(text).path.exists()
    except (OSError, ValueError):  # too long or odd for a path
        return False


def _explained(
    measure: str | Measure, judged: Judgments, run: Any, query: str, policy: Policy | None, like: str | None
) -> Explanation:
    one = _only_run(list_runs(run, judged))
    chosen, rule = settle_one(measure, policy, like)
    ties = rule.ties or chosen.definition.ties
    listed = listed_under(judged, one, query, ties, rule)
    code = judged.queries.index(query)
    plan = Ruled(next(match_runs(judged, [one], rule)), rule)
    hits, pool = _alone(plan.seen_by(chosen), plan.pool(ties), code)
    missing = hits.retrieved[:1] == 0
    refuse_missing(one.name, Names.of([query] * int(missing.sum())), rule)

    def value_to(rank: int) -> float:
        # A tie group counts as a whole while its order is open.
        values = chosen.compute(hits.top(rank), pool)[:1]
        return float(decided(values, chosen, rule, missing, pool)[0][0])

    parts = _parts(chosen, hits, pool, listed)
    open_ties = ties == "mean"
    lines = tuple(
        Line(found, value_to(found.last if open_ties else found.rank), *part)
        for found, part in zip(listed, parts, strict=True)
    )
    values, undefined = decided(chosen.compute(hits, pool)[:1], chosen, rule, missing, pool)
    refuse_undefined(chosen, Names.of([query] * int(undefined.sum())), rule)
    value = float(values[0])
    return Explanation(chosen, one.name, query, value, ties, _ideal(chosen, hits, pool), lines)


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
    listed = ranked.ranked_list(judgments, run, query, ties=ties, single=policy.precision == "single")
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
    best = _ideal_gains(measure, hits, pool)
    ideal = np.zeros(max(len(listed), len(best)))
    ideal[: len(best)] = best
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


def _ideal_gains(measure: Measure, hits: Hits, pool: Pool) -> Floats:
    """The gain at each rank of the order that the measure divides by."""
    curves = measure.settings
    kind = str(curves.get("ideal", "judged"))
    cutoff = measure.cutoff if isinstance(measure.cutoff, int) else None
    returned = int(hits.retrieved[0]) if cutoff is None else min(int(hits.retrieved[0]), cutoff)
    if kind in {"returned", "top"}:
        pool = (hits if kind == "returned" or cutoff is None else hits.settled().top(cutoff)).pool()
    gains = gains_of(pool.value, pool.query, pool, curves["relevance"], curves["gain"])
    best = np.sort(gains[: pool.start[1]])[::-1]
    if kind == "ones":
        return np.full(returned if cutoff is None else cutoff, float(np.any(best > 0)))
    within = len(best_weights(len(best), None if kind == "uncut" else cutoff, curves["discount"]))
    return best[: returned if kind == "answered" else within]


def _ideal(measure: Measure, hits: Hits, pool: Pool) -> float | None:
    if measure.definition.kernel is not ndcg:
        return None
    return float(best_dcg(hits, pool, cutoff=measure.cutoff, **measure.settings)[0])  # type: ignore[arg-type]
