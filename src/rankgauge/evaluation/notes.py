"""Notes: what a reader should know beside a mean, written once, at the end, from what was counted along the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rankgauge.data.faults import FEW
from rankgauge.data.policy import Policy
from rankgauge.errors import PolicyError, plural
from rankgauge.evaluation.aggregates import Sum
from rankgauge.kernels.hits import Pool
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import LOUD, NOUNS, SHOWN, Note, with_article

if TYPE_CHECKING:
    from rankgauge.arrays import Flags

Nouns = tuple[str, str]
COUNTED_AS = {"zero": 0.0, "one": 1.0}
"""What an undefined value counts; under any other rule it is left out."""
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
        at = np.flatnonzero(chosen).tolist()
        return cls(len(at), tuple([names[query] for query in at[:SHOWN]]))

    def __add__(self, other: Names) -> Names:
        return Names(self.count + other.count, tuple(sorted(self.first + other.first)[:SHOWN]))

    def __str__(self) -> str:
        return ", ".join(self.first) + (", …" if self.count > len(self.first) else "")


class OfRun(NamedTuple):
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

    def notes(self, system: str, measures: Sequence[Measure], policy: Policy, nouns: Nouns = NOUNS) -> list[Note]:
        """What is to be said, unless the policy calls it an error."""
        refuse(system, policy, self.missing, zip(measures, self.undefined, strict=True))
        query, document = nouns
        notes = []
        left_out = "left out" if policy.missing == "drop" else "counted as 0"
        extra = {"zero": "counted as 0", "undefined": "counted as undefined"}.get(policy.extra or "", "ignored")
        for kind, names, noun, words in (
            ("missing-queries", self.missing, f"judged {query}", f"missing from the run, {left_out}"),
            ("unjudged-queries", self.foreign, query, f"of the run without judgments, {extra}"),
        ):
            if names.count:
                text = f"{system}: {plural(names.count, noun)} {words} ({names})"
                notes.append(Note(kind, text, names.count, system, examples=names.first))
        cutoffs = dict.fromkeys([measure.cutoff for measure in measures if isinstance(measure.cutoff, int)])
        for cutoff, (unjudged, returned, shares) in zip(cutoffs, self.unjudged, strict=False):
            if count := round(unjudged):
                about, odd = (
                    f"Judged@{cutoff}",
                    f"{count / returned:.1%} of the {document}s in the top {cutoff} are unjudged",
                )
                text = f"{system}: {odd} ({about} = {shares / self.answered:.4f})"
                if count == returned and self.answered < FEW:  # of more queries, `evaluate` refuses strangers
                    text += f"; are {document} ids written the same way in judgments and run?"
                notes.append(Note("unjudged-documents", text, count, system, about, severity=count / returned))
        for measure, span in zip(measures, self.spans if self.tied else (), strict=False):
            low, high = (side.aggregate() for side in span)
            if f"{low:.4f}" != f"{high:.4f}":
                loud, moved = LOUD if abs(high - low) >= MUCH else "", f"from {low:.4f} (worst order) to {high:.4f}"
                text = f"{loud}{system}: ties could change {measure} {moved} (best order)"
                notes.append(Note("ties", text, self.tied, system, str(measure), severity=abs(high - low)))
        return notes


class OfJudgments(NamedTuple):
    """What was counted of the judgments: negative values, and for each measure queries of which something is odd."""

    negative: int
    barren: tuple[Names, ...]
    """Those without a document that the measure calls relevant."""
    split: tuple[Names, ...]
    """Those in which equal values lie on both sides of a tier boundary."""

    @classmethod
    def of(cls, pool: Pool, names: Sequence[str], measures: Sequence[Measure]) -> OfJudgments:
        best, filled = np.zeros(len(names)), np.diff(pool.start) > 0
        best[filled] = pool.value[pool.start[:-1][filled]]
        levels = [measure.settings.get("rel") for measure in measures]
        barren = {rel: Names.where(best <= 0 if rel is None else best < rel, names) for rel in set(levels)}
        split = tuple([split_tiers(pool, names, measure) for measure in measures])
        return cls(int(np.sum(pool.value < 0)), tuple([barren[rel] for rel in levels]), split)

    def notes(self, measures: Sequence[Measure], policy: Policy, nouns: Nouns = NOUNS) -> list[Note]:
        query, document = nouns
        notes = []
        if self.negative:
            words = {"keep": "counted as they are by graded measures", "drop": f"their {document}s left out"}
            counted = words.get(policy.negative or "", "counted as 0 by graded measures and as not relevant")
            text = f"{plural(self.negative, 'judged value')} below 0, {counted}"
            notes.append(Note("negative-values", text, self.negative))
        # One note for each set of queries; a higher threshold of relevance may leave the same ones without any.
        levels = [measure.settings.get("rel") for measure in measures]
        order = sorted(range(len(self.barren)), key=lambda at: levels[at] or 0.0)
        for count, group in groupby(order, key=lambda at: self.barren[at].count):
            if not count:
                continue
            places = list(group)
            of, rel, barren = [measures[at] for at in sorted(places)], levels[places[0]], self.barren[places[0]]
            rules = "".join({policy.undefined or measure.definition.undefined for measure in of})
            counted = (
                f"counted as {COUNTED_AS[rules]:g}" if rules in COUNTED_AS else "left out where a measure is undefined"
            )
            what = f"a relevant {document}" if rel is None else f"{with_article(document)} judged {rel:g} or higher"
            text, names = f"{plural(count, query)} without {what}, {counted} ({barren})", ", ".join(map(str, of))
            about = names if rel is not None and len(of) == 1 else None
            text = text if rel is None else f"{names}: {text}"
            notes.append(Note("no-relevant-documents", text, count, measure=about, examples=barren.first))
        for measure, tiers in zip(measures, self.split, strict=True):
            if tiers.count:
                notes.append(about_tiers(measure, tiers, f"{plural(tiers.count, query)} ({tiers})"))
        return notes


def added(one: Any, other: Any) -> Any:
    """What was counted in some queries and in others: numbers, names and sums, in tuples of the same form."""
    if not isinstance(one, tuple):
        return one + other
    return getattr(type(one), "_make", tuple)(map(added, one, other))


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


def about_policy(whose: str, count: int, own: Policy, usual: Policy) -> list[Note]:
    """Where something else is decided for some of the measures, or some of the systems."""
    ours, theirs = usual.to_dict(), own.to_dict()
    changed = [f"{name}={theirs.get(name)}" for name in ours | theirs if theirs.get(name) != ours.get(name)]
    return [Note("policy", f"other policy for {whose}: {', '.join(changed)}", count)] if changed else []


def refuse(system: str, policy: Policy, missing: Names, undefined: Iterable[tuple[Measure, Names]]) -> None:
    """What the policy says is an error."""
    if policy.missing == "error" and missing.count:
        lacking = f"{plural(missing.count, 'judged query')} ({missing})"
        raise PolicyError(f'{system} lacks {lacking}, and missing="error" forbids it.')
    for measure, names in undefined:
        if names.count and (policy.undefined or measure.definition.undefined) == "error":
            where = f"{plural(names.count, 'query')}, the first {names.first[0]}"
            raise PolicyError(f'{measure} is undefined on {where}, and undefined="error" forbids it.')
