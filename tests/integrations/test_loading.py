"""Nothing is loaded before it is used, and the files stay thin."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from rankgauge import integrations

ROOT = Path(__file__).parents[2]
LIBRARIES = {"lightgbm", "xgboost", "sklearn", "sentence_transformers", "ir_measures", "pyterrier", "mlflow", "pytest"}


def loaded_after(statement):
    code = f"import sys; {statement}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_the_package_loads_no_library_and_nothing_heavy():
    assert not loaded_after("from rankgauge import integrations; dir(integrations)") & (LIBRARIES | {"numpy", "polars"})


def test_the_metrics_for_training_load_numpy_alone():
    call = "from rankgauge.integrations import lightgbm, xgboost; lightgbm('nDCG@10'); xgboost('AP')"
    assert not loaded_after(call) & (LIBRARIES | {"polars", "scipy"})


def test_the_plugin_costs_a_test_run_nothing_until_its_fixture_is_used():
    assert not loaded_after("import rankgauge.integrations.pytest_plugin") & {"numpy", "polars", "scipy"}


@pytest.mark.parametrize("name", integrations.__all__)
def test_every_adapter_has_its_own_thin_file(name):
    assert getattr(integrations, name).__name__ == name
    assert getattr(integrations, name).__doc__
    home = Path(import_module(getattr(integrations, name).__module__).__file__)
    assert len(home.read_text().splitlines()) < 100


def test_names_are_these_and_no_others():
    assert sorted(integrations._HOMES) == sorted(dir(integrations)) == sorted(integrations.__all__)
    with pytest.raises(AttributeError, match="catboost"):
        integrations.catboost  # noqa: B018 - the look-up is the test


def test_pytest_finds_the_plugin():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (home,) = project["entry-points"]["pytest11"].values()
    assert import_module(home).rankgauge_gate
