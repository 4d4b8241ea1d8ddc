"""Fixtures that every folder of tests may use."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

import pytest
from hypothesis import HealthCheck, settings

# Where CI=true the examples are the same every time: a red build must be one that anybody can repeat.
settings.register_profile(
    "rankgauge", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=os.environ.get("CI") == "true"
)
settings.load_profile("rankgauge")


def missing(reason: str) -> NoReturn:
    """Skip on a developer's machine; fail where CI=true, so that nothing optional breaks unseen."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{reason} (and CI needs it)")
    pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def clean_folder() -> Iterator[None]:
    """What tests write goes into temporary folders: the folder that they run in has no new file at the end."""
    folder = Path.cwd()
    before = set(folder.iterdir())
    yield
    new = sorted(
        path.name for path in set(folder.iterdir()) - before if path.is_file() and not path.name.startswith(".")
    )
    assert not new, f"tests left {', '.join(new)} in {folder}"


NO_DATA = "RANKGAUGE_DATA is not set: it names the folder of real collections"
WITHOUT = "RANKGAUGE_DATA=none: this build does without the collections that may not be published"


@pytest.fixture(scope="session")
def collections() -> Path:
    """The folder of real collections that RANKGAUGE_DATA names; `none` says that a build does without them."""
    folder = os.environ.get("RANKGAUGE_DATA")
    if not folder:
        missing(NO_DATA)
    elif folder == "none":
        pytest.skip(WITHOUT)
    elif not Path(folder).is_dir():
        pytest.fail(f"RANKGAUGE_DATA={folder} is not a folder")
    return Path(str(folder))


class Files(NamedTuple):
    """A real collection."""

    judgments: Path
    runs: list[Path]


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """The collection that comes with the package, as `rankgauge example` writes it."""
    from rankgauge import examples

    folder = tmp_path_factory.mktemp("example")
    examples.load().save(folder)
    return Files(folder / "judgments.qrels", sorted((folder / "runs").iterdir()))


@pytest.fixture(scope="session", params=["example", "trec-covid"])
def real(request: pytest.FixtureRequest, example: Files) -> Files:
    """What holds on every real collection is tested on the one in the package and, where it is at hand, on TREC-COVID."""
    if request.param == "example":
        return example
    folder = request.getfixturevalue("collections") / "trec-covid-round3"
    return Files(folder / "qrels.txt.gz", sorted((folder / "runs").glob("*.gz")))


PROGRAMS = {
    "chromium": (
        ("chromium", "chromium-browser", "google-chrome"),
        "Chromium is not installed: `make system` installs Debian's",
    ),
    "node": (("node",), "Node is not installed: `make system` installs Debian's"),
    "pdflatex": (("pdflatex",), "pdflatex is not installed: `make system` installs Debian's"),
}


def program(name: str) -> str:
    """Where a program is, under one of the names it has."""
    names, reason = PROGRAMS[name]
    return next(filter(None, map(shutil.which, names)), None) or missing(reason)


@pytest.fixture(scope="session")
def node() -> str:
    return program("node")


@pytest.fixture(scope="session")
def pdflatex() -> str:
    return program("pdflatex")


def lacking(item: pytest.Item) -> str:
    """What a test needs that this machine has not: data, or a program that is not a Python package."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    needs = {*getattr(item, "fixturenames", ()), parameters.get("real"), parameters.get("real_scores")}
    needs_data = bool(needs & {"collections", "trec-covid", "trec-web"})
    if needs_data and os.environ.get("RANKGAUGE_DATA") == "none":
        return WITHOUT
    if os.environ.get("CI") == "true":
        return ""  # there, each test that misses something is a failure of its own
    if needs_data and not os.environ.get("RANKGAUGE_DATA"):
        return NO_DATA
    without = [
        reason for name, (names, reason) in PROGRAMS.items() if name in needs and not any(map(shutil.which, names))
    ]
    on_page = "settings_of_spark" in needs and parameters["page"].name == "spark.md"
    needs_java = on_page or bool(needs & {"local", "cluster", "spark"})
    if needs_java and shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        without.append("there is no Java, which Spark needs: make system")
    return next(iter(without), "")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where a large part is missing, each file has one skip that says how many of its tests need it."""
    groups: dict[tuple[Path, str], list[pytest.Item]] = {}
    for item in items:
        if reason := lacking(item):
            groups.setdefault((item.path, reason), []).append(item)
    for (path, reason), tests in groups.items():
        words = "1 test" if len(tests) == 1 else f"{len(tests)} tests"
        tests[0].add_marker(pytest.mark.skip(reason=f"{words} of {path.name}: {reason}"))
    left_out = {id(item) for tests in groups.values() for item in tests[1:]}
    config.hook.pytest_deselected(items=[item for item in items if id(item) in left_out])
    items[:] = [item for item in items if id(item) not in left_out]
