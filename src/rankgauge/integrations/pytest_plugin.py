"""The pytest plugin: fixture `rankgauge_gate`, a test that fails if a rule about search quality is broken."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from rankgauge.results import Gate

_UNDECIDED = ("skip", "fail")


def pytest_addoption(parser: pytest.Parser) -> None:
    words = "What rankgauge_gate does if more queries are needed to decide: skip (default) or fail."
    group = parser.getgroup("rankgauge")
    group.addoption("--rankgauge-undecided", choices=_UNDECIDED, default=None, help=words)
    parser.addini("rankgauge_undecided", words, default="skip")


@pytest.fixture(scope="session")
def rankgauge_gate(pytestconfig: pytest.Config) -> Callable[..., Gate]:
    """Compare systems and fail the test if a rule is broken, as in rules="nDCG@10 < baseline - 0.01"."""
    chosen = pytestconfig.getoption("rankgauge_undecided") or pytestconfig.getini("rankgauge_undecided")

    def gate(
        scores: Any,
        runs: Any = None,
        measures: Any = None,
        *,
        rules: str | Iterable[str],
        baseline: str | None = None,
        undecided: str = chosen,
        **settings: Any,
    ) -> Gate:
        import rankgauge

        if undecided not in _UNDECIDED:
            raise rankgauge.errors.UsageError(f"rankgauge_undecided is 'skip' or 'fail', not {undecided!r}")
        comparison = rankgauge.compare(scores, runs, measures, baseline=baseline, **settings)
        found = comparison.gate(*([rules] if isinstance(rules, str) else rules))
        if found.outcome != "pass":
            message = _message(found, comparison.summary)
            if found.outcome == "undecided" and undecided == "skip":
                pytest.skip(message)
            pytest.fail(message, pytrace=False)
        return found

    return gate


def _message(gate: Gate, summary: str) -> str:
    from rankgauge.tables.notes import visible

    lines = [summary]
    for result in gate.rules:
        if result.outcome != "pass":
            lines.append(f"{result.outcome}: fail if {result.rule}")
            lines += [check.message for check in result.checks if check.outcome != "pass"]
    return "\n".join(map(visible, lines))
