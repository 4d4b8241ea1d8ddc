from __future__ import annotations

import numpy as np
import pytest

from evaluation.spark.awkward import every_measure
from rankgauge import Policy, measures
from rankgauge.errors import UsageError
from rankgauge.evaluation.spark import bucket
from rankgauge.evaluation.spark.bucket import Shipped, arithmetic


@pytest.mark.parametrize("measure", every_measure(), ids=str)
def test_a_measure_arrives_with_the_same_curves(measure):
    there = Shipped.of(measure, Policy(), 3.0).unpacked()
    assert (there.definition.name, there.cutoff) == (measure.definition.name, measure.cutoff)
    ranks, grades = np.arange(1.0, 6000), np.array([0.0, 1, 2, 0.5])
    for name, curve in measure.settings.items():
        if name == "discount":
            assert np.array_equal(there.settings[name](ranks, measure.cutoff), curve(ranks, measure.cutoff))
            assert there.settings[name].reach == curve.reach
        elif name == "gain" and not str(curve).startswith("levels"):
            assert np.array_equal(there.settings[name](grades), curve(grades))
        elif name not in {"gain", "relevance", "max"}:
            assert there.settings[name] == curve


def test_weights_and_gains_come_from_the_sender_whatever_the_worker_computes(monkeypatch):
    sent = Shipped.of(measures.parse("nDCG(gain=exp, discount=zipf(1.3))@10"), Policy(), 3.0)
    true = measures.parse("nDCG(gain=exp, discount=zipf(1.3))@10").settings
    monkeypatch.setattr(bucket, "parse", _parse_with_other_arithmetic)
    there = sent.unpacked().settings
    ranks, grades = np.arange(1.0, 16), np.array([0.0, 1, 2, 3, 0.5])
    assert np.array_equal(there["discount"](ranks, 10)[:10], true["discount"](ranks, 10)[:10])
    assert np.array_equal(there["gain"](grades)[:4], true["gain"](grades)[:4])
    # Beyond the table and between whole grades the worker computes.
    assert not np.array_equal(there["discount"](ranks, 10)[10:], true["discount"](ranks, 10)[10:])
    assert there["gain"](grades)[4] != true["gain"](grades)[4]


@pytest.mark.parametrize(
    ("text", "highest"),
    [
        ("ERR", 2.0),
        ("RBP(relevance=knots(0:0, 2:0.5, 3:1))", 0.5),
        ("RBP(rel=1)", "judgments"),
        ("ERR(max=query)", "query"),
        ("ERR(relevance=phi)", "judgments"),
    ],
)
def test_the_highest_relevance_of_all_queries_travels_where_it_counts(text, highest):
    shipped = Shipped.of(measures.parse(text), Policy(fraction="truncate"), 2.5)
    assert shipped.unpacked().settings["max"] == highest


@pytest.mark.parametrize(
    ("text", "policy", "reason"),
    [
        ("RBP", Policy(pool="returned"), 'RBP needs .* with pool="returned"\nGive it, as in RBP\\(max=3\\)'),
        ("nERR(relevance=tiers(1, 2))", Policy(), "a bucket cannot know with relevance=tiers"),
    ],
)
def test_a_highest_relevance_that_only_all_queries_together_know_has_to_be_given(text, policy, reason):
    with pytest.raises(UsageError, match=reason):
        Shipped.of(measures.parse(text), policy, 3.0)
    Shipped.of(measures.parse(text)(max=3), policy, 3.0)


def _parse_with_other_arithmetic(text):
    from dataclasses import replace

    measure = measures.parse(text)

    def off(function):
        return lambda *given: function(*given) * (1 + 2**-52)

    options = {name: value._replace(function=off(value.function)) for name, value in measure.options}
    return replace(measure, options=tuple(options.items()))


def test_the_fingerprint_of_one_machine_is_one():
    assert arithmetic() == arithmetic()
    assert len(arithmetic()) == 16
