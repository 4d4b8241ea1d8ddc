"""Measures are copied and sent to other processes by the tools that they are given to."""

from __future__ import annotations

import copy
import pickle

import pytest

from rankgauge import measures
from rankgauge.errors import MeasureError

TEXTS = ["nDCG@10", "nDCG(gain=levels(1, 5), discount=zipf(2))@20", "AP(rel=2)", "rankDCG", "nDCG(relevance=phi)"]


@pytest.mark.parametrize("text", TEXTS)
def test_a_measure_is_equal_to_its_copy(text):
    measure = measures.parse(text)
    for made in (copy.deepcopy(measure), pickle.loads(pickle.dumps(measure))):  # noqa: S301 - our own bytes
        assert made == measure
        assert made.definition is measure.definition
        assert made.given == measure.given


def test_a_custom_measure_is_copied_but_not_pickled():
    own = measures.define("Top", lambda ranked, judged: 1.0)
    assert copy.deepcopy(own) == own
    with pytest.raises(MeasureError, match="<Top> is not in the catalogue"):
        pickle.dumps(own)
