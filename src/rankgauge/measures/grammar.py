"""Text to measures, with faults under a caret.

list    = measure { ( "," | blank ) measure }
measure = WORD [ "(" [ option { "," option } ] ")" ] [ "@" NUMBER ]
option  = WORD "=" value

Names with dots and commas, sets, and other tools' words and options are read in `other_tools`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from rankgauge.errors import MeasureError, did_you_mean
from rankgauge.measures import other_tools
from rankgauge.measures.catalogue import BY_NAME, bare
from rankgauge.measures.measure import Measure
from rankgauge.measures.tokens import Reader
from rankgauge.measures.trec_eval import Spelled


def parse(text: str) -> Measure:
    """Exactly one measure: parse("nDCG(discount=zipf(1.2))@20")."""
    found = parse_list(text)
    if len(found) != 1:
        raise MeasureError(f"expected one measure, found {len(found)}", text)
    return found[0]


def parse_all(given: str | Measure | Iterable[str | Measure], *, lacking: Collection[str] = ()) -> tuple[Measure, ...]:
    """Measures from a text, a measure, or a list of both; each once, in the order given.

    A set such as `all_trec` leaves out the definitions that are named as `lacking`.
    """
    if isinstance(given, (str, Measure)):
        given = [given]
    if not isinstance(given, Iterable):
        raise MeasureError(f"a measure is a text or a Measure, not {given!r}")
    found: dict[Measure, None] = {}
    for item in given:
        if not isinstance(item, (str, Measure)):
            raise MeasureError(f"a measure is a text or a Measure, not {item!r}")
        found |= dict.fromkeys([item.complete()] if isinstance(item, Measure) else parse_list(item, lacking=lacking))
    if not found:
        raise MeasureError("no measure was named; name at least one, as in nDCG@10")
    return tuple(found)


def parse_list(text: str, *, lacking: Collection[str] = ()) -> list[Measure]:
    """measure { ( "," | blank ) measure }"""
    return [one.measure for one in parse_spelled(text, lacking=lacking)]


def parse_spelled(text: str, *, lacking: Collection[str] = ()) -> list[Spelled]:
    """As parse_list, with the labels that trec_eval would give its own measures."""
    reader = Reader(text)
    found: list[Spelled] = []
    reader.skip_blanks()
    while not reader.at_end:
        others = other_tools.read(reader, lacking)
        found += [Spelled(_measure(reader))] if others is None else others
        comma = reader.takes(",")
        reader.skip_blanks()
        if comma and reader.at_end:
            raise reader.fault("expected a measure after ','")
    if not found:
        raise reader.fault("expected a measure, as in nDCG@10", 0)
    return found


def _measure(reader: Reader) -> Measure:
    """WORD [ "(" [ option { "," option } ] ")" ] [ "@" NUMBER ]"""
    reader.skip_blanks()
    begin = reader.position
    name = reader.word("a measure")
    measure = bare(name) if name in BY_NAME else reader.checked(begin, lambda: other_tools.alias(name))
    if measure is None:
        raise reader.fault(f"unknown measure {name!r}", begin, did_you_mean(name, BY_NAME))
    if reader.takes("(") and not reader.takes(")"):
        measure = _option(reader, measure)
        while reader.takes(","):
            measure = _option(reader, measure)
        reader.expect(")", f"after the options of {name}")
    if reader.takes("@"):
        reader.skip_blanks()
        at = reader.position
        uncut, cutoff = measure, reader.number("a cutoff after '@'")
        measure = reader.checked(at, lambda: uncut @ cutoff)
    return reader.checked(begin, other_tools.read_level(reader, measure).complete)


def _option(reader: Reader, measure: Measure) -> Measure:
    """WORD "=" value"""
    reader.skip_blanks()
    begin = reader.position
    name = reader.word(f"an option of {measure.definition.name}")
    if name not in measure.definition.options:
        other = other_tools.option(measure, name, reader)
        return reader.checked(begin, lambda: measure(**{name: None})) if other is None else other
    reader.expect("=", f"after {name}")
    reader.skip_blanks()
    at = reader.position
    value = reader.value()
    return reader.checked(at, lambda: measure(**{name: value}))
