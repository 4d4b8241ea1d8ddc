"""Which tests run which lines, and how long they take: measured once, and again for test files where either changed."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import coverage
import pytest

from mutants.children import Planned, in_children, pytest_with
from mutants.mutations import Mutant

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "rankgauge"
KEPT = ROOT / ".mutants"
TESTS = (
    "kernels",
    "analysis/compare",
    "data/test_policy.py",
    "analysis/test_gate.py",
    "analysis/test_ideals.py",
    "evaluation/test_[adeimpsu]*.py",
    "laws/test_[tv]*.py",
    "conformance/test_conventions.py",
    "peers/test_scipy_statistics.py",
)
PROTOCOL = 0.002  # seconds that pytest itself takes for a test
ABOUT = 0.4  # of the lines that a test runs, when it is about a module
LONGEST = 2.0  # seconds of processor time; what takes longer tries no mutants


class Timed(NamedTuple):
    """A test that passes: its processor time, and the lines of each module that it runs."""

    seconds: float
    lines: dict[str, list[int]]


@dataclass(frozen=True)
class Trace:
    """What every test runs."""

    timed: dict[str, Timed]

    @classmethod
    def of(cls, paths: Sequence[Path], jobs: int) -> Trace:
        """Measured where a test file, or a module that it runs, has changed; the rest is kept."""
        sources = {str(path.relative_to(SOURCE)): _digest(path) for path in paths}
        files = [file for part in TESTS for file in _files(part)]
        keys = {file: KEPT / "trace" / f"{_digest(file)}.json" for file in files}
        left = [file for file, key in keys.items() if not sources.items() >= kept(key).get("sources", {"": ""}).items()]
        if left and (process := os.fork()):  # so that nothing of rankgauge is loaded here
            if os.waitpid(process, 0)[1]:
                raise SystemExit("the tests cannot be traced")
        elif left:
            code = 3
            try:
                code = pytest_with(map(str, left), Tracer({str(file): keys[file] for file in left}, sources, jobs))
            finally:
                os._exit(code)
        timed: dict[str, Timed] = {}
        for key in keys.values():
            timed |= {name: Timed(*values) for name, values in kept(key).get("tests", {}).items()}
        return cls(timed)

    @cached_property
    def ordered(self) -> dict[str, list[tuple[str, float, frozenset[int]]]]:
        """For each module its tests and the lines that they run: first those that are mostly about it; among these, one
        case of every parametrized test before the second of any; and the fastest first.
        """
        found: dict[str, list[tuple[tuple[bool, int, float], str, frozenset[int]]]] = defaultdict(list)
        cases = Counter[tuple[str, str]]()
        for name, (took, lines) in sorted(self.timed.items(), key=lambda item: (item[1].seconds, item[0])):
            everything = sum(map(len, lines.values()))
            for module, run in lines.items():
                cases[module, name.partition("[")[0]] += 1
                order = len(run) < ABOUT * everything, cases[module, name.partition("[")[0]], took
                found[module].append((order, name, frozenset(run)))
        return {
            module: [(name, order[2], run) for order, name, run in sorted(tests, key=itemgetter(0, 1))]
            for module, tests in found.items()
        }

    def tests(self, mutant: Mutant, seconds: float) -> Planned:
        """The tests that run the mutated lines (any of its module, outside of functions), up to a time."""
        chosen, total, changed = [], 0.0, frozenset(mutant.lines)
        for name, took, run in self.ordered.get(mutant.module, []):
            if (mutant.function is None or run & changed) and (total + took <= seconds or not chosen):
                chosen.append(name)
                total += took + PROTOCOL
        return Planned(chosen, total)


class Tracer:
    """A plugin of pytest that runs every test file in a child, and keeps what its tests ran."""

    def __init__(self, keys: dict[str, Path], sources: dict[str, str], jobs: int) -> None:
        self.keys, self.sources, self.jobs = keys, sources, jobs

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        groups: dict[str, list[pytest.Item]] = defaultdict(list)
        for item in session.items:
            groups[str(item.path)].append(item)
        work = {
            path: (lambda folder, path=path, items=items: self.trace(path, items)) for path, items in groups.items()
        }
        for path, found in in_children(work, self.jobs, dict.fromkeys(work, 120)):
            if found.outcome != "survived":
                raise SystemExit(f"{path} cannot be traced: {found.outcome}")
        for path in set(self.keys) - set(groups):
            keep(self.keys[path], {"sources": {}, "tests": {}})
        return True

    def trace(self, path: str, items: list[pytest.Item]) -> None:
        """In the child: the lines of each test by coverage's contexts, its time by the clock of the processor."""
        manager, failed = items[0].config.pluginmanager, Failures()
        manager.unregister(name="terminalreporter")
        manager.register(failed)
        measured = coverage.Coverage(
            data_file=None, config_file=False, include=[str(SOURCE / module) for module in self.sources]
        )
        took: dict[str, float] = {}
        signal.signal(signal.SIGVTALRM, _too_long)
        measured.start()
        for item, following in zip(items, [*items[1:], None], strict=True):
            if item.get_closest_marker("xfail") is None:
                measured.switch_context(item.nodeid)
                signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
                start = time.process_time()
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                took[item.nodeid] = round(time.process_time() - start, 4)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        measured.stop()
        lines = _lines_by_test(measured)
        passed = [name for name in took if name not in failed.names and took[name] <= LONGEST and name in lines]
        ran = {module for name in passed for module in lines[name]}
        tests = {name: [took[name], lines[name]] for name in passed}
        keep(self.keys[path], {"sources": {module: self.sources[module] for module in sorted(ran)}, "tests": tests})


class Failures:
    """Collects the tests that fail; one that takes too long does, too."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.names.add(report.nodeid)


def _too_long(*_: object) -> None:
    raise TimeoutError


def _lines_by_test(measured: coverage.Coverage) -> dict[str, dict[str, list[int]]]:
    with warnings.catch_warnings(action="ignore"):  # a file of tests may run none of the lines
        data = measured.get_data()
    lines: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for file in data.measured_files():
        module = str(Path(file).relative_to(SOURCE))
        for line, names in data.contexts_by_lineno(file).items():
            for name in names:
                lines[name][module].append(line)
    return lines


def _files(part: str) -> list[Path]:
    return sorted((ROOT / "tests").glob(part if part.endswith(".py") else f"{part}/**/test_*.py"))


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:24]


def kept(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text()) if path.exists() else {}


def keep(path: Path, found: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}")
    beside.write_text(json.dumps(found))
    beside.replace(path)
