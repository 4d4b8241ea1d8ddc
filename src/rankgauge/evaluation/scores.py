"""Scores: a cube of systems × queries × measures, with what is known about its axes and how it was made."""

from __future__ import annotations

import contextlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rankgauge.arrays import LARGEST
from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.errors import MeasureError, UsageError, did_you_mean, nearest, plural
from rankgauge.evaluation.aggregates import aggregate, by_name
from rankgauge.measures.grammar import parse, parse_all
from rankgauge.measures.measure import Measure, labeled
from rankgauge.signature import Level, Seed, checked
from rankgauge.tables import Shown, plain
from rankgauge.tables.notes import NOUNS, UNRECORDED, Note, some

if TYPE_CHECKING:
    import polars as pl

    from rankgauge.arrays import Floats
    from rankgauge.data.read.small import Rows
    from rankgauge.evaluation.means import Means, Segments
    from rankgauge.tables.table import Estimate, Table

METADATA = "rankgauge"
"""Under this key a saved .parquet file holds all that is not a number: policy, notes, what is known of the axes."""
_WHOLE = re.compile("0|-?[1-9][0-9]*")
WEIGHT = "weight"
"""The column about queries that means are weighted by."""


@dataclass(frozen=True)
class About:
    """What is known of the three axes beside their names: columns with one cell for each system, query or measure."""

    systems: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    queries: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    measures: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    noun: str = NOUNS[0]
    """What a reader calls a query: 'user' where the columns of the judgments do."""
    whole: bool = False
    """Whether the queries came as whole numbers: then they leave as such, in frames and as keys."""


@dataclass(frozen=True, repr=False, eq=False)
class Scores(Shown):
    """One number per system, query and measure; nan marks a cell that the policy leaves out."""

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    measures: tuple[Measure, ...]
    values: Floats
    policy: Policy = DEFAULT
    notes: tuple[Note, ...] = ()
    bounds: tuple[Floats, Floats] | None = None
    """Under unjudged="bounds": the lowest and the highest value that judging the unjudged could give."""
    about: About = About()
    """What is known of systems, queries and measures beside their names."""

    def __post_init__(self) -> None:
        if not isinstance(queries := self.__dict__["queries"], tuple):
            self.__dict__["_queries"] = self.__dict__.pop("queries")
        shape = (len(self.systems), len(queries), len(self.measures))
        if self.values.shape != shape:
            raise UsageError(f"values have shape {self.values.shape}, but the names say {shape}")
        self.values.flags.writeable = False
        for axis, size in zip(("systems", "queries", "measures"), shape, strict=True):
            for name, cells in getattr(self.about, axis).items():
                if len(cells) != size:
                    raise UsageError(f"column {name!r} has {plural(len(cells), 'cell')} for {size} {axis}")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Names of queries become a tuple when somebody asks; few callers do, and there may be millions."""
            if name != "queries" or "_queries" not in self.__dict__:
                raise AttributeError(f"Scores have no attribute {name!r}")
            self.__dict__["queries"] = tuple(self.__dict__["_queries"])
            return self.__dict__["queries"]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        names = ("systems", "queries", "measures", "policy", "notes", "about")
        mine, theirs = ([one.values, *(one.bounds or ())] for one in (self, other))
        is_alike = all(getattr(self, name) == getattr(other, name) for name in names) and len(mine) == len(theirs)
        return is_alike and all(np.array_equal(*pair, equal_nan=True) for pair in zip(mine, theirs, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Scores({' × '.join(map(plural, self.values.shape, ('system', self.about.noun, 'measure')))})"

    @property
    def weights(self) -> Floats | None:
        """One weight per query for the means, such as its traffic; None: all equal."""
        found = self.about.queries.get(WEIGHT)
        return None if found is None else np.array(found, np.float64)

    @classmethod
    @checked
    def from_matrix(
        cls,
        values: Any,
        systems: str | Iterable[str | int] | None = None,
        queries: str | Iterable[str | int] | None = None,
        measures: str | Measure | Iterable[str | Measure] | None = None,
        *,
        rows: Literal["queries", "systems"] | None = None,
    ) -> Scores:
        """Scores computed elsewhere: an array with a row per query and a column per system, or the other way round.

        `rows` says what the rows are, "queries" or "systems". It may be left out where names are given whose number fits
        one way only. Several measures are a third axis; `measures` may be any names. nan marks a missing score.

        >>> print(Scores.from_matrix([[0.2, 0.4, 0.9], [0.3, 0.7, 0.8]], systems=["bm25", "ltr"]).mean())
        {'bm25': {'score': 0.5}, 'ltr': {'score': 0.6}}
        """
        systems, queries = (None if names is None else tuple(map(str, names)) for names in (systems, queries))
        cube = _cube(values)
        if (rows or _rows_by_names(cube.shape[:2], systems, queries)) == "queries":
            cube = np.ascontiguousarray(cube.swapaxes(0, 1))
        count = cube.shape[2]
        if measures is None:
            measures = ["score"] if count == 1 else [f"measure{at + 1}" for at in range(count)]
        kinds = tuple(map(measure_or_label, [measures] if isinstance(measures, (str, Measure)) else measures))
        _names("measure", map(str, kinds), count)
        names = _names("system", systems, len(cube)), _names("query", queries, cube.shape[1])
        return cls(*names, kinds, cube, notes=(Note(UNRECORDED, "not recorded"),))

    @checked
    def matrix(self, measure: str | Measure | None = None) -> Floats:
        """Systems × queries of one measure; the only one if none is named."""
        return self.values[:, :, self._index_of(measure)]

    @checked
    def select(self, measures: str | Measure | Iterable[str | Measure]) -> Scores:
        """The same scores for some of the measures; notes about the others are left out."""
        if isinstance(measures, Measure) or (isinstance(measures, str) and measures in map(str, self.measures)):
            measures = [measures]  # a text may list several, but a label is taken whole
        elif isinstance(measures, str):
            measures = parse_all(measures)
        kept = tuple(self.measures[self._index_of(measure)] for measure in measures)
        gone = set(map(str, self.measures)) - set(map(str, kept))
        return _part(self, "measures", kept, tuple(note for note in self.notes if note.measure not in gone))

    @checked
    def only(self, queries: str | Iterable[str | int]) -> Scores:
        """The same scores for some of the queries, in their order here; notes on all queries are left out."""
        wanted = dict.fromkeys([queries] if isinstance(queries, str) else map(str, queries))
        kept = dict.fromkeys(query for query in self.queries if query in wanted)
        if absent := [query for query in wanted if query not in kept]:
            others = f" and {len(absent) - 1:,} more" if len(absent) > 1 else ""
            close = nearest(absent[0], self.queries)
            hint = f"did you mean {close!r}?" if close else f"The scores have queries {', '.join(self.queries[:3])}, …"
            raise UsageError(f"no scores for query {absent[0]!r}{others}\n{hint}")
        if not wanted:
            raise UsageError("no queries to keep; name at least one")
        part = _part(self, "queries", tuple(kept), tuple(note for note in self.notes if note.kind == UNRECORDED))
        return part if part.weights is None else replace(part, notes=(weights_note(part.weights), *part.notes))

    @checked
    def beside(self, other: Scores) -> Scores:
        """Both sets of systems on the queries and measures that both have, as a saved baseline and a new run."""
        from rankgauge.evaluation.notes import about_policy

        measures = tuple(measure for measure in self.measures if measure in other.measures)
        there = set(other.queries)
        queries = tuple(query for query in self.queries if query in there)
        if not measures or not queries:
            what = "measure" if not measures else "query"
            raise UsageError(f"the two sets of scores have no {what} in common, so they cannot be compared")
        if same := [system for system in other.systems if system in self.systems]:
            raise UsageError(
                f"both sets of scores have a system {same[0]!r}\n"
                "Give the new one another name, as in new=PATH or {'new': run}."
            )
        first, second = (_part(_part(one, "queries", queries), "measures", measures) for one in (self, other))
        notes = self.notes + other.notes
        if gone := len(self.queries) + len(other.queries) - 2 * len(queries):
            text = f"{plural(gone, 'query')} in one set of scores only, left out"
            notes += (Note("not-in-both", text, gone),)
        if (first.weights is None) != (second.weights is None):
            text = "query weights of one set of scores count for both"
            notes += (Note("weights-of-one", text, len(queries)),)
        if not any(note.kind == UNRECORDED for note in notes):
            notes += tuple(about_policy(some(second.systems), len(second.systems), second.policy, first.policy))
        bounds, mine, theirs = None, first.about, second.about
        if first.bounds or second.bounds:
            sides = [one.bounds or (np.full_like(one.values, np.nan),) * 2 for one in (first, second)]
            bounds = np.concatenate([side[0] for side in sides]), np.concatenate([side[1] for side in sides])
        for name, cells in mine.queries.items():
            pairs = zip(queries, cells, theirs.queries.get(name, cells), strict=True)
            if odd := [pair for pair in pairs if pair[1] != pair[2]]:
                raise UsageError(
                    f"the two sets of scores disagree on the {name} of {plural(len(odd), mine.noun)} "
                    "({}: {} and {})\nEvaluate both with the same one.".format(*odd[0])
                )
        systems: dict[str, Sequence[Any]] = {}
        for name in {**mine.systems, **theirs.systems}:
            columns = (one.about.systems.get(name, (None,) * len(one.systems)) for one in (first, second))
            systems[name] = tuple(chain(*columns))
        known = {**theirs.queries, **mine.queries}, {**theirs.measures, **mine.measures}
        about = About(systems, *known, mine.noun, whole=mine.whole and theirs.whole)
        values = np.concatenate([first.values, second.values])
        names = first.systems + second.systems
        return replace(first, systems=names, values=values, notes=notes, bounds=bounds, about=about)

    def by(self, labels: Any, column: str | None = None) -> Segments:
        """Means within segments: `labels` maps queries to labels, or is a table or file of queries with this column."""
        from rankgauge.evaluation.means import Segments, labeled_places

        name, places = labeled_places(self.queries, labels, column)
        parts = {label: self.only([self.queries[place] for place in found]) for label, found in places.items()}
        return Segments(name, parts, len(self.queries) - sum(map(len, places.values())))

    @checked
    def save(self, path: str | PathLike[str]) -> None:
        """Save to a .parquet file with all that is known, or to a .csv file; `read_scores` reads both."""
        import io
        import json
        from pathlib import Path

        import polars as pl

        from rankgauge.data.write import write_whole

        own = [str(measure) for measure in self.measures if measure.is_custom]
        if own:
            raise UsageError(f"{own[0]} is a Python function and cannot be saved; leave it out with Scores.select")
        out, ending, frame = io.BytesIO(), Path(path).suffix, self.to_polars()
        if ending == ".csv":
            lost = "query weights" if self.weights is not None else "the bounds" if self.bounds else None
            if lost:
                raise UsageError(f"a CSV file cannot hold {lost}; save these scores as .parquet")
            frame.write_csv(out)
        elif ending == ".parquet":
            for word, side in zip(("lowest", "highest"), self.bounds or (), strict=False):
                sides = {f"{measure} {word}": side[:, :, at].ravel() for at, measure in enumerate(self.measures)}
                frame = frame.with_columns(pl.DataFrame(sides, nan_to_null=True))
            notes = [{name: value for name, value in vars(note).items() if value} for note in self.notes]
            about = {"policy": self.policy, "notes": notes, "bounds": self.bounds is not None, **vars(self.about)}
            frame.write_parquet(out, metadata={METADATA: json.dumps(plain(about))})
        else:
            raise UsageError(f"scores are saved as .parquet or .csv, not as {ending or 'a file without an ending'}")
        write_whole(Path(path), out.getvalue())

    def mean(self) -> dict[str, dict[str, float]]:
        """Mean over the queries counted, per system and measure; counts are summed, GMAP is a geometric mean.

        Where queries have weights, means are weighted and sums are not.
        """
        return self._means_of(self.values)

    def median(self) -> dict[str, dict[str, float]]:
        """As `mean`, the median over the queries counted."""

        def one(values: Floats) -> float:
            there = values[~np.isnan(values)]
            return float(np.median(there)) if len(there) else math.nan

        return by_name(self.systems, self.measures, [map(one, block.T) for block in self.values])

    def means(self) -> Means:
        """The means alone, without the queries behind them."""
        from rankgauge.evaluation.means import Means

        values = np.array([list(row.values()) for row in self.mean().values()])
        counts, queries = np.sum(~np.isnan(self.values), axis=1), self.values.shape[1]
        return Means(self.systems, queries, self.measures, values, counts, self.policy, self.notes, self.about.noun)

    @checked
    def intervals(
        self, *, confidence: Level = 0.95, method: Literal["t", "bootstrap"] = "t", seed: Seed = 7
    ) -> dict[str, dict[str, Estimate]]:
        """{system: {measure: mean with its confidence interval}}, for measures that are averaged over queries.

        `method` is "t" or "bootstrap", which draws with `seed`. A weighted mean is a ratio; its interval is that of the
        plain mean of its linearized terms (Taylor), which vary as much as it does.
        """
        from rankgauge.evaluation.intervals import linearized, mean_interval
        from rankgauge.tables.table import Estimate

        means, weights = self.mean(), self.weights
        found: dict[str, dict[str, Estimate]] = {system: {} for system in self.systems}
        for measure in self.measures:
            if measure.definition.aggregate == "mean":
                values = self.matrix(measure) if weights is None else linearized(self.matrix(measure), weights)
                interval = mean_interval(values, confidence=confidence, method=method, seed=seed)
                for system, low, high in zip(self.systems, interval.low.tolist(), interval.high.tolist(), strict=True):
                    found[system][str(measure)] = Estimate(means[system][str(measure)], low, high)
        return found

    def per_query(self) -> dict[str, dict[Any, dict[str, float]]]:
        """{system: {query: {measure: value}}}, without the cells left out."""
        names, queries = [str(measure) for measure in self.measures], list[Any](self.queries)
        if self.about.whole:  # ids that came as whole numbers leave as such
            queries = [int(query) if _WHOLE.fullmatch(query) else query for query in queries]
        return {
            system: {
                query: {name: value for name, value in zip(names, row, strict=True) if not math.isnan(value)}
                for query, row in zip(queries, rows, strict=True)
            }
            for system, rows in zip(self.systems, self.values.tolist(), strict=True)
        }

    @checked
    def table(self, *, median: bool = False) -> Table:
        """Mean of each measure per system, best first by the first measure; with `median`, that beside each mean."""
        from rankgauge.evaluation.means import mean_table

        return mean_table(self.means(), ({"median": self.median()} if median else {}) | self._ends_of_mean())

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The JSON of the command line: plain numbers, null where nothing is defined."""
        out = self.means().to_dict()
        notes = out.pop("notes")
        out["median"] = self.median()
        if self.bounds is not None:
            low, high = self._ends_of_mean().values()
            out["bounds"] = {
                system: {name: (one, high[system][name]) for name, one in row.items()} for system, row in low.items()
            }
        out["notes"] = notes
        if per_query:
            out["per_query"] = self.per_query()
        return {name: plain(part) for name, part in out.items()}

    def to_polars(self) -> pl.DataFrame:
        """One row per system and query, one column per measure."""
        import polars as pl

        systems, queries, _ = self.values.shape
        columns = {str(m): self.values[:, :, i].ravel() for i, m in enumerate(self.measures)}
        names = {
            "system": pl.Series(self.systems, dtype=pl.String).gather(np.repeat(np.arange(systems), queries)),
            "query": pl.Series(self.queries, dtype=pl.String).gather(np.tile(np.arange(queries), systems)),
        }
        if self.about.whole:
            numbers = names["query"].cast(pl.Int64, strict=False)
            if numbers.cast(pl.String).eq_missing(names["query"]).all():  # texts from runs may be among them
                names["query"] = numbers
        return pl.DataFrame({**names, **columns}, nan_to_null=True)

    def to_pandas(self) -> Any:
        """As to_polars, for pandas."""
        import pandas as pd

        ids, frame = ("system", "query"), self.to_polars()
        # Column by column: Polars' own way needs PyArrow.
        return pd.DataFrame({one.name: one.to_list() if one.name in ids else one.to_numpy() for one in frame})

    def _ends_of_mean(self) -> dict[str, dict[str, dict[str, float]]]:
        """The lowest and highest means that judging the unjudged could give; none unless asked for."""
        return dict(zip(("lowest", "highest"), map(self._means_of, self.bounds or ()), strict=False))

    def _means_of(self, values: Floats) -> dict[str, dict[str, float]]:
        weights, kinds, rows = self.weights, [measure.definition.aggregate for measure in self.measures], []
        for block in values:
            row = [aggregate(kind, column, weights) for kind, column in zip(kinds, block.T, strict=True)]
            rows.append([0.0 if self.policy.empty == "zero" and math.isnan(mean) else mean for mean in row])
        return by_name(self.systems, self.measures, rows)

    def _index_of(self, measure: str | Measure | None) -> int:
        if measure is None and len(self.measures) == 1:
            return 0
        names = list(map(str, self.measures))
        if measure is None:
            raise UsageError("name one of the measures: " + ", ".join(names))
        if measure in names:
            return names.index(str(measure))
        wanted = measure_or_label(measure)
        if wanted not in self.measures:
            raise UsageError(f"no scores for {wanted}; " + did_you_mean(str(wanted), names))
        return self.measures.index(wanted)


def _part(scores: Scores, axis: str, kept: tuple[Any, ...], notes: tuple[Note, ...] = ()) -> Scores:
    """Some of the queries or measures, with their values, bounds and all that is known of them."""
    place = {name: at for at, name in enumerate(getattr(scores, axis))}
    places = [place[name] for name in kept]
    where = (slice(None), places) if axis == "queries" else (slice(None), slice(None), places)
    bounds = None if scores.bounds is None else (scores.bounds[0][where], scores.bounds[1][where])
    known = {name: tuple(cells[at] for at in places) for name, cells in getattr(scores.about, axis).items()}
    changed: dict[str, Any] = {axis: kept, "about": replace(scores.about, **{axis: known})}  # type: ignore[arg-type]
    return replace(scores, values=scores.values[where], bounds=bounds, notes=notes, **changed)


def weighted(scores: Scores, weights: Floats) -> Scores:
    """The same scores, with each query weighted in the means."""
    about = replace(scores.about, queries={**scores.about.queries, WEIGHT: tuple(weights.tolist())})
    return replace(scores, about=about, notes=(weights_note(weights), *scores.notes))


def weights_note(weights: Floats, queries: int | None = None) -> Note:
    """`weights` are those of all queries, or the extremes among so many queries."""
    count = len(weights) if queries is None else queries
    text = f"means are weighted: {count:,} queries with weights from {weights.min():g} to {weights.max():g}"
    return Note("weights", text, count)


def measure_or_label(name: str | Measure) -> Measure:
    """A measure as read by the grammar, or a plain label."""
    if isinstance(name, Measure):
        return name
    try:
        return parse(name)
    except MeasureError:
        return labeled(str(name))


def _cube(values: Any) -> Floats:
    """Finite numbers with three axes; nan where a score is missing."""
    cube = None
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        given = np.asarray(values)
        if given.dtype.kind not in "cmM":  # complex numbers, durations and times, of which NumPy would make floats
            cube = np.array(given, np.float64)
    if cube is None:
        if not isinstance(values, (list, tuple, np.ndarray)):
            raise UsageError(f"scores must be an array of queries × systems, not {type(values).__name__}")
        raise UsageError("the scores are not numeric\nGive one number per query and system, nan if missing.")
    if isinstance(values, np.ma.MaskedArray):
        cube[np.ma.getmaskarray(values)] = np.nan
    if cube.ndim not in {2, 3} or 0 in cube.shape:
        raise UsageError(
            f"scores must be an array of queries × systems, or queries × systems × measures, not of shape {cube.shape}"
        )
    if np.isinf(cube).any():
        raise UsageError(f"{np.isinf(cube).sum()} scores are infinite")
    largest = float(np.abs(cube).max(initial=0.0, where=~np.isnan(cube)))
    if largest > LARGEST:
        raise UsageError(f"a score of {largest:g} is too large; scores are at most {LARGEST:g}")
    return cube if cube.ndim == 3 else cube[:, :, np.newaxis]


def _rows_by_names(shape: tuple[int, ...], systems: Sequence[str] | None, queries: Sequence[str] | None) -> Rows:
    """What the rows must be, given the number of names; a guess would transpose a matrix without a word."""
    given, size = (systems, queries), " × ".join(map(str, shape))
    ways: dict[Rows, tuple[int, ...]] = {"systems": shape, "queries": shape[::-1]}
    fit = [way for way, one in ways.items() if all(n is None or len(n) == k for n, k in zip(given, one, strict=True))]
    if len(fit) == 1:
        return fit[0]
    if fit:
        raise UsageError(
            f"an array of {size} does not say whether its rows are queries or systems\n"
            'Say rows="queries" or rows="systems", as in rankgauge.read_scores(array, rows="queries").'
        )
    named = zip(("system", "query"), given, strict=True)
    counts = " and ".join(plural(len(names), noun) for noun, names in named if names is not None)
    raise UsageError(f"{counts} for a matrix with {size} numbers\nGive one name per row and column.")


def _names(noun: str, given: Iterable[Any] | None, size: int) -> tuple[str, ...]:
    """The names of one axis, made up where none are given."""
    names = tuple(map(str, (f"{noun}{at + 1}" for at in range(size)) if given is None else given))
    if len(names) != size:
        raise UsageError(f"{plural(len(names), noun)} for a matrix with {size}")
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise UsageError(f"duplicate {noun} {twice[0]!r}")
    return names
