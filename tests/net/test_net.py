"""What was recorded of every door is what is said now: not one number, note or message differs."""

from __future__ import annotations

import pytest

from conftest import missing
from net.parts import PARTS
from net.record import changed, recorded, report, said_now


@pytest.mark.parametrize("part", PARTS)
def test_nothing_has_changed(part):
    """Where a difference is wanted: python tests/net/record.py --accept "REASON" PART."""
    try:
        now = said_now(part)
    except NotImplementedError as problem:
        missing(str(problem))
    found = list(changed(part, now))
    assert recorded(part)
    assert not found, "\n" + report(part, found)
