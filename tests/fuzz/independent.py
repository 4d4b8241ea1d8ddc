"""Slow readers and scorers written for the tests alone: plain Python, nothing of the product."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable
from typing import Any

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
FIELDS = {"value": (4, 2, 3), "score": (6, 2, 4)}
NAMES = {
    ("query_id", "doc_id", "grade"),
    ("query_id", "doc_id", "score"),
    ("query-id", "corpus-id", "score"),
    ("user_id", "item_id", "rating"),
    ("user_id", "item_id", "score"),
}
Rows = dict[str, dict[str, float]]


def read(name: str, data: bytes, number: str) -> Rows | None:
    """Judgments or a run by the form that the name stands for; None where anything is odd: no opinion then."""
    if name in {"plain.trec", "tabs.txt", "ragged", "windows.txt"}:
        return read_trec(data, number)
    while data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    known = {"plain.csv": ",", "quoted.csv": ",", "windows.csv": ",", "german.csv": ";", "beir.tsv": "\t"}
    try:
        text = data.decode()
        if name in known:
            return _gathered(_delimited(text, known[name]))
        if name in {"dicts.json", "list.json"}:
            return _gathered(_triples(json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)))
        if name == "lines.jsonl":
            lines = [line for line in text.split("\n") if line.strip()]
            return _gathered(
                _triples([json.loads(one, object_pairs_hook=_unique, parse_constant=_refuse) for one in lines])
            )
    except (ValueError, RecursionError):
        pass
    return None


def _refuse(_: object) -> None:
    raise ValueError


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


def _delimited(text: str, sign: str) -> Iterable[tuple[str, str, float]]:
    text = text.replace("\r\n", "\n")
    if re.search(r"[\x00-\x08\x0b-\x1f\x85\u2028\u2029]", text):
        raise ValueError
    if '""' not in text and text.count('"') % 2:
        raise ValueError
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True) if row]
    if not rows or tuple(rows[0]) not in NAMES:
        raise ValueError
    for row in rows[1:]:
        if len(row) != 3 or not NUMBER.fullmatch(row[2]):
            raise ValueError
        yield row[0], row[1], float(row[2])


def _triples(tree: Any) -> Iterable[tuple[str, str, float]]:
    if isinstance(tree, dict):
        return ((query, document, value) for query, inner in tree.items() for document, value in _dict(inner).items())
    if any(tuple(one) not in NAMES for one in tree):
        raise ValueError
    return (tuple(one.values()) for one in tree)  # type: ignore[misc]


def _dict(one: Any) -> dict[str, Any]:
    if not isinstance(one, dict) or not one:
        raise ValueError
    return one


def _gathered(triples: Iterable[tuple[Any, Any, Any]]) -> Rows:
    rows: Rows = {}
    for query, document, value in triples:
        if not all(isinstance(one, str) and one and one == one.strip() for one in (query, document)):
            raise ValueError
        if type(value) not in {int, float} or not math.isfinite(value) or document in rows.setdefault(query, {}):
            raise ValueError
        rows[query][document] = float(value)
    return rows


def read_trec(data: bytes, number: str) -> Rows | None:
    """Judgments or a run; None where a line is odd in any way, about which this reader has no opinion."""
    while data.startswith(b"\xef\xbb\xbf"):
        data = data[3:]
    if b"\0" in data:
        return None
    width, at_document, at_number = FIELDS[number]
    rows: Rows = {}
    for line in data.split(b"\n"):
        # The six ASCII blanks, as in the C locale.
        words = re.split(rb"[ \t\r\x0b\x0c]+", line.strip(b" \t\r\x0b\x0c"))
        if words == [b""] or words[0].startswith(b"#"):
            continue
        try:
            texts = [word.decode() for word in words]
        except UnicodeDecodeError:
            return None
        if len(texts) != width or not NUMBER.fullmatch(texts[at_number]):
            return None
        query, document, value = texts[0], texts[at_document], float(texts[at_number])
        if document in rows.setdefault(query, {}) or not math.isfinite(value):
            return None
        rows[query][document] = value
    return rows


def ndcg(judged: Rows, run: Rows, cutoff: int) -> dict[str, float]:
    """Per judged query: score, then id, both falling; what is unjudged or negative gains nothing."""
    found = {}
    for query, grades in judged.items():
        returned = run.get(query, {})
        order = sorted(returned, key=lambda one: (returned[one], one), reverse=True)[:cutoff]
        ideal = sorted((max(grade, 0.0) for grade in grades.values()), reverse=True)[:cutoff]
        best = math.fsum(gain / math.log2(rank + 2) for rank, gain in enumerate(ideal))
        got = math.fsum(max(grades.get(one, 0.0), 0.0) / math.log2(rank + 2) for rank, one in enumerate(order))
        found[query] = got / best if best > 0 else 0.0
    return found


def reciprocal_rank(judged: Rows, run: Rows, cutoff: int) -> dict[str, float]:
    found = {}
    for query, grades in judged.items():
        returned = run.get(query, {})
        order = sorted(returned, key=lambda one: (returned[one], one), reverse=True)[:cutoff]
        ranks = [rank for rank, one in enumerate(order, 1) if grades.get(one, 0.0) > 0]
        found[query] = 1.0 / ranks[0] if ranks else 0.0
    return found
