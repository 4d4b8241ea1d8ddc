"""A gate as JUnit XML, which CI systems display as tests: one case per rule and system."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from rankgauge.analysis.compare.gate import Gate, GateCheck
from rankgauge.tables.table import visible


def junit_text(gate: Gate, summary: str) -> str:
    """A broken rule is a failure; an undecided one is skipped."""
    checks = [check for result in gate.rules for check in result.checks]
    counts = {outcome: sum(check.outcome == outcome for check in checks) for outcome in ("fail", "undecided")}
    totals = {"tests": str(len(checks)), "failures": str(counts["fail"]), "errors": "0"}
    root = ET.Element("testsuites", totals)
    suite = ET.SubElement(
        root, "testsuite", {"name": "rankgauge compare", **totals, "skipped": str(counts["undecided"])}
    )
    for result in gate.rules:
        for check in result.checks:
            _case(suite, result.rule, check)
    ET.SubElement(suite, "system-out").text = visible(summary)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, rule: str, check: GateCheck) -> None:
    case = ET.SubElement(suite, "testcase", {"classname": visible(rule), "name": visible(check.system)})
    message = visible(check.message)
    if check.outcome == "fail":
        ET.SubElement(case, "failure", {"message": message, "type": "fail"}).text = message
    elif check.outcome == "undecided":
        ET.SubElement(case, "skipped", {"message": message})
    else:
        ET.SubElement(case, "system-out").text = message
