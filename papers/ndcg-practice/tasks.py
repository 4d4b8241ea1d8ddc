"""Evidence from other tasks than literature search: passages (RAG), products, and counts to be ordered."""

from __future__ import annotations

import gzip
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "rankdcg")]

import news  # noqa: E402
from choices import study_of  # noqa: E402
from kept import hash_of, kept  # noqa: E402
from sources import Source  # noqa: E402

PLACES = [HERE / "tasks.py", HERE / "choices.py", HERE.parent / "rankdcg" / "news.py", news.PLACE]


def tasks() -> dict[str, Any]:
    folder = Path(os.environ["RANKGAUGE_DATA"])
    passages = Source(
        "passages",
        folder / "judges" / "dl21" / "human.qrels.gz",
        tuple(sorted((folder / "judges" / "dl21" / "runs").glob("*.gz"))),
    )
    products = folder / "esci" / "esci_us_judgments.json.gz"
    counts = news.popularity().path()
    return {
        "passages": kept("task-passages", [*PLACES, passages.digest], lambda: study_of(passages))
        | {"data": passages.digest},
        "products": kept("task-products", [*PLACES, hash_of(products)], lambda: _products(products))
        | {"data": hash_of(products)},
        "counts": kept("task-counts", [*PLACES, hash_of(counts)], _counts) | {"data": hash_of(counts)},
    }


def _products(path: Path) -> dict[str, Any]:
    """How many exact matches there are to rank: with more than k of them, nDCG@k sees nothing below them."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        judged = json.load(file)["judgmentRatings"]
    exact = np.array([sum(float(one["rating"]) == 100 for one in query["ratings"]) for query in judged])
    return {
        "queries": len(exact),
        "median": float(np.median(exact)),
        "fill": {str(cutoff): float((exact >= cutoff).mean()) for cutoff in (3, 5, 10, 20)},
    }


def _counts() -> dict[str, Any]:
    """In how many windows a measure rises with every better prediction, and how tiers and phi compare @10."""
    truth = news.popularity().shares()[0]
    cells = news.popularity().cells()
    return {
        "windows": news.windows(),
        "zeros": float((truth == 0).mean()),
        "rises": {name: list(pair) for name, pair in news.rises().items()},
        "apart": [float(cell.apart.mean()) for cell in cells],
    }
