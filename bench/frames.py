"""W6: recommendations as frames in memory, beside the same measures written by hand in Polars and two libraries.

`python bench/frames.py NAME FOLDER …` does one of the jobs below. Ids are whole numbers; each user has 20 items and likes
five. The Polars code is one lazy query with what it needs and no more: no check for repeated rows or numbers that are
none, no rule for equal scores, no values per user, no notes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from jobs import say, timed

MEASURES = {"five": "nDCG@10 R@10 P@10 RR@10 Success@10", "one": "nDCG@10"}
LIST, LIKED, ITEMS, CUTOFF = 20, 5, 50_000, 10
REPEATS = 3


def make(folder: str, users: str) -> None:
    """What users like, and what two systems recommend, now and then one of those: by score in no order, and by rank."""
    random, count = np.random.default_rng(1), int(users)
    liked = random.integers(0, ITEMS, (count, LIKED))
    judged = pl.DataFrame({"user_id": np.repeat(np.arange(count), LIKED), "item_id": liked.ravel()})
    Path(folder).mkdir(parents=True, exist_ok=True)
    judged.unique(maintain_order=True).with_columns(rating=1).write_parquet(f"{folder}/judged.parquet")
    for name in ("old", "new"):
        items = random.integers(0, ITEMS, (count, LIST))
        own = np.take_along_axis(liked, random.integers(0, LIKED, items.shape), axis=1)
        items = np.where(random.random(items.shape) < 0.08, own, items)
        rows = {
            "user_id": np.repeat(np.arange(count), LIST),
            "item_id": items.ravel(),
            "score": random.random(items.size),
        }
        run = pl.DataFrame(rows).unique(["user_id", "item_id"], maintain_order=True)
        run.write_parquet(f"{folder}/{name}.parquet")
        rank = pl.int_range(1, pl.len() + 1).over("user_id").alias("rank")
        in_order = run.sort("user_id", "score", descending=[False, True])
        in_order.select("user_id", "item_id", rank).write_parquet(f"{folder}/{name}-ranks.parquet")


def read(folder: str, name: str, pandas: str = "") -> Any:
    frame = pl.read_parquet(f"{folder}/{name}.parquet")
    return frame.to_pandas() if pandas else frame


def by_hand(judged: pl.DataFrame, run: pl.DataFrame, how: str) -> list[float]:
    """The means in Polars."""
    ideal = pl.Series(np.concatenate(([0.0], np.cumsum(1 / np.log2(np.arange(2, CUTOFF + 2))))))
    lists = run.lazy()
    if "rank" not in run.columns:
        lists = lists.with_columns(rank=pl.col("score").rank("ordinal", descending=True).over("user_id"))
    hits = lists.filter(pl.col("rank") <= CUTOFF).join(judged.lazy(), on=["user_id", "item_id"])
    dcg = (1 / (pl.col("rank") + 1).log(2)).sum()
    more = {"hits": pl.len(), "first": pl.col("rank").min()} if how == "five" else {}
    found = hits.group_by("user_id").agg(dcg=dcg, **more)
    users = judged.lazy().group_by("user_id").agg(liked=pl.len()).join(found, on="user_id", how="left")
    users = users.with_columns(pl.col("dcg", *(name for name in more if name == "hits")).fill_null(0))
    ndcg = pl.col("dcg") / pl.lit(ideal).gather(pl.col("liked").clip(upper_bound=CUTOFF))
    rest = {
        "recall": pl.col("hits") / pl.col("liked"),
        "precision": pl.col("hits") / CUTOFF,
        "rr": (1 / pl.col("first")).fill_null(0.0),
        "success": (pl.col("hits") > 0).cast(pl.Float64),
    }
    means = users.select(ndcg=ndcg, **(rest if more else {})).mean()
    return list(means.collect().row(0))


def polars(folder: str, form: str, how: str) -> None:
    judged, run = read(folder, "judged"), read(folder, form)
    timed(lambda: by_hand(judged, run, how), REPEATS)


def rankgauge(folder: str, form: str, how: str, pandas: str = "") -> None:
    import rankgauge as ours

    judged, run = read(folder, "judged", pandas), read(folder, form, pandas)
    timed(lambda: list(ours.evaluate(judged, run, MEASURES[how]).mean()["run"].values()), REPEATS)


def two_systems(folder: str) -> None:
    """Once, for the memory that it takes."""
    import rankgauge as ours

    judged, runs = read(folder, "judged"), {name: read(folder, name) for name in ("old", "new")}
    scores = ours.evaluate(judged, runs, MEASURES["five"])
    say(means=[mean for means in scores.mean().values() for mean in means.values()])


def rectools(folder: str, form: str, how: str) -> None:
    from rectools.metrics import MRR, NDCG, HitRate, Precision, Recall, calc_metrics

    metrics = {"ndcg": NDCG(CUTOFF, divide_by_achievable=True)}
    if how == "five":
        metrics |= {
            "recall": Recall(CUTOFF),
            "precision": Precision(CUTOFF),
            "rr": MRR(CUTOFF),
            "success": HitRate(CUTOFF),
        }
    judged, run = read(folder, "judged", "pandas"), read(folder, form, "pandas")
    timed(lambda: [float(calc_metrics(metrics, run, judged)[name]) for name in metrics], 1)


def recommenders(folder: str, form: str, how: str) -> None:
    from recommenders.evaluation import python_evaluation as theirs

    names = {"col_user": "user_id", "col_item": "item_id", "k": CUTOFF}
    wanted: list[Callable[..., float]] = [theirs.ndcg_at_k]
    if how == "five":
        wanted += [theirs.recall_at_k, theirs.precision_at_k]  # it has no RR@k or Success@k
    judged, run = read(folder, "judged", "pandas"), read(folder, form, "pandas")
    rated = {"col_rating": "rating", "col_prediction": "score"}
    timed(lambda: [float(measure(judged, run, **names, **rated)) for measure in wanted], 1)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
