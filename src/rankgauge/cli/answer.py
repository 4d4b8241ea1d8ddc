"""All that `compare` found, in the forms that were asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import rankgauge
from rankgauge.cli.output import deliver, render
from rankgauge.tables.table import Cell, Column, Table, number

if TYPE_CHECKING:
    from rankgauge.results import Comparison, Gate, GateResult, PairDifferences, Slices

_EXTREMES = 5
_UNDECIDED = {"exit": 3, "pass": 0, "warn": 0, "fail": 1}
"""Exit codes by --undecided."""


@dataclass(frozen=True)
class Answer:
    """All that one command found; what was not asked for is None."""

    comparison: Comparison
    slices: Slices | None
    gate: Gate | None
    texts: Mapping[str, str]
    """Of the queries."""
    chosen: Mapping[str, Any]
    """The options of the command."""

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = self.comparison.to_dict()
        if self.slices is not None:
            found["by"] = self.slices.to_dict()
        if self.gate is not None:
            found["gate"] = self.gate.to_dict() | {"exit_code": self.exit_code(self.gate)}
            for rule, shown in zip(self.gate.rules, found["gate"]["rules"], strict=True):
                shown["exit_code"] = self.exit_code(rule)
        if self.chosen["per_query"]:
            found["per_query"] = [_pair_dict(pair, self.texts) for pair in self.comparison.differences()]
        return found

    def exit_code(self, judged: Gate | GateResult) -> int:
        """What the command ends with because of the gate, or would because of one rule."""
        return _UNDECIDED[self.chosen["undecided"]] if judged.outcome == "undecided" else judged.exit_code

    def write(self, form: str, path: str | None) -> None:
        """One of the outputs of the same comparison."""
        if form != "html":
            return deliver(self._rendered(form, on_screen=path is None), path, form)
        rankgauge.report(str(path), self.comparison.scores, comparison=self.comparison)
        return None

    def _rendered(self, form: str, *, on_screen: bool) -> str:
        decimals, quiet = self.chosen["decimals"], self.chosen["quiet"]
        if form == "junit" and self.gate is not None:
            from rankgauge.presentation.junit import junit_text

            return junit_text(self.gate, self.comparison.summary, undecided_fails=self._undecided_fails)
        if form == "comment":
            return comment(self.comparison, self.gate, self.texts, decimals, undecided_fails=self._undecided_fails)
        if form == "table" and not (self.chosen["per_query"] or self.chosen["compact"]):
            return self._text(decimals, quiet=quiet, on_screen=on_screen)
        table = self._table(form)
        tables = [table, self.slices.table()] if self.slices and form not in {"csv", "json"} else [table]
        parts = [render(replace(one, notes=()) if quiet else one, self.to_dict, form, decimals) for one in tables]
        verdict = self._verdict(form)
        return "\n".join([verdict, *parts] if form == "md" and verdict else [*parts, verdict] if verdict else parts)

    @property
    def _undecided_fails(self) -> bool:
        return bool(self.chosen["undecided"] == "fail")

    def _table(self, form: str) -> Table:
        if form == "json":
            return Table((), ())
        if self.chosen["per_query"]:
            notes = self.comparison.remarks()[1:] if form != "csv" else ()
            table = difference_table(self.comparison.differences(), self.texts, self.comparison.summary, notes)
            return replace(table, legend=(self.comparison.method,))
        if self.chosen["compact"]:
            return self.comparison.compact_table(caption=self.chosen["caption"], label=self.chosen["label"])
        if form != "csv":
            return self.comparison.table()
        whole = self.comparison.wide_table()
        if self.slices is None:
            return whole
        part = self.slices.wide_table()
        return replace(part, rows=(*(("", *row) for row in whole.rows), *part.rows))

    def _text(self, decimals: int | None, *, quiet: bool, on_screen: bool) -> str:
        parts = [self._comparison(decimals, quiet=quiet, on_screen=on_screen)]
        if self.slices is not None:
            parts.append(self.slices.text(decimals, notes=not quiet))
        if self.gate is not None:
            parts.append(self._verdict("table").rstrip("\n"))
        return "\n\n".join(parts) + "\n"

    def _comparison(self, decimals: int | None, *, quiet: bool, on_screen: bool) -> str:
        """Plain and complete in a pipe or file."""
        if not (on_screen and sys.stdout.isatty()):
            return self.comparison.text(decimals, notes=not quiet)
        from rankgauge.cli.terminal import terminal_text
        from rankgauge.tables.table import terminal_width

        color, width = not os.environ.get("NO_COLOR"), terminal_width()
        every_note = self.chosen["notes"]
        return terminal_text(self.comparison, decimals, width=width, color=color, every_note=every_note, quiet=quiet)

    def _verdict(self, form: str) -> str:
        """The gate in words, for the forms that people read."""
        if self.gate is None or form not in {"table", "md"}:
            return ""
        from rankgauge.tables.table import escape_markdown, wrapped

        lines = []
        for result in self.gate.rules:
            if form == "md":
                lines += [f"**Gate: {escape_markdown(result.rule)}: {result.outcome}**", ""]
                lines += [*(f"- {escape_markdown(check.message)}" for check in result.checks), ""]
            else:
                lines += [wrapped(f"fail if {result.rule}: {result.outcome}")]
                lines += [wrapped(check.message) for check in result.checks]
        return "\n".join(lines).rstrip("\n") + "\n"


def difference_table(
    pairs: Sequence[PairDifferences], texts: Mapping[str, str], caption: str, notes: Sequence[str] = ()
) -> Table:
    """Query by query, from the worst loss to the best win; columns that would never change are left out."""
    varied = [len({getattr(pair, name) for pair in pairs}) > 1 for name in ("measure", "system", "baseline")]
    single = not any(varied[1:])
    heads = (pairs[0].system, pairs[0].baseline) if single else ("score", "other")
    names = [name for name, shown in zip(("measure", "system", "baseline"), varied, strict=True) if shown]
    columns = (
        *(Column(name) for name in [*names, "query", *(["text"] if texts else [])]),
        *(number(name) for name in heads),
        number("difference", signed=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for pair in pairs:
        about = [getattr(pair, name) for name in names]
        for one in pair.per_query:
            words = [texts.get(one.query, "")] if texts else []
            rows.append((*about, one.query, *words, one.system, one.baseline, one.difference))
    return Table(columns, tuple(rows), caption, tuple(notes))


def _pair_dict(pair: PairDifferences, texts: Mapping[str, str]) -> dict[str, Any]:
    queries = [
        {**one.to_dict(), **({"text": texts[one.query]} if one.query in texts else {})} for one in pair.per_query
    ]
    return {"measure": pair.measure, "system": pair.system, "baseline": pair.baseline, "queries": queries}


def comment(
    comparison: Comparison,
    gate: Gate | None,
    texts: Mapping[str, str],
    decimals: int | None,
    *,
    undecided_fails: bool = False,
) -> str:
    """For a pull request: the answer in a line, a compact table, the worst losses and best gains; the rest folded."""
    from rankgauge.tables.table import escape_markdown, to_markdown

    verdicts = {"pass": "✅ **pass**", "fail": "❌ **fail**", "undecided": "⚠️ **undecided**"}
    if undecided_fails:
        verdicts["undecided"] = "❌ **fail** (undecided)"
    outcome = "" if gate is None else f"{verdicts[gate.outcome]} · "
    table = comparison.compact_table(caption="") if comparison.baseline is not None else comparison.table()
    bare = replace(table, notes=(), caption="")
    parts = [f"{outcome}{escape_markdown(comparison.summary)}", "", to_markdown(bare, decimals)]
    lead = [pair for pair in comparison.differences() if pair.measure == comparison.parts[0].measure]
    for pair in lead[:1]:
        changed = [one for one in pair.per_query if one.difference]
        losses = [one for one in changed if one.difference < 0][:_EXTREMES]
        gains = [one for one in reversed(changed) if one.difference > 0][:_EXTREMES]
        for words, some in (("Largest losses", losses), ("Largest gains", gains)):
            if not some:
                continue
            shown = difference_table([replace(pair, per_query=tuple(some))], texts, "")
            parts += _details(f"{words} ({len(some)})", to_markdown(shown, decimals))
    notes = [check.message for result in gate.rules for check in result.checks] if gate is not None else []
    notes += comparison.remarks()[1:]
    parts += _details("Notes", *(f"- {escape_markdown(note)}" for note in notes), "")
    return "\n".join(parts) + "\n"


def _details(summary: str, *lines: str) -> list[str]:
    return [f"<details><summary>{summary}</summary>", "", *lines, "</details>"]
