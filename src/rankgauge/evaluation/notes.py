"""Notes: what a reader should know beside a mean, written once, at the end, from what was counted along the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from rankgauge.data.faults import FEW
from rankgauge.data.policy import Policy
from rankgauge.errors import PolicyError, plural
from rankgauge.evaluation.aggregates import Sum, total
from rankgauge.evaluation.columns import Columns
from rankgauge.kernels.hits import Pool, ratio
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import LOUD, NOUNS, SHOWN, Note, with_article

if TYPE_CHECKING:
    from rankgauge.arrays import Flags, Floats

Nouns = tuple[str, str]
MUCH = 0.05
"""A mean that ties alone could move by this much is not a statement about the system."""


class _Added:
    """What was counted in some queries and in others, added up field by field."""

    def __add__(self, other: Self) -> Self:
        def one(mine: Any, theirs: Any) -> Any:
            return tuple(map(one, mine, theirs)) if isinstance(mine, tuple) else mine + theirs

        pairs = ((getattr(self, field.name), getattr(other, field.name)) for field in fields(self))  # type: ignore[arg-type]
        return type(self)(*(one(*pair) for pair in pairs))


@dataclass(frozen=True)
class Names:
    """How many there are, and the first few of them; of two parts, the first in sorted order."""

    count: int = 0
    first: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Sequence[str]) -> Names:
        return cls(len(names), tuple(names[:SHOWN]))

    @classmethod
    def where(cls, chosen: Flags, names: Sequence[str]) -> Names:
        """Those of the chosen queries."""
        at = np.flatnonzero(chosen)
        return cls(len(at), tuple(names[query] for query in at[:SHOWN].tolist()))

    def __add__(self, other: Names) -> Names:
        return Names(self.count + other.count, tuple(sorted(self.first + other.first)[:SHOWN]))

    def __str__(self) -> str:
        return ", ".join(self.first) + (", …" if self.count > len(self.first) else "")


@dataclass(frozen=True, eq=False, repr=False)
class OfRun(_Added):
    """What was counted of one run. For each cutoff and for each measure, a tuple has its own entry."""

    answered: int
    missing: Names
    foreign: Names
    undefined: tuple[Names, ...]
    unjudged: tuple[tuple[float, int, float], ...]
    """Documents down to each cutoff that nobody judged, of how many; and the sum over queries of the share judged.

    While ties are open, the number of unjudged documents is an expected one and need not be whole.
    """
    tied: int
    """Groups of equal scores that hold a judged document."""
    spans: tuple[tuple[Sum, Sum], ...]
    """Each measure in the worst and in the best order inside ties; none where nothing is tied."""

    @classmethod
    def of(
        cls,
        found: Columns,
        queries: Sequence[str],
        measures: Sequence[Measure],
        weights: Floats | None,
        *,
        is_part: bool,
    ) -> OfRun:
        """A part of a run also counts what is of use only together with other parts."""
        has = found.retrieved > 0
        unjudged = []
        for cutoff, returned in found.returned.items():
            known = found.judged[cutoff]
            unjudged.append((total(returned - known), int(returned.sum()), total(ratio(known, returned)[returned > 0])))
        tied = int(found.ties.sum())
        spans = [
            tuple(Sum.of(side[:, at], measure.definition.aggregate, weights) for side in (found.worst, found.best))
            for at, measure in enumerate(measures)
            if tied or is_part
        ]
        return cls(
            int(np.count_nonzero(has)),
            Names.where(~has, queries),
            Names.of(found.foreign),
            tuple(Names.where(column, queries) for column in found.undefined.T),
            tuple(unjudged),
            tied,
            tuple(spans),  # type: ignore[arg-type]
        )

    def refuse(self, system: str, measures: Sequence[Measure], policy: Policy) -> None:
        """What the policy says is an error."""
        refuse_missing(system, self.missing, policy)
        for measure, undefined in zip(measures, self.undefined, strict=True):
            refuse_undefined(measure, undefined, policy)

    def notes(self, system: str, measures: Sequence[Measure], policy: Policy, nouns: Nouns = NOUNS) -> list[Note]:
        query, document = nouns
        notes = []
        if self.missing.count:
            counted = "left out" if policy.missing == "drop" else "counted as 0"
            text = f"{plural(self.missing.count, f'judged {query}')} missing from the run, {counted} ({self.missing})"
            examples = self.missing.first
            notes.append(Note("missing-queries", f"{system}: {text}", self.missing.count, system, examples=examples))
        if self.foreign.count:
            counted = {"zero": "counted as 0", "undefined": "counted as undefined"}.get(policy.extra or "", "ignored")
            text = f"{plural(self.foreign.count, query)} of the run without judgments, {counted} ({self.foreign})"
            examples = self.foreign.first
            notes.append(Note("unjudged-queries", f"{system}: {text}", self.foreign.count, system, examples=examples))
        cutoffs = dict.fromkeys(measure.cutoff for measure in measures if isinstance(measure.cutoff, int))
        for cutoff, (unjudged, returned, shares) in zip(cutoffs, self.unjudged, strict=False):
            count = round(unjudged)
            if not count:
                continue
            text = (
                f"{system}: {count / returned:.1%} of the {document}s in the top {cutoff} are unjudged"
                f" (Judged@{cutoff} = {shares / self.answered:.4f})"
            )
            if count == returned and self.answered < FEW:  # of more queries, `evaluate` refuses strangers
                text += f"; are {document} ids written the same way in judgments and run?"
            about = f"Judged@{cutoff}"
            notes.append(Note("unjudged-documents", text, count, system, about, severity=count / returned))
        # For each measure that ties can move: from where to where, worst to best order.
        for measure, (worst, best) in zip(measures, self.spans if self.tied else (), strict=False):
            low, high = worst.aggregate(), best.aggregate()
            if f"{low:.4f}" == f"{high:.4f}":
                continue
            text = f"ties could change {measure} from {low:.4f} (worst order) to {high:.4f} (best order)"
            text = f"{LOUD if abs(high - low) >= MUCH else ''}{system}: {text}"
            notes.append(Note("ties", text, self.tied, system, str(measure), severity=abs(high - low)))
        return notes


@dataclass(frozen=True, eq=False, repr=False)
class OfJudgments(_Added):
    """What was counted of the judgments: negative values, and for each measure queries of which something is odd."""

    negative: int
    barren: tuple[Names, ...]
    """Those without a document that the measure calls relevant."""
    split: tuple[Names, ...]
    """Those in which equal values lie on both sides of a tier boundary."""

    @classmethod
    def of(cls, pool: Pool, names: Sequence[str], measures: Sequence[Measure]) -> OfJudgments:
        best = np.zeros(pool.queries)
        filled = pool.judged > 0
        best[filled] = pool.value[pool.start[:-1][filled]]
        levels = [measure.settings.get("rel") for measure in measures]
        barren = {rel: Names.where(best <= 0 if rel is None else best < rel, names) for rel in dict.fromkeys(levels)}
        split = tuple(split_tiers(pool, names, measure) for measure in measures)
        return cls(int(np.sum(pool.value < 0)), tuple(barren[rel] for rel in levels), split)

    def notes(self, measures: Sequence[Measure], policy: Policy, nouns: Nouns = NOUNS) -> list[Note]:
        notes = []
        if self.negative:
            words = {"keep": "counted as they are by graded measures", "drop": f"their {nouns[1]}s left out"}
            counted = words.get(policy.negative or "", "counted as 0 by graded measures and as not relevant")
            text = f"{plural(self.negative, 'judged value')} below 0, {counted}"
            notes.append(Note("negative-values", text, self.negative))
        # One note for each set of queries; a higher threshold of relevance may leave the same ones without any.
        groups: dict[int, list[int]] = {}
        for at in sorted(range(len(self.barren)), key=lambda at: measures[at].settings.get("rel") or 0.0):
            groups.setdefault(self.barren[at].count, []).append(at)
        for count, places in groups.items():
            if not count:
                continue
            rel, barren = measures[places[0]].settings.get("rel"), self.barren[places[0]]
            of = [measures[at] for at in sorted(places)]
            rules = "".join({policy.undefined or measure.definition.undefined for measure in of})
            words = {"zero": "counted as 0", "one": "counted as 1"}
            counted, names = words.get(rules, "left out where a measure is undefined"), ", ".join(map(str, of))
            what = f"a relevant {nouns[1]}" if rel is None else f"{with_article(nouns[1])} judged {rel:g} or higher"
            text = f"{plural(count, nouns[0])} without {what}, {counted} ({barren})"
            text = text if rel is None else f"{names}: {text}"
            about = names if rel is not None and len(of) == 1 else None
            notes.append(Note("no-relevant-documents", text, count, measure=about, examples=barren.first))
        tiers = [one for one in zip(measures, self.split, strict=True) if one[1].count]
        return notes + [
            about_tiers(measure, some, f"{plural(some.count, nouns[0])} ({some})") for measure, some in tiers
        ]


def added(parts: Sequence[Any]) -> Any:
    """What was counted in all parts."""
    return reduce(add, parts)


def split_tiers(pool: Pool, names: Sequence[str], measure: Measure) -> Names:
    """The queries in which equal values lie on both sides of a boundary of the measure's tiers."""
    curve = measure.settings.get("relevance")
    if curve is None or curve.name != "tiers":
        return Names()
    from rankgauge.kernels.curves import split_by_tiers

    return Names.where(split_by_tiers(pool, *curve.arguments), names)


def about_tiers(measure: Measure, queries: Names, where: str) -> Note:
    text = f"equal values lie on both sides of a tier boundary in {where}; they share the mean of the tiers they span"
    about = str(measure)
    return Note("tied-tiers", f"{measure}: {text}", queries.count, measure=about, examples=queries.first)


def about_table(remark: Note, system: str | None = None) -> Note:
    """What the reader of a file remarked."""
    return Note(remark.kind, f"{remark.origin}: {remark.text}", remark.count, system, examples=remark.places)


def about_policy(measures: Sequence[Measure], own: Policy, usual: Policy) -> Note | None:
    """Where a tool decides otherwise for some of its measures."""
    ours, theirs = usual.to_dict(), own.to_dict()
    changed = [f"{name}={theirs.get(name)}" for name in ours | theirs if theirs.get(name) != ours.get(name)]
    if not changed:
        return None
    return Note("policy", f"other policy for {', '.join(map(str, measures))}: {', '.join(changed)}", len(measures))


def refuse_missing(system: str, missing: Names, policy: Policy) -> None:
    if policy.missing == "error" and missing.count:
        raise PolicyError(
            f'{system} lacks {plural(missing.count, "judged query")} ({missing}), and missing="error" forbids it.'
        )


def refuse_undefined(measure: Measure, undefined: Names, policy: Policy) -> None:
    if undefined.count and (policy.undefined or measure.definition.undefined) == "error":
        raise PolicyError(
            f"{measure} is undefined on {plural(undefined.count, 'query')}, the first {undefined.first[0]}, "
            'and undefined="error" forbids it.'
        )
