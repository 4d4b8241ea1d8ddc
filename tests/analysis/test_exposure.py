"""What recommendations show, against the formulas written out and two extremes that everybody can count."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats

import rankgauge as rg
from rankgauge.errors import RankgaugeError, UsageError

RNG = np.random.default_rng(3)
ITEMS = [f"i{n}" for n in range(40)]
RUN = {
    f"u{u}": {ITEMS[i]: float(s) for i, s in zip(RNG.permutation(40)[:8], RNG.random(8), strict=True)}
    for u in range(25)
}
HISTORY = {f"u{u}": sorted({ITEMS[min(int(x), 39)] for x in RNG.geometric(0.1, 12)}) for u in range(30)}
VECTORS = {item: RNG.normal(size=4) for item in ITEMS}
CATEGORIES = {item: "|".join(RNG.choice(list("ABCDE"), RNG.integers(1, 4), replace=False)) for item in ITEMS}
TOP = {user: sorted(scores, key=lambda item: -scores[item])[:5] for user, scores in RUN.items()}


def only(result: Any) -> Any:
    (system,) = result.systems
    return system


def cosine(a: Any, b: Any) -> float:
    return float(a @ b / math.sqrt((a @ a) * (b @ b)))


def test_coverage_and_gini_by_their_formulas() -> None:
    found = only(rg.exposure(RUN, items=ITEMS, cutoff=5))
    shown = Counter(item for items in TOP.values() for item in items)
    counts = [shown[item] for item in ITEMS]
    pairs = sum(abs(a - b) for a in counts for b in counts)
    assert found.shown == len(shown)
    assert found.coverage == len(shown) / 40
    assert found.gini == pytest.approx(pairs / (2 * 40 * sum(counts)), rel=1e-12)


def test_novelty_by_its_formula_with_its_interval() -> None:
    found = only(rg.exposure(RUN, history=HISTORY, items=ITEMS, cutoff=5))
    users = Counter(item for items in HISTORY.values() for item in items)
    own = [np.mean([-math.log2(max(users[item], 1) / 30) for item in items]) for items in TOP.values()]
    low, high = stats.t.interval(0.95, len(own) - 1, np.mean(own), stats.sem(own))
    assert found.novelty.value == pytest.approx(np.mean(own), rel=1e-12)
    assert (found.novelty.low, found.novelty.high) == pytest.approx((low, high), rel=1e-12)


@pytest.mark.parametrize("kind", ["vectors", "categories"])
def test_similarity_within_lists_by_its_formula(kind: str) -> None:
    if kind == "vectors":
        given, made = VECTORS, VECTORS
    else:
        given = CATEGORIES
        made = {item: np.array([name in words.split("|") for name in "ABCDE"], float) for item, words in given.items()}
    found = only(rg.exposure(RUN, items=given, cutoff=5))
    own = [np.mean([cosine(made[a], made[b]) for a, b in itertools.combinations(items, 2)]) for items in TOP.values()]
    assert found.similarity.value == pytest.approx(np.mean(own), rel=1e-12)
    values = rg.exposure({"mine": RUN}, items=given, cutoff=5).to_polars()
    assert values["system"].unique().to_list() == ["mine"]
    assert dict(values.select("query", "similarity").iter_rows()) == pytest.approx(
        dict(zip(TOP, own, strict=True)), rel=1e-9
    )


def test_two_extremes() -> None:
    users = [f"u{n}" for n in range(10)]
    same = {user: ["a", "b"] for user in users}
    each = {user: [f"x{n}", f"y{n}"] for n, user in enumerate(users)}
    catalog = ["a", "b", *(f"{letter}{n}" for letter in "xy" for n in range(10))]
    bestsellers, spread = rg.exposure({"same": same, "each": each}, items=catalog, cutoff=2).systems
    assert (bestsellers.shown, bestsellers.coverage) == (2, 2 / 22)
    assert bestsellers.gini == pytest.approx(20 / 22)
    assert spread.coverage == 20 / 22
    assert spread.gini == pytest.approx(2 / 22)


def test_without_a_catalog_it_is_what_all_systems_show_and_a_note_says_so() -> None:
    found = rg.exposure({"a": {"u": ["x", "y"]}, "b": {"u": ["x", "z"]}})
    assert found.catalog == 3
    assert [system.coverage for system in found.systems] == [2 / 3, 2 / 3]
    assert "the catalog is what the systems recommend, 3 items" in str(found)
    assert "novelty" not in str(found)
    assert found.to_dict()["systems"][0]["novelty"] is None


def test_what_is_not_in_the_history_or_has_no_features_is_noted() -> None:
    found = rg.exposure(
        {"u": ["a", "b", "new"], "v": ["new"]}, history={"u": ["a"], "v": ["a", "b"]}, items={"a": "X", "b": "X|Y"}
    )
    text = " ".join(str(found).split())
    assert "1 item without history counts as known to one user (new)" in text
    assert "1 recommended item has no features and is left out of the similarity (new)" in text
    assert "1 list with fewer than two items with features has no similarity" in text
    assert only(found).similarity.value == pytest.approx(math.sqrt(0.5))


def test_users_are_compared_by_novelty_as_by_any_score() -> None:
    other = {user: dict(zip(ITEMS[:8], scores.values(), strict=True)) for user, scores in RUN.items()}
    found = rg.exposure({"popular": other, "mixed": RUN}, history=HISTORY, cutoff=5)
    pair = rg.compare(found.to_polars(), baseline="popular").parts[0].pairs[0]
    means = {system.name: system.novelty.value for system in found.systems}
    assert pair.difference == pytest.approx(means["mixed"] - means["popular"])
    with pytest.raises(UsageError, match="give history or features"):
        rg.exposure(RUN).to_polars()


def test_the_table_fits_a_terminal_and_csv_has_every_number() -> None:
    found = rg.exposure({"bestsellers": RUN, "personal": RUN}, history=HISTORY, items=VECTORS, cutoff=5)
    assert max(map(len, str(found).splitlines())) <= 80
    assert "bestsellers" in str(found)
    assert "what 25 users see of 40 items in the first 5 places" in str(found)
    wide = found.wide_table()
    row = dict(zip([column.name for column in wide.columns], wide.rows[0], strict=True))
    one = found.systems[0]
    assert (row["system"], row["users"], row["shown"]) == ("bestsellers", 25, one.shown)
    assert (row["novelty"], row["similarity_high"]) == (one.novelty.value, one.similarity.high)
    assert rg.exposure(RUN).wide_table().rows[0][-1] is None


def test_frames_files_and_dicts_give_the_same(tmp_path: Path) -> None:
    expected = rg.exposure(RUN, history=HISTORY, items=CATEGORIES, cutoff=5).to_dict()
    rows = [(user, item, score) for user, scores in RUN.items() for item, score in scores.items()]
    run = pd.DataFrame(rows, columns=["userId", "movieId", "prediction"])
    past = pd.DataFrame(
        [(user, item) for user, items in HISTORY.items() for item in items], columns=["userId", "movieId"]
    )
    movies = pd.DataFrame({"movieId": list(CATEGORIES), "genres": list(CATEGORIES.values())})
    assert rg.exposure(run, history=past, items=movies, features="genres", cutoff=5).to_dict() == expected
    for name, table in (("run", run), ("past", past), ("movies", movies)):
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    files = {name: str(tmp_path / f"{name}.csv") for name in ("run", "past", "movies")}
    made = rg.exposure(files["run"], history=files["past"], items=files["movies"], features="genres", cutoff=5)
    assert made.to_dict() == expected
    vectors = pl.DataFrame({"item": list(VECTORS), "embedding": [list(vector) for vector in VECTORS.values()]})
    vectors.write_parquet(tmp_path / "vectors.parquet")
    by_file = rg.exposure(RUN, items=tmp_path / "vectors.parquet", features="embedding").systems[0].similarity
    assert by_file == rg.exposure(RUN, items=VECTORS).systems[0].similarity


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"cutoff": 0}, "cutoff is 0"),
        ({"features": "genres"}, "features names a column of items; give items, too"),
        ({"items": pd.DataFrame({"movieId": ["a"], "genres": ["X"]}), "features": "genre"}, "no column 'genre'"),
        ({"items": pd.DataFrame({"film": ["a"], "genres": ["X"]})}, "no column for the item"),
        ({"items": {"a": [1.0, 2.0], "b": [1.0]}}, "vectors of different lengths"),
        ({"items": {"a": [1.0, math.nan]}}, "not finite"),
        ({"items": 3}, "cannot read items from int"),
    ],
)
def test_faults(given: dict[str, Any], words: str) -> None:
    with pytest.raises(RankgaugeError, match=words):
        rg.exposure({"u": ["a", "b"]}, **given)


def test_an_item_listed_twice_for_a_user_is_refused() -> None:
    twice = pd.DataFrame({"user": [1, 1], "item": [2, 2], "score": [0.5, 0.4]})
    with pytest.raises(RankgaugeError, match="repeats a document"):
        rg.exposure(twice)
