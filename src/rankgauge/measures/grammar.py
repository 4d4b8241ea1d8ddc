"""Text to measures, with faults under a caret.

list    = measure { ( "," | blank ) measure }
measure = WORD [ "(" [ option { "," option } ] ")" ] [ "@" NUMBER ]
option  = WORD "=" value
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rankgauge.errors import MeasureError, did_you_mean
from rankgauge.measures.catalogue import BY_NAME, bare
from rankgauge.measures.measure import Measure
from rankgauge.measures.text import Reader


def parse(text: str) -> Measure:
    """Exactly one measure: parse("nDCG(discount=zipf(1.2))@20")."""
    found = parse_list(text)
    if len(found) != 1:
        raise MeasureError(f"expected one measure, found {len(found)}", text)
    return found[0]


def parse_all(given: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Measures from a text, a measure, or a list of both; each once, in the order given."""
    if isinstance(given, (str, Measure)):
        given = [given]
    found: dict[Measure, None] = {}
    for item in given:
        if not isinstance(item, (str, Measure)):
            raise MeasureError(f"a measure is a text or a Measure, not {item!r}")
        found |= dict.fromkeys([item.complete()] if isinstance(item, Measure) else parse_list(item))
    if not found:
        raise MeasureError("no measure was named; name at least one, as in nDCG@10")
    return tuple(found)


def parse_list(text: str) -> list[Measure]:
    """measure { ( "," | blank ) measure }"""
    reader = Reader(text)
    found = []
    while reader.peek()[0] != "end":
        found.append(_measure(reader))
        if reader.takes(",") and reader.peek()[0] == "end":
            raise reader.fault("expected a measure after ','")
    if not found:
        raise reader.fault("expected a measure, as in nDCG@10", 0)
    return found


def _measure(reader: Reader) -> Measure:
    """WORD [ "(" [ option { "," option } ] ")" ] [ "@" NUMBER ]"""
    reader.skip_blanks()
    begin = reader.position
    name = reader.word("a measure")
    if name not in BY_NAME:
        raise reader.fault(f"unknown measure {name!r}", begin, did_you_mean(name, BY_NAME))
    measure = bare(name)
    if reader.takes("(") and not reader.takes(")"):
        measure = _option(reader, measure)
        while reader.takes(","):
            measure = _option(reader, measure)
        reader.expect(")", f"after the options of {name}")
    if reader.takes("@"):
        reader.skip_blanks()
        at = reader.position
        measure = _at(reader, at, lambda: measure @ reader.number("a cutoff after '@'"))
    return _at(reader, begin, measure.complete)


def _option(reader: Reader, measure: Measure) -> Measure:
    """WORD "=" value"""
    reader.skip_blanks()
    begin = reader.position
    name = reader.word(f"an option of {measure.definition.name}")
    if name not in measure.definition.options:
        return _at(reader, begin, lambda: measure(**{name: None}))
    reader.expect("=", f"after {name}")
    reader.skip_blanks()
    at = reader.position
    value = reader.value()
    return _at(reader, at, lambda: measure(**{name: value}))


def _at(reader: Reader, position: int, make: Callable[[], Measure]) -> Measure:
    """Run a check; its complaint is shown under a caret at this position."""
    try:
        return make()
    except MeasureError as fault:
        if fault.source is not None:
            raise
        message = str(fault).removesuffix(f"\n{fault.hint}")
        raise MeasureError(message, reader.source, position, fault.hint) from None
