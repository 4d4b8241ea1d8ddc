"""What other tools call a measure: spellings of trec_eval, ranx, ir_measures and others, and measures in words.

They are read, never printed, but for the lines of trec_eval: its measures are listed here in the order it prints them, with
their labels.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from rankgauge.errors import MeasureError
from rankgauge.measures.catalogue import BY_NAME, DEFINITIONS, bare
from rankgauge.measures.curves import Reader, is_pair, number_of, word_of
from rankgauge.measures.measure import Definition, Measure

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?!\w)"
_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_TENTHS = tuple(level / 10 for level in range(11))
_FIFTHS = tuple(times / 5 for times in range(1, 11))
_OFFICIAL = 11


class Spelled(NamedTuple):
    """A measure; and where the name is one of trec_eval's, the label of its line and the place of its family."""

    measure: Measure
    label: str = ""
    place: int = -1


class TrecFamily(NamedTuple):
    """One of trec_eval's names, which may have numbers behind it, as in P.5,10, or a text, as in ndcg.1=3,2=9."""

    name: str
    base: Measure
    sets: str = ""
    """What each number sets: the cutoff (@) or an option. Every number gets a line, in ascending order."""
    defaults: tuple[float, ...] = ()
    """The numbers where none are given."""
    reads: Callable[[str], Measure] | None = None
    """Makes one measure of the whole text behind the name, which then becomes part of the label."""

    @property
    def takes_ranks(self) -> bool:
        return self.sets == "@" and self.base.definition.cuts_ranks

    def match(self, text: str, begin: int) -> re.Match[str] | None:
        given = _NUMBER if self.sets else "(?!)" if self.reads is None else rf"\w+={_NUMBER}|{_NUMBER}"
        # A bare name that is also one of ours is trec_eval's only with numbers behind it.
        optional = "" if self.sets and self.name in BY_NAME else "?"
        pattern = rf"{self.name}(?:[._](?P<given>(?:{given})(?:,(?:{given}))*)){optional}(?![\w@(.=-])"
        return re.compile(pattern).match(text, begin)

    def read(self, given: str | None = None) -> list[Spelled]:
        """The measures of a text such as '5,10'; None means trec_eval's own choice."""
        if not self.sets:
            measure = self.base if given is None or self.reads is None else self.reads(given)
            return [self.spelled(measure, self.name if given is None else f"{self.name}_{given}")]
        if given is None:
            return list(map(self.at, self.defaults))
        # Cutoffs lose their decimals, as in trec_eval; a level above 1 has lost its point, as in iprec_at_recall.10.
        lost = self.sets == "@" and not self.takes_ranks and number_of(given.split(",", maxsplit=1)[0]) > 1
        return list(map(self.at, _numbers(f".{given}" if lost else given, whole=self.takes_ranks)))

    def at(self, number: float) -> Spelled:
        measure = self.base @ number if self.sets == "@" else self.base(**{self.sets: number})
        return self.spelled(measure, f"{self.name}_{int(number) if self.takes_ranks else format(number, '.2f')}")

    def spelled(self, measure: Measure, label: str) -> Spelled:
        return Spelled(measure, label, FAMILIES.index(self))

    def named(self, measure: Measure) -> Spelled | None:
        """The line of a measure that is one of this family."""
        if not self.sets or measure.definition is not self.base.definition:
            return self.spelled(measure, self.name) if measure == self.base else None
        number = measure.cutoff if self.sets == "@" else measure.settings[self.sets]
        found = None if number is None else self.at(number)
        return found if found is not None and found.measure == measure else None


def _numbers(given: str, *, whole: bool = False) -> list[float]:
    """In ascending order."""
    numbers = sorted(float(int(number)) if whole else number for number in map(number_of, given.split(",")))
    if len(set(numbers)) < len(numbers):
        raise MeasureError(f"{given} has a duplicate number")
    return numbers


def _gain_table(given: str) -> Measure:
    pairs = [part.partition("=") for part in given.split(",")]
    if not all(sign and grade.isdecimal() for grade, sign, _ in pairs):
        raise MeasureError(f"ndcg takes grade=gain pairs, as in ndcg.1=3,2=9, not {given}")
    return bare("nDCG")(gain={number_of(grade): number_of(gain) for grade, _, gain in pairs})


def _rbp(given: str) -> Measure:
    name, _, patience = given.partition("=")
    if name != "p":
        raise MeasureError(f"rbp takes its patience as in rbp.p=0.8, not {given}")
    return _RBP(p=number_of(patience))


_RBP = bare("RBP")(p=0.9, max="query")
FAMILIES = (
    TrecFamily("num_q", bare("NumQ")),
    TrecFamily("num_ret", bare("NumRet")),
    TrecFamily("num_rel", bare("NumRel")),
    TrecFamily("num_rel_ret", bare("NumRelRet")),
    TrecFamily("map", bare("AP")),
    TrecFamily("gm_map", bare("GMAP")),
    TrecFamily("Rprec", bare("Rprec")),
    TrecFamily("bpref", bare("Bpref")),
    TrecFamily("recip_rank", bare("RR")),
    TrecFamily("iprec_at_recall", bare("IPrec"), "@", _TENTHS),
    TrecFamily("P", bare("P"), "@", _CUTOFFS),
    TrecFamily("recall", bare("R"), "@", _CUTOFFS),
    TrecFamily("infAP", bare("infAP")),
    TrecFamily("gm_bpref", bare("GMBpref")),
    TrecFamily("Rprec_mult", bare("Rprec"), "times", _FIFTHS),
    TrecFamily("11pt_avg", bare("IAP"), reads=lambda given: bare("IAP")(recall=_numbers(given))),
    TrecFamily("ndcg", bare("nDCG"), reads=_gain_table),
    TrecFamily("ndcg_cut", bare("nDCG"), "@", _CUTOFFS),
    TrecFamily("map_cut", bare("AP"), "@", _CUTOFFS),
    TrecFamily("relative_P", bare("RelP"), "@", _CUTOFFS),
    TrecFamily("success", bare("Success"), "@", (1, 5, 10)),
    TrecFamily("set_P", bare("SetP")),
    TrecFamily("set_relative_P", bare("SetRelP")),
    TrecFamily("set_recall", bare("SetR")),
    TrecFamily("set_map", bare("SetAP")),
    # (x + 1) P R / (R + x P): x is the square of beta.
    TrecFamily("set_F", bare("SetF"), reads=lambda given: bare("SetF")(beta=math.sqrt(_numbers(given)[0]))),
    TrecFamily("num_nonrel_judged_ret", bare("NumNonrelRet")),
    TrecFamily("rbp", _RBP, reads=_rbp),
    TrecFamily("rbp_resid", bare("RBPResidual")(p=0.9)),
    TrecFamily("unj", bare("Unjudged"), "@", (5, 10, 20)),
)
"""In the order of trec_eval's output."""
SETS = {
    name: tuple(one for family in families for one in family.read())
    for name, families in (("runid", ()), ("official", FAMILIES[:_OFFICIAL]), ("all_trec", FAMILIES))
}
"""Names for many measures at once; `runid` is a line of trec_eval's output, not a measure."""

_EXPERIMENTAL = "its authors call it experimental, and it is not reported in practice"
_PREFERENCES = "it needs preference judgments, which this package does not read"
LEFT_OUT = {
    "relstring": "it is text, not a number",
    "utility": "it has no fixed range or agreed weights, so its mean is not comparable",
    **dict.fromkeys(("binG", "G", "ndcg_rel", "Rndcg", "yaap"), _EXPERIMENTAL),
    **dict.fromkeys(("all_prefs", "prefs"), _PREFERENCES),
    "qrels_jg": "it needs several judges per document, which this package does not read",
}
"""trec_eval's measures that are not in the catalogue, and why."""
_SUBTOPICS = "it needs judgments of subtopics, which this package does not read"
_SAMPLED = "it needs the sampling probabilities of the judged documents"
_OF_QUERIES = "its user model has a parameter for every query, which this package does not read"
_NOT_HERE = {
    **dict.fromkeys(("alpha_nDCG", "alpha_DCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP"), _SUBTOPICS),
    **dict.fromkeys(("AP_IA", "P_IA", "StRecall"), _SUBTOPICS),
    **dict.fromkeys(("infNDCG", "infndcg", "xinfAP"), _SAMPLED),
    **dict.fromkeys(("INST", "INSQ", "BPM"), _OF_QUERIES),
    "Compat": _PREFERENCES,
}
"""Measures of ir_measures and others that are not in the catalogue, and why; a near name would mislead."""

_WORDS = {
    "map average_precision mean_average_precision": bare("AP"),
    "mapk apk": bare("AP")(over="reachable"),
    "mrr reciprocal_rank mean_reciprocal_rank": bare("RR"),
    "precision prec": bare("P"),
    "recall": bare("R"),
    "f1": bare("F"),
    "hit_rate hitrate hit_ratio hit hr accuracy acc": bare("Success"),
    "hits": bare("NumRelRet"),
    "r-precision r_precision": bare("Rprec"),
    "ncg": bare("nDCG")(discount="none"),
    "dcg_burges": bare("DCG")(gain="exp"),
    "ndcg_burges": bare("nDCG")(gain="exp"),
    "ndcgphi": bare("nDCG")(relevance="phi", gain="exp"),
}
ALIASES = {definition.name.lower(): Measure(definition) for definition in DEFINITIONS} | {
    word: measure for words, measure in _WORDS.items() for word in words.split()
}
"""Other names of a measure, in lower case; case does not matter."""

_WORD = re.compile(r"[A-Za-z0-9_]+")
_RANX_RBP = re.compile(r"rbp\.(\d+)(?![\w.=])")
_LEVEL = re.compile(r"-l(\d+)(?!\w)")
_HIGHEST = 1000
"""Of ranx's thresholds on graded measures: each grade below it becomes part of the measure's text."""


def read(reader: Reader, lacking: Collection[str] = ()) -> list[Spelled] | None:
    """A set of measures, or a name with dots and commas: 'official', 'P.5,10', 'ndcg.1=3,2=9', 'rbp.80'.

    `lacking` names definitions that a set leaves out. None, and nothing is read, where our own grammar applies.
    """
    begin = reader.skip_blanks()
    found = _WORD.match(reader.source, begin)
    if found is None:
        return None
    word, after = found.group(), reader.source[found.end() : found.end() + 1]
    if word in SETS and after not in {"(", "@", "."}:
        reader.position = found.end()
        return [one for one in SETS[word] if one.measure.definition.name not in lacking]
    if ranx := _RANX_RBP.match(reader.source, begin):
        reader.position = ranx.end()
        return [Spelled(read_level(reader, bare("RBP")(p=float(f"0.{ranx.group(1)}"), rel=1)))]
    for family in FAMILIES:
        # Most patterns are never compiled.
        if word.startswith(family.name) and (match := family.match(reader.source, begin)):
            reader.position = match.end()
            return reader.checked(begin, lambda: family.read(match.group("given")))  # noqa: B023 - called at once
    if word in _NOT_HERE:
        raise reader.fault(f"{word} is not in the catalogue: {_NOT_HERE[word]}", begin)
    if word in LEFT_OUT:
        raise reader.fault(f"trec_eval's {word} is not in the catalogue: {LEFT_OUT[word]}", begin)
    return None


def alias(word: str) -> Measure | None:
    """The measure that a word of another tool means; 'map-l2' is ranx for a threshold of 2, 'recall_at_5' MLflow."""
    name, _, cutoff = word.lower().rpartition("_at_")
    if cutoff.isdecimal() and name in ALIASES:
        return ALIASES[name] @ number_of(cutoff)
    name, _, level = word.partition("-l")
    if level.isdecimal() and name.lower() in ALIASES:
        return with_level(ALIASES[name.lower()], level)
    return ALIASES.get(word.lower())


def read_level(reader: Reader, measure: Measure) -> Measure:
    """ranx's suffix: 'map@100-l2' calls a document relevant from grade 2 on."""
    match = _LEVEL.match(reader.source, reader.position)
    if match is None:
        return measure
    reader.position = match.end()
    return reader.checked(match.start(), lambda: with_level(measure, match.group(1)))


def with_level(measure: Measure, digits: str) -> Measure:
    """A threshold; graded measures, as in ranx, lose the grades below it."""
    level = number_of(digits)
    if "rel" in measure.definition.options:
        return measure(rel=level)
    if "gain" not in measure.definition.options or "gain" in dict(measure.options):
        raise MeasureError(f"{measure} has no threshold, so -l{digits} cannot be read")
    if level > _HIGHEST:
        raise MeasureError(f"-l{digits} is above {_HIGHEST:,}, the highest threshold of {measure}")
    return measure(gain=dict.fromkeys(range(1, int(level)), 0)) if level > 1 else measure


def option(measure: Measure, name: str, reader: Reader) -> Measure | None:
    """An option that only ir_measures has, with the reader placed after its name; None for any other."""
    if name not in {"dcg", "gains", "judged_only", "relative", "rel"}:
        return None
    if name == "rel" and measure.definition.name != "NumRet":
        return None
    reader.expect("=", f"after {name}")
    at = reader.skip_blanks()
    value = _braces(reader) if reader.takes("{") else reader.value()
    return reader.checked(at, lambda: _with_option(measure, name, value))


def _braces(reader: Reader) -> dict[float, float]:
    """{1:0, 2:1}, the opening brace read already."""
    pairs: dict[float, float] = {}
    while not reader.takes("}"):
        pair = reader.argument()
        if not is_pair(pair):
            raise reader.fault("expected grade:gain")
        pairs[pair[0]] = pair[1]
        if not reader.takes(","):
            reader.expect("}", "after the gains")
            break
    return pairs


def _with_option(measure: Measure, name: str, value: Any) -> Measure:
    if name == "rel":
        return bare("NumRelRet")(rel=value)  # NumRet has nothing to keep
    if name == "gains":
        return measure(gain=value) if value else measure
    word, kinds = word_of(value), {"log2": "linear", "exp-log2": "exp"}
    if name == "dcg":
        if word not in kinds:
            raise MeasureError(f"unknown dcg {word!r}", hint="known: " + ", ".join(kinds))
        return measure(gain=kinds[word])
    if word not in {"True", "False"}:
        raise MeasureError(f"expected True or False, not {word}")
    if word == "False":
        return measure
    if name == "judged_only":
        hint = 'use --unjudged drop, or Policy(unjudged="drop")'
        raise MeasureError("judged_only is a policy of the whole call here", hint=hint)
    return bare("SetRelP")(**dict(measure.options))


def place_and_label(one: Spelled) -> tuple[tuple[int, float], str]:
    """Where trec_eval prints a measure, and under which label; measures of ours come last, as they are spelled here."""
    lines = [one] if one.label else filter(None, (family.named(one.measure) for family in FAMILIES))
    for measure, label, place in lines:
        return (place, measure.settings.get("times", measure.cutoff or 0)), label
    return (len(FAMILIES), 0), str(one.measure)


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


_MEANS = {"mean": "mean over queries", "sum": "sum over queries", "geometric": "geometric mean over queries"}


def description_of(measure: Measure) -> Description:
    definition, (low, high) = measure.definition, measure.definition.range
    options = []
    for name, kind in definition.options.items():
        value, default = ("unset" if one is None else kind.spell(one) for one in (measure.settings[name], kind.default))
        options.append(OptionText(name, value, default, kind.words, kind.choices))
    cut = "" if definition.cutoff is None else "@k" if definition.cuts_ranks else "@x"
    most = f" to {high:g}" if math.isfinite(high) else " or more"
    return Description(
        measure=str(measure),
        form=definition.name + (cut if definition.needs_cutoff or not cut else f"[{cut}]"),
        range=f"{low:g}" + (most if low < high else ""),
        cutoff=definition.cutoff.words if definition.cutoff else "",
        options=tuple(options),
        policy=f"ties={definition.ties}, undefined={definition.undefined}",
        mean=_MEANS[definition.aggregate],
        spellings=spellings(definition),
        **{name: getattr(definition, name) for name in ("title", "words", "formula", "source", "group")},
    )


def spellings(definition: Definition) -> tuple[tuple[str, str], ...]:
    """How other tools spell this measure, each with what it reads as: ('ndcg_cut_10', 'nDCG@10')."""
    own = {definition.name.lower()} - {"ndcg", "dcg"}  # ranx's, not only ours in lower case
    found: dict[str, str] = {}
    for family in FAMILIES:
        if family.base.definition is definition:
            usual = family.read()[bool(family.defaults)]
            found[usual.label] = str(usual.measure)
    for word, measure in ALIASES.items():
        if measure.definition is definition and word not in own:
            cut = "@10" if definition.cuts_ranks else ""
            found.setdefault(word + cut, str(measure @ 10 if cut else measure))
    return tuple((name, canonical) for name, canonical in found.items() if name != canonical)
