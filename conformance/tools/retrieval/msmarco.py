"""The script of MS MARCO's ranking task, ms_marco_eval.py; MSMARCO_EVAL names it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

from given import Case, lists, program

PATH = program("MSMARCO_EVAL", "https://github.com/microsoft/MSMARCO-Passage-Ranking, ms_marco_eval.py")
TOOLS = ("msmarco-script",)
VERSION = "ms_marco_eval.py"


def measures(case: Case, _tool: str) -> dict[str, Callable[[], float]]:
    given = [one for one in lists(case) if one.relevant]
    names = dict.fromkeys(d for one in given for d in (*one.documents, *one.grades))
    number = {name: at for at, name in enumerate(names, 1)}
    relevant = {at: [number[name] for name in one.relevant] for at, one in enumerate(given)}
    ranked = {
        at: [number[name] for name in one.documents] + [0] * (1000 - len(one.documents)) for at, one in enumerate(given)
    }

    def value() -> float:
        script = _loaded()
        script.MaxMRRRank = case["k"]
        return script.compute_metrics(relevant, ranked)["MRR @10"]

    return {"RR@k": value}


def _loaded() -> Any:
    spec = importlib.util.spec_from_file_location("ms_marco_eval", PATH)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{PATH} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
