from __future__ import annotations

import pytest

from rankgauge.errors import MeasureError
from rankgauge.measures import AP, DCG, RR, Judged, Measure, P, nDCG, parse, parse_all


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("nDCG@10", "nDCG@10"),
        ("nDCG @ 10", "nDCG@10"),
        ("nDCG()@10", "nDCG@10"),
        ("nDCG( gain = exp , discount = zipf )@20", "nDCG(gain=exp, discount=zipf)@20"),
        ("nDCG(discount=zipf, gain=exp)@20", "nDCG(gain=exp, discount=zipf)@20"),
        ("nDCG(gain=linear)", "nDCG"),
        ("nDCG(discount=zipf(1))", "nDCG(discount=zipf)"),
        ("nDCG(discount=zipf(1.20))@20", "nDCG(discount=zipf(1.2))@20"),
        ("nDCG(discount=zipf(1.2, 0))@20", "nDCG(discount=zipf(1.2))@20"),
        ("nDCG(discount=zipf(1, 3))@20", "nDCG(discount=zipf(1, 3))@20"),
        ("nDCG(discount='log2')", "nDCG"),
        ("nDCG(discount=steps(1:1, 4:.6, 95:.1))@20", "nDCG(discount=steps(1:1, 4:0.6, 95:0.1))@20"),
        ("nDCG(relevance=tiers(10,25,50), gain=exp)@10", "nDCG(relevance=tiers(10, 25, 50), gain=exp)@10"),
        ("AP(rel=2.0)", "AP(rel=2)"),
        ("P(rel=1e-3)@5", "P(rel=0.001)@5"),
        ("DCG(gain=levels(1, 3))", "DCG(gain=levels(1, 3))"),
        ("DCG(gain=table(2:9))", "DCG(gain=table(2:9))"),
        ("DCG(discount=linear())@3", "DCG(discount=linear)@3"),
    ],
)
def test_a_measure_prints_its_canonical_form(text, canonical):
    assert str(parse(text)) == canonical
    assert parse(canonical) == parse(text)


def test_python_and_text_spell_the_same_measures():
    assert nDCG @ 10 == parse("nDCG@10")
    assert nDCG(gain="exp", discount="zipf(1.2)") @ 20 == parse("nDCG(gain=exp, discount=zipf(1.2))@20")
    assert nDCG(discount=[1, 0.5]) == parse("nDCG(discount=weights(1, 0.5))")
    assert hash(AP(rel=2)) == hash(parse("AP(rel=2)"))
    assert AP(rel=2).name == repr(AP(rel=2)) == "AP(rel=2)"
    assert nDCG(gain=nDCG(gain="exp").settings["gain"]) == nDCG(gain="exp")


def test_lists_are_separated_by_blanks_or_commas_and_keep_each_measure_once():
    assert parse_all("nDCG@10 AP, RR@10 nDCG@10") == (nDCG @ 10, AP, RR @ 10)
    assert parse_all(["nDCG@10 AP", RR]) == (nDCG @ 10, AP, RR)
    assert parse_all(AP) == (AP,)


@pytest.mark.parametrize(
    ("text", "position", "message", "hint"),
    [
        ("nDCGG@10", 0, "unknown measure 'nDCGG'", "did you mean 'nDCG'?"),
        ("AP nDCG(gan=exp)", 8, "no option 'gan'", "did you mean 'gain'?"),
        ("Judged(rel=1)", 7, "no option 'rel'", "takes none"),
        ("nDCG(gain=expp)@10", 10, "unknown gain 'expp'", "did you mean 'exp'?"),
        ("nDCG(gain=3)@10", 10, "gain cannot be 3", "known: linear"),
        ("nDCG(discount=zipf(a))", 14, "is a number, not 'a'", ""),
        ("nDCG(discount=zipf(1, 2, 3))", 14, "takes 0 to 2 arguments, not 3", ""),
        ("nDCG(discount=jk)", 14, "takes 1 argument, not 0", ""),
        ("nDCG(discount=none(1))", 14, "takes no arguments, not 1", ""),
        ("nDCG(discount=jk(1))", 14, "greater than 1", ""),
        ("nDCG(discount=rbp(1))", 14, "greater than 0 and less than 1", ""),
        ("nDCG(discount=zipf(-1))", 14, "at least 0", ""),
        ("nDCG(discount=weights())", 14, "at least one number", ""),
        ("nDCG(discount=weights(1, -1))", 14, "not negative, not -1", ""),
        ("nDCG(discount=weights(1:1))", 14, "not negative, not 1:1", ""),
        ("nDCG(discount=steps(1, 2))", 14, "takes pairs rank:number", ""),
        ("nDCG(discount=steps(2:1))", 14, "whole ranks from 1 on", ""),
        ("nDCG(discount=steps(1:1, 1:2))", 14, "greater than the one before", ""),
        ("nDCG(discount=steps(1:-1))", 14, "not negative", ""),
        ("nDCG(relevance=tiers(10, 5))", 15, "growing whole numbers", ""),
        ("nDCG@0", 5, "cutoff=0 is below 1", ""),
        ("nDCG@2.5", 5, "whole number, not 2.5", ""),
        ("nDCG@", 5, "expected a cutoff after '@'", ""),
        ("nDCG(gain=exp@10", 13, "expected ')' after the options of nDCG", ""),
        ("nDCG(gain exp)", 10, "expected '=' after gain", ""),
        ("nDCG(gain=)", 10, "expected a number or a word", ""),
        ("nDCG(discount=zipf(1)", 21, "expected ')' after the options of nDCG", ""),
        ("nDCG(discount=zipf(1@", 20, "expected ')' after the arguments of zipf", ""),
        ("nDCG(discount=steps(1:))", 22, "expected a number after ':'", ""),
        ("nDCG@10,", 8, "expected a measure after ','", ""),
        ("nDCG@10 ?", 8, "unexpected '?'", ""),
        ("@10", 0, "expected a measure", ""),
        ("", 0, "expected a measure", ""),
        ("P(rel=0)@5", 6, "greater than 0", ""),
        ("P(rel=x)@5", 6, "rel is a number, not 'x'", ""),
    ],
)
def test_a_fault_is_shown_under_a_caret_with_the_nearest_word(text, position, message, hint):
    with pytest.raises(MeasureError) as caught:
        parse_all(text)
    lines = str(caught.value).splitlines()
    assert message in lines[0]
    assert lines[1] == "    " + text
    assert lines[2] == "    " + " " * position + "^"
    assert hint in "".join(lines[3:])


@pytest.mark.parametrize(
    "make",
    [
        lambda: parse("AP RR"),
        lambda: parse_all([]),
        lambda: parse_all([3]),
        lambda: nDCG @ 0,
        lambda: nDCG @ True,
        lambda: P(rel=float("nan")),
        lambda: P(rel=True),
        lambda: nDCG(gain=None),
        lambda: nDCG(gain="exp 3"),
        lambda: Judged(rel=1),
    ],
)
def test_a_wrong_call_in_python_is_refused_when_it_is_made(make):
    with pytest.raises(MeasureError):
        make()


def test_a_users_function_prints_its_name_and_does_not_read_back():
    def doubled(values):
        return 2 * values

    measure = DCG(gain=doubled) @ 5
    assert str(measure) == "DCG(gain=<doubled>)@5"
    assert measure.is_custom
    assert not (DCG @ 5).is_custom
    with pytest.raises(MeasureError):
        parse(str(measure))


def test_a_measure_is_immutable_and_checked():
    measure = nDCG @ 10
    with pytest.raises(AttributeError):
        measure.cutoff = 5
    assert isinstance(measure, Measure)
    assert measure.complete() is measure


_DIGITS = "9" * 5000


@pytest.mark.parametrize("text", [f"nDCG@{_DIGITS}", f"nDCG@5,{_DIGITS}", f"AP(rel={_DIGITS})", f"nDCG(gain=table({_DIGITS}:1))"])  # fmt: skip
def test_thousands_of_digits_are_too_large_a_number(text):
    with pytest.raises(MeasureError, match="99999999999999999999… is too large a number") as error:
        parse_all(text)
    assert max(map(len, str(error.value).splitlines())) < 300


def test_a_fault_in_a_long_text_shows_the_part_around_it():
    with pytest.raises(MeasureError, match="unknown measure 'xyz'") as error:
        parse_all("nDCG@10 " * 1000 + "xyz " + "AP " * 1000)
    _, shown, caret, *_ = str(error.value).splitlines()
    assert len(shown) < 300
    assert shown[caret.index("^") :].startswith("xyz ")


def test_a_long_name_is_shown_by_its_beginning():
    with pytest.raises(MeasureError, match=r"unknown measure 'n{240}…'"):
        parse_all("n" * 100_000)
