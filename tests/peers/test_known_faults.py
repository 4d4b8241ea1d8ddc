"""Faults that other tools are known for do not occur here. Each test is named after the tool and its fault."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from rankgauge import Policy, Run, evaluate
from rankgauge.errors import DataError, MeasureError, PolicyError


def value(judged, run, measure, **how):
    return evaluate({"q": judged}, {"q": run}, measure, **how).values.item()


# trec_eval


def test_trec_eval_sorts_fractional_gains_as_whole_numbers():
    gains = "ndcg.1=0.9,2=0.5,3=0.1"
    assert value({"a": 1, "b": 2, "c": 3}, {"a": 3.0, "b": 2.0, "c": 1.0}, gains) == pytest.approx(1)
    worst = value({"a": 1, "b": 2, "c": 3}, {"a": 1.0, "b": 2.0, "c": 3.0}, gains)
    ideal = 0.9 + 0.5 / math.log2(3) + 0.1 / 2
    assert worst == pytest.approx((0.1 + 0.5 / math.log2(3) + 0.9 / 2) / ideal)


def test_trec_eval_and_ranx_truncate_fractional_grades():
    assert value({"a": 1.9, "b": 1.0}, {"b": 2.0, "a": 1.0}, "DCG") == pytest.approx(1.0 + 1.9 / math.log2(3))
    assert value({"a": 0.5}, {"a": 1.0}, "P@1") == 1


def test_trec_eval_pytrec_eval_and_ranx_rank_nan_scores():
    with pytest.raises(DataError, match="score nan of query q, document b"):
        value({"a": 1}, {"a": 1.0, "b": math.nan}, "nDCG")


def test_trec_eval_reads_garbage_scores_as_0(tmp_path):
    (tmp_path / "run.trec").write_text("q Q0 a 1 high tag\n")
    with pytest.raises(DataError, match="no number as score"):
        evaluate({"q": {"a": 1}}, str(tmp_path / "run.trec"))


def test_trec_eval_9_and_pytrec_eval_tie_scores_that_differ_in_the_ninth_digit():
    assert value({"a": 1}, {"a": 10 + 1e-9, "b": 10.0}, "RR") == 1


def test_trec_eval_9_hides_missing_queries_that_it_averages():
    scores = evaluate({"q": {"a": 1}, "lost": {"a": 1}}, {"q": {"a": 1.0}}, "AP")
    assert scores.per_query()["run"]["lost"] == {"AP": 0}
    assert any(note.kind == "missing-queries" for note in scores.notes)


def test_trec_eval_10_stops_at_a_missing_query():
    judged, run = {"q": {"a": 1}, "lost": {"a": 1}}, {"q": {"a": 1.0}}
    with pytest.raises(PolicyError, match="lost"):
        evaluate(judged, run, "AP", like="trec_eval-10")
    assert evaluate(judged, run, "AP", like="trec_eval-10-c").mean()["run"]["AP"] == 0.5


def test_trec_eval_10_scales_rbp_by_memory_it_never_wrote():
    graded = evaluate({"q": {"a": 2, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}, "rbp", like="trec_eval-10")
    assert graded.values.item() == pytest.approx(0.1 * (2 / 2 + 1 / 2 * 0.9))


def test_trec_eval_10_has_no_residual_for_a_short_list_that_is_all_judged():
    assert value({"a": 1}, {"a": 1.0}, "RBPResidual(p=0.5)") == 0.5


def test_trec_eval_calls_the_square_of_beta_beta():
    judged, run = {"a": 1, "b": 1, "c": 1}, {"a": 2.0, "x": 1.0}
    precision, recall = 1 / 2, 1 / 3
    proper = (1 + 4) * precision * recall / (4 * precision + recall)
    assert value(judged, run, "SetF(beta=2)") == pytest.approx(proper)
    assert value(judged, run, "set_F.4") == pytest.approx(proper)


def test_trec_eval_has_no_cutoff_for_the_reciprocal_rank():
    assert value({"a": 1}, {"x": 3.0, "y": 2.0, "a": 1.0}, "RR@2") == 0


# pytrec_eval


def test_pytrec_eval_aborts_the_interpreter_at_cutoff_0():
    call = "import pytrec_eval; pytrec_eval.RelevanceEvaluator({'q': {'a': 1}}, {'P.0'}).evaluate({'q': {'a': 1.0}})"
    assert subprocess.run([sys.executable, "-c", call], capture_output=True, check=False).returncode != 0
    for text in ("P@0", "P_0", "ndcg_cut.0", "nDCG@0"):
        with pytest.raises(MeasureError, match="cutoff=0 is below 1"):
            value({"a": 1}, {"a": 1.0}, text)


def test_pytrec_eval_refuses_numbers_of_numpy():
    assert value({"a": np.int64(1), "b": np.float32(0.5)}, {"a": np.float32(2), "b": np.int64(1)}, "nDCG") == 1


def test_pytrec_eval_refuses_fractional_grades():
    assert value({"a": 0.25, "b": 0.75}, {"b": 2.0, "a": 1.0}, "nDCG") == 1


def test_pytrec_eval_skips_missing_queries_without_a_word():
    scores = evaluate({"q": {"a": 1}, "lost": {"a": 1}}, {"q": {"a": 1.0}}, "AP")
    assert scores.mean()["run"]["AP"] == 0.5
    assert "1 judged query missing from the run, counted as 0 (lost)" in str(scores)


def test_pytrec_eval_computes_on_empty_judgments():
    with pytest.raises(DataError, match="contains no judgments"):
        evaluate({}, {"q": {"a": 1.0}})


def test_pytrec_eval_reads_memory_it_never_wrote_where_all_grades_are_negative():
    judged, run = {"a": -1, "b": -2}, {"a": 2.0, "c": 1.0}
    assert value(judged, run, "NumRet") == 2
    assert value(judged, run, "nDCG") == value(judged, run, "AP") == value(judged, run, "Bpref") == 0


# ir_measures


def test_ir_measures_orders_ties_as_the_provider_of_the_day_does():
    judged, run = {"b": 1}, {"a": 1.0, "b": 1.0, "c": 1.0}
    cut = value(judged, run, "RR@10")
    assert value(judged, run, "RR") == value(judged, run, "AP") == value(judged, run, "AP@10") == cut == 1 / 2
    assert value(judged, run, "Judged@1") == value(judged, run, "P@1") == 0


def test_ir_measures_takes_whole_gains_only():
    half = value({"a": 1, "b": 2}, {"a": 2.0, "b": 1.0}, "nDCG(gains={1:0.5,2:1.5})")
    assert half == pytest.approx((0.5 + 1.5 / math.log2(3)) / (1.5 + 0.5 / math.log2(3)))


def test_ir_measures_needs_numeric_queries_and_perl_for_err():
    assert evaluate({"why is": {"a": 4}}, {"why is": {"a": 1.0}}, "ERR@20").values.item() == 15 / 16


def test_ir_measures_and_gdeval_fix_the_highest_grade_at_4():
    assert value({"a": 7, "b": 1}, {"a": 1.0}, "ERR") == 127 / 128
    assert value({"a": 7, "b": 1}, {"a": 1.0}, "ERR(max=8)") == 127 / 256


def test_ir_measures_has_no_rbp_unless_more_is_installed():
    assert value({"a": 1}, {"a": 1.0}, "RBP") == pytest.approx(0.2)


def test_ir_measures_has_no_choice_about_missing_queries():
    judged, run = {"q": {"a": 1}, "lost": {"a": 1}}, {"q": {"a": 1.0}}
    assert evaluate(judged, run, "AP", policy=Policy(missing="drop")).mean()["run"]["AP"] == 1


# ranx


def test_ranx_puts_tied_documents_anywhere():
    rng = np.random.default_rng(2)
    documents = [f"d{n}" for n in range(40)]
    judged = {"d7": 1, "d23": 1}
    values = {value(judged, dict.fromkeys(rng.permutation(documents).tolist(), 1.0), "AP") for _ in range(30)}
    assert len(values) == 1


def test_ranx_has_an_rbp_above_1():
    judged = {f"d{n}": 3 for n in range(9)}
    run = dict.fromkeys(judged, 1.0)
    for measure in ("RBP", "rbp.80", "RBP(rel=1)", "RBP(max=query)", "RBP(p=0.99)"):
        assert 0 <= value(judged, run, measure) <= 1


def test_ranx_lets_the_threshold_of_binary_measures_change_ndcg():
    judged, run = {"a": 1, "b": 2}, {"a": 2.0, "b": 1.0}
    assert value(judged, run, "nDCG", policy=Policy(rel=2)) == value(judged, run, "nDCG")


def test_ranx_poisons_the_mean_of_bpref_with_nan():
    judged = {"q": {"a": 1}, "barren": {"a": 0}}
    scores = evaluate(judged, {"q": {"a": 1.0}, "barren": {"a": 1.0}}, "Bpref")
    assert scores.mean()["run"]["Bpref"] == 0.5
    left_out = evaluate(judged, {"q": {"a": 1.0}, "barren": {"a": 1.0}}, "Bpref", policy=Policy(undefined="drop"))
    assert left_out.mean()["run"]["Bpref"] == 1


def test_ranx_takes_cutoff_0_for_the_whole_list():
    with pytest.raises(MeasureError, match="cutoff=0 is below 1"):
        value({"a": 1}, {"a": 1.0}, "ndcg@0")


def test_ranx_refuses_other_queries_without_naming_them():
    with pytest.raises(DataError, match=r"run: x1.*judgments: q1"):
        evaluate({"q1": {"a": 1}}, {"x1": {"a": 1.0}})


# torchmetrics


def test_torchmetrics_drops_documents_with_logits_below_0():
    judged, logits = {"a": 1, "b": 0, "c": 0}, {"a": -1.0, "b": -2.0, "c": -3.0}
    for measure in ("RR", "AP", "P@1", "R@1", "nDCG", "Success@1"):
        assert value(judged, logits, measure) == 1


def test_torchmetrics_divides_average_precision_at_k_by_what_was_found():
    assert value({"a": 1, "b": 1}, {"a": 2.0, "b": 1.0}, "AP@1") == 1 / 2


def test_torchmetrics_scores_negative_grades():
    assert value({"a": -3, "b": 1}, {"a": 2.0, "b": 1.0}, "nDCG") == pytest.approx(1 / math.log2(3))


def test_torchmetrics_flattens_queries_into_one():
    scores = evaluate({"1": {"a": 1}, "2": {"a": 0, "b": 1}}, {"1": {"a": 0.1}, "2": {"a": 0.9, "b": 0.8}}, "nDCG")
    assert scores.matrix()[0].tolist() == pytest.approx([1, 1 / math.log2(3)])


@pytest.mark.parametrize("cutoff", [0, -1, 2.5, True])
def test_torchmetrics_does_not_check_the_cutoff_of_map_and_mrr(cutoff):
    from rankgauge.measures import AP, RR

    for measure in (AP, RR):
        with pytest.raises(MeasureError):
            measure @ cutoff


# and elsewhere


def test_elasticsearch_takes_the_ideal_from_what_was_returned():
    judged = {"a": 1, "b": 3, "c": 2}
    assert value(judged, {"a": 1.0}, "nDCG(gain=exp)@10") == pytest.approx(
        1 / (7 + 3 / math.log2(3) + 1 / 2),
    )


def test_quepid_does_not_cut_the_ideal():
    assert value({f"d{n}": 1 for n in range(20)}, {f"d{n}": 1.0 for n in range(20)}, "nDCG@5") == pytest.approx(1)


def test_a_run_of_frames_has_no_duplicates_that_count_twice():
    frame = pl.DataFrame({"query": ["q", "q"], "document": ["a", "a"], "score": [2.0, 1.0]})
    with pytest.raises(DataError, match="repeats a document within a query"):
        evaluate({"q": {"a": 1}}, Run(frame), "P@2")
