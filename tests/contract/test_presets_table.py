from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_table_of_presets_is_current():
    spec = importlib.util.spec_from_file_location("presets_table", ROOT / "tools" / "presets_table.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.PAGE.read_text(encoding="utf-8") == script.page(), "run: python tools/presets_table.py"
