"""Coverage-guided fuzzing: inputs that reach new branches are kept and changed further (atheris, libFuzzer).

    python tests/fuzz/guided.py --seconds 60            every target for a minute
    python tests/fuzz/guided.py --target value --keep   one target; what reached new branches is kept

`make fuzz-guided` runs it. The first byte of an input says which form of file it is, the rest is its content. What was
kept is in tests/fuzz/guided, one input a line, and the tests try it in every packing.
"""

from __future__ import annotations

import argparse
import base64
import importlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("POLARS_MAX_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

KEPT = Path(__file__).parent / "guided"
LONGEST = 2048
READ = ("value", "score", "scores", "queries", "titles", "column", "columns", "relevance", "knots", "measure", "ledger")
TARGETS = (*READ, "text of measures", "rule", "policy", "names")


def kept(target: str) -> list[bytes]:
    path = KEPT / f"{target}.txt"
    return [base64.b64decode(line) for line in path.read_text().split()] if path.exists() else []


def forms(target: str) -> dict[str, bytes]:
    from fuzz.readers import originals

    return originals()[target]


def seeds(target: str) -> list[bytes]:
    """Where a search begins: one file of each form, or the texts that other tests know."""
    if target in READ:
        return [bytes([at]) + data for at, data in enumerate(forms(target).values())]
    if target == "names":
        from fuzz.run import NAMES

        return list(NAMES)
    from fuzz.texts import TEXTS

    return [text.encode() for text in TEXTS[target]]


def tried(target: str, folder: Path, tally: object, ways: tuple[str, ...] | None = None) -> Callable[[bytes], None]:
    """What looks at one input of a target."""
    from fuzz.files import WAYS, try_file
    from fuzz.names import try_names
    from fuzz.texts import try_text

    if target == "names":
        return lambda data: try_names(data, tally)
    if target not in READ:
        return lambda data: try_text(target, data, tally)
    names = list(forms(target))
    return lambda data: try_file(target, names[data[0] % len(names)], data[1:], folder, tally, ways or WAYS)


def search(target: str, folder: Path, options: list[str]) -> None:
    """In a process of its own: libFuzzer ends it. Failures are kept by the tally and printed."""
    import atheris

    for module in ("numpy", "polars"):  # other people's code is not what we look at
        importlib.import_module(module)
    with atheris.instrument_imports(include=["rankgauge"]):
        for module in ("rankgauge.evaluation.evaluate", "rankgauge.data.read.kind", "fuzz.files", "fuzz.names"):
            importlib.import_module(module)
    from fuzz.tally import Tally

    tally, told = Tally(), set[str]()
    look = tried(target, folder, tally, ("",))

    def one(data: bytes) -> None:
        if not data:
            return
        look(data)
        for failure in tally.failures:
            if (why := failure.partition(": ")[2][:40]) not in told:
                told.add(why)
                print(f"FAILED {failure}", flush=True)
        tally.failures.clear()

    atheris.Setup([sys.argv[0], *options], one)
    atheris.Fuzz()


def guided(target: str, seconds: int, *, keep: bool) -> list[str]:
    """Search for some seconds; what failed, each kind of failure once."""
    with tempfile.TemporaryDirectory() as place:
        found, small = Path(place) / "found", Path(place) / "small"
        for folder in (found, small, Path(place) / "files"):
            folder.mkdir()
        for at, data in enumerate(dict.fromkeys([*seeds(target), *kept(target)])):
            (found / f"seed-{at}").write_bytes(data)
        said = _child(target, place, [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=60", str(found)])
        runs = [line for line in said.splitlines() if line.startswith("stat::number_of_executed_units")]
        if keep:
            _child(target, place, ["-merge=1", f"-max_len={LONGEST}", str(small), str(found)])
            KEPT.mkdir(exist_ok=True)
            lines = sorted(base64.b64encode(path.read_bytes()).decode() for path in small.iterdir())
            (KEPT / f"{target}.txt").write_text("\n".join(lines) + "\n")
        count = len(list(small.iterdir() if keep else found.iterdir()))
    failures = [line for line in said.splitlines() if line.startswith("FAILED ")]
    print(
        f"{target}: {runs[0].split()[-1] if runs else '?'} inputs tried, {count} kept, {len(failures)} failures",
        flush=True,
    )
    if not runs:
        failures.append(f"FAILED {target}: the search broke off\n{said[-2000:]}")
    return failures


def _child(target: str, place: str, options: list[str]) -> str:
    words = [sys.executable, __file__, "--search", place, "--target", target, "--", "-print_final_stats=1", *options]
    ended = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return ended.stdout.decode(errors="replace")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", choices=TARGETS, action="append")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--keep", action="store_true", help="keep what reached new branches")
    parser.add_argument("--search", help=argparse.SUPPRESS)
    parser.add_argument("options", nargs="*", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.search:
        search(chosen.target[0], Path(chosen.search) / "files", chosen.options)
        return
    failures = [one for target in chosen.target or TARGETS for one in guided(target, chosen.seconds, keep=chosen.keep)]
    print(*failures, sep="\n")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
