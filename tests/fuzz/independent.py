"""Slow readers and scorers written for the tests alone: plain Python, nothing of the product."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable
from typing import Any

NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*", re.ASCII)
FIELDS = {"value": (4, 2, 3), "score": (6, 2, 4)}
NAMES = {
    ("query_id", "doc_id", "grade"): (0, 1, 2),
    ("query_id", "doc_id", "score"): (0, 1, 2),
    ("query-id", "corpus-id", "score"): (0, 1, 2),
    ("user_id", "item_id", "rating"): (0, 1, 2),
    ("user_id", "item_id", "score"): (0, 1, 2),
    ("query_id", "doc_id", "title", "grade", "assessor"): (0, 1, 3),
    ("query_id", "doc_id", "rank", "score"): (0, 1, 3),
}
"""The columns of a table, and where query, document and number are among them."""
COLUMNS = {"query", "document", "score", "value", "system", "qid", "topic", "user", "item", "rank", "results"}
MARK = b"\xef\xbb\xbf"
TREC = {"plain.trec", "tabs.txt", "ragged", "windows.txt"}
SIGNS = {"plain.csv": ",", "quoted.csv": ",", "windows.csv": ",", "wide.csv": ",", "german.csv": ";", "beir.tsv": "\t"}
SIGNS |= {"wide.tsv": "\t"}
FORMS = {*TREC, *SIGNS, "dicts.json", "list.json", "lines.jsonl"}
Rows = dict[str, dict[str, float]]


class OddError(Exception):
    """Something that nobody may take for judgments or a run."""


def read(name: str, data: bytes, number: str) -> Rows | None:
    """Judgments or a run by the form that the name stands for; None for another form, of which nothing is known here.

    What is odd is an OddError: whoever reads it all the same reads something else than what is written.
    """
    while data.startswith(MARK):
        data = data[3:]
    if name not in FORMS:
        return None
    if b"\0" in data or re.search(rb"\n[ \t\r\x0b\x0c]*" + MARK, data):
        raise OddError("a zero, or a mark on a later line")
    if name in TREC:
        return read_trec(data, number, is_named=name.endswith(".trec"))
    try:
        text = data.decode()
        return _delimited(text, SIGNS[name]) if name in SIGNS else _json(name, text, number)
    except json.JSONDecodeError as problem:
        raise OddError("no JSON") from problem
    except (ValueError, RecursionError):  # not UTF-8 where nobody looks; a whole number of thousands of digits
        return None


def _json(name: str, text: str, number: str) -> Rows | None:
    if name == "lines.jsonl":
        lines = [line for line in text.split("\n") if line.strip()]
        return _records([json.loads(line, object_pairs_hook=_unique) for line in lines])
    return _tree(json.loads(text, object_pairs_hook=_unique), number)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of equal names nobody knows which is meant; here they are marked."""
    return dict(pairs) if len(dict(pairs)) == len(pairs) else {"": None, **dict(pairs), "twice": None}


def _delimited(text: str, sign: str) -> Rows | None:
    """None where the header is another, or a line end is one for some readers only."""
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=sign, strict=True) if row]
    except csv.Error as problem:
        raise OddError("broken quotes") from problem
    if not rows or tuple(rows[0]) not in NAMES:
        return None
    places = NAMES[tuple(rows[0])]
    if any(len(row) != len(rows[0]) for row in rows):
        raise OddError("a row with other cells")
    return _gathered(tuple(row[at] for at in places) for row in rows[1:])  # type: ignore[misc]


def _tree(tree: Any, number: str) -> Rows | None:
    if isinstance(tree, list):
        return _records(tree)
    if not isinstance(tree, dict) or COLUMNS & tree.keys() or "twice" in tree:
        return None
    if sum(isinstance(inner, list) for inner in tree.values()) == 1 < len(tree):
        return None  # records, and other things beside them
    triples: list[tuple[Any, Any, Any]] = []
    for query, inner in tree.items():
        if isinstance(inner, dict) and not any(isinstance(cell, list) for cell in inner.values()):
            triples += [(query, document, cell) for document, cell in inner.items()]
        elif isinstance(inner, list) and not any(isinstance(cell, dict) for cell in inner):
            triples += [(query, cell, 1 if number == "value" else -at) for at, cell in enumerate(inner)]
        elif isinstance(inner, (dict, list)):
            return None
        else:
            raise OddError("neither numbers nor a list")
    return _gathered(triples)


def _records(records: list[Any]) -> Rows | None:
    known = {names[:3]: places for names, places in NAMES.items() if len(names) == 3}
    if not all(isinstance(one, dict) for one in records):
        raise OddError("no record")
    whole = [tuple(one) in known for one in records]
    if any(whole) and any(tuple(one) in {names[:2] for names in known} for one in records):
        raise OddError("a record without a number among others")
    return _gathered(tuple(one.values()) for one in records) if all(whole) else None  # type: ignore[misc]


def _gathered(triples: Iterable[tuple[Any, Any, Any]]) -> Rows:
    rows: Rows = {}
    for *ids, given in triples:
        for one in ids:
            if isinstance(one, bool) or not isinstance(one, (str, int)) or one == "":
                raise OddError("no id")
            if isinstance(one, str) and re.search("[\ud800-\udfff]", one):
                raise OddError("half a character")
        if not isinstance(given, (int, float)) and not (isinstance(given, str) and NUMBER.fullmatch(given)):
            raise OddError("no number")
        query, document = map(str, ids)
        try:
            value = float(given)
        except OverflowError as problem:
            raise OddError("beyond all numbers") from problem
        if not math.isfinite(value) or document in rows.setdefault(query, {}):
            raise OddError("not finite, or twice")
        rows[query][document] = value
    if not rows:
        raise OddError("nothing")
    return rows


def read_trec(data: bytes, number: str, *, is_named: bool = True) -> Rows | None:
    """Judgments or a run; None where the first lines may make it something else."""
    width, at_document, at_number = FIELDS[number]
    lines = []
    for line in data.split(b"\n"):
        # The six ASCII blanks, as in the C locale.
        words = re.split(rb"[ \t\r\x0b\x0c]+", line.strip(b" \t\r\x0b\x0c"))
        if words != [b""] and not words[0].startswith(b"#"):
            lines.append(words)
    first = next((line for line in data.splitlines() if line.strip()), b"")
    if not is_named and (first.lstrip()[:1] in {b"{", b"["} or re.search(rb"\d+:|[,;]", first)):
        return None
    if number == "score" and 2 * sum(len(words) == 3 for words in lines) > len(lines):
        return None  # ranks
    rows: Rows = {}
    for words in lines:
        try:
            texts = [word.decode() for word in words]
        except UnicodeDecodeError:
            return None
        surplus = number == "score" and len(texts) > width and texts[3].removeprefix("-").isdigit()
        if (len(texts) != width and not surplus) or not NUMBER.fullmatch(texts[at_number]):
            raise OddError("another number of words, or no number")
        query, document, value = texts[0], texts[at_document], float(texts[at_number])
        if document in rows.setdefault(query, {}) or not math.isfinite(value):
            raise OddError("not finite, or twice")
        rows[query][document] = value
    if not rows:
        raise OddError("nothing")
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
