"""Judgments, runs, queries and custom measures as objects: what they hold, whatever they were made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

import rankgauge
from net import said
from net.drawn import FILES, KINDS, Collection, Draw, Rows, by_query, collection, frame, handed_over, once, trec, whole
from net.evaluated import TIES, TOOLS
from net.said import Case
from rankgauge import Judgments, Policy, Queries, Run, Scores

TEXTS = {
    "queries.csv": "query_id,text,length,weight\nq1,rambo,head,1\nq2,first blood,tail,0.5\nq3,rocky,tail,2\n",
    "queries.tsv": "qid\tquery\nq1\trambo\nq2\tfirst blood\n",
    "queries.jsonl": '{"id": "q1", "text": "rambo", "n": 1}\n{"id": "q2", "text": "rocky", "n": 2}\n',
    "queries.json": '[{"query_id": "q1", "text": "rambo"}, {"query_id": "q2", "text": null}]',
    "bare.txt": "q1\trambo\nq2\tfirst blood\n",
    "words.txt": "1 rambo\n2 rocky\n",
    "ids.txt": "q1\nq2\n",
    "no id.csv": "words,weight\nrambo,1\n",
    "twice.csv": "query_id,text\nq1,rambo\nq1,rocky\n",
    "gaps.csv": "query_id,text,weight\nq1,rambo,\nq2,,3\n",
}


def objects() -> Iterator[Case]:
    for kind in KINDS:
        for number, kinds in (("value", Judgments), ("score", Run)):
            for at in range(2):
                drawn = collection(Draw(f"object {kind} {number} {at}"), [0, 1, 2])
                rows = drawn.judged if number == "value" else drawn.run
                rows = once(whole(rows)) if "whole" in kind else rows
                yield Case(
                    f"{kinds.__name__} of {kind} {at}",
                    lambda kind=kind, number=number, kinds=kinds, rows=rows: _held(
                        kinds(handed_over(rows, number, kind))
                    ),
                    lambda rows=rows: f"{rows}",
                )
    for kind in FILES:
        rows = collection(Draw(f"read {kind}"), [0, 1, 2]).run
        yield Case(
            f"read_run {kind}", lambda kind=kind, rows=rows: _held(rankgauge.read_run(handed_over(rows, "score", kind)))
        )
        yield Case(
            f"read_runs {kind}",
            lambda kind=kind, rows=rows: [
                _held(run) for run in rankgauge.read_runs(handed_over(rows, "score", kind), name="x")
            ],
        )
        yield Case(
            f"read_judgments {kind}",
            lambda kind=kind, rows=rows: _held(
                rankgauge.read_judgments(handed_over([(q, d, abs(n)) for q, d, n in rows], "value", kind))
            ),
        )
    yield from _parts()
    yield from _of_queries()
    yield from _whole()
    yield from _custom()
    yield from _progress()


def _held(found: Any) -> Any:
    table = found.to_polars()
    held = {
        "repr": repr(found),
        "name": found.name,
        "columns": [f"{name} {kind}" for name, kind in table.schema.items()],
    }
    held["rows"] = sorted(table.rows(), key=repr)
    if isinstance(found, Judgments):
        held["queries"] = found.queries
    return said.shortened(said.plain(held))


def _parts() -> Iterator[Case]:
    """One run of several in a file, names by tag, a feature, a named column."""

    def several(ending: str) -> str:
        rows = collection(Draw("several")).run
        table = pl.concat(
            [frame(rows, "score").with_columns(system=pl.lit(name), other=pl.col("score") * -2) for name in "ab"]
        )
        {"csv": table.write_csv, "parquet": table.write_parquet, "jsonl": table.write_ndjson}[ending](
            f"several.{ending}"
        )
        return f"several.{ending}"

    def letor() -> str:
        Path("rows.letor").write_text("2 qid:1 1:0.5 3:2 # a\n0 qid:1 1:0.25 # b\n1 qid:2 3:-1 # a\n")
        return "rows.letor"

    def tagged() -> str:
        Path("tagged.run").write_bytes(trec(collection(Draw("tagged")).run, "score").replace(b" tag\n", b" bm25\n"))
        return "tagged.run"

    read = rankgauge.read_run
    calls: dict[str, Callable[[], Any]] = {
        "every feature": lambda: [_held(run) for run in rankgauge.read_runs(letor())],
        "a feature": lambda: _held(read(letor(), part="3")),
        "no such feature": lambda: _held(read(letor(), part="7")),
        "grades of features": lambda: _held(rankgauge.read_judgments(letor())),
        "by tag": lambda: _held(read(tagged(), names="tag")),
        "all by tag": lambda: [_held(run) for run in rankgauge.read_runs(tagged(), names="tag")],
        "no tag": lambda: _held(read(several("csv"), names="tag")),
        "renamed": lambda: _held(read(tagged(), name="mine")),
        "no such file": lambda: _held(read("none.trec")),
        "a folder": lambda: _held(read(".")),
        "group sizes": lambda: _held(Judgments([1, 0, 2], group_sizes=[1, 2])),
        "group sizes of a file": lambda: _sized([1, 2]),
        "other group sizes": lambda: _sized([1, 1]),
    }
    for ending in ("csv", "parquet", "jsonl"):
        calls |= {
            f"{ending}: every system": lambda ending=ending: [
                _held(run) for run in rankgauge.read_runs(several(ending))
            ],
            f"{ending}: one system": lambda ending=ending: _held(read(several(ending), part="b")),
            f"{ending}: another column": lambda ending=ending: _held(read(several(ending), score="other", part="a")),
            f"{ending}: no such system": lambda ending=ending: _held(read(several(ending), part="c")),
            f"{ending}: several as one": lambda ending=ending: _held(read(several(ending))),
            f"{ending}: a path with a part": lambda ending=ending: said.scores(
                rankgauge.evaluate(by_query(collection(Draw("several")).judged), f"{several(ending)}:b", "AP P@2")
            ),
        }
    for name, call in calls.items():
        yield Case(name, call)


def _sized(sizes: list[int]) -> Any:
    Path("labels.txt").write_text("1\n0\n2\n")
    return _held(rankgauge.read_judgments("labels.txt", group_sizes=sizes))


def _of_queries() -> Iterator[Case]:
    def told(found: Queries) -> Any:
        held: dict[str, Any] = {
            "repr": repr(found),
            "ids": found.ids,
            "texts": [found.text(query) for query in found.ids],
        }
        return held | {"columns": {name: found.column(name) for name in found.columns}}

    for name, text in TEXTS.items():

        def read(name: str = name, text: str = text) -> Any:
            Path(name).write_text(text)
            return told(rankgauge.read_queries(name))

        yield Case(f"queries {name}", read)
        yield Case(
            f"weights {name}", lambda read=read, name=name: (read(), rankgauge.read_queries(name).weights("weight"))[1]
        )
    made = {"query": ["q1", "q2"], "text": ["a", None], "weight": [1.5, 2]}
    for name, data in {
        "dict": made,
        "polars": pl.DataFrame(made),
        "pandas": pd.DataFrame(made),
        "uneven": made | {"more": [1]},
    }.items():
        yield Case(f"queries of {name}", lambda data=data: told(Queries(data)))


def _whole() -> Iterator[Case]:
    """Ids that are whole numbers leave as such."""
    for kind in ("whole", "whole dict", "whole pandas", "dict", "users"):
        drawn = collection(Draw(f"leaving {kind}"), [0, 1])
        drawn = Collection(once(whole(drawn.judged)), once(whole(drawn.run)))

        def scores(kind: str = kind, drawn: Collection = drawn) -> Scores:
            given = [
                handed_over(rows, number, kind if kind != "users" else "whole")
                for rows, number in zip(drawn, ("value", "score"), strict=True)
            ]
            return rankgauge.evaluate(*given, "AP P@2 nDCG")

        yield Case(f"{kind} leaving", lambda scores=scores: _leaving(scores()))
        yield Case(f"{kind} text", lambda scores=scores: str(scores()).split("\n"))


def _leaving(scores: Scores) -> Any:
    table = scores.to_polars()
    pandas = scores.to_pandas()
    keys = [type(key).__name__ for key in scores.per_query()[scores.systems[0]]]
    return {
        "schema": [f"{name} {kind}" for name, kind in table.schema.items()],
        "rows": table.rows(),
        "pandas": [list(pandas.columns), pandas["query"].tolist()],
        "keys": keys,
        "dict": said.plain(scores.to_dict(per_query=True)),
    }


def _custom() -> Iterator[Case]:
    """Functions of the user: what they see, and what becomes of odd results."""
    own: dict[str, Callable[[Any, Any], Any]] = {
        "Seen": lambda ranked, judged: len(ranked) + np.nansum(ranked) / 100 + len(judged) / 1000,
        "First": lambda ranked, judged: float(ranked[0] == judged[0]) if len(ranked) else 0.0,
        "Nothing": lambda ranked, judged: float("nan"),
        "Fails": lambda ranked, judged: ranked[99],
        "Text": lambda ranked, judged: "much",
        "Infinite": lambda ranked, judged: float("inf"),
        "Whole": lambda ranked, judged: len(judged),
    }  # fmt: skip
    for name, function in own.items():
        for at in range(4):
            draw = Draw(f"custom {name} {at}")
            drawn = collection(draw)
            rule = [{}, {"ties": draw.choice(TIES)}, {"depth": 2}, {"unjudged": "drop", "undefined": "zero"}][at]
            measure = rankgauge.measures.define(name, function)

            def call(measure: Any = measure, drawn: Collection = drawn, rule: Any = rule) -> Any:
                chosen = [measure, measure @ 2, "AP"]
                return said.scores(
                    rankgauge.evaluate(by_query(drawn.judged), by_query(drawn.run), chosen, policy=Policy(**rule))
                )

            yield Case(f"custom {name} {at} {rule}", call)


def _progress() -> Iterator[Case]:
    """How often a caller hears of progress, and what is said at last."""
    judged, rows = {"q1": {"a": 1, "b": 0}}, [("q1", "a", 1.0), ("q1", "b", 2.0)]
    runs: dict[str, Rows] = dict.fromkeys("abc", rows)
    for like in (None, *TOOLS[:12]):

        def call(like: str | None = like) -> Any:
            heard: list[tuple[int, int]] = []
            given = {name: by_query(run) for name, run in runs.items()}
            rankgauge.evaluate(judged, given, "nDCG AP RR@5", like=like, progress=lambda *at: heard.append(at))
            return {
                "ends": heard[-1:],
                "falls": any(a[0] > b[0] for a, b in pairwise(heard)),
                "times": len(heard),
            }

        yield Case(f"progress like {like}", call)
