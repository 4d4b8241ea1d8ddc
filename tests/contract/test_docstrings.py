"""Examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import rankgauge


def modules():
    for found in pkgutil.walk_packages(rankgauge.__path__, "rankgauge."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def test_every_example_prints_what_it_shows():
    results = [doctest.testmod(module) for module in modules()]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) > 0
