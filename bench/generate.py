"""Collections for the benchmark: synthetic, seeded, shaped like the real thing.

A run returns documents with falling scores; two fifths of what was judged stands below the end of the run; the higher a
document stands, the likelier it was judged. Scores have as many decimals as systems print, so some of them are equal.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

GRADES, SHARES = (0, 1, 2, 3), (0.6, 0.2, 0.12, 0.08)
COLLECTION = 8_800_000
"""Documents to draw from, as many as there are passages in MS MARCO."""
DECIMALS = 4

Matrix = NDArray[Any]


@dataclass(frozen=True)
class Drawn:
    """One run and its judgments as arrays: queries × ranks, and flat judged rows."""

    queries: NDArray[np.str_]
    documents: Matrix
    scores: Matrix
    judged_query: NDArray[np.int64]
    judged_document: NDArray[np.int64]
    grades: NDArray[np.int64]

    def run(self) -> pl.DataFrame:
        queries, depth = self.documents.shape
        return pl.DataFrame(
            {
                "query": np.repeat(self.queries, depth),
                "document": passage_ids(self.documents.ravel()),
                "rank": np.tile(np.arange(1, depth + 1), queries),
                "score": self.scores.ravel(),
            }
        )

    def judgments(self) -> pl.DataFrame:
        return pl.DataFrame(
            {
                "query": self.queries[self.judged_query],
                "document": passage_ids(self.judged_document),
                "value": self.grades,
            }
        )


def draw(queries: int, depth: int, *, judged: int = 75, seed: int = 11) -> Drawn:
    """A run of `queries` × `depth`, with between two and four thirds of `judged` judged documents a query."""
    random = np.random.default_rng(seed)
    names = np.sort(random.choice(1_000_000, queries, replace=False)).astype(str)
    # Steps through the collection: no document twice in a query, and no sorting to make sure of it.
    first, step = random.integers(0, COLLECTION, (queries, 1)), random.integers(1, 4_000, (queries, 1))
    below = judged
    candidates = (first + step * np.arange(depth + below)) % COLLECTION
    scores = -np.sort(-random.gamma(2.0, 3.0, (queries, depth)), axis=1).round(DECIMALS)
    chance = 1.0 / np.arange(10, 10 + depth + below)
    chance[depth:] = chance[:depth].sum() * 0.4 / below
    # The smallest exponential waiting times are a weighted sample without replacement.
    most = min(4 * judged // 3, depth + below - 1)
    waiting = random.exponential(size=candidates.shape) / chance
    chosen = np.sort(np.argpartition(waiting, most, axis=1)[:, :most], axis=1)
    kept = random.random(chosen.shape).argsort(axis=1) < random.integers(2 * judged // 3, most + 1, (queries, 1))
    return Drawn(
        names,
        candidates[:, :depth],
        scores,
        np.nonzero(kept)[0],
        np.take_along_axis(candidates, chosen, axis=1)[kept],
        random.choice(GRADES, int(kept.sum()), p=SHARES),
    )


def passage_ids(numbers: NDArray[np.int64]) -> pl.Series:
    frame = pl.DataFrame({"part": numbers // 120_000, "at": numbers * 311 % 99_999_971})
    return frame.select(pl.format("passage_{}_{}", "part", "at").alias("document"))["document"]


def as_dicts(frame: pl.DataFrame, number: str) -> dict[str, dict[str, float]]:
    out: dict[str, dict[str, float]] = {}
    for query, document, value in frame.select("query", "document", number).iter_rows():
        out.setdefault(query, {})[document] = value
    return out


def dicts(queries: int, depth: int) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """Judgments and a run as plain dicts."""
    drawn = draw(queries, depth, seed=12)
    return as_dicts(drawn.judgments(), "value"), as_dicts(drawn.run(), "score")


def write_run(frame: pl.DataFrame, path: Path, *, tag: str = "bench", separator: str = " ") -> None:
    lines = frame.select(
        "query", pl.lit("Q0").alias("iteration"), "document", "rank", "score", pl.lit(tag).alias("tag")
    )
    lines.write_csv(path, separator=separator, include_header=False, quote_style="never")


def write_judgments(frame: pl.DataFrame, path: Path) -> None:
    lines = frame.select("query", pl.lit("0").alias("iteration"), "document", "value")
    lines.write_csv(path, separator=" ", include_header=False, quote_style="never")


def big_file(folder: Path, queries: int, depth: int, *, judged: int = 75, layouts: bool = True) -> None:
    """One large run, and the same lines with tabs, with ragged blanks, shuffled, and packed."""
    import pyarrow as pa

    folder.mkdir(parents=True, exist_ok=True)
    drawn = draw(queries, depth, judged=judged)
    write_judgments(drawn.judgments(), folder / "judgments.qrels")
    run = drawn.run()
    if layouts:
        write_run(run, folder / "tabs.run", separator="\t")
        write_run(run.sample(fraction=1, shuffle=True, seed=3), folder / "shuffled.run")
        padded = run.with_columns(
            pl.format(" {}  ", "query").alias("query"), pl.format("{}\t", "document").alias("document")
        )
        write_run(padded, folder / "ragged.run")
    write_run(run, folder / "plain.run")
    if layouts:
        raw = (folder / "plain.run").read_bytes()
        with gzip.GzipFile(folder / "packed.run.gz", "wb", compresslevel=6, mtime=0) as file:
            file.write(raw)
        with pa.CompressedOutputStream(str(folder / "packed.run.zst"), "zstd") as stream:
            stream.write(raw)


def many_files(folder: Path, systems: int, queries: int, depth: int) -> None:
    """Runs of many systems on one set of judgments, as an evaluation campaign collects them."""
    (folder / "runs").mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(13)
    pool, judged = 2 * depth + 400, 100
    names = np.arange(401, 401 + queries).astype(str)
    documents = np.stack([random.choice(500_000, pool, replace=False) for _ in names])
    grades = random.choice(GRADES, (queries, judged), p=SHARES)
    ids = pl.Series([f"FT{number:06d}" for number in range(500_000)])
    write_judgments(
        pl.DataFrame(
            {
                "query": np.repeat(names, judged),
                "document": ids.gather(documents[:, :judged].ravel()),
                "value": grades.ravel(),
            }
        ),
        folder / "judgments.qrels",
    )
    worth = np.zeros((queries, pool))
    worth[:, :judged] = grades
    for system in range(systems):
        skill = random.uniform(0.2, 1.6)
        found = skill * worth + random.normal(size=worth.shape)
        found[:, :judged] += 1.0
        best = np.argsort(-found, axis=1)[:, :depth]
        frame = pl.DataFrame(
            {
                "query": np.repeat(names, depth),
                "document": ids.gather(np.take_along_axis(documents, best, axis=1).ravel()),
                "rank": np.tile(np.arange(1, depth + 1), queries),
                "score": np.take_along_axis(found, best, axis=1).ravel().round(3),
            }
        )
        write_run(frame, folder / "runs" / f"system-{system:03d}.run", tag=f"s{system}")


def matrices(rows: int, columns: int, *, ties: bool) -> tuple[Matrix, Matrix]:
    """Judged values and predicted scores; with ties, scores have one decimal."""
    random = np.random.default_rng(14)
    truth = random.choice(GRADES, (rows, columns), p=SHARES).astype(np.float64)
    scores = 0.3 * truth + random.normal(size=truth.shape)
    return truth, scores.round(1) if ties else scores
