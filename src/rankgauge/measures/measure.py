"""A measure is a value: a definition, options that differ from their defaults, a cutoff.

Measures outside the catalogue come from a Python function, or are known by name only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rankgauge.arrays import LARGEST
from rankgauge.errors import MeasureError, UsageError, did_you_mean
from rankgauge.kernels.hits import Hits, Pool
from rankgauge.measures.curves import Curve, Option, whole

if TYPE_CHECKING:
    from rankgauge.arrays import Floats, Values

    Aggregate = Literal["mean", "sum", "geometric"]
    OwnFunction = Callable[[Floats, Floats], float]


@dataclass(frozen=True, eq=False)
class Definition:
    """An entry of the catalogue."""

    name: str
    title: str
    kernel: Callable[..., Floats]
    formula: str
    source: str
    options: Mapping[str, Option] = field(default_factory=dict)
    cutoff: Option | None = None
    """What follows @; None where a cutoff makes no sense."""
    needs_cutoff: bool = False
    looks_below: bool = False
    """Whether documents below the cutoff can change the value, as where ranks count judged documents only."""
    range: tuple[float, float] = (0.0, 1.0)
    ties: str = "document"
    undefined: str = "zero"
    group: str = "ranked"
    bounds: Callable[..., tuple[Floats, Floats]] | None = None
    """Lowest and highest value when unjudged documents may have any grade; None if unknown."""
    below: Callable[..., Values] | None = None
    """What a value is divided by, for a mean over all queries together; None where queries count alike."""
    words: str = ""
    """What the number says, in a sentence or two."""
    aggregate: Aggregate = "mean"
    """How values of queries become one: counts are summed; a geometric mean takes nothing below 0.00001."""
    threshold: bool = True
    """Whether a threshold set for all binary measures (--rel) sets this measure's option rel."""

    @property
    def cuts_ranks(self) -> bool:
        """Whether the cutoff is a number of documents, not a level of recall."""
        return self.cutoff is not None and self.cutoff.is_whole

    def __deepcopy__(self, memo: object) -> Definition:
        """Itself: immutable, and equal only to itself. LightGBM and scikit-learn copy what they are given."""
        return self


@dataclass(frozen=True, repr=False)
class Measure:
    """Checked when built, immutable, equal by what it prints."""

    definition: Definition
    options: tuple[tuple[str, Any], ...] = ()
    cutoff: int | float | None = None
    given: frozenset[str] = field(default=frozenset(), compare=False)
    """Options that were set, even to their default: a preset leaves these alone."""

    def __call__(self, **options: Any) -> Measure:
        """The same measure with other options."""
        known = self.definition.options
        chosen = dict(self.options)
        for name, value in options.items():
            if name not in known:
                hint = did_you_mean(name, known) if known else f"{self.definition.name} takes none"
                raise MeasureError(f"{self.definition.name} has no option {name!r}", hint=hint)
            chosen[name] = known[name].check(name, value)
        ordered = tuple(
            (name, chosen[name]) for name in known if name in chosen and chosen[name] != known[name].default
        )
        return Measure(self.definition, ordered, self.cutoff, self.given | options.keys())

    def __matmul__(self, cutoff: float) -> Measure:
        """The same measure, cut after this many documents: nDCG @ 10."""
        kind = self.definition.cutoff
        if kind is None:
            raise MeasureError(f"{self.definition.name} takes no cutoff")
        return Measure(self.definition, self.options, kind.check("cutoff", cutoff), self.given)

    def __str__(self) -> str:
        known = self.definition.options
        options = ", ".join(f"{name}={known[name].spell(value)}" for name, value in self.options)
        kind = self.definition.cutoff
        cutoff = "" if kind is None or self.cutoff is None else f"@{kind.spell(self.cutoff)}"
        return self.definition.name + (f"({options})" if options else "") + cutoff

    __repr__ = __str__

    @property
    def name(self) -> str:
        return str(self)

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        """Every option with the value in force."""
        return {name: kind.default for name, kind in self.definition.options.items()} | dict(self.options)

    @property
    def is_custom(self) -> bool:
        """A Python function is inside, so the printed form does not read back."""
        names = (value.name for _, value in self.options if isinstance(value, Curve))
        return any(name.startswith("<") for name in (self.definition.name, *names))

    @property
    def is_about_relevance(self) -> bool:
        """Whether a query without a relevant document says nothing, even where the formula has an answer (0).

        A relevance curve may find relevance in values of 0 and less; the formula then knows best.
        """
        of_relevance = self.definition.group in {"graded", "binary", "sets"} and self.definition.undefined == "zero"
        return of_relevance and "relevance" not in dict(self.options)

    def complete(self) -> Measure:
        """The measure itself, or an error where its definition needs a cutoff and none was given."""
        if self.definition.needs_cutoff and self.cutoff is None:
            example = 10 if self.definition.cuts_ranks else 0.1
            raise MeasureError(f"{self.definition.name} needs a cutoff, as in {self.definition.name}@{example}")
        return self

    def compute(self, hits: Hits, pool: Pool) -> Floats:
        """One number per query; nan where the measure is undefined."""
        kernel, settings = self.definition.kernel, self._settings_of_kernel
        if not hits.is_tied:
            return kernel(hits, pool, **settings)
        # The form for open ties may differ in the last bit where nothing is tied, and then a query's bits would depend
        # on its company.
        is_open = np.zeros(hits.queries, np.bool_)
        is_open[hits.query[hits.first != hits.last]] = True
        if is_open.all():
            return kernel(hits, pool, **settings)
        tied, settled = kernel(hits.keep(is_open[hits.query]), pool, **settings), hits.settled()
        return np.where(is_open, tied, kernel(settled, pool, **settings))

    def denominators(self, hits: Hits, pool: Pool) -> Floats:
        """What the value of each query is divided by; 1 where queries count alike."""
        if self.definition.below is None:
            return np.ones(hits.queries)
        return self.definition.below(hits, pool, **self._settings_of_kernel).astype(np.float64)

    @cached_property
    def deepest(self) -> int | None:
        """The last rank that can change a value; None where every rank can, and where nobody knows."""
        chosen = dict(self.options)
        counts_all = chosen.get("ideal") == "returned" or chosen.get("first") == "highest" or "at" in chosen
        is_known = self.definition.cuts_ranks and not (self.definition.looks_below or counts_all or self.is_custom)
        return int(self.cutoff) if is_known and self.cutoff is not None else None

    @cached_property
    def _settings_of_kernel(self) -> dict[str, Any]:
        return {**self.settings, **({} if self.definition.cutoff is None else {"cutoff": self.cutoff})}


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
        if hits.is_tied:
            raise MeasureError('a custom measure needs one order; choose another rule than ties="mean"')
        start = np.searchsorted(hits.query, np.arange(hits.queries + 1))
        values = np.empty(hits.queries)
        for query, length in enumerate(hits.retrieved if cutoff is None else np.minimum(hits.retrieved, cutoff)):
            ranked = np.full(length, np.nan)
            found = slice(start[query], start[query + 1])
            rank, within = hits.rank[found], hits.rank[found] <= length
            ranked[rank[within] - 1] = hits.value[found][within]
            try:
                value = float(function(ranked, pool.value[pool.start[query] : pool.start[query + 1]]))
            except (TypeError, ValueError, LookupError, ArithmeticError) as problem:
                raise MeasureError(
                    f"the function of {name} failed on a list of {length} documents: {problem}"
                ) from problem
            if abs(value) > LARGEST:
                raise MeasureError(
                    f"the function of {name} returned {value:g} for a list of {length} documents; values are at most "
                    f"{LARGEST:g}\nReturn nan where the measure is undefined."
                )
            values[query] = value
        return values

    words = (function.__doc__ or "a custom measure").strip().splitlines()[0]
    return Measure(
        Definition(f"<{name}>", words, kernel, "a Python function", "the user", cutoff=whole("k"), range=bounds)
    )


@cache
def labeled(name: str) -> Measure:
    """A measure computed elsewhere, known by name only; its scores can be analyzed but not computed."""

    def kernel(hits: Hits, pool: Pool) -> Floats:  # noqa: ARG001
        raise UsageError(f"{name!r} was computed elsewhere; rankgauge has only its scores")

    return Measure(Definition(name, "computed elsewhere", kernel, "not recorded", "not recorded"))
