"""Mutation testing: change the source a little, and see whether a test turns red.

`make mutants` runs all of it. One process loads rankgauge and its tests and is forked for every change, so that a mutant
costs its tests and nothing else: in the child, the code of the changed function is swapped, and the tests that run the
changed lines are tried, fastest first, until one fails. A change outside of functions is loaded by an import hook
instead. Nothing in src/ is touched. What is known not to matter is listed in explained.toml with the reason.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

for name in ("POLARS_MAX_THREADS", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"
sys.path.insert(0, str(Path(__file__).parents[1]))

from mutants.children import Found, run_cold, run_warm
from mutants.mutations import Mutant, mutants
from mutants.trace import KEPT, ROOT, SOURCE, Trace, keep, kept

EXPLAINED = Path(__file__).parent / "explained.toml"
LEFT = Path(__file__).parent / "left.txt"
FOUND = KEPT / "found.json"
DOCS = ROOT / "docs" / "robustness.md"
BEGIN, END = "<!-- mutants -->\n", "<!-- end of mutants -->\n"
VERDICTS = ("verdicts", "gate", "evidence", "simultaneous", "options", "ledger", "compare", "collections", "slices")
TARGETS = (
    "kernels/*.py",
    "analysis/compare/statistics/*.py",
    *(f"analysis/compare/{name}.py" for name in VERDICTS),
    "evaluation/intervals.py",
    "evaluation/columns.py",
    "data/policy.py",
)
FEWEST = 15  # mutants of a part in a sample


def targets() -> list[Path]:
    """The modules that are changed."""
    return [path for pattern in TARGETS for path in sorted(SOURCE.glob(pattern))]


def all_mutants(paths: Sequence[Path]) -> list[Mutant]:
    return [mutant for path in paths for mutant in mutants(str(path.relative_to(SOURCE)), path.read_text())]


def sampled(found: list[Mutant], share: int, seed: int, fewest: int = FEWEST) -> list[Mutant]:
    """One of so many in every module, by a seed alone: whatever else is tried, and part of any larger sample.

    Of parts with few mutants a larger share is taken, so that each has `fewest` if there are that many.
    """
    groups: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in sorted(found, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.id}".encode()).digest()):
        groups[mutant.module].append(mutant)
    parts = Counter(part_of(mutant.module) for mutant in found)
    shares = {module: min(share, max(1, parts[part_of(module)] // fewest)) for module in groups}
    chosen = {mutant.id for module, group in groups.items() for mutant in group[: -(-len(group) // shares[module])]}
    return [mutant for mutant in found if mutant.id in chosen]


def part_of(module: str) -> str:
    """A row of the table: a folder, or a module of what decides verdicts."""
    folder = module.rpartition("/")[0]
    return module if folder == "analysis/compare" else folder


def explanations() -> dict[str, str]:
    """Reasons why a mutant cannot or should not be told from the original; `-> *` is every change of a place."""
    reasons = tomllib.loads(EXPLAINED.read_text())
    return {f"{module}: {name}": reason for module, names in reasons.items() for name, reason in names.items()}


def explained(mutant: Mutant, reasons: dict[str, str]) -> bool:
    return mutant.id in reasons or f"{mutant.id.rpartition(' -> ')[0]} -> *" in reasons


def tried(chosen: Sequence[Mutant], jobs: int, seconds: float) -> dict[str, Found]:
    """What became of every mutant; what no test runs has survived."""
    trace = Trace.of(targets(), jobs)
    plans = {mutant.id: trace.tests(mutant, seconds) for mutant in chosen}
    found = {mutant.id: Found("survived") for mutant in chosen if not plans[mutant.id].tests}
    left = [mutant for mutant in chosen if plans[mutant.id].tests]
    found |= run_cold([mutant for mutant in left if mutant.function is None], plans, jobs, SOURCE)
    remember(found)
    return found | run_warm([mutant for mutant in left if mutant.function is not None], plans, jobs, SOURCE, remember)


def remember(found: dict[str, Found]) -> None:
    """For later runs, as long as the module stays as it is."""
    digests = {str(path.relative_to(SOURCE)): _digest(str(path.relative_to(SOURCE))) for path in targets()}
    keep(FOUND, kept(FOUND) | {name: [*one, digests[name.partition(": ")[0]]] for name, one in found.items()})


def tried_before(chosen: Sequence[Mutant], *, survived: bool = False) -> dict[str, Found]:
    """What an earlier run killed in modules that have not changed since; what survived only if that is asked for."""
    digests = {mutant.module: _digest(mutant.module) for mutant in chosen}
    known = kept(FOUND)
    same = {
        mutant.id: known[mutant.id] for mutant in chosen if known.get(mutant.id, [""])[-1] == digests[mutant.module]
    }
    return {name: Found(*values[:2]) for name, values in same.items() if survived or values[0] != "survived"}


def _digest(module: str) -> str:
    return hashlib.sha256((SOURCE / module).read_bytes()).hexdigest()[:16]


def table(chosen: Sequence[Mutant], found: dict[str, Found], reasons: dict[str, str]) -> str:
    """One row per folder, and per module of what decides verdicts: the score leaves out what is explained."""
    rows: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for mutant in chosen:
        killed, known = found[mutant.id].outcome != "survived", explained(mutant, reasons)
        marks = (True, killed, known and not killed, not known and not killed)
        for part in (part_of(mutant.module), "all"):
            rows[part] = [one + mark for one, mark in zip(rows[part], marks, strict=True)]
    lines = ["| part | mutants | killed | explained | survivors | score |", "| --- | --- | --- | --- | --- | --- |"]
    for part in sorted(rows, key=lambda part: (part == "all", part)):
        total, killed, known, left = rows[part]
        score = f"{killed / (total - known):.1%}" if total > known else "-"
        lines.append(f"| {part} | {total} | {killed} | {known} | {left} | {score} |")
    return "\n".join(lines)


def write(shown: str, left: Sequence[str], sample: int, seed: int) -> None:
    """The table in the documentation, and beside this file what is left."""
    LEFT.write_text("".join(f"{line}\n" for line in left), encoding="utf-8")
    chosen = (
        "Every mutant:"
        if sample == 1
        else f"One mutant in {sample} of each module, and {FEWEST} or more of each part (seed {seed}):"
    )
    before, _, rest = DOCS.read_text(encoding="utf-8").partition(BEGIN)
    DOCS.write_text(f"{before}{BEGIN}{chosen}\n\n{shown}\n{END}{rest.partition(END)[2]}", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--module", default="", help="beginnings of paths, such as kernels/hits.py,data/")
    parser.add_argument("--sample", type=int, default=1, help="try one mutant of so many in each module")
    parser.add_argument("--seed", type=int, default=29, help="seed of the sample")
    parser.add_argument("--jobs", type=int, default=2, help="mutants tried at the same time")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time of the tests that a mutant meets")
    parser.add_argument("--keep", action="store_true", help="do not try again what an earlier run killed")
    parser.add_argument("--shown", action="store_true", help="try none: show what earlier runs found")
    parser.add_argument("--write", action="store_true", help="write the table of docs/robustness.md")
    chosen = parser.parse_args(arguments)
    start, reasons = time.monotonic(), explanations()
    begins = tuple(chosen.module.split(","))
    everything = sampled(all_mutants(targets()), chosen.sample, chosen.seed)
    listed = [mutant for mutant in everything if mutant.module.startswith(begins)]
    found = tried_before(listed, survived=chosen.shown) if chosen.keep or chosen.shown else {}
    if not chosen.shown:
        found |= tried([mutant for mutant in listed if mutant.id not in found], chosen.jobs, chosen.seconds)
    if len(found) < len(listed):
        print(f"{len(found)} of {len(listed)} mutants were tried")
        listed = [mutant for mutant in listed if mutant.id in found]
    remember({mutant.id: found[mutant.id] for mutant in listed})
    survivors = [mutant for mutant in listed if found[mutant.id].outcome == "survived"]
    left = [mutant.id for mutant in survivors if not explained(mutant, reasons)]
    print("\n".join(["left:", *left]))
    killed = {mutant.id for mutant in listed} - {mutant.id for mutant in survivors}
    for name_of_killed in sorted(killed & reasons.keys()):
        print(f"explained, but killed: {name_of_killed}")
    shown = table(listed, found, reasons)
    print(shown)
    if chosen.write and not chosen.module:
        write(shown, left, chosen.sample, chosen.seed)
    print(f"{len(listed)} mutants in {(time.monotonic() - start) / 60:.0f} minutes")
    return 1 if killed & reasons.keys() else 0


if __name__ == "__main__":
    sys.exit(main())
