"""Collections, and numbers of their runs that are made in ways `reconcile` does not hold."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

import rankgauge
from rankgauge.analysis.reconcile.candidates import Candidate, Numbers, key_of, own_setting, tool_settings
from rankgauge.arrays import Floats
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.setting import Setting
from rankgauge.measures.grammar import parse

MEASURES = ("nDCG@10", "nDCG", "AP", "AP@10", "RR@10", "P@10", "R@100")
WAYS = ("cutoff", "median", "gain", "subset", "subset")
CUTOFFS = (3, 5, 7, 15, 20, 30, 50, 100)
GAINS = ("power(0.5)", "power(2)", "power(3)", "levels(1, 5, 10, 20)", "levels(3, 4, 5, 6)")
DISCOUNTS = ("jk(10)", "zipf(0.5)", "rbp(0.8)", "none")


def collections(runs: int, seed: int = 5) -> Iterator[tuple[str, Numbers]]:
    """Some runs of every collection on which the constants of the estimate were chosen; the last ones are simulated."""
    folder, random = Path(os.environ["RANKGAUGE_DATA"]), np.random.default_rng(seed)
    for name, qrels in (
        ("trec-covid-round3", "qrels.txt.gz"),
        ("clef-ehealth-2015", "qrels.eng.clef2015.qtest.graded.txt.gz"),
    ):
        judged = rankgauge.read_judgments(folder / name / qrels)
        files = sorted((folder / name / "runs").iterdir())
        for at in random.permutation(len(files))[:runs]:
            yield name, Numbers(judged, rankgauge.read_run(files[at]))
    for number in (1, 2, 4, 5):
        judged = rankgauge.read_judgments(folder / "trec-covid-rounds" / f"round{number}.qrels.gz")
        table = pl.read_parquet(folder / "trec-covid-rounds" / f"round{number}.runs.parquet")
        names = table["system"].unique().sort().to_list()
        for at in random.permutation(len(names))[:runs]:
            yield (
                f"trec-covid-round{number}",
                Numbers(judged, rankgauge.Run(table.filter(pl.col("system") == names[at]).drop("system"))),
            )
    yield from simulated(runs, seed)


def others(runs: int, seed: int = 5) -> Iterator[tuple[str, Numbers]]:
    """Collections that had no part in choosing the constants."""
    folder, random = Path(os.environ["RANKGAUGE_DATA"]), np.random.default_rng(seed)
    judged = rankgauge.read_judgments(folder / "judges" / "dl21" / "human.qrels.gz")
    files = sorted((folder / "judges" / "dl21" / "runs").iterdir())
    for at in random.permutation(len(files))[:runs]:
        yield "trec-dl21", Numbers(judged, rankgauge.read_run(files[at]))
    table = pl.read_csv(folder / "tmdb" / "title_features.csv")
    pairs = {"query": table["qid"].cast(pl.String), "document": table["docId"].cast(pl.String)}
    judged = rankgauge.Judgments(pl.DataFrame(pairs | {"value": table["grade"]}))
    for feature in range(min(runs, 3)):
        yield "tmdb", Numbers(judged, rankgauge.Run(pl.DataFrame(pairs | {"score": table[f"features{feature}"]})))
    example = rankgauge.examples.load()
    for run in list(example.runs.values())[:runs]:
        yield "example", Numbers(rankgauge.Judgments(example.judgments), rankgauge.Run(run))
    for queries, highest, documents in ((10, 2, 300), (40, 4, 100), (120, 1, 300), (1000, 3, 100)):
        made = rankgauge.simulate(runs, queries, documents=documents, relevant=8.0, highest_grade=highest, seed=queries)
        judged = rankgauge.Judgments(made.judgments())
        for run in made.runs().values():
            yield f"generated {queries}", Numbers(judged, rankgauge.Run(run))


def simulated(runs: int, seed: int) -> Iterator[tuple[str, Numbers]]:
    """Few queries, many of them, and scores with ties."""
    random = np.random.default_rng(seed)
    for queries in (25, 60, 250):
        made = rankgauge.simulate(systems=runs, queries=queries, seed=seed)
        judged = rankgauge.Judgments(made.judgments())
        for run in made.runs().values():
            yield f"simulated {queries}", Numbers(judged, _spoiled(rankgauge.Run(run), random, ties=queries == 60))


def _spoiled(run: rankgauge.Run, random: np.random.Generator, *, ties: bool) -> rankgauge.Run:
    """A run as people have them: some queries are missing, and scores may be coarse."""
    table = run.to_polars()
    names = table["query"].unique().sort().to_list()
    lost = [name for name in names if random.random() < 0.05]
    table = table.filter(~pl.col("query").is_in(lost))
    return rankgauge.Run(table.with_columns(pl.col("score").round(1)) if ties else table)


def outside(
    numbers: Numbers, asked: str, pool: list[Candidate], count: int, random: np.random.Generator, *, ours: float = 0.0
) -> Iterator[tuple[str, float]]:
    """(way, number): what somebody else may call by that name; what a candidate gives on every query is none of them.

    `ours` is the share of numbers that are made under our conventions, rather than those of a tool drawn at random.
    """
    measure = parse(asked)
    bases = [own_setting(measure), *tool_settings(measure).values()]
    held = {key_of(one.values) for one in pool}
    for _ in range(count):
        base = bases[0 if ours and random.random() < ours else random.integers(len(bases))]
        way = WAYS[random.integers(len(WAYS))]
        try:
            values, value = _made(numbers, base, way, random)
        except RankgaugeError:
            continue
        if np.isfinite(value) and key_of(values) not in held:
            yield way, value


def _made(numbers: Numbers, base: Setting, way: str, random: np.random.Generator) -> tuple[Floats, float]:
    measure = base.measure
    if way == "cutoff" and measure.definition.cutoff is not None:
        cutoff = int(random.choice([other for other in CUTOFFS if other != measure.cutoff]))
        return _mean(numbers, Setting(measure @ cutoff, base.policy))
    if way == "gain" and "gain" in measure.definition.options:
        curve = str(random.choice((*GAINS, *DISCOUNTS)))
        option = {"gain": curve} if curve in GAINS else {"discount": curve}
        return _mean(numbers, Setting(measure(**option), base.policy))
    values = numbers.of_queries(base)
    there = np.flatnonzero(~np.isnan(values))
    if way == "median":
        return np.array([np.nan]), float(np.median(values[there]))
    kept = min(max(3, round(len(there) * random.uniform(0.5, 0.97))), len(there) - 1)
    values[random.permutation(there)[kept:]] = np.nan  # so that leaving out what a policy leaves out is no other way
    return values, float(np.nanmean(values))


def _mean(numbers: Numbers, setting: Setting) -> tuple[Floats, float]:
    values = numbers.of_queries(setting)
    return values, numbers.mean(setting, values)
