"""Names of other tools, read as ours, and the lines of trec_eval."""

from __future__ import annotations

import pytest

from rankgauge.errors import MeasureError
from rankgauge.measures import catalogue, parse, parse_all
from rankgauge.measures.grammar import parse_spelled
from rankgauge.measures.other_names import FAMILIES, LEFT_OUT, Spelled, place_and_label, spellings


def read(text):
    return [str(measure) for measure in parse_all(text)]


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("map", ["AP"]),
        ("recip_rank", ["RR"]),
        ("ndcg", ["nDCG"]),
        ("ndcg_cut_10", ["nDCG@10"]),
        ("ndcg_cut.10,20", ["nDCG@10", "nDCG@20"]),
        ("ndcg_cut.20,10,23.4", ["nDCG@10", "nDCG@20", "nDCG@23"]),
        ("map_cut.100", ["AP@100"]),
        ("P.5,10", ["P@5", "P@10"]),
        ("P_5", ["P@5"]),
        ("recall_1000", ["R@1000"]),
        ("success", ["Success@1", "Success@5", "Success@10"]),
        ("relative_P.7", ["RelP@7"]),
        ("unj.3", ["Unjudged@3"]),
        ("Rprec_mult.5.0,0.2", ["Rprec(times=0.2)", "Rprec(times=5)"]),
        ("iprec_at_recall.10", ["IPrec@0.1"]),
        ("iprec_at_recall..10,.20", ["IPrec@0.1", "IPrec@0.2"]),
        ("iprec_at_recall_0.10", ["IPrec@0.1"]),
        ("11pt_avg", ["IAP"]),
        ("11pt_avg..25,.5,.75", ["IAP(recall=at(0.25, 0.5, 0.75))"]),
        ("ndcg.1=3,2=9,4=4.5", ["nDCG(gain=table(1:3, 2:9, 4:4.5))"]),
        ("set_F", ["SetF"]),
        ("set_F.4", ["SetF(beta=2)"]),
        ("set_P set_relative_P set_recall set_map", ["SetP", "SetRelP", "SetR", "SetAP"]),
        ("gm_map gm_bpref infAP bpref", ["GMAP", "GMBpref", "infAP", "Bpref"]),
        ("rbp", ["RBP(p=0.9, max=query)"]),
        ("rbp.p=0.5", ["RBP(p=0.5, max=query)"]),
        ("rbp_resid", ["RBPResidual(p=0.9)"]),
        ("num_q num_ret num_rel num_rel_ret", ["NumQ", "NumRet", "NumRel", "NumRelRet"]),
        ("num_nonrel_judged_ret", ["NumNonrelRet"]),
        ("runid map", ["AP"]),
        ("P.5,11pt_avg", ["P@5", "IAP"]),
        ("P.5,AP", ["P@5", "AP"]),
        ("AP 11pt_avg,RR", ["AP", "IAP", "RR"]),
    ],
)
def test_names_of_trec_eval_are_read(text, canonical):
    assert read(text) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("ndcg@10", "nDCG@10"),
        ("ndcg_burges@10", "nDCG(gain=exp)@10"),
        ("dcg@5", "DCG@5"),
        ("dcg_burges", "DCG(gain=exp)"),
        ("mrr@10", "RR@10"),
        ("map@100", "AP@100"),
        ("precision@5", "P@5"),
        ("recall@100", "R@100"),
        ("f1@5", "F@5"),
        ("hit_rate@10", "Success@10"),
        ("hits@10", "NumRelRet@10"),
        ("r-precision", "Rprec"),
        ("bpref", "Bpref"),
        ("rbp.80", "RBP(rel=1)"),
        ("rbp.95-l2", "RBP(p=0.95, rel=2)"),
        ("map@100-l2", "AP(rel=2)@100"),
        ("bpref-l2", "Bpref(rel=2)"),
        ("ndcg@10-l1", "nDCG@10"),
        ("ndcg@10-l3", "nDCG(gain=table(1:0, 2:0))@10"),
    ],
)
def test_names_of_ranx_are_read(text, canonical):
    assert str(parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("nDCG(dcg='exp-log2')@10", "nDCG(gain=exp)@10"),
        ("nDCG(dcg='log2')@10", "nDCG@10"),
        ("nDCG(gains={1:0,2:1})@10", "nDCG(gain=table(1:0, 2:1))@10"),
        ("nDCG(gains={})@10", "nDCG@10"),
        ("nDCG(judged_only=False)@10", "nDCG@10"),
        ("SetF(beta=0.5)", "SetF(beta=0.5)"),
        ("SetP(relative=True,rel=2)", "SetRelP(rel=2)"),
        ("SetP(relative=False)", "SetP"),
        ("SetRelP", "SetRelP"),
        ("NumRet(rel=2)", "NumRelRet(rel=2)"),
        ("NumRelRet", "NumRelRet"),
        ("MAP(rel=2)", "AP(rel=2)"),
        ("MRR@10", "RR@10"),
        ("NDCG@5", "nDCG@5"),
        ("BPref", "Bpref"),
        ("RPrec", "Rprec"),
        ("Precision@5", "P@5"),
        ("Recall@5", "R@5"),
        ("IPrec@0.1", "IPrec@0.1"),
        ("RBP(p=0.8,rel=1)", "RBP(rel=1)"),
        ("AP(rel=2)@100", "AP(rel=2)@100"),
        ("nCG@5", "nDCG(discount=none)@5"),
    ],
)
def test_spellings_of_ir_measures_are_read(text, canonical):
    assert str(parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("P_0", 0, "cutoff=0 is below 1"),
        ("AP P.5,5", 3, "5,5 has a duplicate number"),
        ("ndcg.3", 0, "ndcg takes grade=gain pairs"),
        ("rbp.q=3", 0, "rbp takes its patience as in rbp.p=0.8"),
        ("iprec_at_recall.0.5,3", 0, "cutoff=3 is out of bounds"),
        ("AP utility", 3, "trec_eval's utility is not in the catalogue: it has no fixed range"),
        ("relstring.20", 0, "is text, not a number"),
        ("ndcg_burges@10-l2", 14, r"nDCG\(gain=exp\)@10 has no threshold, so -l2 cannot be read"),
        ("Judged-l2", 0, "has no threshold"),
        ("nDCG(judged_only=True)", 17, "judged_only is a policy of the whole call here"),
        ("nDCG(judged_only=3)", 17, "expected True or False, not 3"),
        ("nDCG(dcg='odd')", 9, "unknown dcg 'odd'"),
        ("nDCG(gains={1})", 13, "expected grade:gain"),
        ("nDCG(gains={1:2 3:4})", 16, "expected '}' after the gains"),
        ("AP(dcg=log2)", 7, "AP has no option 'gain'"),
        ("map-l", 0, "unknown measure 'map-l'"),
        ("official(", 0, "unknown measure 'official'"),
        ("(", 0, "expected a measure"),
        ("IPrec", 0, "IPrec needs a cutoff, as in IPrec@0.1"),
        ("11pt_avg.1=3", 0, "1=3 is not a number"),
        ("set_F.p=0.5", 0, "p=0.5 is not a number"),
        ("RelP", 0, "RelP needs a cutoff, as in RelP@10"),
        ("runid", 0, "expected a measure"),
    ],
)
def test_faults_in_foreign_names_are_shown_where_they_are(text, position, message):
    with pytest.raises(MeasureError, match=message) as fault:
        parse_all(text)
    assert fault.value.source == text
    assert fault.value.position == position


def test_sets_stand_for_what_trec_eval_prints():
    official = read("official")
    assert official[:6] == ["NumQ", "NumRet", "NumRel", "NumRelRet", "AP", "GMAP"]
    assert len(official) == 9 + 11 + 9
    assert {"nDCG@10", "RBP(p=0.9, max=query)", "Unjudged@5"} <= set(read("all_trec"))
    lacking = {"RBP", "Unjudged"}
    assert lacking.isdisjoint(measure.definition.name for measure in parse_all("all_trec", lacking=lacking))


def test_a_measure_asked_for_by_name_is_never_lacking():
    assert parse_all("rbp", lacking={"RBP"}) == parse_all("rbp")


def test_labels_are_those_of_trec_eval():
    text = "P.5 ndcg.1=3 set_F.0.5 iprec_at_recall.0.1 nDCG@10"
    labels = [one.label for one in parse_spelled(text)]
    assert labels == ["P_5", "ndcg_1=3", "set_F_0.5", "iprec_at_recall_0.10", ""]


@pytest.mark.parametrize("definition", catalogue(), ids=lambda definition: definition.name)
def test_every_listed_spelling_reads_as_listed(definition):
    for name, canonical in spellings(definition):
        assert read(name) == [canonical]
        assert parse(canonical).definition is definition


def test_ndcg_is_spelled_in_many_ways():
    assert dict(spellings(parse("nDCG").definition)) == {
        "ndcg": "nDCG",
        "ndcg_cut_10": "nDCG@10",
        "ndcg@10": "nDCG@10",
        "ncg@10": "nDCG(discount=none)@10",
        "ndcg_burges@10": "nDCG(gain=exp)@10",
        "ndcgphi@10": "nDCG(relevance=phi, gain=exp)@10",
    }


@pytest.mark.parametrize("name", ["alpha_nDCG@10", "ERR_IA@20", "infNDCG", "Compat(p=0.8)"])
def test_known_measures_that_are_not_here_say_why_instead_of_offering_another(name):
    with pytest.raises(MeasureError, match="is not in the catalogue: it needs") as caught:
        parse(name)
    assert "did you mean" not in str(caught.value)


_DIGITS = "9" * 5000


@pytest.mark.parametrize(
    "text",
    [
        *(f"{name}{_DIGITS}" for name in ("recall_at_", "map-l", "ndcg-l", "map@100-l", "P_", "ndcg_cut.5,", "set_F.")),
        f"ndcg.{_DIGITS}=1",
        f"ndcg.1={_DIGITS}",
    ],
)
def test_thousands_of_digits_are_too_large_a_number(text):
    with pytest.raises(MeasureError, match="99999999999999999999… is too large a number"):
        parse_all(text)


@pytest.mark.parametrize("text", ["ndcg-l1001", "ndcg@10-l999999999"])
def test_a_threshold_that_would_fill_the_memory_is_refused(text):
    with pytest.raises(MeasureError, match="is above 1,000, the highest threshold of nDCG"):
        parse_all(text)


def test_a_superscript_is_not_a_grade():
    with pytest.raises(MeasureError):
        parse_all("ndcg.²=1")


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
    (spelled,) = parse_spelled("Rprec_mult.1")
    assert place_and_label(spelled) == ((names.index("Rprec_mult"), 1), "Rprec_mult_1.00")
    assert place_and_label(Spelled(parse("Rprec")))[0][0] == names.index("Rprec")


def test_what_trec_eval_does_not_have_comes_last_as_it_was_asked_for():
    after = place_and_label(Spelled(parse("ERR@20")))[0]
    assert after > place_and_label(Spelled(parse("Unjudged@20")))[0]
    assert after == place_and_label(Spelled(parse("ERR@5")))[0]


def test_what_is_left_out_has_a_reason_and_is_not_in_the_catalogue():
    assert LEFT_OUT.keys().isdisjoint(family.name for family in FAMILIES)
    assert all(len(reason) > 20 for reason in LEFT_OUT.values())
