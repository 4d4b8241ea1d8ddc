"""Mutants in forked children: limited in time and memory, and gone at the first red test."""

from __future__ import annotations

import gc
import importlib
import importlib.abc
import importlib.machinery
import math
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, settings

from mutants.mutations import Mutant

MEMORY = 12 * 2**30
SLACK = 2  # seconds of processor time beyond twice that of its tests, after which a mutant that runs on is killed
COLD_FILES, COLD = 4, 20  # files of tests, and seconds to collect them
FAULT = 70  # how a child ends that could not try its mutant
QUIET = ("-qq", "--no-header", "--no-summary", "-W", "ignore::pytest.PytestAssertRewriteWarning")
PLUGINS = ("-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:pytest_cov")


class Planned(NamedTuple):
    """The tests that a mutant meets, in this order, and the processor time that they take."""

    tests: list[str]
    seconds: float

    @property
    def limit(self) -> int:
        return math.ceil(2.0 * self.seconds) + SLACK


Plans = dict[str, Planned]
Keep = Callable[[dict[str, "Found"]], None]


class Found(NamedTuple):
    """What became of a mutant, and the test that killed it."""

    outcome: str
    by: str = ""


class Given:
    """A plugin of pytest: Hypothesis takes the same few examples every time, and does not simplify what fails."""

    def pytest_collection(self) -> None:
        settings.register_profile(
            "mutants",
            parent=settings.get_profile("rankgauge"),
            max_examples=30,
            derandomize=True,
            database=None,
            phases=(Phase.explicit, Phase.generate),
        )
        settings.load_profile("mutants")


class FirstFailure:
    """A plugin of pytest that ends the process as soon as a test fails, and leaves its name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
            self.leave(item.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.leave(report.nodeid)

    def leave(self, name: str) -> None:
        (self.folder / "by").write_text(name)
        os._exit(1)


def pytest_with(arguments: Sequence[str], *plugins: object) -> int:
    return pytest.main([*QUIET, "-m", "not slow", *PLUGINS, *arguments], [Given(), *plugins])


class Warm:
    """A plugin of pytest: collects the tests once, and forks for every mutant."""

    def __init__(self, mutants: Sequence[Mutant], plans: Plans, jobs: int, source: Path, keep: Keep) -> None:
        self.mutants, self.plans, self.jobs, self.source, self.keep = mutants, plans, jobs, source, keep
        self.texts = {mutant.module: (source / mutant.module).read_text() for mutant in mutants}
        self.found: dict[str, Found] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        _load(*(_name(module) for module in self.texts))
        functions = _functions(self.source)
        gc.collect()
        gc.freeze()
        work = {}
        for mutant in self.mutants:
            tests = [items[name] for name in self.plans[mutant.id].tests if name in items]
            work[mutant.id] = lambda folder, mutant=mutant, tests=tests: self.run(mutant, tests, functions, folder)
        for name, found in in_children(work, self.jobs, {name: self.plans[name].limit for name in work}):
            self.found[name] = found
            if found.outcome == "survived":
                print(f"survived: {name}", flush=True)
            if len(self.found) % 50 == 0:
                self.keep(self.found)  # so that a run that is ended loses little
        return True

    def run(self, mutant: Mutant, tests: list[pytest.Item], functions: dict[Any, list[Any]], folder: Path) -> None:
        """In the child."""
        path = str(self.source / mutant.module)
        changed = compile(mutant.tree(self.texts[mutant.module]), path, "exec")
        for function in functions[path, *mutant.function]:  # type: ignore[misc]
            function.__code__ = _code(changed, *mutant.function)  # type: ignore[misc]
        manager = tests[0].config.pluginmanager
        manager.unregister(name="terminalreporter")
        manager.register(FirstFailure(folder))
        for test, following in zip(tests, [*tests[1:], None], strict=True):
            test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)


def run_warm(mutants: Sequence[Mutant], plans: Plans, jobs: int, source: Path, keep: Keep) -> dict[str, Found]:
    """Mutants inside functions, whose code is swapped in a process that has everything loaded."""
    files = sorted({name.partition("::")[0] for mutant in mutants for name in plans[mutant.id].tests})
    warm = Warm(mutants, plans, jobs, source, keep)
    if mutants:
        pytest_with(files, warm)
    return warm.found


def run_cold(mutants: Sequence[Mutant], plans: Plans, jobs: int, source: Path) -> dict[str, Found]:
    """Mutants outside of functions: constants and defaults, loaded anew in every child, with tests of few files."""
    _load()
    work = {}
    for mutant in mutants:
        files = list(dict.fromkeys(name.partition("::")[0] for name in plans[mutant.id].tests))[:COLD_FILES]
        tests = [name for name in plans[mutant.id].tests if name.partition("::")[0] in files]
        work[mutant.id] = lambda folder, mutant=mutant, tests=tests: _cold(mutant, tests, source, folder)
    return dict(in_children(work, jobs, {name: COLD + plans[name].limit for name in work}))


def _load(*modules: str) -> None:
    """What every child would load, and what is changed in it: much of rankgauge is loaded when it is first needed."""
    for name in ("numpy", "polars", "scipy.special", "scipy.stats", *modules):
        importlib.import_module(name)


def _name(module: str) -> str:
    return f"rankgauge.{module.removesuffix('.py').replace('/', '.')}"


def _cold(mutant: Mutant, tests: list[str], source: Path, folder: Path) -> None:
    """In the child. A module that cannot be loaded ends it, too.

    Plain assertions: what rewrites them would load rankgauge, which is a plugin of pytest, past the change.
    """
    sys.meta_path.insert(0, Changed(mutant, source))
    if pytest_with(["--assert=plain", *tests], FirstFailure(folder)):
        os._exit(1)


class Changed(importlib.abc.MetaPathFinder):
    """Loads one module with a change."""

    def __init__(self, mutant: Mutant, source: Path) -> None:
        self.mutant, self.path = mutant, source / mutant.module
        self.name = _name(mutant.module)

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        if fullname != self.name:
            return None
        tree = self.mutant.tree(self.path.read_text())
        loader = importlib.machinery.SourceFileLoader(fullname, str(self.path))
        loader.get_code = lambda _: compile(tree, str(self.path), "exec")  # type: ignore[method-assign,assignment]
        return spec_from_file_location(fullname, self.path, loader=loader)


def in_children(
    work: dict[str, Callable[[Path], None]], jobs: int, limits: dict[str, int]
) -> Iterator[tuple[str, Found]]:
    """Each piece of work in a child of its own, so many at a time; whatever does not end well is killed."""
    waiting, running = list(reversed(work.items())), {}
    start, done = time.monotonic(), 0
    while waiting or running:
        while waiting and len(running) < jobs:
            name, task = waiting.pop()
            folder = Path(tempfile.mkdtemp(prefix="mutant-"))
            running[_forked(task, folder, limits[name])] = name, folder, time.monotonic() + 60 * limits[name]
        process, status = os.waitpid(-1, os.WNOHANG)
        if process == 0:
            time.sleep(0.002)
            for late in [late for late, (_, _, end) in running.items() if time.monotonic() > end]:
                with suppress(ProcessLookupError):
                    os.kill(late, signal.SIGKILL)
            continue
        name, folder, _ = running.pop(process)
        by = (folder / "by").read_text() if (folder / "by").exists() else ""
        shutil.rmtree(folder, ignore_errors=True)
        done += 1
        if done % 100 == 0 or not (waiting or running):
            print(f"{done} of {len(work)}, {(time.monotonic() - start) / 60:.1f} min", flush=True)
        code = os.waitstatus_to_exitcode(status)
        if code == FAULT:
            raise SystemExit(f"{name}\ncould not be tried; MUTANTS_SHOWN=1 shows why")
        yield name, Found("survived" if code == 0 else "killed" if code == 1 else f"ended by {code}", by)


def _forked(task: Callable[[Path], None], folder: Path, limit: int) -> int:
    process = os.fork()
    if process:
        return process
    code = FAULT
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.environ["PYTEST_DEBUG_TEMPROOT"] = os.environ["TMPDIR"] = str(folder)
        tempfile.tempdir = str(folder)
        if "MUTANTS_SHOWN" not in os.environ:
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
        task(folder)
        code = 0
    except BaseException:  # noqa: BLE001 - whatever it is, the parent must not go on twice
        traceback.print_exc()
    finally:
        os._exit(code)


def _functions(source: Path) -> dict[tuple[str, str, int], list[Any]]:
    """Every function that is loaded from the source, by file, qualified name and first line."""
    found: dict[tuple[str, str, int], list[Any]] = {}
    for function in gc.get_objects():
        if isinstance(function, types.FunctionType) and function.__code__.co_filename.startswith(str(source)):
            code = function.__code__
            found.setdefault((code.co_filename, code.co_qualname, code.co_firstlineno), []).append(function)
    return found


def _code(module: types.CodeType, name: str, line: int) -> types.CodeType:
    """The code of a function inside that of its module."""
    left = [module]
    while left:
        code = left.pop()
        if (code.co_qualname, code.co_firstlineno) == (name, line):
            return code
        left += [inner for inner in code.co_consts if isinstance(inner, types.CodeType)]
    raise LookupError(name)
