"""A slow reader and scorer written for the tests alone: plain Python, nothing of the product."""

from __future__ import annotations

import math
import re

NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?", re.ASCII)
FIELDS = {"value": (4, 2, 3), "score": (6, 2, 4)}
Rows = dict[str, dict[str, float]]


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
