"""Tools that install in a moment still print what the suite recorded of them."""

from __future__ import annotations

import importlib.util

import pytest

from conformance.settings import FOLDER
from conftest import missing

_SPEC = importlib.util.spec_from_file_location("conformance_check", FOLDER / "check.py")
check = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(check)


LIGHT = ("pytrec_eval", "ir_measures", "sklearn", "lightgbm", "xgboost")


@pytest.mark.parametrize("name", LIGHT)
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


def test_every_tool_that_was_run_has_a_script():
    known = {tool for tool, facts in check.read("tools").items() if facts["how"] == "run"}
    text = "".join(path.read_text(encoding="utf-8") for path in check.scripts().values())
    made = {
        "trec_eval-9",
        "trec_eval-9-c",
        "trec_eval-10",
        "trec_eval-10-c",
    }  # composed from the releases that are there
    without = {tool for tool in known - made if f'"{tool}"' not in text}
    assert without == {"quepid", "quepid-ndcg_cut", "quepid-2020-09", "quepid-2020-12"}  # its scorers run in its server


def test_a_tool_that_is_not_installed_is_named_with_its_package(tmp_path, monkeypatch, capsys):
    script = tmp_path / "nowhere.py"
    script.write_text('import no_such_tool\n\nPACKAGE = "no-such-tool"\n')
    monkeypatch.setattr(check, "scripts", lambda: {"nowhere": script})
    assert check.main(["nowhere"]) == 1
    assert "pip install no-such-tool" in capsys.readouterr().out
