"""Judges, holes and few human queries on TREC DL 2021 and LLMJudge, against numbers computed by other code."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge.cli.main import cli

RUNS = ("NLE_P_v1", "pash_f1", "p_f10_mdt53b", "bcai_p_vbert", "uogTrPC", "p_bm25", "yorku21_a")


@pytest.fixture(scope="module")
def folder(collections):
    return collections / "judges"


@pytest.fixture(scope="module")
def golden(folder):
    return json.loads((folder / "golden.json").read_text())


def qrels(folder, name):
    if name in {"pool-5", "pool-8"} or name.startswith("without-"):
        return folder / "dl21" / "holes" / f"{name}.qrels.gz"
    prompt = name.removeprefix("prompt-")
    return folder / "dl21" / ("prompts" if prompt != name else "") / f"{prompt}.qrels.gz"


def run_files(folder, names=None):
    return [
        path
        for path in sorted((folder / "dl21" / "runs").iterdir())
        if names is None or path.name.removesuffix(".trec.gz") in names
    ]


def flat(data, path=""):
    if isinstance(data, dict):
        for name, part in data.items():
            yield from flat(part, f"{path}/{name}")
    elif isinstance(data, list):
        for at, part in enumerate(data):
            yield from flat(part, f"{path}/{at}")
    else:
        yield path, data


def assert_same(got, expected, tolerance=1e-9):
    known = dict(flat(got))
    wanted = {name: value for name, value in flat(expected) if not name.startswith(("/published", "/share_relevant"))}
    words = {name: value for name, value in wanted.items() if isinstance(value, str)}
    numbers = {name: value for name, value in wanted.items() if name not in words}
    assert {name: known[name] for name in words} == words
    assert {name: known[name] for name in numbers} == pytest.approx(numbers, abs=tolerance, rel=0)


def test_labels_of_33_judges_of_llmjudge(folder, golden):
    expected = golden["llmjudge"]["judges"]
    files = {name: folder / "llmjudge" / f"{name}.qrels.gz" for name in expected}
    found = rankgauge.judges(folder / "llmjudge" / "human.qrels.gz", files).to_dict()["judges"]
    for name, one in expected.items():
        assert_same(found[name]["agreement"], one)
    off = [
        name
        for name, one in expected.items()
        for coefficient, value in one["published"].items()
        if round(found[name]["agreement"]["coefficients"][coefficient]["value"], 4) != value
    ]
    assert len(set(off)) <= 2


def test_labels_of_dl21(folder, golden):
    expected = {name: one for name, one in golden["dl21"]["agreement"].items() if name.startswith("human |")}
    names = [name.removeprefix("human | ") for name in expected]
    found = rankgauge.judges(qrels(folder, "human"), {name: qrels(folder, name) for name in names}).to_dict()["judges"]
    for name in names:
        assert_same(found[name]["agreement"], expected[f"human | {name}"])


def test_more_than_two_judges(folder, golden):
    for title, names in {
        "umbrela-llama3.2-1..4 (4 judges)": [f"umbrela-llama3.2-{at}" for at in (1, 2, 3, 4)],
        "human, umbrela-gpt-4o, umbrela-gpt-4 (3 judges)": ["human", "umbrela-gpt-4o", "umbrela-gpt-4"],
    }.items():
        first, *others = (qrels(folder, name) for name in names)
        found = rankgauge.judges(first, others).to_dict()["together"]
        assert_same(found, golden["dl21"]["agreement"][title])


@pytest.mark.parametrize(
    ("reference", "judges"),
    [
        ("human", ("umbrela-gpt-4o", "umbrela-llama3.2-1", "prompt-mistral-01")),
        pytest.param(
            "human",
            ("umbrela-gpt-4", "umbrela-llama3.2-2", "umbrela-llama3.2-3", "prompt-mistral-12", "prompt-llama3.2-10"),
            marks=pytest.mark.slow,
        ),
        ("umbrela-llama3.2-1", ("umbrela-llama3.2-2",)),
    ],
)
def test_consequences(folder, golden, reference, judges):
    files = {name: qrels(folder, name) for name in judges}
    found = rankgauge.judges(qrels(folder, reference), files, run_files(folder)).to_dict()["judges"]
    for name in judges:
        assert_same(found[name]["consequences"]["nDCG@10"], golden["dl21"]["consequences"][f"{reference} | {name}"])


def test_the_sentence(folder):
    found = rankgauge.judges(qrels(folder, "human"), qrels(folder, "umbrela-gpt-4o"), run_files(folder))
    assert found.summary == (
        "umbrela-gpt-4o agrees with human on 54% of 10,828 documents (quadratic κ 0.65, 95% interval 0.58 to 0.72) and "
        "orders 63 systems nearly the same way (τ-b 0.94); 1,820 of 1,953 verdicts stay, 37 are lost, 96 gained, none is reversed."
    )


@pytest.mark.parametrize("every", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_bounds_and_limits(folder, golden, every):
    for case in golden["dl21"]["holes"][::every]:
        runs = [folder / "dl21" / "runs" / f"{name}.trec.gz" for name in case["runs"]]
        given = {"judgments": qrels(folder, case["judgments"]), "runs": runs, "measure": case["measure"]}
        found = rankgauge.holes(**given, baseline=case["baseline"])
        pair = next(pair for pair in found.pairs if pair.system == case["system"])
        assert (pair.holes, found.hole_count - pair.holes) == (case["holes"], case["other_free_documents"])
        assert (pair.difference, pair.low, pair.high) == pytest.approx(
            (case["difference_unjudged_zero"], case["low"], case["high"]), abs=1e-9
        )
        assert (pair.interval_low, pair.interval_high, pair.lowest_limit, pair.highest_limit) == pytest.approx(
            [case[name] for name in ("interval_low", "interval_high", "lowest_limit", "highest_limit")], abs=1e-6
        )
        assert (pair.verdict, pair.verdict_settled) == (case["verdict"], case["verdict_settled"])
        # A bound of 1e-17 is 0, whatever its rounding: P counts in steps of 1/530 here.
        assert pair.sign_settled == (case["low"] > 1e-12 or case["high"] < -1e-12)
        for query, low, now, high in pair.bounds:
            if query in case["per_query"]:
                assert (low, now, high) == pytest.approx(case["per_query"][query], abs=1e-9)
        if "low_ideal_open" in case:
            wide = rankgauge.holes(**given, baseline=case["baseline"], ideal="open")
            other = next(pair for pair in wide.pairs if pair.system == case["system"])
            assert (other.low, other.high) == pytest.approx((case["low_ideal_open"], case["high_ideal_open"]), abs=1e-9)


def test_a_bound_of_1e_17_is_zero_in_whole_numbers(folder, golden):
    """pash_f1 − NLE_P_v1, P(rel=2)@10 on pool-8: counted without division, the lowest difference is 0 documents of 530."""
    case = next(one for one in golden["dl21"]["holes"] if 0 < one["low"] < 1e-12)
    judged = rankgauge.read_judgments(qrels(folder, case["judgments"])).to_polars()
    grades = {(query, document): value for query, document, value in judged.rows()}
    files = [folder / "dl21" / "runs" / f"{case[name]}.trec.gz" for name in ("system", "baseline")]
    tops = []
    for file in files:
        ordered = (
            rankgauge.read_run(file).to_polars().sort(["query", "score", "document"], descending=[False, True, True])
        )
        tops.append({(q, d) for q, d in ordered.group_by("query").head(10).select("query", "document").rows()})
    system, baseline = tops
    relevant = [sum(grades.get(pair, 0) >= 2 for pair in top) for top in tops]
    lowest = relevant[0] - relevant[1] - sum(pair not in grades for pair in baseline - system)
    assert lowest == 0
    pair = rankgauge.holes(qrels(folder, case["judgments"]), files[::-1], case["measure"]).pairs[0]
    assert pair.low == pytest.approx(0, abs=1e-15)
    assert not pair.sign_settled


def test_what_to_judge_next(folder, golden):
    for case in golden["dl21"]["judge_next"][::3]:
        runs = [folder / "dl21" / "runs" / f"{case[name]}.trec.gz" for name in ("baseline", "system")]
        judge = None if case["judge"] is None else qrels(folder, case["judge"])
        found = rankgauge.holes(qrels(folder, case["judgments"]), runs, judge=judge)
        listed = found.next(len(case["first"]))
        assert [(one.query, one.document) for one in listed] == [
            (one["query"], one["document"]) for one in case["first"]
        ]
        assert [one.score for one in listed] == pytest.approx([one["score"] for one in case["first"]], abs=1e-12)
        assert len(found.worklist) == case["open_documents"]


def test_real_labellings_stay_inside(folder):
    """Every document that a pool of depth 5 left unjudged gets the grade that people gave it later."""
    runs = run_files(folder, RUNS)
    bounded = rankgauge.holes(qrels(folder, "pool-5"), runs, all_pairs=True)
    pool, full = (rankgauge.read_judgments(qrels(folder, name)).to_polars() for name in ("pool-5", "human"))
    grades = {(query, document): value for query, document, value in full.rows()}
    holes = [(one.query, one.document) for one in bounded.worklist]
    draw = np.random.default_rng(0)
    for grade in (lambda pair: grades.get(pair, 0), lambda _: int(draw.integers(0, 4))):
        filled = {}
        for query, document, value in [*pool.rows(), *((*pair, grade(pair)) for pair in holes)]:
            filled.setdefault(query, {})[document] = value
        scores = rankgauge.evaluate(filled, runs).mean()
        for pair in bounded.pairs:
            difference = scores[pair.system]["nDCG@10"] - scores[pair.baseline]["nDCG@10"]
            assert pair.low - 1e-12 <= difference <= pair.high + 1e-12


def test_few_human_queries(folder, golden):
    cases = golden["dl21"]["few_human_queries"]
    runs = run_files(folder, {case[name] for case in cases for name in ("system", "baseline")})
    human = rankgauge.evaluate(qrels(folder, "human"), runs)
    judges = {name: rankgauge.evaluate(qrels(folder, name), runs) for name in {case["judge"] for case in cases}}
    for case in cases:
        found = rankgauge.compare(
            human.only(case["human_queries"]),
            judge=judges[case["judge"]],
            baseline=case["baseline"],
            interval_for="pair",
        )
        pair = found["nDCG@10"].pair(case["system"], case["baseline"])
        data = pair.to_dict()
        assert_same(data, {name: case[name] for name in ("difference", "low", "high", "p")})
        assert_same(
            data["judge"],
            {name: case[name] for name in ("slope", "correlation", "effective_queries", "human_only", "judge_only")},
        )
        assert (pair.judge.human_queries, pair.judge.queries) == (case["n"], case["M"])


@pytest.mark.slow
def test_every_command_is_quick(folder, tmp_path):
    runs = list(map(str, run_files(folder)))
    human, judge, pool = (str(qrels(folder, name)) for name in ("human", "umbrela-gpt-4o", "pool-5"))
    drawn = set(rankgauge.sample(judge, queries=25).queries)
    few = str(tmp_path / "few.qrels")
    with gzip.open(human, "rt") as lines:
        Path(few).write_text("".join(line for line in lines if line.split()[0] in drawn))
    for words, limit in (
        (["judges", human, *runs, "--judge", judge], 10),
        (["holes", pool, *runs, "--baseline", "p_bm25"], 10),
        (["holes", pool, *runs, "--all-pairs"], 60),
        (["sample", judge, "--queries", "25"], 10),
        (["compare", few, *runs, "--judge", judge, "--baseline", "p_bm25"], 10),
        (["compare", few, *runs, "--judge", judge, "--all-pairs"], 10),
    ):
        start = time.process_time()
        first = CliRunner().invoke(cli, words, catch_exceptions=False)
        assert time.process_time() - start < limit
        assert first.exit_code == 0
        assert CliRunner().invoke(cli, words, catch_exceptions=False).stdout == first.stdout
