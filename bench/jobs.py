"""What a fresh process does: `python jobs.py NAME ARGUMENT…`. Imports stand inside, so that only those needed count."""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

OURS = "nDCG@10 AP RR P@10 R@1000"
TREC = ("ndcg_cut.10", "map", "recip_rank", "P.10", "recall.1000")
TREC_RESULTS = ("ndcg_cut_10", "map", "recip_rank", "P_10", "recall_1000")
TOY = (
    {"q1": {"a": 1, "b": 0}, "q2": {"c": 2}, "q3": {"d": 1}},
    {"q1": {"a": 0.3, "x": 0.2}, "q2": {"y": 2.0, "c": 1.0}, "q3": {"d": 0.1}},
)
REPEATS, MATRIX_REPEATS = 9, 3
"""Calls of which the best counts, the same number for every contender of a workload."""


def say(**facts: Any) -> None:
    print(json.dumps(facts))


def timed(work: Callable[[], Iterable[float]], repeats: int = REPEATS) -> None:
    """The best of a few calls in this process; the data are there already."""
    wall, cpu, means = float("inf"), float("inf"), []
    for _ in range(repeats):
        begin = time.perf_counter(), time.process_time()
        made = work()
        wall = min(wall, time.perf_counter() - begin[0])
        cpu = min(cpu, time.process_time() - begin[1])
        means = list(made)
    say(wall=wall, cpu=cpu, means=means)


# The data: made in a process of their own, because what starts the jobs has to stay small (see trials.py).


def make_file(folder: str, queries: str, depth: str, layouts: str) -> None:
    import generate

    generate.big_file(Path(folder), int(queries), int(depth), layouts=layouts == "all")


def make_files(folder: str, systems: str, queries: str, depth: str) -> None:
    import generate

    generate.many_files(Path(folder), int(systems), int(queries), int(depth))


# W1: from the start of the process to the first number


def start_nothing() -> None:
    pass


def start_numpy() -> None:
    import numpy  # noqa: F401, ICN001


def start_rankgauge() -> None:
    import rankgauge

    say(means=list(rankgauge.evaluate(*TOY, "nDCG@10").mean()["run"].values()))


def command(*words: str) -> None:
    """The command, as a shell starts it."""
    from rankgauge.cli.main import main

    sys.argv = ["rankgauge", *words]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main()


def start_pytrec_eval() -> None:
    import pytrec_eval

    values = pytrec_eval.RelevanceEvaluator(TOY[0], {"ndcg_cut.10"}).evaluate(TOY[1]).values()
    say(means=[sum(value["ndcg_cut_10"] for value in values) / len(values)])


def start_ir_measures() -> None:
    import ir_measures

    say(means=list(ir_measures.calc_aggregate([ir_measures.nDCG @ 10], *TOY).values()))


def start_ranx() -> None:
    import ranx

    say(means=[float(ranx.evaluate(ranx.Qrels(TOY[0]), ranx.Run(TOY[1]), "ndcg@10"))])


def start_sklearn() -> None:
    from sklearn.metrics import ndcg_score

    ndcg_score([[1, 0], [2, 0]], [[0.3, 0.2], [1.0, 2.0]], k=10)


# The second workload, W2, has its dicts in memory.


def dicts_rankgauge(queries: str, depth: str, reused: str) -> None:
    import generate

    import rankgauge

    judged, run = generate.dicts(int(queries), int(depth))
    judgments = rankgauge.Judgments(judged) if reused == "reused" else judged
    timed(lambda: list(rankgauge.evaluate(judgments, run, "nDCG@10").mean()["run"].values()))


def tiny_rankgauge(runs: str, measures: str) -> None:
    import generate

    import rankgauge

    judged = generate.dicts(50, 20)[0]
    tried = {str(at): generate.dicts(50, 20)[1] for at in range(int(runs))}
    timed(lambda: list(rankgauge.evaluate(judged, tried, measures).mean()["0"].values()))


def dicts_pytrec_eval(queries: str, depth: str, reused: str) -> None:
    import generate
    import pytrec_eval

    judged, run = generate.dicts(int(queries), int(depth))
    ready = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10"})

    def work() -> list[float]:
        evaluator = ready if reused == "reused" else pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10"})
        values = evaluator.evaluate(run).values()
        return [sum(value["ndcg_cut_10"] for value in values) / len(values)]

    timed(work)


def dicts_ir_measures(queries: str, depth: str, reused: str) -> None:
    import generate
    import ir_measures

    judged, run = generate.dicts(int(queries), int(depth))
    measure = ir_measures.nDCG @ 10
    ready = ir_measures.evaluator([measure], judged)

    def work() -> Iterable[float]:
        evaluator = ready if reused == "reused" else ir_measures.evaluator([measure], judged)
        return evaluator.calc_aggregate(run).values()

    timed(work)


def dicts_ranx(queries: str, depth: str, reused: str) -> None:
    import generate
    import ranx

    judged, run = generate.dicts(int(queries), int(depth))
    ready = ranx.Qrels(judged)

    def work() -> list[float]:
        qrels = ready if reused == "reused" else ranx.Qrels(judged)
        return [float(ranx.evaluate(qrels, ranx.Run(run), "ndcg@10", make_comparable=True))]

    timed(work)


# W3: one large file, five measures


def read_polars(*paths: str) -> None:
    """The floor: the three columns that matter, read by the parser we use, and nothing done with them."""
    import polars as pl

    fields = ("query", "iteration", "document", "rank", "score", "tag")
    schema = {name: pl.Float64 if name == "score" else pl.String for name in fields}
    scans = [pl.scan_csv(path, separator=" ", has_header=False, quote_char=None, schema=schema) for path in paths]
    say(rows=sum(len(frame) for frame in pl.collect_all([scan.select("query", "document", "score") for scan in scans])))


def file_rankgauge(judgments: str, run: str, measures: str = OURS, memory: str = "") -> None:
    import rankgauge

    budget = {"memory": memory} if memory else {}
    scores = rankgauge.evaluate(rankgauge.read_judgments(judgments), rankgauge.read_run(run), measures, **budget)
    say(means=list(scores.mean()[scores.systems[0]].values()))


def file_pytrec_eval(judgments: str, run: str) -> None:
    import pytrec_eval

    with Path(judgments).open() as file:
        judged = pytrec_eval.parse_qrel(file)
    with Path(run).open() as file:
        found = pytrec_eval.parse_run(file)
    values = pytrec_eval.RelevanceEvaluator(judged, set(TREC)).evaluate(found)
    say(means=[sum(values[query][name] for query in values) / len(judged) for name in TREC_RESULTS])


def file_ir_measures(judgments: str, run: str) -> None:
    import ir_measures
    from ir_measures import AP, RR, P, R, nDCG

    measures = [nDCG @ 10, AP, RR, P @ 10, R @ 1000]
    values = ir_measures.calc_aggregate(
        measures, ir_measures.read_trec_qrels(judgments), ir_measures.read_trec_run(run)
    )
    say(means=[values[measure] for measure in measures])


def file_ranx(judgments: str, run: str) -> None:
    import ranx

    names = ["ndcg@10", "map", "mrr", "precision@10", "recall@1000"]
    values = ranx.evaluate(ranx.Qrels.from_file(judgments, kind="trec"), ranx.Run.from_file(run, kind="trec"), names)
    say(means=[float(values[name]) for name in names])


# W4: the runs of a campaign


def many_rankgauge(judgments: str, *runs: str) -> None:
    import rankgauge

    scores = rankgauge.evaluate(rankgauge.read_judgments(judgments), list(runs), "nDCG@10 nDCG@20 nDCG@100")
    say(means=scores.values.mean(axis=(0, 1)).tolist())


def many_pytrec_eval(judgments: str, *runs: str) -> None:
    import pytrec_eval

    names = [f"ndcg_cut_{cutoff}" for cutoff in (10, 20, 100)]
    with Path(judgments).open() as file:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(file), {"ndcg_cut.10,20,100"})
    totals, count = dict.fromkeys(names, 0.0), 0
    for run in runs:
        with Path(run).open() as file:
            values = evaluator.evaluate(pytrec_eval.parse_run(file))
        count += len(values)
        for name in names:
            totals[name] += sum(value[name] for value in values.values())
    say(means=[totals[name] / count for name in names])


def many_ir_measures(judgments: str, *runs: str) -> None:
    import ir_measures
    from ir_measures import nDCG

    measures = [nDCG @ 10, nDCG @ 20, nDCG @ 100]
    evaluator = ir_measures.evaluator(measures, ir_measures.read_trec_qrels(judgments))
    values = [evaluator.calc_aggregate(ir_measures.read_trec_run(run)) for run in runs]
    say(means=[sum(value[measure] for value in values) / len(values) for measure in measures])


def many_ranx(judgments: str, *runs: str) -> None:
    import ranx

    names = ["ndcg@10", "ndcg@20", "ndcg@100"]
    qrels = ranx.Qrels.from_file(judgments, kind="trec")
    values = [ranx.evaluate(qrels, ranx.Run.from_file(run, kind="trec"), names) for run in runs]
    say(means=[sum(float(value[name]) for value in values) / len(values) for name in names])


def file_trec_eval(binary: str, judgments: str, run: str) -> None:
    import subprocess

    wanted = [word for name in TREC for word in ("-m", name)]
    done = subprocess.run([binary, "-c", *wanted, judgments, run], capture_output=True, text=True, check=True)
    values = dict(line.split()[::2] for line in done.stdout.splitlines())
    say(means=[float(values[name]) for name in TREC_RESULTS])


def many_trec_eval(binary: str, judgments: str, *runs: str) -> None:
    import subprocess

    for run in runs:
        subprocess.run(
            [binary, "-q", "-m", "ndcg_cut.10,20,100", judgments, run], stdout=subprocess.DEVNULL, check=True
        )


# The fifth workload, W5, has matrices.


def matrix_rankgauge(rows: str, columns: str, ties: str) -> None:
    import generate

    import rankgauge

    truth, scores = generate.matrices(int(rows), int(columns), ties=ties == "ties")
    timed(lambda: [float(rankgauge.score("nDCG@10", truth, scores))], MATRIX_REPEATS)


def matrix_sklearn(rows: str, columns: str, ties: str) -> None:
    import generate
    from sklearn.metrics import ndcg_score

    truth, scores = generate.matrices(int(rows), int(columns), ties=ties == "ties")
    timed(lambda: [float(ndcg_score(truth, scores, k=10))], MATRIX_REPEATS)


def matrix_argpartition(rows: str, columns: str, ties: str) -> None:
    """The floor: find the ten best of every row."""
    import generate
    import numpy as np

    _, scores = generate.matrices(int(rows), int(columns), ties=ties == "ties")
    timed(lambda: np.argpartition(scores, scores.shape[1] - 10, axis=1)[:0, 0], MATRIX_REPEATS)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
