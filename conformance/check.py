"""Run tools on the cases and hold what they print against the recorded values: python conformance/check.py [TOOL ...]

Without a name every tool that is installed is run. Ends with 1 if a value differs, and if a tool that was named is not
installed; --write records what was measured.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import math
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
SHOWN = 20
sys.path.insert(0, str(HERE))

from given import CannotGiveError, NotInstalledError, read  # noqa: E402 - the folder is no package


def scripts() -> dict[str, Path]:
    return {path.stem: path for path in sorted((HERE / "tools").glob("*/*.py"))}


def load(name: str) -> Any:
    """The script of a tool; None if the tool is not installed."""
    spec = importlib.util.spec_from_file_location(f"conformance_{name}", scripts()[name])
    if spec is None or spec.loader is None:
        raise SystemExit(f"{name} cannot be loaded")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as problem:
        package = re.search(r'^PACKAGE = "(.+)"', scripts()[name].read_text(encoding="utf-8"), re.MULTILINE)
        print(f"{name}: not installed ({problem.name} is missing); pip install {package[1] if package else name}")
        return None
    except NotInstalledError as problem:
        print(f"{name}: not installed: {problem}")
        return None
    return module


def measured(module: Any, tool: str, case: dict[str, Any]) -> dict[str, Any]:
    """What a tool says of a case; what it refuses is kept as the kind of error."""
    try:
        asked = module.measures(case, tool)
    except CannotGiveError as reason:
        return {"nDCG@k": {"not_given": str(reason)}}
    return {name: _said(one) for name, one in asked.items()}


def _said(one: Callable[[], float]) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = float(one())
    except Exception as problem:  # noqa: BLE001 - whatever a tool raises is what it does
        return {"refused": type(problem).__name__}
    return "nan" if math.isnan(value) else value


def tolerance(digits: str) -> float:
    """Half a unit of the last digit that a tool prints, or what its precision leaves."""
    if digits[0].isdigit():
        return 0.5 * 10.0 ** -int(digits.split(maxsplit=1)[0])
    return 1e-6 if digits.startswith("single") else 1e-9


def differences(module: Any, tool: str) -> tuple[int, list[str]]:
    """How many numbers were compared, and those that differ."""
    recorded, known = read("values")[tool], read("tools")[tool]
    compared, found = 0, []
    for case in read("cases"):
        if known["random_ties"] and case["decision"] == "ties":
            continue  # drawn by lot
        fresh = measured(module, tool, case)
        for name, value in recorded.get(case["id"], {}).items():
            now = fresh.get(name)
            if not isinstance(value, (int, float)) or name not in fresh:
                continue
            compared += 1
            if not isinstance(now, (int, float)) or abs(now - value) > tolerance(known["digits"]):
                found.append(f"{tool}, {case['id']}, {name}: recorded {value}, now {now}")
    return compared, found


def write(module: Any, tool: str) -> None:
    values = read("values")
    values[tool] = {case["id"]: measured(module, tool, case) for case in read("cases")}
    rows = ",\n".join(f" {json.dumps(name)}: {json.dumps(value)}" for name, value in values.items())
    (HERE / "values.json").write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=f"one of {', '.join(scripts())}")
    parser.add_argument("--write", action="store_true", help="record what was measured")
    given = parser.parse_args(arguments)
    unknown = [name for name in given.tools if name not in scripts()]
    if unknown:
        parser.error(f"no script for {unknown[0]}; there are {', '.join(scripts())}")
    failed = False
    for name in given.tools or scripts():
        module = load(name)
        failed |= module is None and name in given.tools
        for tool in module.TOOLS if module else ():
            if given.write:
                write(module, tool)
            compared, found = differences(module, tool)
            version = getattr(module, "VERSION", None) or importlib.metadata.version(module.PACKAGE)
            print(
                f"{tool} {version} (recorded {read('tools')[tool]['version']}): {compared} numbers, {len(found)} differ"
            )
            print(
                *found[:SHOWN],
                *([f"… and {len(found) - SHOWN:,} more"] if len(found) > SHOWN else []),
                sep="\n",
                end="\n" * bool(found),
            )
            failed |= bool(found)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
