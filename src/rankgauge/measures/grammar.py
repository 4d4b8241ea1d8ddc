"""Text and files to measures, with faults under a caret.

list    = measure { ( "," | blank ) measure }
measure = WORD [ "(" [ option { "," option } ] ")" ] [ "@" NUMBER { "," NUMBER } ]
option  = WORD "=" value

Values are read in `curves`; names with dots and commas, sets, and other tools' words and options in `other_names`. A file
has a list as users type it, or the JSON of `optimize`.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

from rankgauge.errors import DataError, FileText, MeasureError, UsageError, did_you_mean, shortened
from rankgauge.measures.catalogue import BY_NAME, bare
from rankgauge.measures.curves import Reader
from rankgauge.measures.measure import Measure

if TYPE_CHECKING:
    from pathlib import Path

    from rankgauge.measures.other_names import Spelled

PARTS = ("optimum", "recommendation", "start")
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
        if isinstance(item, Measure):
            found[item.complete()] = None
            continue
        try:
            found |= dict.fromkeys(parse_list(item if isinstance(item, str) else str(item), lacking=lacking))
        except MeasureError:
            if isinstance(item, str):
                raise
            raise MeasureError(f"a measure is a text or a Measure, not {item!r}") from None
    if not found:
        raise MeasureError("no measure was named; name at least one, as in nDCG@10")
    return tuple(found)


def parse_list(text: str, *, lacking: Collection[str] = ()) -> list[Measure]:
    """measure { ( "," | blank ) measure }

    Of ours without options, as in nDCG@10, which most calls ask for, nothing is read otherwise than by parse_spelled. But
    other tools' words need not be loaded for them.
    """
    found = []
    with contextlib.suppress(KeyError, MeasureError):  # what is wrong is said below, with its place
        for word in text.split():
            name, sign, cutoff = word.partition("@")
            if sign and not (cutoff.isascii() and cutoff.isdecimal() and len(cutoff) < _DIGITS):
                raise KeyError(word)
            found.append((bare(name) @ int(cutoff) if sign else bare(name)).complete())
        if found:
            return found
    return [one.measure for one in parse_spelled(text, lacking=lacking)]


def parse_spelled(text: str, *, lacking: Collection[str] = ()) -> list[Spelled]:
    """As parse_list, with the labels that trec_eval would give its own measures."""
    from rankgauge.measures import other_names

    reader = Reader(text)
    found: list[Spelled] = []
    reader.skip_blanks()
    while not reader.at_end:
        others = other_names.read(reader, lacking)
        found += map(other_names.Spelled, _measure(reader)) if others is None else others
        comma = reader.takes(",")
        reader.skip_blanks()
        if comma and reader.at_end:
            raise reader.fault("expected a measure after ','")
    if not found:
        raise reader.fault("expected a measure, as in nDCG@10", 0)
    return found


def _measure(reader: Reader) -> list[Measure]:
    """WORD [ "(" [ option { "," option } ] ")" ] [ "@" NUMBER { "," NUMBER } ]; one measure for each cutoff."""
    from rankgauge.measures import other_names

    begin = reader.skip_blanks()
    name = reader.token("a measure", "word")
    found = bare(name) if name in BY_NAME else reader.checked(begin, lambda: other_names.alias(name))
    if found is None:
        raise reader.fault(f"unknown measure {shortened(name)!r}", begin, _hint(name, reader.source, begin))
    measure = found

    def option() -> None:
        """WORD "=" value"""
        nonlocal measure
        at = reader.skip_blanks()
        option = reader.token(f"an option of {measure.definition.name}", "word")
        if option in measure.definition.options:
            reader.expect("=", f"after {option}")
            at = reader.skip_blanks()
            value = reader.value()
        elif other := other_names.option(measure, option, reader):
            measure = other
            return
        else:
            value = None  # which is refused, as the option is unknown
        measure = reader.checked(at, lambda: measure(**{option: value}))

    def cut() -> Measure:
        at = reader.skip_blanks()
        cutoff = reader.token("a cutoff after '@'", "number")
        return reader.checked(at, lambda: measure @ cutoff)

    reader.in_brackets(option, f"after the options of {name}")
    cuts = [measure]
    if reader.takes("@"):
        cuts = [cut()]
        # A comma belongs to the cutoffs if another one follows, as in nDCG@5,10.
        while comma := re.compile(r"\s*,\s*(?=\d)").match(reader.source, reader.position):
            reader.position = comma.end()
            cuts.append(cut())
    cuts[-1] = other_names.read_level(reader, cuts[-1])
    return [reader.checked(begin, one.complete) for one in cuts]


def _hint(name: str, source: str, position: int) -> str:
    """What an unknown name may mean: one of several words, as in "hit rate@10", or a slip of the pen."""
    words = list(re.finditer(r"[^\s,]+", source))
    at = next((n for n, word in enumerate(words) if word.end() > position), 0)
    for size in range(min(4, len(words)), 1, -1):
        for first in range(max(at - size + 1, 0), min(at, len(words) - size) + 1):
            several = [word.group() for word in words[first : first + size]]
            with contextlib.suppress(MeasureError):
                return f"{' '.join(several)!r} is {parse('_'.join(several))}"
    if glued := re.fullmatch(r"([a-zA-Z]+)(\d+)", name):
        with contextlib.suppress(MeasureError):
            return f"did you mean '{parse('@'.join(glued.groups()))}'?"
    if name.lower().startswith(("hit", "acc")):
        return "the hit rate is Success@10"
    # Of a few letters everything is near, and another measure would be no help.
    return did_you_mean(name, BY_NAME, _SLIP if len(name) > _SHORT else 1.0)


def read_measure(path: str | Path, part: str | None = None) -> Measure:
    """The one measure of a file; of what `optimize` wrote, the optimum or the part that is named."""
    return parse(spelled(path, part))


def spelled(path: str | Path, part: str | None = None) -> str:
    """The measures of a file, as text. Lines that begin with # are comments."""
    from rankgauge.small_files import small_text

    text = small_text(path)
    if text.lstrip().startswith(("{", "[", '"')):
        return FileText(_of_json(text, str(path), part), str(path))
    if part is not None:
        raise UsageError(f"{path} is a list of measures; it has no part {part!r}")
    lines = (line for line in text.splitlines() if not line.lstrip().startswith("#"))
    return FileText(" ".join(lines), str(path))


def _of_json(text: str, path: str, part: str | None) -> str:
    import json  # 2 ms that most calls need not spend

    try:
        data = json.loads(text)
    except RecursionError:
        raise DataError("this JSON is nested too deeply", path) from None
    except ValueError as problem:
        raise DataError(f"is not JSON: {problem}", path) from None
    if isinstance(data, dict):
        if part is not None and part not in PARTS:
            raise UsageError(f"{path} has no part {part!r}\n{did_you_mean(part, PARTS)}")
        named = (data.get(name) for name in ((part,) if part else ("optimum", "measure")))
        data = next((one for one in named if isinstance(one, str)), None)
    elif part is not None:
        data = None
    texts = [data] if isinstance(data, str) else data
    if not isinstance(texts, list) or not texts or not all(isinstance(one, str) for one in texts):
        hint = "Write one with rankgauge optimize … --output measure.json."
        raise DataError(f"holds no {part or 'measure'}", path, hint=hint)
    return " ".join(texts)
