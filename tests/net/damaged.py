"""Damaged files of every format, values that nothing can be made of, and files that once caused harm: the messages."""

from __future__ import annotations

import gzip
import io
import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import rankgauge
from net import said
from net.called import command
from net.drawn import FILES, Rows, zstandard
from net.said import Case
from rankgauge import Judgments, Policy, Queries, Run, Scores

CORPUS = Path(__file__).parents[1] / "fuzz" / "corpus"
JUDGED: Rows = [("q1", "a", 1.0), ("q1", "b", 0.0), ("q2", "a", 2.0), ("q2", "c", 1.0), ("q3", "a", 0.0)]
SCORED: Rows = [("q1", "b", 2.5), ("q1", "a", 1.5), ("q2", "a", 0.5), ("q2", "x", 0.25), ("q3", "a", 1.0)]
LETOR = b"1 qid:q1 1:0.5 2:3 # a\n0 qid:q1 1:0.25 2:1 # b\n2 qid:q2 1:0.5 # a\n1 qid:q2 2:7 # c\n0 qid:q3 1:1 # a\n"
MATRIX = b"system,query,nDCG@10,AP\na,q1,0.5,0.25\na,q2,1.0,0.75\nb,q1,0.25,0\nb,q2,0.125,1\n"
QUERIES = b"query_id,text,length,weight\nq1,rambo,head,1\nq2,first blood,tail,0.5\nq3,rocky,tail,2\n"
MARK = b"\xef\xbb\xbf"
Damage = Callable[[bytes], bytes]


def _line(number: int, change: Callable[[bytes], bytes]) -> Damage:
    """A change of one line, counted from the end if below 0; the line end stays."""

    def damage(data: bytes) -> bytes:
        lines = data.splitlines(keepends=True)
        at = number if number >= 0 else len(lines) + number
        if 0 <= at < len(lines):
            body = lines[at].rstrip(b"\r\n")
            lines[at] = change(body) + lines[at][len(body) :]
        return b"".join(lines)

    return damage


def _cells(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[bytes], bytes]:
    """A change of a line's cells, by the separator that the line has."""

    def changed(line: bytes) -> bytes:
        separator = next((sign for sign in (b"\t", b";", b",", b" ") if sign in line), b" ")
        return separator.join(change(line.split(separator)))

    return changed


def _number(word: bytes) -> Callable[[bytes], bytes]:
    """Another word in place of the last number of a line."""

    def changed(line: bytes) -> bytes:
        import re

        found = list(re.finditer(rb"(?<![\w.:])-?\d+(\.\d+)?(?![\w.:])", line))
        return line if not found else line[: found[-1].start()] + word + line[found[-1].end() :]

    return changed


def _id(old: bytes, new: bytes) -> Damage:
    return lambda data: data.replace(old, new, 1)


PLACES = {"first": 1, "third": 3, "last": -1}
ROW: dict[str, Callable[[bytes], bytes]] = {
    "a cell short": _cells(lambda cells: cells[:-1]),
    "two cells short": _cells(lambda cells: cells[:-2]),
    "a cell more": _cells(lambda cells: [*cells, b"7"]),
    "a cell more inside": _cells(lambda cells: [*cells[:2], b"0", *cells[2:]]),
    "three cells more": _cells(lambda cells: [*cells, b"7", b"8", b"9"]),
    "empty cells more": _cells(lambda cells: [*cells, b"", b""]),
    "an empty first cell": _cells(lambda cells: [b"", *cells[1:]]),
    "an empty last cell": _cells(lambda cells: [*cells[:-1], b""]),
    "blanks around": lambda line: b"  " + line + b"  ",
    "a quote": lambda line: b'"' + line,
    "a NUL byte": lambda line: line + b"\0",
    "not UTF-8": lambda line: line[:-1] + b"\xff\xfe" + line[-1:],
    "cut": lambda line: line[: len(line) // 2],
    "empty": lambda _: b"",
    "a mark": lambda line: MARK + line,
    "a comment": lambda line: b"# " + line,
    "twice": lambda line: line + b"\n" + line,
    **{f"number {word!r}": _number(word.encode()) for word in ("nan", "inf", "-inf", "1e999", "high", "1,5", "0x10", "1_000", "-0", "١", "true", "null", "''", "1e308", "9" * 400)},
}  # fmt: skip
WHOLE: dict[str, Damage] = {
    "sound": lambda data: data,
    "empty": lambda _: b"",
    "blank lines": lambda _: b"\n\n\n",
    "the first line alone": lambda data: data.splitlines(keepends=True)[0] if data else data,
    "comments": lambda _: b"# nothing\n# here\n",
    "no last line end": lambda data: data.rstrip(b"\n"),
    "a mark": lambda data: MARK + data,
    "two marks": lambda data: MARK * 2 + data,
    "windows": lambda data: data.replace(b"\n", b"\r\n"),
    "old mac": lambda data: data.replace(b"\n", b"\r"),
    "UTF-16": lambda data: data.decode("utf-8", "replace").encode("utf-16"),
    "binary": lambda _: b"\x7fELF\0\0\1" + bytes(range(256)),
    "a page": lambda _: b"<!DOCTYPE html>\n<html><body>404</body></html>\n",
    "twice": lambda data: data + data,
    "cut in half": lambda data: data[: len(data) // 2],
    "an empty query": _id(b"q2", b""),
    "an empty document": _id(b"a", b""),
    "a blank query": _id(b"q2", b" "),
    "other queries": lambda data: data.replace(b"q", b"Q-"),
    "no first line": lambda data: b"".join(data.splitlines(keepends=True)[1:]),
    "a header that nobody knows": _line(0, lambda line: line.replace(b"document", b"what").replace(b"docId", b"what")),
    "a header without number": _line(0, lambda line: line.replace(b"value", b"thing").replace(b"score", b"thing")),
    "a header twice": _line(0, lambda line: line.replace(b"document", b"query")),
    "another number in the header": _line(0, _cells(lambda cells: [*cells, b"timestamp"])),
    "closing signs lost": lambda data: data.rstrip(b"]}\n "),
    "a comma too many": lambda data: data.replace(b"}", b",}", 1).replace(b"]", b",]", 1),
    "gzip under this name": lambda data: gzip.compress(data, mtime=0),
    "zstandard under this name": zstandard,
}
PACKED: dict[str, Damage] = {
    "sound": lambda data: data,
    "empty": lambda _: b"",
    "cut by 8": lambda data: data[:-8],
    "cut in half": lambda data: data[: len(data) // 2],
    "head alone": lambda data: data[:6],
    "a byte changed": lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 255]) + data[len(data) // 2 + 1 :],
    "something behind": lambda data: data + b"something",
    "twice": lambda data: data + data,
    "packed again": lambda data: gzip.compress(data, mtime=0),
    "not packed": lambda _: b"q1 0 a 1\n",
}  # fmt: skip


def _wide(rows: Rows, number: str, separator: str) -> bytes:
    """A table with more columns than are needed, before and after the others."""
    columns = {
        "rank" if number == "score" else "unit": range(len(rows)),
        "title": [f"about {document}" for _, document, _ in rows],
    }
    query, document, numbers = zip(*rows, strict=True)
    frame = pl.DataFrame({"query": query, **columns, "document": document, number: numbers, "seconds": 0.5})
    return frame.write_csv(separator=separator).encode()


WIDE: dict[str, Callable[[Rows, str], bytes]] = {
    "wide.csv": lambda rows, number: _wide(rows, number, ","),
    "wide.tsv": lambda rows, number: _wide(rows, number, "\t"),
}


def formats() -> Iterator[Case]:
    """Each damage of each kind of file, as judgments and as a run, by evaluate and by check."""
    for kind, made in (FILES | WIDE).items():
        for number, rows in (("value", JUDGED), ("score", SCORED)):
            for at, (damage, data) in enumerate(_damaged(kind, made(rows, number))):
                if at % 2 == (number == "value") and "number" in damage:
                    continue  # half of the words by judgments, half by runs
                yield _asked(f"{kind} of {number}s", f"bad.{kind}", number, damage, data)
    for damage, data in _damaged("letor", LETOR):
        yield _asked("letor of values", "bad.letor", "value", damage, data)
        yield _asked("letor of scores", "bad.letor", "score", damage, data)
    for name, frame in _tables():
        for number in ("value", "score"):
            out = io.BytesIO()
            frame(number).write_parquet(out)
            yield _asked(f"parquet of {number}s", "bad.parquet", number, name, out.getvalue())


def _damaged(kind: str, data: bytes) -> Iterator[tuple[str, bytes]]:
    if kind.endswith((".gz", ".zst", "parquet")):
        for name, damage in PACKED.items():
            if not (kind == "parquet" and name == "a byte changed"):  # which byte that is, Polars decides
                yield name, damage(data)
        return
    known = set()
    for name, damage in WHOLE.items():
        broken = damage(data)
        if broken not in known:
            known.add(broken)
            yield name, broken
    for at, (name, change) in enumerate(ROW.items()):
        places = list(PLACES) if " more" in name or "short" in name else [list(PLACES)[at % 3]]
        for place in places:
            broken = _line(PLACES[place], change)(data)
            if broken not in known:
                known.add(broken)
                yield f"{place} line: {name}", broken


def _asked(what: str, name: str, number: str, damage: str, data: bytes) -> Case:
    def call() -> Any:
        Path(name).write_bytes(data)
        Path("good.qrels").write_bytes(FILES["trec"](JUDGED, "value"))
        Path("good.trec").write_bytes(FILES["trec"](SCORED, "score"))
        files = f"{name} good.trec" if number == "value" else f"good.qrels {name}"
        return {
            "evaluate": command(f"evaluate {files} -m nDCG@3,RR --per-query --format csv"),
            "check": command(f"check {files}"),
        }

    return Case(f"{what}: {damage}", call, lambda: f"{name}: {data[:2000]!r}")


def _tables() -> Iterator[tuple[str, Callable[[str], pl.DataFrame]]]:
    """Parquet files and frames whose columns are wrong."""
    import datetime as dt

    def table(**columns: Any) -> Callable[[str], pl.DataFrame]:
        usual = {"query": ["q1", "q1", "q2"], "document": ["a", "b", "a"], "number": [1.0, 2.0, 1.0]}
        return lambda number: pl.DataFrame(usual | columns, strict=False).rename({"number": number}, strict=False)

    day = dt.date(2020, 1, 1)
    for name, cells in {
        "null": [1.0, None, 2.0], "nan": [1.0, math.nan, 1.0], "infinite": [1.0, math.inf, 1.0], "text": ["1", "x", "2"],
        "numbers as text": ["1", "2", "1"], "lists": [[1], [2], [1]], "dates": [day, day, day], "booleans": [True, False, True],
        "structs": [{"a": 1}] * 3, "all null": [None, None, None], "large": [2**62, 1, 2], "huge": [1e308, 1e308, 1.0],
    }.items():  # fmt: skip
        yield f"numbers are {name}", table(number=cells)
    for role in ("query", "document"):
        for name, cells in {
            "null": ["q1", None, "a"], "empty": ["q1", "", "a"], "decimal": [1.0, 1.5, 2.0], "whole": [1, 2, 3], "lists": [["a"], ["b"], ["c"]],
            "booleans": [True, False, True], "dates": [day, day, day], "blank": ["q1", " ", "a "], "the same": ["q1", "q1", "q1"],
        }.items():  # fmt: skip
            yield f"{role} ids are {name}", table(**{role: cells})
    yield "no number", lambda _: pl.DataFrame({"query": ["q1"], "document": ["a"]})
    yield "no document", lambda number: pl.DataFrame({"query": ["q1"], number: [1.0]})
    yield "no rows", lambda number: table()(number).head(0)
    yield "no columns", lambda _: pl.DataFrame()
    yield "two queries", table(qid=["x", "y", "z"])
    yield "several systems", table(system=["s", "s", "t"])
    yield "an empty name", lambda number: table()(number).with_columns(pl.lit(1).alias(""))


READERS: dict[str, Callable[[str], Any]] = {
    "value": lambda path: said.scores(rankgauge.evaluate(path, _dict(SCORED), "nDCG@3 RR")),
    "score": lambda path: said.scores(rankgauge.evaluate(_dict(JUDGED), path, "nDCG@3 RR")),
    "scores": lambda path: said.scores(rankgauge.read_scores(path)),
    "queries": lambda path: _of_queries(rankgauge.read_queries(path)),
    "column": lambda path: rankgauge.score("nDCG", path, [4.0, 3.0, 2.0, 1.0]),
    "columns": lambda path: rankgauge.score("nDCG@3", "clicks", "model", "user", file=path, details=True).to_dict(),
    "relevance": lambda path: rankgauge.relevance(path).to_dict(),
    "knots": lambda path: rankgauge.RelevanceFunction.load(path).knots,
    "measure": lambda path: str(rankgauge.measures.read_measure(path)),
}


def _dict(rows: Rows) -> dict[str, dict[str, float]]:
    made: dict[str, dict[str, float]] = {}
    for query, document, number in rows:
        made.setdefault(query, {})[document] = number
    return made


def _of_queries(found: Queries) -> Any:
    return [found.ids, [found.text(query) for query in found.ids], [found.column(name) for name in found.columns]]


def corpus() -> Iterator[Case]:
    """Every file that the fuzzer kept, and damages of files that are no judgments and no runs."""
    for path in sorted(CORPUS.glob("*")):
        kind, _, name = path.name.split("-", 2)
        if kind in READERS:
            for ending, pack in (("", bytes), (".gz", lambda data: gzip.compress(data, mtime=0)), (".zst", zstandard)):
                yield _read(f"{path.name}{ending}", kind, f"{name}{ending}", pack(path.read_bytes()))
    others = {
        ("scores", "scores.csv"): MATRIX,
        ("scores", "matrix.csv"): b"query,a,b\nq1,0.1,0.2\nq2,0.3,0.4\nq3,0.5,0.6\n",
        ("scores", "bare.txt"): b"0.1 0.2\n0.3 0.4\n",
        ("queries", "queries.csv"): QUERIES,
        ("queries", "bare.txt"): b"q1\trambo\nq2\tfirst blood\nq3\trocky\n",
        ("column", "column.txt"): b"3\n1\n2\n0.5\n",
        ("columns", "table.csv"): b"user,clicks,model\nu1,3,0.5\nu1,0,0.25\nu2,1,0.75\nu2,2,-1e-3\nu2,0,0.75\n",
        ("relevance", "table.csv"): b"query,document,score\nq1,a,3\nq1,b,1\nq1,c,2\nq2,a,1e3\nq2,b,0\nq2,c,0\n",
        ("knots", "knots.json"): b'{"preset": "knots", "knots": [[0, 0], [10, 0.5], [40, 1]]}\n',
        ("measure", "optimum.json"): b'{"measure": "nDCG@10", "optimum": "nDCG(gain=exp)@10", "start": "nDCG"}\n',
    }
    for (kind, name), data in others.items():
        for damage, broken in _damaged(name, data):
            yield _read(f"{kind} {name}: {damage}", kind, name, broken)


def _read(case: str, kind: str, name: str, data: bytes) -> Case:
    def call() -> Any:
        Path(name).write_bytes(data)
        return READERS[kind](name)

    return Case(case, call, lambda: f"{name}: {data[:2000]!r}")


GRADES = {"q1": {"a": 1}}
RUN = {"q1": {"a": 1.0, "b": 0.5}}
THINGS: dict[str, Any] = {
    "None": None, "3": 3, "1.5": 1.5, "text": "no such file", "bytes": b"a.trec", "empty dict": {}, "empty list": [], "set": {1, 2}, "object": object,
    "a query of 5": {"q1": 5}, "a query of text": {"q1": "abc"}, "a query of None": {"q1": None}, "an empty query": {"q1": {}},
    "a query without documents beside one": {"q1": {"a": 1}, "q2": {}}, "text as number": {"q1": {"a": "good"}}, "nan": {"q1": {"a": math.nan}},
    "inf": {"q1": {"a": math.inf}}, "None as number": {"q1": {"a": None}}, "huge": {"q1": {"a": 10**400}}, "1e308": {"q1": {"a": 1e308, "b": 1e308}},
    "complex": {"q1": {"a": 1j}}, "booleans": {"q1": {"a": True, "b": False}}, "numbers as text": {"q1": {"a": "1"}}, "a list as number": {"q1": {"a": [1]}},
    "query 1.5": {1.5: {"a": 1}}, "query None": {None: {"a": 1}}, "query empty": {"": {"a": 1}}, "document empty": {"q1": {"": 1}}, "document None": {"q1": {None: 1}},
    "whole and text queries": {1: {"a": 1}, "q1": {"a": 1}}, "1 and '1'": {1: {"a": 1}, "1": {"a": 1}}, "whole and text documents": {"q1": {"a": 1, 7: 1}},
    "whole documents": {"q1": {7: 1, 8: 0}}, "tuple ids": {("q", 1): {"a": 1}}, "other query": {"Q1": {"a": 1.0}}, "other document": {"q1": {"A": 1.0}},
    "list twice": {"q1": ["a", "b", "a"]}, "list of lists": {"q1": [["a"], ["b"]]}, "list with None": {"q1": ["a", None]}, "empty lists": {"q1": []},
    "pairs": {"q1": [("a", 1.0), ("b", 2.0)]}, "pairs and more": {"q1": [("a", 1.0), ("b",)]}, "rows": [("q1", "a", 1.0)], "rows too short": [("q1", "a")],
    "rows too long": [("q1", "a", 1.0, 2)], "rows of several lengths": [("q1", "a", 1.0), ("q1", "b")], "rows nan": [("q1", "a", math.nan)], "rows None": [("q1", None, 1.0)],
    "rows twice": [("q1", "a", 1.0), ("q1", "a", 2.0)], "whole and other numbers": [("q1", "a", 1), ("q1", "b", 2.5)], "records": [{"query": "q1", "document": "a", "value": 1, "score": 2}],
    "records without document": [{"query": "q1", "value": 1, "score": 2}], "records of several shapes": [{"query": "q1", "document": "a", "value": 1, "score": 1}, {"query": "q1"}],
    "golden without id": [{"expected_ids": ["a"], "retrieved_ids": ["a"]}], "golden": [{"id": "q1", "expected_ids": ["a"], "retrieved_ids": ["b", "a"]}],
    "golden twice": [{"id": "q1", "expected_ids": ["a"], "retrieved_ids": ["a"]}] * 2, "array": np.array([[1, 2], [3, 4]]), "vector": np.array([1.0, 2.0]), "list of numbers": [1, 2],
    "negative": {"q1": {"a": -1}}, "text and bytes": {b"q1": {"a": 1}}, "hostile names": {"q1\n\x1b[31m": {"a\u202e": 1}, "q1": {"a": 1}},
}  # fmt: skip
CALLS: dict[str, Callable[[], Any]] = {
    "only a text": lambda: rankgauge.evaluate(GRADES, RUN, only="q1"),
    "only nothing": lambda: rankgauge.evaluate(GRADES, RUN, only=[]),
    "weight below 0": lambda: rankgauge.evaluate(GRADES, RUN, weights={"q1": -1}),
    "weight 0": lambda: rankgauge.evaluate(GRADES, RUN, weights={"q1": 0}),
    "weight nan": lambda: rankgauge.evaluate(GRADES, RUN, weights={"q1": math.nan}),
    "no weight": lambda: rankgauge.evaluate(GRADES, RUN, weights={}),
    "no measure": lambda: rankgauge.evaluate(GRADES, RUN, []),
    "measure 3": lambda: rankgauge.evaluate(GRADES, RUN, [3]),
    "unknown preset": lambda: rankgauge.evaluate(GRADES, RUN, like="trec_evil-9"),
    "memory": lambda: rankgauge.evaluate(GRADES, RUN, memory="little"),
    "buckets": lambda: rankgauge.evaluate(GRADES, RUN, buckets=4),
    "two runs of a name": lambda: rankgauge.evaluate(GRADES, [Run(RUN, name="a"), Run(RUN, name="a")]),
    "complete and bounds": lambda: rankgauge.evaluate(Judgments(GRADES, complete=True), RUN, policy=Policy(unjudged="bounds")),
    "bounds of what has none": lambda: rankgauge.evaluate(GRADES, RUN, "Bpref", policy=Policy(unjudged="bounds")),
    "bounds and extra": lambda: rankgauge.evaluate(GRADES, {**RUN, "x": {"a": 1}}, "P@1", policy=Policy(unjudged="bounds", extra="zero")),
    "missing": lambda: rankgauge.evaluate({**GRADES, "q2": {"a": 1}}, RUN, policy=Policy(missing="error")),
    "undefined": lambda: rankgauge.evaluate({"q1": {"a": 0}}, RUN, policy=Policy(undefined="error")),
    "ties": lambda: rankgauge.evaluate(GRADES, {"q1": {"a": 1.0, "b": 1.0}}, policy=Policy(ties="error")),
    "micro of nDCG": lambda: rankgauge.evaluate(GRADES, RUN, "nDCG", policy=Policy(mean="micro")),
    "no relevant document at all": lambda: rankgauge.evaluate({"q1": {"a": 0}}, RUN, "nDCG AP", policy=Policy(undefined="drop")),
    "nothing in common": lambda: rankgauge.evaluate({q: {"a": 1} for q in "xyz"}, {q: {"b": 1} for q in "xyz"}),
    "queries without ids": lambda: Queries({"words": ["x"]}),
    "queries of None": lambda: Queries({"id": [None]}),
    "queries of 3": lambda: Queries(3),
    "names for another matrix": lambda: Scores.from_matrix([[1, 2]], ["a", "b"]),
    "matrix of text": lambda: Scores.from_matrix([["a", "b"]]),
    "matrix with inf": lambda: Scores.from_matrix([[1, math.inf]]),
    "names twice": lambda: Scores.from_matrix([[1, 2], [3, 4]], ["a", "a"]),
    **{f"measure {text}": lambda text=text: rankgauge.measures.parse_all(text) for text in (
        "", " ", "nDCG@0", "nDCG@-3", "nDCG@1.5", "nDCGG@10", "nDCG(gian=exp)@10", "nDCG(gain=exp@10", "nDCG(gain=expo)", "nDCG@", "@10", "nDCG@10@5", "nDCG()",
        "AP(rel=0)", "AP(rel=x)", "AP(rel=1, rel=2)", "RBP(p=1)", "RBP(p=0)", "IPrec", "IPrec@2", "F(beta=-1)", "nDCG(gain=table(1))", "nDCG(gain=table())", "Rprec@5",
        "P@99999999999999999999", "nDCG(discount=zipf(0))", "ERR(max=0)", "nDCG;AP", "all", "official", "all_trec", "nDCG@5,10", "P_", "set_F.x", "nDCG(relevance=knots(1))",
    )},
    **{f"policy {rule}": lambda rule=rule: Policy(**rule) for rule in (
        {"ties": "any"}, {"depth": 0}, {"depth": 1.5}, {"depth": True}, {"depth": 2**63}, {"rel": 0}, {"rel": -1}, {"digits": -1}, {"missing": "skip"}, {"unjudged": "keep"},
    )},
    **{f"policy text {text}": lambda text=text: Policy.read(text) for text in ("ties", "tie=mean", "ties=men", "depth=x", "rel=1e-3, ties=mean", "")},
}  # fmt: skip


def values() -> Iterator[Case]:
    """Things in memory as judgments and as runs, by evaluate and by check; odd arguments."""
    for name, thing in THINGS.items():
        yield Case(f"judgments: {name}", lambda thing=thing: said.scores(rankgauge.evaluate(thing, RUN, "nDCG@3 P@1")))
        yield Case(f"run: {name}", lambda thing=thing: said.scores(rankgauge.evaluate(GRADES, thing, "nDCG@3 P@1")))
        yield Case(f"check judgments: {name}", lambda thing=thing: _checked(thing, RUN))
        yield Case(f"check run: {name}", lambda thing=thing: _checked(GRADES, thing))
    for name, frame in _tables():
        for kind, made in (("polars", lambda table: table), ("pandas", lambda table: table.to_pandas())):
            yield Case(
                f"{kind} judgments: {name}",
                lambda frame=frame, made=made: said.scores(rankgauge.evaluate(made(frame("value")), RUN, "nDCG@3 P@1")),
            )
            yield Case(
                f"{kind} run: {name}",
                lambda frame=frame, made=made: said.scores(
                    rankgauge.evaluate(GRADES, made(frame("score")), "nDCG@3 P@1")
                ),
            )
        yield Case(f"check polars: {name}", lambda frame=frame: _checked(frame("value"), frame("score")))
    for name, call in CALLS.items():
        yield Case(name, lambda call=call: _in_words(call()))


def _checked(judged: Any, run: Any) -> Any:
    found = rankgauge.check(judged, run)
    return {"dict": json.loads(json.dumps(found.to_dict(), default=str)), "text": str(found).split("\n")}


def _in_words(found: Any) -> Any:
    if isinstance(found, Scores):
        return said.scores(found)
    return [str(one) for one in found] if isinstance(found, (list, tuple)) else str(found)
