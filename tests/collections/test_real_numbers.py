"""Numbers that tools printed for TREC-COVID runs: the tool comes first at four digits."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from rankgauge import read_judgments, read_run, reconcile

NUMBERS = json.loads((Path(__file__).parents[2] / "conformance" / "real_numbers.json").read_text(encoding="utf-8"))


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
