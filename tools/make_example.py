"""Make the example collection of the package from LightGBM's learning-to-rank example.

usage: python tools/make_example.py FOLDER

FOLDER holds `rank.train`, `rank.test` (plain or .gz) and their `.query` files, as they are in `examples/lambdarank` of
https://github.com/microsoft/LightGBM (MIT license). Every system is trained five times, each time on four fifths of the
251 queries, and scores only the queries that it has not seen. Nothing is tuned on the result. Needs LightGBM and
scikit-learn; takes about a minute, on one thread, so that the figures are the same every time.
"""

from __future__ import annotations

import gzip
import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import lightgbm as lgb
import numpy as np
import polars as pl
from sklearn.datasets import load_svmlight_file
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.neighbors import KNeighborsRegressor

import rankgauge

TARGET = Path(__file__).parents[1] / "src" / "rankgauge" / "examples" / "collection.csv.gz"
FEATURES, FOLDS, SEED, DECIMALS = 300, 5, 7, 4
BOOSTING = {
    "verbose": -1, "num_threads": 1, "deterministic": True, "force_row_wise": True, "seed": SEED,
    "learning_rate": 0.05, "num_leaves": 15, "min_data_in_leaf": 20, "feature_fraction": 0.7,
}  # fmt: skip
ROUNDS = 150


@dataclass(frozen=True)
class Lists:
    """Documents in rows, query after query."""

    features: np.ndarray
    grades: np.ndarray
    query: np.ndarray

    def only(self, rows: np.ndarray) -> Lists:
        return Lists(self.features[rows], self.grades[rows], self.query[rows])

    @property
    def sizes(self) -> np.ndarray:
        return np.unique(self.query, return_counts=True)[1]


Ranker = Callable[[Lists, np.ndarray], np.ndarray]
"""Lists to learn from and features to score → scores."""


def boosted(objective: str) -> Ranker:
    def scores(train: Lists, features: np.ndarray) -> np.ndarray:
        data = lgb.Dataset(train.features, train.grades, group=train.sizes)
        settings = {**BOOSTING, "objective": objective, "lambdarank_truncation_level": 10}
        return lgb.train(settings, data, ROUNDS).predict(features)

    return scores


def random_forest(train: Lists, features: np.ndarray) -> np.ndarray:
    forest = RandomForestRegressor(200, min_samples_leaf=3, max_features=0.3, random_state=SEED, n_jobs=1)
    return forest.fit(train.features, train.grades).predict(features)


def ridge(train: Lists, features: np.ndarray) -> np.ndarray:
    return RidgeCV(np.logspace(-1, 4, 11)).fit(train.features, train.grades).predict(features)


def pairwise_linear(train: Lists, features: np.ndarray) -> np.ndarray:
    """A linear ranker: logistic regression on the differences of two documents of one query with unequal grades."""
    differences, signs = [], []
    for query in np.unique(train.query):
        rows = np.flatnonzero(train.query == query)
        better, worse = np.nonzero(train.grades[rows][:, None] > train.grades[rows][None, :])
        difference = train.features[rows[better]] - train.features[rows[worse]]
        sign = np.where(np.arange(len(better)) % 2, 1, -1)
        differences.append(difference * sign[:, None])
        signs.append(sign)
    model = LogisticRegression(C=0.01, fit_intercept=False, max_iter=500)
    model.fit(np.concatenate(differences), np.concatenate(signs))
    return features @ model.coef_[0]


def neighbors(train: Lists, features: np.ndarray) -> np.ndarray:
    return KNeighborsRegressor(40, weights="distance").fit(train.features, train.grades).predict(features)


def best_feature(train: Lists, features: np.ndarray) -> np.ndarray:
    """The feature that orders the training queries best by nDCG@10."""
    known = [
        rankgauge.score("nDCG@10", train.grades.tolist(), column.tolist(), train.query.tolist())
        for column in train.features.T
    ]
    return features[:, int(np.argmax(known))]


def feature(number: int) -> Ranker:
    return lambda _, features: features[:, number - 1]


def systems(lists: Lists) -> dict[str, Ranker]:
    """What is compared. The two single features are those that the most documents have: no grade is looked at."""
    first, second = np.argsort(-np.count_nonzero(lists.features, axis=0), kind="stable")[:2] + 1
    return {
        "lambdamart": boosted("lambdarank"),
        "xendcg": boosted("rank_xendcg"),
        "boosted-trees": boosted("regression"),
        "random-forest": random_forest,
        "pairwise-linear": pairwise_linear,
        "ridge": ridge,
        "neighbors": neighbors,
        "best-feature": best_feature,
        f"feature-{first}": feature(first),
        f"feature-{second}": feature(second),
    }


def read(folder: Path) -> tuple[Lists, np.ndarray]:
    """Both files one after the other, and which of them each query comes from."""
    features, grades, sizes, parts = [], [], [], []
    for part in ("train", "test"):
        plain, packed = folder / f"rank.{part}", folder / f"rank.{part}.gz"
        text = plain.read_bytes() if plain.exists() else gzip.decompress(packed.read_bytes())
        found, labels = load_svmlight_file(io.BytesIO(text), n_features=FEATURES, zero_based=False)
        features.append(found.toarray())
        grades.append(labels.astype(int))
        sizes.append(np.loadtxt(folder / f"rank.{part}.query", dtype=int))
        parts += [part] * len(sizes[-1])
    query = np.repeat(np.arange(len(parts)), np.concatenate(sizes))
    return Lists(np.concatenate(features), np.concatenate(grades), query), np.array(parts)


def held_out(lists: Lists, ranker: Ranker) -> np.ndarray:
    """Scores of every document, each from a model that has not seen its query."""
    folds = np.random.default_rng(SEED).permutation(lists.query.max() + 1) % FOLDS
    scores = np.empty(len(lists.grades))
    for fold in range(FOLDS):
        apart = folds[lists.query] == fold
        scores[apart] = ranker(lists.only(~apart), lists.features[apart])
    return scores


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lists, parts = read(Path(sys.argv[1]))
    ids = [f"q{number + 1:03}" for number in lists.query]
    places = np.concatenate([np.arange(1, size + 1) for size in lists.sizes])
    columns = {
        "query": ids,
        "document": [f"{query}-d{place:02}" for query, place in zip(ids, places, strict=True)],
        "part": parts[lists.query],
        "grade": lists.grades,
    }
    for name, ranker in systems(lists).items():
        columns[name] = np.round(held_out(lists, ranker), DECIMALS) + 0.0
        mean = rankgauge.score("nDCG@10", lists.grades.tolist(), columns[name].tolist(), ids)
        print(f"{name:20}{mean:.4f}", flush=True)
    text = pl.DataFrame(columns).write_csv().encode()
    TARGET.write_bytes(gzip.compress(text, 9, mtime=0))
    print(f"{TARGET}: {len(ids)} documents, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
