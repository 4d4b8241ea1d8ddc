"""Judges held against a reference: `Judges`, made by `judges`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from rankgauge.analysis.compare.tables import p_text
from rankgauge.analysis.judging.consequences import Consequences
from rankgauge.analysis.judging.holes_result import flat_table
from rankgauge.analysis.judging.labels import Coefficient, LabelAgreement
from rankgauge.analysis.score_table import position
from rankgauge.errors import plural
from rankgauge.tables import Plain, Shown, plain
from rankgauge.tables.notes import Note, gathered
from rankgauge.tables.table import Cell, Column, Estimate, Table, fixed, number

NEARLY, ROUGHLY = 0.9, 0.7
MOST_TABLES = 3
"""Judges of whom the favored systems are listed; of more, they are in the JSON."""


@dataclass(frozen=True)
class Judge(Plain):
    """One judge beside the reference: the labels, and what follows for each measure if runs were given."""

    name: str
    agreement: LabelAgreement
    parts: tuple[Consequences, ...] = ()

    @property
    def consequences(self) -> dict[str, Consequences]:
        """By measure."""
        return {part.measure: part for part in self.parts}

    def to_dict(self) -> dict[str, Any]:
        """Plain data for JSON; without runs there are no consequences."""
        found: dict[str, Any] = {"agreement": self.agreement.to_dict()}
        return found | ({"consequences": plain(self.consequences)} if self.parts else {})


@dataclass(frozen=True, repr=False)
class Judges(Shown):
    """Judges by name: `found["gpt-4o"].agreement["kappa_quadratic"].value`. `together` is of all of them and the reference."""

    reference: str
    confidence: float
    test: str | None
    correction: str | None
    baseline: str | None
    listed: tuple[Judge, ...]
    together: LabelAgreement | None
    notes: tuple[Note, ...] = ()

    _json_names: ClassVar = {"listed": None}
    _json_also: ClassVar = ("judges", "summary")

    @property
    def judges(self) -> dict[str, Judge]:
        """By name."""
        return {judge.name: judge for judge in self.listed}

    def __getitem__(self, name: object) -> Judge:
        return self.listed[position(name, tuple(self.judges), "judge")]

    def __iter__(self) -> Iterator[str]:
        return iter(self.judges)

    @property
    def summary(self) -> str:
        """One sentence, on the first judge."""
        judge = self.listed[0]
        labels = judge.agreement
        text = (
            f"{judge.name} agrees with {self.reference} on {_percent(labels['agreement'].value)} of "
            f"{plural(labels.documents, 'document')} ({_interval('quadratic κ', labels['kappa_quadratic'], self.confidence)})"
        )
        if not judge.parts:
            return f"{text}."
        found = judge.parts[0]
        return f"{text} and {_order(found)}; {_verdicts(found)}."

    def text(self, decimals: int | None = None, *, notes: bool = True) -> str:
        """The sentence, a table of labels, tables of consequences and of systems favored, as wide as the terminal."""
        from rankgauge.tables.table import page_text

        tables = [self.label_table(), *self._consequence_tables(), *self._favor_tables()]
        return page_text(self.summary, tables, self._remarks() if notes else (), decimals)

    def __str__(self) -> str:
        return self.text()

    def label_table(self) -> Table:
        """How far labels agree, a row per judge."""
        columns = (
            *(Column("judge"), number("docs"), number("agree", 2), number("κ", 2)),
            *(number("quadratic κ", 2), number("ordinal α", 2), number("ref.", 2), number("grade", 2)),
        )
        rows = [_labels(judge) for judge in self.listed]
        if self.together is not None:
            alpha = _estimate(self.together["alpha_ordinal"])
            rows.append(("all together", self.together.documents, None, None, None, alpha, None, None))
        return Table(columns, tuple(rows), f"labels, against {self.reference}", gap=1)

    def _consequence_tables(self) -> list[Table]:
        columns = (
            *(Column("judge"), number("τ-b", 3), number("τ_AP", 3), number("same"), number("lost"), number("gained")),
            *(number("reversed"), number("ρ", 2), number("shift"), number("beyond"), number("floor")),
        )
        tables = []
        for at, measure in enumerate(self._measures()):
            rows = [(judge.name, *_outcome(judge.parts[at])) for judge in self.listed]
            found = self.listed[0].parts[at]
            caption = f"{measure}: verdicts on {plural(found.pairs, 'pair')} of {plural(found.systems, 'system')}"
            tables.append(Table(columns, tuple(rows), caption, gap=1))
        return tables

    def _favor_tables(self) -> list[Table]:
        if len(self.listed) > MOST_TABLES:
            return []
        numbers = (number(name, signed=True) for name in ("favored by", "low", "high"))
        columns = (Column("system"), *numbers, number("p (holm)"))
        return [
            Table(
                columns,
                tuple((one.system, one.value, one.low, one.high, p_text(one.p_holm)) for one in part.favours),
                f"{part.measure}: systems that {judge.name} favors (+) or disfavors (−) against {self.reference}",
            )
            for judge in self.listed
            for part in judge.parts
        ]

    def _measures(self) -> tuple[str, ...]:
        return tuple(part.measure for part in self.listed[0].parts)

    def table(self) -> Table:
        """One row per judge and measure under the sentence."""
        labels = self.label_table().columns
        after = () if not self._measures() else (Column("measure"), *self._consequence_tables()[0].columns[1:])
        rows: list[tuple[Cell, ...]] = []
        for judge in self.listed:
            about = _labels(judge)
            rows += [(*about, part.measure, *_outcome(part)) for part in judge.parts] or [about]
        return Table((*labels, *after), tuple(rows), self.summary, self._remarks())

    def wide_table(self) -> Table:
        """Every number in its own column: for other programs."""
        data = []
        for judge in self.listed:
            labels: dict[str, Cell] = {"judge": judge.name, "documents": judge.agreement.documents}
            for name, one in judge.agreement.coefficients.items():
                labels |= {name: one.value, f"{name}_low": one.low, f"{name}_high": one.high}
            data += [labels | _flat(part) for part in judge.parts] or [labels]
        return flat_table(data, {"judge", "measure"})

    def _remarks(self) -> tuple[str, ...]:
        grades = f"ref., grade: mean grade of {self.reference} and of the judge"
        symptom = "agreement of labels is a symptom, consequences are what counts"
        lines = [f"{100 * self.confidence:g}% intervals over queries (jackknife); {grades}; {symptom}"]
        if self._measures():
            lines.append(
                f"verdicts by the {self.test} test, correction {self.correction}; lost: decided under {self.reference} only; "
                "gained: decided under the judge only; reversed: decided both times, the other way round"
            )
            lines.append(
                "ρ: median correlation of differences over queries; shift: median change of a difference; beyond: pairs "
                "shifted by more than chance (judges of one kind: about 5%); floor: smaller differences may be judging "
                "alone (–: the judges differ systematically, no noise floor)"
            )
        return (*lines, *gathered(self.notes))

    def __repr__(self) -> str:
        return f"Judges({self.summary})"


def _labels(judge: Judge) -> tuple[Cell, ...]:
    found = judge.agreement
    kappa, quadratic, ordinal = (found[name] for name in ("kappa", "kappa_quadratic", "alpha_ordinal"))
    values = (found["agreement"].value, kappa.value, _estimate(quadratic), _estimate(ordinal))
    return judge.name, found.documents, *values, *(found.mean_grade or ())


def _outcome(found: Consequences) -> tuple[Cell, ...]:
    kept = found.verdicts
    counts = (kept.same, kept.lost, kept.gained, kept.reversed)
    moved = (found.correlation_of_differences_median, found.shift.median, _percent(found.beyond_chance_share))
    return found.tau_b, found.tau_ap, *counts, *moved, None if found.is_systematic else found.noise_floor


def _flat(found: Consequences) -> dict[str, Cell]:
    data: dict[str, Cell] = {"measure": found.measure}
    for name, value in found.to_dict().items():
        if isinstance(value, dict):
            data |= {f"{name}_{part}": cell for part, cell in value.items()}
        elif name == "told_apart":
            data |= {"told_apart_reference": value[0], "told_apart_judge": value[1]}
        elif not isinstance(value, list):
            data[name] = value
    return data


def _estimate(found: Coefficient) -> Estimate | float:
    return math.nan if math.isnan(found.value) else Estimate(found.value, found.low, found.high)


def _interval(name: str, found: Coefficient, confidence: float) -> str:
    if math.isnan(found.value):
        return f"{name} undefined"
    if math.isnan(found.low):
        return f"{name} {fixed(found.value, 2)}"
    low, high = fixed(found.low, 2), fixed(found.high, 2)
    return f"{name} {fixed(found.value, 2)}, {100 * confidence:g}% interval {low} to {high}"


def _order(found: Consequences) -> str:
    if math.isnan(found.tau_b):
        return f"gives no order of {plural(found.systems, 'system')} to compare"
    how = "" if found.tau_b == 1 else "nearly " if found.tau_b >= NEARLY else "roughly "
    how = f"{how}the same way" if found.tau_b >= ROUGHLY else "differently"
    return f"orders {plural(found.systems, 'system')} {how} (τ-b {found.tau_b:.2f})"


def _verdicts(found: Consequences) -> str:
    kept = found.verdicts
    turned = "none is reversed" if not kept.reversed else f"{kept.reversed:,} reversed"
    if found.pairs == 1:
        return f"the one verdict {'stays' if kept.same else 'is lost' if kept.lost else 'is gained' if kept.gained else 'is reversed'}"
    stay = "stays" if kept.same == 1 else "stay"
    lost = "is" if kept.lost == 1 else "are"
    return (
        f"{kept.same:,} of {found.pairs:,} verdicts {stay}, {kept.lost:,} {lost} lost, {kept.gained:,} gained, {turned}"
    )


def _percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.0f}%"
