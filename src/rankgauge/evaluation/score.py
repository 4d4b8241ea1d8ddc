"""score(): two columns of numbers, one number; for every measure of the catalogue."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, cast, get_args, overload

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.policy import Policy
from rankgauge.data.vectors import ItemLists, file_column, lists_of, table_columns
from rankgauge.errors import UsageError, plural
from rankgauge.evaluation.aggregates import AGGREGATES
from rankgauge.evaluation.counted.facts import Names, refuse_undefined
from rankgauge.evaluation.counted.plan import settle
from rankgauge.evaluation.counted.run import decide
from rankgauge.evaluation.evaluate import settle_one
from rankgauge.frozen import dataclass
from rankgauge.kernels.formulas import dense, ragged
from rankgauge.kernels.formulas.cumulated import gains_of, ndcg, weights_to
from rankgauge.kernels.formulas.rankdcg import rank_dcg, rank_dcg_of_hits
from rankgauge.kernels.hits import Hits, Pool, pool_of
from rankgauge.kernels.ranking import rank_all
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note
from rankgauge.tables.shown import Shown, plain
from rankgauge.tables.table import Column, Table, number

if TYPE_CHECKING:
    from rankgauge.evaluation.chance import Chance

_PATH = (str, PathLike)
_NO_QUERY, _NO_POOL = np.empty(0, np.int64), Pool(np.empty(0), np.zeros(1, np.int64))


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
    measure: str | Measure,
    truth: Any = None,
    predicted: Any = None,
    groups: Any = None,
    *,
    file: Any = None,
    policy: Policy | None = None,
    like: str | None = None,
    details: Literal[True],
    chance: bool = False,
    seed: int = 7,
) -> ScoredLists: ...


def score(
    measure: str | Measure,
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
) -> float | ScoredLists:
    """How well `predicted` orders items whose true values are `truth`: the mean over groups, or over rows of matrices.

    `truth` and `predicted` are vectors, matrices, or paths to files with one number per line. With `file`, a path or a
    table, they and `groups` are names of columns. Equal predictions count with the mean over their orders (rankDCG: the
    worst order) unless the policy says otherwise. For a list of true values in predicted order, give falling
    predictions: [-i for i in range(len(values))].

    `details=True` returns the value of every group, the number of items and notes as well; `chance=True` adds what
    random predictions would score (rankDCG of one list), drawn with `seed` where the outcomes are too many to list.

    >>> truth, predicted = [9, 4, 4, 2, 2, 2, 1, 1, 1, 1], [4, 4, 2, 9, 2, 2, 1, 1, 1, 1]
    >>> round(score("rankDCG", truth, predicted), 6)
    0.65
    """
    if truth is None or predicted is None:
        raise UsageError("score needs truth and predicted: vectors, files of one column, or names of columns in file")
    if file is not None:
        truth, predicted, groups = table_columns(file, truth, predicted, groups)
    else:
        truth, predicted = (file_column(given) if isinstance(given, _PATH) else given for given in (truth, predicted))
    scored = _scored(measure, truth, predicted, groups, policy=policy, like=like)
    if details:
        return _detailed(scored, _chance(scored, seed) if chance else None)
    if chance:
        raise UsageError("chance=True needs details=True: it adds to the result, not to the value")
    return AGGREGATES[scored.measure.definition.aggregate](scored.values)


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
            out["chance"] = self.chance.to_dict()
        return cast("dict[str, Any]", plain(out))


class _Scored(NamedTuple):
    measure: Measure
    values: Floats
    lists: ItemLists
    undefined: Names
    policy: Policy


def _detailed(scored: _Scored, chance: Chance | None) -> ScoredLists:
    names = list(map(str, scored.lists.names))
    return ScoredLists(
        scored.measure,
        AGGREGATES[scored.measure.definition.aggregate](scored.values),
        len(scored.lists.truth),
        scored.policy.ties or scored.measure.definition.ties,
        _notes(scored),
        None if scored.lists.is_one else dict(zip(names, scored.values.tolist(), strict=True)),
        chance,
    )


def _chance(scored: _Scored, seed: int) -> Chance:
    from rankgauge.evaluation.chance import chance

    measure, lists = scored.measure, scored.lists
    if measure.definition.kernel is not rank_dcg_of_hits or not lists.is_one:
        raise UsageError("chance is for rankDCG of one list")
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    return chance(lists.truth, lists.predicted, cutoff=cutoff, ties=cast("Any", scored.policy.ties), seed=seed)


def _notes(scored: _Scored) -> tuple[Note, ...]:
    undefined, lists, name = scored.undefined, len(scored.lists.names), str(scored.measure)
    if not undefined.count:
        return ()
    rule = scored.policy.undefined or scored.measure.definition.undefined
    counted = {"zero": "counted as 0", "one": "counted as 1"}.get(rule, "left out of the mean")
    text = f"{name} is undefined on {undefined.count:,} of {plural(lists, 'list')}, {counted} ({undefined})"
    if lists == 1:
        text = f"{name} is undefined on this list" + (f", {counted}" if rule in {"zero", "one"} else "")
    if scored.measure.definition.kernel is rank_dcg_of_hits:
        text += ": where all true values are equal, there is nothing to order"
    return (Note("undefined", text, undefined.count, measure=name, examples=undefined.first),)


def _scored(
    measure: str | Measure, truth: Any, predicted: Any, groups: Any, *, policy: Policy | None, like: str | None
) -> _Scored:
    chosen, rule = settle_one(measure, policy, like)
    ties = rule.ties or ("mean" if chosen.definition.ties == "document" else chosen.definition.ties)
    lists = lists_of(truth, predicted, groups)
    values = _values(chosen, lists, ties)
    pool = _pool(lists) if rule.undefined in {"drop", "one"} else None
    decided, undefined = decide(values, chosen, rule, np.zeros(len(values), np.bool_), pool)
    nowhere = Names.of([str(lists.names[group]) for group in np.flatnonzero(undefined).tolist()])
    refuse_undefined(chosen, nowhere, rule)
    return _Scored(chosen, decided, lists, nowhere, rule.over(Policy(ties=ties)))  # type: ignore[arg-type]


def _values(measure: Measure, lists: ItemLists, ties: str) -> Floats:
    if measure.definition.kernel is rank_dcg_of_hits and ties in {"worst", "mean", "best"}:
        return rank_dcg(lists.truth, lists.predicted, lists.offsets, cutoff=measure.cutoff, ties=ties)  # type: ignore[arg-type]
    if measure.definition.kernel is ndcg and not {"relevance", "ideal"} & dict(measure.options).keys():
        depth = int(np.diff(lists.offsets).max())
        cutoff = None if measure.cutoff is None else int(measure.cutoff)
        weights = weights_to(depth if cutoff is None else min(depth, cutoff), cutoff, measure.settings["discount"])
        falling = ties in get_args(dense.Ties) and not np.any(weights[1:] > weights[:-1])
        if falling and (lists.width or (len(lists.offsets) > 2 and ragged.can_fill(lists.predicted))):
            return _dense_ndcg(measure, lists, weights, cast("dense.Ties", ties))
    hits, pool = _hits(lists)
    return measure.compute(settle(hits, ties, [str(row) for row in range(1, len(lists.offsets))]), pool)


def _dense_ndcg(measure: Measure, lists: ItemLists, weights: Floats, ties: dense.Ties) -> Floats:
    """Lists as rows of matrices."""

    def gain(values: Floats) -> Floats:
        flat = gains_of(values.ravel(), _NO_QUERY, _NO_POOL, measure.settings["relevance"], measure.settings["gain"])
        return flat.reshape(values.shape)

    shape = (-1, lists.width)
    if lists.width:
        return dense.ndcg(lists.truth.reshape(shape), lists.predicted.reshape(shape), weights, gain=gain, ties=ties)
    gains = gains_of(lists.truth, _NO_QUERY, _NO_POOL, measure.settings["relevance"], measure.settings["gain"])
    return ragged.ndcg(gains, lists.predicted, lists.offsets, weights, ties=ties)


def _hits(lists: ItemLists) -> tuple[Hits, Pool]:
    """Every item is a judged document that was returned; inside ties, earlier items come first."""
    truth, size = lists.truth.astype(np.float64, copy=False), np.diff(lists.offsets)
    order, ranks = rank_all(lists.offsets, lists.predicted.astype(np.float64))
    return Hits(ranks.segment, ranks.rank, truth[order], ranks.first, ranks.last, size), _pool(lists)


def _pool(lists: ItemLists) -> Pool:
    size = np.diff(lists.offsets)
    return pool_of(np.repeat(np.arange(len(size)), size), lists.truth.astype(np.float64, copy=False), len(size))
