from __future__ import annotations

import numpy as np
import pytest

from kernels.examples import ranked
from kernels.tied import open_hits, pool_for, stacked
from rankgauge import Policy, evaluate
from rankgauge.kernels.counting import documents_for
from rankgauge.kernels.hits import pool_of, seen
from rankgauge.measures import AP, RR, F, Judged, P, Q, R, RelP, Rprec, Success, Unjudged


def value(measure, *grades, unretrieved=()):
    return measure.compute(*ranked(*grades, unretrieved=unretrieved))[0]


def test_precision_divides_by_the_cutoff_even_when_fewer_were_returned():
    assert value(P @ 5, 1, 0, 1) == 2 / 5


def test_precision_without_a_cutoff_divides_by_the_number_returned():
    assert value(P, 1, 0, None) == 1 / 3


def test_recall_divides_by_all_judged_relevant():
    assert value(R @ 2, 1, 1, 1, unretrieved=(2,)) == 2 / 4


def test_average_precision_averages_the_precision_at_each_relevant_document():
    assert value(AP, 1, None, 1, unretrieved=(1,)) == (1 / 1 + 2 / 3) / 3


def test_average_precision_at_k_keeps_the_denominator():
    assert value(AP @ 2, 1, None, 1) == (1 / 1) / 2


def test_reciprocal_rank_is_one_over_the_first_relevant_rank():
    assert value(RR, None, 0, 2, 1) == 1 / 3
    assert value(RR @ 2, None, 0, 2, 1) == 0
    assert value(RR, 0, 0) == 0


def test_while_ties_are_open_the_first_relevant_document_has_a_chance_at_each_rank():
    hits = open_hits([[0, 1, 0]])
    assert RR.compute(hits, pool_for(hits))[0] == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert (Success @ 2).compute(hits, pool_for(hits))[0] == pytest.approx(2 / 3)


def test_success_asks_for_one_relevant_document():
    assert value(Success @ 2, 0, 1) == 1
    assert value(Success @ 1, 0, 1) == 0


def test_a_threshold_says_from_which_value_a_document_is_relevant():
    assert value(P(rel=2) @ 4, 1, 2, 3, None) == 2 / 4
    assert value(R(rel=2), 1, 2, unretrieved=(3,)) == 1 / 2
    assert value(AP(rel=1.5), 1, 1.5) == 1 / 2


def test_judged_counts_judgments_of_any_value_among_the_returned():
    assert value(Judged @ 10, 0, None, -1, None) == 2 / 4
    assert value(Judged @ 2, 0, None, -1) == 1 / 2
    assert value(Judged, 0, None, -1) == 2 / 3


@pytest.mark.parametrize("measure", [AP, R @ 5])
def test_what_divides_by_the_relevant_is_undefined_without_any(measure):
    assert np.isnan(value(measure, 0, None))


def test_what_divides_by_the_returned_is_undefined_on_an_empty_list():
    assert np.isnan(value(Judged @ 5, unretrieved=(1,)))
    assert np.isnan(value(P, unretrieved=(1,)))


def test_f_is_the_harmonic_mean_of_precision_and_recall():
    precision, recall = 2 / 5, 2 / 3
    assert value(F @ 5, 1, 0, 1, unretrieved=(1,)) == pytest.approx(2 * precision * recall / (precision + recall))
    weighted = (1 + 4) * precision * recall / (4 * precision + recall)
    assert value(F(beta=2) @ 5, 1, 0, 1, unretrieved=(1,)) == pytest.approx(weighted)
    assert value(F, 1, 0, unretrieved=(1,)) == pytest.approx(1 / 2)
    assert value(F @ 5, 0, unretrieved=(1,)) == 0


def test_relative_precision_divides_by_the_most_that_could_be_there():
    assert value(RelP @ 2, 1, 0, 1) == 1 / 2
    assert value(RelP @ 10, 1, 0, 1, unretrieved=(1,)) == 2 / 3


def test_r_precision_looks_at_as_many_documents_as_are_relevant():
    assert value(Rprec, 1, 0, 1, unretrieved=(1,)) == 2 / 3
    assert value(Rprec(times=2), 1, 0, 1) == 2 / 4
    assert value(Rprec(times=0.5), 1, 0, 1, unretrieved=(1,)) == 1 / 2


def test_q_blends_precision_with_the_gain_so_far():
    # Grades 3, 1 at ranks 2, 3; a document of grade 2 was not found: ideal 3, 5, 6.
    expected = ((1 + 3) / (2 + 5) + (2 + 4) / (3 + 6)) / 3
    assert value(Q, None, 3, 1, unretrieved=(2,)) == pytest.approx(expected)
    assert value(Q(beta=0), None, 3, 1, unretrieved=(2,)) == pytest.approx((1 / 2 + 2 / 3) / 3)


def test_q_at_k_divides_by_what_k_documents_could_hold():
    assert value(Q @ 2, None, 3, 1, unretrieved=(2,)) == pytest.approx((1 + 3) / (2 + 5) / 2)
    assert value(Q @ 9, None, 3, 1, unretrieved=(2,)) == value(Q, None, 3, 1, unretrieved=(2,))


def test_q_finds_the_ideal_beyond_the_pool_and_under_gains_that_fall():
    assert value(Q, None, None, None, 1) == pytest.approx((1 + 1) / (4 + 1))
    falling = Q(gain={1: 3, 2: 1})
    assert value(falling, 2, 1) == pytest.approx(((1 + 1) / (1 + 3) + (2 + 4) / (2 + 4)) / 2)


def test_unjudged_counts_documents_without_a_judgment_or_with_a_negative_one():
    assert value(Unjudged @ 4, 0, None, -1, 1, None) == 2 / 4
    assert value(Unjudged @ 10, 0, None) == 1 / 10
    assert value(Unjudged @ 10, unretrieved=(1,)) == 0


@pytest.mark.parametrize("measure", [F @ 5, F, RelP @ 5, Rprec, Q @ 5, Q])
def test_what_needs_a_relevant_document_is_undefined_without_any(measure):
    assert np.isnan(value(measure, 0, None))


@pytest.mark.parametrize(
    ("share", "rounding", "documents"),
    [
        (0.1, "up", [0, 1, 1, 2, 3]),
        (0.1, "nearest", [0, 0, 1, 1, 2]),
        (0.1, "trec", [0, 1, 1, 2, 3]),
        (0.35, "up", [0, 1, 4, 4, 8]),
        (0.35, "nearest", [0, 0, 4, 4, 7]),
        (0.35, "trec", [0, 1, 4, 4, 8]),
        (0.05, "trec", [0, 0, 1, 1, 1]),
        (0.05, "up", [0, 1, 1, 1, 2]),
        (0.7, "up", [0, 1, 7, 8, 15]),
    ],
)
def test_a_share_of_the_relevant_documents_is_rounded_as_asked(share, rounding, documents):
    assert documents_for(share, np.array([0, 1, 10, 11, 21]), rounding).tolist() == documents


def test_a_whole_number_that_binary_fractions_miss_is_not_rounded_up():
    assert 0.07 * 100 > 7
    assert documents_for(0.07, np.array([100]), "up").tolist() == [7]


def test_average_precision_over_fewer_documents_than_all_relevant_ones():
    # Relevant at ranks 1 and 4 of four; two more relevant documents were not found.
    lists = {"unretrieved": (1, 1)}
    found = 1 / 1 + 2 / 4
    assert value(AP(over="all"), 1, 0, None, 1, **lists) == found / 4
    assert value(AP(over="found"), 1, 0, None, 1, **lists) == found / 2
    assert value(AP(over="found") @ 3, 1, 0, None, 1, **lists) == 1 / 1
    assert value(AP(over="reachable") @ 3, 1, 0, None, 1, **lists) == 1 / 3
    assert value(AP(over="reachable") @ 9, 1, 0, None, 1, **lists) == found / 4
    assert value(AP(over="reachable"), 1, 0, None, 1, **lists) == found / 4
    assert value(AP(over="k") @ 3, 1, 0, None, 1, **lists) == 1 / 3
    assert value(AP(over="k") @ 9, 1, 0, None, 1, **lists) == found / 9
    assert value(AP(over="returned"), 1, 1, unretrieved=(1, 1)) == 2 / 2
    assert value(AP(over="returned") @ 1, 1, 1, unretrieved=(1, 1)) == 1 / 1
    assert value(AP(over="returned"), 1, 0, 0, unretrieved=(1,)) == 1 / 2


@pytest.mark.parametrize("over", ["found", "reachable", "returned"])
def test_average_precision_is_0_where_nothing_is_found_and_undefined_where_nothing_is_relevant(over):
    assert value(AP(over=over), 0, None, unretrieved=(1,)) == 0
    assert value(AP(over=over), unretrieved=(1,)) == 0
    assert np.isnan(value(AP(over=over), 0, None))


def test_average_precision_at_thresholds_counts_every_document_at_the_end_of_its_tie():
    # Relevant at ranks 1 and 3 of a tie group 1 to 3, then at 4 and at 6 of a tie group 5 to 6 with an unjudged one.
    hits = open_hits([[1, 0, 2], [1], [None, 3]])
    expected = (2 / 3 + 2 / 3 + 3 / 4 + 4 / 6) / 4
    assert AP(at="threshold").compute(hits, pool_for(hits))[0] == pytest.approx(expected, rel=1e-15)
    found = AP(at="threshold", over="found")
    assert found.compute(hits, pool_for(hits, 1.0))[0] == pytest.approx(expected, rel=1e-15)
    two = stacked([hits, open_hits([[0], [1, 1]])])
    both = pool_of(two.query, two.value, 2)
    assert AP(at="threshold").compute(two, both).tolist() == pytest.approx([expected, 2 / 3], rel=1e-15)


def test_reciprocal_rank_of_the_highest_grade_in_the_list():
    highest = RR(first="highest")
    assert value(highest, 1, None, 3, 3, unretrieved=(9,)) == 1 / 3
    assert value(highest @ 2, 1, None, 3) == 0
    assert value(highest, 0, None, unretrieved=(1,)) == 1  # the highest grade of the list is 0, and first
    assert value(highest, -1, unretrieved=(1,)) == 1
    assert value(highest, unretrieved=(1,)) == 0
    assert np.isnan(value(highest, 0, None))
    assert np.isnan(value(RR(first="highest", rel=2), 1, 0))
    assert value(RR(first="highest", rel=2), 1, 0, unretrieved=(2,)) == 1


def test_a_documents_chance_to_be_seen_is_the_share_of_its_tie_above_the_cutoff():
    hits = open_hits([[1], [1, 1, 1, 1], [1]])
    assert seen(hits, None).tolist() == [1] * 6
    assert seen(hits, 2).tolist() == [1, *[1 / 4] * 4, 0]
    assert seen(hits, np.array([5])).tolist() == [1, *[1] * 4, 0]
    assert seen(hits, 6).tolist() == [1] * 6


def test_precision_over_what_was_returned_or_could_be_reached():
    assert value(P(over="returned") @ 5, 1, 0, 1) == 2 / 3
    assert value(P(over="returned") @ 2, 1, 0, 1) == 1 / 2
    assert value(P(over="returned") @ 5, 1) == 1
    assert value(P(over="returned") @ 5, unretrieved=(1,)) == 0
    assert np.isnan(value(P(over="returned"), unretrieved=(1,)))
    assert value(P(over="reachable") @ 5, 1, 0, unretrieved=(1,)) == 1 / 2
    assert value(P(over="reachable"), 1, 0, unretrieved=(1, 1)) == 1 / 2


@pytest.mark.parametrize(("size", "relevant"), [(10, 4), (11, 2), (15, 5)])
def test_chances_that_add_up_to_more_than_1_by_rounding_are_1(size, relevant):
    hits = open_hits([[1] * relevant + [0] * (size - relevant)])
    assert (Success @ size).compute(hits, pool_for(hits)).tolist() == [1.0]


@pytest.mark.parametrize("last", [0.0, 0.5], ids=["tied", "not tied"])
def test_gains_below_0_lower_q_whether_or_not_others_are_tied(last):
    judged, run = {"a": 2, "b": -1, "c": 1, "d": 0, "e": 0}, {"a": 3.0, "b": 2.0, "c": 1.0, "d": 0.0, "e": last}
    found = evaluate({"q": judged}, {"q": run}, "Q", policy=Policy(negative="keep", ties="mean"))
    # (1 + 2) / (1 + 2) and (2 + 2 - 1 + 1) / (3 + 2 + 1), over two documents with gain.
    assert found.mean()["run"] == {"Q(relevance=signed)": pytest.approx((1 + 4 / 6) / 2)}
