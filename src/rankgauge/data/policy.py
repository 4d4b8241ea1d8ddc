"""The decisions that make tools disagree, in one value that travels with the numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from rankgauge.errors import UsageError, did_you_mean
from rankgauge.signature import MOST, Bounds, parameter

_USUAL = ("ties", "unjudged", "missing", "undefined", "depth", "rel", "precision")


@dataclass(frozen=True)
class Policy:
    """What to do where data leave a choice. None means unset: a preset, else the measure's or the package's default.

    ties       order inside equal scores: by `document` id descending as trec_eval, the `mean` over all orders,
               the `worst` or `best` order by relevance, the `order` given, or an `error`
    unjudged   documents without judgment count as not relevant (`zero`), are left out (`drop`), or leave `bounds`
    missing    queries that a run lacks score 0 (`zero`), are left out (`drop`), or are an `error`
    undefined  queries on which a measure is 0/0 score 0 (`zero`) or 1 (`one`), are left out (`drop`), or are an `error`
    depth      only this many documents of a run are used, from the top
    rel        judged value from which a document is relevant, for measures that do not say it themselves
    precision  scores are compared in `double` precision, or in `single` as trec_eval 9 does

    What follows is mostly set by a preset (`like=`), because only some tools do it:

    ties       also by `document-asc`, in the `reverse` order given, or at the `mean-rank` of the tie, cut to a whole
    extra      queries of the run without judgments are ignored (`drop`), score 0 (`zero`), or are `undefined`
    pool       the ideal and the number of relevant documents are those of all `judged`, or of the `returned` documents
    negative   grades below 0 count as 0 (`zero`), as they are (`keep`), or their documents are left out (`drop`)
    fraction   grades that are not whole: `keep` them, `truncate` them, count those `below-1` as 0, or keep them in
               `single` precision
    own_id     a document with the id of its query stays (`keep`) or is left out (`drop`)
    repeated   a document twice in a list is an `error`, counts twice (`count`), or only at its `first` place
    floor      documents scored 0 or less count as any other (`none`), or as not relevant (`zero`)
    mean       of the values of queries (`macro`), or the sum of numerators over that of denominators (`micro`)
    empty      a mean over no query is undefined (`nan`), or 0 (`zero`)
    digits     each query's value is rounded to so many digits before the mean
    """

    ties: (
        Literal["document", "document-asc", "mean", "worst", "best", "order", "reverse", "mean-rank", "error"] | None
    ) = None
    unjudged: Literal["zero", "drop", "bounds"] | None = None
    missing: Literal["zero", "drop", "error"] | None = None
    undefined: Literal["zero", "one", "drop", "error"] | None = None
    depth: Annotated[int, Bounds(1, MOST)] | None = None
    rel: Annotated[float, Bounds(0, without=(0,))] | None = None
    precision: Literal["double", "single"] | None = None
    extra: Literal["drop", "zero", "undefined"] | None = None
    pool: Literal["judged", "returned"] | None = None
    negative: Literal["zero", "keep", "drop"] | None = None
    fraction: Literal["keep", "truncate", "below-1", "single"] | None = None
    own_id: Literal["keep", "drop"] | None = None
    repeated: Literal["error", "count", "first"] | None = None
    floor: Literal["none", "zero"] | None = None
    mean: Literal["macro", "micro"] | None = None
    empty: Literal["nan", "zero"] | None = None
    digits: Annotated[int, Bounds(0, MOST)] | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and (known := parameter(Policy, name)) is not None:
                object.__setattr__(self, name, known.settled(value))

    @classmethod
    def read(cls, text: str) -> Policy:
        """A policy from text such as "ties=mean, missing=drop"."""
        chosen: dict[str, Any] = {}
        known = list(cls.__annotations__)
        for part in text.replace(",", " ").split():
            name, sign, value = part.partition("=")
            if not sign or name not in known:
                raise UsageError(f"{part!r} is not a policy such as ties=mean; " + did_you_mean(name, known))
            try:
                chosen[name] = {"depth": int, "rel": float, "digits": int}.get(name, str)(value)
            except ValueError:
                raise UsageError(f"{part}: {value!r} is not a number") from None
        return cls(**chosen)

    def over(self, base: Policy) -> Policy:
        """This policy, with what it leaves unset taken from another."""
        chosen = {name: value for name, value in vars(self).items() if value is not None}
        return Policy(**(vars(base) | chosen)) if chosen else base

    def to_dict(self) -> dict[str, Any]:
        """What every evaluation decides, and what else is set."""
        return {name: value for name, value in vars(self).items() if name in _USUAL or value is not None}

    def unusual(self) -> dict[str, Any]:
        """What is decided beyond what every evaluation decides."""
        return {name: value for name, value in self.to_dict().items() if name not in _USUAL}


DEFAULT = Policy(unjudged="zero", missing="zero", precision="double")
"""Ties and undefined values stay unset: each measure has its own default."""
