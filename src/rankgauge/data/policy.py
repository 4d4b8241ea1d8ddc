"""The decisions that make tools disagree, in one value that travels with the numbers."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Literal, get_args

from rankgauge.errors import UsageError, did_you_mean
from rankgauge.frozen import dataclass

Ties = Literal["document", "mean", "worst", "best", "order", "error"]
Unjudged = Literal["zero", "drop", "bounds"]
Missing = Literal["zero", "drop", "error"]
Undefined = Literal["zero", "drop", "error"]
Precision = Literal["double", "single"]

_CHOICES = {
    "ties": get_args(Ties),
    "unjudged": get_args(Unjudged),
    "missing": get_args(Missing),
    "undefined": get_args(Undefined),
    "precision": get_args(Precision),
}


@dataclass(frozen=True)
class Policy:
    """What to do where data leave a choice. None means unset: a preset, else the measure's or the package's default.

    ties       order inside equal scores: by `document` id descending as trec_eval, the `mean` over all orders,
               the `worst` or `best` order by relevance, the `order` given, or an `error`
    unjudged   documents without judgment count as not relevant (`zero`), are left out (`drop`), or leave `bounds`
    missing    queries that a run lacks score 0 (`zero`), are left out (`drop`), or are an `error`
    undefined  queries on which a measure is 0/0 score 0 (`zero`), are left out (`drop`), or are an `error`
    depth      only this many documents of a run are used, from the top
    rel        judged value from which a document is relevant, for measures that do not say it themselves
    precision  scores are compared in `double` precision, or in `single` as trec_eval 9 does
    """

    ties: Ties | None = None
    unjudged: Unjudged | None = None
    missing: Missing | None = None
    undefined: Undefined | None = None
    depth: int | None = None
    rel: float | None = None
    precision: Precision | None = None

    def __post_init__(self) -> None:
        for name, known in _CHOICES.items():
            value = getattr(self, name)
            if value is not None and value not in known:
                raise UsageError(f"unknown {name} policy {value!r}; " + did_you_mean(str(value), known))
        if self.depth is not None and (isinstance(self.depth, bool) or self.depth != int(self.depth) or self.depth < 1):
            raise UsageError(f"depth={self.depth!r} is not a whole number of at least 1")
        if self.rel is not None and not 0 < self.rel < float("inf"):
            raise UsageError(f"rel={self.rel!r} is not a finite number above 0")

    def over(self, base: Policy) -> Policy:
        """This policy, with what it leaves unset taken from another."""
        return replace(base, **{name: value for name, value in self.to_dict().items() if value is not None})

    def to_dict(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}


DEFAULT = Policy(unjudged="zero", missing="zero", precision="double")
"""Ties and undefined values stay unset: each measure has its own default."""
