from __future__ import annotations

import math

import pytest

from rankgauge.measures import Measure, catalogue, describe, parse


@pytest.mark.parametrize("definition", catalogue(), ids=lambda definition: definition.name)
def test_every_definition_says_what_it_is(definition):
    one = describe(Measure(definition))
    assert len(one.words) > 20
    assert one.words.endswith((".", "…"))
    assert one.formula
    assert one.source
    assert one.group != "ranked"
    assert definition.range[0] <= definition.range[1]
    assert all(option.words for option in one.options)


def test_a_description_shows_the_options_in_force():
    one = describe(parse("nDCG(gain=exp)@20"))
    assert (one.measure, one.form) == ("nDCG(gain=exp)@20", "nDCG[@k]")
    gain = one.options[1]
    assert (gain.name, gain.value, gain.default) == ("gain", "exp", "linear")
    assert "exp = 2^v − 1" in gain.choices
    assert "levels(g1, g2, …): the gains of grades 1, 2, …" in gain.choices
    assert one.to_dict()["policy"] == "ties=document, undefined=zero"


def test_forms_and_ranges_are_spelled_out():
    assert describe(parse("IPrec@0.5")).form == "IPrec@x"
    assert describe(parse("RelP@5")).form == "RelP@k"
    assert describe(parse("Bpref")).form == "Bpref"
    assert describe(parse("AP")).range == "0 to 1"
    assert describe(parse("DCG")).range == "0 or more"
    assert describe(parse("NumQ")).range == "1"
    assert parse("DCG").definition.range[1] == math.inf


def test_choices_and_defaults_of_every_kind_are_told():
    rbp = {option.name: option for option in describe(parse("RBP")).options}
    assert (rbp["rel"].value, rbp["max"].choices) == ("unset", ("judgments", "query"))
    assert describe(parse("IAP")).options[0].value.startswith("at(0, 0.1")
    assert describe(parse("GMAP")).mean == "geometric mean over queries"


def test_a_short_repr() -> None:
    assert repr(describe("AP@5")) == "Description(AP@5: average precision)"
