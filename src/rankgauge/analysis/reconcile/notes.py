"""What a reader should know of a search: how sure it is, and what else may be behind the number."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from rankgauge.analysis.reconcile.candidates import tool_settings
from rankgauge.analysis.reconcile.numbers import Numbers
from rankgauge.analysis.reconcile.search import Known, Search, other_count
from rankgauge.data.policy import Policy
from rankgauge.errors import plural
from rankgauge.evaluation.tools.presets import PRESETS
from rankgauge.evaluation.tools.setting import Setting
from rankgauge.tables.notes import Note

FEW = 20
"""Fewer queries than this leave few possible numbers, and the chance rough: measured, up to twice the printed one."""


def notes(numbers: Numbers, asked: Known, found: Search, *, shown: int, sure: bool, like: str | None) -> Iterator[Note]:
    """`asked` is what the user gave, `found.known` how it was read; `like` the preset of the first explanation."""
    if like is not None:
        preset = PRESETS[like]
        caveat = f"; not promised: {preset.caveat}" if preset.caveat else ""
        yield Note("tool", f"{like}: {preset.words}{caveat}", 1)
    if found.known != asked:
        text = f"{asked.number.text} was read as {found.known.number.text}: {asked.measure} is at most 1"
        yield Note("percentage", text, 1)
    if not numbers.any_judged:
        yield Note("nothing-judged", "the run returns no judged document, so every convention gives 0 or 1", 1)
    if found.fitting and not found.exact:
        text = "nothing rounds to this number; the explanations are one unit of the last digit away"
        yield Note("inexact", text, len(found.fitting))
    if not found.fitting:
        yield from _other_count(found, len(numbers.queries))
    if not sure:
        yield from _drawn_ties(numbers, found.known)
    if found.fitting and found.exact and not sure:
        text = (
            "many settings give numbers as close as this; more digits, a second number (--second) or values of single "
            "queries (--per-query) would tell them apart"
        )
        yield Note("unsure", text, len(found.fitting))
    if len(numbers.queries) < FEW:
        text = f"with {plural(len(numbers.queries), 'query')} the chance is rough: it may be twice as large"
        yield Note("rough", text, len(numbers.queries))
    hidden = len(found.fitting) - shown
    if hidden > 0:
        yield Note("hidden", f"{hidden:,} further settings fit too", hidden)


def _other_count(found: Search, queries: int) -> Iterator[Note]:
    other = other_count(found.pool, found.known.number, queries)
    if other is not None:
        one, count = other
        whose = ", ".join(one.tools) or "rankgauge"
        text = f"the sum over queries that {whose} has, divided by {count:,} rather than by {queries:,}, would give it"
        yield Note("other-count", text, count)


def _drawn_ties(numbers: Numbers, known: Known) -> Iterator[Note]:
    """Tools that break ties at random: which of them could have drawn the number."""
    if "ties" not in numbers.odd:
        return
    drawn: dict[tuple[float, float], list[str]] = defaultdict(list)
    for name, setting in tool_settings(known.measure).items():
        if PRESETS[name].draws_ties:
            low, high = (numbers.mean(_with(setting, Policy(ties=order))) for order in ("worst", "best"))
            if low < high and low <= known.number.value <= high:
                drawn[low, high].append(name)
    for (low, high), names in drawn.items():
        text = f"ties broken at random give anything from {low:.4f} to {high:.4f} on this run: {', '.join(names)}"
        yield Note("random-ties", text, len(names))


def _with(setting: Setting, policy: Policy) -> Setting:
    return Setting(setting.measure, policy.over(setting.policy))
