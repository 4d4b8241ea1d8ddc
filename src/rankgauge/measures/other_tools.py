"""Spellings of trec_eval, ranx and ir_measures: read here, never printed (but see `trec_eval`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

from rankgauge.errors import MeasureError
from rankgauge.measures.catalogue import DEFINITIONS, bare
from rankgauge.measures.curves import is_pair, word_of
from rankgauge.measures.measure import Definition, Measure
from rankgauge.measures.tokens import Reader, whole
from rankgauge.measures.trec_eval import FAMILIES, LEFT_OUT, SETS, Spelled

_WORD = re.compile(r"[A-Za-z0-9_]+")
_RANX_RBP = re.compile(r"rbp\.(\d+)(?![\w.=])")
_HIGHEST = 1000
"""Of ranx's thresholds on graded measures: each grade below it becomes part of the measure's text."""
_LEVEL = re.compile(r"-l(\d+)(?!\w)")

ALIASES: dict[str, Measure] = {definition.name.lower(): Measure(definition) for definition in DEFINITIONS} | {
    **dict.fromkeys(("map", "average_precision", "mean_average_precision"), bare("AP")),
    **dict.fromkeys(("mapk", "apk"), bare("AP")(over="reachable")),
    **dict.fromkeys(("mrr", "reciprocal_rank", "mean_reciprocal_rank"), bare("RR")),
    **dict.fromkeys(("precision", "prec"), bare("P")),
    "recall": bare("R"),
    "f1": bare("F"),
    **dict.fromkeys(("hit_rate", "hitrate", "hit_ratio", "hit", "hr", "accuracy", "acc"), bare("Success")),
    "hits": bare("NumRelRet"),
    "r-precision": bare("Rprec"),
    "r_precision": bare("Rprec"),
    "ncg": bare("nDCG")(discount="none"),
    "dcg_burges": bare("DCG")(gain="exp"),
    "ndcg_burges": bare("nDCG")(gain="exp"),
    "ndcgphi": bare("nDCG")(relevance="phi", gain="exp"),
}
"""Other names of a measure, in lower case; case does not matter."""


_DIVERSITY = "it needs judgments of subtopics, which this package does not read"
_NOT_HERE = {
    **dict.fromkeys(("alpha_nDCG", "alpha_DCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP"), _DIVERSITY),
    **dict.fromkeys(("AP_IA", "P_IA", "StRecall"), _DIVERSITY),
    **dict.fromkeys(("infNDCG", "infndcg", "xinfAP"), "it needs the sampling probabilities of the judged documents"),
    "Compat": "it needs preference judgments, which this package does not read",
    **dict.fromkeys(
        ("INST", "INSQ", "BPM"), "its user model has a parameter for every query, which this package does not read"
    ),
}
"""Measures of ir_measures and others that are not in the catalogue, and why; a near name would mislead."""


def read(reader: Reader, lacking: Collection[str] = ()) -> list[Spelled] | None:
    """A set of measures, or a name with dots and commas: 'official', 'P.5,10', 'ndcg.1=3,2=9', 'rbp.80'.

    `lacking` names definitions that a set leaves out. None, and nothing is read, where our own grammar applies.
    """
    reader.skip_blanks()
    begin = reader.position
    found = _WORD.match(reader.source, begin)
    if found is None:
        return None
    word, after = found.group(), reader.source[found.end() : found.end() + 1]
    if word in SETS and after not in {"(", "@", "."}:
        reader.position = found.end()
        return [one for one in SETS[word] if one.measure.definition.name not in lacking]
    if ranx := _RANX_RBP.match(reader.source, begin):
        reader.position = ranx.end()
        patience = bare("RBP")(p=float(f"0.{ranx.group(1)}"), rel=1)
        return [Spelled(read_level(reader, patience))]
    for family in FAMILIES:
        if not word.startswith(family.name):
            continue  # most patterns are then never compiled
        if match := family.pattern.match(reader.source, begin):
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
    if cutoff.isdigit() and name in ALIASES:
        return ALIASES[name] @ whole(cutoff)
    name, _, level = word.partition("-l")
    if level.isdigit() and name.lower() in ALIASES:
        return with_level(ALIASES[name.lower()], whole(level))
    return ALIASES.get(word.lower())


def read_level(reader: Reader, measure: Measure) -> Measure:
    """ranx's suffix: 'map@100-l2' calls a document relevant from grade 2 on."""
    match = _LEVEL.match(reader.source, reader.position)
    if match is None:
        return measure
    reader.position = match.end()
    return reader.checked(match.start(), lambda: with_level(measure, whole(match.group(1))))


def with_level(measure: Measure, level: int) -> Measure:
    """A threshold; graded measures, as in ranx, lose the grades below it."""
    if "rel" in measure.definition.options:
        return measure(rel=level)
    if "gain" not in measure.definition.options or "gain" in dict(measure.options):
        raise MeasureError(f"{measure} has no threshold, so -l{level} cannot be read")
    if level > _HIGHEST:
        raise MeasureError(f"-l{level} is above {_HIGHEST:,}, the highest threshold of {measure}")
    return measure(gain=dict.fromkeys(range(1, level), 0)) if level > 1 else measure


def option(measure: Measure, name: str, reader: Reader) -> Measure | None:
    """An option that only ir_measures has, with the reader placed after its name; None for any other."""
    known = _OPTIONS.get(name)
    if known is None or (name == "rel" and measure.definition.name != "NumRet"):
        return None
    reader.expect("=", f"after {name}")
    reader.skip_blanks()
    at = reader.position
    value = _braces(reader) if reader.takes("{") else reader.value()
    return reader.checked(at, lambda: known(measure, value))


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


def _dcg(measure: Measure, value: Any) -> Measure:
    kinds, word = {"log2": "linear", "exp-log2": "exp"}, word_of(value)
    if word not in kinds:
        raise MeasureError(f"unknown dcg {word!r}", hint="known: " + ", ".join(kinds))
    return measure(gain=kinds[word])


def _judged_only(measure: Measure, value: Any) -> Measure:
    if _truth(value):
        raise MeasureError(
            "judged_only is a policy of the whole call here", hint='use --unjudged drop, or Policy(unjudged="drop")'
        )
    return measure


def _truth(value: Any) -> bool:
    if word_of(value) not in {"True", "False"}:
        raise MeasureError(f"expected True or False, not {word_of(value)}")
    return word_of(value) == "True"


_OPTIONS: dict[str, Callable[[Measure, Any], Measure]] = {
    "dcg": _dcg,
    "gains": lambda measure, value: measure(gain=value) if value else measure,
    "judged_only": _judged_only,
    "relative": lambda measure, value: bare("SetRelP")(**dict(measure.options)) if _truth(value) else measure,
    "rel": lambda _, value: bare("NumRelRet")(rel=value),  # NumRet has nothing to keep
}


def spellings(definition: Definition) -> tuple[tuple[str, str], ...]:
    """How other tools spell this measure, each with what it reads as: ('ndcg_cut_10', 'nDCG@10')."""
    names = [family.example for family in FAMILIES if family.base.definition is definition]
    cut = "@10" if definition.cuts_ranks else ""
    own = {definition.name.lower()} - {"ndcg", "dcg"}  # ranx's, not only ours in lower case
    words = [word + cut for word, measure in ALIASES.items() if measure.definition is definition and word not in own]
    pairs = ((name, str(one.measure)) for name in dict.fromkeys(names + words) for one in _known(name))
    return tuple((name, canonical) for name, canonical in pairs if name != canonical)


def _known(name: str) -> list[Spelled]:
    others = read(Reader(name))
    if others is not None:
        return others
    word, _, cutoff = name.partition("@")
    measure = ALIASES[word]
    return [Spelled(measure @ int(cutoff) if cutoff else measure)]
