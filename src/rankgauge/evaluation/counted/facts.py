"""What was counted while scoring: parts of it, from blocks of queries, add up to the whole; the whole becomes notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rankgauge.data.policy import Policy
from rankgauge.data.tables.faults import FEW
from rankgauge.errors import PolicyError, plural
from rankgauge.evaluation.aggregates import Sum, total
from rankgauge.evaluation.counted.plan import Plan
from rankgauge.kernels.hits import Pool, counted, ratio
from rankgauge.measures.curves import Curve
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import LOUD, NOUNS, SHOWN, Note, with_article

if TYPE_CHECKING:
    from rankgauge.arrays import Flags

_COUNTED = {"zero": "counted as 0", "one": "counted as 1"}
Nouns = tuple[str, str]
MUCH = 0.05
"""A mean that ties alone could move by this much is not a statement about the system."""


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


@dataclass(frozen=True)
class Unjudged:
    """Documents above a cutoff: how many nobody judged, of how many; the sum over queries of the share judged.

    While ties are open, the number of unjudged documents is an expected one and need not be whole.
    """

    cutoff: int
    unjudged: float
    returned: int
    shares: float

    def __add__(self, other: Unjudged) -> Unjudged:
        return Unjudged(
            self.cutoff,
            self.unjudged + other.unjudged,
            self.returned + other.returned,
            self.shares + other.shares,
        )


@dataclass(frozen=True)
class Span:
    """A measure in the worst and in the best order inside ties."""

    worst: Sum
    best: Sum

    def __add__(self, other: Span) -> Span:
        return Span(self.worst + other.worst, self.best + other.best)


@dataclass(frozen=True)
class RunFacts:
    """One run: judged queries that it lacks, queries that it alone has, where each measure is undefined."""

    answered: int
    missing: Names
    foreign: Names
    undefined: tuple[Names, ...]
    unjudged: tuple[Unjudged, ...]
    tied: int
    """Groups of equal scores that hold a judged document."""
    spans: tuple[Span, ...]
    """One per measure; none where they are not needed, since nothing is tied."""

    def __add__(self, other: RunFacts) -> RunFacts:
        return RunFacts(
            self.answered + other.answered,
            self.missing + other.missing,
            self.foreign + other.foreign,
            tuple(a + b for a, b in zip(self.undefined, other.undefined, strict=True)),
            tuple(a + b for a, b in zip(self.unjudged, other.unjudged, strict=True)),
            self.tied + other.tied,
            tuple(a + b for a, b in zip(self.spans, other.spans, strict=True)),
        )

    def refuse(self, system: str, measures: Sequence[Measure], policy: Policy) -> None:
        """What the policy says is an error."""
        refuse_missing(system, self.missing, policy)
        for measure, undefined in zip(measures, self.undefined, strict=True):
            refuse_undefined(measure, undefined, policy)

    def notes(self, system: str, measures: Sequence[Measure], policy: Policy, nouns: Nouns = NOUNS) -> list[Note]:
        return [
            *self._about_queries(system, policy, nouns[0]),
            *self._about_documents(system, nouns[1]),
            *self._about_ties(system, measures),
        ]

    def _about_queries(self, system: str, policy: Policy, query: str) -> list[Note]:
        notes = []
        if self.missing.count:
            counted = "left out" if policy.missing == "drop" else "counted as 0"
            text = f"{system}: {plural(self.missing.count, f'judged {query}')} missing from the run, {counted} ({self.missing})"
            notes.append(Note("missing-queries", text, self.missing.count, system, examples=self.missing.first))
        if self.foreign.count:
            told = {"zero": "counted as 0", "undefined": "counted as undefined"}.get(policy.extra or "", "ignored")
            text = (
                f"{system}: {plural(self.foreign.count, query)} of the run without judgments, {told} ({self.foreign})"
            )
            notes.append(Note("unjudged-queries", text, self.foreign.count, system, examples=self.foreign.first))
        return notes

    def _about_documents(self, system: str, document: str) -> list[Note]:
        notes = []
        for seen in self.unjudged:
            count = round(seen.unjudged)
            if count:
                text = (
                    f"{system}: {count / seen.returned:.1%} of the {document}s in the top {seen.cutoff} are unjudged"
                    f" (Judged@{seen.cutoff} = {seen.shares / self.answered:.4f})"
                )
                if count == seen.returned and self.answered < FEW:  # of more queries, `evaluate` refuses strangers
                    text += f"; are {document} ids written the same way in judgments and run?"
                share = count / seen.returned
                notes.append(Note("unjudged-documents", text, count, system, f"Judged@{seen.cutoff}", severity=share))
        return notes

    def _about_ties(self, system: str, measures: Sequence[Measure]) -> list[Note]:
        """For each measure that ties can move: from where to where, worst to best order."""
        if not self.tied:
            return []
        notes = []
        for measure, span in zip(measures, self.spans, strict=True):
            low, high = span.worst.aggregate(), span.best.aggregate()
            if f"{low:.4f}" == f"{high:.4f}":
                continue
            loud = LOUD if abs(high - low) >= MUCH else ""
            text = (
                f"{loud}{system}: ties could change {measure} from {low:.4f} (worst order) to {high:.4f} (best order)"
            )
            notes.append(Note("ties", text, self.tied, system, str(measure), severity=abs(high - low)))
        return notes


@dataclass(frozen=True)
class PoolFacts:
    """The judgments: negative values, and for each measure the queries without a document that it calls relevant."""

    negative: int
    barren: tuple[Names, ...]
    split: tuple[Names, ...]
    """For each measure, the queries in which equal values lie on both sides of a tier boundary."""

    def __add__(self, other: PoolFacts) -> PoolFacts:
        barren = tuple(a + b for a, b in zip(self.barren, other.barren, strict=True))
        split = tuple(a + b for a, b in zip(self.split, other.split, strict=True))
        return PoolFacts(self.negative + other.negative, barren, split)

    def notes(self, measures: Sequence[Measure], policy: Policy, nouns: Nouns = NOUNS) -> list[Note]:
        notes = []
        if self.negative:
            words = {"keep": "counted as they are by graded measures", "drop": f"their {nouns[1]}s left out"}
            counted = words.get(policy.negative or "", "counted as 0 by graded measures and as not relevant")
            text = f"{plural(self.negative, 'judged value')} below 0, {counted}"
            notes.append(Note("negative-values", text, self.negative))
        divided = [one for one in zip(measures, self.split, strict=False) if one[1].count]
        tiers = [about_tiers(measure, some, f"{plural(some.count, nouns[0])} ({some})") for measure, some in divided]
        return notes + self._about_barren(measures, policy, nouns) + tiers

    def _about_barren(self, measures: Sequence[Measure], policy: Policy, nouns: Nouns) -> list[Note]:
        """One note for each set of queries; a higher threshold of relevance may leave the same ones without any."""
        groups: dict[int, list[int]] = {}
        for at in sorted(range(len(self.barren)), key=lambda at: measures[at].settings.get("rel") or 0.0):
            groups.setdefault(self.barren[at].count, []).append(at)
        notes = []
        for count, places in groups.items():
            if not count:
                continue
            rel, barren = measures[places[0]].settings.get("rel"), self.barren[places[0]]
            of = [measures[at] for at in sorted(places)]
            rule = {policy.undefined or measure.definition.undefined for measure in of}
            counted = _COUNTED.get("".join(rule), "left out where a measure is undefined")
            names = ", ".join(map(str, of))
            what = f"a relevant {nouns[1]}" if rel is None else f"{with_article(nouns[1])} judged {rel:g} or higher"
            text = f"{plural(count, nouns[0])} without {what}, {counted} ({barren})"
            text = text if rel is None else f"{names}: {text}"
            about = names if rel is not None and len(of) == 1 else None
            notes.append(Note("no-relevant-documents", text, count, measure=about, examples=barren.first))
        return notes


def about_tiers(measure: Measure, queries: Names, where: str) -> Note:
    text = (
        f"{measure}: equal values lie on both sides of a tier boundary in {where}; "
        "they share the mean of the tiers they span"
    )
    return Note("tied-tiers", text, queries.count, measure=str(measure), examples=queries.first)


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


def about_table(remark: Note, system: str | None = None) -> Note:
    """What the reader of a file remarked."""
    return Note(remark.kind, f"{remark.origin}: {remark.text}", remark.count, system, examples=remark.places)


def look_at_unjudged(plan: Plan, measures: Sequence[Measure], runs: int = 1) -> list[tuple[Unjudged, ...]]:
    """Once per cutoff, the documents above it that nobody judged, of each of the runs that the plan holds."""
    if plan.policy.unjudged == "drop":
        return [()] * runs
    hits = plan.under(plan.policy.ties or "document")
    retrieved = hits.retrieved.reshape(runs, -1)
    answered = retrieved > 0
    found = []
    for cutoff in dict.fromkeys(measure.cutoff for measure in measures if isinstance(measure.cutoff, int)):
        known, returned = counted(hits, cutoff).reshape(runs, -1), np.minimum(retrieved, cutoff)
        unjudged, share = returned - known, ratio(known, returned)
        found.append(
            [
                Unjudged(cutoff, total(unjudged[run]), int(returned[run].sum()), total(share[run][mask]))
                for run, mask in enumerate(answered)
            ]
        )
    return list(zip(*found, strict=True)) if found else [()] * runs


def look_at_pool(pool: Pool, names: Sequence[str], measures: Sequence[Measure]) -> PoolFacts:
    """Negative grades and queries without a relevant document: facts of the judgments alone."""
    best = np.zeros(pool.queries)
    filled = pool.judged > 0
    best[filled] = pool.value[pool.start[:-1][filled]]

    def barren(rel: float | None) -> Names:
        return Names.where(best <= 0 if rel is None else best < rel, names)

    levels = [measure.settings.get("rel") for measure in measures]
    found = {rel: barren(rel) for rel in dict.fromkeys(levels)}
    split = tuple(look_at_tiers(pool, names, measures))
    return PoolFacts(int(np.sum(pool.value < 0)), tuple(found[rel] for rel in levels), split)


def look_at_tiers(pool: Pool, names: Sequence[str], measures: Sequence[Measure]) -> list[Names]:
    """For each measure, the queries in which equal values lie on both sides of a tier boundary."""
    curves = [measure.settings.get("relevance") for measure in measures]
    return [_split(pool, names, curve) if curve is not None and curve.name == "tiers" else Names() for curve in curves]


def _split(pool: Pool, names: Sequence[str], tiers: Curve) -> Names:
    from rankgauge.kernels.curves import split_by_tiers

    return Names.where(split_by_tiers(pool, *tiers.arguments), names)
