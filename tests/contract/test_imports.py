"""What loads when, and who may import whom."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = {"polars", "scipy", "click", "rich", "pandas", "pyarrow", "pyspark", "altair", "jinja2"}


def loaded_after(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_loads_nothing_heavy():
    assert loaded_after("import rankgauge") & HEAVY == set()


def test_a_call_on_dicts_needs_numpy_alone():
    call = 'import rankgauge; rankgauge.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}, "nDCG@10 AP RR").mean()'
    assert loaded_after(call) & HEAVY == set()


def test_a_first_score_leaves_to_later_what_it_does_not_need():
    toy = '{"q": {"a": 1}}, {"q": {"a": 1.0, "b": 0.5}}, "nDCG@10"'
    code = f"import rankgauge; rankgauge.evaluate({toy}).mean(); import sys; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    late = "data.columns evaluation.means measures.other_names"
    assert {f"rankgauge.{name}" for name in [*late.split(), "tables.table"]} & set(out) == set()
    assert "rankgauge.measures.grammar" in out


def test_an_option_is_refused_before_anything_is_loaded():
    code = "import rankgauge\ntry: rankgauge.compare(None, None, confidence=2)\nexcept ValueError: pass"
    assert {"numpy", "scipy", "polars"} & loaded_after(f"exec({code!r})") == set()


def test_importing_changes_nothing_in_the_host_process():
    state = "(gc.isenabled(), gc.get_freeze_count(), gc.get_threshold(), signal.getsignal(signal.SIGINT))"
    code = f"import gc, signal; before = {state}; import rankgauge; rankgauge.evaluate({{}}, {{}}, 'AP') if 0 else rankgauge.Scores; print(before == {state})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "True\n"


def test_help_loads_click_and_nothing_heavier():
    assert loaded_after("from rankgauge.cli.main import cli; cli(['--help'], standalone_mode=False)") & HEAVY == {
        "click"
    }


@pytest.mark.parametrize(
    ("module", "wrong"),
    [
        ("kernels/curves.py", "import rankgauge.evaluation.scores"),
        ("data/policy.py", "import rankgauge.measures.measure"),
        ("measures/other_names.py", "import polars"),
        ("tables/notes.py", "import rankgauge.tables.table"),
    ],
)
def test_a_wrong_import_breaks_a_contract(tmp_path, module, wrong):
    shutil.copytree(ROOT / "src", tmp_path / "src")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    broken = tmp_path / "src" / "rankgauge" / module
    text = broken.read_text().replace(
        "from __future__ import annotations\n", f"from __future__ import annotations\n{wrong}\n", 1
    )
    broken.write_text(text)
    tool = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    environment = {"PYTHONPATH": str(tmp_path / "src"), "PATH": "/usr/bin:/bin"}
    result = subprocess.run(tool, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stdout
    assert "BROKEN" in result.stdout


def test_the_library_is_free_of_print_and_assert():
    for path in (ROOT / "src").rglob("*.py"):
        for line in path.read_text().splitlines():
            assert not line.strip().startswith(("assert ", "print(")), path
