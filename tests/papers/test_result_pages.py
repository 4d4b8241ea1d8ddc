"""The results pages are what their programs write: cheap tables made again, expensive ones held against their numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paper_folders import PAPERS, made

GUIDE = Path(__file__).parents[2] / "docs" / "choosing.md"


def page(paper):
    return (PAPERS / paper / "results" / "README.md").read_text(encoding="utf-8")


def test_the_page_on_optimal_ndcg_is_its_numbers():
    code = "import json, recompute; print(recompute.page(json.load(open('results/numbers.json'))), end='')"
    assert made("optimal-ndcg", code) == page("optimal-ndcg")


def test_named_discounts_of_a_round_are_recomputed(collections):
    code = """
import json, sources, study
found = next(one for one in sources.rounds() if one.name == "round 3")
grades = found.grades()
linear = study.named_gain("linear", grades.grades)
rows = {}
for cutoff in (10, 20, 100):
    cut = grades.cut(cutoff)
    for name in ("zipf", "linear", "log2"):
        scores = study.scores_of(cut, study.named_discount(name, cutoff), linear)
        rows[f"{cutoff} {name}"] = study.dependability(scores)
print(json.dumps({"data": found.digest, "rows": rows}))
"""
    again = json.loads(made("optimal-ndcg", code, collections))
    kept = json.loads((PAPERS / "optimal-ndcg" / "results" / "numbers.json").read_text())["collections"]["round 3"]
    assert kept["data"] == again["data"], "the data changed: run make papers"
    for name, value in again["rows"].items():
        cutoff, discount = name.split()
        assert kept["discounts"][cutoff][discount]["phi"] == pytest.approx(value, abs=1e-12)


def test_every_collection_on_the_page_is_the_data_at_hand(collections):
    code = "import json, sources; print(json.dumps({one.name: one.digest for one in sources.rounds()}))"
    kept = json.loads((PAPERS / "optimal-ndcg" / "results" / "numbers.json").read_text())["collections"]
    assert {name: one["data"] for name, one in kept.items()} == json.loads(made("optimal-ndcg", code, collections))


@pytest.mark.slow
def test_a_collection_of_ones_own_gets_the_same_tables(tmp_path):
    code = f"""
import sys, pathlib, rankgauge
folder = pathlib.Path({str(tmp_path)!r})
rankgauge.simulate(4, 8, documents=110, seed=3).save(folder / "own", depth=100)
import study
study.HALVINGS, study.SAMPLES, study.MANY, study.SEEDS = 2, 40, 40, range(1)
import compute, kept
kept.KEPT = folder / "cache"
runs = [str(path) for path in sorted((folder / "own" / "runs").iterdir())]
sys.argv = ["recompute.py", "--collection", "own", str(folder / "own" / "judgments.qrels"), *runs, "-o", str(folder / "out")]
import recompute
recompute.main()
"""
    made("optimal-ndcg", code)
    text = (tmp_path / "out" / "README.md").read_text(encoding="utf-8")
    assert "| own | 4 | 8 |" in text
    assert (tmp_path / "out" / "figure-9.svg").exists()


def test_the_claims_on_rankdcg_are_recomputed(collections):
    code = (
        "import claims, recompute; print(recompute.table(claims.HEAD, claims.claims()).replace('---:', '---'), end='')"
    )
    assert made("rankdcg", code, collections) in page("rankdcg")


def test_the_tables_on_ndcg_phi_are_recomputed(collections):
    code = """
import claims, recompute
print(recompute.table_1(), recompute.beyond(), recompute.figure_2(), sep="\\n@\\n", end="\\n@\\n")
print(recompute.table(claims.HEAD, claims.claims()), end="")
"""
    for part in made("ndcg-phi", code, collections).split("\n@\n"):
        assert part in page("ndcg-phi")


def test_the_practice_page_and_the_guide_are_their_numbers():
    code = f"""
import json, recompute
found = json.load(open("results/numbers.json"))
print(recompute.page(found), recompute.guide(open({str(GUIDE)!r}).read(), found), sep="@@@", end="")
"""
    assert made("ndcg-practice", code).split("@@@") == [page("ndcg-practice"), GUIDE.read_text(encoding="utf-8")]


@pytest.mark.slow
def test_intervals_beside_a_judge_cover_on_real_queries(collections):
    code = """
import os, pathlib, coverage
folder = pathlib.Path(os.environ["RANKGAUGE_DATA"]) / "judges" / "dl21"
runs = sorted((folder / "runs").iterdir())
pairs = coverage.differences(folder / "human.qrels.gz", folder / "umbrela-gpt-4o.qrels.gz", runs)
one = coverage.held(*(part[:40] for part in pairs), 15, 200, draws=75)
print(one.ours.mean(), one.published.mean(), one.width)
"""
    ours, published, width = map(float, made("judged", code, collections).split())
    assert 0.93 <= ours <= 0.97
    assert published < 0.92
    assert width < 0.85
