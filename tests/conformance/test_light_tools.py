"""Tools that install in a moment still print what the suite recorded of them."""

from __future__ import annotations

import importlib.util

import pytest

from conformance.settings import FOLDER
from conftest import missing

_SPEC = importlib.util.spec_from_file_location("conformance_check", FOLDER / "check.py")
check = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(check)


@pytest.mark.parametrize("name", check.scripts())
def test_a_tool_prints_what_was_recorded(name):
    module = check.load(name)
    if module is None:
        missing(f"{name} is not installed")
    for tool in module.TOOLS:
        compared, found = check.differences(module, tool)
        assert compared > 50
        assert not found


def test_a_value_that_changed_is_found(monkeypatch):
    module = check.load("pytrec_eval")
    kept = module.measures
    monkeypatch.setattr(module, "measures", lambda case, tool: {**kept(case, tool), "AP": lambda: 0.123})
    assert check.differences(module, "pytrec_eval")[1]
