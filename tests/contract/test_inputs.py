"""Every public function takes what `evaluate` takes, and what is none of that ends in an error of ours."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgauge
from rankgauge import Judgments, Queries, Run, Scores
from rankgauge.errors import RankgaugeError

QUERIES, DOCUMENTS, SYSTEMS = 8, 12, 3


def generated():
    """Judgments {query: {document: grade}} and runs {system: {query: {document: score}}}."""
    draw = np.random.default_rng(3)
    judged = {f"q{q}": {f"d{d}": int(draw.integers(0, 3)) for d in range(DOCUMENTS)} for q in range(QUERIES)}
    runs = {
        f"s{s}": {
            f"q{q}": {f"d{d}": float(judged[f"q{q}"][f"d{d}"] + (s + 1) * draw.normal()) for d in range(DOCUMENTS)}
            for q in range(QUERIES)
        }
        for s in range(SYSTEMS)
    }
    return judged, runs


JUDGED, RUNS = generated()
OTHER = {query: {document: 1 - (value > 1) for document, value in row.items()} for query, row in JUDGED.items()}
JUDGMENTS_FRAME = pl.DataFrame(
    [(query, document, value) for query, row in JUDGED.items() for document, value in row.items()],
    schema=["query", "document", "grade"],
    orient="row",
)
RUNS_FRAME = pl.DataFrame(
    [
        (system, query, document, value)
        for system, run in RUNS.items()
        for query, row in run.items()
        for document, value in row.items()
    ],
    schema=["system", "query", "document", "score"],
    orient="row",
)
SCORES = rankgauge.evaluate(JUDGED, RUNS, "nDCG@5 AP")
ONE_RUN = RUNS_FRAME.filter(pl.col("system") == "s0").drop("system")


def files(folder: Path) -> Path:
    JUDGMENTS_FRAME.write_csv(folder / "judgments.csv")
    for system in RUNS:
        RUNS_FRAME.filter(pl.col("system") == system).drop("system").write_csv(folder / f"{system}.csv")
    SCORES.save(folder / "scores.parquet")
    SCORES.save(folder / "scores.csv")
    matrix = pl.DataFrame({"query": SCORES.queries, **dict(zip(SCORES.systems, SCORES.matrix("nDCG@5"), strict=True))})
    matrix.write_csv(folder / "matrix.csv")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return files(tmp_path_factory.mktemp("inputs"))


COLLECTIONS = {
    "dicts": lambda _: (JUDGED, RUNS),
    "paths as text": lambda f: (str(f / "judgments.csv"), [str(f / f"{s}.csv") for s in RUNS]),
    "paths": lambda f: (f / "judgments.csv", {s: f / f"{s}.csv" for s in RUNS}),
    "Polars": lambda _: (JUDGMENTS_FRAME, RUNS_FRAME),
    "lazy Polars": lambda _: (JUDGMENTS_FRAME.lazy(), RUNS_FRAME.lazy()),
    "pandas": lambda _: (JUDGMENTS_FRAME.to_pandas(), RUNS_FRAME.to_pandas()),
    "Arrow": lambda _: (JUDGMENTS_FRAME.to_arrow(), RUNS_FRAME.to_arrow()),
    "objects": lambda _: (Judgments(JUDGED), [Run(run, name=system) for system, run in RUNS.items()]),
    "mixed": lambda f: (JUDGED, {"s0": RUNS["s0"], "s1": f / "s1.csv", "s2": Run(RUNS["s2"], name="s2")}),
}
NAMED = SCORES.to_polars()
MATRIX = SCORES.matrix("nDCG@5")
TABLES = {
    "Scores": lambda _: SCORES,
    "kept Parquet": lambda f: f / "scores.parquet",
    "kept CSV": lambda f: str(f / "scores.csv"),
    "matrix in a file": lambda f: f / "matrix.csv",
    "array": lambda _: Scores.from_matrix(MATRIX, rows="systems"),
    "cube": lambda _: rankgauge.read_scores(SCORES.values, rows="systems"),
    "list of lists": lambda _: rankgauge.read_scores(MATRIX.T.tolist(), rows="queries"),
    "Polars": lambda _: NAMED,
    "pandas": lambda _: NAMED.to_pandas(),
    "Arrow": lambda _: NAMED.to_arrow(),
}
ON_COLLECTIONS = {
    "evaluate": lambda j, r, _: rankgauge.evaluate(j, r, "nDCG@5").mean(),
    "compare": lambda j, r, _: rankgauge.compare(j, r, "nDCG@5", test="t").to_dict(),
    "compare collections": lambda j, r, _: rankgauge.compare(collections={"a": (j, r), "b": (j, r)}).to_dict(),
    "compare without judgments": lambda _, r, __: rankgauge.compare(None, r).to_dict(),
    "stability": lambda j, r, _: rankgauge.stability(j, r, "nDCG@5").to_dict(),
    "agreement": lambda j, r, _: rankgauge.agreement(j, r, "nDCG@5 AP").to_dict(),
    "discriminate": lambda j, r, _: rankgauge.discriminate(j, r, "nDCG@5", samples=50).to_dict(),
    "optimize": lambda j, r, _: rankgauge.optimize(j, r, "nDCG@3", folds=0).to_dict(),
    "robust": lambda j, r, _: rankgauge.robust(j, r, "nDCG@3", samples=20).to_dict(),
    "judges": lambda j, r, _: rankgauge.judges(j, {"llm": OTHER}, r, "nDCG@5").to_dict()["judges"],
    "holes": lambda j, r, _: rankgauge.holes(j, r, "nDCG@5").to_dict(),
    "exposure": lambda j, r, _: rankgauge.exposure(r, history=j).to_dict(),
    "check": lambda j, r, _: len(rankgauge.check(j, r).errors),
    "report": lambda j, r, path: rankgauge.report(path / "page.html", j, r, "nDCG@5").exists(),
    "explore": lambda j, r, path: rankgauge.explore(path / "page.html", j, r, "nDCG@5").read_text(),
}
ON_SCORES = {
    "compare": lambda scores, _: rankgauge.compare(scores, test="t").to_dict(),
    "stability": lambda scores, _: rankgauge.stability(scores).to_dict(),
    "discriminate": lambda scores, _: rankgauge.discriminate(scores, samples=50).to_dict(),
    "report": lambda scores, path: rankgauge.report(path / "page.html", scores).exists(),
}


def two_runs(runs):
    """Two of the runs, of whatever kind; a comparison without judgments takes two."""
    if isinstance(runs, dict):
        return {name: runs[name] for name in ("s0", "s1")}
    if isinstance(runs, list):
        return runs[:2]
    frame = pl.from_arrow(runs) if not isinstance(runs, (pl.DataFrame, pl.LazyFrame, pd.DataFrame)) else runs
    if isinstance(frame, pd.DataFrame):
        return frame[frame.system != "s2"]
    return frame.filter(pl.col("system") != "s2")


@pytest.mark.parametrize("kind", COLLECTIONS)
@pytest.mark.parametrize("function", ON_COLLECTIONS)
def test_a_collection_of_any_kind_gives_the_same(function, kind, folder, tmp_path):
    call = ON_COLLECTIONS[function]

    def answer(of):
        judged, runs = COLLECTIONS[of](folder)
        return call(judged, two_runs(runs) if function == "compare without judgments" else runs, tmp_path)

    expected = answer("dicts")
    got = answer(kind)
    if function in {"check", "report"}:
        assert got == expected
    else:
        assert without_notes(got) == without_notes(expected)


def without_notes(found):
    """What was odd in a file may be noted with its name; numbers may not differ."""
    return {name: part for name, part in found.items() if name != "notes"} if isinstance(found, dict) else found


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("function", ON_SCORES)
def test_scores_of_any_kind_are_taken(function, kind, folder, tmp_path):
    found = ON_SCORES[function](TABLES[kind](folder), tmp_path)
    if isinstance(found, dict):
        assert list(found["measures"])
    else:
        assert found


@pytest.mark.parametrize("kind", ["Scores", "kept Parquet", "kept CSV", "Polars", "pandas", "Arrow"])
def test_scores_with_names_give_the_same_comparison(kind, folder):
    expected = rankgauge.compare(SCORES, test="t").to_dict()["measures"]
    assert rankgauge.compare(TABLES[kind](folder), test="t").to_dict()["measures"] == expected


RUN_KINDS = {
    "dict": lambda _: RUNS["s0"],
    "path": lambda f: f / "s0.csv",
    "Polars": lambda _: ONE_RUN,
    "pandas": lambda _: ONE_RUN.to_pandas(),
    "Arrow": lambda _: ONE_RUN.to_arrow(),
    "Run": lambda _: Run(RUNS["s0"], name="s0"),
}


@pytest.mark.parametrize("kind", RUN_KINDS)
def test_explain_takes_any_run(kind, folder):
    expected = rankgauge.explain("nDCG@5", JUDGED, RUNS["s0"], "q1").value
    assert rankgauge.explain("nDCG@5", JUDGED, RUN_KINDS[kind](folder), "q1").value == expected
    assert rankgauge.explain("nDCG@5", folder / "judgments.csv", RUN_KINDS[kind](folder), "q1").value == expected


@pytest.mark.parametrize("kind", RUN_KINDS)
def test_reconcile_takes_any_run(kind, folder):
    expected = rankgauge.reconcile("0.9", JUDGED, RUNS["s0"], "nDCG@5")
    found = rankgauge.reconcile("0.9", folder / "judgments.csv", RUN_KINDS[kind](folder), "nDCG@5")
    assert (found.ours, found.candidates) == (expected.ours, expected.candidates)


class Strange:
    """Nothing that any function knows."""


STRANGE = {
    "an object": Strange(),
    "a number": 3,
    "a fraction": 0.5,
    "nothing": None,
    "bytes": b"q1 0 d1 1",
    "a set": {"q1"},
    "a function": len,
    "no such file": "no/such/file.trec",
    "text": "q1",
    "an empty list": [],
    "an empty dict": {},
    "a flat dict": {"q1": 3},
    "a list of numbers": [1, 2, 3],
    "a list of text lists": [["a", "b"]],
    "an array of text": np.array([["a", "b"]]),
    "a flat array": np.array([0.1, 0.2]),
    "an array of four dimensions": np.zeros((2, 2, 2, 2)),
    "a frame without columns": pl.DataFrame(),
    "a frame of other columns": pl.DataFrame({"colour": [1], "shape": [2]}),
    "a class": Scores,
    "judgments": Judgments(JUDGED),
    "queries": Queries({"query": ["q1"], "text": ["words"]}),
}
CALLS = {
    "evaluate judgments": lambda bad, _: rankgauge.evaluate(bad, RUNS),
    "evaluate runs": lambda bad, _: rankgauge.evaluate(JUDGED, bad),
    "compare": lambda bad, _: rankgauge.compare(bad),
    "compare runs": lambda bad, _: rankgauge.compare(JUDGED, bad),
    "compare a collection": lambda bad, _: rankgauge.compare(collections={"a": bad, "b": bad}),
    "compare collections": lambda bad, _: rankgauge.compare(collections=bad, baseline="s0"),
    "stability": lambda bad, _: rankgauge.stability(bad),
    "agreement": lambda bad, _: rankgauge.agreement(bad),
    "discriminate": lambda bad, _: rankgauge.discriminate(bad),
    "optimize judgments": lambda bad, _: rankgauge.optimize(bad, RUNS, "nDCG@3", folds=0),
    "optimize runs": lambda bad, _: rankgauge.optimize(JUDGED, bad, "nDCG@3", folds=0),
    "robust judgments": lambda bad, _: rankgauge.robust(bad, RUNS, "nDCG@3"),
    "robust runs": lambda bad, _: rankgauge.robust(JUDGED, bad, "nDCG@3"),
    "explain judgments": lambda bad, _: rankgauge.explain("nDCG@5", bad, RUNS["s0"], "q1"),
    "explain run": lambda bad, _: rankgauge.explain("nDCG@5", JUDGED, bad, "q1"),
    "reconcile judgments": lambda bad, _: rankgauge.reconcile("0.5", bad, RUNS["s0"]),
    "reconcile run": lambda bad, _: rankgauge.reconcile("0.5", JUDGED, bad),
    "reconcile value": lambda bad, _: rankgauge.reconcile(bad, JUDGED, RUNS["s0"]),
    "reconcile second": lambda bad, _: rankgauge.reconcile("0.5", JUDGED, RUNS["s0"], second=bad),
    "reconcile per_query": lambda bad, _: rankgauge.reconcile("0.5", JUDGED, RUNS["s0"], per_query=bad),
    "report": lambda bad, path: rankgauge.report(path / "page.html", bad),
    "report runs": lambda bad, path: rankgauge.report(path / "page.html", JUDGED, bad),
    "explore judgments": lambda bad, path: rankgauge.explore(path / "page.html", bad, RUNS),
    "explore runs": lambda bad, path: rankgauge.explore(path / "page.html", JUDGED, bad),
    "score": lambda bad, _: rankgauge.score("nDCG@5", bad, [1.0, 2.0]),
    "judges reference": lambda bad, _: rankgauge.judges(bad, JUDGED),
    "judges judge": lambda bad, _: rankgauge.judges(JUDGED, bad),
    "judges runs": lambda bad, _: rankgauge.judges(JUDGED, JUDGED, bad),
    "holes judgments": lambda bad, _: rankgauge.holes(bad, RUNS),
    "holes runs": lambda bad, _: rankgauge.holes(JUDGED, bad),
    "sample": lambda bad, _: rankgauge.sample(bad, queries=2),
    "sample queries": lambda bad, _: rankgauge.sample(JUDGED, queries=bad),
    "exposure runs": lambda bad, _: rankgauge.exposure(bad),
    "exposure history": lambda bad, _: rankgauge.exposure(RUNS, history=bad),
    "exposure items": lambda bad, _: rankgauge.exposure(RUNS, items=bad),
    "Judgments": lambda bad, _: Judgments(bad).queries,
    "Run": lambda bad, _: Run(bad).to_polars(),
    "read_scores": lambda bad, _: rankgauge.read_scores(bad),
    "Scores.from_matrix": lambda bad, _: Scores.from_matrix(bad, rows="queries"),
    "relevance": lambda bad, _: rankgauge.relevance(bad),
}
FINE = {
    # What is strange to most functions is what these take.
    ("evaluate judgments", "judgments"),
    ("optimize judgments", "judgments"),
    ("robust judgments", "judgments"),
    ("explain judgments", "judgments"),
    ("explore judgments", "judgments"),
    ("judges reference", "judgments"),
    ("judges judge", "judgments"),
    ("judges runs", "nothing"),
    ("holes judgments", "judgments"),
    ("exposure history", "nothing"),
    ("exposure history", "judgments"),
    ("exposure items", "nothing"),
    ("exposure items", "a set"),
    ("exposure items", "a list of numbers"),
    ("sample", "judgments"),
    ("sample queries", "a number"),
    ("relevance", "judgments"),
    ("relevance", "a list of numbers"),
    ("relevance", "a flat array"),
    ("score", "a flat array"),
    ("Scores.from_matrix", "a frame of other columns"),
    # A system may have returned nothing at all.
    ("evaluate runs", "an empty dict"),
    ("compare runs", "an empty dict"),
    ("explain run", "an empty dict"),
    ("reconcile judgments", "judgments"),
    *((f"reconcile {what}", nothing) for what in ("second", "per_query") for nothing in ("nothing", "an empty dict")),
    ("reconcile second", "an empty list"),
    ("reconcile second", "a frame without columns"),
    ("reconcile per_query", "a flat dict"),
    ("reconcile value", "a number"),
    ("reconcile value", "a fraction"),
    ("report runs", "an empty dict"),
    ("reconcile run", "an empty dict"),
    ("explore runs", "an empty dict"),
    ("Run", "an empty dict"),
}


@pytest.mark.parametrize("what", STRANGE)
@pytest.mark.parametrize("call", CALLS)
def test_anything_else_is_an_error_of_ours(call, what, tmp_path):
    if (call, what) in FINE:
        CALLS[call](STRANGE[what], tmp_path)
        return
    with pytest.raises(RankgaugeError) as caught:
        CALLS[call](STRANGE[what], tmp_path)
    assert str(caught.value)
    assert not (tmp_path / "page.html").exists()


def test_every_public_function_is_walked():
    walked = {name.split()[0] for name in [*ON_COLLECTIONS, *ON_SCORES, *CALLS, "explain"]}
    known = {"simulate", "read_judgments", "read_run", "read_runs", "read_queries"}  # these take numbers or paths
    functions = {name for name in rankgauge.__all__ if name.islower() and callable(getattr(rankgauge, name))}
    assert functions - walked == known
