"""Measures by the names that people use, and results under these names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import ir_measures
import pytest
from click.testing import CliRunner

import rankgauge as rg
from rankgauge.cli.main import cli
from rankgauge.errors import MeasureError, UsageError
from rankgauge.measures.grammar import parse_all, parse_list

JUDGED = {"q1": {"a": 1, "b": 0}, "q2": {"b": 1}}
RUN = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 2.0, "b": 1.0}}


@pytest.mark.parametrize("name", ["HR", "Hit", "HitRate", "hit", "hit_rate", "Accuracy", "hit_ratio"])
def test_the_hit_rate_is_success(name: str) -> None:
    assert list(map(str, parse_list(f"{name}@10"))) == ["Success@10"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("prec@5 acc@1", ["P@5", "Success@1"]),
        ("recall_at_5 NDCG_at_10", ["R@5", "nDCG@10"]),
        ("mean_average_precision average_precision@5", ["AP", "AP@5"]),
        ("mapk@10 apk@5", ["AP(over=reachable)@10", "AP(over=reachable)@5"]),
        ("mean_reciprocal_rank reciprocal_rank@10", ["RR", "RR@10"]),
        ("nDCG@5,10", ["nDCG@5", "nDCG@10"]),
        ("nDCG(gain=exp)@5, 10 P@3", ["nDCG(gain=exp)@5", "nDCG(gain=exp)@10", "P@3"]),
        ("P@5,R@5", ["P@5", "R@5"]),
        ("nDCG@5,10,AP", ["nDCG@5", "nDCG@10", "AP"]),
    ],
)
def test_several_cutoffs(text: str, names: list[str]) -> None:
    assert list(map(str, parse_list(text))) == names


def test_a_short_name_is_no_other_measure() -> None:
    for name in ("HX", "RX", "er"):
        with pytest.raises(MeasureError) as caught:
            parse_list(name)
        assert "did you mean" not in str(caught.value)
    with pytest.raises(MeasureError, match="the hit rate is Success@10"):
        parse_list("hitter@10")
    with pytest.raises(MeasureError, match="did you mean 'Success'"):
        parse_list("Sucess@10")


def test_objects_of_other_packages() -> None:
    given = [ir_measures.nDCG @ 10, ir_measures.P(rel=2) @ 5, "AP"]
    assert list(map(str, parse_all(given))) == ["nDCG@10", "P(rel=2)@5", "AP"]
    assert list(map(str, parse_all(ir_measures.nDCG @ 10))) == ["nDCG@10"]
    for odd in (3, None, [None], object()):
        with pytest.raises(MeasureError, match="a measure is a text or a Measure"):
            parse_all(odd)


def test_values_are_found_as_they_were_asked_for() -> None:
    found = rg.evaluate(JUDGED, RUN, "map hit@1 ndcg_cut_10")
    row = found.mean()["run"]
    assert row["map"] == row["AP"] == 0.75
    assert row["hit@1"] == 0.5
    assert list(row) == ["AP", "Success@1", "nDCG@10"]
    for unknown in ("P@3", "no measure"):
        with pytest.raises(KeyError):
            row[unknown]


class Pair(NamedTuple):
    query_id: str
    doc_id: str
    score: float


def test_rows_one_by_one() -> None:
    qrels = [ir_measures.Qrel(q, d, v) for q, row in JUDGED.items() for d, v in row.items()]
    scored = [ir_measures.ScoredDoc(q, d, s) for q, row in RUN.items() for d, s in row.items()]

    def stream(rows: list[object]) -> Iterator[object]:
        yield from rows

    expected = rg.evaluate(JUDGED, RUN, "AP").mean()
    assert rg.evaluate(qrels, scored, "AP").mean() == expected
    assert rg.evaluate(stream(qrels), stream(scored), "AP").mean() == expected
    assert rg.evaluate(qrels, {"mine": scored}, "AP").mean() == {"mine": expected["run"]}
    assert rg.evaluate(qrels, [Pair(*row) for row in scored], "AP").mean() == expected
    assert rg.evaluate([tuple(row)[:3] for row in qrels], [tuple(row) for row in scored], "AP").mean() == expected
    pairs = {query: list(row.items()) for query, row in RUN.items()}
    assert rg.evaluate(qrels, pairs, "AP").mean() == expected
    named = [{"user": q, "item": d} for q, d, v, *_ in qrels if v]
    assert rg.evaluate(named, scored, "AP").mean() == expected
    with pytest.raises(UsageError, match="is not a row"):
        rg.evaluate(iter(["q1", "q2"]), scored, "AP")


def test_runs_from_an_iterator() -> None:
    assert rg.evaluate(JUDGED, iter([rg.Run(RUN, name="a"), rg.Run(RUN, name="b")]), "AP").systems == ("a", "b")


def test_ap_over_the_smaller_of_k_and_r_is_found() -> None:
    for name in ("AP@10", "mapk@10"):
        assert "1/min(k, R)" in CliRunner().invoke(cli, ["explain", name], catch_exceptions=False).stdout


@pytest.mark.parametrize(
    ("written", "meant"), [("mrr10", "RR@10"), ("ndcg5", "nDCG@5"), ("hit3", "Success@3"), ("Recall100", "R@100")]
)
def test_a_cutoff_that_is_glued_to_the_name(written, meant):
    with pytest.raises(MeasureError, match=f"did you mean '{meant}'"):
        parse_list(written)
