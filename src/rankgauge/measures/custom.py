"""Measures outside the catalogue: from a Python function, or known by name only."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.errors import MeasureError, UsageError
from rankgauge.kernels.hits import Hits, Pool
from rankgauge.measures.measure import Definition, Measure
from rankgauge.measures.parameters import Whole

OwnFunction = Callable[[Floats, Floats], float]


def define(name: str, function: OwnFunction, *, bounds: tuple[float, float] = (0.0, 1.0)) -> Measure:
    """A measure that is computed query by query by `function(ranked, judged)`.

    `ranked` holds the judged values of the retrieved documents in rank order, down to the cutoff, nan where a document
    is unjudged; `judged` holds every judged value of the query, best first. A result of nan means undefined.

    >>> from rankgauge import evaluate, measures
    >>> top = measures.define("Top", lambda ranked, judged: float(ranked[0] == judged[0]))
    >>> evaluate({"q": {"a": 2, "b": 1}}, {"q": {"b": 0.9, "a": 0.5}}, [top, top @ 1]).mean()
    {'run': {'<Top>': 0.0, '<Top>@1': 0.0}}
    """
    if not name.isidentifier():
        raise MeasureError(f"define({name!r}, …) takes a name of letters, digits and _")

    def kernel(hits: Hits, pool: Pool, *, cutoff: int | None) -> Floats:
        return np.array([_value(name, function, *_lists(hits, pool, query, cutoff)) for query in range(hits.queries)])

    words = (function.__doc__ or "a custom measure").strip().splitlines()[0]
    return Measure(
        Definition(f"<{name}>", words, kernel, "a Python function", "the user", cutoff=Whole("k"), range=bounds)
    )


@cache
def labeled(name: str) -> Measure:
    """A measure computed elsewhere, known by name only; its scores can be analyzed but not computed."""

    def kernel(hits: Hits, pool: Pool) -> Floats:  # noqa: ARG001
        raise UsageError(f"{name!r} was computed elsewhere; rankgauge has only its scores")

    return Measure(Definition(name, "computed elsewhere", kernel, "not recorded", "not recorded"))


def _lists(hits: Hits, pool: Pool, query: int, cutoff: int | None) -> tuple[Floats, Floats]:
    if hits.is_tied:
        raise MeasureError('a custom measure needs one order; choose another rule than ties="mean"')
    length = int(hits.retrieved[query]) if cutoff is None else min(int(hits.retrieved[query]), cutoff)
    ranked = np.full(length, np.nan)
    mine = (hits.query == query) & (hits.rank <= length)
    ranked[hits.rank[mine] - 1] = hits.value[mine]
    return ranked, pool.value[pool.start[query] : pool.start[query + 1]]


def _value(name: str, function: OwnFunction, ranked: Floats, judged: Floats) -> float:
    try:
        return float(function(ranked, judged))
    except (TypeError, ValueError, IndexError, ZeroDivisionError) as problem:
        raise MeasureError(
            f"the function of {name} failed on a list of {len(ranked)} documents: {problem}"
        ) from problem
