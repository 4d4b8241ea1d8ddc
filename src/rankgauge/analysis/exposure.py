"""What do recommendations show beside being right? Coverage of the catalog, popularity bias, novelty, similarity.

Coverage and the Gini index belong to a whole run: they count items over all users, and have no value of one user. Novelty
and the similarity within a list are means over users, with intervals, and can be compared like any score.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from rankgauge.arrays import Floats, Ints
from rankgauge.data import faults
from rankgauge.data.about import items_of, unit_vectors
from rankgauge.data.faults import some_ids
from rankgauge.data.judgments import Judgments, Run, runs_of, table_of
from rankgauge.data.match import repeated_rows
from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError, plural
from rankgauge.evaluation.intervals import mean_interval
from rankgauge.evaluation.ranked import best_first
from rankgauge.tables import Plain, Shown
from rankgauge.tables.notes import SHOWN, Note, gathered, noted, visible
from rankgauge.tables.table import Cell, Column, Estimate, Table, number

if TYPE_CHECKING:
    import polars as pl

_BLOCK = 1 << 13
"""Users whose unit vectors are added at once."""


@dataclass(frozen=True, slots=True)
class SystemExposure(Plain):
    """One system. `coverage` is the share of the catalog that some user is shown, `gini` how unequally items are shown:
    0 where all are shown equally often, near 1 where a few take all places.
    """

    name: str
    users: int
    shown: int
    coverage: float
    gini: float
    novelty: Estimate | None
    """Mean self-information of the items in a list, in bits: −log2 of the share of users in the history who know an item."""
    similarity: Estimate | None
    """Mean cosine over the pairs of items in a list."""


@dataclass(frozen=True, repr=False)
class Exposure(Shown):
    """What each system shows in the first `cutoff` places; `catalog` is the number of items that there are."""

    _json_names: ClassVar = {"per_user": None}

    cutoff: int
    catalog: int
    confidence: float
    systems: tuple[SystemExposure, ...]
    notes: tuple[Note, ...]
    per_user: dict[str, dict[str, dict[str, float]]]
    """Values of novelty and similarity: measure → system → user."""

    def to_polars(self) -> pl.DataFrame:
        """Novelty and similarity of every user in the form that `compare` takes: columns system, query and the measures."""
        import polars as pl

        if not self.per_user:
            raise UsageError("nothing here has a value for each user; give history or features of items")
        first = next(iter(self.per_user.values()))
        pairs = [(system, user) for system, values in first.items() for user in values]
        columns = {name: [by[system].get(user) for system, user in pairs] for name, by in self.per_user.items()}
        return pl.DataFrame({"system": [one for one, _ in pairs], "query": [one for _, one in pairs], **columns})

    def table(self) -> Table:
        """Systems in the order given."""
        at = f"@{self.cutoff}"
        means = [name for name in ("novelty", "similarity") if self.per_user.get(name)]
        columns = (
            *(Column("system"), number(f"coverage{at}"), number(f"Gini{at}")),
            *(number(f"{name}{at}") for name in means),
        )
        rows: list[tuple[Cell, ...]] = [
            (one.name, one.coverage, one.gini, *(getattr(one, name) for name in means)) for one in self.systems
        ]
        words = {
            "novelty": "novelty: mean self-information in bits, higher for items that fewer users know",
            "similarity": "similarity: mean cosine of the pairs of items in a list, lower for more diverse lists",
        }
        told = [words[name] for name in means]
        if means:
            told.append(f"in brackets: {100 * self.confidence:g}% intervals of the mean over users (t)")
        users = sorted({one.users for one in self.systems})
        many = plural(users[-1], "user") if len(users) == 1 else f"{users[0]:,} to {users[-1]:,} users"
        caption = f"what {many} see of {plural(self.catalog, 'item')} in the first {self.cutoff} places"
        return Table(columns, tuple(rows), caption, (*told, *gathered(self.notes)), gap=1)

    def wide_table(self) -> Table:
        """Every number, with the bounds of intervals in columns: for other programs."""
        rows = []
        for one in self.systems:
            found = one.to_dict()
            for name in ("novelty", "similarity"):
                found |= {f"{name}_{side}": (found[name] or {}).get(side) for side in ("low", "high")}
                found[name] = (found[name] or {}).get("value")
            rows.append(found)
        columns = tuple(Column("system") if name == "name" else number(name) for name in rows[0])
        return Table(columns, tuple(tuple(row.values()) for row in rows))

    def __repr__(self) -> str:
        return visible(f"Exposure({', '.join(f'{one.name}: coverage {one.coverage:.3f}' for one in self.systems)})")


def exposure(
    runs: Any,
    *,
    history: Any = None,
    items: Any = None,
    features: str | None = None,
    cutoff: int = 10,
    confidence: float = 0.95,
) -> Exposure:
    """Measure what recommendations show beside being right."""
    if features is not None and items is None:
        raise UsageError("features names a column of items; give items, too")
    tops = {run.name: _top(run, cutoff) for run in runs_of(runs)}
    if not tops:
        raise UsageError("no run was given; give at least one")
    catalog = _Catalog([top.documents for top in tops.values()], history, items, features)
    shown = {name: _Lists.of(top, catalog) for name, top in tops.items()}
    values = {name: _values(lists, catalog) for name, lists in shown.items()}
    systems = [_system(name, shown[name], len(catalog.ids), values[name], confidence) for name in tops]
    notes = catalog.notes(
        list(shown.values()), [found["similarity"] for found in values.values() if "similarity" in found]
    )
    per_user: dict[str, dict[str, dict[str, float]]] = {}
    for name, columns in values.items():
        for measure, column in columns.items():
            known = zip(shown[name].users, column.tolist(), strict=True)
            per_user.setdefault(measure, {})[name] = {user: value for user, value in known if not math.isnan(value)}
    return Exposure(cutoff, len(catalog.ids), confidence, tuple(systems), tuple(notes), per_user)


class _Top(NamedTuple):
    """The first documents of each user, the rows of a user together; users by name."""

    users: list[str]
    user: Ints
    documents: pl.Series


def _top(run: Run, cutoff: int) -> _Top:
    table = table_of(run.table)
    if fault := repeated_rows(table):
        raise fault.error()
    if not len(table.number):
        raise faults.no_rows(run.table).error()
    table = best_first(run, Policy(), cutoff)
    names, size = list(table.queries), table.size
    there = sorted(np.flatnonzero(size).tolist(), key=names.__getitem__)
    code = np.zeros(len(names), np.int64)
    code[there] = np.arange(len(there))
    user = np.repeat(code, size)
    by = np.argsort(user, kind="stable")
    return _Top([names[at] for at in there], user[by], table.ids.column.as_texts.at(by))


class _Catalog:
    """Every item that is known, by number, with its self-information and its row of features."""

    def __init__(self, shown: Sequence[pl.Series], history: Any, items: Any, features: str | None) -> None:
        import polars as pl

        past = None if history is None else _past(history)
        listed = {} if items is None else items_of(items, features)
        self.is_given = history is not None or items is not None
        known = [pl.Series(list(listed), dtype=pl.String), *([] if past is None else [past["document"]]), *shown]
        self.ids: pl.Series = pl.concat(known).unique(maintain_order=True)
        self.numbers = pl.DataFrame({"document": self.ids, "item": np.arange(len(self.ids))})
        self.self_information: Floats | None = None
        if past is not None:
            users = np.bincount(self.numbered(past["document"]), minlength=len(self.ids))
            self.unknown = users == 0
            self.self_information = -np.log2(np.maximum(users, 1) / past["query"].n_unique())
        self.units: Floats | None = None
        if any(given is not None for given in listed.values()):
            rows, self.units = unit_vectors(listed)
            self.row = np.full(len(self.ids), -1)
            self.row[self.numbered(pl.Series(list(rows), dtype=pl.String))] = list(rows.values())

    def numbered(self, documents: pl.Series) -> Ints:
        import polars as pl

        found = pl.DataFrame({"document": documents}).join(
            self.numbers, on="document", how="left", maintain_order="left"
        )
        return found["item"].to_numpy()

    def notes(self, shown: Sequence[_Lists], similarity: Sequence[Floats]) -> list[Note]:
        """What a reader must know of the numbers; of items, those that some system shows."""
        found: list[Note] = []
        items = np.unique(np.concatenate([lists.item for lists in shown]))
        if not self.is_given:
            size = plural(len(self.ids), "item")
            text = f"the catalog is what the systems recommend, {size}; give items for its true size"
            found.append(noted("no-catalog", text))
        if self.self_information is not None:
            text = "without history {verb} as known to one user"
            found += self._about("no-history", items[self.unknown[items]], "item", text, ("counts", "count"))
        if self.units is not None:
            text = "{verb} no features and {be} left out of the similarity"
            found += self._about("no-features", items[self.row[items] < 0], "recommended item", text, ("has", "have"))
        short = sum(int(np.isnan(values).sum()) for values in similarity)
        if short:
            verb = "has" if short == 1 else "have"
            text = f"{plural(short, 'list')} with fewer than two items with features {verb} no similarity"
            found.append(noted("short-lists", text, None, short))
        return found

    def _about(self, kind: str, items: Ints, noun: str, text: str, verbs: tuple[str, str]) -> list[Note]:
        if not len(items):
            return []
        names, many = self.ids[items[:SHOWN]].to_list(), len(items) > 1
        words = text.format(verb=verbs[many], be=("is", "are")[many])
        return [noted(kind, f"{plural(len(items), noun)} {words} ({some_ids(names)})", None, len(items), tuple(names))]


@dataclass(frozen=True)
class _Lists:
    """The items of each user by number, the rows of a user together."""

    users: list[str]
    item: Ints
    user: Ints

    @classmethod
    def of(cls, top: _Top, catalog: _Catalog) -> _Lists:
        return cls(top.users, catalog.numbered(top.documents), top.user)


def _values(lists: _Lists, catalog: _Catalog) -> dict[str, Floats]:
    """Novelty and similarity of every user, where there is what they need."""
    found: dict[str, Floats] = {}
    if catalog.self_information is not None:
        total = np.bincount(lists.user, catalog.self_information[lists.item], len(lists.users))
        found["novelty"] = total / np.bincount(lists.user, minlength=len(lists.users))
    if catalog.units is not None:
        row = catalog.row[lists.item]
        found["similarity"] = _similarity(catalog.units, row[row >= 0], lists.user[row >= 0], len(lists.users))
    return found


def _similarity(units: Floats, row: Ints, user: Ints, users: int) -> Floats:
    """Mean cosine over the pairs of a list: the sum of its unit vectors has the squared length m + 2·Σ cosine."""
    size = np.bincount(user, minlength=users)
    squared = np.zeros(users)
    first = np.flatnonzero(np.diff(user, prepend=-1))
    for start in range(0, len(first), _BLOCK):
        block = first[start : start + _BLOCK]
        end = first[start + _BLOCK] if start + _BLOCK < len(first) else len(row)
        total = np.add.reduceat(units[row[block[0] : end]], block - block[0])
        squared[user[block]] = np.square(total).sum(axis=1)
    pairs = size * (size - 1)
    return np.where(pairs > 0, (squared - size) / np.maximum(pairs, 1), np.nan)


def _system(name: str, lists: _Lists, catalog: int, values: dict[str, Floats], confidence: float) -> SystemExposure:
    times = np.sort(np.bincount(lists.item, minlength=catalog))
    weights = 2 * np.arange(1, catalog + 1) - catalog - 1
    gini = float(weights @ times) / (catalog * int(times.sum()))
    shown = int((times > 0).sum())
    means = {measure: _mean(column, confidence) for measure, column in values.items()}
    novelty, similarity = means.get("novelty"), means.get("similarity")
    return SystemExposure(name, len(lists.users), shown, shown / catalog, gini, novelty, similarity)


def _mean(values: Floats, confidence: float) -> Estimate:
    found = mean_interval(values[np.newaxis], confidence=confidence)
    return Estimate(float(found.mean[0]), float(found.low[0]), float(found.high[0]))


def _past(history: Any) -> pl.DataFrame:
    """Who knew what; it does not matter how often."""
    judged = history if isinstance(history, Judgments) else Judgments(history, name="history", duplicates="best")
    rows = judged.to_polars().select("query", "document").unique(maintain_order=True)
    if not len(rows):
        raise faults.no_rows(judged.table).error()
    return rows
