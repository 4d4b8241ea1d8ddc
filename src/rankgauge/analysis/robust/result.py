"""What `robust` found: one verdict per pair of systems, in words and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

from rankgauge.analysis.robust.bound import MARGIN
from rankgauge.analysis.robust.verdicts import Verdict
from rankgauge.analysis.score_table import position
from rankgauge.arrays import Floats
from rankgauge.errors import UsageError, many, plural
from rankgauge.measures.grammar import parse
from rankgauge.tables import Plain, Shown
from rankgauge.tables.notes import NOUNS, Note, gathered
from rankgauge.tables.table import Cell, Column, P, Table, number, p_equals

EVERY = {"discount": "discount", "gain": "gain", "both": "gain and discount"}
_HOLDS = {"from": "from {} on", "up to": "up to {}", "": "under {}"}
FAMILY = {
    "discount": "every discount that never rises with the rank, the gain as in the measure",
    "gain": "every gain that never falls with the grade, the discount as in the measure",
    "both": "every discount that never rises with the rank and every gain that never falls with the grade",
}


@dataclass(frozen=True, slots=True)
class RobustPair(Plain):
    """One system against another.

    `robust`: the `winner` is ahead, or at least level, under every measure considered. `depends`: `witness` is a measure
    under which another system wins than under the user's, with `witness_difference`; `witness_holds` says whether the same
    is true "from" it on or "up to" it. `open`: the budget was not enough. `equal`: no measure tells the two apart.
    `resampled` is the share of resamples of the queries in which the winner stays robust, `p` the paired t test's.
    """

    system: str
    baseline: str
    verdict: Verdict
    winner: str | None
    difference: float
    witness: str | None
    witness_difference: float | None
    witness_holds: Literal["from", "up to", ""]
    resampled: float | None
    p: float


@dataclass(frozen=True, slots=True)
class Corners(Plain):
    """The differences of one pair under plain cutoffs (rows) and grade thresholds (columns).

    Under a cutoff and threshold all ranks down to the cutoff and all grades from the threshold on count alike; queries
    without such a document use the next lower grade that they have.
    """

    system: str
    baseline: str
    cutoffs: tuple[int, ...]
    """Empty where the discount is fixed."""
    thresholds: tuple[float, ...]
    """Empty where the gain is fixed."""
    differences: tuple[tuple[float, ...], ...]


@dataclass(frozen=True, slots=True)
class Significance(Plain):
    """Pairs by robust and significant: the two are different questions."""

    both: int
    robust_only: int
    significant_only: int
    neither: int


@dataclass(frozen=True, repr=False)
class Robustness(Shown):
    """Which differences hold whatever gain and discount are chosen."""

    _json_names: ClassVar = {
        "query_count": "queries",
        "cutoffs": None,
        "thresholds": None,
        "at_corners": None,
        "noun": None,
    }

    measure: str
    over: Literal["discount", "gain", "both"]
    query_count: int
    systems: tuple[str, ...]
    means: dict[str, float]
    baseline: str | None
    counts: dict[str, int]
    significance: Significance
    pairs: tuple[RobustPair, ...]
    summary: str
    notes: tuple[Note, ...]
    cutoffs: tuple[int, ...]
    thresholds: tuple[float, ...]
    at_corners: Floats = field(compare=False)
    """The mean of every system at every corner: [systems, cutoffs, thresholds]."""
    noun: str = NOUNS[0]
    """What a reader calls a query."""

    def pair(self, system: str, baseline: str) -> RobustPair:
        """The pair as it was compared; an error when it was not."""
        for pair in self.pairs:
            if (pair.system, pair.baseline) == (system, baseline):
                return pair
        raise UsageError(f"{system} was not compared with {baseline}; use all_pairs, or name another baseline.")

    def corners(self, system: str, baseline: str) -> Corners:
        """The differences of any two systems under plain cutoffs and grade thresholds."""
        first, second = (position(name, self.systems, "system") for name in (system, baseline))
        differences = (self.at_corners[first] - self.at_corners[second]).tolist()
        return Corners(system, baseline, self.cutoffs, self.thresholds, tuple(map(tuple, differences)))

    def corner_table(self, system: str, baseline: str) -> Table:
        """The same as a table, with who is ahead where in words; a fixed part has one row or column."""
        found = self.corners(system, baseline)
        heads = [f"grade ≥ {threshold:g}" for threshold in self.thresholds] or ["gain as in the measure"]
        sides = [f"top {cutoff}" for cutoff in self.cutoffs] or ["discount as in the measure"]
        columns = (Column("counted equally"), *(number(head, signed=True) for head in heads))
        rows: list[tuple[Cell, ...]] = [(side, *row) for side, row in zip(sides, found.differences, strict=True)]
        return Table(columns, tuple(rows), f"{system} − {baseline}: {corner_sentence(found)}")

    def table(self) -> Table:
        """One row per pair under the sentence, to read; of a single pair the corners."""
        if len(self.pairs) > 1:
            return self._pair_table()
        pair = self.pairs[0]
        text = f"difference {pair.difference:+.4f}, {p_equals(pair.p)}"
        if pair.resampled is not None:
            text += f", robust in {pair.resampled:.0%} of resamples of the {many(self.noun)}"
        corners = self.corner_table(pair.system, pair.baseline)
        return replace(corners, caption=self.summary, notes=(corners.caption, text, *self.remarks()))

    def _pair_table(self) -> Table:
        """One row per pair; those of a baseline by their difference, all pairs as compared."""
        pairs, notes = list(self.pairs), list(self.remarks())
        alike = all(pair.baseline == self.baseline for pair in pairs)
        if alike:
            pairs.sort(key=lambda pair: -pair.difference)
            notes.insert(0, f"every system against {self.baseline}")
        if self.counts["depends"]:
            text = "a gain, discount or cutoff under which the other system wins; JSON and CSV have the whole measure"
            notes.insert(0, f"witness: {text}")
        shown: list[tuple[Column, Sequence[Cell]]] = [
            (Column("system"), [pair.system for pair in pairs]),
            (Column("against"), [pair.baseline for pair in pairs]),
            (number("difference", signed=True), [pair.difference for pair in pairs]),
            (P, [pair.p for pair in pairs]),
            (Column("verdict", is_verdict=True), [pair.verdict for pair in pairs]),
            (number("resampled", 2), [pair.resampled for pair in pairs]),
            (Column("winner or witness"), [_briefly(pair, self.measure) or pair.winner or "" for pair in pairs]),
        ]
        if all(pair.resampled is None for pair in pairs):
            del shown[5]
        if alike:
            del shown[1]
        columns, cells = zip(*shown, strict=True)
        return Table(columns, tuple(zip(*cells, strict=True)), self.summary, tuple(notes))

    def wide_table(self) -> Table:
        """One row per pair, named as in the JSON: for other programs."""
        rows = [pair.to_dict() for pair in self.pairs]
        words = {"system", "baseline", "verdict", "winner", "witness", "witness_holds"}
        columns = tuple(Column(name) if name in words else number(name) for name in rows[0])
        return Table(columns, tuple(tuple(row.values()) for row in rows))

    def remarks(self) -> tuple[str, ...]:
        return tuple(gathered(self.notes))

    def __repr__(self) -> str:
        return f"Robustness({self.summary})"


def summary_sentence(measure: str, over: str, pairs: Sequence[RobustPair], counts: dict[str, int]) -> str:
    """One sentence for a reader who reads no further."""
    if len(pairs) == 1:
        return _one_pair(measure, over, pairs[0])
    robust, depends = counts["robust"] + counts["equal"], counts["depends"]
    text = (
        f"Of {plural(len(pairs), 'pair')} of systems, {_percent(robust, len(pairs))} have the same winner under every "
        f"{EVERY[over]}; the choices of {measure} matter for {_percent(depends, len(pairs))}"
    )
    details = [f"{counts[word]:,} {word}" for word in ("open", "equal") if counts[word]]
    return f"{text} ({', '.join(details)})." if details else f"{text}."


def _percent(part: int, whole: int) -> str:
    """Rounded, but 0% and 100% only where they are exact."""
    share = 100 * part / whole
    if 0 < share < 1 or 99 < share < 100:
        return f"{share:.1f}%" if 0.1 <= share <= 99.9 else ("less than 0.1%" if share < 1 else "more than 99.9%")
    return f"{share:.0f}%"


def _one_pair(measure: str, over: str, pair: RobustPair) -> str:
    names = f"{pair.system} and {pair.baseline}"
    if pair.verdict == "equal":
        return f"No {EVERY[over]} tells {names} apart."
    if pair.verdict == "open":
        return f"Whether the order of {names} depends on the {EVERY[over]} is open: the budget was not enough."
    if pair.verdict == "robust":
        other = pair.baseline if pair.winner == pair.system else pair.system
        return f"{pair.winner} is never behind {other}, whatever {EVERY[over]} you choose in {measure}."
    here = f"{_winner(pair, pair.difference) or 'neither'} under {measure}"
    there = _witnessed(pair)
    return f"Which of {names} wins depends on the {EVERY[over]}: {here}{there and ', '}{there}."


def _witnessed(pair: RobustPair) -> str:
    """'b from nDCG(discount=zipf(1.7))@10 on': who wins under a measure, and where else the same holds."""
    if pair.verdict != "depends" or pair.witness is None or pair.witness_difference is None:
        return ""
    return f"{_winner(pair, pair.witness_difference)} {_HOLDS[pair.witness_holds].format(pair.witness)}"


def _briefly(pair: RobustPair, measure: str) -> str:
    """'from zipf(1.7) on': the same for a narrow cell, as what differs from the user's measure."""
    if pair.verdict != "depends" or pair.witness is None or pair.witness_difference is None:
        return ""
    own, other = parse(measure), parse(pair.witness)
    before, kinds = own.settings, own.definition.options
    spelled = {name: kinds[name].spell(value) for name, value in other.settings.items() if value != before[name]}
    parts = [text if "(" in text else f"{name}={text}" for name, text in spelled.items()]
    end = "" if own.cutoff == other.cutoff else f"@{other.cutoff}"
    where = _HOLDS[pair.witness_holds].format(", ".join(parts) + end)
    return where if _sign(pair.difference) else f"{where}: {_winner(pair, pair.witness_difference)}"


def _winner(pair: RobustPair, difference: float) -> str | None:
    return {1: pair.system, -1: pair.baseline}.get(_sign(difference))


def _sign(difference: float) -> int:
    return 0 if abs(difference) <= MARGIN else 1 if difference > 0 else -1


def corner_sentence(found: Corners) -> str:
    """Who is ahead where, in plain words: 'a is ahead at every cutoff from 3 on'."""
    signs = [{_sign(value) for value in row} - {0} for row in found.differences]
    ahead = set[int]().union(*signs)
    if not ahead:
        return "level at every corner"
    if len(ahead) == 1:
        name = found.system if 1 in ahead else found.baseline
        return f"{name} is never behind at a plain cutoff" + (" and grade threshold" if found.thresholds else "")
    if not found.cutoffs:
        return "it depends on the grades"
    sides = []
    kinds = {f"{found.system} is ahead": {1}, f"{found.baseline} is ahead": {-1}, "it depends on the grades": {1, -1}}
    for text, kind in kinds.items():
        tops = [cutoff for cutoff, row in zip(found.cutoffs, signs, strict=True) if row == kind]
        if tops:
            sides.append(f"{text} at {'cutoff' if len(tops) == 1 else 'cutoffs'} {_ranges(tops)}")
    return "; ".join(sides)


def _ranges(numbers: Sequence[int]) -> str:
    """'1 to 3, 5'."""
    spans: list[list[int]] = []
    for one in numbers:
        if spans and one == spans[-1][1] + 1:
            spans[-1][1] = one
        else:
            spans.append([one, one])
    return ", ".join(f"{a} to {b}" if b > a else f"{a}" for a, b in spans)
