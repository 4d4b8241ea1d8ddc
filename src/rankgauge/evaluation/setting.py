"""A setting: a measure and a policy, and how it differs from another, decision by decision and in words."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.measures.measure import Measure


@dataclass(frozen=True)
class Change:
    """One decision: an option or the cutoff of the measure, or a part of the policy."""

    name: str
    value: Any

    @property
    def is_of_policy(self) -> bool:
        return self.name in vars(DEFAULT) and self.name != "rel"

    def __str__(self) -> str:
        return f"@{self.value}" if self.name == "cutoff" else f"{self.name}={self.value}"


@dataclass(frozen=True)
class Setting:
    """A measure and the policy in force for it."""

    measure: Measure
    policy: Policy

    def with_change(self, change: Change) -> Setting:
        if change.is_of_policy:
            return Setting(self.measure, replace(self.policy, **{change.name: change.value}))
        if change.name == "cutoff":
            return Setting(self.measure @ change.value, self.policy)
        return Setting(self.measure(**{change.name: change.value}), self.policy)

    @property
    def decisions(self) -> dict[str, Any]:
        """All of them by name, also those that nobody made; `rel` where it is an option of the measure."""
        policy = vars(self.policy.over(_UNSET))
        of_policy = {name: value for name, value in policy.items() if name not in {"rel", "repeated"}}
        return {**of_policy, **self.measure.settings, "cutoff": self.measure.cutoff}

    def changes_from(self, other: Setting) -> tuple[Change, ...]:
        """Decisions in which this differs, in the order in which a number is made.

        Without what only comes with another decision (negative=keep sets relevance), or changes the ninth digit.
        """
        ours, theirs = other.decisions, self.decisions
        changes = [Change(name, value) for name, value in theirs.items() if str(value) != str(ours.get(name))]
        found = (change for change in changes if str(change) not in _COMES_ALONG)
        return tuple(sorted(found, key=lambda change: _PLACE.get(change.name, len(_PLACE))))


_UNSET = Policy(
    extra="drop", pool="judged", negative="zero", fraction="keep", own_id="keep", repeated="error", floor="none",
    mean="macro", empty="nan",
).over(DEFAULT)  # fmt: skip
"""What a decision means that nobody made."""
_COMES_ALONG = {"relevance=signed", "relevance=bounded", "relevance=balanced", "fraction=single"}
_ORDER = (
    "precision", "ties", "own_id", "unjudged", "floor", "negative", "fraction", "rel", "relevance", "gain", "discount",
    "cutoff", "at", "first", "pool", "ideal", "over", "digits", "missing", "extra", "undefined", "mean", "empty", "depth",
)  # fmt: skip
_PLACE = {name: at for at, name in enumerate(_ORDER)}
_WORDS = {
    "precision=single": "scores compared in single precision",
    "ties=order": "equal scores in the order of the file",
    "ties=document-asc": "equal scores by document id ascending",
    "ties=reverse": "equal scores in the reverse order of the file",
    "ties=mean": "the mean over all orders of equal scores",
    "ties=worst": "equal scores in the worst order",
    "ties=best": "equal scores in the best order",
    "ties=mean-rank": "equal scores at their mean rank",
    "own_id=drop": "documents with the id of their query left out",
    "unjudged=drop": "documents without a judgment left out",
    "floor=zero": "documents scored 0 or less count as not relevant",
    "negative=keep": "negative grades count as they are",
    "negative=drop": "documents with a negative grade left out",
    "fraction=truncate": "grades cut to whole numbers",
    "fraction=below-1": "grades below 1 count as 0",
    "gain=exp": "exponential gain, 2^grade - 1",
    "gain=same": "every judged document has gain 1",
    "discount=jk(2)": "the weights of 2002, 1 / max(1, log2 rank)",
    "discount=zipf": "the weight 1 / rank",
    "at=threshold": "precision taken where scores change",
    "first=highest": "the first document of the highest grade",
    "pool=returned": "ideal and relevant documents counted among the returned ones only",
    "ideal=returned": "the ideal from the returned documents",
    "ideal=uncut": "the ideal not cut at k",
    "ideal=answered": "the ideal cut where the list ends",
    "ideal=top": "the ideal from the top k returned documents",
    "ideal=ones": "the ideal of k documents with gain 1",
    "over=reachable": "divided by min(k, R)",
    "over=returned": "divided by what was returned",
    "over=found": "divided by what was found",
    "over=k": "divided by k",
    "missing=drop": "queries that the run lacks left out",
    "missing=error": "queries that the run lacks refused",
    "extra=zero": "queries without judgments counted as 0",
    "extra=undefined": "queries without judgments counted as undefined",
    "undefined=zero": "queries with nothing relevant counted as 0",
    "undefined=one": "queries with nothing relevant counted as 1",
    "undefined=drop": "queries with nothing relevant left out",
    "undefined=error": "queries with nothing relevant refused",
    "mean=micro": "sum of numerators over sum of denominators",
    "empty=zero": "a mean over no query is 0",
}


def words_of(change: Change) -> str:
    text, value = str(change), change.value
    if change.name == "rel":
        return "relevant is what has a grade above 0" if value < 1e-6 else f"relevant from grade {value:g} on"
    forms = {
        "cutoff": f"cut after {value} documents",
        "gain": f"gain 1 from {str(value)[len('binary(') : -1]} on, else 0",
        "digits": f"each query rounded to {value} digits",
    }
    return _WORDS.get(text) or forms.get(change.name, text)
