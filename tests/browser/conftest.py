from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from browser.chromium import Tab, browser, found
from conftest import missing


@pytest.fixture(scope="session")
def chromium():
    program = found()
    if program is None:
        missing("Chromium is not installed: `make system` installs Debian's")
    with browser(str(program)) as address:
        yield address


@pytest.fixture
def tab(chromium):
    opened = Tab(chromium)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def page(tmp_path_factory):
    """A report of five simulated systems."""
    return written(tmp_path_factory, 5)


@pytest.fixture(scope="session")
def crowd(tmp_path_factory):
    """A report of more systems than fit a screen, with the names that people give them."""
    return written(tmp_path_factory, 24, name="organisation_round3-{}-rerank")


@pytest.fixture(scope="session")
def alone(tmp_path_factory):
    """A report of one system."""
    return written(tmp_path_factory, 1)


@pytest.fixture(scope="session")
def pair(tmp_path_factory):
    """A report of two systems."""
    return written(tmp_path_factory, 2)


@pytest.fixture(scope="session")
def thousands(tmp_path_factory):
    """A report of more queries than bars."""
    generator = np.random.default_rng(5)
    queries = tuple(f"q{at}" for at in range(5000))
    values = np.round(generator.random((3, 5000, 1)), 1)
    scores = rankgauge.Scores(("a", "b", "c"), queries, (rankgauge.measures.parse("nDCG@10"),), values)
    return rankgauge.report(tmp_path_factory.mktemp("report") / "report.html", scores)


def written(tmp_path_factory, systems, name="{}"):
    collection = rankgauge.simulate(systems=systems, queries=40, seed=7)
    runs = {name.format(system): run for system, run in collection.runs().items()}
    table = collection.query_table()
    texts = dict(zip(table["query"], table["text"], strict=True))
    path = tmp_path_factory.mktemp("report") / "report.html"
    return rankgauge.report(path, collection.judgments(), runs, "nDCG@10", queries=texts)
