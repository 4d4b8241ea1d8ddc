"""The one way into an analysis: scores from whatever the user has, and which of them take part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rankgauge.arrays import Floats
from rankgauge.data.judgments import Judgments
from rankgauge.data.policy import Policy
from rankgauge.errors import AnalysisError, UsageError, did_you_mean, plural
from rankgauge.evaluation.evaluate import evaluate
from rankgauge.evaluation.means import remarks
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import NOUNS, UNRECORDED, Note, some

Positions = NDArray[np.intp]
Measures = str | Measure | Iterable[str | Measure]
# Queries from which on intervals hold as promised, for scores with more different values than COARSE and with fewer.
ENOUGH, ENOUGH_COARSE, COARSE = 30, 40, 12


def scores_from(
    scores: Any,
    runs: Any = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    undefined: Literal["zero", "one", "drop", "error"] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Scores:
    """Scores as they are, read, or evaluated now from judgments and runs.

    `scores` is anything that `read_scores` takes, or judgments; then `runs` and `measures` are those of `evaluate`.
    With scores, `measures` selects some of them. `undefined` is what an analysis does with undefined values unless
    `policy` or `like` decides.
    """
    if runs is not None:
        if isinstance(scores, Scores):
            raise UsageError("give either scores, or judgments and runs, not both")
        if undefined is not None and like is None and (policy is None or policy.undefined is None):
            policy = replace(policy or Policy(), undefined=undefined)
        chosen = "nDCG@10" if measures is None else measures
        return evaluate(scores, runs, chosen, policy=policy, like=like, only=only, progress=progress)
    if isinstance(scores, (Judgments, Mapping)):
        raise UsageError("judgments alone are not enough; give runs as well")
    for name, is_set in (("policy", policy not in (None, Policy())), ("like", like is not None)):
        if is_set:
            raise UsageError(f"{name} has no effect on scores that are already computed\nGive judgments and runs.")
    from rankgauge.evaluation.storage import read_scores

    found = read_scores(scores, measures)
    return found if only is None else found.only(only)


def few_queries(values: Floats, found: str, noun: str = NOUNS[0]) -> list[Note]:
    """A caution where promises are known to hold less well; `found` is what was seen on real collections with 20 queries.

    Scores with few values (P@5, success) need more queries until means of them are nearly normal.
    """
    queries = values.shape[1]
    if queries >= ENOUGH_COARSE:
        return []
    coarse = len(np.unique(values[~np.isnan(values)])) <= COARSE
    if queries >= (ENOUGH_COARSE if coarse else ENOUGH):
        return []
    what = " with coarse scores" if coarse else ""
    text = f"{plural(queries, noun)}{what} are few, and intervals approximate: with 20 queries of real collections, {found}"
    return [Note("few-queries", text, queries)]


def names_of(scores: Scores) -> tuple[str, ...]:
    return tuple(str(measure) for measure in scores.measures)


def evaluation_notes(scores: Scores) -> tuple[Note, ...]:
    """How these scores were computed, for printing below a result."""
    policy, *_ = remarks(scores)
    # Analyses count every query once; what scores say of their own means would be untrue of them.
    apart = {"weights", UNRECORDED}
    there = {None, *scores.systems}  # others may have been left out of the table since
    return (Note("policy", policy), *(note for note in scores.notes if note.kind not in apart and note.system in there))


def checked_table(scores: Scores, what: str, *, least: int = 2) -> Floats:
    """The cube of at least two systems (or the `least` given) and two queries, all numbers finite or nan."""
    # Contiguous: the last bit of a sum must not depend on how the cube happens to lie in memory.
    cube = np.ascontiguousarray(scores.values)
    systems, queries, _ = cube.shape
    if systems < least:
        found = f"only {scores.systems[0]!r}" if systems else "none"
        raise AnalysisError(f"{what} needs at least two systems; there is {found}. Add another run.")
    if queries < 2:
        raise AnalysisError(
            f"{what} needs at least two queries; there is {'only one' if queries else 'none'}.\n"
            "One query cannot show how much queries differ: judge more, or use a run with more queries."
        )
    if np.isinf(cube).any():
        system, _, measure = np.argwhere(np.isinf(cube))[0]
        where = f"{scores.systems[system]} has an infinite {scores.measures[measure]}"
        raise AnalysisError(f"{where}; scores must be finite, or nan where a query is left out.")
    return cube


MOST_PAIRS = 500_000
"""Pairs grow with the square of the systems: these take minutes, and ten times the systems would take a day."""


def check_pairs(systems: int, otherwise: str) -> None:
    """Refuse all pairs of thousands of systems, before any is tested."""
    pairs = systems * (systems - 1) // 2
    if pairs > MOST_PAIRS:
        raise UsageError(
            f"all pairs of {systems:,} systems are {pairs:,}, more than the {MOST_PAIRS:,} that are tested at once\n"
            f"Choose at most 1,000 systems, or {otherwise}."
        )


def position(name: object, names: Sequence[str], kind: str) -> int:
    """The place of a name, or an error with the nearest known one."""
    if str(name) not in names:
        raise UsageError(f"unknown {kind} {str(name)!r}; {did_you_mean(str(name), names)}")
    return list(names).index(str(name))


def complete_queries(values: Floats, measure: str) -> Positions:
    """Queries with a score for every system; a gap for one leaves the query out for all, so that means compare."""
    if np.isinf(values).any():
        system, query = np.argwhere(np.isinf(values))[0]
        raise AnalysisError(f"{measure}: the score of system {system + 1} on query {query + 1} is infinite")
    systems, queries = values.shape
    if systems < 2:
        raise AnalysisError(f"{measure}: systems to compare: {systems}; at least 2 are needed\nAdd another run.")
    complete = np.flatnonzero(~np.isnan(values).any(axis=0))
    if len(complete) < 2:
        gaps = queries - len(complete)
        because = f" ({gaps} of {queries} lack a score for some system)" if gaps else ""
        raise AnalysisError(
            f"{measure}: queries to use: {len(complete)}{because}; at least 2 are needed\nAdd queries or fill the gaps."
        )
    return complete


def left_out(kept: Positions, names: Sequence[str]) -> tuple[str, ...]:
    """Names whose position is not among those kept."""
    lacking = np.ones(len(names), np.bool_)
    lacking[kept] = False
    return tuple(names[place] for place in np.flatnonzero(lacking).tolist())


def undefined_queries(absent: Sequence[str], measure: str | None = None, noun: str = NOUNS[0]) -> list[Note]:
    text = f"{plural(len(absent), noun)} without a score for some system, left out for all ({some(absent)})"
    text = text if measure is None else f"{measure}: {text}"
    found = Note("undefined-queries", text, len(absent), measure=measure, examples=tuple(absent[:5]))
    return [found] if absent else []


def refuse_other_ideals(measure: Measure, policy: Policy) -> None:
    """What tries many gains and discounts counts judged documents and queries as they are, and takes the ideal from all."""
    odd = {
        f"pool={policy.pool}": policy.pool == "returned",
        f"fraction={policy.fraction}": policy.fraction not in {None, "keep"},
        f"negative={policy.negative}": policy.negative == "drop",
        f"extra={policy.extra}": policy.extra not in {None, "drop"},
        f"mean={policy.mean}": policy.mean == "micro",
        f"digits={policy.digits}": policy.digits is not None,
        f"ties={policy.ties}": policy.ties == "mean-rank",
        f"ideal={dict(measure.options).get('ideal')}": "ideal" in dict(measure.options),
    }
    found = [name for name, is_odd in odd.items() if is_odd]
    if found:
        raise UsageError(
            f"{found[0]} is not covered: here gains and discounts are tried on judged queries, each weighed alike, and the "
            "ideal is made of all judged documents with their own grades\n"
            "Leave it out, or use evaluate and compare, which follow it."
        )


def refuse_negative_worth(worth: Floats) -> None:
    """Gains are tried from 0 upwards; a document that counts against a system is beyond that."""
    if (worth < 0).any():
        raise UsageError(
            "judged values below 0 count against a system here (negative=keep), which no gain from 0 upwards covers\n"
            "Leave it out, or use evaluate and compare, which follow it."
        )
