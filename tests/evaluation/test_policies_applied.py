"""What each policy does to hits, pools and values, on lists short enough to follow."""

from __future__ import annotations

import numpy as np
import pytest

from kernels.tied import open_hits, pool_for, settled_hits
from rankgauge import Policy, evaluate
from rankgauge.data.match import Match
from rankgauge.errors import PolicyError
from rankgauge.evaluation.aggregates import Sum
from rankgauge.evaluation.columns import Ruled, deepest_rank, graded_pool, measured
from rankgauge.evaluation.columns import decided as decide
from rankgauge.evaluation.evaluate import weighed
from rankgauge.evaluation.notes import Names, OfJudgments, OfRun, added, refuse
from rankgauge.kernels.hits import pool_of
from rankgauge.measures import AP, RR, P, parse

NAN = float("nan")


def match_of(hits, *rest):
    return Match(hits, pool_for(hits, *rest), [f"q{at}" for at in range(hits.queries)], [])


def test_a_micro_mean_is_the_sum_of_numerators_over_that_of_denominators():
    values = np.array([[[0.5, 1.0], [0.25, 0.0], [NAN, 0.5]], [[0.1, NAN], [0.2, NAN], [0.3, NAN]]])
    below = np.array([[[2.0, 1.0], [4.0, 3.0], [9.0, 2.0]], [[1.0, 0.0], [1.0, 0.0], [2.0, 0.0]]])
    found = np.nanmean(weighed(values, below)[:, :, 0], axis=1)
    assert found == pytest.approx([(1 + 1) / 6, (0.1 + 0.2 + 0.6) / 4])
    assert weighed(values, below)[0, :, 1].mean() == pytest.approx((1 + 0 + 1) / 6)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", [2.5, 0.5, -0.5, -2.0]),
        ("fraction=keep", [2.5, 0.5, -0.5, -2.0]),
        ("fraction=truncate", [2.0, 0.0, 0.0, -2.0]),
        ("fraction=below-1", [2.5, 0.0, 0.0, 0.0]),
        ("fraction=single", [2.5, 0.5, -0.5, -2.0]),
        ("negative=drop", [2.5, 0.5]),
        ("negative=keep", [2.5, 0.5, -0.5, -2.0]),
        ("fraction=truncate negative=drop", [2.0, 0.0]),
    ],
)
def test_fractions_and_negative_grades(text, values):
    policy, pool = Policy.read(text), pool_of(np.zeros(4, np.int64), np.array([2.5, 0.5, -0.5, -2.0]), 1)
    found = graded_pool(pool, policy)
    assert sorted(found.value.tolist(), reverse=True) == sorted(values, reverse=True)
    assert (found is pool) == (text in {"", "fraction=keep", "negative=keep"})
    match = match_of(settled_hits([2.5, None, 0.5, -0.5, -2.0]))
    hits = Ruled(match, policy).hits("document")
    assert hits.value.tolist() == values
    # What is dropped lets the others move up.
    assert hits.rank.tolist() == [1, 3, 4, 5][: len(values)]
    assert hits.retrieved.tolist() == [3 if "drop" in text else 5]


def test_what_is_cut_to_0_has_no_sign():
    hits = Ruled(match_of(settled_hits([0.5, -0.5])), Policy(fraction="truncate")).hits("document")
    assert hits.value.tolist() == [0, 0]
    assert not np.signbit(hits.value).any()


def test_a_document_that_is_dropped_lets_those_below_move_up():
    hits = Ruled(match_of(settled_hits([-1, None, 2, -1, 1])), Policy(negative="drop")).hits("document")
    assert (hits.rank.tolist(), hits.value.tolist(), hits.retrieved.tolist()) == ([2, 3], [2, 1], [3])


@pytest.mark.parametrize(
    ("measures", "text", "deepest"),
    [
        ("P@5 nDCG@10", "unjudged=zero", 10),
        ("P@5 nDCG@10", "unjudged=zero depth=7", 7),
        ("P@5 nDCG@10", "unjudged=zero depth=70", 10),
        ("P@5 AP", "unjudged=zero", None),
        ("P@5 AP", "unjudged=zero depth=70", 70),
        ("P@5", "unjudged=drop", None),
        ("P@5", "unjudged=bounds depth=9", 9),
        ("P@5", "unjudged=zero ties=error", None),
        ("P@5", "unjudged=zero pool=returned", None),
        ("P@5", "unjudged=zero negative=drop", None),
        ("P@5", "unjudged=zero negative=drop depth=30", None),
        ("P@5", "unjudged=zero negative=keep pool=judged", 5),
        ("P@5 IPrec@0.5", "unjudged=zero", None),
        ("nDCG(ideal=returned)@5", "unjudged=zero", None),
    ],
)
def test_how_deep_a_run_must_be_read(measures, text, deepest):
    assert deepest_rank(tuple(map(parse, measures.split())), Policy.read(text)) == deepest


def test_which_measures_look_no_deeper_than_their_cutoff():
    assert parse("P@5").deepest == 5
    assert parse("IPrec@0.5").deepest is None
    assert parse("nDCG(ideal=returned)@5").deepest is None


def test_ties_are_settled_as_the_policy_says():
    hits = open_hits([[0, 2, 1]])
    ruled = Ruled(match_of(hits), Policy())
    assert ruled.hits("mean") is ruled.hits("mean-rank") is hits
    for ties, expected in (("worst", [0, 1, 2]), ("best", [2, 1, 0]), ("document", [0, 2, 1])):
        settled = ruled.hits(ties)
        assert settled.value[np.argsort(settled.rank)].tolist() == expected
        assert not settled.is_tied
    for groups, ranks in (([[0, 2, 1]], "1 to 3"), ([[1], [0, 2], [1]], "2 to 3")):
        with pytest.raises(PolicyError, match=f"query q0 has equal scores at ranks {ranks}"):
            Ruled(match_of(open_hits(groups)), Policy()).hits("error")
    assert Ruled(match_of(settled_hits([1, 0])), Policy()).hits("error").rank.tolist() == [1, 2]


def test_a_depth_that_parts_a_tie_names_the_tie():
    plan = Ruled(match_of(open_hits([[0], [1], [2, 0, 1]])), Policy(depth=3))
    with pytest.raises(PolicyError, match=r"query q0 has equal scores at ranks 3 to 5, which depth=3 splits"):
        plan.hits("mean")
    assert plan.hits("best").value.tolist() == [0, 1, 2]
    for depth in (2, 5):
        assert Ruled(match_of(open_hits([[0], [1], [2, 0, 1]])), Policy(depth=depth)).hits("mean").retrieved == [depth]


def test_precision_where_scores_change_needs_open_ties_whatever_the_rule():
    plan = Ruled(match_of(open_hits([[0, 1], [1]])), Policy(ties="worst"))
    assert plan.value(parse("AP(at=threshold)"))[0] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert plan.value(AP)[0] == pytest.approx((1 / 2 + 2 / 3) / 2)
    best = Ruled(match_of(open_hits([[0, 1], [1]])), Policy(ties="best"))
    assert best.value(parse("AP(at=threshold)"))[0] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert best.value(AP)[0] == pytest.approx((1 + 2 / 3) / 2)


def decided(text, measure=P @ 2):
    """Values 0.5, undefined, 0 of three queries; the second lacks relevant documents, the third the run lacks."""
    pool = pool_of(np.array([0, 1, 2]), np.array([1.0, 0.0, 1.0]), 3)
    values, undefined = decide(
        np.array([0.5, NAN, 0.0]), measure, Policy.read(text), np.array([False, False, True]), pool
    )
    return values.tolist(), undefined.tolist()


@pytest.mark.parametrize(
    ("text", "values", "undefined"),
    [
        ("undefined=zero", [0.5, 0.0, 0.0], [False, True, False]),
        ("undefined=one", [0.5, 1.0, 0.0], [False, True, False]),
        ("undefined=drop", [0.5, NAN, 0.0], [False, True, False]),
        ("undefined=drop missing=drop", [0.5, NAN, NAN], [False, True, False]),
        ("undefined=zero missing=drop", [0.5, 0.0, NAN], [False, True, False]),
    ],
)
def test_undefined_and_missing_queries(text, values, undefined):
    found = decided(text)
    np.testing.assert_array_equal(found[0], values)
    assert found[1] == undefined


def test_a_query_without_relevant_documents_is_undefined_for_measures_of_relevance():
    pool = pool_of(np.array([0, 1]), np.array([1.0, 0.0]), 2)
    nothing = np.zeros(2, bool)
    for text, expected in (
        ("undefined=drop", [0.5, NAN]),
        ("undefined=one", [0.5, 1.0]),
        ("undefined=zero", [0.5, 0.0]),
    ):
        values, _ = decide(np.array([0.5, 0.0]), RR, Policy.read(text), nothing, pool)
        np.testing.assert_array_equal(values, expected)
    values, _ = decide(np.array([0.5, 0.0]), parse("Judged@2"), Policy.read("undefined=drop"), nothing, pool)
    assert values.tolist() == [0.5, 0.0]
    values, _ = decide(np.array([0.5, 0.0]), RR(rel=2), Policy.read("undefined=drop"), nothing, pool)
    assert np.isnan(values).all()


def test_under_a_pool_of_what_was_returned_one_run_alone_has_one_row():
    pool = pool_of(np.array([0, 1]), np.array([1.0, 0.0]), 2)
    policy = Policy(pool="returned", undefined="drop")
    values, undefined = decide(np.array([0.5, 0.0]), RR, policy, np.zeros(2, bool), pool)
    np.testing.assert_array_equal(values, [0.5, NAN])
    assert undefined.tolist() == [False, True]


def test_under_a_pool_of_what_was_returned_each_run_has_its_own_undefined_queries():
    judgments = {"a": {"x": 1}, "b": {"y": 1}}
    runs = {"one": {"a": {"x": 1.0}, "b": {"z": 1.0}}, "two": {"a": {"z": 1.0}, "b": {"y": 1.0}}}
    found = evaluate(judgments, runs, "RR", policy=Policy(pool="returned", undefined="drop"))
    np.testing.assert_array_equal(found.matrix("RR"), [[1, NAN], [NAN, 1]])


def test_what_was_counted_in_parts_adds_up():
    names = Names.of(["c", "d"]) + Names.of(["a"])
    assert (names.count, names.first) == (3, ("a", "c", "d"))
    assert (Names().count, str(Names()), str(Names(9, ("a", "b")))) == (0, "", "a, b, …")
    one, other = (
        OfRun(3, Names.of(["m"]), Names.of([]), (Names.of(["u"]),), ((1.5, 10, 0.9),), 2, (span(*ends),))
        for ends in ((0.2, 0.6), (0.4, 0.8))
    )
    both = added(one, other)
    assert (both.answered, both.missing.count, both.undefined[0].count, both.tied) == (6, 2, 2, 4)
    assert both.unjudged == ((3.0, 20, 1.8),)
    assert [side.aggregate() for side in both.spans[0]] == pytest.approx((0.3, 0.7))
    pools = added(OfJudgments(2, (names,), (names,)), OfJudgments(3, (Names.of(["z"]),), (Names.of(["y"]),)))
    assert (pools.negative, pools.barren[0].count, pools.split[0].count) == (5, 4, 4)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "missing from the run, counted as 0 (m)"),
        ("missing=drop", "missing from the run, left out (m)"),
        ("", "without judgments, ignored (f, g)"),
        ("extra=zero", "without judgments, counted as 0 (f, g)"),
        ("extra=undefined", "without judgments, counted as undefined (f, g)"),
        ("extra=drop", "without judgments, ignored (f, g)"),
    ],
)
def test_notes_on_queries_that_one_side_lacks(text, words):
    facts = OfRun(4, Names.of(["m"]), Names.of(["f", "g"]), (), (), 0, ())
    missing, foreign = facts.notes("new", [], Policy.read(text))
    assert words in missing.text + foreign.text
    assert (missing.count, foreign.count) == (1, 2)


@pytest.mark.parametrize(
    ("groups", "measures", "text", "expected"),
    [
        ([[1], [None], [0], [None]], [P @ 2, AP, P @ 3, RR @ 2], "", ((1, 2, 0.5), (1, 3, 2 / 3))),
        ([[1], [None]], [P @ 2], "unjudged=drop", ()),
        ([[1], [None]], [AP], "", ()),
        ([[None]], [P @ 2], "", ((1, 1, 0),)),
        ([[None, 1]], [P @ 1], "ties=mean", ((0.5, 1, 0.5),)),
        ([[None, 1]], [P @ 1], "", ((1, 1, 0),)),
    ],
)
def test_unjudged_documents_above_each_cutoff(groups, measures, text, expected):
    unjudged = measured(match_of(open_hits(groups)), measures, Policy.read(text)).counted.unjudged
    assert len(unjudged) == len(expected)
    for one, other in zip(unjudged, expected, strict=True):
        assert one == pytest.approx(other)


def test_queries_of_the_judgments_without_a_relevant_document():
    pool = pool_of(np.array([0, 1, 1, 3]), np.array([2.0, -1.0, 0.0, 1.0]), 4)
    found = OfJudgments.of(pool, list("abcd"), [AP, AP(rel=2), AP(rel=1)])
    assert found.negative == 1
    assert [barren.first for barren in found.barren] == [("b", "c"), ("b", "c", "d"), ("b", "c")]
    kinds = {note.kind: note for note in found.notes([AP, AP(rel=2), AP(rel=1)], Policy(undefined="zero"))}
    assert kinds["negative-values"].count == 1
    assert OfJudgments(0, (Names(),), (Names(),)).notes([AP], Policy()) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "counted as 0 by graded measures and as not relevant"),
        ("negative=zero", "counted as 0 by graded measures and as not relevant"),
        ("negative=keep", "counted as they are by graded measures"),
        ("negative=drop", "their documents left out"),
    ],
)
def test_the_note_on_negative_grades_says_what_becomes_of_them(text, words):
    (note,) = OfJudgments(2, (), ()).notes([], Policy.read(text))
    assert note.text == f"2 judged values below 0, {words}"


def test_measures_without_a_threshold_name_the_queries_that_lack_a_relevant_document():
    """A threshold of 1 leaves the same queries without any, and says less."""
    measures, barren = (AP(rel=1), AP), Names.of(["b"])
    (note,) = OfJudgments(0, (barren, barren), (Names(), Names())).notes(measures, Policy(undefined="zero"))
    assert note.text == "1 query without a relevant document, counted as 0 (b)"


@pytest.mark.parametrize(
    ("nouns", "where"), [(("query", "document"), "2 queries (a, b)"), (("user", "item"), "2 users (a, b)")]
)
def test_the_note_on_tiers_counts_queries(nouns, where):
    measure = parse("nDCG(relevance=tiers(1))")
    (note,) = OfJudgments(0, (), (Names.of(["a", "b"]),)).notes([measure], Policy(), nouns)
    assert f"on both sides of a tier boundary in {where};" in note.text


def test_an_undefined_value_is_refused_where_the_policy_says_so():
    undefined = Names.of(["q7"])
    with pytest.raises(PolicyError, match="undefined on 1 query, the first q7"):
        refuse("run", Policy(undefined="error"), Names(), [(AP, undefined)])
    refuse("run", Policy(undefined="zero"), Names(), [(AP, undefined)])
    refuse("run", Policy(undefined="error"), Names(), [(AP, Names())])


def notes_of(**facts):
    usual = {
        "answered": 4,
        "missing": Names(),
        "foreign": Names(),
        "undefined": (Names(),),
        "unjudged": (),
        "tied": 0,
        "spans": (),
    }
    return OfRun(**usual | facts).notes("new", [AP @ 5], Policy())


def test_notes_on_documents_that_nobody_judged():
    (note,) = notes_of(unjudged=((3.0, 12, 2.5),))
    assert (note.kind, note.count, note.measure, note.severity) == ("unjudged-documents", 3, "Judged@5", 0.25)
    assert "25.0% of the documents in the top 5 are unjudged (Judged@5 = 0.6250)" in note.text
    assert "written the same way" not in note.text
    (note,) = notes_of(answered=2, unjudged=((12.0, 12, 0.0),))
    assert "are document ids written the same way" in note.text
    assert notes_of(unjudged=((0.2, 12, 4.0),)) == []


def span(worst, best):
    return tuple(Sum.of(np.array([value]), AP.definition.aggregate, None) for value in (worst, best))


def test_notes_on_ties_say_how_far_they_could_move_a_mean():
    (note,) = notes_of(tied=2, spans=(span(0.25, 0.5),))
    assert (note.kind, note.count, note.severity) == ("ties", 2, 0.25)
    assert "from 0.2500 (worst order) to 0.5000 (best order)" in note.text
    (small,) = notes_of(tied=2, spans=(span(0.25, 0.26),))
    assert note.text.removesuffix(small.text[small.text.index("new") :])
    assert small.text.startswith("new: ties could change")
    assert not note.text.startswith("new: ")
    assert notes_of(tied=2, spans=(span(0.25, 0.25001),)) == []
    (much,) = notes_of(tied=2, spans=(span(0.0, 0.05),))
    assert much.text.startswith("TIES DECIDE THIS NUMBER: new: ties could change")
    assert notes_of(tied=0, spans=(span(0.25, 0.5),)) == []


def test_groups_of_equal_scores_are_counted_where_they_hold_a_judged_document():
    found = measured(match_of(open_hits([[1, 0], [2], [None, 1, None], [None, None]])), [AP], Policy())
    assert found.counted.tied == 2
    found = measured(match_of(settled_hits([1, 0])), [AP], Policy())
    assert (found.counted.tied, found.counted.spans) == (0, ())


def test_the_share_of_judged_documents_is_the_mean_over_the_queries_of_the_run():
    judged = {query: {"x": 1} for query in "abc"}
    run = {"a": {"x": 1.0}, "b": {"x": 2.0, "y": 1.0}}  # one judged document; one of two; and nothing for c
    notes = {note.kind: note.text for note in evaluate(judged, run, "P@2").notes}
    assert notes["unjudged-documents"] == "run: 33.3% of the documents in the top 2 are unjudged (Judged@2 = 0.7500)"


def test_queries_without_judgments_come_last_where_they_count():
    judged, run = {"a": {"x": 1}}, {"b": {"y": 1.0}, "a": {"x": 1.0}}
    found = evaluate(judged, run, "P@1", policy=Policy(extra="zero"))
    assert list(found.queries) == ["a", "b"]
    assert found.matrix("P@1").tolist() == [[1.0, 0.0]]
    assert found.mean() == {"run": {"P@1": 0.5}}


def test_a_mean_of_all_queries_together_leaves_out_queries_without_a_relevant_document():
    judged = {"a": {"x": 1, "y": 0}, "b": {"x": 0, "y": 0}}
    run = {query: {"x": 2.0, "y": 1.0} for query in judged}
    assert evaluate(judged, run, "P@2", policy=Policy(mean="micro")).mean() == {"run": {"P@2": 0.5}}


def test_a_grade_of_0_is_a_judgment_where_negative_ones_are_dropped():
    pool = pool_of(np.zeros(3, np.int64), np.array([1.0, 0.0, -1.0]), 1)
    assert graded_pool(pool, Policy(negative="drop")).value.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "values"),
    [("unjudged=drop", [0, 1]), ("unjudged=drop negative=keep", [-1, 0, 1]), ("unjudged=zero", [-1, 0, 1])],
)
def test_without_unjudged_documents_the_others_move_up(text, values):
    hits = Ruled(match_of(settled_hits([None, -1, 0, None, 1])), Policy.read(text)).hits("document")
    assert hits.value.tolist() == values
    if "drop" in text:  # a negative grade says that nobody looked, unless the policy says what it counts
        assert hits.rank.tolist() == list(range(1, len(values) + 1))
        assert hits.retrieved.tolist() == [len(values)]
    else:
        assert hits.rank.tolist() == [2, 3, 5]


def test_single_precision_rounds_fractions_to_its_bits():
    pool = graded_pool(pool_of(np.zeros(1, np.int64), np.array([0.1]), 1), Policy.read("fraction=single"))
    assert pool.value.tolist() == [float(np.float32(0.1))]


def test_fractions_below_1_are_0_and_1_itself_is_not():
    values = np.array([1.0, 0.99, -0.5])
    below, cut = (
        graded_pool(pool_of(np.zeros(3, np.int64), values, 1), Policy.read(f"fraction={one}")).value
        for one in ("below-1", "truncate")
    )
    assert sorted(below.tolist()) == [0, 0, 1]
    assert sorted(cut.tolist()) == [0, 0, 1]
    assert not np.signbit(cut).any()
