"""What explains, checks, keeps and analyzes scores: results as data and as text."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import polars as pl

import rankgauge
from net import said
from net.drawn import KINDS, Collection, Draw, Rows, by_query, collection, handed_over, once, whole
from net.evaluated import BOUNDED, EVERY, FIELDS, OF_TOOLS, TIES, TOOLS, USUAL
from net.said import Case
from rankgauge import Policy, Scores, examples

Runs = dict[str, dict[str, dict[str, float]]]
POSSIBLE = {field: [c for c in choices if c not in {"error", "bounds"}] for field, choices in FIELDS.items()}


def result(name: str, call: Callable[[], Any], asked: Callable[[], str] = lambda: "") -> Case:
    return Case(name, lambda: said.result(call()), asked)


@cache
def benchmark(seed: int, systems: int = 4, queries: int = 18, documents: int = 24) -> tuple[Any, Runs]:
    """Systems of different quality, with ties, unjudged documents, and a query that one of them lacks."""
    draw = Draw(f"benchmark {seed}")
    judged: Any = {}
    runs: Runs = {f"s{s}": {} for s in range(systems)}
    for q in range(queries):
        grades = {f"d{d}": draw.choice([0, 0, 0, 1, 1, 2, 3]) for d in range(documents)}
        judged[f"q{q:02}"] = {d: grade for d, grade in grades.items() if draw.chance(0.85)}
        for s in range(systems):
            noise = 1.5 + s
            scores = {d: round(grade + noise * (draw.below(1000) / 500 - 1), 1) for d, grade in grades.items()}
            runs[f"s{s}"][f"q{q:02}"] = scores
    del runs["s1"]["q03"]
    return judged, runs


@cache
def example() -> tuple[Any, dict[str, Any], list[str]]:
    """Four systems of the example, and sixty of its queries."""
    loaded = examples.load()
    runs = {name: loaded.runs[name] for name in ("lambdamart", "xendcg", "ridge", "feature-91")}
    return loaded.judgments, runs, [f"q{at:03}" for at in range(2, 120, 2)]


def _rule(draw: Draw, most: int = 2) -> dict[str, Any]:
    rule = {field: draw.choice(POSSIBLE[field]) for field in draw.sample(list(POSSIBLE), draw.below(most + 1))}
    if rule.get("negative") == "drop":
        rule.pop("depth", None)
    if rule.get("floor") == "zero":
        rule.pop("pool", None)
    return rule


def explained() -> Iterator[Case]:
    """Measures in words, values rank by rank, one beside another, and where two part over all queries."""
    for measure in EVERY:
        yield result(f"words {measure}", lambda measure=measure: rankgauge.explain(measure))
    for tool in TOOLS:
        yield result(f"words of {tool}", lambda tool=tool: rankgauge.explain("nDCG@10", like=tool))
    for at in range(160):
        draw = Draw(f"explain {at}")
        drawn = collection(draw, foreign=at % 3 == 0)
        judged, run = by_query(drawn.judged), by_query(drawn.run)
        query = draw.choice(list(judged))
        measure = draw.choice(USUAL if at % 2 else EVERY[:130])
        rule = _rule(draw)
        like = draw.choice(TOOLS) if at % 5 == 4 else None
        options = {"like": like, "policy": Policy(**rule) if rule else None}
        asked = f"{measure} {rule} {like} {query}\n  {judged.get(query)}\n  {run.get(query)}"
        call = lambda m=measure, j=judged, r=run, q=query, o=options: rankgauge.explain(m, j, r, q, **o)  # noqa: E731
        yield result(f"query {at}", call, lambda asked=asked: asked)
        other = draw.choice(
            ["RR", "ties=mean", "sklearn", "trec_eval-9", "gdeval", "nDCG(gain=exp)", "lightgbm", "missing=drop"]
        )
        if at % 2:
            where = None if at % 4 == 1 else query
            call = lambda m=measure, j=judged, r=run, q=where, v=other, o=options: rankgauge.explain(  # noqa: E731
                m, j, r, q, versus=v, **({} if v in TOOLS else o)
            )
            yield result(f"versus {at}: {other}", call, lambda asked=asked: asked)
        if at % 8 == 0:
            second = by_query([(q, d, -n) for q, d, n in drawn.run])
            call = lambda m=measure, j=judged, r=run, s=second, q=query: rankgauge.explain(m, j, r, q, versus=s)  # noqa: E731
            yield result(f"versus another run {at}", call, lambda asked=asked: asked)
    judged, runs, queries = example()
    for query in queries[:6]:
        for measure in ("nDCG@10", "AP", "ERR@5", "RBP"):
            yield result(
                f"example {query} {measure}",
                lambda q=query, m=measure: rankgauge.explain(m, judged, runs["xendcg"], q),
            )
    for other in ("RR@10", "ties=mean", "sklearn", "gdeval"):
        yield result(
            f"example versus {other}", lambda v=other: rankgauge.explain("nDCG@10", judged, runs["xendcg"], versus=v)
        )
    for kind in KINDS:
        drawn = collection(Draw(f"explain kind {kind}"), [0, 1, 2])
        if "whole" in kind:
            drawn = Collection(once(whole(drawn.judged)), once(whole(drawn.run)))
        first = drawn.judged[0][0]
        yield result(
            f"kind {kind}",
            lambda kind=kind, drawn=drawn, first=first: rankgauge.explain(
                "nDCG@5", handed_over(drawn.judged, "value", kind), handed_over(drawn.run, "score", kind), first
            ),
        )


def scored() -> Iterator[Case]:
    """score() of vectors, groups, matrices and tables."""
    measures = [
        *OF_TOOLS,
        "rankDCG",
        "Q@3",
        "Bpref",
        "nDCG(gain=exp)@5",
        "nERR",
        "Rprec",
        "F@3",
        "IAP",
        "AP(at=threshold)",
    ]
    for at in range(500):
        draw = Draw(f"score {at}")
        measure = draw.choice(measures)
        shape = draw.choice(["one list", "groups", "matrix", "matrix", "wide matrix"])
        items = draw.between(1, 12)
        lists = 1 if shape == "one list" else draw.between(2, 9)
        size = items * (10 if shape == "wide matrix" else 1)
        grades = draw.choice([[0, 1], [0, 1, 2, 3], [0, 0.5, 2], [0], [-1, 0, 1]])
        truth = np.array([draw.choice(grades) for _ in range(lists * size)], float)
        predicted = np.array([draw.below(draw.choice([3, 10**6])) / 7 for _ in truth])
        given: list[Any] = [truth, predicted]
        if "matrix" in shape:
            given = [truth.reshape(lists, size), predicted.reshape(lists, size)]
        if shape == "groups":
            given.append([draw.below(lists) for _ in truth])
        if at % 7 == 0:
            given = [one.tolist() if isinstance(one, np.ndarray) else one for one in given]
        rule, like = _rule(draw, 1), draw.choice(TOOLS) if at % 6 == 5 else None
        if at % 20 and rule.keys() & {
            "repeated",
            "missing",
            "pool",
            "unjudged",
            "own_id",
            "extra",
        }:  # without effect here
            rule = {"ties": draw.choice(TIES[:4])}
        options = {"policy": Policy(**rule) if rule else None, "like": like, "details": at % 2 == 0}
        yield result(
            f"{at}: {shape} {measure}",
            lambda m=measure, g=given, o=options: rankgauge.score(m, *g, **o),
            lambda m=measure, g=given, rule=rule, like=like: f"{m} {g} {rule} {like}",
        )
    table = {
        "user": [1, 1, 1, 2, 2, 3, 3, 3],
        "clicks": [3, 0, 1, 1, 2, 0, 0, 5],
        "a": [0.5, 0.25, 0.1, 0.75, 0.1, 1, 2, 3],
        "b": [1, 1, 0, 0, 1, 0, 0, 1],
    }
    frame = pl.DataFrame(table, strict=False)
    asked = [
        ("nDCG", "clicks", "a"),
        ("nDCG@3 rankDCG tau_b rho", "clicks", ["a", "b"]),
        ("rankDCG", "clicks", "b"),
        (["nDCG", "exact_AP"], "clicks", "a"),
        ("nDCG", "nothing", "a"),
    ]
    for at, (measure, truth, predicted) in enumerate(asked):
        for name, made in {
            "polars": frame,
            "pandas": frame.to_pandas(),
            "csv": "table.csv",
            "parquet": "table.parquet",
        }.items():
            for group in ("user", None):

                def call(measure=measure, truth=truth, predicted=predicted, made=made, group=group) -> Any:
                    frame.write_csv("table.csv")
                    frame.write_parquet("table.parquet")
                    return rankgauge.score(measure, truth, predicted, group, file=made, details=True)

                yield result(f"table {at} {name} by {group}", call)
    for at in range(6):
        draw = Draw(f"chance {at}")
        numbers = [[draw.below(5) for _ in range(9)] for _ in range(2)]
        yield result(f"chance {at}", lambda n=numbers: rankgauge.score("rankDCG", *n, details=True, chance=True))
    odd: dict[str, tuple[Any, ...]] = {
        "lengths": ([1, 2, 3], [1, 2]), "nan": ([1, 2], [1, math.nan]), "text": (["a", "b"], [1, 2]), "empty": ([], []), "none": (None, None),
        "shapes": ([[1, 2]], [[1, 2, 3]]), "three dimensions": ([[[1]]], [[[1]]]), "groups": ([1, 2], [1, 2], [1]), "ragged": ([[1, 2], [1]], [[1, 2], [1]]),
        "infinite": ([1, 2], [1, math.inf]), "None inside": ([1, None], [1, 2]), "booleans": ([True, False], [0.5, 0.7]), "dict": ({"a": 1}, {"a": 1}), "5": (5, 5),
    }  # fmt: skip
    for name, given in odd.items():
        yield result(f"odd {name}", lambda given=given: rankgauge.score("nDCG", *given))


def checked() -> Iterator[Case]:
    """check() on collections with something to say."""
    for at in range(90):
        draw = Draw(f"check {at}")
        drawn = collection(draw)
        kind, other = draw.choice(KINDS), draw.choice(KINDS)
        if "whole" in kind + other:
            drawn = Collection(once(whole(drawn.judged)), once(whole(drawn.run)))
        judged, run = drawn
        if at % 6 == 5:
            judged, run = [*judged, judged[0]], [*run, run[0]]
        if at % 6 == 4:
            run = [(f" {q}" if at % 4 else q.upper(), d, n) for q, d, n in run]

        def call(judged: Rows = judged, run: Rows = run, kind: str = kind, other: str = other) -> Any:
            return rankgauge.check(handed_over(judged, "value", kind), handed_over(run, "score", other))

        yield result(f"{at}: {kind} × {other}", call, lambda judged=judged, run=run: f"{judged}\n  {run}")
    loaded, runs, _ = example()
    yield result("example", lambda: rankgauge.check(loaded, runs))
    judged, several = benchmark(1)
    yield result("benchmark", lambda: rankgauge.check(judged, several))
    yield result("judgments alone", lambda: rankgauge.check(judged))


def kept() -> Iterator[Case]:
    """Scores saved, read back, chosen from, put beside others, by segment and weighted; their forms."""
    for at in range(24):
        draw = Draw(f"kept {at}")
        judged, runs = benchmark(at % 5, 2 + at % 3, 4 + at)
        measures = " ".join(draw.sample(BOUNDED if at % 6 == 3 else USUAL, 4))
        rule = _rule(draw, 1) | ({"unjudged": "bounds"} if at % 6 == 3 else {})
        rule = {name: value for name, value in rule.items() if name != "extra" or at % 6 != 3}
        weights = {query: draw.choice([1, 2, 0.5]) for query in judged} if at % 4 == 1 and "extra" not in rule else None

        def made(
            judged: Any = judged, runs: Any = runs, measures: str = measures, rule: Any = rule, weights: Any = weights
        ) -> Scores:
            return rankgauge.evaluate(judged, runs, measures, policy=Policy(**rule), weights=weights)

        asked = lambda measures=measures, rule=rule, weights=weights: f"{measures} {rule} {weights}"  # noqa: E731
        for name, call in _uses(made, at).items():
            yield Case(f"{name} {at}", lambda call=call: said.shortened(said.plain(call())), asked)
    for name, text in MATRICES.items():

        def read(name: str = name, text: str = text) -> Any:
            from pathlib import Path

            Path(name).write_text(text)
            return said.scores(rankgauge.read_scores(name))

        yield Case(f"matrix {name}", read, lambda text=text: text)
    frames = {
        "long": {"system": ["a", "a", "b", "b"], "query": ["q1", "q2"] * 2, "AP": [0.1, 0.2, 0.3, None]},
        "no systems": {"query": ["q1"], "AP": [0.5]},
    }
    for name, columns in frames.items():
        for kind in ("polars", "pandas", "lazy"):
            frame = pl.DataFrame(columns)
            given = {"polars": frame, "pandas": frame.to_pandas(), "lazy": frame.lazy()}[kind]
            yield Case(f"frame {name} {kind}", lambda given=given: said.scores(rankgauge.read_scores(given)))


def _uses(made: Callable[[], Scores], at: int) -> dict[str, Callable[[], Any]]:
    def saved(ending: str) -> Any:
        made().save(f"saved.{ending}")
        return said.scores(rankgauge.read_scores(f"saved.{ending}"))

    def labels(scores: Scores) -> dict[str, str]:
        return {query: "abc"[int(query[1:]) % 3] for query in scores.queries}

    def beside() -> Any:
        first, second = made(), made()
        other = Scores(
            tuple(f"other-{s}" for s in second.systems),
            second.queries,
            second.measures,
            second.values.copy(),
            second.policy,
        )
        return said.scores(first.beside(other))

    every = {
        "saved as Parquet": lambda: saved("parquet"),
        "saved as CSV": lambda: saved("csv"),
        "one measure": lambda: said.scores(made().select(made().measures[1:2])),
        "some queries": lambda: said.scores(made().only(list(made().queries)[1:3])),
        "no such query": lambda: made().only(["q99"]),
        "beside": beside,
        "segments": lambda: said.result(made().by(labels(made()))),
        "t intervals": lambda: _estimates(made().intervals()),
        "bootstrap intervals": lambda: _estimates(made().intervals(method="bootstrap", confidence=0.9)),
        "text": lambda: str(made()).split("\n"),
        "forms": lambda: [made().to_markdown(), made().to_latex(), made()._repr_html_(), repr(made())],
        "dict": lambda: made().to_dict(per_query=True),
        "frame": lambda: [made().to_polars().columns, made().to_polars().rows()],
    }
    wanted = list(every) if at < 6 else list(every)[at % 3 :: 3]
    return {name: every[name] for name in wanted}


def _estimates(found: Any) -> Any:
    return {
        system: {name: [one.value, float(f"{one.low:.10g}"), float(f"{one.high:.10g}")] for name, one in row.items()}
        for system, row in found.items()
    }


MATRICES = {
    "long.csv": "system,query,nDCG@10,AP\na,q1,0.5,0.25\na,q2,1.0,0.75\nb,q1,0.25,0\nb,q2,0.125,1\n",
    "gaps.csv": "system,query,nDCG@10,AP\na,q1,0.5,\na,q2,,0.75\nb,q1,0.25,0\n",
    "wide.csv": "query,a,b\nq1,0.1,0.2\nq2,0.3,0.4\nq3,0.5,0.9\n",
    "bare.txt": "0.1 0.2\n0.3 0.4\n0.5 0.9\n",
    "named.txt": "q1 0.1 0.2\nq2 0.3 0.4\n",
    "semicolon.csv": "query;a;b\nq1;0,1;0,2\nq2;0,3;0,4\n",
    "comments.txt": "# from somewhere\nquery a b\nq1 0.1 0.2\nq2 0.3 nan\n",
    "other names.csv": "topic,run,map\nq1,a,0.5\nq2,a,0.25\n",
}
COMPARED: dict[str, dict[str, Any]] = {
    "as usual": {}, "all pairs": {"all_pairs": True}, "t": {"test": "t"}, "wilcoxon": {"test": "wilcoxon"}, "bootstrap": {"test": "bootstrap", "samples": 400},
    "tukey": {"test": "tukey", "all_pairs": True}, "randomised-tukey": {"test": "randomised-tukey", "all_pairs": True, "samples": 400},
    "holm": {"correction": "holm"}, "bh": {"correction": "bh", "test": "t"}, "none": {"correction": "none"}, "within": {"correction_within": "measure"},
    "equivalence": {"equivalence": 0.05}, "bootstrap intervals": {"interval": "bootstrap"}, "for each pair": {"interval_for": "pair"}, "confidence": {"confidence": 0.8},
    "baseline": {"baseline": -1}, "best": {"baseline": "best"}, "samples and seed": {"samples": 300, "seed": 3}, "bayes": {"bayes": True, "equivalence": 0.02},
    "robust": {"robust": True}, "no such baseline": {"baseline": "nothing"}, "no such test": {"test": "f"}, "weighted": {},
}  # fmt: skip
RULES = ["nDCG@5 < baseline", "nDCG@5 < baseline - 0.05", "AP <= 0.3", "nDCG@5 > baseline + 5%", "RR < 0.9"]


def compared() -> Iterator[Case]:
    """Verdicts, intervals and sentences."""
    data: dict[str, tuple[Any, Any, Any]] = {
        "example": example(),
        "small": (*benchmark(1), None),
        "tiny": (*benchmark(2, 3, 6), None),
    }
    for name, (judged, runs, only) in data.items():
        for how, options in COMPARED.items():
            chosen = dict(options)
            if chosen.get("baseline") == -1:
                chosen["baseline"] = list(runs)[-1]

            def call(
                judged: Any = judged, runs: Any = runs, only: Any = only, how: str = how, chosen: Any = chosen
            ) -> Any:
                weights = {query: 1 + at % 3 for at, query in enumerate(only or judged)} if how == "weighted" else None
                scores = rankgauge.evaluate(judged, runs, "nDCG@5 AP", only=only, weights=weights)
                return rankgauge.compare(scores, **chosen)

            if how == "robust":
                call = lambda j=judged, r=runs, o=only: rankgauge.compare(j, r, "nDCG@5", only=o, robust=True)  # noqa: E731
            yield result(f"{name} {how}", call)
        scores = lambda j=judged, r=runs, o=only: rankgauge.evaluate(j, r, "nDCG@5 AP RR", only=o)  # noqa: E731
        yield result(f"{name} gate", lambda scores=scores: rankgauge.compare(scores()).gate(*RULES))
        yield Case(
            f"{name} forms",
            lambda scores=scores: _forms(rankgauge.compare(scores())),
        )
        yield Case(
            f"{name} queries to detect",
            lambda scores=scores: said.plain(str(rankgauge.compare(scores()).queries_to_detect(0.02))),
        )
        yield result(f"{name} segments", lambda scores=scores: _by_segment(scores()))
        two = dict(list(runs.items())[:2])
        yield result(f"{name} without judgments", lambda two=two: rankgauge.compare(None, two))
        yield result(f"{name} without judgments at 3", lambda two=two: rankgauge.compare(None, two, cutoff=3, depth=5))
    (judged, runs), (other, others) = benchmark(3), benchmark(4)
    yield result("collections", lambda: rankgauge.compare(collections={"a": (judged, runs), "b": (other, others)}))
    people = dict(list(judged.items())[::2])
    yield result("a machine's judgments", lambda: rankgauge.compare(people, runs, "nDCG@5", judge=_labels(judged, 9)))


def _by_segment(scores: Scores) -> Any:
    return rankgauge.compare(scores, by={query: "xy"[int(query[1:]) % 2] for query in scores.queries})


def _forms(found: Any) -> Any:
    return [
        said.shortened(form.split("\n"))
        for form in (found.to_markdown(), found.to_latex(), found.to_markdown(compact=True), repr(found))
    ]


def _labels(judged: Any, seed: int) -> Any:
    draw = Draw(f"labels {seed}")
    return {
        query: {document: max(0, min(3, grade + draw.choice([-1, 0, 0, 0, 1]))) for document, grade in rows.items()}
        for query, rows in judged.items()
    }


def studied() -> Iterator[Case]:
    """Stability, agreement, separation, optima, robustness, judges, holes, exposure, samples, reconciliation, relevance."""
    sets: dict[str, tuple[Any, Any, Any]] = {
        "example": example(),
        "small": (*benchmark(1), None),
        "tiny": (*benchmark(2, 3, 6), None),
    }
    for name, (judged, runs, only) in sets.items():
        here = {"only": only}
        studies: dict[str, Callable[[Any, Any, Any], Any]] = {
            "stability": lambda j, r, o: rankgauge.stability(j, r, "nDCG@5 AP P@5", **o),
            "stability arteaga": lambda j, r, o: rankgauge.stability(j, r, "nDCG@5", interval="arteaga", queries_at=[30, 200], **o),
            "stability others": lambda j, r, o: rankgauge.stability(j, r, "nDCG@5", systems="others", drop=0.25, reach=[0.8], **o),
            "agreement": lambda j, r, o: rankgauge.agreement(j, r, "nDCG@5 AP RR P@3", **o),
            "discriminate": lambda j, r, o: rankgauge.discriminate(j, r, "nDCG@5 AP", samples=200, **o),
            "discriminate top": lambda j, r, o: rankgauge.discriminate(j, r, "nDCG@5", samples=100, top=2, alpha=0.1, add_one=True, **o),
            "optimize discount": lambda j, r, o: rankgauge.optimize(j, r, "nDCG@5", folds=0, **o),
            "optimize gain": lambda j, r, o: rankgauge.optimize(j, r, "nDCG@5", over="gain", folds=2, repeats=1, **o),
            "optimize both": lambda j, r, o: rankgauge.optimize(j, r, "nDCG@4", over="both", folds=0, objective="erho", **o),
            "optimize power": lambda j, r, o: rankgauge.optimize(j, r, "nDCG@3", objective="power", folds=0, **o),
            "optimize unconstrained": lambda j, r, o: rankgauge.optimize(j, r, "nDCG@4", constrained=False, folds=0, **o),
            "gains by cutoff": lambda j, r, o: rankgauge.optimize(j, r, "nDCG@5", over="gain", cutoffs=[2, 5], **o),
            "robust": lambda j, r, o: rankgauge.robust(j, r, "nDCG@5", samples=50, **o),
            "robust gain": lambda j, r, o: rankgauge.robust(j, r, "nDCG@5", over="gain", samples=40, all_pairs=True, **o),
            "robust discount": lambda j, r, o: rankgauge.robust(j, r, "DCG@4", over="discount", samples=40, budget=50, **o),
            "holes": lambda j, r, o: rankgauge.holes(j, r, "nDCG@5", **o),
            "holes AP": lambda j, r, o: rankgauge.holes(j, r, "P@5", all_pairs=True, **o),
            "holes judged": lambda j, r, o: rankgauge.holes(j, r, "nDCG@10", ideal="open", max_grade=3, **o),
            "reconcile": lambda j, r, o: rankgauge.reconcile(0.5, j, next(iter(r.values())), "nDCG@5"),
            "reconcile precise": lambda j, r, o: rankgauge.reconcile("0.6543", j, next(iter(r.values())), "AP", second={"RR": 0.9}),
            "exposure": lambda j, r, o: rankgauge.exposure(r, history=j, cutoff=5),
            "exposure of items": lambda j, r, o: rankgauge.exposure(r, items=_items(), features="topic", cutoff=3),
            "sample": lambda j, r, o: rankgauge.sample(j, queries=4),
            "relevance": lambda j, r, o: rankgauge.relevance(j),
            "relevance by the authors": lambda j, r, o: rankgauge.relevance(next(iter(r.values())), preset="authors"),
        }  # fmt: skip
        for what, call in studies.items():
            yield result(f"{name} {what}", lambda call=call, j=judged, r=runs, o=here: call(j, r, o))
        if name != "example":
            llm, noisy = _labels(judged, 1), _labels(judged, 2)
            yield result(f"{name} judges", lambda j=judged, a=llm, b=noisy: rankgauge.judges(j, {"llm": a, "noisy": b}))
            yield result(
                f"{name} judges with runs",
                lambda j=judged, a=llm, r=runs: rankgauge.judges(j, {"llm": a}, r, "nDCG@5 AP"),
            )
            yield result(
                f"{name} judges by rel",
                lambda j=judged, a=llm, r=runs: rankgauge.judges(j, a, r, "P@5", rel=2, common=True),
            )
    first, second = benchmark(3), benchmark(4)
    yield result("compromise", lambda: rankgauge.optimize({"a": first, "b": second}, measure="nDCG@5"))
    yield result("simulate", lambda: str(_small(rankgauge.simulate(3, 4, documents=12, relevant=3))))
    for at in range(30):
        draw = Draw(f"relevance {at}")
        numbers = [draw.choice([0, 1, 2, 5, 17, 400]) + draw.below(100) / 10 for _ in range(draw.between(3, 15))]
        options: list[dict[str, Any]] = [
            {},
            {"preset": "authors"},
            {"quartiles": "hinges"},
            {"whisker": "observed"},
            {"reach": 3.0},
        ]
        yield result(
            f"relevance {at}",
            lambda n=numbers, o=options[at % 5]: rankgauge.relevance(n, **o),
            lambda n=numbers: f"{n}",
        )


def _items() -> pl.DataFrame:
    return pl.DataFrame({"item": [f"d{d}" for d in range(24)], "topic": [("a|b", "b", "c")[d % 3] for d in range(24)]})


def _small(made: Any) -> Any:
    return [made.judgments, made.runs]
