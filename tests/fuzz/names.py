"""Hostile names of systems, queries and documents in every form that a result can take: they stay text."""

from __future__ import annotations

import csv
import io
import unicodedata
from html.parser import HTMLParser
from xml.etree import ElementTree as ET

import rankgauge
from fuzz.tally import HungError, Tally
from rankgauge.analysis.compare.result import Comparison
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation.junit import junit_text
from rankgauge.tables.table import to_csv

PLAIN = "plain"


class Tags(HTMLParser):
    """Every tag with the names of its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *(name for name, _ in attrs)))


def _results(name: str) -> tuple[Scores, Comparison]:
    judged = {f"{name}q": {f"{name}d": 1, "b": 0}, "q2": {"a": 2, "b": 1}, "q3": {"a": 1}}
    runs = {name: {f"{name}q": {f"{name}d": 1.0}, "q2": {"b": 2.0}}, "base": {f"{name}q": {"b": 1.0}, "q2": {"a": 1.0}}}
    scores = rankgauge.evaluate(judged, runs, "nDCG@3 RR")
    return scores, rankgauge.compare(scores, baseline="base")


def _forms(name: str) -> dict[str, str]:
    scores, comparison = _results(name)
    found = {}
    for which, one in (("scores", scores), ("comparison", comparison)):
        found |= {f"{which} text": str(one), f"{which} markdown": one.to_markdown(), f"{which} latex": one.to_latex()}
        found |= {f"{which} html": one._repr_html_(), f"{which} csv": to_csv(one.table())}
    gate = comparison.gate("nDCG@3 < baseline - 0.01")
    return found | {"gate junit": junit_text(gate, str(comparison)), "gate text": str(gate)}


def _shape(form: str, text: str) -> object:
    """What no name may change: tags, rows and cells, elements."""
    if form.endswith("html"):
        return Tags(text).found
    if form.endswith("csv"):
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        formulas = [cell for row in rows for cell in row if cell[:1] in tuple("=+-@\t\r") and not _is_number(cell)]
        return [len(row) for row in rows], formulas
    if form.endswith("junit"):
        return [one.tag for one in ET.fromstring(text).iter()]  # noqa: S314 - written by us
    return [one for one in text if one != "\n" and unicodedata.category(one) in {"Cc", "Cs", "Zl", "Zp"}]


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


USUAL = {form: _shape(form, text) for form, text in _forms(PLAIN).items()}


def try_names(data: bytes, tally: Tally) -> None:
    name = data.decode(errors="replace")
    tally.counts["names"] += 1
    try:
        with tally.limited():
            found = _forms(name)
            odd = [form for form, text in found.items() if _shape(form, text) != USUAL[form]]
    except RankgaugeError:
        return
    except (Exception, HungError) as problem:  # noqa: BLE001 - whatever it is, it is what we look for
        tally.fail("names", "text", data, f"{type(problem).__name__}: {problem}")
        return
    tally.counts["names shown"] += 1
    if odd:
        tally.fail("names", "text", data, f"changes {odd}")
