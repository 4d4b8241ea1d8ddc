"""What a measure is, in words: the text behind `explain`, the list of measures and the page about them."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from rankgauge.measures.curves import Option
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Definition, Measure
from rankgauge.measures.other_tools import spellings

_MEANS = {"mean": "mean over queries", "sum": "sum over queries", "geometric": "geometric mean over queries"}


@dataclass(frozen=True)
class OptionText:
    """One option: the value in force, the default, and what else it may be."""

    name: str
    value: str
    default: str
    words: str
    choices: tuple[str, ...]
    """What it may be, each with its meaning."""


@dataclass(frozen=True, repr=False)
class Description:
    """Everything that can be said of a measure without data."""

    measure: str
    form: str
    """The name with the place of a cutoff: nDCG[@k] where it may be left out, RelP@k where not."""
    title: str
    words: str
    formula: str
    range: str
    source: str
    group: str
    cutoff: str
    options: tuple[OptionText, ...]
    policy: str
    mean: str
    spellings: tuple[tuple[str, str], ...]
    """What other tools call it, each with what that reads as."""
    tool: str = ""
    """What the tool that is followed does, and what its preset cannot promise."""
    decisions: tuple[tuple[str, str], ...] = ()
    """Where it departs from ours: each decision, and what it means."""

    def __repr__(self) -> str:
        return f"Description({self.measure}: {self.title})"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def describe(measure: str | Measure) -> Description:
    """Describe a measure in words: formula, range, source, cutoff, and the options in force.

    >>> describe("nDCG(gain=exp)@10").title
    'normalized discounted cumulative gain'
    """
    measure = parse(measure) if isinstance(measure, str) else measure
    definition = measure.definition
    return Description(
        str(measure),
        form_of(definition),
        definition.title,
        definition.words,
        definition.formula,
        range_of(definition),
        definition.source,
        definition.group,
        definition.cutoff.words if definition.cutoff else "",
        tuple(_option(name, kind, measure.settings[name]) for name, kind in definition.options.items()),
        f"ties={definition.ties}, undefined={definition.undefined}",
        _MEANS[definition.aggregate],
        spellings(definition),
    )


def form_of(definition: Definition) -> str:
    if definition.cutoff is None:
        return definition.name
    cut = "@k" if definition.cuts_ranks else "@x"
    return definition.name + (cut if definition.needs_cutoff else f"[{cut}]")


def range_of(definition: Definition) -> str:
    low, high = definition.range
    if low == high:
        return f"{low:g}"
    return f"{low:g} to {high:g}" if math.isfinite(high) else f"{low:g} or more"


def _option(name: str, kind: Option, value: Any) -> OptionText:
    def spelled(value: Any) -> str:
        return "unset" if value is None else kind.spell(value)

    return OptionText(name, spelled(value), spelled(kind.default), kind.words, kind.choices)
