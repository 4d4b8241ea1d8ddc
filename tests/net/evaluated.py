"""evaluate() on random collections: kinds of input, policies, presets, measures and options."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np

import rankgauge
from net import said
from net.drawn import (
    FILES,
    KINDS,
    Collection,
    Draw,
    Rows,
    by_query,
    collection,
    frame,
    handed_over,
    in_order,
    once,
    run_on,
    whole,
)
from net.said import Case
from rankgauge import Judgments, Policy, Run

TIES = ["document", "mean", "worst", "best", "order", "document-asc", "reverse", "mean-rank", "error"]
FIELDS: dict[str, Sequence[Any]] = {
    "ties": TIES,
    "unjudged": ["zero", "drop", "bounds"],
    "missing": ["zero", "drop", "error"],
    "undefined": ["zero", "one", "drop", "error"],
    "depth": [1, 3, 10],
    "rel": [0.5, 1, 2.0],
    "precision": ["double", "single"],
    "extra": ["drop", "zero", "undefined"],
    "pool": ["judged", "returned"],
    "negative": ["zero", "keep", "drop"],
    "fraction": ["keep", "truncate", "below-1", "single"],
    "own_id": ["keep", "drop"],
    "repeated": ["error", "count", "first"],
    "floor": ["none", "zero"],
    "mean": ["macro", "micro"],
    "empty": ["nan", "zero"],
    "digits": [0, 2, 4],
}
SUITED = {"negative": [-1, 0, 1, 2], "fraction": [0, 0.5, 1.25, 2.5], "rel": [0, 1, 2, 3], "undefined": [0, 0, 0, 1]}
"""Grades on which a field makes a difference."""
BOUNDED = ["nDCG@5", "DCG", "ERR@5", "RBP(p=0.5)", "AP", "RR", "P@5", "Success@3", "nDCG(gain=exp)", "P@1"]
USUAL = [
    *("nDCG", "nDCG@3", "nDCG@10", "nDCG(gain=exp)@5", "DCG@5", "AP", "AP@5", "RR", "RR@3", "P@1", "P@5", "P@10"),
    *("R@5", "R@10", "Rprec", "Bpref", "ERR", "ERR@5", "RBP", "RBP(p=0.5)", "F@5", "Success@1", "Success@5"),
    *("Judged@10", "Q", "infAP", "nERR@5", "IAP", "rankDCG", "SetF", "NumRel", "NumRelRet", "GMAP", "Unjudged@5"),
]
EVERY = [
    *USUAL,
    *(f"nDCG(discount={name})@10" for name in ("none", "zipf", "zipf(1.2)", "jk(2)", "log2", "linear", "rbp(0.8)")),
    *(f"nDCG(gain={name})" for name in ("linear", "exp", "binary(1)", "binary(2)", "same", "table(1:3, 2:7)", "power(2)")),
    *(f"nDCG(relevance={name})" for name in ("phi", "signed", "bounded", "balanced", "identity")),
    *(f"nDCG(ideal={name})@3" for name in ("judged", "uncut", "answered", "returned", "top", "ones")),
    *(f"DCG(gain={name})@5" for name in ("exp", "binary(1)", "table(1:1, 2:10)")),
    *("DCG", "DCG(discount=none)@5", "DCG(discount=zipf)", "nDCG(gain=exp, discount=zipf)@4", "nDCG(discount=weights(1, .5))"),
    *(f"{name}(max={most})@5" for name, most in product(("ERR", "nERR"), ("judgments", "query", "4"))),
    *("RBP(max=query)", "RBP(rel=2)@10", "RBP(p=.95, max=3)@20", "RBPResidual", "RBPResidual(p=0.5)@5"),
    *("Q(beta=0)", "Q(beta=10)@5", "Q(gain=exp)", "AP(rel=2)", "GMAP(rel=2)", "GMAP@5", "RR(rel=2)", "RR(first=highest)"),
    *(f"AP(over={name})@3" for name in ("all", "reachable", "returned", "found", "k")),
    *("AP(at=threshold)", "AP(over=found, at=threshold)", "RR(rel=3)@2"),
    *(f"P(over={name})@4" for name in ("k", "returned", "reachable")),
    *("P", "R", "R(over=reachable)@2", "R(rel=2)@5", "F", "F(beta=2)@3", "F(beta=.5, rel=2)", "RelP@5", "RelP(rel=2)@1"),
    *("Rprec(times=2)", "Rprec(times=0.5, rounding=trec)", "Rprec(rounding=nearest)", "Rprec(rel=2)", "Success", "Success(rel=2)@3"),
    *("IPrec@0", "IPrec@0.1", "IPrec(rounding=trec)@0.4", "IPrec@1", "IAP(recall=at(0, .5, 1))", "IAP(rounding=nearest)", "IAP(rel=2)"),
    *("Bpref(rel=2)", "GMBpref", "infAP(rel=2)", "Judged", "Judged@3", "Unjudged@1", "rankDCG@3"),
    *("SetP", "SetRelP", "SetR", "SetF(beta=2)", "SetAP", "SetP(rel=2)", "NumQ", "NumRet", "NumNonrelRet", "NumRelRet(rel=2)"),
    *("map", "ndcg_cut_5,10", "P_5", "recip_rank", "mrr@10", "hit_rate@3", "r-precision", "f1@5", "recall_5", "bpref", "set_F", "official"),
]  # fmt: skip
TOOLS = (
    "trec_eval-9 trec_eval-9-c trec_eval-10 trec_eval-10-c gdeval gdeval-c pytrec_eval ir_measures ir_measures-gdeval "
    "ranx trectools beir mteb sentence-transformers msmarco-script kaggle-mapk sklearn sklearn-lrap sklearn-ignore_ties "
    "lightgbm xgboost xgboost-minus xgboost-linear catboost catboost-exp catboost-position torchmetrics torchmetrics-skip "
    "torchmetrics-pos ignite ignite-linear allrank rax keras-rs tensorflow-ranking evidently evidently-all spark spark-ml "
    "spark-graded recbole replay implicit cornac lenskit lenskit-graded rectools rectools-achievable recommenders "
    "recommenders-raw recommenders-exp rs_metrics elasticsearch opensearch quepid quepid-cut mlflow llama-index haystack "
    "pyvespa pyvespa-binary azure-ai-evaluation"
).split()
OF_TOOLS = ["nDCG@5", "nDCG", "AP@5", "AP", "RR", "RR@3", "P@3", "R@3", "Success@1", "ERR", "RBP", "DCG@5", "P@10"]


def case(name: str, given: Callable[[], tuple[Any, Any, Any]], **options: Any) -> Case:
    """`given` makes judgments, runs and measures; files are written when the case is asked."""

    def call() -> Any:
        rules = dict(options)
        if rules.get("policy") is not None:
            rules["policy"] = Policy(**rules["policy"])
        return said.scores(rankgauge.evaluate(*given(), **rules))

    return Case(name, call, lambda: "\n  ".join(["evaluate", *map(repr, given()), repr(options)]))


def as_dicts(drawn: Collection, measures: Any) -> Callable[[], tuple[Any, Any, Any]]:
    return lambda: (by_query(drawn.judged), by_query(drawn.run), measures)


def kinds() -> Iterator[Case]:
    """Every kind of judgments beside some kinds of run, and the other way round."""
    pairs = [(kind, kind) for kind in KINDS]
    for at, kind in enumerate(KINDS):
        draw = Draw(f"pairs {at}")
        pairs += [(kind, other) for other in draw.sample(KINDS, 5)] + [(other, kind) for other in draw.sample(KINDS, 5)]
    for at, (judged, run) in enumerate(dict.fromkeys(pairs)):
        draw = Draw(f"kinds {at}")
        drawn = collection(draw, [0, 1, 2] if judged in {"lists", "golden.jsonl"} else None)
        if "whole" in judged + run:
            drawn = Collection(once(whole(drawn.judged)), once(whole(drawn.run)))
        measures = draw.sample(USUAL, 4)
        rule = {"ties": draw.choice(TIES[:6])} if draw.chance(0.3) else None
        yield case(f"{judged} × {run}", _in_kinds(drawn, judged, run, measures), policy=rule)


def _in_kinds(drawn: Collection, judged: str, run: str, measures: Any) -> Callable[[], tuple[Any, Any, Any]]:
    def given() -> tuple[Any, Any, Any]:
        return handed_over(drawn.judged, "value", judged), handed_over(drawn.run, "score", run), measures

    return given


def policies() -> Iterator[Case]:
    """Every choice of every field, alone and with another one."""
    for field, choices in FIELDS.items():
        for choice in choices:
            for at in range(18):
                draw = Draw(f"policy {field} {choice} {at}")
                drawn = collection(draw, SUITED.get(field))
                rule = {field: choice}
                if at % 2:
                    other = draw.choice([name for name in FIELDS if name != field])
                    rule[other] = draw.choice(FIELDS[other])
                if _is_wrong_today(rule):
                    continue
                pool = BOUNDED if rule.get("unjudged") == "bounds" else USUAL
                measures = draw.sample(pool, 6)
                given = as_dicts(drawn, measures)
                if field == "repeated":
                    given = _repeating(drawn, measures, draw)
                yield case(f"{field}={choice} {at}", given, policy=rule)


def _is_wrong_today(rule: dict[str, Any]) -> bool:
    """What the record must not hold: documents left out above a depth, and the pool of what was returned."""
    depth = rule.get("negative") == "drop" and "depth" in rule
    return depth or (rule.get("floor") == "zero" and rule.get("pool") == "returned")


def _repeating(drawn: Collection, measures: Any, draw: Draw) -> Callable[[], tuple[Any, Any, Any]]:
    lists = {q: [*documents, *draw.sample(documents, 1)] for q, documents in in_order(drawn.run).items()}
    return lambda: (by_query(drawn.judged), lists, measures)


def tools() -> Iterator[Case]:
    """Each preset on some collections, as dicts, lists and frames."""
    for like in TOOLS:
        for at in range(12):
            draw = Draw(f"tool {like} {at}")
            drawn = collection(draw, foreign=draw.chance(0.5))
            measures = draw.sample(OF_TOOLS, 4)
            kind = draw.choice(["dict", "dict", "lists", "polars", "trec", "tuples"])
            judged = "dict" if kind == "lists" else kind
            rule = {"ties": draw.choice(TIES[:4])} if draw.chance(0.15) else None
            yield case(f"{like} {at}", _in_kinds(drawn, judged, kind, measures), like=like, policy=rule)


def measures() -> Iterator[Case]:
    """Every measure with its options, on grades of each kind."""
    for at, start in product(range(18), range(0, len(EVERY), 8)):
        draw = Draw(f"measures {at} {start}")
        drawn = collection(draw)
        for part in (EVERY[start : start + 8],):
            yield case(f"{part[0]} to {part[-1]} {at}", as_dicts(drawn, part))
    for at in range(len(EVERY)):
        draw = Draw(f"measure {at}")
        drawn = collection(draw, [0, 1, 2, 3])
        yield case(f"alone {EVERY[at]}", as_dicts(drawn, EVERY[at]))


def mixed(collections: Iterable[int] = range(1400)) -> Iterator[Case]:
    """Anything with anything."""
    for at in collections:
        draw = Draw(f"mixed {at}")
        drawn, rule = collection(draw), {}
        for field in draw.sample(list(FIELDS), draw.choice([1, 2, 2, 3, 5])):
            rule[field] = draw.choice([choice for choice in FIELDS[field] if choice not in {"error", "bounds"}])
        if _is_wrong_today(rule):
            del rule["floor" if "floor" in rule else "depth"]
        kind, other = draw.choice(KINDS), draw.choice(KINDS)
        if "whole" in kind + other:
            drawn = Collection(once(whole(drawn.judged)), once(whole(drawn.run)))
        like = draw.choice([None, None, None, None, *TOOLS]) if draw.chance(0.3) else None
        weights = {q: draw.between(1, 9) for q, _, _ in drawn.judged} if draw.chance(0.15) else None
        chosen = draw.sample(USUAL if "rel" in rule else EVERY[:130], 5)
        given = _in_kinds(drawn, kind, other, chosen)
        yield case(f"{at}: {kind} × {other}", given, policy=rule, like=like, weights=weights)


def options() -> Iterator[Case]:
    """Systems beside others, tables of several, chosen queries, weights, memory, duplicates, vectors, named columns."""
    for at in range(160):
        yield _company(at)
    for at in range(20):
        yield from _chosen(at)
        yield from _columns(at)
    for at in range(16):
        yield from _vectors(at)
        yield from _repeated(at)
    for at in range(3):
        yield from _large(at)


def _company(at: int) -> Case:
    draw = Draw(f"company {at}")
    drawn = collection(draw)
    queries, documents = (list(dict.fromkeys(row[place] for row in drawn.judged)) for place in (0, 1))
    several = {"a": drawn.run} | {name: run_on(draw, queries, documents) for name in ("b", "c")[: draw.between(1, 2)]}
    measures = draw.sample(USUAL, 4)
    rule = {"ties": draw.choice(TIES[:8])} if draw.chance(0.5) else None
    like = draw.choice(TOOLS[:16]) if draw.chance(0.2) else None
    how = ["each of a kind", "one frame", "one file", "list of files"][at % 4]

    def given() -> tuple[Any, Any, Any]:
        judged = by_query(drawn.judged)
        if how == "each of a kind":
            each = Draw(f"kinds of company {at}")
            kinds = [kind for kind in KINDS if "whole" not in kind]
            return judged, {s: handed_over(run, "score", each.choice(kinds), s) for s, run in several.items()}, measures
        if how == "list of files":
            return judged, [handed_over(run, "score", "trec", s) for s, run in several.items()], measures
        import polars as pl

        table = pl.concat([frame(run, "score").with_columns(system=pl.lit(s)) for s, run in several.items()])
        if how == "one frame":
            return judged, table, measures
        table.write_csv("several.csv")
        return judged, "several.csv", measures

    return case(f"company {at}: {how}", given, policy=rule, like=like)


def _chosen(at: int) -> Iterator[Case]:
    draw = Draw(f"chosen {at}")
    drawn = collection(draw)
    queries = list(dict.fromkeys(query for query, _, _ in drawn.judged))
    kind, other = draw.choice([*KINDS[:3], "polars", "csv", "trec"]), draw.choice(["dict", "polars", "trec", "parquet"])
    given = _in_kinds(drawn, kind, other, draw.sample(USUAL, 4))
    weights = {query: draw.choice([0, 0.5, 1, 3]) for query in queries}
    yield case(f"only {at}", given, only=draw.sample(queries, draw.between(1, len(queries))))
    yield case(f"only one that is not judged {at}", given, only=["nothing", queries[0]][: 1 + at % 2])
    yield case(f"weights {at}", given, weights=weights)
    yield case(f"weights that lack a query {at}", given, weights=dict(list(weights.items())[1:]))
    yield Case(
        f"complete {at}",
        lambda: said.scores(rankgauge.evaluate(Judgments(given()[0], complete=True), *given()[1:])),
        lambda: f"complete {given()}",
    )
    yield Case(
        f"means alone {at}",
        lambda: said.plain(rankgauge.evaluate(*given(), per_query=False).to_dict()),
        lambda: f"per_query=False {given()}",
    )


def _columns(at: int) -> Iterator[Case]:
    draw = Draw(f"columns {at}")
    drawn = collection(draw)
    names = {"query": "who", "document": "what", "value": "stars", "score": "points"}
    judged, run = (
        frame(drawn.judged, "value").rename(names, strict=False),
        frame(drawn.run, "score").rename(names, strict=False),
    )
    ids = {"query": "who", "document": "what"}

    def named() -> Any:
        return said.scores(
            rankgauge.evaluate(Judgments(judged, value="stars", **ids), Run(run, score="points", **ids), "nDCG AP P@2")
        )

    yield Case(f"named columns {at}", named, lambda: f"{judged} {run}")
    yield case(f"columns that nobody knows {at}", lambda: (judged, run, "nDCG"))
    form = draw.choice(["csv", "tsv", "parquet"])

    def in_one_file() -> tuple[Any, Any, Any]:
        both = frame(drawn.judged, "grade").join(frame(drawn.run, "bm25"), on=["query", "document"], how="inner")
        write = {
            "csv": both.write_csv,
            "parquet": both.write_parquet,
            "tsv": lambda path: both.write_csv(path, separator="\t"),
        }
        write[form](f"both.{form}")
        return f"both.{form}:grade", f"both.{form}:bm25", "nDCG AP"

    yield case(f"two columns of one file {at}", in_one_file)


def _vectors(at: int) -> Iterator[Case]:
    draw = Draw(f"vectors {at}")
    sizes = [draw.between(1, 6) for _ in range(draw.between(1, 5))]
    grades = [draw.choice(GRADES_OF_VECTORS[at % 3]) for _ in range(sum(sizes))]
    predicted = np.array([draw.below(10**6 if at % 2 else 4) / 7 for _ in grades])
    if at % 2 == 0:
        predicted = predicted + np.arange(len(predicted)) * 1e-3  # ties between vectors are wrong today
    yield case(f"vectors {at}", lambda: (Judgments(grades, group_sizes=sizes), predicted, "nDCG AP RR@3 P@2"))
    yield case(f"too few predictions {at}", lambda: (Judgments(grades, group_sizes=sizes), predicted[:-1], "nDCG"))
    yield case(f"other group sizes {at}", lambda: (Judgments(grades, group_sizes=[*sizes, 1]), predicted, "nDCG"))

    def letor() -> tuple[Any, Any, Any]:
        from pathlib import Path

        groups = [q for q, size in enumerate(sizes, 1) for _ in range(size)]
        lines = [
            f"{grade:g} qid:{q} 1:{number!r} 2:{-number / 3!r}\n"
            for grade, q, number in zip(grades, groups, predicted.tolist(), strict=True)
        ]
        Path("rows.letor").write_text("".join(lines))
        return "rows.letor", "rows.letor", "nDCG@3 AP"

    yield case(f"letor {at}", letor)


GRADES_OF_VECTORS: tuple[list[float], ...] = ([0, 1, 2], [0, 1], [0, 0.5, 3])


def _repeated(at: int) -> Iterator[Case]:
    draw = Draw(f"repeated {at}")
    drawn = collection(draw)
    again = [(q, d, n + draw.choice([-1, 0, 1])) for q, d, n in draw.sample(drawn.run, min(2, len(drawn.run)))]
    rows: Rows = draw.shuffled([*drawn.run, *again])
    kind = draw.choice(["tuples", "polars", "pandas", "trec", "trec.gz", "csv", "jsonl", "parquet"])

    def best() -> Any:
        run = handed_over(rows, "score", kind)
        made = rankgauge.read_run(run, duplicates="best") if kind in FILES else Run(run, duplicates="best")
        return said.scores(rankgauge.evaluate(by_query(drawn.judged), made, draw_measures))

    draw_measures = draw.sample(USUAL, 4)
    yield Case(f"best of repeated {at}: {kind}", best, lambda: f"{drawn.judged}\n  {rows}")
    yield case(f"repeated {at}: {kind}", lambda: (by_query(drawn.judged), handed_over(rows, "score", kind), "nDCG"))

    def judged_best() -> Any:
        judged = [*drawn.judged, *[(q, d, n + 1) for q, d, n in drawn.judged[:1]]]
        made = Judgments(handed_over(judged, "value", "tuples"), duplicates="best")
        return said.scores(rankgauge.evaluate(made, by_query(drawn.run), draw_measures))

    yield Case(f"best of repeated judgments {at}", judged_best, lambda: f"{drawn}")


def _large(at: int) -> Iterator[Case]:
    """Files that are read part by part, and frames of many rows."""
    draw = Draw(f"large {at}")
    queries = [f"q{q}" for q in range(300)]
    judged = [(q, f"d{d}", float(draw.below(4) - (at == 2))) for q in queries for d in draw.sample(range(150), 30)]
    levels = [10, 1000, 10**6][at]
    run = [(q, f"d{d}", draw.below(levels) / 7) for q in queries for d in draw.sample(range(150), 100)]
    if at == 1:
        run = draw.shuffled(run)
    asked = "nDCG nDCG@10 AP P@5 RR ERR RBP Bpref Judged@10 rankDCG".split()
    for kind in ("dict", "polars", "trec", "ragged.trec", "trec.gz", "trec.zst", "csv", "whole"):
        rows = [once(whole(side)) if kind == "whole" else side for side in (judged, run)]
        given = _in_kinds(Collection(*rows), "dict" if kind != "whole" else kind, kind, asked)
        for rule in (None, {"ties": "mean"}, {"ties": "order", "depth": 20}):
            yield case(f"large {at}: {kind} {rule}", given, policy=rule)
        if kind.startswith("trec"):
            yield case(f"large {at}: {kind} little memory", given, memory="1MB")
