"""A policy by itself: what it accepts, how it is read, and what one takes from another."""

from __future__ import annotations

import math

import pytest

from rankgauge.data.policy import DEFAULT, Policy
from rankgauge.errors import UsageError

EVERY_RULE = {
    "ties": ("document", "document-asc", "mean", "worst", "best", "order", "reverse", "mean-rank", "error"),
    "unjudged": ("zero", "drop", "bounds"),
    "missing": ("zero", "drop", "error"),
    "undefined": ("zero", "one", "drop", "error"),
    "precision": ("double", "single"),
    "extra": ("drop", "zero", "undefined"),
    "pool": ("judged", "returned"),
    "negative": ("zero", "keep", "drop"),
    "fraction": ("keep", "truncate", "below-1", "single"),
    "own_id": ("keep", "drop"),
    "repeated": ("error", "count", "first"),
    "floor": ("none", "zero"),
    "mean": ("macro", "micro"),
    "empty": ("nan", "zero"),
}


@pytest.mark.parametrize("name", EVERY_RULE)
def test_every_rule_has_its_words_and_no_others(name):
    for word in EVERY_RULE[name]:
        assert getattr(Policy(**{name: word}), name) == word
        assert Policy.read(f"{name}={word}") == Policy(**{name: word})
    with pytest.raises(UsageError, match=f"unknown {name}"):
        Policy(**{name: f"{EVERY_RULE[name][0]}s"})


@pytest.mark.parametrize(("name", "least"), [("depth", 1), ("digits", 0)])
def test_counts_are_whole_numbers_from_a_least_one_on(name, least):
    for right in (least, least + 1, 1000, 1000.0, 2**53):
        assert getattr(Policy(**{name: right}), name) == right
    for wrong in (least - 1, -5, 2.5, True, False):
        with pytest.raises(UsageError, match=f"it must be a whole number of at least {least}"):
            Policy(**{name: wrong})
    with pytest.raises(UsageError, match="to 9,007,199,254,740,992"):
        Policy(**{name: 2**53 + 1})


def test_a_threshold_of_relevance_is_finite_and_above_0():
    for right in (0.5, 1, 2.0, 1e-9):
        assert Policy(rel=right).rel == right
    for wrong in (0, -1, math.inf, math.nan):
        with pytest.raises(UsageError, match="number above 0"):
            Policy(rel=wrong)


def test_a_policy_in_text():
    assert Policy.read("") == Policy()
    assert Policy.read("ties=mean, missing=drop") == Policy(ties="mean", missing="drop")
    assert Policy.read("depth=10 rel=1.5 digits=4") == Policy(depth=10, rel=1.5, digits=4)
    for wrong in ("ties", "tie=mean", "=mean"):
        with pytest.raises(UsageError, match="is not a policy such as ties=mean"):
            Policy.read(wrong)
    with pytest.raises(UsageError, match="'ten' is not a number"):
        Policy.read("depth=ten")


def test_what_is_unset_is_taken_from_another():
    base = Policy(ties="mean", missing="drop", depth=5)
    assert Policy().over(base) == base
    assert Policy(ties="worst", rel=2).over(base) == Policy(ties="worst", missing="drop", depth=5, rel=2)
    assert Policy(ties="worst").over(Policy()) == Policy(ties="worst")


def test_plain_data_has_what_every_evaluation_decides_and_what_else_is_set():
    assert set(Policy().to_dict()) == {"ties", "unjudged", "missing", "undefined", "depth", "rel", "precision"}
    assert Policy().unusual() == {}
    chosen = Policy(ties="mean", floor="zero", digits=0)
    assert chosen.to_dict()["ties"] == "mean"
    assert chosen.unusual() == {"floor": "zero", "digits": 0}


def test_the_package_decides_what_no_measure_does():
    assert Policy(unjudged="zero", missing="zero", precision="double") == DEFAULT
