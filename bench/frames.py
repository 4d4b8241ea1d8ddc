"""Recommendations as frames in memory, beside the same five measures written by hand in Polars, and `compare` on top.

200,000 users × 20 items, five items liked by each user; ids are whole numbers:
python bench/frames.py [--users 1000000] [--rounds 5]

The Polars code is one lazy query with what it needs and no more: no check for repeated rows or numbers that are none,
no rule for equal scores, no values per user, no notes. Contenders take turns in one process; the best round counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable

import numpy as np
import polars as pl

import rankgauge

MEASURES = "nDCG@10 R@10 P@10 RR@10 Success@10"
LIST, LIKED, ITEMS, CUTOFF = 20, 5, 50_000, 10
SLOWER, COMPARING, BEYOND = 1.0, 1.5, 3.0
"""What must hold: at most so many times the hand-written code; so many times the evaluation; seconds beyond it."""


def drawn(users: int) -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """What users like, and what two systems recommend: now and then one of those."""
    random = np.random.default_rng(1)
    liked = random.integers(0, ITEMS, (users, LIKED))
    judged = pl.DataFrame({"user_id": np.repeat(np.arange(users), LIKED), "item_id": liked.ravel()})
    systems = {}
    for name in ("old", "new"):
        items = random.integers(0, ITEMS, (users, LIST))
        own = np.take_along_axis(liked, random.integers(0, LIKED, items.shape), axis=1)
        items = np.where(random.random(items.shape) < 0.08, own, items)
        rows = {
            "user_id": np.repeat(np.arange(users), LIST),
            "item_id": items.ravel(),
            "score": random.random(items.size),
        }
        systems[name] = pl.DataFrame(rows).unique(["user_id", "item_id"], maintain_order=True)
    return judged.unique(maintain_order=True).with_columns(rating=1), systems


def forms(run: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """The same lists as people have them."""
    in_order = run.sort("user_id", "score", descending=[False, True])
    rank = pl.int_range(1, pl.len() + 1).over("user_id").alias("rank")
    texts = pl.col("user_id", "item_id").cast(pl.String)
    return {
        "scores, users together": run,
        "scores, best first": in_order,
        "scores, rows shuffled": run.sample(fraction=1, shuffle=True, seed=3),
        "ranks": in_order.select("user_id", "item_id", rank),
        "scores, ids as texts": run.with_columns(texts),
    }


def by_hand(judged: pl.DataFrame, run: pl.DataFrame) -> list[float]:
    """The five means in Polars."""
    ideal = pl.Series(np.concatenate(([0.0], np.cumsum(1 / np.log2(np.arange(2, CUTOFF + 2))))))
    lists = run.lazy()
    if "rank" not in run.columns:
        lists = lists.with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("user_id"))
    hits = lists.filter(pl.col("rank") <= CUTOFF).join(judged.lazy(), on=["user_id", "item_id"])
    found = hits.group_by("user_id").agg(
        dcg=(1 / (pl.col("rank") + 1).log(2)).sum(), hits=pl.len(), first=pl.col("rank").min()
    )
    users = judged.lazy().group_by("user_id").agg(liked=pl.len()).join(found, on="user_id", how="left")
    users = users.with_columns(pl.col("dcg", "hits").fill_null(0))
    means = users.select(
        ndcg=pl.col("dcg") / pl.lit(ideal).gather(pl.col("liked").clip(upper_bound=CUTOFF)),
        recall=pl.col("hits") / pl.col("liked"),
        precision=pl.col("hits") / CUTOFF,
        rr=(1 / pl.col("first")).fill_null(0.0),
        success=(pl.col("hits") > 0).cast(pl.Float64),
    ).mean()
    return list(means.collect().row(0))


def evaluated(judged: pl.DataFrame, run: pl.DataFrame) -> list[float]:
    return list(rankgauge.evaluate(judged, run, MEASURES).mean()["run"].values())


def best(work: Iterable[Callable[[], object]], rounds: int) -> list[tuple[float, float]]:
    """Processor seconds and seconds of each, in turn, the best of some rounds."""
    jobs = list(work)
    found = [(float("inf"), float("inf"))] * len(jobs)
    for _ in range(rounds):
        for at, job in enumerate(jobs):
            begin = time.process_time(), time.perf_counter()
            job()
            taken = time.process_time() - begin[0], time.perf_counter() - begin[1]
            found[at] = min(found[at][0], taken[0]), min(found[at][1], taken[1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    judged, systems = drawn(chosen.users)
    print(f"{chosen.users:,} users × {LIST}, {MEASURES}; seconds of the processor (and of the clock)")
    for name, run in forms(systems["old"]).items():
        liked = judged.with_columns(pl.col("user_id", "item_id").cast(run.schema["user_id"]))
        np.testing.assert_allclose(evaluated(liked, run), by_hand(liked, run), rtol=1e-12)
        jobs = (lambda: by_hand(liked, run), lambda: evaluated(liked, run))  # noqa: B023 - called at once
        say(name, "by hand in Polars", "rankgauge", best(jobs, chosen.rounds), SLOWER)
    frame, lists = judged.to_pandas(), systems["old"].to_pandas()
    jobs = (lambda: by_hand(judged, systems["old"]), lambda: rankgauge.evaluate(frame, lists, MEASURES).mean())
    say("scores, pandas frames", "by hand in Polars", "rankgauge", best(jobs, chosen.rounds), SLOWER)
    jobs = (
        lambda: rankgauge.evaluate(judged, systems, MEASURES),
        lambda: rankgauge.compare(judged, systems, MEASURES),
    )
    times = best(jobs, chosen.rounds)
    say("two systems", "evaluate", "compare", times, COMPARING)
    print(f"compare beyond evaluate: {times[1][0] - times[0][0]:.2f} s of the processor (goal: {BEYOND:g})")


def say(what: str, one: str, two: str, times: list[tuple[float, float]], limit: float) -> None:
    shown = [f"{name} {cpu:.2f} ({wall:.2f})" for name, (cpu, wall) in zip((one, two), times, strict=True)]
    ratio, on_clock = (times[1][at] / times[0][at] for at in (0, 1))
    mark = "holds" if ratio <= limit else "missed"
    print(f"{what:24} {'  '.join(shown)}  ratio {ratio:.2f} ({on_clock:.2f})  at most {limit:g}: {mark}", flush=True)


if __name__ == "__main__":
    main()
