"""What `compare` prints: the comparison, its slices, its gate, or its queries, in each of the forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankgauge.cli.output import render
from rankgauge.tables.table import Cell, Column, Table, number

if TYPE_CHECKING:
    from rankgauge.analysis.comparison.gate import Gate
    from rankgauge.analysis.comparison.result import Comparison
    from rankgauge.analysis.comparison.scores import PairDifferences
    from rankgauge.analysis.comparison.slices import Slices


@dataclass(frozen=True)
class Answer:
    """All that one command found; what was not asked for is None."""

    comparison: Comparison
    slices: Slices | None
    gate: Gate | None
    differences: tuple[PairDifferences, ...] | None
    texts: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = self.comparison.to_dict()
        if self.slices is not None:
            found["by"] = self.slices.to_dict()
        if self.gate is not None:
            found["gate"] = self.gate.to_dict()
        if self.differences is not None:
            found["per_query"] = [_pair_dict(pair, self.texts) for pair in self.differences]
        return found

    def rendered(self, form: str, decimals: int | None, *, quiet: bool) -> str:
        if form == "junit" and self.gate is not None:
            from rankgauge.presentation.junit import junit_text

            return junit_text(self.gate, self.comparison.summary)
        if form == "table" and self.differences is None:
            return self._text(decimals, quiet=quiet)
        parts = [
            render(replace(table, notes=()) if quiet else table, self.to_dict, form, decimals)
            for table in self._tables(form)
        ]
        verdict = self._verdict(form)
        return "\n".join([verdict, *parts] if form == "md" and verdict else [*parts, verdict] if verdict else parts)

    def _tables(self, form: str) -> list[Table]:
        if self.differences is not None:
            notes = self.comparison.remarks() if form != "csv" else ()
            return [difference_table(self.differences, self.texts, self.comparison.summary, notes)]
        if form == "json":
            return [Table((), ())]
        if form != "csv":
            return [self.comparison.table(), *([self.slices.table()] if self.slices else [])]
        whole = self.comparison.wide_table()
        if self.slices is None:
            return [whole]
        part = self.slices.wide_table()
        return [replace(part, rows=(*(("", *row) for row in whole.rows), *part.rows))]

    def _text(self, decimals: int | None, *, quiet: bool) -> str:
        parts = [self.comparison.text(decimals, notes=not quiet)]
        if self.slices is not None:
            parts.append(self.slices.text(decimals, notes=not quiet))
        if self.gate is not None:
            parts.append(self._verdict("table").rstrip("\n"))
        return "\n\n".join(parts) + "\n"

    def _verdict(self, form: str) -> str:
        """The gate in words, for the forms that people read."""
        if self.gate is None or form not in {"table", "md"}:
            return ""
        from rankgauge.analysis.comparison.wording import wrapped
        from rankgauge.tables.markup import escape_markdown

        lines = []
        for result in self.gate.rules:
            if form == "md":
                lines += [f"**Gate: {escape_markdown(result.rule)}: {result.outcome}**", ""]
                lines += [*(f"- {escape_markdown(check.message)}" for check in result.checks), ""]
            else:
                lines += [f"fail if {result.rule}: {result.outcome}"]
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
        for one in pair.queries:
            words = [texts.get(one.query, "")] if texts else []
            rows.append((*about, one.query, *words, one.system, one.baseline, one.difference))
    return Table(columns, tuple(rows), caption, tuple(notes))


def _pair_dict(pair: PairDifferences, texts: Mapping[str, str]) -> dict[str, Any]:
    queries = [{**one.to_dict(), **({"text": texts[one.query]} if one.query in texts else {})} for one in pair.queries]
    return {"measure": pair.measure, "system": pair.system, "baseline": pair.baseline, "queries": queries}
