from __future__ import annotations

import numpy as np
import pytest

from kernels.examples import ranked
from rankgauge.errors import MeasureError
from rankgauge.kernels.counting import judged
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


def test_a_number_without_bounds_must_be_finite():
    with pytest.raises(MeasureError, match="must be finite"):
        real("x").check("x", float("inf"))


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
