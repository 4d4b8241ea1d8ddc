from __future__ import annotations

import numpy as np
import pytest

from kernels.examples import ranked
from rankgauge.errors import MeasureError
from rankgauge.kernels.counting import judged
from rankgauge.measures import nDCG, parse
from rankgauge.measures.curves import Call, choice, real, reals, whole
from rankgauge.measures.measure import Definition, Measure


def test_a_choice_takes_its_words_and_the_first_by_default():
    which = choice("which", ("one", "two"))
    assert which.default == "one"
    assert which.check("count", "two") == which.check("count", Call("two")) == "two"
    assert which.spell("two") == "two"
    with pytest.raises(MeasureError, match=r"unknown count 'onne'\ndid you mean 'one'"):
        which.check("count", "onne")


def test_whole_numbers_may_be_written_as_floats():
    assert whole("k").check("k", 10.0) == 10


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        (real("x"), float("inf"), "x=inf is out of bounds: it must be finite"),
        (real("x"), 10**400, "x=inf is out of bounds: it must be finite"),
        (real("x", above=0, below=1), 1, "x=1 is out of bounds: it must be greater than 0 and less than 1"),
        (real("x", low=0, high=1), 2, "x=2 is out of bounds: it must be at least 0 and at most 1"),
        (whole("x"), 10**13, "x=10000000000000 is above 1,000,000,000,000; leave it out"),
        (nDCG.definition.options["gain"], ["a"], r"x cannot be \['a'\]"),
        (nDCG.definition.options["gain"], {"a": 1}, "x cannot be {'a': 1}"),
        (nDCG.definition.options["discount"], [[1, 2]], "x cannot be"),
    ],
)
def test_a_value_that_an_option_cannot_have_is_refused(kind, given, message):
    with pytest.raises(MeasureError, match=message):
        kind.check("x", given)


def test_a_definition_may_need_a_cutoff_or_take_none():
    needy = Measure(Definition("Needy", "", judged, "", "", cutoff=whole("k"), needs_cutoff=True))
    with pytest.raises(MeasureError, match="needs a cutoff, as in Needy@10"):
        needy.complete()
    assert (needy @ 3).complete() == needy @ 3
    free = Measure(Definition("Free", "", lambda hits, pool: hits.retrieved + pool.judged, "", ""))
    with pytest.raises(MeasureError, match="takes no cutoff"):
        free @ 3
    assert free.compute(*ranked(1, None, unretrieved=(2,))).tolist() == [4]


def test_a_number_or_a_word_takes_both():
    highest = choice("the highest", ("all", "each"), real("", low=0))
    assert highest.words == "the highest"
    assert (highest.check("max", 4), highest.check("max", "each"), highest.check("max", Call("all"))) == (
        4,
        "each",
        "all",
    )
    assert (highest.spell(4.0), highest.spell("each")) == ("4", "each")
    with pytest.raises(MeasureError, match="at least 0"):
        highest.check("max", -1)
    with pytest.raises(MeasureError, match="unknown max 'every'"):
        highest.check("max", "every")


@pytest.mark.parametrize(
    "given", [(0.2, 0.5), [0.2, 0.5], np.array([0.2, 0.5]), "at(0.2, 0.5)", Call("at", (0.2, 0.5))]
)
def test_several_numbers_come_as_a_list_or_as_text(given):
    levels = reals(real("recall", low=0, high=1), (0.0, 1.0))
    assert levels.words == "recall"
    assert levels.check("recall", given) == (0.2, 0.5)
    assert levels.spell((0.2, 0.5)) == "at(0.2, 0.5)"


@pytest.mark.parametrize(
    ("given", "message"), [(3, "not 3"), ((), "a list"), ("in(1)", "not 'in'"), ([2], "at most 1")]
)
def test_what_is_no_list_of_numbers_is_refused(given, message):
    with pytest.raises(MeasureError, match=message):
        reals(real("recall", low=0, high=1), (0.0, 1.0)).check("recall", given)


def test_queries_weigh_as_much_as_what_their_value_is_divided_by():
    two, none = ranked(1, 0, unretrieved=(1,)), ranked(0)
    assert parse("AP").denominators(*two).tolist() == [2]
    assert parse("Bpref").denominators(*two).tolist() == [1]
    assert [parse(text).compute(*none)[0] for text in ("P@1", "R")] == pytest.approx([0, np.nan], nan_ok=True)
    about = [
        parse(text).is_about_relevance for text in ("P@1", "nDCG", "nDCG(relevance=signed)", "Judged@1", "rankDCG")
    ]
    assert about == [True, True, False, False, False]
