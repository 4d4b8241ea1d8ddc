"""Per-query equality with pytrec_eval where most scores are tied, through dicts, frames and files."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from rankgauge import Judgments, Run, evaluate, read_judgments, read_run

pytrec_eval = pytest.importorskip("pytrec_eval")

NAMES = {
    "nDCG@10": "ndcg_cut_10",
    "nDCG": "ndcg",
    "AP": "map",
    "AP@10": "map_cut_10",
    "RR": "recip_rank",
    "P@10": "P_10",
    "R@100": "recall_100",
    "Success@5": "success_5",
}


def collection(seed: int, decimals: int):
    """60 queries × 200 documents with scores of few decimals, so that most are tied; grades −1 … 3."""
    rng = np.random.default_rng(seed)
    judged, run = {}, {}
    for query in range(60):
        ids = [f"D{n:04d}" for n in rng.permutation(500)]
        run[f"q{query}"] = dict(zip(ids[:200], rng.normal(0, 2, 200).round(decimals).tolist(), strict=True))
        picked = rng.choice(ids[:260], 80, replace=False)
        grades = rng.choice([-1, 0, 1, 2, 3], 80, p=[0.05, 0.55, 0.2, 0.12, 0.08])
        judged[f"q{query}"] = dict(zip(picked.tolist(), grades.tolist(), strict=True))
    return judged, run


def rows(mapping):
    return [(q, d, v) for q, found in mapping.items() for d, v in found.items()]


@pytest.mark.parametrize("decimals", [0, 1, 4])
@pytest.mark.parametrize("form", ["dicts", "frames", "files", "scattered"])
def test_every_shared_measure_equals_pytrec_eval(tmp_path, decimals, form):
    judged, run = collection(decimals, decimals)
    if form == "dicts":
        ours = evaluate(judged, run, list(NAMES))
    elif form == "files":
        (tmp_path / "a.qrels").write_text("".join(f"{q} 0 {d} {v}\n" for q, d, v in rows(judged)))
        (tmp_path / "run").write_text("".join(f"{q} Q0 {d} 1 {v} tag\n" for q, d, v in rows(run)))
        ours = evaluate(read_judgments(tmp_path / "a.qrels"), read_run(tmp_path / "run"), list(NAMES))
    else:
        left = pl.DataFrame(rows(judged), schema=["query", "document", "value"], orient="row")
        right = pl.DataFrame(rows(run), schema=["query", "document", "score"], orient="row")
        if form == "scattered":
            right = right.sample(fraction=1, shuffle=True, seed=1)
        ours = evaluate(Judgments(left), Run(right), list(NAMES))
    theirs = pytrec_eval.RelevanceEvaluator(
        judged, {"ndcg_cut", "ndcg", "map", "map_cut", "recip_rank", "P", "recall", "success"}
    ).evaluate(run)
    for query, values in ours.per_query()["run"].items():
        for name, foreign in NAMES.items():
            assert values[name] == pytest.approx(theirs[query][foreign], abs=1e-12), (query, name)


def test_ignoring_ids_inside_ties_would_be_seen():
    judged, run = collection(0, 0)
    renamed = {q: {d[::-1]: s for d, s in found.items()} for q, found in run.items()}
    mirrored = {q: {d[::-1]: v for d, v in found.items()} for q, found in judged.items()}
    assert evaluate(judged, run, "AP").mean() != evaluate(mirrored, renamed, "AP").mean()
