"""Everything that reads a file, by the kind of its content: what a file holds as plain values, to be compared."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

import rankgauge
from data.collection import JUDGED, SCORED, bare, files, trec_files, triples
from rankgauge.analysis.compare.ledger import Ledger
from rankgauge.data.about import document_titles
from rankgauge.data.vectors import file_column
from rankgauge.measures.grammar import parse_all, spelled

MEASURES = "nDCG@3 RR@2"
LETOR = b"2 qid:7 1:0.5 2:3 # d1\n0 qid:7 1:0.25 2:1 # d2\n1 qid:8 1:0.5 # d1\n1 qid:8 2:7 # d2\n"
MATRIX = b"system,query,nDCG@10,AP\na,q1,0.5,0.25\na,q2,1.0,0.75\nb,q1,0.25,0\nb,q2,0.125,1\n"
QUERIES = b"query_id,text,length,weight\nq1,rambo,head,1\nq2,first blood,tail,0.5\nq3,rocky,tail,2\n"
CLICKS = b"user,clicks,model\nu1,3,0.5\nu1,0,0.25\nu2,1,0.75\nu2,2,-1e-3\nu2,0,0.75\n"
KNOTS = b'{"preset": "knots", "knots": [[0, 0], [10, 0.5], [40, 1]]}\n'
OPTIMUM = b'{"measure": "nDCG@10", "optimum": "nDCG(gain=exp)@10", "start": "nDCG"}\n'
LEDGER = b'{"format": "rankgauge-ledger-1", "looks": [{"look": 1, "digest": "00ff", "outcome": "passed"}]}\n'


def _evaluated(judged: Any, run: Any) -> Any:
    scores = rankgauge.evaluate(judged, run, MEASURES)
    several = scores.systems if len(scores.systems) > 1 else ()
    return several, scores.queries, scores.values.tobytes()


def _queries(path: Path | str) -> Any:
    found = rankgauge.read_queries(path)
    return found.ids, [found.text(query) for query in found.ids], [found.column(name) for name in found.columns]


READERS: dict[str, Callable[[Path | str], Any]] = {
    "value": lambda path: _evaluated(path, bare(SCORED)),
    "score": lambda path: _evaluated(bare(JUDGED), path),
    "scores": lambda path: rankgauge.read_scores(path).values.tobytes(),
    "queries": _queries,
    "titles": document_titles,
    "column": lambda path: file_column(path).tobytes(),
    "columns": lambda path: rankgauge.score("nDCG@3", "clicks", "model", "user", file=path, details=True).to_dict(),
    "relevance": lambda path: str(rankgauge.relevance(path).to_dict()),
    "knots": lambda path: rankgauge.RelevanceFunction.load(path).knots,
    "measure": lambda path: parse_all(spelled(path)),
    "ledger": lambda path: Ledger(path).looks,
}
PLAIN = {"knots", "measure", "ledger"}
"""Small files that rankgauge itself wrote; nobody packs them."""


def originals() -> dict[str, dict[str, bytes]]:
    """By kind, one file of every form; the packed ones are packed later."""
    return {
        "value": _tables("value"),
        "score": _tables("score"),
        "scores": {"saved.parquet": _parquet(MATRIX), "saved.csv": MATRIX, "matrix.txt": b"q1 0.5 1\nq2 0.25 0\n"},
        "queries": _forms(QUERIES) | {"bare.txt": b"q1\trambo\nq2\tfirst blood\n", "words.txt": b"1 rambo\n2 rocky\n"},
        "titles": _forms(b"doc_id,title\nd1,Rambo\nd2,Rocky\n"),
        "column": {"column.txt": b"3\n1\n2\n0.5\n", "named.csv": b"truth\n3\n-1\n2e-3\n"},
        "columns": _forms(CLICKS),
        "relevance": _forms(b"query,document,score\nq1,a,3\nq1,b,1\nq1,c,2\nq2,a,1e3\nq2,b,0\nq2,c,0\n"),
        "knots": {"knots.json": KNOTS, "points.json": b"[[0, 0], [10, 0.5], [40, 1]]"},
        "ledger": {"ledger.json": LEDGER},
        "measure": {"optimum.json": OPTIMUM, "list.txt": b"# ours\nnDCG(gain=exp)@10 AP\nRR\n"},
    }


def _tables(number: str) -> dict[str, bytes]:
    rows = JUDGED if number == "value" else SCORED
    made = {name: write(rows) for name, write in files(number).items()}
    made |= {name: write(bare(rows)) for name, write in trec_files(number).items()}
    plain = {name: text for name, text in made.items() if not name.endswith((".gz", ".zst"))}
    if number == "value":
        wide = [("query_id", "doc_id", "title", "grade", "assessor")]
        wide += [(q, d, f"the, {d}" if n else 'a "b"', n, "x") for q, d, n in triples(rows)]
    else:
        wide = [("query_id", "doc_id", "rank", "score")]
        wide += [(q, d, at, n) for at, (q, d, n) in enumerate(triples(rows))]
    for name, sign in (("wide.csv", ","), ("wide.tsv", "\t")):
        out = io.StringIO()
        csv.writer(out, delimiter=sign, lineterminator="\n").writerows(wide)
        plain[name] = out.getvalue()
    return {name: text if isinstance(text, bytes) else text.encode() for name, text in plain.items()} | {
        "rows.letor": LETOR
    }


def _forms(table: bytes) -> dict[str, bytes]:
    frame = pl.read_csv(table)
    return {
        "table.csv": table,
        "table.tsv": table.replace(b",", b"\t"),
        "table.jsonl": frame.write_ndjson().encode(),
        "table.json": frame.write_json().encode(),
        "table.parquet": _parquet(table),
    }


def _parquet(table: bytes) -> bytes:
    out = io.BytesIO()
    pl.read_csv(table).write_parquet(out)
    return out.getvalue()
