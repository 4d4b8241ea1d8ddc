"""What the runs return at the top: per query the documents, their judged values, and the weight of their rank in each run.

A measure is weights of ranks times gains of grades, where it is one: the form that has sharp bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from rankgauge.arrays import Flags, Floats, Ints
from rankgauge.data.judgments import Judgments, Run
from rankgauge.data.match import prepared
from rankgauge.data.policy import Policy
from rankgauge.errors import MeasureError
from rankgauge.evaluation.evaluate import list_runs
from rankgauge.evaluation.ranked import lists_of
from rankgauge.kernels.counting import relevant
from rankgauge.kernels.cumulated import weights_to
from rankgauge.kernels.curves import rbp as patience_weights
from rankgauge.measures.catalogue import RELEVANCE
from rankgauge.measures.measure import Measure

Weights = Callable[[int], Floats]
Worth = Callable[[Floats], Floats]
SHARP = ("nDCG", "DCG", "RBP", "P")


@dataclass(frozen=True)
class Weighing:
    """weight(rank) · gain(grade), summed; nDCG divides by the ideal sum, P without a cutoff by the documents returned."""

    weights: Weights
    """Of ranks 1 … n."""
    gain: Worth
    levels: Floats
    """0 and every grade that a document may have, rising."""
    has_ideal: bool
    per_returned: bool

    @property
    def top(self) -> float:
        return float(self.gain(self.levels[-1:])[0])

    @property
    def steps(self) -> Floats:
        """By how much the gain grows at each level above 0."""
        return np.diff(self.gain(self.levels))

    def judged_at(self, values: Floats) -> Ints:
        """How many of these judged values reach each level above 0."""
        return np.count_nonzero(values[:, None] >= self.levels[1:], axis=0)


def unweighted(top: float) -> Weighing:
    """Every rank alike: where bounds are not sharp, only which documents are where is of use."""
    return Weighing(np.ones, np.zeros_like, np.array([0.0, top]), has_ideal=False, per_returned=False)


def weighing_of(measure: Measure, grades: Floats, top: float, depth: int) -> Weighing:
    """The weights and gains of a measure with sharp bounds, checked on ranks down to `depth`.

    `grades` are those of the judgments and `top` the highest that an unjudged document may get.
    """
    name, settings, cutoff = measure.definition.name, measure.settings, measure.cutoff
    levels = np.unique(np.concatenate((np.maximum(grades, 0.0), [0.0, top])))
    if settings.get("relevance", RELEVANCE.default) != RELEVANCE.default:
        raise MeasureError(f"{measure}: bounds need relevance=identity")
    if name in {"nDCG", "DCG"}:
        weights, worth = _cumulated(measure)
    elif name == "RBP":
        weights, worth = _patient(measure, grades, top)
    else:
        weights, worth = _counted(measure)
    gains, weighed = worth(levels), weights(depth)
    rises = name == "nDCG" and np.any(weighed[1:] > weighed[:-1])
    if gains[0] != 0 or np.any(np.diff(gains) < 0) or rises:
        raise MeasureError(
            f"{measure}: bounds need gains that grow with the grade from 0 on"
            + (", and weights that do not rise with the rank" if rises else "")
        )
    return Weighing(weights, worth, levels, name == "nDCG", name == "P" and cutoff is None)


def _cumulated(measure: Measure) -> tuple[Weights, Worth]:
    cutoff = None if measure.cutoff is None else int(measure.cutoff)
    gain, discount = measure.settings["gain"], measure.settings["discount"]
    return (
        lambda count: weights_to(count, cutoff, discount),
        lambda values: np.asarray(gain(np.maximum(values, 0.0)), np.float64),
    )


def _counted(measure: Measure) -> tuple[Weights, Worth]:
    cutoff, rel = measure.cutoff, measure.settings["rel"]

    def weights(count: int) -> Floats:
        return np.ones(count) if cutoff is None else (np.arange(1, count + 1) <= cutoff) / cutoff

    return weights, lambda values: relevant(values, rel).astype(np.float64)


def _patient(measure: Measure, grades: Floats, top: float) -> tuple[Weights, Worth]:
    settings, cutoff = measure.settings, measure.cutoff
    rel, highest, patience = settings["rel"], settings["max"], settings["p"]
    largest = float(np.maximum(grades, 0.0).max(initial=0.0))
    if rel is None:
        if highest == "query":
            raise MeasureError("bounds need one highest grade for all queries; use max=judgments or a number")
        if highest == "judgments" and top > largest:
            raise MeasureError(
                f"{measure} divides by the highest judged grade, {largest:g}, which a grade of {top:g} would change\n"
                f"Name the highest grade, as in RBP(max={top:g})."
            )
    limit = largest if highest in {"judgments", "query"} else float(highest)
    if rel is None and limit < top:
        raise MeasureError(f"max={limit:g} is below the highest grade, {top:g}\nGive the highest grade there is.")

    def weights(count: int) -> Floats:
        found = (1 - patience) * patience_weights(np.arange(1, count + 1, dtype=np.float64), None, patience)
        if cutoff is not None:
            found[int(cutoff) :] = 0.0
        return found

    def worth(values: Floats) -> Floats:
        known = np.maximum(values, 0.0)
        if rel is not None:
            return (known >= rel).astype(np.float64)
        return known / limit if limit > 0 else np.zeros(len(known))

    return weights, worth


@dataclass(frozen=True)
class Top:
    """One query: documents among the first k of some run, with nan for the value of a hole."""

    query: str
    documents: list[str]
    value: Floats
    weight: Floats
    """Runs × documents; 0 where a run has not got the document."""
    has: Flags
    """Runs × documents: whether the run returned it there."""
    judged: Floats
    """All judged values of the query."""

    @property
    def is_hole(self) -> Flags:
        return np.isnan(self.value)


class Tops:
    """The first documents of several runs for every query: which run, which document, at which rank, judged or not."""

    def __init__(
        self, judgments: Judgments, runs: Sequence[Run], queries: Sequence[str], policy: Policy, depth: int | None
    ) -> None:
        table = prepared(judgments).table
        known = {
            query: table.number[slice(*ends)] for query, ends in zip(table.queries, pairwise(table.start), strict=True)
        }
        self.queries, self.runs = queries, len(runs)
        self.lists = lists_of(judgments, runs, queries, policy, depth)
        self.judged = [known.get(query, np.empty(0)) for query in queries]

    @property
    def longest(self) -> int:
        """An ideal list has at most so many documents: the judged ones of a query and its holes."""
        holes = np.concatenate(([0], np.cumsum(np.isnan(self.lists.value))))[self.lists.start]
        return max(map(len, self.judged), default=0) + int(np.diff(holes).max(initial=0))

    def each(self, weighing: Weighing) -> Iterator[Top]:
        """Every judged query, in the order of the judgments."""
        lists = self.lists
        weights = weighing.weights(max(int(lists.rank.max(initial=0)), 1))
        for query, (begin, end), judged in zip(self.queries, pairwise(lists.start.tolist()), self.judged, strict=True):
            run, texts = lists.run[begin:end], lists.documents[begin:end]
            place = {document: at for at, document in enumerate(dict.fromkeys(texts))}
            at = np.array([place[document] for document in texts], np.int64)
            weight, has = np.zeros((self.runs, len(place))), np.zeros((self.runs, len(place)), np.bool_)
            has[run, at] = True
            weight[run, at] = weights[lists.rank[begin:end] - 1]
            if weighing.per_returned:
                weight /= np.maximum(np.bincount(run, minlength=self.runs), 1)[:, None]
            known = np.full(len(place), np.nan)
            known[at] = lists.value[begin:end]
            yield Top(query, list(place), known, weight, has, judged)


def loaded(runs: Any, judged: Judgments | None = None) -> list[Run]:
    """Runs read into memory, for they are looked at more than once."""
    listed = list_runs(runs, judged)
    return [run if run.table.are_dicts else Run(run.table.load(), name=run.name) for run in listed]


def holes_of_pairs(tops: Sequence[Top], pairs: Ints) -> Ints:
    """How many holes the two runs of each pair have."""
    first, second = pairs.T
    shared = np.zeros((len(tops[0].has), len(tops[0].has)))
    for top in tops:
        has = top.has[:, top.is_hole].astype(np.float64)
        shared += has @ has.T
    own = np.diagonal(shared)
    return (own[first] + own[second] - shared[first, second]).astype(np.int64)
