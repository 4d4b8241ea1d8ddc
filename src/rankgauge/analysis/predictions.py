"""score(): one measure of one column of predictions, or several of both in one table with paired tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.policy import Policy
from rankgauge.data.read.bytes import Source
from rankgauge.data.vectors import file_column, lists_of, table_columns
from rankgauge.errors import DataError, UsageError, plural
from rankgauge.evaluation.score import Scored, score_lists
from rankgauge.evaluation.scores import Scores
from rankgauge.kernels.ranks import exact_matches, kendall_tau, spearman
from rankgauge.measures.grammar import parse_all
from rankgauge.measures.measure import Measure, labeled
from rankgauge.tables import Shown, plain
from rankgauge.tables.notes import Note, gathered
from rankgauge.tables.table import Cell, Column, P, Table, number

if TYPE_CHECKING:
    from rankgauge.analysis.chance import Chance
    from rankgauge.analysis.compare.result import Comparison

PAIRED: dict[str, Callable[[Any, Any], float]] = {"tau_b": kendall_tau, "rho": spearman, "exact_AP": exact_matches}
"""Measures of two aligned columns that know no ranking: for score alone."""

_PAIRED = re.compile(rf"(?<![^\s,])({'|'.join(PAIRED)})(?![^\s,])")
Wanted = str | Measure | Iterable[str | Measure]


@dataclass(frozen=True)
class ScoredLists(Shown):
    """One measure on one list of items or on many: the value, and how it came about."""

    measure: Measure
    value: float
    items: int
    ties: str
    notes: tuple[Note, ...] = ()
    per_group: dict[str, float] | None = None
    """The value of each group or row, nan where it is left out of the mean; None for one list."""
    chance: Chance | None = None

    def table(self) -> Table:
        notes = [f"{plural(self.items, 'item')}; ties={self.ties}", *(note.text for note in self.notes)]
        if self.chance is not None:
            notes.append(self.chance.sentence())
        name = str(self.measure)
        if self.per_group is None:
            return Table((Column("measure"), number("value")), ((name, self.value),), "", tuple(notes))
        columns = (Column("group"), number(name))
        return Table(columns, tuple(self.per_group.items()), f"mean {self.value:.4f}", tuple(notes))

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "measure": str(self.measure),
            "value": self.value,
            "items": self.items,
            "ties": self.ties,
            **({"notes": [note.to_dict() for note in self.notes]} if self.notes else {}),
        }
        if self.per_group is not None:
            out |= {"mean": self.value, "per_group": self.per_group}
        if self.chance is not None:
            out["chance"] = self.chance
        return cast("dict[str, Any]", plain(out))


@dataclass(frozen=True, repr=False)
class ScoredColumns(Shown):
    """Several measures × several columns of predictions, group by group; the first column is the baseline of the tests."""

    measures: tuple[str, ...]
    predicted: tuple[str, ...]
    items: int
    ties: dict[str, str]
    scores: Scores
    comparison: Comparison | None
    """Paired tests over the groups; None for one column or one list."""
    notes: tuple[Note, ...] = ()

    def table(self) -> Table:
        """One row per column and measure, with the difference to the first column."""
        means = self.scores.mean()
        tested = () if self.comparison is None else (number("difference"), P, Column("verdict"))
        rows = tuple(
            (name, measure, plain(means[name][measure]), *self._difference(name, measure))
            for measure in self.measures
            for name in self.predicted
        )
        groups = len(self.scores.queries)
        remarks = [f"{plural(self.items, 'item')} in {plural(groups, 'list')}{_tie_words(self.ties)}"]
        if self.comparison is not None:
            correction = self.comparison.correction
            adjusted = "" if correction == "none" else f", p adjusted by {correction}"
            remarks.append(
                f"difference to {self.predicted[0]}, paired over groups: {self.comparison.test} test{adjusted}"
            )
        caption = f"mean over {plural(groups, 'group')}" if groups > 1 else ""
        columns = (Column("predicted"), Column("measure"), number("value"), *tested)
        return Table(columns, rows, caption, (*remarks, *gathered(self.notes)))

    def to_dict(self) -> dict[str, Any]:
        return {
            "measures": list(self.measures),
            "predicted": list(self.predicted),
            "items": self.items,
            "groups": len(self.scores.queries),
            "ties": dict(self.ties),
            "mean": plain(self.scores.mean()),
            "per_group": plain(self.scores.per_query()),
            "comparison": None if self.comparison is None else self.comparison.to_dict(),
            "notes": [note.to_dict() for note in self.notes],
        }

    def __repr__(self) -> str:
        return f"ScoredColumns({len(self.predicted)} columns × {len(self.measures)} measures)"

    def _difference(self, name: str, measure: str) -> tuple[Cell, ...]:
        if self.comparison is None:
            return ()
        if name == self.predicted[0] or measure not in self.comparison:
            return None, None, ""
        pair = next(one for one in self.comparison[measure].pairs if one.system == name)
        return plain(pair.difference), plain(pair.p_adjusted), pair.verdict


@overload
def score(
    measure: str | Measure,
    truth: Any = None,
    predicted: Any = None,
    groups: Any = None,
    *,
    file: Any = None,
    policy: Policy | None = None,
    like: str | None = None,
    details: Literal[False] = False,
    chance: bool = False,
    seed: int = 7,
) -> float: ...


@overload
def score(
    measure: Wanted,
    truth: Any = None,
    predicted: Any = None,
    groups: Any = None,
    *,
    file: Any = None,
    policy: Policy | None = None,
    like: str | None = None,
    details: bool = False,
    chance: bool = False,
    seed: int = 7,
) -> Any: ...


def score(
    measure: Wanted,
    truth: Any = None,
    predicted: Any = None,
    groups: Any = None,
    *,
    file: Any = None,
    policy: Policy | None = None,
    like: str | None = None,
    details: bool = False,
    chance: bool = False,
    seed: int = 7,
) -> float | ScoredLists | ScoredColumns:
    """How well `predicted` orders items whose true values are `truth`."""
    try:
        return _scored(
            measure, truth, predicted, groups, file, policy=policy, like=like, details=details, chance=chance, seed=seed
        )
    except DataError as fault:
        if fault.origin is None and isinstance(file, (str, PathLike)):
            raise DataError(fault.message, Source(file).origin, fault.places, fault.hint) from None
        raise


def _scored(
    measure: Wanted,
    truth: Any,
    predicted: Any,
    groups: Any,
    file: Any,
    *,
    policy: Policy | None,
    like: str | None,
    details: bool,
    chance: bool,
    seed: int,
) -> float | ScoredLists | ScoredColumns:
    wanted = _wanted(measure)
    several = isinstance(predicted, Mapping) or (
        file is not None and isinstance(predicted, Sequence) and not isinstance(predicted, str)
    )
    left, columns, labels = _columns(truth, predicted, groups, file, several=several)
    if several or len(wanted) > 1 or wanted[0] in PAIRED:
        if chance:
            raise UsageError("chance is for rankDCG of one list: name one measure and one column")
        return _table(wanted, left, columns, labels, policy, like, seed)
    if chance and not details:
        raise UsageError("chance=True needs details=True: it adds to the result, not to the value")
    (column,) = columns.values()
    found = score_lists(wanted[0], left, column, labels, policy=policy, like=like)
    if not details:
        return found.value
    return replace(_details(found), chance=_chance(found, seed) if chance else None)


def _details(scored: Scored) -> ScoredLists:
    names = map(str, scored.lists.names)
    per_group = None if scored.lists.is_one else dict(zip(names, scored.values.tolist(), strict=True))
    ties = scored.policy.ties or scored.measure.definition.ties
    return ScoredLists(scored.measure, scored.value, len(scored.lists.truth), ties, scored.notes(), per_group)


def _chance(scored: Scored, seed: int) -> Chance:
    """What random predictions would score."""
    from rankgauge.analysis.chance import chance

    measure, lists, ties = scored.measure, scored.lists, cast("Any", scored.policy.ties)
    if measure.definition.name != "rankDCG" or not lists.is_one:
        raise UsageError("chance is for rankDCG of one list")
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    return chance(lists.truth, lists.predicted, cutoff=cutoff, ties=ties, seed=seed)


def _wanted(measure: Wanted) -> list[str | Measure]:
    """One entry per measure, each once; what the catalogue does not know is taken out of a text first."""
    given = [measure] if isinstance(measure, (str, Measure)) else list(measure)
    found: dict[str | Measure, None] = {}
    for one in given:
        if isinstance(one, Measure) or not _PAIRED.search(one):
            found |= dict.fromkeys(parse_all(one))
            continue
        parts = (part.strip(" ,\t\n") for part in _PAIRED.split(one))
        for part in filter(None, parts):
            found |= {part: None} if part in PAIRED else dict.fromkeys(parse_all(part))
    if not found:
        raise UsageError("no measure was named; name at least one, as in rankDCG")
    return list(found)


def _columns(truth: Any, predicted: Any, groups: Any, file: Any, *, several: bool) -> tuple[Any, dict[str, Any], Any]:
    if truth is None or predicted is None:
        raise UsageError("score needs truth and predicted: vectors, files of one column, or names of columns in file")
    if file is not None:
        names = list(dict.fromkeys(predicted if several else [predicted]))
        if not names:
            raise UsageError("no column of predictions was named; name at least one")
        return table_columns(file, truth, names, groups)

    def column(given: Any) -> Any:
        return file_column(given) if isinstance(given, str) or hasattr(given, "__fspath__") else given

    named = {str(name): column(one) for name, one in predicted.items()} if several else {"predicted": column(predicted)}
    if not named:
        raise UsageError("no predictions were given; give at least one column")
    own = column(truth)
    if not several and own is not truth and named["predicted"] is not predicted and len(own) != len(named["predicted"]):
        message = f"has {plural(len(own), 'item')}, but {predicted} has {len(named['predicted']):,}"
        raise DataError(message, str(truth), hint="Give one value of each for every item, in the same order.")
    return own, named, groups


def _table(
    wanted: Sequence[str | Measure],
    truth: Any,
    columns: Mapping[str, Any],
    groups: Any,
    policy: Policy | None,
    like: str | None,
    seed: int,
) -> ScoredColumns:
    values: list[list[Floats]] = []
    notes: list[Note] = []
    ties: dict[str, str] = {}
    for name, column in columns.items():
        lists = lists_of(truth, column, groups)
        row = []
        for measure in wanted:
            if isinstance(measure, str):
                row.append(_paired(PAIRED[measure], lists.truth, lists.predicted, lists.offsets))
                notes += _undefined(name, measure, row[-1])
                continue
            found = _details(score_lists(measure, truth, column, groups, policy=policy, like=like))
            row.append(np.array([found.value] if found.per_group is None else list(found.per_group.values())))
            ties[str(measure)] = found.ties
            # Tiers are of the true values, the same for every column.
            tiers, about_column = (
                [one for one in found.notes if (one.kind == "tied-tiers") is of] for of in (True, False)
            )
            notes += [one for one in tiers if one not in notes]
            notes += [Note(one.kind, f"{name}: {one.text}", one.count, name, str(measure)) for one in about_column]
        values.append(row)
    labels, names = tuple(map(str, wanted)), tuple(map(str, columns))
    cube = np.moveaxis(np.array(values), 1, 2)
    scores = Scores(names, tuple(map(str, lists.names)), tuple(map(_measure, wanted)), cube)
    return ScoredColumns(labels, names, len(lists.truth), ties, scores, _tests(scores, seed), tuple(notes))


def _measure(wanted: str | Measure) -> Measure:
    return labeled(wanted) if isinstance(wanted, str) else wanted


def _paired(function: Callable[[Any, Any], float], truth: Any, predicted: Any, offsets: Any) -> Floats:
    bounds = zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True)
    return np.array([function(truth[begin:end], predicted[begin:end]) for begin, end in bounds])


def _tests(scores: Scores, seed: int) -> Comparison | None:
    """The first column against each other one, on the measures that some two groups have under all columns."""
    shared = np.sum(np.all(np.isfinite(scores.values), axis=0), axis=0) >= 2
    if len(scores.systems) < 2 or not shared.any():
        return None
    from rankgauge.analysis.compare.compare import compare

    kept = [measure for measure, there in zip(scores.measures, shared, strict=True) if there]
    return compare(scores.select(kept), seed=seed)


def _undefined(name: str, measure: str, values: Floats) -> list[Note]:
    """Where a correlation has nothing to correlate: one value for all items, or one item."""
    count = int(np.sum(np.isnan(values)))
    text = f"{name}: {measure} is undefined on {count:,} of {plural(len(values), 'list')}, left out of the mean"
    return [Note("undefined", text, count, name, measure)] if count else []


def _tie_words(ties: Mapping[str, str]) -> str:
    rules = set(ties.values())
    if len(rules) == 1:
        return f"; ties={rules.pop()}"
    return "; ties: " + ", ".join(f"{name} {rule}" for name, rule in ties.items()) if ties else ""
