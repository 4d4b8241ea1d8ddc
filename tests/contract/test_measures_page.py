"""docs/measures.md and CONTRIBUTING.md say what the code says."""

from __future__ import annotations

import importlib.util
import math
import re
from pathlib import Path
from typing import Any

import pytest

from kernels.examples import ranked
from rankgauge import evaluate
from rankgauge.measures import Measure, catalogue

ROOT = Path(__file__).parents[2]


def script():
    spec = importlib.util.spec_from_file_location("measures_page", ROOT / "tools" / "measures_page.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_about_measures_is_current():
    made = script().page()
    assert (ROOT / "docs" / "measures.md").read_text(encoding="utf-8") == made, "run: python tools/measures_page.py"


def test_every_measure_has_its_place_on_the_page():
    headings = re.findall(r"^### (\w+)", script().page(), re.MULTILINE)
    assert headings == [definition.name for definition in catalogue()]


def test_the_numbers_on_the_page_are_right():
    text = script().page()
    for rank in (2, 10, 100):
        assert f"{1 / math.log2(rank + 1):.4f} at " in text
    values = [9, 4, 4, 2, 2, 2, 1, 1, 1, 1]
    judged = {"q": {f"d{at}": value for at, value in enumerate(values)}}
    backwards = {"q": {f"d{at}": float(at) for at in range(10)}}
    assert f"{evaluate(judged, backwards, 'nDCG').values.item():.4f}" in text


def test_the_worked_example_of_adding_a_measure_works():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(block, names)  # noqa: S102 - the text is ours
    value = (Measure(names["definition"]) @ 3).compute(*ranked(0, 1, None, 0, unretrieved=(0, 0)))
    assert value.tolist() == [1 / 4]


@pytest.mark.parametrize("path", ["src/rankgauge/kernels/counting.py", "src/rankgauge/measures/catalogue.py"])
def test_the_two_files_that_contributing_names_exist(path):
    assert (ROOT / path).exists()
    assert path in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
