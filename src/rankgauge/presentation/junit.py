"""A gate as JUnit XML, which CI systems display as tests: one case per rule and system."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from xml.etree import ElementTree as ET

from rankgauge.analysis.compare.gate import Gate, GateCheck
from rankgauge.tables.notes import visible


def junit_text(gate: Gate, summary: str, *, undecided_fails: bool = False) -> str:
    """A broken rule is a failure; an undecided one is skipped, unless it fails the build too."""
    failing = {"fail", "undecided"} if undecided_fails else {"fail"}
    outcomes = [check.outcome for result in gate.rules for check in result.checks]
    failures = sum(outcome in failing for outcome in outcomes)
    totals = {"tests": str(len(outcomes)), "failures": str(failures), "errors": "0"}
    root = ET.Element("testsuites", totals)
    skipped = sum(outcome not in {"pass", *failing} for outcome in outcomes)
    suite = ET.SubElement(root, "testsuite", {"name": "rankgauge compare", **totals, "skipped": str(skipped)})
    for result in gate.rules:
        for check in result.checks:
            _case(suite, result.rule, check, failing)
    ET.SubElement(suite, "system-out").text = visible(summary)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, rule: str, check: GateCheck, failing: AbstractSet[str]) -> None:
    case = ET.SubElement(suite, "testcase", {"classname": visible(rule), "name": visible(check.system)})
    message = visible(check.message)
    if check.outcome in failing:
        ET.SubElement(case, "failure", {"message": message, "type": check.outcome}).text = message
    elif check.outcome == "undecided":
        ET.SubElement(case, "skipped", {"message": message})
    else:
        ET.SubElement(case, "system-out").text = message
