"""trec_eval's measures in the order it prints them: what each name means here, and how its lines are labeled."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from rankgauge.errors import MeasureError
from rankgauge.measures.catalogue import bare
from rankgauge.measures.measure import Measure
from rankgauge.measures.tokens import finite

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?!\w)"
_PAIR = rf"\w+={_NUMBER}"
_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = tuple(level / 10 for level in range(11))
_FIFTHS = tuple(times / 5 for times in range(1, 11))


@dataclass(frozen=True)
class Spelled:
    """A measure, and the label of trec_eval's lines where the name is one of trec_eval's."""

    measure: Measure
    label: str | None = None


@dataclass(frozen=True)
class TrecFamily:
    """One of trec_eval's names.

    `with_one` makes the measure of one number: cutoffs and levels get a line each, sorted. `with_all` makes one
    measure of the whole text behind the name, which then becomes part of the label.
    """

    name: str
    base: Measure
    kind: Literal["plain", "cutoffs", "levels", "text"] = "plain"
    with_one: Callable[[float], Measure] | None = None
    defaults: tuple[float, ...] = ()
    with_all: Callable[[str], Measure] | None = None
    most: float = math.inf
    """No number can be larger; one that seems to be has lost its point, as in iprec_at_recall.10."""
    is_ours: bool = False
    """The bare name is also one of ours, so it is trec_eval's only with numbers behind it."""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        given = {"plain": "(?!)", "text": rf"{_PAIR}|{_NUMBER}"}.get(self.kind, _NUMBER)
        optional = "" if self.is_ours else "?"
        return re.compile(rf"{self.name}(?:[._](?P<given>(?:{given})(?:,(?:{given}))*)){optional}(?![\w@(.=-])")

    @property
    def example(self) -> str:
        """The name as it usually appears."""
        return self.label(self.defaults[1]) if self.defaults else self.name

    def read(self, given: str | None) -> list[Spelled]:
        """The measures of a text such as '5,10'; None means trec_eval's own choice."""
        if self.with_one is not None:
            numbers = self.defaults if given is None else _numbers(given, whole=self.kind == "cutoffs", most=self.most)
            return [Spelled(self.with_one(number), self.label(number)) for number in numbers]
        if given is None or self.with_all is None:
            return [Spelled(self.base, self.name)]
        return [Spelled(self.with_all(given), f"{self.name}_{given}")]

    def label(self, number: float) -> str:
        return f"{self.name}_{int(number)}" if self.kind == "cutoffs" else f"{self.name}_{number:.2f}"

    def label_of(self, measure: Measure) -> str | None:
        """The label of a measure of this family, None for any other."""
        if self.with_one is None or measure.definition is not self.base.definition:
            return self.name if measure == self.base else None
        times = dict(measure.options).get("times")
        number = measure.cutoff if self.kind == "cutoffs" or times is None else times
        return self.label(number) if number is not None and self.with_one(number) == measure else None


def _numbers(given: str, *, whole: bool = False, most: float = math.inf) -> list[float]:
    """The numbers in ascending order; cutoffs lose their decimals, as they do in trec_eval."""
    texts = given.split(",")
    if float(texts[0]) > most:
        texts[0] = "." + texts[0]
    numbers = sorted(float(int(finite(text))) if whole else finite(text) for text in texts)
    if len(set(numbers)) < len(numbers):
        raise MeasureError(f"{given} has a duplicate number")
    return numbers


def _cut(name: str) -> Callable[[float], Measure]:
    return lambda cutoff: bare(name) @ cutoff


def _gain_table(given: str) -> Measure:
    pairs = [part.partition("=") for part in given.split(",")]
    if not all(sign and grade.isdecimal() for grade, sign, _ in pairs):
        raise MeasureError(f"ndcg takes grade=gain pairs, as in ndcg.1=3,2=9, not {given}")
    return bare("nDCG")(gain={finite(grade): finite(gain) for grade, _, gain in pairs})


def _set_f(given: str) -> Measure:
    """(x + 1) P R / (R + x P): x is the square of beta."""
    return bare("SetF")(beta=math.sqrt(_numbers(given)[0]))


_RBP = bare("RBP")(p=0.9, max="query")


def _rbp(given: str) -> Measure:
    name, _, patience = given.partition("=")
    if name != "p":
        raise MeasureError(f"rbp takes its patience as in rbp.p=0.8, not {given}")
    return _RBP(p=float(patience))


def _one(name: str, base: str) -> TrecFamily:
    return TrecFamily(name, bare(base))


def _cuts(name: str, base: str, defaults: tuple[float, ...] = _CUTOFFS, *, is_ours: bool = False) -> TrecFamily:
    return TrecFamily(name, bare(base), "cutoffs", _cut(base), defaults, is_ours=is_ours)


FAMILIES = (
    _one("num_q", "NumQ"),
    _one("num_ret", "NumRet"),
    _one("num_rel", "NumRel"),
    _one("num_rel_ret", "NumRelRet"),
    _one("map", "AP"),
    _one("gm_map", "GMAP"),
    _one("Rprec", "Rprec"),
    _one("bpref", "Bpref"),
    _one("recip_rank", "RR"),
    TrecFamily("iprec_at_recall", bare("IPrec"), "levels", _cut("IPrec"), _TENTHS, most=1),
    _cuts("P", "P", is_ours=True),
    _cuts("recall", "R"),
    _one("infAP", "infAP"),
    _one("gm_bpref", "GMBpref"),
    TrecFamily("Rprec_mult", bare("Rprec"), "levels", lambda times: bare("Rprec")(times=times), _FIFTHS),
    TrecFamily("11pt_avg", bare("IAP"), "text", with_all=lambda given: bare("IAP")(recall=_numbers(given))),
    TrecFamily("ndcg", bare("nDCG"), "text", with_all=_gain_table),
    _cuts("ndcg_cut", "nDCG"),
    _cuts("map_cut", "AP"),
    _cuts("relative_P", "RelP"),
    _cuts("success", "Success", (1, 5, 10)),
    _one("set_P", "SetP"),
    _one("set_relative_P", "SetRelP"),
    _one("set_recall", "SetR"),
    _one("set_map", "SetAP"),
    TrecFamily("set_F", bare("SetF"), "text", with_all=_set_f),
    _one("num_nonrel_judged_ret", "NumNonrelRet"),
    TrecFamily("rbp", _RBP, "text", with_all=_rbp),
    TrecFamily("rbp_resid", bare("RBPResidual")(p=0.9)),
    _cuts("unj", "Unjudged", (5, 10, 20)),
)
"""In the order of trec_eval's output."""

_EXPERIMENTAL = "its authors call it experimental, and it is not reported in practice"
_PREFERENCES = "it needs preference judgments, which this package does not read"
LEFT_OUT = {
    "relstring": "it is text, not a number",
    "utility": "it has no fixed range or agreed weights, so its mean is not comparable",
    "binG": _EXPERIMENTAL,
    "G": _EXPERIMENTAL,
    "ndcg_rel": _EXPERIMENTAL,
    "Rndcg": _EXPERIMENTAL,
    "yaap": _EXPERIMENTAL,
    "all_prefs": _PREFERENCES,
    "prefs": _PREFERENCES,
    "qrels_jg": "it needs several judges per document, which this package does not read",
}
"""trec_eval's measures that are not in the catalogue, and why."""

_OFFICIAL = 11


def _all_of(families: Sequence[TrecFamily]) -> tuple[Spelled, ...]:
    return tuple(one for family in families for one in family.read(None))


SETS = {"runid": (), "official": _all_of(FAMILIES[:_OFFICIAL]), "all_trec": _all_of(FAMILIES)}
"""Names for many measures at once; `runid` is a line of trec_eval's output, not a measure."""


def place_and_label(one: Spelled) -> tuple[tuple[int, float], str]:
    """Where trec_eval prints a measure, and under which label; measures of ours come last, as they are spelled here."""
    number = one.measure.settings.get("times", one.measure.cutoff or 0)
    for place, family in enumerate(FAMILIES):
        if one.label is None:
            label = family.label_of(one.measure)
        else:
            label = one.label if family.pattern.fullmatch(one.label) else None
        if label is not None:
            return (place, number), label
    return (len(FAMILIES), 0), str(one.measure)
