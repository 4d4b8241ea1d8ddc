"""Text and files to measures, with faults under a caret.

list    = measure { ( "," | blank ) measure }
measure = WORD [ "(" [ option { "," option } ] ")" ] [ "@" NUMBER { "," NUMBER } ]
option  = WORD "=" value

Names with dots and commas, sets, and other tools' words and options are read in `other_tools`. A file has a list as
users type it, or the JSON of `optimize`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from rankgauge.errors import DataError, FileText, MeasureError, UsageError, did_you_mean, shortened
from rankgauge.measures.catalogue import BY_NAME, bare
from rankgauge.measures.measure import Measure

if TYPE_CHECKING:
    from pathlib import Path

    from rankgauge.measures.tokens import Reader
    from rankgauge.measures.trec_eval import Spelled

_SHORT = 3
_DIGITS = 16
_SLIP = 0.7
"""How much a name must resemble a measure to be a slip of the pen, and not another measure."""


def parse(text: str) -> Measure:
    """Exactly one measure: parse("nDCG(discount=zipf(1.2))@20")."""
    found = parse_list(text)
    if len(found) != 1:
        raise MeasureError(f"expected one measure, found {len(found)}", text)
    return found[0]


def parse_all(given: Any, *, lacking: Collection[str] = ()) -> tuple[Measure, ...]:
    """Measures from a text, a measure, or a list of these; each once, in the order given. Objects of other packages
    serve as well, if their text is that of a measure.

    A set such as `all_trec` leaves out the definitions that are named as `lacking`.
    """
    if isinstance(given, (str, Measure)) or not isinstance(given, Iterable):
        given = [given]
    found: dict[Measure, None] = {}
    for item in given:
        found |= dict.fromkeys([item.complete()] if isinstance(item, Measure) else _parse_text(item, lacking))
    if not found:
        raise MeasureError("no measure was named; name at least one, as in nDCG@10")
    return tuple(found)


def _parse_text(item: Any, lacking: Collection[str]) -> list[Measure]:
    if isinstance(item, str):
        return parse_list(item, lacking=lacking)
    try:
        return parse_list(str(item), lacking=lacking)
    except MeasureError:
        raise MeasureError(f"a measure is a text or a Measure, not {item!r}") from None


def parse_list(text: str, *, lacking: Collection[str] = ()) -> list[Measure]:
    """measure { ( "," | blank ) measure }"""
    words = text.split()
    with contextlib.suppress(KeyError, MeasureError):  # what is wrong is said below, with its place
        if words:
            return list(map(_usual, words))
    return [one.measure for one in parse_spelled(text, lacking=lacking)]


def _usual(word: str) -> Measure:
    """One of ours without options, as in nDCG@10, which most calls ask for; an error where it is anything else.

    Nothing is read otherwise than below. But most of the grammar, and other tools' words, need not be loaded for it.
    """
    name, sign, cutoff = word.partition("@")
    if sign and not (cutoff.isascii() and cutoff.isdecimal() and len(cutoff) < _DIGITS):
        raise KeyError(word)
    measure = bare(name)
    return (measure @ int(cutoff) if sign else measure).complete()


def parse_spelled(text: str, *, lacking: Collection[str] = ()) -> list[Spelled]:
    """As parse_list, with the labels that trec_eval would give its own measures."""
    from rankgauge.measures import other_tools
    from rankgauge.measures.tokens import Reader
    from rankgauge.measures.trec_eval import Spelled

    reader = Reader(text)
    found: list[Spelled] = []
    reader.skip_blanks()
    while not reader.at_end:
        others = other_tools.read(reader, lacking)
        found += map(Spelled, _measure(reader)) if others is None else others
        comma = reader.takes(",")
        reader.skip_blanks()
        if comma and reader.at_end:
            raise reader.fault("expected a measure after ','")
    if not found:
        raise reader.fault("expected a measure, as in nDCG@10", 0)
    return found


def _measure(reader: Reader) -> list[Measure]:
    """WORD [ "(" [ option { "," option } ] ")" ] [ "@" NUMBER { "," NUMBER } ]; one measure for each cutoff."""
    from rankgauge.measures import other_tools

    reader.skip_blanks()
    begin = reader.position
    name = reader.word("a measure")
    measure = bare(name) if name in BY_NAME else reader.checked(begin, lambda: other_tools.alias(name))
    if measure is None:
        raise reader.fault(
            f"unknown measure {shortened(name)!r}", begin, _in_words(reader.source, begin) or _hint(name)
        )
    if reader.takes("(") and not reader.takes(")"):
        measure = _option(reader, measure)
        while reader.takes(","):
            measure = _option(reader, measure)
        reader.expect(")", f"after the options of {name}")
    found = _cut(reader, measure) if reader.takes("@") else [measure]
    found = [*found[:-1], other_tools.read_level(reader, found[-1])]
    return [reader.checked(begin, one.complete) for one in found]


def _cut(reader: Reader, measure: Measure) -> list[Measure]:
    """NUMBER { "," NUMBER }"""
    found: list[Measure] = []
    while not found or _takes_another(reader):
        reader.skip_blanks()
        at, cutoff = reader.position, reader.number("a cutoff after '@'")
        found.append(reader.checked(at, lambda: measure @ cutoff))  # noqa: B023 - called at once
    return found


def _takes_another(reader: Reader) -> bool:
    """Move past a comma that another cutoff follows, as in nDCG@5,10."""
    comma = re.match(r"\s*,\s*(?=\d)", reader.source[reader.position :])
    if comma is not None:
        reader.position += comma.end()
    return comma is not None


def _hint(name: str) -> str:
    """The nearest name. Of a few letters everything is near, and another measure would be no help."""
    glued = re.fullmatch(r"([a-zA-Z]+)(\d+)", name)
    if glued:
        with contextlib.suppress(MeasureError):
            return f"did you mean '{parse('@'.join(glued.groups()))}'?"
    if name.lower().startswith(("hit", "acc")):
        return "the hit rate is Success@10"
    return did_you_mean(name, BY_NAME, _SLIP if len(name) > _SHORT else 1.0)


def _in_words(source: str, position: int) -> str | None:
    """That several words, of which one is at this position, name one measure, as in "hit rate@10"."""
    found = list(re.finditer(r"[^\s,]+", source))
    at = next((n for n, word in enumerate(found) if word.end() > position), 0)
    for size in range(min(4, len(found)), 1, -1):
        for first in range(max(at - size + 1, 0), min(at, len(found) - size) + 1):
            words = [word.group() for word in found[first : first + size]]
            with contextlib.suppress(MeasureError):
                return f"{' '.join(words)!r} is {parse('_'.join(words))}"
    return None


def _option(reader: Reader, measure: Measure) -> Measure:
    """WORD "=" value"""
    reader.skip_blanks()
    begin = reader.position
    name = reader.word(f"an option of {measure.definition.name}")
    if name not in measure.definition.options:
        from rankgauge.measures import other_tools

        other = other_tools.option(measure, name, reader)
        return reader.checked(begin, lambda: measure(**{name: None})) if other is None else other
    reader.expect("=", f"after {name}")
    reader.skip_blanks()
    at = reader.position
    value = reader.value()
    return reader.checked(at, lambda: measure(**{name: value}))


PARTS = ("optimum", "recommendation", "start")


def read_measure(path: str | Path, part: str | None = None) -> Measure:
    """The one measure of a file; of what `optimize` wrote, the optimum or the part that is named."""
    return parse(spelled(path, part))


def spelled(path: str | Path, part: str | None = None) -> str:
    """The measures of a file, as text. Lines that begin with # are comments."""
    from rankgauge.small_files import small_text

    return FileText(_spelled(small_text(path), str(path), part), str(path))


def _spelled(text: str, path: str, part: str | None) -> str:
    if not text.lstrip().startswith(("{", "[", '"')):
        if part is not None:
            raise UsageError(f"{path} is a list of measures; it has no part {part!r}")
        return " ".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    import json  # 2 ms that most calls need not spend

    try:
        data = json.loads(text)
    except RecursionError:
        raise DataError("this JSON is nested too deeply", path) from None
    except ValueError as problem:
        raise DataError(f"is not JSON: {problem}", path) from None
    return _chosen(data, path, part)


def _chosen(data: Any, path: str, part: str | None) -> str:
    if isinstance(data, str) and part is None:
        return data
    if isinstance(data, list) and part is None and data and all(isinstance(one, str) for one in data):
        return " ".join(data)
    if isinstance(data, dict):
        if part is not None and part not in PARTS:
            raise UsageError(f"{path} has no part {part!r}\n{did_you_mean(part, PARTS)}")
        named = [name for name in ((part,) if part else ("optimum", "measure")) if isinstance(data.get(name), str)]
        if named:
            return str(data[named[0]])
    raise DataError(
        f"holds no {part or 'measure'}", path, hint="Write one with rankgauge optimize … --output measure.json."
    )
