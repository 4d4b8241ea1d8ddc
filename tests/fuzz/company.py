"""Generated collections by every way in: the same bits as from dicts, and the numbers of an independent scorer."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytrec_eval

import rankgauge
from data.collection import files, trec_files, triples
from fuzz.independent import ndcg, reciprocal_rank
from fuzz.readers import MEASURES
from fuzz.tally import HungError, Tally

Rows = dict[str, dict[str, float]]
PIECES = 1500
"""Collections that together make files of more than one piece, where there is little memory."""


def collection(draw: np.random.Generator, name: str = "") -> tuple[Rows, Rows]:
    """Judgments and a run with ties, unjudged documents, missing queries and negative grades."""
    judged, run = {}, {}
    for q in range(int(draw.integers(1, 6))):
        names = [f"d{at}" for at in draw.permutation(12)[: draw.integers(1, 12)]]
        grades = {one: int(draw.integers(-1, 4)) for one in names if draw.random() < 0.7} or {"d0": 1}
        judged[f"{name}q{q}"] = grades
        if draw.random() < 0.9:
            scale = 1 if draw.random() < 0.5 else 1000
            run[f"{name}q{q}"] = {one: float(np.floor(draw.random() * scale * 5) / scale) for one in names}
    judged[f"{name}q0"]["d0"] = 1
    run.setdefault(f"{name}q0", {"d0": 1.0})
    return judged, run


def try_company(seeds: list[int], folder: Path, tally: Tally) -> None:
    """Some collections in one file of each kind; what is expected of each comes from that collection alone, as dicts."""
    judged, run, expected = {}, {}, {}
    for at, seed in enumerate(seeds):
        one = collection(np.random.default_rng(seed), f"c{at}." if at else "")
        expected |= _alone(*one, seed, tally)
        judged |= one[0]
        run |= one[1]
    memory = "1MB" if len(seeds) >= PIECES else None
    for name, given in ways(judged, run, folder):
        tally.counts["paths"] += len(seeds)
        try:
            with tally.limited():
                found = rankgauge.evaluate(*given, MEASURES, memory=memory)
        except (Exception, HungError) as problem:  # noqa: BLE001 - whatever it is, it is what we look for
            tally.fail("collection", f"{seeds[0]}-{name}", repr((judged, run)).encode(), repr(problem))
            continue
        ours = {query: found.values[0, at].tobytes() for at, query in enumerate(found.queries)}
        if ours != expected:
            tally.fail("collection", f"{seeds[0]}-{name}", repr((judged, run)).encode(), "other bits")
    tally.counts["collections"] += len(seeds)


def _alone(judged: Rows, run: Rows, seed: int, tally: Tally) -> dict[str, bytes]:
    scores = rankgauge.evaluate(judged, {"run": run}, MEASURES)
    for column, numbers in enumerate((ndcg(judged, run, 3), reciprocal_rank(judged, run, 2))):
        ours = dict(zip(scores.queries, scores.values[0, :, column].tolist(), strict=True))
        if ours.keys() != numbers.keys() or not all(math.isclose(ours[q], numbers[q], abs_tol=1e-12) for q in ours):
            tally.fail("collection", str(seed), repr((judged, run)).encode(), f"{ours} {numbers}")
    peer = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.3"}).evaluate(run)
    for query, found in peer.items():
        tally.counts["queries beside trec_eval"] += 1
        ours = float(scores.values[0, scores.queries.index(query), 0])
        if not math.isclose(ours, found["ndcg_cut_3"], abs_tol=1e-12):
            tally.fail("collection", str(seed), repr((judged, run)).encode(), f"{query}: {ours}, trec_eval {found}")
    return {query: scores.values[0, at].tobytes() for at, query in enumerate(scores.queries)}


def ways(judged: Rows, run: Rows, folder: Path) -> Iterator[tuple[str, tuple[Any, Any]]]:
    frames = [
        pl.DataFrame(triples(rows), schema={"query": pl.String, "document": pl.String, name: pl.Float64}, orient="row")
        for rows, name in ((judged, "value"), (run, "score"))
    ]
    yield "polars", (frames[0], frames[1])
    yield "pandas", (frames[0].to_pandas(), frames[1].to_pandas())
    yield "arrow", (frames[0].to_arrow(), frames[1].to_arrow())
    makers = [files(number) | trec_files(number) for number in ("value", "score")]
    for name in makers[0]:
        paths = []
        for number, rows, writers in zip(("value", "score"), (judged, run), makers, strict=True):
            text = writers[name](rows)
            (folder / number).mkdir(exist_ok=True)
            path = folder / number / name
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            paths.append(path)
        yield name, (paths[0], paths[1])
