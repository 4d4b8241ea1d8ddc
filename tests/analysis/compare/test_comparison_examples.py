import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["compare.gate", "compare.statistics.power"])
def test_the_examples_in_docstrings_run(name):
    result = doctest.testmod(importlib.import_module(f"rankgauge.analysis.{name}"))
    assert result.attempted > 0
    assert result.failed == 0
