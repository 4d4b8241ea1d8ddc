"""TREC's gdeval program in Perl, as the wheel of ir_measures carries it, on random collections."""

from __future__ import annotations

import shutil
import subprocess
from importlib.resources import as_file, files

import pytest

from conftest import missing
from peers.small_collections import small_collections
from rankgauge import evaluate


@pytest.fixture(scope="module")
def gdeval(tmp_path_factory):
    """(judgments, run, cutoff) → {query: (nDCG, ERR)}, five decimals each."""
    if not shutil.which("perl"):
        missing("perl is not installed: gdeval is a Perl program")
    folder = tmp_path_factory.mktemp("gdeval")

    def call(judged, run, cutoff):
        rows = [(q, d, v) for q, found in judged.items() for d, v in found.items()]
        (folder / "qrels").write_text("".join(f"{q} 0 {d} {v}\n" for q, d, v in rows))
        rows = [(q, d, v) for q, found in run.items() for d, v in found.items()]
        (folder / "run").write_text("".join(f"{q} Q0 {d} 1 {v} tag\n" for q, d, v in rows))
        with as_file(files("ir_measures") / "bin" / "gdeval.pl") as program:
            command = ["perl", program, folder / "qrels", folder / "run", str(cutoff)]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        lines = [line.split(",") for line in text.splitlines()[1:]]
        return {query: (float(ndcg), float(err)) for _, query, ndcg, err in lines}

    return call


@pytest.mark.parametrize("cutoff", [1, 3, 20])
def test_the_program_agrees_to_its_five_decimals(gdeval, cutoff):
    for seed in range(6):
        judged, run = {}, {}
        for at, (some_judged, some_run) in enumerate(small_collections(60, seed=20 + seed)):
            judged |= {f"{at}{query}": found for query, found in some_judged.items()}
            run |= {f"{at}{query}": found for query, found in some_run.items()}
        theirs = gdeval(judged, run, cutoff)
        scores = evaluate(judged, run, f"nDCG@{cutoff} ERR@{cutoff}", like="gdeval").per_query()["run"]
        ours = {query: tuple(values.values()) for query, values in scores.items() if values}
        assert ours.keys() == theirs.keys()
        for query, values in ours.items():
            assert values == pytest.approx(theirs[query], abs=5.01e-6), query


def test_queries_without_a_relevant_document_or_an_answer_are_left_out_by_both(gdeval):
    judged, run = {"1": {"a": 1}, "2": {"a": 0}, "3": {"a": 1}}, {"1": {"a": 1.0}, "2": {"a": 1.0}}
    assert set(gdeval(judged, run, 10)) == {"1"}
    assert evaluate(judged, run, "nDCG@10", like="gdeval").per_query()["run"] == {
        "1": {"nDCG(gain=exp)@10": 1.0},
        "2": {},
        "3": {},
    }
