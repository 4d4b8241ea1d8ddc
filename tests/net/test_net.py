"""What was recorded of every door is what is said now: not one number, note or message differs."""

from __future__ import annotations

import pytest

from net.parts import PARTS
from net.record import changed, recorded, report, said_now


def compare(part: str) -> None:
    assert recorded(part)
    if found := list(changed(part, said_now(part))):
        pytest.fail(report(part, found), pytrace=False)


SLOW = {"evaluate-mixed", "evaluate-options", "faults-formats", "commands"}
HERE = [pytest.param(part, marks=[pytest.mark.slow] * (part in SLOW)) for part in PARTS if part != "real"]


@pytest.mark.parametrize("part", HERE)
def test_nothing_has_changed(part):
    """Where a difference is wanted: python tests/net/record.py --accept "REASON" PART."""
    compare(part)


@pytest.mark.slow
def test_nothing_has_changed_on_real_collections(collections):
    assert collections
    compare("real")
