"""--format trec: what trec_eval prints, line for line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rankgauge.data.judgments import Run
from rankgauge.errors import DataError
from rankgauge.evaluation.presets import preset
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.catalogue import bare
from rankgauge.measures.grammar import parse_spelled
from rankgauge.measures.measure import Measure
from rankgauge.measures.other_names import SETS, place_and_label
from rankgauge.tables.notes import visible

_RETURNED = bare("NumRet")


@dataclass(frozen=True)
class Request:
    """The measures to evaluate, and the lines to print: a label and the place of its measure."""

    measures: tuple[Measure, ...]
    lines: tuple[tuple[str, int], ...]
    names_run: bool
    skips_missing: bool
    """trec_eval 9 averages over missing queries when asked to, but prints no lines for them."""


def request(texts: Sequence[str], like: str | None) -> Request:
    """Lines in trec_eval's order, whatever the order of asking; `official` if nothing is asked for."""
    texts = texts or ["official"]
    lacking = preset(like).lacks if like else ()
    asked = {}
    for one in (one for text in texts for one in parse_spelled(text, lacking=lacking)):
        place, label = place_and_label(one)
        asked[label] = (place, one.measure)
    measures = tuple(dict.fromkeys([*(measure for _, measure in asked.values()), _RETURNED]))
    order = sorted(asked, key=lambda label: asked[label][0])
    lines = tuple((label, measures.index(asked[label][1])) for label in order)
    words = {word for text in texts for word in re.findall(r"\w+", text)}
    return Request(measures, lines, not words.isdisjoint(SETS), like == "trec_eval-9")


def render(scores: Scores, asked: Request, tags: Sequence[str], *, per_query: bool, decimals: int = 4) -> str:
    """One block of lines per run: every query if wanted, in the byte order of ids, then the whole as query `all`."""
    out: list[str] = []
    means = scores.mean()
    queries = sorted(range(len(scores.queries)), key=lambda query: scores.queries[query].encode())
    for system, (name, tag) in enumerate(zip(scores.systems, tags, strict=True)):
        for query in queries if per_query else ():
            values = scores.values[system, query].tolist()
            if not (asked.skips_missing and values[asked.measures.index(_RETURNED)] == 0):
                out += _lines(scores, asked, scores.queries[query], values, whole=False, decimals=decimals)
        if asked.names_run or len(scores.systems) > 1:
            out.append(f"{'runid':<22}\tall\t{visible(tag)}")
        out += _lines(scores, asked, "all", list(means[name].values()), whole=True, decimals=decimals)
    return "\n".join(out) + "\n"


def _lines(
    scores: Scores, asked: Request, query: str, values: Sequence[float], *, whole: bool, decimals: int
) -> Iterator[str]:
    for label, at in asked.lines:
        definition = scores.measures[at].definition
        is_summary = definition.aggregate == "geometric" or definition.name == "NumQ"
        if math.isnan(values[at]) or (is_summary and not whole):
            continue
        places = 0 if definition.aggregate == "sum" else decimals
        yield f"{label:<22}\t{visible(query)}\t{values[at]:.{places}f}"


def tag_of(run: Run) -> str:
    """The sixth field of a TREC run, its name for everything else."""
    from rankgauge.data.read import kind
    from rankgauge.data.read.bytes import Source

    try:
        tag = kind.tag_of(Source(run.table.origin))
    except DataError:
        return run.name
    return run.name if tag is None else tag
