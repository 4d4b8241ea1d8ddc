"""Files of other tools, as they are."""

from __future__ import annotations

from collections import Counter

import pytest

from rankgauge import evaluate, read_judgments, read_run, read_runs
from rankgauge.data.about import read_queries
from rankgauge.data.check import check


def test_the_judgments_of_esci_have_their_four_ratings(collections):
    frame = read_judgments(collections / "esci" / "esci_us_judgments.json.gz").to_polars()
    assert len(frame) == 6678
    assert frame["query"].n_unique() == 150
    assert Counter(frame["value"].to_list()) == {100.0: 3389, 10.0: 1898, 1.0: 305, 0.0: 1086}
    queries = read_queries(collections / "esci" / "esci_us_queryset.json")
    assert set(frame["query"].to_list()) <= set(queries.ids)


def test_the_judgments_of_tmdb_are_the_same_as_text_and_as_table(collections):
    text = read_judgments(collections / "tmdb" / "title_judgments.txt").to_polars()
    table = read_judgments(collections / "tmdb" / "title_features.csv").to_polars()
    assert Counter(text["value"].to_list()) == {0.0: 1098, 1.0: 162, 2.0: 33, 3.0: 51, 4.0: 46}
    assert text.sort("query", "document").equals(table.sort("query", "document"))
    run = read_run(collections / "tmdb" / "title_features.csv", part="features0")
    assert 0 < evaluate(text, run).mean()["features0"]["nDCG@10"] < 1


@pytest.mark.parametrize(("name", "rows", "queries"), [("rank.test.gz", 768, 50), ("rank.train.gz", 3005, 201)])
def test_the_features_of_lightgbm_act_as_systems(collections, name, rows, queries):
    judgments, runs = (
        read_judgments(collections / "ltr-lightgbm" / name),
        read_runs(collections / "ltr-lightgbm" / name),
    )
    frame = judgments.to_polars()
    assert (len(frame), frame["query"].n_unique()) == (rows, queries)
    assert 200 < len(runs) <= 300
    assert [run.name for run in read_runs(collections / "ltr-lightgbm" / name)] == [run.name for run in runs]


def test_words_after_the_tag_are_read_as_trec_eval_does(collections):
    run = read_run(collections / "trec-eval" / "results.trunc")
    scores = evaluate(read_judgments(collections / "trec-eval" / "qrels.test"), run)
    assert len(run.to_polars()) == 584
    assert {note.kind: note.count for note in scores.notes}["extra-fields"] == 5


def test_the_files_of_a_real_collection_have_no_faults(real):
    found = check(real.judgments, real.runs)
    assert found.is_sound
    odd = {"ties"} if len(real.runs) == 10 else {"ties", "unjudged-documents", "single-precision"}
    assert {note.kind for note in found.notes} >= odd
