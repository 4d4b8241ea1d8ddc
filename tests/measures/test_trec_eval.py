from __future__ import annotations

import pytest

from rankgauge.measures import parse
from rankgauge.measures.trec_eval import FAMILIES, LEFT_OUT, Spelled, place_and_label


@pytest.mark.parametrize(
    ("measure", "label"),
    [
        ("AP", "map"),
        ("AP@5", "map_cut_5"),
        ("nDCG", "ndcg"),
        ("nDCG@10", "ndcg_cut_10"),
        ("nDCG(gain=exp)@10", "nDCG(gain=exp)@10"),
        ("AP(rel=2)", "AP(rel=2)"),
        ("P@5", "P_5"),
        ("P", "P"),
        ("SetP", "set_P"),
        ("IPrec@0.1", "iprec_at_recall_0.10"),
        ("Rprec", "Rprec"),
        ("Rprec(times=0.2)", "Rprec_mult_0.20"),
        ("ERR@20", "ERR@20"),
    ],
)
def test_measures_of_ours_get_the_label_of_trec_eval_where_it_has_one(measure, label):
    assert place_and_label(Spelled(parse(measure)))[1] == label


def test_a_label_that_was_read_stays_and_keeps_its_place():
    names = [family.name for family in FAMILIES]
    spelled = Spelled(parse("Rprec"), "Rprec_mult_1.00")
    assert place_and_label(spelled) == ((names.index("Rprec_mult"), 1), "Rprec_mult_1.00")
    assert place_and_label(Spelled(parse("Rprec")))[0][0] == names.index("Rprec")


def test_what_trec_eval_does_not_have_comes_last():
    assert place_and_label(Spelled(parse("ERR@20")))[0] > place_and_label(Spelled(parse("Unjudged@20")))[0]


def test_what_is_left_out_has_a_reason_and_is_not_in_the_catalogue():
    assert LEFT_OUT.keys().isdisjoint(family.name for family in FAMILIES)
    assert all(len(reason) > 20 for reason in LEFT_OUT.values())
