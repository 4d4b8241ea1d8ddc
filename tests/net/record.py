"""What rankgauge says on some thousand cases, recorded as data, and compared with what it says now.

    python tests/net/record.py                                 # the parts, with their numbers of cases
    python tests/net/record.py --check [PART…]                 # what differs; a part may be given by its beginning
    python tests/net/record.py --show "CASE" [PART…]           # what a case asks, what is recorded, what is said now
    python tests/net/record.py --accept "REASON" [PART…]       # record what is said now where it differs
    python tests/net/record.py --add [PART…]                   # record cases that are new, and nothing else
    python tests/net/record.py --fold                          # what was accepted becomes part of the record
    --cases TEXT                                               # only cases whose name has this text
    --against SRC --collections 20000                          # random collections that nobody recorded, beside another tree

The code of this checkout is asked, unless PYTHONPATH names another.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
if __name__ == "__main__":
    sys.path[:] = [str(HERE.parent), *(path for path in sys.path if path != str(HERE))]
    if not os.environ.get("PYTHONPATH"):
        sys.path.insert(0, str(HERE.parents[1] / "src"))

from net import evaluated, real
from net.parts import PARTS
from net.said import Case, differences, outcome

DATA = HERE / "data"
CHANGES = HERE / "changes.md"
Record = dict[str, Any]


def files_of(part: str) -> list[Path]:
    """The record of a part, and then what was accepted since, in order."""
    return [DATA / f"{part}.jsonl.xz", *sorted(DATA.glob(f"{part}.[0-9]*.jsonl.xz"))]


def recorded(part: str) -> Record:
    """Each case's name with what was said of it."""
    found: Record = {}
    for path in files_of(part):
        if path.exists():
            found.update(_lines(path))
    return {name: said for name, said in found.items() if said is not None}


def _lines(path: Path) -> Iterator[tuple[str, Any]]:
    for line in lzma.decompress(path.read_bytes()).decode().splitlines():
        yield tuple(json.loads(line))


def write(path: Path, cases: Record) -> None:
    text = "".join(json.dumps([name, said], ensure_ascii=False) + "\n" for name, said in cases.items())
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(lzma.compress(text.encode("utf-8", "surrogatepass"), preset=9))


def said_now(part: str, only: str = "") -> Record:
    """Each case's name with what is said of it now."""
    return _outcomes(case for case in PARTS[part]() if only in case.name)


def _outcomes(cases: Iterable[Case]) -> Record:
    """In a folder of its own."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        try:
            return {case.name: outcome(case, folder) for case in cases}
        finally:
            os.chdir(before)


def beside(source: str, collections: int) -> Iterator[tuple[str, list[str]]]:
    """Random collections of which the package in `source` says something else, thousand by thousand."""
    first = 1400  # those before are recorded
    for start in range(first, first + collections, 1000):
        numbers = range(start, min(start + 1000, first + collections))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "said"
            asked = [sys.executable, __file__, "--drawn", str(numbers.start), str(numbers.stop), str(path)]
            subprocess.run(asked, env=os.environ | {"PYTHONPATH": source}, check=True)
            then = dict(_lines(path))
        yield from changed("evaluate-mixed", _outcomes(evaluated.mixed(numbers)), then=then)


def changed(part: str, now: Record, only: str = "", then: Record | None = None) -> Iterator[tuple[str, list[str]]]:
    """Cases of which something else is said now, each with its differences in words."""
    if then is None:
        then = {name: said for name, said in recorded(part).items() if only in name}
    for name in dict.fromkeys([*then, *now]):
        if name not in then:
            yield name, ["a new case"]
        elif name not in now:
            yield name, ["the case is gone"]
        elif found := differences(then[name], now[name], is_exact=not part.startswith(("analysis", "command", "real"))):
            yield name, found


def report(part: str, found: list[tuple[str, list[str]]], shown: int = 8) -> str:
    lines = [f"{part}: {len(found)} cases differ"] if found else []
    for name, words in found[:shown]:
        lines += [f"  {name}", *(f"      {word}" for word in words[:4])]
        lines += [f"      … and {len(words) - 4} more differences"] * (len(words) > 4)
    lines += [f"  … and {len(found) - shown} more: " + "; ".join(name for name, _ in found[shown : shown + 12])] * (
        len(found) > shown
    )
    return "\n".join(lines)


def accept(part: str, now: Record, found: list[tuple[str, list[str]]], reason: str) -> None:
    number = len(files_of(part))
    slug = re.sub(r"\W+", "-", reason.lower()).strip("-")[:40]
    write(DATA / f"{part}.{number:03}-{slug}.jsonl.xz", {name: now.get(name) for name, _ in found})
    cases = "1 case" if len(found) == 1 else f"{len(found)} cases"
    example = " ".join(f"{found[0][0]}: {found[0][1][0]}".split())
    with CHANGES.open("a") as file:
        file.write(f"- **{part}**, {cases}: {reason.rstrip('.')}. E.g. `{example[:300].replace('`', chr(39))}`\n")


def add(part: str, now: Record) -> None:
    """Record what is said of new cases; what is recorded of others stays."""
    base = files_of(part)[0]
    known = recorded(part)
    first = dict(_lines(base)) if base.exists() else {}
    write(base, first | {name: said for name, said in now.items() if name not in known})


def show(part: str, name: str) -> bool:
    """One case in full; whether the part has it."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.chdir(folder)
        case: Case | None = next((case for case in PARTS[part]() if case.name == name), None)
        if case is not None:
            now, then = outcome(case, folder), recorded(part).get(name)
            print(f"{part}: {name}\nasked: {case.asked()}\nrecorded: {json.dumps(then, indent=1, ensure_ascii=False)}")
            print("now:", "the same" if now == then else json.dumps(now, indent=1, ensure_ascii=False))
        os.chdir(HERE)
    return case is not None


def fold() -> None:
    for part in PARTS:
        base, *later = files_of(part)
        if later:
            write(base, recorded(part))
            for path in later:
                path.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*")
    for name in ("check", "add", "fold"):
        parser.add_argument(f"--{name}", action="store_true")
    for name in ("accept", "show", "cases", "against"):
        parser.add_argument(f"--{name}", default="")
    parser.add_argument("--collections", type=int, default=20_000)
    parser.add_argument("--drawn", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.drawn:
        first, last, path = given.drawn
        write(Path(path), _outcomes(evaluated.mixed(range(int(first), int(last)))))
        return 0
    if given.against:
        differing = list(beside(given.against, given.collections))
        print(report("random collections", differing, shown=1000) or f"{given.collections:,} random collections: equal")
        return int(bool(differing))
    parts = [part for part in PARTS if not given.parts or part.startswith(tuple(given.parts))]
    if given.fold:
        fold()
        return 0
    if given.show:
        return 0 if any(show(part, given.show) for part in parts) else 2
    if not (given.check or given.accept or given.add):
        for part in PARTS:
            size = sum(path.stat().st_size for path in files_of(part) if path.exists())
            print(f"{part:20} {len(recorded(part)):6,} cases {size / 1000:8,.0f} kB")
        return 0
    differ = False
    for part in parts:
        if part == "real" and not real.data().is_dir():
            print("real: left out, because RANKGAUGE_DATA names no folder")
            continue
        start = time.process_time()
        now = said_now(part, given.cases)
        if given.add:
            add(part, now)
        found = list(changed(part, now, given.cases))
        took = time.process_time() - start
        print(report(part, found) or f"{part}: {len(now):,} cases as recorded", f"({took:.1f} s)", flush=True)
        differ = differ or bool(found)
        if given.accept and found:
            accept(part, now, found, given.accept)
    return int(differ and not given.accept)


if __name__ == "__main__":
    sys.exit(main())
