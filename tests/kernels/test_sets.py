from __future__ import annotations

import numpy as np
import pytest

from kernels.examples import ranked
from rankgauge.measures import (
    NumNonrelRet,
    NumQ,
    NumRel,
    NumRelRet,
    NumRet,
    SetAP,
    SetF,
    SetP,
    SetR,
    SetRelP,
)

LIST = (1, 0, None, 2, -1)
UNSEEN = (1, 0)


def value(measure, *grades, unretrieved=()):
    return measure.compute(*ranked(*grades, unretrieved=unretrieved))[0]


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        (SetP, 2 / 5),
        (SetP(rel=2), 1 / 5),
        (SetRelP, 2 / 3),
        (SetR, 2 / 3),
        (SetF, 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3)),
        (SetF(beta=0.5), 1.25 * (2 / 5) * (2 / 3) / (0.25 * 2 / 5 + 2 / 3)),
        (SetAP, 2 / 5 * 2 / 3),
        (NumQ, 1),
        (NumRet, 5),
        (NumRel, 3),
        (NumRel(rel=2), 1),
        (NumRelRet, 2),
        (NumRelRet @ 2, 1),
        (NumNonrelRet, 1),
        (NumNonrelRet(rel=2), 2),
    ],
)
def test_the_set_and_its_counts(measure, expected):
    assert value(measure, *LIST, unretrieved=UNSEEN) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("measure", [SetRelP, SetR, SetF, SetAP])
def test_without_a_relevant_document_the_set_has_no_value(measure):
    assert np.isnan(value(measure, 0, None))


def test_an_empty_set_has_no_precision_and_no_recall_to_speak_of():
    assert np.isnan(value(SetP, unretrieved=(1,)))
    assert value(SetR, unretrieved=(1,)) == 0
    assert value(SetF, unretrieved=(1,)) == 0
