"""Numbers that tools printed for TREC-COVID runs, and print for the example: the tool comes first at four digits."""

from __future__ import annotations

import importlib.util
import json
import time
from pathlib import Path

import pytest

from rankgauge import examples, read_judgments, read_run, reconcile

FOLDER = Path(__file__).parents[2] / "conformance"
NUMBERS = json.loads((FOLDER / "real_numbers.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def judged(collections):
    judgments = read_judgments(collections / "trec-covid-round3" / "qrels.txt.gz")
    judgments.to_polars()
    return judgments


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: f"{number['printed_by']} {number['data'].split()[-1]}")
def test_the_tool_that_printed_a_number_comes_first(number, judged, collections):
    name = number["data"].rpartition("run ")[2]
    run = read_run(collections / "trec-covid-round3" / "runs" / f"{name}.gz")
    begin = time.process_time()
    found = reconcile(number["printed"], judged, run, number["asked"])
    assert time.process_time() - begin < 3
    assert set(number["expected_among_tools"]) <= set(found.best.tools)
    assert found.best.verdict == "likely"


@pytest.fixture(scope="module")
def tools():
    """The scripts that give a case to a tool, for the tools that tests are run with."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(FOLDER)  # their common part is there
        found = {}
        for kind, name in (("learning", "lightgbm"), ("learning", "xgboost"), ("retrieval", "pytrec_eval")):
            spec = importlib.util.spec_from_file_location(f"of_{name}", FOLDER / "tools" / kind / f"{name}.py")
            found[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(found[name])
        yield found


@pytest.mark.parametrize("system", ["random-forest", "ridge", "feature-91"])
@pytest.mark.parametrize(
    ("tool", "name", "asked"),
    [
        ("lightgbm", "nDCG@k", "nDCG@10"),
        ("lightgbm", "AP@k", "AP@10"),
        ("xgboost", "nDCG@k", "nDCG@10"),
        ("xgboost", "AP@k", "AP@10"),
        ("pytrec_eval", "nDCG@k", "nDCG@10"),
        ("pytrec_eval", "AP@k", "AP@10"),
        ("pytrec_eval", "RR", "RR"),
    ],
)
def test_the_tool_comes_first_on_the_example(tool, name, asked, system, tools):
    """What the tool says today, for the collection in the package.

    Its lists are short, so that many conventions agree in four digits: there an answer may be only possible.
    """
    given = examples.load()
    run = given.runs[system]
    judged = {}
    for query, document, grade in given.judgments.rows():
        judged.setdefault(query, {})[document] = grade
    rows = run.select("query", "document", "score").rows()
    case = {"judgments": judged, "run": rows, "run_queries": list(judged), "k": 10, "rel": 1}
    value = tools[tool].measures(case, tool)[name]()
    for digits, verdicts in ((4, {"likely", "possible"}), (6, {"likely"})):
        found = reconcile(f"{value:.{digits}f}", given.judgments, run, asked)
        assert tool in found.best.tools
        assert found.best.verdict in verdicts
