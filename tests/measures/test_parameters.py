from __future__ import annotations

import pytest

from rankgauge.errors import MeasureError
from rankgauge.kernels.counting import judged
from rankgauge.measures.measure import Definition, Measure
from rankgauge.measures.parameters import Choice, Real, Whole
from rankgauge.measures.text import Call


def test_a_choice_takes_its_words_and_other_spellings_of_them():
    choice = Choice("which", "one", ("one", "two"), {"zwei": "two"})
    assert choice.check("count", "zwei") == choice.check("count", Call("two")) == "two"
    assert choice.spell("two") == "two"
    with pytest.raises(MeasureError, match=r"unknown count 'onne'\ndid you mean 'one'"):
        choice.check("count", "onne")


def test_whole_numbers_may_be_written_as_floats():
    assert Whole("k").check("k", 10.0) == 10


def test_a_number_without_bounds_must_be_finite():
    with pytest.raises(MeasureError, match="must be finite"):
        Real("x").check("x", float("inf"))


def test_a_definition_may_need_a_cutoff_or_take_none():
    needy = Measure(Definition("Needy", "", judged, "", "", cutoff=Whole("k"), needs_cutoff=True))
    with pytest.raises(MeasureError, match="needs a cutoff, as in Needy@10"):
        needy.complete()
    assert (needy @ 3).complete() == needy @ 3
    free = Measure(Definition("Free", "", lambda hits, pool: hits + pool, "", ""))
    with pytest.raises(MeasureError, match="takes no cutoff"):
        free @ 3
    assert free.compute(1, 2) == 3
