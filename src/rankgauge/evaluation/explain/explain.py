"""A number that explains itself: one query, rank by rank, adding up to what evaluate() says."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, TypedDict, Unpack, overload

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.match import match_runs, prepared, ranks_of_all, run_table, taking_part
from rankgauge.data.policy import Policy
from rankgauge.data.read.bytes import Source
from rankgauge.data.table import Table
from rankgauge.errors import MeasureError, UsageError, did_you_mean
from rankgauge.evaluation.columns import Ruled, decided
from rankgauge.evaluation.evaluate import are_aligned, list_runs, settle_one
from rankgauge.evaluation.explain.described import described
from rankgauge.evaluation.explain.explanation import Contrast, Explanation, Line, RankedDocument
from rankgauge.evaluation.explain.partings import Partings, partings
from rankgauge.evaluation.notes import Names, refuse_missing, refuse_undefined
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
    chosen, rule = settle_one(measure, policy, like, aligned=are_aligned([one]))
    ruled, table, code = _of_query(judged, one, query, rule)
    ties = ruled.ties_of(chosen)
    listed = _listed(ruled, table, code, ties)
    hits, pool = _alone(ruled.seen_by(chosen), ruled.pool(ties), code)
    missing = ruled.match.hits.retrieved[code : code + 1] == 0
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


def listed_under(judgments: Judgments, run: Run, query: str, ties: str, policy: Policy) -> list[RankedDocument]:
    """The documents of a query in the order that the policy gives them."""
    ruled, table, code = _of_query(judgments, run, query, policy)
    return _listed(ruled, table, code, ties)


def _of_query(judgments: Judgments, run: Run, query: str, policy: Policy) -> tuple[Ruled, Table, int]:
    """One query of a run, matched as `evaluate` matches all of them; its rows; and its code."""
    judged = prepared(judgments)
    try:
        code = list(judged.queries).index(query)
    except ValueError:
        raise UsageError(f"query {query!r} is not judged; " + did_you_mean(query, judged.queries)) from None
    table = run_table(run)
    if query not in table.queries:
        return Ruled(next(iter(match_runs(judgments, [run], policy))), policy), table.part(0, 0), code
    at = list(table.queries).index(query)
    part = taking_part(table.part(at, at + 1), policy)
    return Ruled(judged.match(part, policy), policy), part, code


def _listed(ruled: Ruled, part: Table, code: int, ties: str) -> list[RankedDocument]:
    """What the policy leaves of a list: hits at the ranks that it gave them, between them what nobody judged."""
    rows = part.rows_of(np.arange(len(part.number))).tolist()
    place = {row: at for at, row in enumerate(rows)}
    rank, first, _ = ranks_of_all(part, ruled.policy)
    hits = ruled.hits(ties)
    hits = hits.keep(hits.query == code)
    row = np.empty(0, np.int64) if hits.row is None else hits.row
    found = {
        at: (place[one], value)
        for at, one, value in zip(*map(np.ndarray.tolist, (hits.rank, row, hits.value)), strict=True)
    }
    known = ruled.match.hits
    judged = set() if known.row is None else {place[one] for one in known.row[known.query == code].tolist()}
    others = iter([at for at in np.argsort(rank).tolist() if at not in judged])
    listed = [found[at] if at in found else (next(others), None) for at in range(1, int(hits.retrieved[code]) + 1)]
    spans: dict[int, list[int]] = {}
    for at, (one, _) in enumerate(listed, 1):
        spans.setdefault(int(first[one]), []).append(at)
    ids = part.ids.texts(np.array([one for one, _ in listed], np.int64))
    return [
        RankedDocument(at, ids[at - 1], float(part.number[one]), value, span[0], span[-1])
        for at, (one, value) in enumerate(listed, 1)
        if (span := spans[int(first[one])])
    ]


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


def _parts(measure: Measure, hits: Hits, pool: Pool, listed: list[RankedDocument]) -> list[tuple[float | None, ...]]:
    """Relevance, gain, weight and ideal gain of each rank, for measures that are sums of gain times weight."""
    if not {"relevance", "gain", "discount"} <= set(measure.definition.options):
        return [()] * len(listed)
    curves = measure.for_kernel
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
    curves = measure.for_kernel
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
    return float(best_dcg(hits, pool, **measure.for_kernel)[0])
