"""Fixtures that every folder of tests may use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Where CI=true the examples are the same every time: a red build must be one that anybody can repeat.
settings.register_profile(
    "rankgauge", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=os.environ.get("CI") == "true"
)
settings.load_profile("rankgauge")


def missing(reason: str) -> None:
    """Skip on a developer's machine; fail where CI=true, so that nothing optional breaks unseen."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (and CI needs it)")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def collections() -> Path:
    """The folder of real collections that RANKGAUGE_DATA names."""
    folder = os.environ.get("RANKGAUGE_DATA")
    if not folder:
        missing("RANKGAUGE_DATA is not set: it names the folder of real collections")
    elif not Path(folder).is_dir():
        pytest.fail(f"RANKGAUGE_DATA={folder} is not a folder")
    return Path(str(folder))
