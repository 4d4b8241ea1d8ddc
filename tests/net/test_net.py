"""What was recorded of every door is what is said now: not one number, note or message differs."""

from __future__ import annotations

import pytest

from net.parts import PARTS
from net.record import changed, recorded, report, said_now


def differing(part: str) -> str:
    assert recorded(part)
    return report(part, list(changed(part, said_now(part))))


SLOW = {"evaluate-mixed", "evaluate-options", "faults-formats", "commands"}
HERE = [pytest.param(part, marks=[pytest.mark.slow] * (part in SLOW)) for part in PARTS if part != "real"]


@pytest.mark.parametrize("part", HERE)
def test_nothing_has_changed(part):
    """Where a difference is wanted: python tests/net/record.py --accept "REASON" PART."""
    assert not differing(part)


@pytest.mark.slow
def test_nothing_has_changed_on_real_collections(collections):
    assert collections
    assert not differing("real")
