"""One measure of the catalogue on lists of true and predicted values: the heart of `score` and of training metrics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.match import Match
from rankgauge.data.policy import Policy
from rankgauge.data.vectors import ItemLists, lists_of
from rankgauge.errors import UsageError, plural
from rankgauge.evaluation.aggregates import AGGREGATES
from rankgauge.evaluation.columns import decided, measured
from rankgauge.evaluation.evaluate import settle_one, weighed
from rankgauge.evaluation.list_values import pool_of_lists, values_of
from rankgauge.evaluation.notes import Names, about_tiers, refuse_undefined, split_tiers
from rankgauge.kernels.hits import Hits
from rankgauge.kernels.ranking import rank_all
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note
from rankgauge.tables.shown import Shown, plain
from rankgauge.tables.table import Column, Table, number

if TYPE_CHECKING:
    from rankgauge.evaluation.chance import Chance


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


class Scored(NamedTuple):
    """The value of every list, before anything is said about it."""

    measure: Measure
    values: Floats
    lists: ItemLists
    undefined: Names
    policy: Policy

    @property
    def value(self) -> float:
        """The mean over the lists, or whatever the measure takes instead."""
        if self.policy.empty == "zero" and np.isnan(self.values).all():
            return 0.0
        return AGGREGATES[self.measure.definition.aggregate](self.values)

    def details(self) -> ScoredLists:
        names = list(map(str, self.lists.names))
        return ScoredLists(
            self.measure,
            self.value,
            len(self.lists.truth),
            self.policy.ties or self.measure.definition.ties,
            _notes(self),
            None if self.lists.is_one else dict(zip(names, self.values.tolist(), strict=True)),
        )

    def chance(self, seed: int) -> Chance:
        """What random predictions would score."""
        from rankgauge.evaluation.chance import chance

        if self.measure.definition.name != "rankDCG" or not self.lists.is_one:
            raise UsageError("chance is for rankDCG of one list")
        cutoff = None if self.measure.cutoff is None else int(self.measure.cutoff)
        ties = cast("Any", self.policy.ties)
        return chance(self.lists.truth, self.lists.predicted, cutoff=cutoff, ties=ties, seed=seed)


def _notes(scored: Scored) -> tuple[Note, ...]:
    undefined, lists, name = scored.undefined, len(scored.lists.names), str(scored.measure)
    tiers = _about_tiers(scored)
    if not undefined.count:
        return tiers
    rule = scored.policy.undefined or scored.measure.definition.undefined
    counted = {"zero": "counted as 0", "one": "counted as 1"}.get(rule, "left out of the mean")
    text = f"{name} is undefined on {undefined.count:,} of {plural(lists, 'list')}, {counted} ({undefined})"
    if lists == 1:
        text = f"{name} is undefined on this list" + (f", {counted}" if rule in {"zero", "one"} else "")
    if scored.measure.definition.name == "rankDCG":
        text += ": where all true values are equal, there is nothing to order"
    return (Note("undefined", text, undefined.count, measure=name, examples=undefined.first), *tiers)


def _about_tiers(scored: Scored) -> tuple[Note, ...]:
    names = list(map(str, scored.lists.names))
    parted = split_tiers(pool_of_lists(scored.lists), names, scored.measure)
    where = "this list" if scored.lists.is_one else f"{plural(parted.count, 'list')} ({parted})"
    return (about_tiers(scored.measure, parted, where),) if parted.count else ()


def score_lists(
    measure: str | Measure,
    truth: Any,
    predicted: Any,
    groups: Any = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
) -> Scored:
    """Vectors cut into lists by `groups`, or matrices with a list in every row."""
    refuse_vacuous(policy)
    chosen, rule = settle_one(measure, policy, like)
    as_given = _are_lists(rule) and rule.ties != "reverse" and rule.precision != "single"
    return score_settled(chosen, rule, lists_of(truth, predicted, groups, unchecked=as_given))


def score_settled(measure: Measure, rule: Policy, lists: ItemLists) -> Scored:
    """As score_lists, where measure and policy are in force already."""
    ties = rule.ties or ("mean" if measure.definition.ties == "document" else measure.definition.ties)
    rule = rule.over(Policy(ties=ties))  # type: ignore[arg-type]
    values, nowhere = _decided(measure, _seen(lists, rule), rule)
    refuse_undefined(measure, nowhere, rule)
    return Scored(measure, values, lists, nowhere, rule)


def refuse_vacuous(policy: Policy | None) -> None:
    """What is about documents that only one side has, or about their ids, changes nothing here."""
    for name in ("unjudged", "missing", "extra", "pool", "own_id", "repeated"):
        if policy is not None and getattr(policy, name) is not None:
            raise UsageError(
                f"{name} has no effect here because every item has a true and a predicted value, and no id"
            )


def _seen(lists: ItemLists, rule: Policy) -> ItemLists:
    """The lists with predictions in the precision that compares them, and turned round where ties are."""
    if rule.precision == "single":
        with np.errstate(over="ignore"):
            lists = replace(lists, predicted=lists.predicted.astype(np.float32).astype(np.float64))
    if rule.ties != "reverse":
        return lists
    ends = np.repeat(lists.offsets[:-1] + lists.offsets[1:] - 1, np.diff(lists.offsets))
    turned = ends - np.arange(len(lists.truth))
    return replace(lists, truth=lists.truth[turned], predicted=lists.predicted[turned], kept=None)


def _are_lists(rule: Policy) -> bool:
    """Whether nothing has to be decided as for runs and judgments."""
    return rule.depth is None and rule.ties != "mean-rank" and not _FOLLOWED & rule.unusual().keys()


def _decided(measure: Measure, lists: ItemLists, rule: Policy) -> tuple[Floats, Names]:
    """The value of every list, and those on which the measure is undefined."""
    if _are_lists(rule):
        values = values_of(measure, lists, rule.ties or "")
        pool = pool_of_lists(lists) if rule.undefined in {"drop", "one"} else None
        found, undefined = decided(values, measure, rule, np.zeros(len(values), np.bool_), pool)
        return found, Names.of([str(lists.names[group]) for group in np.flatnonzero(undefined).tolist()])
    names = list(map(str, lists.names))
    one = measured(Match(_hits(lists, rule), pool_of_lists(lists), names, []), (measure,), rule)
    values = one.values if one.below is None else weighed(one.values[None], one.below[None])[0]
    return values[:, 0], Names.where(one.undefined[:, 0], names)


def _hits(lists: ItemLists, rule: Policy) -> Hits:
    """Every item is a judged document that was returned; inside ties, earlier items come first."""
    predicted, truth = (column.astype(np.float64, copy=False) for column in (lists.predicted, lists.truth))
    order, ranks = rank_all(lists.offsets, predicted)
    value, size = truth[order], np.diff(lists.offsets)
    hits = Hits(ranks.segment, ranks.rank, value, ranks.first, ranks.last, size)
    if rule.floor != "zero":
        return hits
    return replace(hits, value=np.where(predicted[order] > 0, value, 0.0), judged=value)


_FOLLOWED = {"negative", "fraction", "floor", "mean", "digits"}
"""Decisions that need the way on which runs are evaluated."""
